// The calculator of the capacity page: a form for a load, kept in the address, over the page's costs.
//
// ?connections=1000&resumed=50&gbit=5&idle=10000&key=ecdsa&pq&machine=NAME

import { element } from "../compare/table.js";
import { number } from "../compare/units.js";
import { needs } from "./model.js";

const form = document.querySelector("#capacity-form");
const fields = form.elements;
const status = document.querySelector("#capacity-status");
const result = document.querySelector("#capacity-result");
const NUMBERS = ["connections", "resumed", "gbit", "idle"];
let machines = [];

const chosen = () => machines.find(({ machine }) => machine === fields.machine.value);
const costs = (item) => chosen().costs.filter((cost) => cost.item === item);

/** Fills the form from the address; without one, ECDSA with the key exchange that was measured. */
function read() {
  form.reset();
  const state = new URLSearchParams(location.search);
  for (const name of NUMBERS) if (Number(state.get(name) || NaN) >= 0) fields[name].value = state.get(name);
  const wanted = machines.find(({ machine }) => machine === state.get("machine")) ?? machines[0];
  fields.machine.value = wanted.machine;
  offerKeys(state.get("key") ?? "ecdsa");
  fields.pq.checked = state.size ? state.has("pq") : ofKey().some((cost) => cost.key_exchange === "post-quantum");
}

function offerKeys(wanted) {
  const keys = [...new Set(costs("full handshake").map(({ key }) => key))];
  fields.key.replaceChildren(...keys.map((key) => new Option(key.toUpperCase(), key)));
  fields.key.value = keys.includes(wanted) ? wanted : keys[0];
}

function write() {
  const state = new URLSearchParams([...NUMBERS, "key"].map((name) => [name, fields[name].value]));
  if (fields.pq.checked) state.set("pq", "");
  if (chosen() !== machines[0]) state.set("machine", fields.machine.value);
  history.replaceState(null, "", `?${state}`);
}

const ofKey = () => costs("full handshake").filter(({ key }) => key === fields.key.value);

/** The rows of the table to use. Libraries' defaults stand in for classical key exchange and for resumption. */
function used() {
  const kind = fields.pq.checked ? "post-quantum" : "classical";
  const find = (all, kind) => all.find((cost) => cost.key_exchange === kind);
  const full = find(ofKey(), kind) ?? (fields.pq.checked ? undefined : find(ofKey(), "default"));
  const resumed = costs("resumed handshake");
  const again = find(resumed, full?.key_exchange ?? kind) ?? find(resumed, "default") ?? resumed[0];
  return [full, again, ...["MiB sent", "KiB a session", "KiB without sessions"].flatMap(costs)].filter(Boolean);
}

function update() {
  result.replaceChildren();
  if (!form.checkValidity()) {
    status.textContent = "A field has no number, or a number out of range.";
    return;
  }
  const load = Object.fromEntries(NUMBERS.map((name) => [name, Number(fields[name].value)]));
  load.resumed /= 100;
  const rows = chosen().libraries.map((name, index) => {
    const figures = used().map(({ item, figures }) => [item, figures[index]]);
    return { name, ...needs(Object.fromEntries(figures), load) };
  });
  const order = ({ cores }) => cores?.estimate ?? Number.MAX_VALUE;
  rows.sort((a, b) => order(a) - order(b));
  status.textContent = `Sums of: ${used().map(({ label }) => label).join("; ")}.`;
  const head = ["library", "cores", "MiB"].map((text) => element("th", { scope: "col" }, text));
  const line = ({ name, cores, memory }) => element("tr", {}, element("th", { scope: "row" }, name), cell(cores), cell(memory));
  const body = element("tbody", {}, ...rows.map(line));
  const caption = element("caption", {}, element("span", {}, `What a server needs on ${chosen().machine}, with 95% intervals.`));
  const table = element("table", { class: "results" }, caption, element("thead", {}, element("tr", {}, ...head)), body);
  result.append(element("div", { class: "scroll", role: "group", tabindex: "0", "aria-label": "Table" }, table));
}

function cell(figure) {
  if (!figure) return element("td", { class: "missing" }, "unknown");
  const show = (value) => number(value, [0, 1, 2].find((places) => figure.estimate * 10 ** places >= 100) ?? 3);
  const ends = figure.ends ? ` ${figure.ends.map(show).join("–")}` : "";
  return element("td", {}, show(figure.estimate), element("span", { class: "ci" }, ends));
}

async function start() {
  const response = await fetch(new URL("figures.json", document.baseURI));
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  machines = await response.json();
  fields.machine.replaceChildren(...machines.map(({ machine }) => new Option(machine)));
  read();
  update();
  form.addEventListener("input", ({ target }) => {
    if (target === fields.machine) offerKeys(fields.key.value);
    write();
    update();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
}

start().catch((error) => (status.textContent = `The figures could not be loaded. ${error.message}`));
