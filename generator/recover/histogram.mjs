// Writes interval logs of HdrHistogram in nanoseconds with three significant digits, the format that the generator reads.

import { deflateSync } from "node:zlib";

/** HdrHistogram has one bin for each nanosecond below 2048, then 1024 for each doubling. */
const BINS_PER_DOUBLING = 1024;

function binOf(nanos) {
  const shift = Math.max(0, Math.floor(Math.log2(nanos)) - 10);
  return shift * BINS_PER_DOUBLING + Math.floor(nanos / 2 ** shift);
}

/** The lower bound of a bin in nanoseconds, inclusive. */
function lowerBound(bin) {
  const shift = Math.max(0, Math.floor(bin / BINS_PER_DOUBLING) - 1);
  return (bin - shift * BINS_PER_DOUBLING) * 2 ** shift;
}

/**
 * Returns the count of each bin for a distribution that is known at some points: `knots` are [nanoseconds, number of
 * values up to there], ascending. Values are spread evenly between two knots.
 */
export function spread(knots) {
  const counts = [];
  let assigned = 0;
  const fill = (bin, total) => {
    const rounded = Math.round(total);
    if (rounded > assigned) counts[bin] = (counts[bin] ?? 0) + rounded - assigned;
    assigned = Math.max(assigned, rounded);
  };
  for (const [i, [high, countHigh]] of knots.entries()) {
    const [low, countLow] = knots[i - 1] ?? knots[i];
    for (let bin = binOf(low); bin < binOf(high); bin++) {
      fill(bin, countLow + ((countHigh - countLow) * (lowerBound(bin + 1) - low)) / (high - low));
    }
    // Values that end at a bin's lower bound belong to the bin before it.
    fill(lowerBound(binOf(high)) === high && high > low ? binOf(high) - 1 : binOf(high), countHigh);
  }
  return Array.from(counts, (count) => count ?? 0);
}

/** Encodes counts in HdrHistogram's compressed V2 encoding, in base64. */
export function encode(counts) {
  const payload = [];
  const pushVarint = (number) => {
    // ZigZag: the sign is the lowest bit.
    let rest = number < 0 ? -2 * number - 1 : 2 * number;
    for (; rest >= 128; rest = Math.floor(rest / 128)) payload.push((rest % 128) + 128);
    payload.push(rest);
  };
  for (let i = 0; i < counts.length; i++) {
    let empty = 0;
    while (counts[i + empty] === 0) empty++;
    // A negative number is a run of that many empty bins.
    pushVarint(empty > 0 ? -empty : counts[i]);
    i += Math.max(0, empty - 1);
  }
  const plain = Buffer.alloc(40 + payload.length);
  plain.writeUInt32BE(0x1c849313, 0);
  plain.writeUInt32BE(payload.length, 4);
  plain.writeUInt32BE(3, 12);
  plain.writeBigUInt64BE(1n, 16);
  plain.writeBigUInt64BE(3_600_000_000_000n, 24);
  plain.writeDoubleBE(1, 32);
  plain.set(payload, 40);
  const packed = deflateSync(plain, { level: 9 });
  const head = Buffer.alloc(8);
  head.writeUInt32BE(0x1c849314, 0);
  head.writeUInt32BE(packed.length, 4);
  return Buffer.concat([head, packed]).toString("base64");
}

/** Returns the line of one scenario in a log. */
export function interval(label, counts) {
  const middle = (bin) => (lowerBound(bin) + lowerBound(bin + 1)) / 2;
  const seconds = counts.reduce((sum, count, bin) => sum + count * middle(bin), 0) / 1e9;
  const tag = label.replaceAll(", ", "/").replaceAll(" ", "_");
  return `Tag=${tag},0.000,${seconds.toFixed(3)},${(Math.floor(middle(counts.length - 1)) / 1e6).toFixed(6)},${encode(counts)}`;
}
