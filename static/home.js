// The front page: another pair of builds, and what another load needs. Without it, the page shows the first pair and load.

import { loadPair, plot, readAddress, sentences, writeAddress } from "./pair.js";

const root = document.querySelector("#pair");
const load = document.querySelector("#load");
const select = (name) => root.querySelector(`[name="${name}"]`);
/** Raised by each choice, so that late answers are not shown. */
let turn = 0;

function write(selector, ...inside) {
  root.querySelector(selector).replaceChildren(...inside);
}

async function show() {
  turn += 1;
  const mine = turn;
  const { up, file } = root.dataset;
  const selects = [select("a"), select("b")];
  const names = selects.map(({ value }) => value);
  let pair;
  try {
    pair = await loadPair(`${up}compare/`, file, selects.map(({ selectedIndex }) => selectedIndex));
  } catch (error) {
    if (mine === turn) write(".answer", `The verdicts could not be loaded. ${error.message}`);
    return;
  }
  if (mine !== turn) return;
  need();
  root.querySelector(".dots")?.remove();
  root.querySelector(".how").hidden = !pair;
  if (!pair) {
    write(".answer", names[0] === names[1] ? "Choose two different builds." : "The two builds have no scenario in common.");
    return;
  }
  const [from, to] = pair.reports;
  write(".answer", ...sentences(pair.answer));
  write(".how span", from === to ? to[2] : `${to[2]}; the other side is from another report, so whatever else changed shows too`);
  root.querySelector(".how a").href = `${up}${to[0]}/`;
  root.querySelector(".how a.all").hash = `${location.hash}&machine=${encodeURIComponent(root.dataset.machine)}`;
  if (pair.glance.length) root.append(plot(pair.glance, names, pair.since, up));
}

/** Adds up what the load needs with both builds: the rows of the table are those of the selects. */
function need() {
  if (!load) return;
  const [connections, resumed, gbit] = load.querySelectorAll("input");
  const [all, again] = [Number(connections.value), (Number(connections.value) * Number(resumed.value)) / 100];
  const mebibytes = (Number(gbit.value) * 1e9) / 8 / 1048576;
  const rows = load.querySelector("tbody").rows;
  const parts = [select("a"), select("b")].flatMap(({ selectedIndex, value }) => {
    const costs = [...rows[selectedIndex].cells].slice(1).map((cell) => parseFloat(cell.textContent.replaceAll(",", "")));
    const [full, short, sent, session] = costs;
    const cores = ((all - again) * full + again * short + mebibytes * sent) / 1e6;
    const known = [Number.isNaN(cores) ? [] : `${cores.toFixed(1)} cores`, Number.isNaN(session) ? [] : `${((session * 10000) / 1024).toFixed(0)} MiB`];
    return [value, known.flat().join(", ") || "not measured"];
  });
  load.querySelectorAll("dt, dd").forEach((place, number) => (place.textContent = parts[number]));
}

function start() {
  const selects = { a: select("a"), b: select("b") };
  root.addEventListener("change", () => {
    writeAddress(selects);
    show();
  });
  const read = () => readAddress(selects) && show();
  window.addEventListener("hashchange", read);
  read();
  load?.addEventListener("input", need);
}

if (root) start();
