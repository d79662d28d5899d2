// The comparison: all rows of two builds of a machine, which the generator wrote. The choice is in the address:
//
// #a=CANDIDATE&b=BASELINE&machine=NAME

import { element } from "./elements.js";
import { a, b, load, loadPair, plot, readAddress, root, show, writeAddress } from "./pair.js";

const machine = root.querySelector('[name="machine"]');
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

const inWords = ({ numbers }) => numbers.map(([n, text]) => `${n} ${text}`).join(", ");

/** The first group with its numbers, then the others, folded. */
function draw({ groups }, names) {
  return groups.flatMap((group, place) => {
    const inside = [...(group.means ? [element("p", {}, `Geometric mean: ${group.means}.`)] : []), plot(group.marks, names, "../")];
    if (place > 0) return element("details", {}, element("summary", {}, `${group.title}: ${inWords(group)}`), ...inside);
    const numbers = group.numbers.map(([n, text]) => element("span", {}, element("strong", {}, n), ` ${text}`));
    return [element("p", { class: "numbers" }, ...numbers), ...inside];
  });
}

/** The same releases on other machines, where both were measured. */
async function elsewhere() {
  const release = (build) => build.split(",")[0];
  const releases = [a, b].map(({ selectedIndex }) => release(current().builds[selectedIndex]));
  const items = machines.filter((other) => other !== current()).map(async (other) => {
    const places = releases.map((wanted) => other.builds.findIndex((own) => release(own) === wanted));
    const pair = places.includes(-1) ? null : await loadPair("", other.file, places);
    const group = pair?.groups[0];
    return group ? [element("li", {}, `${other.name}: ${inWords(group)}. Geometric mean: ${group.means}.`)] : [];
  });
  const found = (await Promise.all(items)).flat();
  return found.length ? [element("h2", {}, "The same releases on other machines"), element("ul", {}, ...found)] : [];
}

function update() {
  return show("../", current().file, async (pair, names) => [...draw(pair, names), ...(await elsewhere())]);
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
