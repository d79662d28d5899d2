// Two builds of one machine: the comparison that the generator wrote, placed in the page. The front page and the comparison use
// it. `generator/src/site/pages/compare.rs` writes the files, `dots.rs` the first plot, of which others are copies.

import { element } from "./elements.js";

const files = new Map();

/** Fetches a JSON file of the folder of comparisons, once. */
export function load(folder, name) {
  const address = new URL(`${folder}${name}.json`, document.baseURI).href;
  if (!files.has(address)) {
    const loading = fetch(address).then((response) => {
      if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
      return response.json();
    });
    loading.catch(() => files.delete(address));
    files.set(address, loading);
  }
  return files.get(address);
}

/** As `dots.rs` places the first plot: a thousand times the logarithm of each factor, and shares of the width for words, or without. */
const FACTORS = [1.05, 1.1, 1.2, 1.5, 2, 3, 5, 10, 20, 50, 100, 1000];
const [LEAST, FAR, APART, ROOM, MARGIN] = [96, 10000, 0.2, 30, 5];

/** Loads what is shown of a candidate and a baseline, two places in the machine's list of builds; null without a common row. */
async function loadPair(folder, file, [candidate, baseline]) {
  if (candidate === baseline) return null;
  const direction = candidate > baseline ? 1 : 0;
  const data = await load(folder, file);
  const { texts, pairs } = await load(folder, `${file}.${Math.min(candidate, baseline)}`);
  const pair = pairs[Math.abs(candidate - baseline) - 1];
  if (!pair) return null;
  const reports = direction ? pair.reports.toReversed() : pair.reports;
  const figures = (report, build) => data.figures[report][build].split(";");
  const [old, own] = [figures(reports[0], baseline), figures(reports[1], candidate)];
  /** A row with its label, page, figures, and mark: the dot and the ends of its interval. */
  const row = ([place, [dot, ...reach], numbers]) => {
    const [label, unit, address, name] = data.rows[place];
    const [[there, ...both], intervals, test] = numbers.map((number) => texts[number]);
    const look = (direction && { good: "bad", bad: "good" }[there]) || there;
    const words = both[direction];
    const evidence = [Array.isArray(intervals) ? intervals[direction] : intervals, test].filter(Boolean).join(", ");
    const x = direction ? -dot : dot;
    const [before, after] = direction ? reach.toReversed() : reach;
    const isLeft = x < 0 && look !== "even";
    return { place, label, name, unit, address, look, words, isLeft, x, ends: [x - before, x + after], evidence, figures: [own[place], old[place]] };
  };
  const groups = pair.groups.map(({ title, numbers, means, rows }) => ({ title, numbers: numbers[direction], means: means[direction], rows: rows.map(row) }));
  const rows = groups.flatMap((group) => group.rows);
  const all = new Map(rows.map((row) => [row.place, row]));
  const ofEach = rows.filter(({ label }, at) => rows.findIndex((row) => row.label === label) === at);
  return {
    answer: pair.answers[direction],
    reports: reports.map((report) => data.reports[report]),
    headlines: data.headlines.length ? data.headlines.flatMap((place) => all.get(place) ?? []) : ofEach,
    groups,
  };
}

/** The axis of a plot: what places a mark, and its ticks. */
function axis(rows) {
  const places = rows.map(({ x }) => x).filter((x) => Math.abs(x) < FAR);
  const [low, high] = [Math.min(-LEAST, ...places), Math.max(LEAST, ...places)];
  const left = rows.some(({ isLeft }) => isLeft) ? ROOM : MARGIN;
  const share = (x) => (Math.max(low, Math.min(high, x)) - low) / (high - low);
  const at = (x) => `${Math.round((left + (100 - left - ROOM) * share(x)) * 100) / 100}%`;
  const ticks = [[at(0), "equal"]];
  for (const [end, sign] of [[-low, -1], [high, 1]]) {
    const factor = FACTORS.findLast((known) => Math.log(known) * 1e3 <= end);
    const x = sign * Math.log(factor) * 1e3;
    if (Math.abs(share(x) - share(0)) >= APART) ticks.push([at(x), `${factor}x`]);
  }
  return { at, ticks };
}

/** Puts a filled copy of an element for each item in the place of those that are like it. */
function repeat(elements, items, fill) {
  const [model, ...others] = elements;
  const made = items.map(() => model.cloneNode(true));
  made.forEach((one, place) => fill(one, items[place], place));
  model.replaceWith(...made);
  for (const old of others) old.remove();
}

/** Sets attributes, and removes those without a value. */
function put(made, attributes) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === "") made.removeAttribute(key);
    else made.setAttribute(key, value);
  }
}

function drawMark(svg, { x, ends, isLeft, words, evidence }, { at, ticks }) {
  const [low, high] = ends.map(at);
  put(svg, { "aria-label": `${words}, ${evidence}` });
  repeat(svg.querySelectorAll("line:not(.stem, .ci)"), ticks, (line, [at, text]) => put(line, { x1: at, x2: at, class: text === "equal" ? "equal" : "" }));
  put(svg.querySelector(".stem"), { x1: at(0), x2: at(x) });
  put(svg.querySelector(".ci"), { x1: low, x2: high });
  put(svg.querySelector("circle"), { cx: at(x) });
  const text = svg.querySelector("text");
  put(text, isLeft ? { x: low, dx: -12, class: "left" } : { x: high, dx: 12, class: "" });
  text.textContent = words;
}

/** Draws a plot with the names of candidate and baseline; links lead to the scenarios below `up`. It is sorted where the evidence
 *  ends each row. */
export function plot(rows, names, up) {
  const places = axis(rows);
  const table = written.cloneNode(true);
  const [scenario, strip, ...columns] = table.tHead.rows[0].cells;
  table.caption.textContent = names.join(" against ");
  repeat(strip.querySelectorAll("text"), places.ticks, (text, [at, label]) => {
    put(text, { x: at });
    text.textContent = label;
  });
  names.forEach((name, side) => (columns[side].textContent = name));
  if (columns.length > 2) for (const head of [scenario, columns[0], columns[1]]) head.replaceChildren(element("button", { type: "button", class: "sort" }, head.textContent));
  repeat(table.tBodies[0].rows, rows, (line, row) => {
    const [label, mark, ours, theirs, last] = line.cells;
    line.className = row.look;
    line.dataset.of = row.label;
    label.replaceChildren(row.address ? element("a", { href: `${up}${row.address}` }, row.name) : row.name);
    drawMark(mark.firstChild, row, places);
    [ours, theirs].forEach((cell, side) => put(cell, { "data-of": names[side] }));
    ours.textContent = row.figures[0];
    theirs.replaceChildren(row.figures[1], " ", element("i", {}, row.unit));
    if (last) last.textContent = row.evidence;
  });
  return table;
}

export const root = document.querySelector("#pair");
/** The plot of the first pair. */
const written = root?.querySelector(".dots").cloneNode(true);
export const [a, b] = ["a", "b"].map((name) => root?.querySelector(`[name="${name}"]`));
/** Raised by each choice, so that late answers are not shown. */
let choice = 0;

/** Shows the chosen builds: the answer, where it is from, and what `draw` makes of the comparison. */
export async function show(up, file, draw) {
  choice += 1;
  const mine = choice;
  const names = [a.value, b.value];
  const write = (selector, ...inside) => root.querySelector(selector).replaceChildren(...inside);
  let pair = null;
  let answer = [names[0] === names[1] ? "Choose two different builds." : "The two builds have no scenario in common."];
  let drawn = [];
  try {
    pair = await loadPair(`${up}compare/`, file, [a.selectedIndex, b.selectedIndex]);
    if (pair) {
      answer = pair.answer.map(([look, text]) => (look ? element("b", { class: look }, text) : text));
      drawn = draw(pair, names);
    }
  } catch (error) {
    answer = [`The comparison could not be loaded. ${error.message}`];
  }
  if (mine !== choice) return;
  write(".answer", ...answer);
  write(".drawn", ...drawn);
  root.querySelector(".how").hidden = !pair;
  root.querySelector(".tools input")?.dispatchEvent(new Event("input"));
  if (!pair) return;
  const [from, to] = pair.reports;
  write(".how span", from === to ? to[1] : `${to[1]}; the other side is from another report, so whatever else changed shows too`);
  root.querySelector(".how a").href = `${up}${to[0]}/`;
}

/** Selects what the address says: `#a=CANDIDATE&b=BASELINE`, by the names of the options. Returns the names that are not there. */
export function readAddress() {
  const state = new URLSearchParams(location.hash.slice(1));
  const unknown = [];
  for (const [name, select] of Object.entries({ a, b })) {
    const wanted = state.get(name);
    const place = [...select.options].findIndex((option) => option.text === wanted);
    if (place >= 0) select.selectedIndex = place;
    else if (wanted) unknown.push(wanted);
  }
  return unknown;
}

/** Says which names of the address are not there. */
export function warn(unknown) {
  root.querySelector(".unknown-names")?.remove();
  if (!unknown.length) return;
  const text = `The address names ${unknown.join(" and ")}, which is not measured here. The comparison below is another.`;
  root.querySelector(".answer").before(element("p", { class: "note unknown-names", role: "alert" }, text));
}

/** A choice is a step back in the browser's history. */
export function writeAddress(others = {}) {
  history.pushState(null, "", `#${new URLSearchParams({ a: a.value, b: b.value, ...others })}`);
}
