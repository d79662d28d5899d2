// Two builds of one machine: the verdicts on them that the generator wrote, and their dot plot. The front page and the
// comparison use it. `generator/src/site/verdicts.rs` and `dots.rs` write the files and draw the same plot.

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
  const data = await load(folder, file);
  const isTurned = candidate > baseline;
  const first = Math.min(candidate, baseline);
  const pair = candidate === baseline ? null : (await load(folder, `${file}.${first}`))[Math.abs(candidate - baseline) - 1];
  if (!pair) return null;
  const [from, to, means, verdicts, ...answers] = pair;
  const reports = isTurned ? [to, from] : [from, to];
  const figures = (report, build) => data.figures[report][build].split(";").map((text) => text.split("|"));
  const [old, own_] = [figures(reports[0], baseline), figures(reports[1], candidate)];
  const releases = data.series[candidate][0].map((build) => figures(reports[1], build));
  const rows = verdicts.split(";").flatMap((text, place) => {
    if (!text) return [];
    const [label, unit, better, group, address] = data.rows[place];
    const history = releases.map((all) => parseFloat((all[place]?.[0] ?? "").replaceAll(",", ""))).filter((value) => value > 0);
    return { place, label, unit, group, address, history, sides: [own_[place], old[place]], ...judged(text, better, group, isTurned) };
  });
  return {
    rows,
    reports: reports.map((report) => data.reports[report]),
    glance: data.glance.flatMap((place) => rows.filter((row) => row.place === place)),
    means: means.map(([group, unit, n, change]) => ({ group, unit, n, words: judged(change, 1, group, isTurned).change })),
    answer: answers[isTurned ? 1 : 0],
    since: data.series[candidate][1],
  };
}

const rounded = (ratio) => Math.round(ratio * 1000) / 1000;

/** Reads a verdict such as `f1.54|1.512|1.571`, from the other side if it `isTurned`. A ratio above 1 is better. */
function judged(text, better, group, isTurned) {
  const [change, ...ends] = text.split("|");
  const isUntested = change[0] === "u";
  const [letter, ...sizes] = [change.slice(isUntested ? 1 : 0)].flatMap((own) => [own[0], ...own.slice(1).split("/")]);
  const word = isTurned ? REVERSE[letter] : letter;
  const size = (isTurned && sizes[1]) || sizes[0];
  const number = size === "∞" ? Infinity : parseFloat(size);
  let ratio;
  if (!WORDS[letter]) ratio = isTurned ? rounded(1 / number) : number;
  else if ("fs".includes(word)) ratio = (word === "f") === (better >= 0) ? number : 1 / number;
  else ratio = word === "l" ? 1 - number / 100 : 1 + number / 100;
  const turned = (value) => (better < 0 ? 1 / value : value);
  let known = ends[0] ? ends.slice(0, 2).map(Number) : null;
  if (known && isTurned) known = [rounded(1 / known[1]), rounded(1 / known[0])];
  const isRate = group === "speed" || group === "latency";
  const suffix = isRate ? "x" : "";
  const shown = WORDS[letter] ? (number === Infinity ? `${WORDS[word]} (was 0)` : `${size}${suffix} ${WORDS[word]}`) : "no change";
  const words = { n: isRate ? "as fast" : "no change", t: "too few runs", y: "too unsteady to rank" }[letter] ?? shown;
  const p = ends[2] ?? (known && WORDS[letter] ? "<0.001" : "");
  return {
    isRate,
    verdict: isUntested ? "u" : (WORDS[letter] && word) || letter,
    change: shown,
    words: isUntested ? `${shown} *` : words,
    ratio: turned(ratio),
    interval: known && known.map(turned).sort((a, b) => a - b),
    range: known,
    p: p.startsWith(".") ? `0${p}` : p,
    look: look(isUntested ? "u" : letter, better, turned(ratio)),
  };
}

function look(letter, better, ratio) {
  if ("uty".includes(letter)) return "unknown";
  if (letter === "n" || better === 0) return "even";
  return ratio > 1 ? "good" : "bad";
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

/** Draws rows with the names of candidate and baseline; links lead to the scenarios below `up`. */
export function plot(rows, names, since, up) {
  const axis = axisOf(rows);
  const hasHistory = since && rows.some(({ history }) => history.length > 1);
  const column = (...inside) => element("th", { scope: "col" }, ...inside);
  const head = [
    column(element("span", {}, "scenario")),
    element("th", { scope: "col", class: "strip" }, shape("svg", { role: "img", "aria-label": "ratio" }, ...labels(axis))),
    ...names.map((name) => column(name)),
    ...(hasHistory ? [element("th", { scope: "col", class: "spark" }, since)] : []),
  ];
  const groups = rows.map(({ label }) => label.split(",")[0]);
  const lines = rows.map((row, place) => {
    const isNew = since && place > 0 && groups[place] !== groups[place - 1];
    const label = row.address ? element("a", { href: `${up}scenarios/${row.address}/` }, row.label) : row.label;
    const [ours, theirs] = row.sides.map((side) => side?.[0] ?? "");
    return element(
      "tr",
      { class: `${row.look}${isNew ? " group" : ""}` },
      element("th", { scope: "row" }, label),
      element("td", { class: "strip" }, mark(row, axis)),
      element("td", { "data-of": names[0] }, ours),
      element("td", { "data-of": names[1] }, theirs, " ", element("i", {}, row.unit)),
      ...(hasHistory ? [element("td", { class: "spark" }, ...sparkline(row.history))] : []),
    );
  });
  const caption = element("caption", {}, `${names[0]} against ${names[1]}`);
  return element("table", { class: "dots" }, caption, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...lines));
}

/** Shows the parts of an answer: `+` starts a change for the better, `-` one for the worse. */
export function sentences(parts) {
  const classes = { "+": "good", "-": "bad" };
  return parts.map((part) => (classes[part[0]] ? element("b", { class: classes[part[0]] }, part.slice(1)) : part));
}

/** Selects what the address says: `#a=CANDIDATE&b=BASELINE`, by the names of the options. Returns whether it says anything. */
export function readAddress(selects) {
  const state = new URLSearchParams(location.hash.slice(1));
  const found = Object.entries(selects).map(([name, select]) => {
    const place = [...select.options].findIndex((option) => option.text === state.get(name));
    if (place >= 0) select.selectedIndex = place;
    return place >= 0;
  });
  return found.includes(true);
}

export function writeAddress(selects, others = {}) {
  const chosen = Object.entries(selects).map(([name, select]) => [name, select.value]);
  const state = new URLSearchParams([...chosen, ...Object.entries(others).filter(([, value]) => value)]);
  history.replaceState(null, "", `#${state}`);
  return state;
}
