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

/** Shares of the width beside the axis of a plot: for words, or without them. */
const [ROOM, MARGIN] = [30, 5];

/** Loads what is shown of a candidate and a baseline, two places in the machine's list of builds; null without a common row. */
async function loadPair(folder, file, [candidate, baseline]) {
  if (candidate === baseline) return null;
  const direction = candidate > baseline ? 1 : 0;
  const data = await load(folder, file);
  const { texts, pairs } = await load(folder, `${file}.${Math.min(candidate, baseline)}`);
  const pair = pairs[Math.abs(candidate - baseline) - 1];
  if (!pair) return null;
  const [places, answers, headlines, groups] = pair;
  const reports = direction ? [...places].reverse() : places;
  const figures = (report, build) => data.figures[report][build].split(";");
  const [old, own] = [figures(reports[0], baseline), figures(reports[1], candidate)];
  const numbers = new Map(groups.flatMap(([, , , [, , marks]]) => marks.map(([place, , , , ...rest]) => [place, rest])));
  /** A plot: equal and ticks in percent of the width, and rows with their label, page, figures and marks. */
  const plotOf = ([equal, ticks, marks]) => {
    const known = marks.map((mark) => {
      const [[looks, rest], words, interval] = numbers.get(mark[0]).map((number) => texts[number]);
      const [look, isLeft] = looks[direction];
      const own = Array.isArray(interval) ? interval[direction] : interval;
      return [mark, [look, words[direction], isLeft], own + rest];
    });
    const left = known.some(([, [, , isLeft]]) => isLeft) ? ROOM : MARGIN;
    const at = (place) => Math.round(left * 100 + ((100 - left - ROOM) * (direction ? 1000 - place : place)) / 10) / 100;
    const rows = known.map(([[place, x, before, after], [look, words, isLeft], evidence]) => {
      const [label, unit, address, name] = data.rows[place];
      const [low, high] = [at(x - before), at(x + after)].sort((one, other) => one - other);
      return { label, name, unit, address, look, words, isLeft, x: at(x), low, high, evidence, figures: [own[place], old[place]] };
    });
    return { equal: at(equal), ticks: ticks.map(([place, text]) => [at(place), text]), rows: direction ? rows.reverse() : rows };
  };
  // Headline rows keep their order in both directions.
  const first = plotOf(headlines);
  if (direction) first.rows.reverse();
  return {
    answer: answers[direction].map((number) => texts[number]),
    reports: reports.map((report) => data.reports[report]),
    headlines: first,
    groups: groups.map(([title, numbers, means, marks]) => ({
      title,
      numbers: numbers[direction],
      means: means.map(([words, over]) => `${texts[words][direction]} ${texts[over]}`).join("; "),
      marks: plotOf(marks),
    })),
  };
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

function drawMark(svg, row, { equal, ticks }) {
  const { x, low, high, isLeft, words, evidence } = row;
  put(svg, { "aria-label": `${words}, ${evidence}` });
  repeat(svg.querySelectorAll("line:not(.stem, .ci)"), ticks, (line, [at, text]) =>
    put(line, { x1: `${at}%`, x2: `${at}%`, class: text === "equal" ? "equal" : "" }),
  );
  put(svg.querySelector(".stem"), { x1: `${equal}%`, x2: `${x}%` });
  put(svg.querySelector(".ci"), { x1: `${low}%`, x2: `${high}%` });
  put(svg.querySelector("circle"), { cx: `${x}%` });
  const text = svg.querySelector("text");
  put(text, isLeft ? { x: `${low}%`, dx: -12, class: "left" } : { x: `${high}%`, dx: 12, class: "" });
  text.textContent = words;
}

/** Draws a plot with the names of candidate and baseline; links lead to the scenarios below `up`. With `grouped`, a gap parts rows
 *  of different work; else the evidence ends each row. */
export function plot(marks, names, up, grouped) {
  const table = written.cloneNode(true);
  const [scenario, strip, ...columns] = table.tHead.rows[0].cells;
  table.caption.textContent = names.join(" against ");
  repeat(strip.querySelectorAll("text"), marks.ticks, (text, [at, label]) => {
    put(text, { x: `${at}%` });
    text.textContent = label;
  });
  names.forEach((name, side) => (columns[side].textContent = name));
  if (!grouped) for (const head of [scenario, columns[0], columns[1]]) head.replaceChildren(element("button", { type: "button", class: "sort" }, head.textContent));
  const work = ({ label }) => label.split(",")[0];
  repeat(table.tBodies[0].rows, marks.rows, (line, row, place) => {
    const startsGroup = grouped && place > 0 && work(marks.rows[place - 1]) !== work(row);
    const [label, mark, ours, theirs, last] = line.cells;
    line.className = `${row.look}${startsGroup ? " group" : ""}`;
    line.dataset.of = row.label;
    label.replaceChildren(row.address ? element("a", { href: `${up}${row.address}` }, row.name) : row.name);
    drawMark(mark.firstChild, row, marks);
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
