// The bootstrap interval of a ratio of two estimates: the generator's stats/bootstrap.rs, line by line.

const MIN_SAMPLE = 10;
const ENDS = [0.025, 0.975];
const ROUNDING = 1e-12;
const NEGLIGIBLE = 1e-18;
const FEW = 500;
const VANISHING = 1e-20;

/**
 * The 95 % confidence interval of candidate / baseline; null for means, and with fewer than 10 values per side.
 *
 * @param {Float64Array} baseline ascending
 * @param {Float64Array} candidate ascending
 */
export function ratioInterval(baseline, candidate, estimator) {
  if (Math.min(baseline.length, candidate.length) < MIN_SAMPLE || estimator === "mean") return null;
  const sides = [baseline, candidate].map((values) => outcomes(values, estimator));
  const [low, high] = ENDS.map((end) => quantile(...sides, end));
  return low > 0 && Number.isFinite(high) ? { low, high } : null;
}

/** The smallest ratio that is not exceeded with a probability of `end`. */
function quantile(baseline, candidate, end) {
  let low = 0;
  let high = candidate.at(-1).value / baseline[0].value;
  let below = [0, 0];
  let upTo = [1, baseline.length * candidate.length];
  while (upTo[1] - below[1] > FEW) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    const at = reached(middle, baseline, candidate);
    if (at[0] >= end - ROUNDING) [high, upTo] = [middle, at];
    else [low, below] = [middle, at];
  }
  let sum = below[0];
  for (const [ratio, probability] of ratiosBetween(low, high, baseline, candidate)) {
    sum += probability;
    if (sum >= end - ROUNDING) return ratio;
  }
  return high;
}

/** P(candidate / baseline ≤ ratio), and the number of pairs of outcomes below it. */
function reached(ratio, baseline, candidate) {
  let next = 0;
  let within = 0;
  let [sum, pairs] = [0, 0];
  for (const { value, probability } of baseline) {
    while (next < candidate.length && candidate[next].value / value <= ratio) {
      within += candidate[next].probability;
      next += 1;
    }
    sum += probability * within;
    pairs += next;
  }
  return [sum, pairs];
}

/** The ratios above `low` and up to `high`, with their probabilities, in ascending order. */
function ratiosBetween(low, high, baseline, candidate) {
  const ratios = [];
  for (const divisor of baseline) {
    for (const { value, probability } of candidate) {
      const ratio = value / divisor.value;
      if (ratio > high) break;
      if (ratio > low) ratios.push([ratio, probability * divisor.probability]);
    }
  }
  return ratios.sort((a, b) => a[0] - b[0]);
}

/** Every estimate that a resample can have, with its probability, in ascending order. */
function outcomes(values, estimator) {
  const n = values.length;
  switch (estimator) {
    case "median":
      return n % 2 === 0 ? middlePairs(values) : ranked(values, (n + 1) / 2);
    case "median-high":
      return ranked(values, Math.floor(n / 2) + 1);
    case "min":
      return ranked(values, 1);
    case "max":
      return ranked(values, n);
    default:
      throw new Error(`no estimator ${estimator}`);
  }
}

/** The distribution of the value of this rank, from 1, among n draws. */
function ranked(values, rank) {
  const n = values.length;
  return Array.from(values, (value, i) => ({
    value,
    probability: drawsUpTo(n, i + 1, rank) - drawsUpTo(n, i, rank),
  }));
}

/** P(Bin(n, i/n) ≥ rank), summed from the mode outwards. */
function drawsUpTo(n, i, rank) {
  if (i === 0 || i === n) return i === n ? 1 : 0;
  const odds = i / (n - i);
  let total = 1;
  let reached = i >= rank ? 1 : 0;
  const add = (k, weight) => {
    total += weight;
    if (k >= rank) reached += weight;
    return weight > VANISHING;
  };
  let weight = 1;
  for (let k = i + 1; k <= n; k += 1) {
    weight *= ((n - k + 1) / k) * odds;
    if (!add(k, weight)) break;
  }
  weight = 1;
  for (let k = i - 1; k >= 0; k -= 1) {
    weight *= (k + 1) / (n - k) / odds;
    if (!add(k, weight)) break;
  }
  return reached / total;
}

/** The distribution of the mean of the two middle ones of n draws, n even. */
function middlePairs(values) {
  const n = values.length;
  const m = n / 2;
  let central = 1;
  for (let k = 1; k <= m; k += 1) central *= 1 - 0.5 / k;
  const lastPart = Array.from(values, (_, k) => 1 - (1 - 1 / (k + 1)) ** m);
  const found = [];
  ranked(values, m).forEach((lower, i) => {
    let rest = lower.probability;
    for (let j = i + 1; j < n; j += 1) {
      const above = n - j;
      const product = (4 * (i + 1) * above) / (n * n);
      const probability = central * product ** m * lastPart[i] * lastPart[above - 1];
      if (probability < NEGLIGIBLE) break;
      rest -= probability;
      found.push({ value: lower.value + (values[j] - lower.value) / 2, probability });
    }
    found.push({ value: lower.value, probability: Math.max(rest, 0) });
  });
  return found.sort((a, b) => a.value - b.value);
}
