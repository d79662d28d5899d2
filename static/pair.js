// Two builds of one machine: the verdicts on them that the generator wrote, the answer, and their dot plots. The front page
// and the comparison use it. `generator/src/site/verdicts.rs` writes the files, `dots.rs` the first plot, of which others are copies.

import { element } from "./elements.js";

const WORDS = { f: "faster", s: "slower", l: "less", m: "more" };
const REVERSE = { f: "s", s: "f", l: "m", m: "l" };
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

/** Loads what is known of a candidate and a baseline, two places in the machine's list of builds; null without a common row. */
export async function loadPair(folder, file, [candidate, baseline]) {
  if (candidate === baseline) return null;
  const isTurned = candidate > baseline;
  const data = await load(folder, file);
  const pairs = await load(folder, `${file}.${Math.min(candidate, baseline)}`);
  const pair = pairs[Math.abs(candidate - baseline) - 1];
  if (!pair) return null;
  const [from, to, means, verdicts, ...answers] = pair;
  const reports = isTurned ? [to, from] : [from, to];
  const figures = (report, build) => data.figures[report][build].split(";").map((text) => text.split("|"));
  const [old, own] = [figures(reports[0], baseline), figures(reports[1], candidate)];
  const sparks = data.sparks[candidate].split(";");
  const rows = verdicts.split(";").flatMap((text, place) => {
    if (!text) return [];
    const [label, unit, better, group, address] = data.rows[place];
    const runs = [...new Set([old[place][1], own[place][1]])].join("+");
    const known = judged(text, better, group, isTurned);
    const evidence = [...known.evidence, `n\u00a0=\u00a0${runs}`].join(", ");
    return { ...known, place, label, unit, group, address, evidence, figures: [own[place][0], old[place][0]] };
  });
  return {
    rows,
    since: data.since[candidate],
    reports: reports.map((report) => data.reports[report]),
    glance: data.glance.flatMap((place, nth) => rows.filter((row) => row.place === place).map((row) => ({ ...row, spark: sparks[nth] }))),
    means: means.map(([group, unit, n, change]) => ({ group, text: `${judged(change, 1, group, isTurned).change} over ${n} scenarios in ${unit}` })),
    answer: answers[isTurned ? 1 : 0],
  };
}

const rounded = (ratio) => Math.round(ratio * 1000) / 1000;

/** Reads a verdict such as `f1.54|1.512|1.571`, from the other side if it `isTurned`. A ratio above 1 is better. */
function judged(text, better, group, isTurned) {
  const [size, low, high, p] = text.split("|");
  const isUntested = size[0] === "u";
  const letter = size[isUntested ? 1 : 0];
  const word = isTurned ? (REVERSE[letter] ?? letter) : letter;
  const sizes = size.slice(isUntested ? 2 : 1).split("/");
  const shown = isTurned ? sizes.at(-1) : sizes[0];
  const number = shown === "∞%" ? Infinity : parseFloat(shown);
  const isRate = group === "speed" || group === "latency";
  const change = !WORDS[letter] ? "no change" : number === Infinity ? `${WORDS[word]} (was 0)` : `${shown}${isRate ? "x" : ""} ${WORDS[word]}`;
  const none = { n: isRate ? "as fast" : "no change", t: "too few runs", y: "unsteady" }[letter];
  const upwards = (ratio) => (better < 0 ? 1 / ratio : ratio);
  const range = low ? (isTurned ? [high, low].map((end) => rounded(1 / end)) : [low, high].map(Number)) : null;
  const ratio = {
    f: () => number,
    s: () => 1 / number,
    l: () => upwards(1 - number / 100),
    m: () => upwards(1 + number / 100),
  }[word] ?? (() => upwards(isTurned ? rounded(1 / number) : number));
  const tested = p ?? (range && WORDS[letter] ? "<0.001" : "");
  return {
    change,
    verdict: isUntested ? "u" : word,
    words: none ?? (isUntested ? `${change} *` : change),
    ratio: ratio(),
    interval: range && range.map(upwards).sort((one, other) => one - other),
    look: isUntested || "ty".includes(letter) ? "unknown" : letter === "n" || better === 0 ? "even" : ratio() > 1 ? "good" : "bad",
    evidence: [
      ...(range ? [range.map((end) => end.toFixed(3)).join("–")] : []),
      ...(tested ? [tested[0] === "<" ? "p\u00a0<\u00a00.001" : `p\u00a0=\u00a0${tested.replace(/^\./, "0.")}`] : []),
    ],
  };
}

const FACTORS = [1, 2, 4, 10, 1.5, 1.2, 3, 1.1, 20, 1.05, 100, 50, 1000];
const [APART, ROOM, MARGIN, LEAST] = [0.12, 0.3, 0.05, Math.log(1.1)];
const percent = (share) => `${Math.round(share * 1e4) / 100}%`;
const isLeft = ({ ratio, look }) => ratio < 1 && look !== "even";

/** The logarithmic axis of rows: the place of a ratio as a share of the width, and the ticks. */
function axisOf(rows) {
  const ends = rows.flatMap(({ ratio, interval }) => interval ?? [ratio]).filter((end) => end > 0 && end < Infinity).map(Math.log);
  const hasLeft = rows.some(isLeft);
  const first = Math.min(0, ...ends, hasLeft ? -LEAST : -LEAST / 4);
  const last = Math.max(0, ...ends, LEAST);
  const left = hasLeft ? ROOM : MARGIN;
  const share = (ratio) => left + (1 - left - ROOM) * Math.min(Math.max((Math.log(ratio) - first) / (last - first), 0), 1);
  const ticks = [];
  for (const ratio of FACTORS.flatMap((factor) => [factor, 1 / factor])) {
    const isInside = Math.log(ratio) >= first && Math.log(ratio) <= last;
    if (isInside && ticks.every((other) => Math.abs(share(other) - share(ratio)) >= APART)) ticks.push(ratio);
  }
  return { share, ticks };
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

function drawMark(svg, row, { share, ticks }) {
  const at = (ratio) => percent(share(ratio));
  const [low, high] = row.interval ?? [row.ratio, row.ratio];
  const words = row.words.replace(" *", ", untested");
  put(svg, { "aria-label": row.interval ? `${words}, interval ${low.toFixed(3)} to ${high.toFixed(3)}` : words });
  repeat(svg.querySelectorAll("line:not(.stem, .ci)"), ticks, (line, tick) => put(line, { x1: at(tick), x2: at(tick), class: tick === 1 ? "equal" : "" }));
  put(svg.querySelector(".stem"), { x1: at(1), x2: at(row.ratio) });
  put(svg.querySelector(".ci"), { x1: at(low), x2: at(high) });
  put(svg.querySelector("circle"), { cx: at(row.ratio) });
  const text = svg.querySelector("text");
  put(text, isLeft(row) ? { x: at(Math.min(low, row.ratio)), dx: -12, class: "left" } : { x: at(Math.max(high, row.ratio)), dx: 12, class: "" });
  text.textContent = row.words;
}

function drawSpark(svg, points) {
  const [cx, cy] = (points || "0,0").split(" ").at(-1).split(",");
  svg.querySelector("polyline").setAttribute("points", points);
  put(svg.querySelector("circle"), { cx, cy, r: points ? 5 : 0 });
}

/** Draws rows with the names of candidate and baseline; links lead to the scenarios below `up`. With `since`, the name of the
 *  releases, sparklines end each row, and a gap parts rows of different work; else the evidence ends each row. */
export function plot(rows, names, up, since) {
  const axis = axisOf(rows);
  const table = written.cloneNode(true);
  const [scenario, strip, ...columns] = table.tHead.rows[0].cells;
  table.caption.textContent = names.join(" against ");
  repeat(strip.querySelectorAll("text"), axis.ticks, (text, tick) => {
    put(text, { x: percent(axis.share(tick)) });
    text.textContent = tick === 1 ? "equal" : `${Math.round(1000 * Math.max(tick, 1 / tick)) / 1000}x`;
  });
  names.forEach((name, side) => (columns[side].textContent = name));
  if (since) columns[2].textContent = since;
  else for (const head of [scenario, columns[0], columns[1]]) head.replaceChildren(element("button", { type: "button", class: "sort" }, head.textContent));
  const work = ({ label }) => label.split(",")[0];
  repeat(table.tBodies[0].rows, rows, (line, row, place) => {
    const startsGroup = since && place > 0 && work(rows[place - 1]) !== work(row);
    const [label, mark, ours, theirs, last] = line.cells;
    line.className = `${row.look}${startsGroup ? " group" : ""}`;
    label.replaceChildren(row.address ? element("a", { href: `${up}scenarios/${row.address}/` }, row.label) : row.label);
    drawMark(mark.firstChild, row, axis);
    [ours, theirs].forEach((cell, side) => put(cell, { "data-of": names[side] }));
    ours.textContent = row.figures[0];
    theirs.replaceChildren(row.figures[1], " ", element("i", {}, row.unit));
    if (since) drawSpark(last.firstChild, row.spark);
    else last.textContent = row.evidence;
  });
  return table;
}

/** The parts of an answer: `+` starts a change for the better, `-` one for the worse. */
function sentences(parts) {
  const classes = { "+": "good", "-": "bad" };
  return parts.map((part) => (classes[part[0]] ? element("b", { class: classes[part[0]] }, part.slice(1)) : part));
}

export const root = document.querySelector("#pair");
/** The plot of the first pair. */
const written = root?.querySelector(".dots").cloneNode(true);
export const [a, b] = ["a", "b"].map((name) => root?.querySelector(`[name="${name}"]`));
/** Raised by each choice, so that late answers are not shown. */
let turn = 0;

/** Shows the chosen builds: the answer, where it is from, and what `draw` makes of the verdicts. */
export async function show(up, file, draw) {
  turn += 1;
  const mine = turn;
  const names = [a.value, b.value];
  const write = (selector, ...inside) => root.querySelector(selector).replaceChildren(...inside);
  let pair = null;
  let answer = [names[0] === names[1] ? "Choose two different builds." : "The two builds have no scenario in common."];
  let drawn = [];
  try {
    pair = await loadPair(`${up}compare/`, file, [a.selectedIndex, b.selectedIndex]);
    if (pair) [answer, drawn] = [sentences(pair.answer), await draw(pair, names)];
  } catch (error) {
    answer = [`The verdicts could not be loaded. ${error.message}`];
  }
  if (mine !== turn) return;
  write(".answer", ...answer);
  write(".drawn", ...drawn);
  root.querySelector(".how").hidden = !pair;
  root.querySelector(".tools input")?.dispatchEvent(new Event("input"));
  if (!pair) return;
  const [from, to] = pair.reports;
  write(".how span", from === to ? to[1] : `${to[1]}; the other side is from another report, so whatever else changed shows too`);
  root.querySelector(".how a").href = `${up}${to[0]}/`;
}

/** Selects what the address says: `#a=CANDIDATE&b=BASELINE`, by the names of the options. Returns whether it says anything. */
export function readAddress() {
  const state = new URLSearchParams(location.hash.slice(1));
  const found = Object.entries({ a, b }).map(([name, select]) => {
    const place = [...select.options].findIndex((option) => option.text === state.get(name));
    if (place >= 0) select.selectedIndex = place;
    return place >= 0;
  });
  return found.includes(true);
}

export function writeAddress(others = {}) {
  history.replaceState(null, "", `#${new URLSearchParams({ a: a.value, b: b.value, ...others })}`);
}
