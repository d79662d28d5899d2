// The comparison: all rows of two builds of a machine, which the generator wrote. The choice is in the address:
//
// #a=CANDIDATE&b=BASELINE&machine=NAME&filter=WORDS

import { element } from "./elements.js";
import { a, b, load, plot, readAddress, root, show, warn, writeAddress } from "./pair.js";

const machine = root.querySelector('[name="machine"]');
let machines = [];

const current = () => machines[machine.selectedIndex];
const filter = () => root.querySelector("[data-filter] > .tools input");

/** What the address says beside the two builds. */
function others() {
  const words = filter()?.value.trim();
  return { ...(machine.selectedIndex > 0 && { machine: machine.value }), ...(words && { filter: words }) };
}

/** Numbers of all rows would not agree with those that a filter leaves; style sheets hide them then. */
function agree() {
  root.querySelector(".drawn").classList.toggle("filtered", Boolean(filter()?.value.trim()));
}

/** A plot, and a button for its rows without a shown difference: style sheets hide them on a narrow screen as long as it follows. */
function foldable(rows, names) {
  const table = plot(rows, names, "../");
  const { length } = table.querySelectorAll("tbody .even");
  if (!length || length === rows.length) return [table];
  const button = element("button", { type: "button", class: "fold" }, `Show ${length} without a difference shown`);
  return [table, button];
}

/** The builds in groups, in the order of the machine's list. */
function builds({ names, libraries }) {
  let from = 0;
  return libraries.map(([label, number]) => {
    from += number;
    return element("optgroup", { label }, ...names.slice(from - number, from).map((name) => new Option(name)));
  });
}

function offer([baseline, candidate]) {
  for (const select of [a, b]) select.replaceChildren(...builds(current()));
  [a.selectedIndex, b.selectedIndex] = [candidate, baseline];
  root.querySelector(".bound").textContent = current().bound;
}

/** Reads the address; links of reports name the builds as `old=REPORT:BUILD&new=REPORT:BUILD`. */
function read() {
  const state = new URLSearchParams(location.hash.slice(1));
  const sides = ["new", "old"].map((side) => (state.get(side) ?? "").split(/:(.*)/));
  const named = machines.findIndex(({ name, reports }) => name === state.get("machine") || reports.includes(sides[0][0]));
  machine.selectedIndex = Math.max(named, 0);
  offer(current().start);
  const unknown = readAddress();
  const places = sides.map(([, build]) => current().builds.indexOf(build));
  if (!places.includes(-1)) [a.selectedIndex, b.selectedIndex] = places;
  else unknown.push(...sides.map(([, build]) => build).filter((build, side) => build && places[side] < 0));
  if (named < 0) unknown.push(...[state.get("machine"), sides[0][0]].filter(Boolean));
  warn(unknown);
  const field = filter();
  if (field) field.value = state.get("filter") ?? "";
  update();
}

const inWords = ({ numbers }) => numbers.map(([n, text]) => `${n} ${text}`).join(", ");

/** The first group with its numbers, then the others, folded. */
function draw({ groups }, names) {
  return groups.flatMap((group, place) => {
    const inside = [...(group.means ? [element("p", { class: "means" }, `Geometric mean: ${group.means}.`)] : []), ...foldable(group.rows, names)];
    if (place > 0) return element("details", {}, element("summary", {}, group.title, element("span", { class: "count" }, `: ${inWords(group)}`)), ...inside);
    const numbers = group.numbers.map(([n, text]) => element("span", {}, element("strong", {}, n), ` ${text}`));
    return [element("p", { class: "numbers" }, ...numbers), ...inside];
  });
}

async function update() {
  await show("../", current().file, draw);
  agree();
}

function changed({ target }) {
  if (target === machine) offer(current().start);
  writeAddress(others());
  warn([]);
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
  root.addEventListener("click", ({ target }) => target.matches(".fold") && target.remove());
  root.addEventListener("input", ({ target }) => {
    if (target !== filter()) return;
    agree();
    history.replaceState(null, "", `#${new URLSearchParams({ a: a.value, b: b.value, ...others() })}`);
  });
  window.addEventListener("popstate", read);
}

if (root.querySelector(".drawn")) {
  start().catch((error) => {
    root.querySelector(".answer").textContent = `The list of builds could not be loaded. ${error.message}`;
  });
}
