// The capacity model: the generator's capacity.rs, line by line. Its tests compare both.

const MIB_IN_GBIT = 1e9 / 8 / 1048576;
const MIN_POINTS = 3;

/**
 * Cores that full handshakes, resumed handshakes and data keep busy; null if a rate is unknown.
 *
 * @param library {full, resumed, transfer: a figure or null, memory: [[sessions, figure in KiB]]}
 * @param load {connections, resumed: 0 to 1, gbit, idle}
 */
export function parts(library, { connections, resumed, gbit }) {
  const part = (amount, rate) => {
    if (!(amount > 0)) return sum([]);
    return rate ? sum([[amount, inverse(rate)]]) : null;
  };
  return [
    part(connections * (1 - resumed), library.full),
    part(connections * resumed, library.resumed),
    part(gbit * MIB_IN_GBIT, library.transfer),
  ];
}

/** The sum of the parts; null if one is. */
export function cores(library, load) {
  const all = parts(library, load);
  return all.includes(null) ? null : sum(all.map((part) => [1, part]));
}

/** MiB for the load's idle sessions, on the least-squares line; null with fewer than three points. */
export function mebibytes({ memory }, { idle }) {
  const xs = memory.map(([sessions]) => sessions);
  if (new Set(xs).size < MIN_POINTS) return null;
  const mean = xs.reduce((a, b) => a + b, 0) / xs.length;
  const sxx = xs.reduce((total, x) => total + (x - mean) ** 2, 0);
  const weight = (x) => 1 / xs.length + ((idle - mean) * (x - mean)) / sxx;
  return sum(memory.map(([sessions, kib]) => [weight(sessions) / 1024, kib]));
}

const inverse = ({ estimate, ends }) => ({ estimate: 1 / estimate, ends: ends && [1 / ends[1], 1 / ends[0]] });

/** Σ weight · figure, with the sums of the ends. */
function sum(terms) {
  return terms.reduce(
    (total, [weight, figure]) => ({
      estimate: total.estimate + weight * figure.estimate,
      ends: total.ends && figure.ends && added(total.ends, weight, figure.ends),
    }),
    { estimate: 0, ends: [0, 0] },
  );
}

function added(ends, weight, [low, high]) {
  const [a, b] = [weight * low, weight * high];
  return [ends[0] + Math.min(a, b), ends[1] + Math.max(a, b)];
}

/** Decimals of a column with this largest figure. */
export function decimals(largest) {
  const found = [0, 1, 2, 3].find((places) => largest * 10 ** places >= 100);
  return found ?? 4;
}
