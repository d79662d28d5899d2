// The comparison: the verdicts on two builds, which the generator wrote. The choice is in the address:
//
// #a=CANDIDATE&b=BASELINE&machine=NAME&filter=WORDS

import { element, table } from "./elements.js";
import { load, loadPair, plot, readAddress, writeAddress } from "./pair.js";

const form = document.querySelector("#compare-form");
const [a, b, machine, filter] = ["a", "b", "machine", "filter"].map((name) => form.querySelector(`[name="${name}"]`));
const result = document.querySelector("#compare-result");
const status = document.querySelector("#compare-status");
const GROUPS = { speed: "Speed", latency: "Latency", memory: "Memory", counts: "Counts" };
const OUTCOMES = { f: "faster", s: "slower", l: "less", m: "more", n: "unchanged", t: "with too few runs", u: "not tested", y: "unsteady" };
const isChanged = ({ verdict }) => "fslmu".includes(verdict);
const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
let machines = [];
/** Raised by each choice, so that late answers are not shown. */
let turn = 0;

const current = () => machines[machine.selectedIndex];
const names = () => [a.value, b.value];

function offer([baseline, candidate]) {
  for (const select of [a, b]) select.replaceChildren(...current().names.map((name) => new Option(name)));
  [a.selectedIndex, b.selectedIndex] = [candidate, baseline];
}

/** Reads the address; links of reports name the builds as `old=REPORT:BUILD&new=REPORT:BUILD`. */
function read() {
  const state = new URLSearchParams(location.hash.slice(1));
  const sides = ["new", "old"].map((side) => (state.get(side) ?? "").split(/:(.*)/));
  const named = machines.findIndex(({ name, reports }) => name === state.get("machine") || reports.includes(sides[0][0]));
  machine.selectedIndex = Math.max(named, 0);
  offer(current().start);
  readAddress({ a, b });
  const places = sides.map(([, build]) => current().builds.indexOf(build));
  if (!places.includes(-1)) [a.selectedIndex, b.selectedIndex] = places;
  filter.value = state.get("filter") ?? "";
}

/** `12 faster, 3 slower, 8 unchanged`, as pairs; zeros only of what rows of this kind can be. */
function outcomes(rows) {
  const usual = rows.some(({ isRate }) => isRate) ? "fsn" : "lmn";
  const counts = Object.entries(OUTCOMES).map(([verdict, text]) => [rows.filter((row) => row.verdict === verdict).length, text, verdict]);
  return counts.filter(([n, , verdict]) => n > 0 || usual.includes(verdict)).map(([n, text]) => [n, text]);
}

const inWords = (rows) => outcomes(rows).map((pair) => pair.join(" ")).join(", ");
const means = (pair, group) => pair.means.filter((mean) => mean.group === group).map(({ words, change, n, unit }) => `${words ?? change} over ${n} scenarios in ${unit}`.replace("no change", "equal"));

function verdicts(rows) {
  const head = ["scenario", "change", element("th", { scope: "col", class: "words" }, "unit"), ...names()];
  return table("changes", `${a.value} against ${b.value}`, head, rows.map((row) => {
    const known = isChanged(row);
    const p = row.p && (row.p[0] === "<" ? "p < 0.001" : `p = ${row.p}`);
    const runs = row.sides.map((side) => side?.[2]);
    const evidence = [row.range?.map((end) => end.toFixed(3)).join("–"), p, `n = ${[...new Set(runs)].join("+")}`].filter(Boolean).join(", ");
    const kind = { f: "faster", s: "slower", l: "less", m: "more" }[row.verdict] ?? "none";
    const change = element("td", { class: `change ${kind}` }, known ? row.words : element("span", { role: "img", "aria-label": row.words, title: row.words }, "~"), " ", element("i", {}, evidence));
    const figure = ([text, half]) => element("td", {}, text, ...(half ? [" ", element("i", {}, `± ${half}`)] : []));
    return [row.label, change, element("td", { class: "words" }, row.unit), ...row.sides.map((side) => figure(side ?? [""]))];
  }));
}

const folded = (summary, ...inside) => element("details", {}, element("summary", {}, summary), ...inside);

/** The three numbers, the means, the plot, and the tables; all but speed is folded. */
function show(pair) {
  const matches = (row) => words(filter.value).every((word) => row.label.toLowerCase().includes(word));
  const size = ({ ratio }) => Math.abs(Math.log(ratio));
  const rows = pair.rows.filter(matches).sort((one, other) => size(other) - size(one));
  const groups = Object.keys(GROUPS).map((group) => rows.filter((row) => row.group === group)).filter((own) => own.length);
  status.textContent = groups.length ? "" : "No scenario matches.";
  if (!groups.length) return;
  const [top, ...others] = groups;
  status.append(...outcomes(top).map(([n, text]) => element("span", {}, element("strong", {}, n), ` ${text} `)));
  const [changed, same] = [top.filter(isChanged), top.filter((row) => !isChanged(row))];
  const drawn = changed.filter(({ ratio }) => ratio > 0 && ratio < Infinity).sort((one, other) => other.ratio - one.ratio);
  const average = means(pair, top[0].group);
  result.append(
    ...(average.length ? [element("p", {}, `Geometric mean of all: ${average.join("; ")}.`)] : []),
    ...(drawn.length ? [plot(drawn, names(), "", "../")] : []),
    ...(changed.length ? [folded(`Intervals and tests of the ${changed.length} changes`, verdicts(changed))] : []),
    ...(same.length ? [folded(`${same.length} without a shown change`, verdicts(same))] : []),
    ...others.map((own) => folded(`${GROUPS[own[0].group]}: ${inWords(own)}`, verdicts(own))),
    ...(rows.some(({ verdict }) => verdict === "u") ? [element("p", { class: "note" }, "* Between single figures: what was measured, untested.")] : []),
    source(pair.reports),
  );
}

function source([from, to]) {
  const link = (report) => element("a", { href: `../${report[0]}/` }, report[1]);
  const apart = [link(from), ", then ", link(to), ". Two reports: whatever else changed between them shows too."];
  return element("p", { class: "note" }, `${to[2]}. From `, ...(from === to ? [link(to), "."] : apart));
}

/** The same releases on other machines, where both were measured. */
async function elsewhere() {
  const release = (name) => name.split(",")[0];
  const others = machines.filter((other) => other !== current()).map(async (other) => {
    const places = names().map((name) => other.names.findIndex((own) => release(own) === release(name)));
    const pair = places.includes(-1) ? null : await loadPair("", other.file, places);
    const rows = pair?.rows.filter(({ group }) => group === "speed") ?? [];
    return rows.length ? [[other.name, ...[inWords(rows), means(pair, "speed").join("; ")].map((text) => element("td", { class: "words" }, text))]] : [];
  });
  const rows = (await Promise.all(others)).flat();
  return rows.length ? [table("words", "The same releases on other machines", ["machine", "speed", "geometric mean"], rows)] : [];
}

async function update() {
  turn += 1;
  const mine = turn;
  status.textContent = "Loading …";
  try {
    const pair = await loadPair("", current().file, [a.selectedIndex, b.selectedIndex]);
    const others = await elsewhere();
    if (mine !== turn) return;
    result.replaceChildren();
    status.textContent = a.value === b.value ? "Choose two different builds." : "The two builds have no scenario in common.";
    if (pair) show(pair);
    result.append(...others);
  } catch (error) {
    if (mine !== turn) return;
    result.replaceChildren();
    status.textContent = `The verdicts could not be loaded. ${error.message}`;
  }
}

function changed({ target }) {
  if (target === machine) offer(current().start);
  const isFirst = machine.selectedIndex === 0;
  writeAddress({ a, b }, { machine: isFirst ? "" : machine.value, filter: filter.value });
  update();
}

async function start() {
  machines = await load("", "index");
  machine.replaceChildren(...machines.map(({ name }) => new Option(name)));
  read();
  form.addEventListener("input", changed);
  document.querySelector("#compare-swap").addEventListener("click", (event) => {
    [a.selectedIndex, b.selectedIndex] = [b.selectedIndex, a.selectedIndex];
    changed(event);
  });
  window.addEventListener("hashchange", () => {
    read();
    update();
  });
  await update();
}

start().catch((error) => {
  status.textContent = `The list of builds could not be loaded. ${error.message}`;
});
