// Two builds of one machine: the verdicts on them that the generator wrote, the answer, and their dot plots. The front page
// and the comparison use it. `generator/src/site/verdicts.rs` writes the files, `dots.rs` draws the same plot.

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
  const [releases, since] = data.series[candidate];
  const series = releases.map((build) => figures(reports[1], build));
  const rows = verdicts.split(";").flatMap((text, place) => {
    if (!text) return [];
    const [label, unit, better, group, address] = data.rows[place];
    const history = series.map((all) => parseFloat((all[place]?.[0] ?? "").replaceAll(",", ""))).filter((value) => value > 0);
    const runs = [...new Set([old[place][1], own[place][1]])].join("+");
    const known = judged(text, better, group, isTurned);
    const evidence = [...known.evidence, `n\u00a0=\u00a0${runs}`].join(", ");
    return { ...known, place, label, unit, group, address, history, evidence, figures: [own[place][0], old[place][0]] };
  });
  return {
    rows,
    since,
    reports: reports.map((report) => data.reports[report]),
    glance: data.glance.flatMap((place) => rows.filter((row) => row.place === place)),
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

function shape(name, attributes, ...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

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

function labels({ share, ticks }) {
  const text = (tick) => (tick === 1 ? "equal" : `${Math.round(1000 * Math.max(tick, 1 / tick)) / 1000}x`);
  return ticks.map((tick) => shape("text", { x: percent(share(tick)), y: "70%" }, text(tick)));
}

function mark(row, { share, ticks }) {
  const at = (ratio) => percent(share(ratio));
  const [low, high] = row.interval ?? [row.ratio, row.ratio];
  const middle = { y1: "50%", y2: "50%" };
  const words = row.words.replace(" *", ", untested");
  const spoken = row.interval ? `${words}, interval ${low.toFixed(3)} to ${high.toFixed(3)}` : words;
  const beside = isLeft(row)
    ? { class: "left", x: at(Math.min(low, row.ratio)), dx: -12 }
    : { x: at(Math.max(high, row.ratio)), dx: 12 };
  return shape(
    "svg",
    { role: "img", "aria-label": spoken },
    ...ticks.map((tick) => shape("line", { ...(tick === 1 ? { class: "equal" } : {}), x1: at(tick), x2: at(tick), y2: "100%" })),
    shape("line", { class: "stem", x1: at(1), x2: at(row.ratio), ...middle }),
    ...(row.interval ? [shape("line", { class: "ci", x1: at(low), x2: at(high), ...middle })] : []),
    shape("circle", { cx: at(row.ratio), cy: "50%", r: 5.5 }),
    shape("text", { ...beside, y: "50%", dy: ".35em" }, row.words),
  );
}

const [WIDTH, HEIGHT, PAD, FULL] = [96, 22, 3, Math.log(1.5)];

function sparkline(values) {
  if (values.length < 2) return [];
  const logs = values.map(Math.log);
  const [low, high] = [Math.min(...logs), Math.max(...logs)];
  const span = Math.max(high - low, FULL);
  const round = (px) => Math.round(px * 10) / 10;
  const y = (log) => round(HEIGHT / 2 - ((log - (low + high) / 2) / span) * (HEIGHT - 2 * PAD));
  const step = (WIDTH - 2 * PAD) / (logs.length - 1);
  const x = (place) => round(PAD + place * step);
  const points = logs.map((log, place) => `${x(place)},${y(log)}`).join(" ");
  const end = shape("circle", { cx: x(logs.length - 1), cy: y(logs.at(-1)), r: 2.5 });
  return [shape("svg", { width: WIDTH, height: HEIGHT, "aria-hidden": "true" }, shape("polyline", { points }), end)];
}

/** Draws rows with the names of candidate and baseline; links lead to the scenarios below `up`. With `since`, the name of the
 *  releases, their figures end each row, and a gap parts rows of different work; else the evidence ends each row. */
export function plot(rows, names, up, since) {
  const axis = axisOf(rows);
  const hasHistory = since && rows.some(({ history }) => history.length > 1);
  const column = (attributes, ...inside) => element("th", { scope: "col", ...attributes }, ...inside);
  const sorted = (name) => column({}, element("button", { type: "button", class: "sort" }, name));
  const head = [
    since ? column({}, element("span", {}, "scenario")) : sorted("scenario"),
    column({ class: "strip" }, shape("svg", { role: "img", "aria-label": "ratio" }, ...labels(axis))),
    ...names.map((name) => (since ? column({}, name) : sorted(name))),
    ...(hasHistory ? [column({ class: "spark" }, since)] : []),
    ...(since ? [] : [column({ class: "evidence" }, "95% interval, p")]),
  ];
  const work = ({ label }) => label.split(",")[0];
  const lines = rows.map((row, place) => {
    const startsGroup = since && place > 0 && work(rows[place - 1]) !== work(row);
    const [ours, theirs] = row.figures;
    return element(
      "tr",
      { class: `${row.look}${startsGroup ? " group" : ""}` },
      element("th", { scope: "row" }, row.address ? element("a", { href: `${up}scenarios/${row.address}/` }, row.label) : row.label),
      element("td", { class: "strip" }, mark(row, axis)),
      element("td", { "data-of": names[0] }, ours),
      element("td", { "data-of": names[1] }, theirs, " ", element("i", {}, row.unit)),
      ...(hasHistory ? [element("td", { class: "spark" }, ...sparkline(row.history))] : []),
      ...(since ? [] : [element("td", { class: "evidence" }, row.evidence)]),
    );
  });
  const caption = element("caption", {}, names.join(" against "));
  return element("table", { class: "dots" }, caption, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...lines));
}

/** The parts of an answer: `+` starts a change for the better, `-` one for the worse. */
function sentences(parts) {
  const classes = { "+": "good", "-": "bad" };
  return parts.map((part) => (classes[part[0]] ? element("b", { class: classes[part[0]] }, part.slice(1)) : part));
}

export const root = document.querySelector("#pair");
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
