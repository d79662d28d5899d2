// The compare page: shows the verdicts on two builds, which the generator wrote, and keeps the choice in the address.
//
// #old=REPORT:BUILD&new=REPORT:BUILD&filter=WORDS&sort=scenario

import { element, table } from "../elements.js";
import { plot } from "./plot.js";

const form = document.querySelector("#compare-form");
const fields = form.elements;
const result = document.querySelector("#compare-result");
const status = document.querySelector("#compare-status");
const GROUPS = { speed: "Speed", latency: "Latency", memory: "Memory", counts: "Counts" };
const WORDS = { f: "faster", s: "slower", l: "less", m: "more", n: "no change" };
/** Verdicts in the order of the summary, with why there is no change. */
const OUTCOMES = { ...WORDS, n: "unchanged", t: "with too few runs", u: "not tested", y: "unsteady" };
const REASONS = { n: "no difference shown", t: "too few runs to show a difference", y: "too unsteady to rank" };

const files = new Map();
let machines = [];
/** Raised by each change, so that late answers are not shown. */
let turn = 0;

/** Fetches a JSON file, once. */
function load(name) {
  if (!files.has(name)) {
    const loading = fetch(new URL(`${name}.json`, document.baseURI)).then((response) => {
      if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
      return response.json();
    });
    loading.catch(() => files.delete(name));
    files.set(name, loading);
  }
  return files.get(name);
}

const machine = () => machines[fields.machine.selectedIndex];

function offerBuilds() {
  for (const side of ["old", "new"]) fields[side].replaceChildren(...machine().builds.map((name) => new Option(name)));
}

/** Selects two builds by their places. */
function choose(old, candidate) {
  fields.old.selectedIndex = old;
  fields.new.selectedIndex = candidate;
}

function readAddress() {
  const state = new URLSearchParams(location.hash.slice(1));
  const [old, candidate] = ["old", "new"].map((side) => (state.get(side) ?? "").split(/:(.*)/));
  const found = machines.findIndex(({ reports }) => reports.includes(candidate[0]) && reports.includes(old[0]));
  fields.machine.selectedIndex = Math.max(found, 0);
  offerBuilds();
  const places = [old, candidate].map(([, name]) => machine().builds.indexOf(name));
  choose(...(found < 0 || places.includes(-1) ? machine().start : places));
  fields.filter.value = state.get("filter") ?? "";
  fields.sort.value = state.get("sort") ?? "change";
}

function writeAddress() {
  const state = new URLSearchParams(["old", "new"].map((side) => [side, `${machine().reports[0]}:${fields[side].value}`]));
  if (fields.filter.value) state.set("filter", fields.filter.value);
  if (fields.sort.value !== "change") state.set("sort", fields.sort.value);
  history.replaceState(null, "", `#${state}`);
}

/** Reads a verdict such as `ff1.54x|1.512|1.571|<0.001`, and how far right of equal it is in a plot. */
function judged(text, better) {
  const [head, low, high, p] = text.split("|");
  const [verdict, direction, size] = [head[0], head[1], head.slice(2)];
  const number = parseFloat(size);
  const ratio = size.endsWith("%") ? 1 + (direction === "l" ? -number : number) / 100 : "sl".includes(direction) ? 1 / number : number;
  const word = WORDS[direction];
  const change = size === "∞" ? `${word} (was 0)` : direction === "n" ? word : `${size} ${word}`;
  const turned = (end) => (better < 0 ? 1 / end : Number(end));
  const ends = low ? [turned(low), turned(high)].sort((a, b) => a - b) : [ratio, ratio];
  return { verdict, direction, ratio, ends, low, high, p, text: REASONS[verdict] ? "~" : change };
}

/** The rows that the builds have in common and that match the filter. */
function rowsOf({ rows, figures }, [from, to, , verdicts]) {
  const words = fields.filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const of = (report, side) => figures[report][fields[side].selectedIndex].split(";");
  const [old, candidate] = [of(from, "old"), of(to, "new")];
  const both = verdicts.split(";").map((text, place) => {
    const [label, symbol, better, group] = rows[place];
    const sides = [old, candidate].map((side) => (side[place] ?? "").split("|"));
    return text && { label, symbol, group, sides, ...judged(text, better) };
  });
  const wanted = both.filter((row) => row && words.every((word) => row.label.toLowerCase().includes(word)));
  const size = ({ verdict, ratio }) => (REASONS[verdict] || Number.isNaN(ratio) ? 0 : Math.abs(Math.log(ratio)));
  return fields.sort.value === "scenario" ? wanted : wanted.sort((a, b) => size(b) - size(a));
}

/** `12 faster, 3 slower, 8 unchanged`. */
function outcomes(rows) {
  const rates = rows.some(({ verdict }) => "fs".includes(verdict)) || ["speed", "latency"].includes(rows[0]?.group);
  const counts = Object.entries(OUTCOMES).map(([verdict, text]) => [rows.filter((row) => row.verdict === verdict).length, text, verdict]);
  return counts.filter(([n, , verdict]) => n > 0 || (rates ? "fsn" : "lmn").includes(verdict));
}

const shownOutcomes = (rows) => outcomes(rows).map(([n, text]) => `${n} ${text}`).join(", ");

/** The number of runs of most rows. */
function usualRuns(rows) {
  const counts = new Map();
  for (const runs of rows.map(runsOf)) counts.set(runs, (counts.get(runs) ?? 0) + 1);
  return [...counts].reduce((most, one) => (one[1] > most[1] ? one : most))[0];
}

function verdictTable(rows) {
  const usual = usualRuns(rows);
  const head = ["scenario", "change", element("th", { scope: "col", class: "words" }, "unit"), fields.old.value, fields.new.value];
  const name = `Change from ${fields.old.value} to ${fields.new.value}, n = ${usual}`;
  return table("changes", name, head, rows.map((row) => [
    row.label,
    change(row, runsOf(row) !== usual),
    element("td", { class: "words" }, row.symbol),
    ...row.sides.map(figure),
  ]));
}

const runsOf = ({ sides: [[, , old], [, , candidate]] }) => (old === candidate ? old : `${old}+${candidate}`);
const figure = ([text, half]) => element("td", {}, text, ...(half ? [" ", element("i", {}, half)] : []));

function change(row, isUnusual) {
  const p = row.p && (row.p[0] === "<" ? `p < ${row.p.slice(1)}` : `p = ${row.p}`);
  const evidence = [row.low && `${row.low}–${row.high}`, p, isUnusual && `n = ${runsOf(row)}`].filter(Boolean).join(", ");
  const reason = REASONS[row.verdict];
  const text = reason ? element("span", { role: "img", "aria-label": reason }, "~") : row.text;
  const cell = element("td", { class: `change ${reason ? "none" : WORDS[row.direction]}${row.verdict === "u" ? " untested" : ""}` }, text);
  if (reason) cell.title = reason;
  if (evidence) cell.append(" ", element("i", {}, evidence));
  return cell;
}

const folded = (kind, summary, ...inside) => element("details", { class: kind }, element("summary", {}, summary), ...inside);

function meansOf([, , means], group) {
  const own = means.filter(([of]) => of === group);
  const texts = own.map(([, symbol, n, text]) => `${text.replace("no change", "equal")} over ${n} scenarios in ${symbol}`);
  return texts.length ? [element("p", {}, `Geometric mean of all: ${texts.join("; ")}.`)] : [];
}

/** The speed: the means, a plot, and the table with unchanged rows folded. */
function first(rows, pair) {
  const isChanged = ({ verdict }) => !REASONS[verdict];
  const [changed, same] = [rows.filter(isChanged), rows.filter((row) => !isChanged(row))];
  const drawn = changed.filter(({ ratio, direction }) => ratio > 0 && direction !== "n");
  return [
    ...meansOf(pair, rows[0].group),
    ...(drawn.length ? [plot(drawn)] : []),
    ...(changed.length ? [verdictTable(changed)] : []),
    ...(same.length ? [folded("same", `${same.length} without a shown change`, verdictTable(same))] : []),
  ];
}

function source(reports, [from, to]) {
  const link = (report) => element("a", { href: `../${reports[report][0]}/` }, reports[report][1]);
  const apart = [link(from), ", then ", link(to), ". Two reports: whatever else changed between them shows too."];
  return element("p", { class: "note" }, "From ", ...(from === to ? [link(to), "."] : apart));
}

async function update() {
  turn += 1;
  const mine = turn;
  const places = [fields.old.selectedIndex, fields.new.selectedIndex];
  status.textContent = "Loading …";
  try {
    const data = await load(machine().file);
    const own = data.pairs[places[1]];
    const pair = (typeof own === "string" ? await load(own) : own)[places[0]];
    if (mine !== turn) return;
    show(data, pair);
  } catch (error) {
    if (mine !== turn) return;
    result.replaceChildren();
    status.textContent = `The verdicts could not be loaded. ${error.message}`;
  }
}

function show(data, pair) {
  const rows = pair ? rowsOf(data, pair) : [];
  const groups = Object.keys(GROUPS).map((group) => rows.filter((row) => row.group === group)).filter((own) => own.length);
  const missing = fields.old.value === fields.new.value ? "Choose two different builds." : "The two builds have no scenario in common.";
  result.replaceChildren();
  status.textContent = pair ? "No scenario matches." : missing;
  if (!groups.length) return;
  const [top, ...others] = groups;
  const numbers = outcomes(top).map(([n, text]) => element("span", {}, element("strong", {}, n), ` ${text} `));
  status.replaceChildren(...numbers);
  const folds = others.map((own) => folded("group", `${GROUPS[own[0].group]}: ${shownOutcomes(own)}`, ...meansOf(pair, own[0].group), verdictTable(own)));
  const untested = rows.some(({ verdict }) => verdict === "u") ? [element("p", { class: "note" }, "* Between single figures: what was measured, untested.")] : [];
  result.append(...first(top, pair), ...folds, ...untested, source(data.reports, pair));
}

function changed({ target }) {
  if (target === fields.machine) {
    offerBuilds();
    choose(...machine().start);
  }
  writeAddress();
  update();
}

function swap() {
  choose(fields.new.selectedIndex, fields.old.selectedIndex);
  writeAddress();
  update();
}

async function start() {
  machines = await load("index");
  fields.machine.replaceChildren(...machines.map(({ name }) => new Option(name)));
  readAddress();
  form.addEventListener("input", changed);
  form.addEventListener("submit", (event) => event.preventDefault());
  document.querySelector("#compare-swap").addEventListener("click", swap);
  window.addEventListener("hashchange", () => {
    readAddress();
    update();
  });
  await update();
}

start().catch((error) => {
  status.textContent = `The list of builds could not be loaded. ${error.message}`;
});
