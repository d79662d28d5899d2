// The calculator of the capacity page: adds up the costs in the page's tables, for a load kept in the address.
//
// ?connections=1000&resumed=50&gbit=5&idle=10000&key=ECDSA&pq&machine=NAME

import { element, table } from "../elements.js";

const MIB_IN_GBIT = 1e9 / 8 / 1048576;
const form = document.querySelector("#capacity-form");
const fields = form.elements;
const status = document.querySelector("#capacity-status");
const NAMES = ["machine", "key", "connections", "resumed", "gbit", "idle"];

/** The tables: libraries, and their costs by label. */
const machines = [...document.querySelectorAll(".costs")].map((costs) => ({
  name: costs.closest(".scroll").previousElementSibling.textContent,
  libraries: [...costs.querySelectorAll("thead th + th")].map((head) => head.textContent),
  costs: new Map([...costs.tBodies[0].rows].map((row) => [row.cells[0].textContent, [...row.cells].slice(1).map(cost)])),
}));

/** The figure of a cell and the ends of its interval; null if it is unknown. */
function cost(cell) {
  const [estimate, low, high] = cell.textContent.replaceAll(",", "").split(/[ –]/).map(Number);
  return Number.isNaN(estimate) ? null : { estimate, ends: high === undefined ? null : [low, high] };
}

const chosen = () => machines[fields.machine.selectedIndex];
const label = (...parts) => [parts.join(", ")].find((text) => chosen().costs.has(text));

/** The rows to use. Libraries' defaults stand in for classical key exchange and for resumption. */
function used() {
  const kind = fields.pq.checked ? "post-quantum" : "classical";
  const full = (kind) => label("full handshake", fields.key.value, kind);
  const resumed = (kind) => label("resumed handshake", kind);
  const classical = fields.pq.checked ? undefined : full("default");
  return [full(kind) ?? classical, resumed(kind) ?? resumed("default"), "MiB sent", "KiB a session", "KiB without sessions"];
}

/** Σ amount · cost, with the sums of the ends; null if a cost is unknown. */
function sum(terms) {
  const paid = terms.filter(([amount]) => amount > 0);
  if (paid.some(([, cost]) => !cost)) return null;
  const total = (of) => paid.reduce((sum, [amount, cost]) => sum + amount * of(cost), 0);
  const hasEnds = paid.every(([, cost]) => cost.ends);
  return { estimate: total((cost) => cost.estimate), ends: hasEnds ? [0, 1].map((end) => total((cost) => cost.ends[end])) : [] };
}

function shown(figure) {
  if (!figure) return element("td", { class: "missing" }, "unknown");
  const digits = [0, 1, 2].find((places) => figure.estimate * 10 ** places >= 100) ?? 3;
  const show = (value) => value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return element("td", {}, show(figure.estimate), element("span", { class: "ci" }, ` ${figure.ends.map(show).join("–")}`));
}

function offerKeys(wanted) {
  const keys = new Set([...chosen().costs.keys()].filter((text) => text.startsWith("full")).map((text) => text.split(", ")[1]));
  fields.key.replaceChildren(...[...keys].map((key) => new Option(key)));
  fields.key.value = keys.has(wanted) ? wanted : [...keys][0];
}

function update() {
  const result = document.querySelector("#capacity-result");
  result.replaceChildren();
  status.textContent = "A field has no number, or a number out of range.";
  if (!form.checkValidity()) return;
  const [connections, gbit, idle] = ["connections", "gbit", "idle"].map((name) => Number(fields[name].value));
  const resumed = Number(fields.resumed.value) / 100;
  const rows = chosen().libraries.map((library, index) => {
    const [full, again, mebibyte, session, none] = used().map((label) => chosen().costs.get(label)?.[index]);
    const cores = sum([[(connections * (1 - resumed)) / 1e6, full], [(connections * resumed) / 1e6, again], [(gbit * MIB_IN_GBIT) / 1e6, mebibyte]]);
    return [library, cores, sum([[idle / 1024, session], [1 / 1024, none]])];
  });
  rows.sort((a, b) => (a[1]?.estimate ?? Infinity) - (b[1]?.estimate ?? Infinity));
  status.textContent = `Sums of: ${used().filter((label) => chosen().costs.has(label)).join("; ")}.`;
  const caption = `What a server needs on ${chosen().name}, with 95% intervals.`;
  result.append(table("results", caption, ["library", "cores", "MiB"], rows.map(([library, ...needs]) => [library, ...needs.map(shown)])));
}

const state = new URLSearchParams(location.search);
fields.machine.replaceChildren(...machines.map(({ name }) => new Option(name)));
fields.machine.selectedIndex = Math.max(0, machines.findIndex(({ name }) => name === state.get("machine")));
offerKeys(state.get("key") ?? "ECDSA");
for (const name of NAMES.slice(2)) if (Number(state.get(name) || NaN) >= 0) fields[name].value = state.get(name);
fields.pq.checked = state.size ? state.has("pq") : label("full handshake", fields.key.value, "post-quantum") !== undefined;
update();
form.addEventListener("input", ({ target }) => {
  if (target === fields.machine) offerKeys(fields.key.value);
  const state = new URLSearchParams(NAMES.map((name) => [name, fields[name].value]));
  if (fields.pq.checked) state.set("pq", "");
  history.replaceState(null, "", `?${state}`);
  update();
});
form.addEventListener("submit", (event) => event.preventDefault());
