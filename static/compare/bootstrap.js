// How sure a ratio of two estimates is: the generator's percentile bootstrap, number by number.

import { ofNumbers, partOf } from "./random.js";

const RESAMPLES = 10_000;
const CUT = RESAMPLES / 40;
const LEAST = 10;
const DEPTH = 32;

/**
 * The interval of candidate / baseline with 95 % confidence; null below 10 values a side.
 *
 * @param {number[]} baseline ascending
 * @param {number[]} candidate ascending
 */
export function ratioInterval(baseline, candidate, estimator) {
  if (Math.min(baseline.length, candidate.length) < LEAST) return null;
  const shape = (values) => values.map((v) => v / values[0]);
  const random = ofNumbers([...shape(baseline), ...shape(candidate)]);
  const ratios = new Float64Array(RESAMPLES);
  for (let i = 0; i < RESAMPLES; i += 1) {
    const below = resampled(baseline, estimator, random);
    ratios[i] = resampled(candidate, estimator, random) / below;
  }
  ratios.sort();
  const [low, high] = [ratios[CUT], ratios[RESAMPLES - 1 - CUT]];
  return low > 0 && Number.isFinite(high) ? { low, high } : null;
}

/** The estimate of one resample: only where the draw of the rank falls that the estimate needs. */
function resampled(values, estimator, random) {
  const n = values.length;
  const at = (position) => values[partOf(position, n)];
  switch (estimator) {
    case "median":
    case "median-high":
      if (estimator === "median" && n % 2 === 0) {
        const [lower, upper] = adjacent(random, n, n / 2 - 1).map(at);
        return lower + (upper - lower) / 2;
      }
      return at(within(random, whole(n, Math.floor(n / 2))));
    case "min":
      return at(within(random, whole(n, 0)));
    case "max":
      return at(within(random, whole(n, n - 1)));
    case "mean": {
      let sum = 0;
      for (let i = 0; i < n; i += 1) sum += at(random.position()) / n;
      return sum;
    }
    default:
      throw new Error(`no estimator ${estimator}`);
  }
}

// A part of the line of 2³² places: the first bits of its positions, how many of the draws fall
// into it, and the rank that is wanted among them.
const whole = (draws, rank) => ({ prefix: 0, depth: 0, draws, rank });

function half(part, lower) {
  const upper = part.rank >= lower;
  return {
    prefix: ((part.prefix << 1) | (upper ? 1 : 0)) >>> 0,
    depth: part.depth + 1,
    draws: upper ? part.draws - lower : lower,
    rank: upper ? part.rank - lower : part.rank,
  };
}

/** The position of the rank that is wanted in `part`. */
function within(random, part) {
  while (part.depth < DEPTH) {
    if (part.draws === 1) {
      const rest = random.position() >>> part.depth;
      return ((part.prefix << (DEPTH - part.depth)) | rest) >>> 0;
    }
    part = half(part, random.heads(part.draws));
  }
  return part.prefix;
}

/** The positions of `rank` and of the next rank, of the same `n` draws. */
function adjacent(random, n, rank) {
  let part = whole(n, rank);
  while (part.depth < DEPTH) {
    const lower = random.heads(part.draws);
    if (part.rank + 1 === lower) {
      const above = { ...part, rank: part.rank + 1 };
      const first = within(random, half(part, lower));
      return [first, within(random, half(above, lower))];
    }
    part = half(part, lower);
  }
  return [part.prefix, part.prefix];
}
