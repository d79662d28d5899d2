// The comparison: all verdicts on two builds of a machine, which the generator wrote. The choice is in the address:
//
// #a=CANDIDATE&b=BASELINE&machine=NAME

import { element } from "./elements.js";
import { a, b, load, loadPair, plot, readAddress, root, show, writeAddress } from "./pair.js";

const machine = root.querySelector('[name="machine"]');
const GROUPS = { speed: "Speed", latency: "Latency", memory: "Memory", counts: "Counts" };
const OUTCOMES = { f: "faster", s: "slower", l: "less", m: "more", n: "unchanged", t: "with too few runs", u: "not tested (*)", y: "unsteady" };
let machines = [];

const current = () => machines[machine.selectedIndex];

function offer([baseline, candidate]) {
  for (const select of [a, b]) select.replaceChildren(...current().names.map((name) => new Option(name)));
  [a.selectedIndex, b.selectedIndex] = [candidate, baseline];
  const bound = root.querySelector(".bound");
  [bound.textContent, bound.hidden] = [current().bound, !current().bound];
}

/** Reads the address; links of reports name the builds as `old=REPORT:BUILD&new=REPORT:BUILD`. */
function read() {
  const state = new URLSearchParams(location.hash.slice(1));
  const sides = ["new", "old"].map((side) => (state.get(side) ?? "").split(/:(.*)/));
  const named = machines.findIndex(({ name, reports }) => name === state.get("machine") || reports.includes(sides[0][0]));
  machine.selectedIndex = Math.max(named, 0);
  offer(current().start);
  readAddress();
  const places = sides.map(([, build]) => current().builds.indexOf(build));
  if (!places.includes(-1)) [a.selectedIndex, b.selectedIndex] = places;
  update();
}

/** `12 faster, 3 slower, 8 unchanged`, as pairs; zeros only of what rows of this kind can be. */
function outcomes(rows) {
  const usual = ["speed", "latency"].includes(rows[0].group) ? "fsn" : "lmn";
  const counts = Object.entries(OUTCOMES).map(([verdict, text]) => [rows.filter((row) => row.verdict === verdict).length, text, verdict]);
  return counts.filter(([n, , verdict]) => n > 0 || usual.includes(verdict));
}

const inWords = (rows) => outcomes(rows).map(([n, text]) => `${n} ${text}`).join(", ");
const meansOf = (pair, wanted) => pair.means.filter(({ group }) => group === wanted).map(({ text }) => text).join("; ");

/** Speed with its numbers, then the other groups of rows, folded. */
function draw(pair, names) {
  const groups = Object.keys(GROUPS).map((group) => pair.rows.filter((row) => row.group === group)).filter((own) => own.length);
  return groups.flatMap((rows, place) => {
    const { group } = rows[0];
    const means = meansOf(pair, group);
    const table = plot(rows.sort((one, other) => other.ratio - one.ratio), names, "../");
    const inside = [...(means ? [element("p", {}, `Geometric mean: ${means}.`)] : []), table];
    if (place > 0) return element("details", {}, element("summary", {}, `${GROUPS[group]}: ${inWords(rows)}`), ...inside);
    const numbers = outcomes(rows).map(([n, text]) => element("span", {}, element("strong", {}, n), ` ${text}`));
    return [element("p", { class: "numbers" }, ...numbers), ...inside];
  });
}

/** The same releases on other machines, where both were measured. */
async function elsewhere(names) {
  const release = (name) => name.split(",")[0];
  const items = machines.filter((other) => other !== current()).map(async (other) => {
    const places = names.map((name) => other.names.findIndex((own) => release(own) === release(name)));
    const pair = places.includes(-1) ? null : await loadPair("", other.file, places);
    const rows = pair?.rows.filter(({ group }) => group === "speed") ?? [];
    return rows.length ? [element("li", {}, `${other.name}: ${inWords(rows)}. Geometric mean: ${meansOf(pair, "speed")}.`)] : [];
  });
  const found = (await Promise.all(items)).flat();
  return found.length ? [element("h2", {}, "The same releases on other machines"), element("ul", {}, ...found)] : [];
}

function update() {
  return show("../", current().file, async (pair, names) => [...draw(pair, names), ...(await elsewhere(names))]);
}

function changed({ target }) {
  if (target === machine) offer(current().start);
  writeAddress(machine.selectedIndex > 0 ? { machine: machine.value } : {});
  update();
}

async function start() {
  machines = await load("", "index");
  machine.replaceChildren(...machines.map(({ name }) => new Option(name)));
  read();
  root.querySelector("#compare-form").addEventListener("change", changed);
  root.querySelector("#compare-swap").addEventListener("click", (event) => {
    [a.selectedIndex, b.selectedIndex] = [b.selectedIndex, a.selectedIndex];
    changed(event);
  });
  window.addEventListener("hashchange", read);
}

if (root.querySelector(".drawn")) {
  start().catch((error) => {
    root.querySelector(".answer").textContent = `The list of builds could not be loaded. ${error.message}`;
  });
}
