// The capacity page: a form for a load, kept in the address, and what each library needs for it.
//
// ?connections=1000&resumed=50&gbit=5&idle=10000&key=ecdsa&pq&machine=NAME

import { element } from "../compare/table.js";
import { number } from "../compare/units.js";
import { cores, decimals, mebibytes, parts } from "./model.js";

const form = document.querySelector("#capacity-form");
const fields = form.elements;
const status = document.querySelector("#capacity-status");
const result = document.querySelector("#capacity-result");
const NUMBERS = ["connections", "resumed", "gbit", "idle"];
const HEADS = ["library", "cores", "MiB", "cores for full handshakes", "for resumed ones", "for data"];
const KEY_EXCHANGES = {
  "post-quantum": "post-quantum key exchange",
  classical: "classical key exchange",
  default: "each library's default key exchange",
};
let machines = [];

const chosen = () => machines.find(({ machine }) => machine === fields.machine.value);

/** Fills the form from the address, or else from the first prepared case. */
function read() {
  const prepared = new URL(document.querySelector(".capacity a[href^='?']").href).searchParams;
  const given = new URLSearchParams(location.search);
  const state = given.size ? given : prepared;
  for (const name of NUMBERS) {
    const value = state.get(name);
    fields[name].value = value !== null && value !== "" && Number(value) >= 0 ? value : prepared.get(name);
  }
  const machine = state.get("machine");
  fields.machine.value = machines.some((m) => m.machine === machine) ? machine : machines[0].machine;
  offerKeys(state.get("key") ?? prepared.get("key"));
  fields.pq.checked = state.has("pq");
}

function write() {
  const state = new URLSearchParams(NUMBERS.map((name) => [name, fields[name].value]));
  state.set("key", fields.key.value);
  if (fields.pq.checked) state.set("pq", "");
  if (chosen() !== machines[0]) state.set("machine", fields.machine.value);
  history.replaceState(null, "", `?${state}`);
}

function offerKeys(wanted) {
  const keys = [...new Set(chosen().full.map(({ key }) => key))];
  fields.key.replaceChildren(...keys.map((key) => new Option(key.toUpperCase(), key)));
  fields.key.value = keys.includes(wanted) ? wanted : keys[0];
}

/** The scenarios for the chosen options; full is undefined if it was not measured. */
function scenarios({ full, resumed }) {
  const chosen = fields.pq.checked ? "post-quantum" : "classical";
  const find = (all, kind) => all.find((one) => one.key_exchange === kind);
  const ofKey = full.filter(({ key }) => key === fields.key.value);
  const used = find(ofKey, chosen) ?? (fields.pq.checked ? undefined : find(ofKey, "default"));
  const kind = used?.key_exchange ?? chosen;
  return { full: used, resumed: find(resumed, kind) ?? find(resumed, "default") ?? resumed[0] };
}

function update() {
  if (!form.checkValidity()) {
    status.textContent = "A field has no number, or a number out of range.";
    result.replaceChildren();
    return;
  }
  const machine = chosen();
  const { full, resumed } = scenarios(machine);
  const load = Object.fromEntries(NUMBERS.map((name) => [name, Number(fields[name].value)]));
  load.resumed /= 100;
  const rows = machine.libraries.map((name, index) => {
    const points = machine.memory.map(({ sessions, figures }) => [sessions, figures[index]]);
    const library = {
      full: full?.figures[index],
      resumed: resumed.figures[index],
      transfer: machine.transfer.figures[index],
      memory: points.filter(([, figure]) => figure),
    };
    return { name, cores: cores(library, load), memory: mebibytes(library, load), parts: parts(library, load) };
  });
  const cost = (row) => row.cores?.estimate ?? Infinity;
  rows.sort((a, b) => (cost(a) === cost(b) ? 0 : cost(a) - cost(b)));
  status.textContent = describe(machine, full, resumed, rows);
  const frame = element("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": "Table" });
  frame.append(table(machine, rows));
  result.replaceChildren(frame, formula(machine, full, resumed));
}

function describe(machine, full, resumed, rows) {
  const sentences = [];
  const [first, ...others] = rows;
  if (first?.cores) {
    sentences.push(`${first.name} needs the fewest cores: ${shown(first.cores.estimate)}.`);
    const near = others.filter(({ cores }) => cores?.ends && first.cores.ends && cores.ends[0] <= first.cores.ends[1]);
    if (near.length) sentences.push(`That may be chance: the intervals of ${near.map(({ name }) => name).join("; ")} overlap with its own.`);
  }
  const isSame = full?.key_exchange === resumed.key_exchange;
  const measured = (what, { key_exchange: kind }) => sentences.push(`${what} were measured with ${KEY_EXCHANGES[kind]}.`);
  if (!full) sentences.push("The report has no full handshakes of this key type with this key exchange.");
  else if (full.key_exchange === "default") measured(isSame ? "Handshakes" : "Full handshakes", full);
  if (!isSame) measured("Resumed handshakes", resumed);
  if (machine.memory.length === 0) sentences.push("The report has no memory figures.");
  return sentences.join(" ");
}

const shown = (value) => number(value, decimals(value));

/** The scenarios whose rates were used, with their report. */
function formula(machine, full, resumed) {
  const names = [full, resumed, machine.transfer].filter(Boolean).map(({ scenario }) => scenario);
  const report = element("a", { href: `../${machine.report}/` }, machine.title);
  return element("p", { class: "note" }, `Rates of ${names.join("; ")}, from `, report, machine.date ? `, ${machine.date}.` : ".");
}

function table(machine, rows) {
  const columns = [(row) => [row.cores], (row) => [row.memory], (row) => row.parts];
  const places = columns.map((of) => decimals(Math.max(0, ...rows.flatMap(of).map((f) => f?.estimate ?? 0))));
  const body = rows.map((row) => {
    const cells = [
      cell(row.cores, places[0], rows.map((r) => r.cores)),
      cell(row.memory, places[1], rows.map((r) => r.memory)),
      ...row.parts.map((part) => cell(part && { ...part, ends: null }, places[2], [])),
    ];
    return element("tr", {}, element("th", { scope: "row" }, row.name), ...cells);
  });
  const head = HEADS.map((text) => element("th", { scope: "col" }, text));
  const caption = element("span", {}, `What a server needs with each library, on ${machine.machine}. Below each figure are the ends of its 95% interval.`);
  return element(
    "table",
    { class: "results needs" },
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...body),
  );
}

function cell(figure, places, all) {
  if (!figure) return element("td", { class: "missing" }, "unknown");
  const isBest = all.length > 1 && all.every((other) => !other || other.estimate >= figure.estimate);
  const text = number(figure.estimate, places);
  const made = element("td", isBest ? { class: "best" } : {}, isBest ? element("strong", {}, text) : text);
  if (figure.ends && figure.ends[0] < figure.ends[1]) {
    const [low, high] = figure.ends.map((end) => number(end, places));
    made.append(" ", element("span", { class: "ci" }, `${low}–${high}`));
  }
  return made;
}

async function start() {
  const response = await fetch(new URL("figures.json", document.baseURI));
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  machines = await response.json();
  fields.machine.replaceChildren(...machines.map(({ machine }) => new Option(machine)));
  read();
  form.addEventListener("input", (event) => {
    if (event.target === fields.machine) offerKeys(fields.key.value);
    write();
    update();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    update();
  });
  window.addEventListener("popstate", () => {
    read();
    update();
  });
  update();
}

start().catch((error) => {
  status.textContent = `The figures could not be loaded. ${error.message}`;
});
