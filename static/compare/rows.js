// The rows of two sides, paired by scenario and unit.

import { judge } from "./verdict.js";

/**
 * One row for each scenario of either side that matches the filter, in the order of the candidate,
 * then of the baseline.
 *
 * @param sides baseline and candidate, each {implementation: its name, data: a report's data.json}
 */
export function compare(sides, filter) {
  const [baselines, candidates] = sides.map((side) => figures(side, filter));
  const keys = new Set([...candidates.keys(), ...baselines.keys()]);
  const rows = Array.from(keys, (key) => {
    const [baseline, candidate] = [baselines.get(key), candidates.get(key)];
    const { scenario, unit } = candidate ?? baseline;
    return { scenario, unit, baseline, candidate };
  });
  const measured = rows.filter(({ baseline, candidate }) => baseline?.values.length && candidate?.values.length);
  // If the reports use different estimators, compare medians.
  const estimators = sides.map(({ data }) => data.estimator);
  const estimator = estimators[0] === estimators[1] ? estimators[0] : "median";
  const values = measured.map(({ unit, baseline, candidate }) => ({ unit, baseline: baseline.values, candidate: candidate.values }));
  const verdicts = judge(values, estimator);
  measured.forEach((row, index) => (row.judged = verdicts[index]));
  return { rows, estimator };
}

/** The figures of one side, by scenario and unit. */
function figures({ implementation, data }, filter) {
  const column = data.implementations.findIndex((i) => named(i) === implementation);
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = (label) => words.every((word) => label.toLowerCase().includes(word));
  // A row with neither is a distribution, whose percentiles are rows of their own.
  const hasFigure = (figure) => figure.values.length > 0 || figure.unsupported != null;
  const own = data.figures.filter((f) => f.implementation === column && wanted(f.scenario) && hasFigure(f));
  return new Map(own.map((figure) => [JSON.stringify([figure.scenario, figure.unit]), figure]));
}

/** The name of an implementation on pages: `rustls 0.22.0, aws-lc, gcc`. */
export function named({ name, version, variant }) {
  return [[name, version].filter(Boolean).join(" "), ...variant].join(", ");
}

/** Half the width of a figure's interval, relative to the figure; null without an interval. */
export function spread(figure) {
  if (figure?.low == null) return null;
  return (figure.high - figure.low) / 2 / figure.estimate;
}

/** The geometric mean and the number of ratios for each unit with two rows or more. */
export function means(rows) {
  const units = new Map();
  for (const { unit, judged } of rows) {
    if (judged) units.set(unit, [...(units.get(unit) ?? []), judged.ratio]);
  }
  const several = Array.from(units).filter(([, ratios]) => ratios.length > 1);
  return several.map(([unit, ratios]) => {
    const sum = ratios.reduce((total, ratio) => total + Math.log(ratio), 0);
    return { unit, n: ratios.length, ratio: Math.exp(sum / ratios.length) };
  });
}
