// The compare page: two published sides, chosen in a form, kept in the address.
//
// #old=REPORT:IMPLEMENTATION&new=REPORT:IMPLEMENTATION&filter=WORDS&changed

import { compare } from "./rows.js";
import { describe, show } from "./table.js";

const form = document.querySelector("#compare-form");
const fields = form.elements;
const result = document.querySelector("#compare-result");
const status = document.querySelector("#compare-status");

const documents = new Map();
let reports = [];
/** Raised by each change, so that late answers are not shown. */
let turn = 0;

/** Fetches a JSON file, once. */
function load(path) {
  if (!documents.has(path)) {
    const loading = fetch(new URL(path, document.baseURI)).then((response) => {
      if (!response.ok) throw new Error(`${path}: ${response.status} ${response.statusText}`);
      return response.json();
    });
    loading.catch(() => documents.delete(path));
    documents.set(path, loading);
  }
  return documents.get(path);
}

/** Splits `REPORT:IMPLEMENTATION`, as the command line names a side. */
function split(side) {
  const at = side.indexOf(":");
  return at < 0 ? [side, ""] : [side.slice(0, at), side.slice(at + 1)];
}

function readAddress() {
  const state = new URLSearchParams(location.hash.slice(1));
  for (const side of ["old", "new"]) {
    const [report, implementation] = split(state.get(side) ?? "");
    if (reports.some((r) => r.name === report)) choose(side, report, implementation);
  }
  fields.filter.value = state.get("filter") ?? "";
  fields.changed.checked = state.has("changed");
}

function writeAddress() {
  const state = new URLSearchParams();
  for (const side of ["old", "new"]) {
    state.set(side, `${fields[`${side}-report`].value}:${fields[`${side}-implementation`].value}`);
  }
  if (fields.filter.value) state.set("filter", fields.filter.value);
  if (fields.changed.checked) state.set("changed", "");
  history.replaceState(null, "", `#${state}`);
}

/** Selects a report, and offers its implementations. */
function choose(side, name, implementation) {
  fields[`${side}-report`].value = name;
  const select = fields[`${side}-implementation`];
  const names = reports.find((r) => r.name === name).implementations;
  const before = implementation ?? select.value;
  select.replaceChildren(...names.map((n) => new Option(n)));
  // Another version of the same library, if the report does not have this one.
  const alike = names.find((n) => n === before) ?? names.find((n) => first(n) === first(before));
  select.value = alike ?? names[0];
}

const first = (name) => name.split(" ")[0];

async function update() {
  turn += 1;
  const mine = turn;
  const sides = ["old", "new"].map((side) => ({
    report: reports.find((r) => r.name === fields[`${side}-report`].value),
    implementation: fields[`${side}-implementation`].value,
  }));
  status.textContent = "Loading …";
  try {
    const loaded = await Promise.all(sides.map(({ report }) => load(`../${report.name}/data.json`)));
    if (mine !== turn) return;
    sides.forEach((side, index) => (side.data = loaded[index]));
    const compared = compare(sides, fields.filter.value);
    result.replaceChildren(show(sides, compared, fields.changed.checked));
    status.textContent = describe(compared);
  } catch (error) {
    if (mine !== turn) return;
    result.replaceChildren();
    status.textContent = `The figures could not be loaded. ${error.message}`;
  }
}

function changed(event) {
  const [side, what] = event.target.name.split("-");
  if (what === "report") choose(side, event.target.value);
  writeAddress();
  update();
}

function swap() {
  const sides = ["old", "new"].map((side) => [fields[`${side}-report`].value, fields[`${side}-implementation`].value]);
  choose("old", ...sides[1]);
  choose("new", ...sides[0]);
  writeAddress();
  update();
}

/** Adds reports to a select, grouped by machine, newest first. */
function offer(select) {
  const groups = new Map();
  for (const { name, date, title, machine } of reports) {
    if (!groups.has(machine)) groups.set(machine, Object.assign(document.createElement("optgroup"), { label: machine || "Machine unknown" }));
    groups.get(machine).append(new Option(date ? `${date} · ${title}` : title, name));
  }
  select.append(...groups.values());
}

async function start() {
  const published = await load("sides.json");
  reports = published.reports;
  offer(fields["old-report"]);
  offer(fields["new-report"]);
  choose("old", ...split(published.old));
  choose("new", ...split(published.new));
  readAddress();
  form.addEventListener("change", changed);
  fields.filter.addEventListener("input", changed);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    update();
  });
  document.querySelector("#compare-swap").addEventListener("click", swap);
  window.addEventListener("hashchange", () => {
    readAddress();
    update();
  });
  await update();
}

start().catch((error) => {
  status.textContent = `The list of reports could not be loaded. ${error.message}`;
});
