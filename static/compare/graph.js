// The graph of a comparison: every change as a point with its interval on a logarithmic axis, sorted
// by size. Its figures are those of the table, and its text keeps its size at any width.

import { element } from "./table.js";
import { better, isCount, shown } from "./units.js";

/** In px: height of a row with a name of one line, position of that line and of the point below it in the row, height of a further
    line, height of the axis. Names are beside the points if there is room, else above them. */
const [ROW, NAME, POINT, LINE, AXIS] = [34, 12, 23, 15, 48];
/** Lines of a name: at most 36 characters, which fit in 288 px and left of a wide plot, broken at a space if possible. */
const NAME_LINES = /\S.{0,35}(?!\S)|\S{1,36}/gu;
const wide = matchMedia("(min-width: 48rem)");
wide.addEventListener("change", () => document.querySelectorAll(".plot").forEach(settle));
/** Maximum number of changes shown, the largest; the table has all. */
const MAX_ROWS = 40;
/** Factors for ticks on both sides, by importance, and their minimum distance: a label takes 36 px of 288 on the narrowest
    screens. */
const FACTORS = [1, 10, 2, 5, 1.5, 100, 20, 1.2, 1.1, 3, 1.05];
const APART = 0.13;
/** Minimum ratio of the sides of 1 to each other: on the narrowest screens a word with its arrow takes 62 px of 288. */
const ROOM = 0.24;
/** The style of a downloaded file. */
const STYLE = "svg{font:13px system-ui,sans-serif;fill:#1d2327;color:#57616a;background:#fff}line{stroke:currentColor}text{paint-order:stroke;stroke:#fff;stroke-width:3px}.grid{color:#d8dde1}circle{fill:currentColor}.faster,.less{color:#146331}.slower,.more{color:#9d2424}";

/** The words for worse and better of a unit. */
const sides = (unit) => (better(unit) === undefined ? "less more" : unit === "KiB" || isCount(unit) ? "more less" : "slower faster");

/**
 * The rows of a table with a change or with single figures, as ratios: above 1 is better, the best
 * first.
 */
export function points(rows) {
  const made = rows.flatMap(({ scenario, unit, judged }) => {
    if (!judged || ["none", "too-few"].includes(judged.verdict)) return [];
    const turned = (ratio) => (better(unit) === "lower" ? 1 / ratio : ratio);
    const value = turned(judged.ratio);
    if (!(value > 0 && Number.isFinite(value))) return [];
    const ends = judged.interval ? [turned(judged.interval.low), turned(judged.interval.high)] : [value, value];
    const [low, high] = [...ends].sort((a, b) => a - b);
    const text = judged.change + (judged.verdict === "untested" ? " *" : "");
    return [{ scenario, unit, sides: sides(unit), verdict: judged.verdict, value, low, high, text }];
  });
  const largest = [...made].sort((a, b) => Math.abs(Math.log(b.value)) - Math.abs(Math.log(a.value)));
  return largest.slice(0, MAX_ROWS).sort((a, b) => b.value - a.value);
}

/** A figure element for each pair of words. */
export function graphs(rows, reports) {
  const all = points(rows);
  const kinds = [...new Set(all.map((point) => point.sides))];
  return kinds.map((kind) => {
    const svg = draw(distinct(all.filter((point) => point.sides === kind)), kind.split(" "));
    const save = element("button", { type: "button" }, "Download SVG");
    save.addEventListener("click", () => download(svg));
    const data = reports.map(({ name }) => element("a", { href: `../${name}/data.json`, download: `${name}.json` }, `Data of ${name}`));
    return element("figure", { class: "ratios" }, svg, element("figcaption", {}, save, ...data.flatMap((link) => [" ", link])));
  });
}

/** Adds the unit to the names if there are several units: one scenario may be measured in many. */
function distinct(points) {
  const isOne = points.every(({ unit }) => unit === points[0].unit);
  return isOne ? points : points.map((point) => ({ ...point, scenario: `${point.scenario}, ${shown(point.unit)}` }));
}

function shape(name, attributes, ...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

function draw(points, [worse, improved]) {
  const [first, last] = extent(points);
  const share = (value) => 0.06 + (0.88 * (Math.log(value) - first)) / (last - first);
  const x = (value) => `${(share(value) * 100).toFixed(2)}%`;
  let bottom = 0;
  const rows = points.map((point) => {
    const top = bottom;
    const lines = point.scenario.match(NAME_LINES) ?? [];
    bottom += ROW + LINE * (lines.length - 1);
    return { point, top, lines };
  });
  const label = `${points.length} changes, from ${points[0].scenario}, ${points[0].text}, to ${points.at(-1).scenario}, ${points.at(-1).text}`;
  const svg = shape("svg", { width: "100%", height: bottom + AXIS, role: "img", "aria-label": label });
  const plot = settle(shape("svg", { class: "plot", height: bottom + AXIS, overflow: "visible" }));
  svg.append(plot);
  for (const { at, factor } of ticks(Math.exp(first), Math.exp(last), share)) {
    plot.append(
      shape("line", { class: at === 1 ? "axis" : "grid", x1: x(at), x2: x(at), y1: 0, y2: bottom }),
      shape("text", { x: x(at), y: bottom + 16, "text-anchor": "middle" }, `${factor}x`),
    );
  }
  plot.append(
    shape("text", { x: x(1), dx: -10, y: bottom + 38, "text-anchor": "end" }, `◂ ${worse}`),
    shape("text", { x: x(1), dx: 10, y: bottom + 38 }, `${improved} ▸`),
  );
  for (const { point, top, lines } of rows) {
    const spans = lines.map((line, index) => shape("tspan", { x: 0, y: top + NAME + index * LINE }, line));
    svg.append(shape("text", { class: "name" }, ...spans));
    plot.append(row(point, top + LINE * (lines.length - 1), x, share));
  }
  return svg;
}

/** The logarithms of the ends of the axis, with room for the words on both sides of 1. */
function extent(points) {
  const ends = points.flatMap(({ low, high }) => [low, high]).concat(0.9, 1.1).map(Math.log);
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  return [Math.min(first, -last * ROOM), Math.max(last, -first * ROOM)];
}

/** Places a plot beside its names, or below them. */
function settle(plot) {
  plot.setAttribute("x", wide.matches ? "42%" : "0");
  plot.setAttribute("width", wide.matches ? "58%" : "100%");
  return plot;
}

function row({ scenario, verdict, value, low, high, text }, top, x, share) {
  const y = top + POINT;
  // Right of the interval, or left of it if there is no room.
  const isRight = share(high) < 0.6;
  const beside = isRight ? { x: x(high), dx: 9 } : { x: x(low), dx: -9, "text-anchor": "end" };
  const cap = (end) => shape("line", { x1: x(end), x2: x(end), y1: y - 4, y2: y + 4 });
  return shape(
    "g",
    {},
    shape("title", {}, `${scenario}: ${text}, ratio ${low.toFixed(3)} to ${high.toFixed(3)}`),
    shape("g", { class: verdict }, shape("line", { x1: x(low), x2: x(high), y1: y, y2: y }), cap(low), cap(high), shape("circle", { cx: x(value), cy: y, r: 4.5 })),
    shape("text", { ...beside, y: y + 4 }, text),
  );
}

function ticks(low, high, share) {
  const found = [];
  for (const factor of FACTORS) {
    for (const at of [factor, 1 / factor]) {
      const isFree = found.every((other) => Math.abs(share(other.at) - share(at)) >= APART);
      if (at >= low && at <= high && isFree) found.push({ at, factor });
    }
  }
  return found;
}

function download(svg) {
  const copy = svg.cloneNode(true);
  copy.setAttribute("width", 720);
  copy.prepend(shape("style", {}, STYLE));
  const file = new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
  const link = element("a", { href: URL.createObjectURL(file), download: "changes.svg" });
  link.click();
  URL.revokeObjectURL(link.href);
}
