// The table of a comparison. Everything is inserted as text: no text of a report becomes markup.

import { graphs } from "./graph.js";
import { means, spread } from "./rows.js";
import { factor, fixed, scale } from "./units.js";
import { words } from "./verdict.js";

const CHANGES = new Set(["faster", "slower", "less", "more"]);

const VERDICTS = {
  none: "no difference shown",
  "too-few": "too few runs",
  untested: "not tested",
};

/** Creates an element with text or elements inside. */
export function element(name, attributes, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/** Summarises the comparison in a sentence, for screen readers. */
export function describe({ rows }) {
  const count = (wanted) => rows.filter((row) => row.judged && wanted(row.judged.verdict)).length;
  const parts = [
    ...[...CHANGES].map((word) => [count((v) => v === word), word]),
    ...Object.entries(VERDICTS).map(([verdict, text]) => [count((v) => v === verdict), text]),
    [rows.filter((row) => !row.judged).length, "on one side only"],
  ];
  const shown = parts.filter(([n]) => n > 0).map(([n, text]) => `${n} ${text}`);
  const noun = rows.length === 1 ? "scenario" : "scenarios";
  return shown.length ? `${rows.length} ${noun}: ${shown.join(", ")}.` : "No scenario matches.";
}

/** Shows the whole comparison: cautions, graphs, then the table. */
export function show(sides, { rows, estimator }, onlyChanged) {
  const whole = document.createDocumentFragment();
  whole.append(...cautions(sides, rows, estimator));
  whole.append(...graphs(rows, [...new Set(sides.map(({ report }) => report))]));
  const shown = onlyChanged ? rows.filter((row) => CHANGES.has(row.judged?.verdict)) : rows;
  if (shown.length === 0) {
    const text = rows.length ? "No significant change." : "No scenario matches.";
    whole.append(element("p", {}, text));
    return whole;
  }
  const frame = element("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": "Table" });
  frame.append(table(sides, shown));
  whole.append(frame);
  return whole;
}

function cautions(sides, rows, estimator) {
  const machines = sides.map(({ report }) => report.machine);
  const cautions = [];
  if (machines[0] !== machines[1]) {
    const names = machines.map((name) => name || "a machine that the report does not name");
    cautions.push(`Two machines: ${names[0]}, then ${names[1]}. Differences may come from the machines.`);
  }
  if (rows.some((row) => row.judged?.verdict === "untested")) {
    cautions.push("The spread of a single run is unknown: its change is shown, but not tested.");
  }
  if (sides[0].data.estimator !== sides[1].data.estimator) {
    cautions.push(`The reports use different estimators; here both sides use the ${estimator}.`);
  }
  const scales = scalesOf(rows);
  const mean = ({ unit, n, ratio }) => `${words(ratio, unit)} over ${n} in ${scales.get(unit).symbol}`;
  const all = means(rows).map(mean);
  if (all.length) cautions.push(`Geometric mean of common scenarios: ${all.join("; ")}.`);
  return cautions.map((text) => element("p", { class: "caution" }, text));
}

function table(sides, rows) {
  const heads = ["scenario", "unit", "baseline", "change", "candidate", "p", "runs"];
  const [baseline, candidate] = sides.map(name);
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const scales = scalesOf(rows);
  return element(
    "table",
    { class: "changes" },
    element("caption", {}, element("span", {}, baseline, " ➡️ ", candidate)),
    element("thead", {}, head),
    element("tbody", {}, ...rows.map((row) => line(row, scales.get(row.unit)))),
  );
}

/** A side with a link to its report. */
function name({ report, implementation }) {
  return element("a", { href: `../${report.name}/` }, `${implementation} (${report.date || report.name})`);
}

/** One scale for each unit of the table. */
function scalesOf(rows) {
  const values = new Map();
  for (const { unit, baseline, candidate } of rows) {
    const own = values.get(unit) ?? [];
    own.push(...[baseline, candidate].filter((f) => f?.estimate != null).map((f) => f.estimate * factor(unit)));
    values.set(unit, own);
  }
  return new Map(Array.from(values, ([unit, own]) => [unit, scale(unit, own)]));
}

function line({ scenario, unit, baseline, candidate, judged }, { symbol, show: print }) {
  const cell = (...inside) => element("td", {}, ...inside);
  const p = judged?.adjustedP;
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, scenario),
    element("td", { class: "words" }, symbol),
    cell(...figure(baseline, unit, print)),
    change(judged, baseline, candidate),
    cell(...figure(candidate, unit, print)),
    cell(p == null ? "–" : p < 0.001 ? "<0.001" : fixed(p, 3)),
    cell([baseline, candidate].map((f) => f?.values.length ?? 0).join(" + ")),
  );
}

function figure(given, unit, print) {
  if (given === undefined) return ["–"];
  if (given.unsupported != null) return [element("abbr", { title: given.unsupported }, "unsupported")];
  const half = spread(given);
  const text = print(given.estimate * factor(unit));
  return half === null ? [text] : [text, element("small", {}, ` ±${fixed(half * 100, 1)}%`)];
}

/** `~` if no difference is shown, so that only real changes look like changes. */
function change(judged, baseline, candidate) {
  if (!judged) return element("td", {}, baseline && candidate ? "–" : `only in the ${baseline ? "baseline" : "candidate"}`);
  const { verdict, interval } = judged;
  if (verdict === "none") return element("td", {}, element("abbr", { title: `${VERDICTS.none}: ${judged.change}` }, "~"));
  const range = interval ? ` ${fixed(interval.low, 3)} to ${fixed(interval.high, 3)}` : "";
  const title = VERDICTS[verdict] ?? `ratio${range}`;
  const marked = CHANGES.has(verdict) ? { class: verdict } : { class: "untested" };
  const mark = verdict === "too-few" ? " (too few runs)" : "";
  return element("td", { ...marked, title }, judged.change + mark);
}
