// The statistics of `generator compare`, reimplemented: a page cannot call the program, and comparing
// every pair of a thousand reports in advance would fill a disk. Tests compare both, row by row.

/** The values in ascending order. */
export const sample = (values) => Float64Array.from(values).sort();

/** The estimate of a sample in ascending order. */
export function estimate(values, estimator) {
  const n = values.length;
  const upper = values[Math.floor(n / 2)];
  switch (estimator) {
    case "median-high":
      return upper;
    case "median":
      if (n % 2 === 1) return upper;
      return values[n / 2 - 1] + (upper - values[n / 2 - 1]) / 2;
    case "min":
      return values[0];
    case "max":
      return values[n - 1];
    case "mean":
      return values.reduce((sum, v) => sum + v / n, 0);
    default:
      throw new Error(`no estimator ${estimator}`);
  }
}

/** The largest sample that is tested exactly. */
const EXACT_UP_TO = 50;

/** The two-sided Mann-Whitney U test: p, and the smallest p that samples of these sizes can reach. */
export function mannWhitney(first, second) {
  const groups = tieGroups(first, second);
  const [n1, n2] = [first.length, second.length];
  let below = 0;
  let doubledU = 0;
  for (const [one, two] of groups) {
    doubledU += one * (2 * below + two);
    below += two;
  }
  let p = 1;
  if (groups.length > 1) {
    const exact = Math.max(n1, n2) <= EXACT_UP_TO;
    p = (exact ? exactP : normalP)(groups, n1, n2, doubledU);
  }
  return { p, minP: Math.min(2 / choose(n1 + n2, Math.min(n1, n2)), 1) };
}

function choose(n, k) {
  let c = 1;
  for (let i = 1; i <= k; i += 1) c = (c * (n - k + i)) / i;
  return c;
}

/** How often each distinct value occurs in either sample, in ascending order. */
function tieGroups(first, second) {
  const counts = new Map();
  const add = (values, side) => {
    for (const v of values) {
      if (!counts.has(v)) counts.set(v, [0, 0]);
      counts.get(v)[side] += 1;
    }
  };
  add(first, 0);
  add(second, 1);
  return [...counts].sort((a, b) => a[0] - b[0]).map(([, group]) => group);
}

/** The share of all deals of the pooled values whose U is at least as far from its mean as the observed one. */
function exactP(groups, n1, n2, doubledU) {
  const mean = n1 * n2;
  const distance = Math.abs(doubledU - mean);
  let far = 0;
  let all = 0;
  deals(groups, n1, n2).forEach((count, doubled) => {
    all += count;
    if (Math.abs(doubled - mean) >= distance) far += count;
  });
  return Math.min(far / all, 1);
}

/** The number of deals for each 2 U, adding one group of equal values at a time. */
function deals(groups, n1, n2) {
  const rows = Array.from({ length: n1 + 1 }, () => new Float64Array(2 * n1 * n2 + 1));
  rows[0][0] = 1;
  let dealt = 0;
  for (const [one, two] of groups) {
    const t = one + two;
    for (let to = Math.min(n1, dealt + t); to > 0; to -= 1) {
      for (let k = 1; k <= Math.min(t, to); k += 1) {
        const from = to - k;
        const below = dealt - from;
        if (below < 0 || below + t - k > n2) continue;
        const ways = choose(t, Math.min(k, t - k));
        const shift = k * (2 * below + t - k);
        const [target, source] = [rows[to], rows[from]];
        for (let i = 2 * from * below; i >= 0; i -= 1) target[shift + i] += ways * source[i];
      }
    }
    dealt += t;
  }
  return rows[n1];
}

/** By the normal distribution, with the variance that ties leave and the continuity correction. */
function normalP(groups, n1, n2, doubledU) {
  const n = n1 + n2;
  const ties = groups.reduce((sum, [one, two]) => sum + (one + two) ** 3 - (one + two), 0);
  const variance = ((n1 * n2) / 12) * (n + 1 - ties / (n * (n - 1)));
  const distance = Math.abs(doubledU - n1 * n2) / 2;
  return twoSidedTail(Math.max(distance - 0.5, 0) / Math.sqrt(variance));
}

/** P(|Z| ≥ z): Abramowitz and Stegun 26.2.11 below 3, 26.2.14 above. */
function twoSidedTail(z) {
  const density = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < 3) {
    let [term, sum, odd] = [z, z, 3];
    while (term > (sum * Number.EPSILON) / 2) {
      term *= (z * z) / odd;
      sum += term;
      odd += 2;
    }
    return Math.min(Math.max(1 - 2 * density * sum, 0), 1);
  }
  let tail = z;
  for (let k = 100; k >= 1; k -= 1) tail = z + k / tail;
  return (2 * density) / tail;
}

/** The p values adjusted for their number, in the order given. */
export function benjaminiHochberg(p) {
  const order = p.map((_, index) => index).sort((a, b) => p[a] - p[b]);
  const adjusted = new Array(p.length);
  let least = 1;
  for (let rank = order.length; rank >= 1; rank -= 1) {
    least = Math.min(least, p[order[rank - 1]] * (p.length / rank));
    adjusted[order[rank - 1]] = least;
  }
  return adjusted;
}
