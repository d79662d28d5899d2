// Interval logs of HdrHistogram in nanoseconds, three significant digits, as the generator reads and writes them.

import { deflateSync } from "node:zlib";

/** The bins of HdrHistogram: one for each nanosecond below 2048, then 1024 for each doubling. */
const HALF = 1024;

function binOf(nanos) {
  const dropped = Math.max(0, Math.floor(Math.log2(nanos)) - 10);
  return dropped * HALF + Math.floor(nanos / 2 ** dropped);
}

function leastOf(bin) {
  const dropped = Math.max(0, Math.floor(bin / HALF) - 1);
  return (bin - dropped * HALF) * 2 ** dropped;
}

/**
 * Counts by bin of a distribution that is known at some points: `knots` are [nanoseconds, how many values are no
 * greater], ascending. Between two of them the values are spread evenly.
 */
export function spread(knots) {
  const counts = [];
  let placed = 0;
  const upTo = (bin, total) => {
    const whole = Math.round(total);
    if (whole > placed) counts[bin] = (counts[bin] ?? 0) + whole - placed;
    placed = Math.max(placed, whole);
  };
  for (const [i, [high, most]] of knots.entries()) {
    const [low, least] = knots[i - 1] ?? knots[i];
    for (let bin = binOf(low); bin < binOf(high); bin++) {
      upTo(bin, least + ((most - least) * (leastOf(bin + 1) - low)) / (high - low));
    }
    // What ends at a bin's lower bound belongs to the bin before.
    upTo(leastOf(binOf(high)) === high && high > low ? binOf(high) - 1 : binOf(high), most);
  }
  return Array.from(counts, (count) => count ?? 0);
}

/** HdrHistogram's V2 encoding, compressed, in base 64. */
export function encode(counts) {
  const payload = [];
  const put = (number) => {
    // ZigZag: the sign is the last bit.
    let rest = number < 0 ? -2 * number - 1 : 2 * number;
    for (; rest >= 128; rest = Math.floor(rest / 128)) payload.push((rest % 128) + 128);
    payload.push(rest);
  };
  for (let i = 0; i < counts.length; i++) {
    let empty = 0;
    while (counts[i + empty] === 0) empty++;
    // A negative count is a run of empty bins.
    put(empty > 0 ? -empty : counts[i]);
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

/** The line of one scenario in a log. */
export function interval(label, counts) {
  const middle = (bin) => (leastOf(bin) + leastOf(bin + 1)) / 2;
  const seconds = counts.reduce((sum, count, bin) => sum + count * middle(bin), 0) / 1e9;
  const tag = label.replaceAll(", ", "/").replaceAll(" ", "_");
  return `Tag=${tag},0.000,${seconds.toFixed(3)},${(Math.floor(middle(counts.length - 1)) / 1e6).toFixed(6)},${encode(counts)}`;
}
