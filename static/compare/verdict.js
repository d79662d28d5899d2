// Judges which differences between two sides are significant, and large enough to matter.

import { ratioInterval } from "./bootstrap.js";
import { benjaminiHochberg, estimate, mannWhitney, sample } from "./statistics.js";
import { asPercent, better, factor, fixed, isCount, isSize } from "./units.js";

const ALPHA = 0.05;
/** The noise floor: smaller differences are no change. */
const THRESHOLD = 0.01;
/** Fewer values a side have no verdict. */
const MIN_SAMPLE_FOR_TEST = 4;
/** The threshold for counts, which are not random. */
const COUNT_THRESHOLD = 0.002;

/**
 * Judges the rows of a table, in order, as `generator compare` does.
 *
 * @param {{unit: string, baseline: number[], candidate: number[]}[]} rows values in the unit
 */
export function judge(rows, estimator) {
  const pairs = rows.map(({ unit, baseline, candidate }) => {
    const samples = [baseline, candidate].map((values) => sample(values.map((v) => v * factor(unit))));
    const isSingle = samples.some(({ length }) => length === 1) && !isSize(unit);
    const test = isSingle || isCount(unit) ? null : mannWhitney(samples[1], samples[0]);
    return { isSingle, unit, samples, test, estimates: samples.map((s) => estimate(s, estimator)) };
  });
  const isLong = (samples) => samples.every(({ length }) => length >= MIN_SAMPLE_FOR_TEST);
  const able = pairs.filter(({ samples, test }) => test && isLong(samples) && test.minP <= ALPHA);
  const adjusted = benjaminiHochberg(able.map(({ test }) => test.p));
  able.forEach((pair, index) => (pair.adjustedP = adjusted[index]));
  return pairs.map((pair) => {
    const [baseline, candidate] = pair.estimates;
    const ratio = baseline === candidate ? 1 : candidate / baseline;
    return {
      estimates: pair.estimates,
      ratio,
      interval: isCount(pair.unit) ? null : ratioInterval(...pair.samples, estimator),
      p: pair.test?.p ?? null,
      adjustedP: pair.adjustedP ?? null,
      verdict: verdict(pair),
      change: words(ratio, pair.unit),
    };
  });
}

function verdict({ isSingle, unit, samples, estimates: [baseline, candidate], test, adjustedP }) {
  if (isSingle) return "untested";
  if (!test) {
    const ranges = samples.map((values) => [values[0], values.at(-1)]);
    const [lesser, greater] = [...ranges].sort((a, b) => a[0] - b[0]);
    const widths = ranges.map(([min, max]) => max - min);
    const hasGap = greater[0] - lesser[1] > Math.max(lesser[1] * COUNT_THRESHOLD, ...widths);
    return hasGap ? word(candidate / baseline, unit) : "none";
  }
  if (adjustedP === undefined) return "too-few";
  if (Math.max(baseline, candidate) / Math.min(baseline, candidate) - 1 < THRESHOLD) return "none";
  if (adjustedP > ALPHA) return test.p <= test.minP * (1 + 1e-9) ? "too-few" : "none";
  return word(candidate / baseline, unit);
}

function word(ratio, unit) {
  if (asPercent(unit)) {
    if (Number(percent(ratio, unit)) === 0) return "none";
    return ratio < 1 ? "less" : "more";
  }
  if (times(ratio) === "1.00") return "none";
  if (better(unit) === undefined) return ratio < 1 ? "less" : "more";
  return (better(unit) === "higher") === ratio > 1 ? "faster" : "slower";
}

const times = (ratio) => fixed(ratio < 1 ? 1 / ratio : ratio, 2);
const percent = (ratio, unit) => fixed(Math.abs((ratio - 1) * 100), isCount(unit) ? 1 : 0);

/** `1.54x faster`, `27% less`, `no change`. */
export function words(ratio, unit) {
  const direction = word(ratio, unit);
  if (direction === "none") return "no change";
  if (ratio === Infinity) return `${direction} (was 0)`;
  return asPercent(unit) ? `${percent(ratio, unit)}% ${direction}` : `${times(ratio)}x ${direction}`;
}
