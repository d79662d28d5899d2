// The plot of a comparison: the largest changes as points with their intervals on a logarithmic axis, sorted by size. Its text
// keeps its size at any width.

/** In px: height of a row with a name of one line, position of that line and of the point below it in the row, height of a further
    line, height of the axis. Names are beside the points if there is room, else above them. */
const [ROW, NAME, POINT, LINE, AXIS] = [34, 12, 23, 15, 48];
/** Lines of a name: at most 36 characters, which fit in 288 px and left of a wide plot, broken at a space if possible. */
const NAME_LINES = /\S.{0,35}(?!\S)|\S{1,36}/gu;
const wide = matchMedia("(min-width: 48rem)");
wide.addEventListener("change", () => document.querySelectorAll(".plot").forEach(settle));
/** Maximum number of changes shown, the largest; the table has all. */
const MAX_ROWS = 24;
/** Factors for ticks on both sides, by importance, and their minimum distance: a label takes 36 px of 288 on the narrowest
    screens. */
const FACTORS = [1, 10, 2, 5, 1.5, 100, 20, 1.2, 1.1, 3, 1.05];
const APART = 0.13;
/** Minimum ratio of the sides of 1 to each other: on the narrowest screens a word with its arrow takes 62 px of 288. */
const ROOM = 0.24;

function shape(name, attributes, ...inside) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

/** Draws rows with a ratio, the ends of its interval, and a text. */
export function plot(all) {
  const size = ({ ratio }) => Math.abs(Math.log(ratio));
  const points = [...all].sort((a, b) => size(b) - size(a)).slice(0, MAX_ROWS).sort((a, b) => b.ratio - a.ratio);
  const [worse, improved] = points.some(({ direction }) => "fs".includes(direction)) ? ["slower", "faster"] : ["less", "more"];
  const [first, last] = extent(points);
  const share = (value) => 0.06 + (0.88 * (Math.log(value) - first)) / (last - first);
  const x = (value) => `${(share(value) * 100).toFixed(2)}%`;
  let bottom = 0;
  const rows = points.map((point) => {
    const top = bottom;
    const lines = point.label.match(NAME_LINES) ?? [];
    bottom += ROW + LINE * (lines.length - 1);
    return { point, top, lines };
  });
  const [best, worst] = [points[0], points.at(-1)];
  const label = `${points.length} changes, from ${best.label}, ${best.text}, to ${worst.label}, ${worst.text}`;
  const svg = shape("svg", { width: "100%", height: bottom + AXIS, role: "img", "aria-label": label });
  const area = settle(shape("svg", { class: "plot", height: bottom + AXIS, overflow: "visible" }));
  svg.append(area);
  for (const { at, factor } of ticks(Math.exp(first), Math.exp(last), share)) {
    area.append(
      shape("line", { class: at === 1 ? "axis" : "grid", x1: x(at), x2: x(at), y1: 0, y2: bottom }),
      shape("text", { x: x(at), y: bottom + 16, "text-anchor": "middle" }, at === 1 ? "equal" : `${factor}x`),
    );
  }
  area.append(
    shape("text", { x: x(1), dx: -10, y: bottom + 38, "text-anchor": "end" }, `◂ ${worse}`),
    shape("text", { x: x(1), dx: 10, y: bottom + 38 }, `${improved} ▸`),
  );
  for (const { point, top, lines } of rows) {
    const spans = lines.map((line, index) => shape("tspan", { x: 0, y: top + NAME + index * LINE }, line));
    svg.append(shape("text", { class: "name" }, ...spans));
    area.append(row(point, top + LINE * (lines.length - 1), x, share));
  }
  const figure = document.createElement("figure");
  figure.className = "ratios";
  figure.append(svg);
  if (all.length > MAX_ROWS) {
    const caption = document.createElement("figcaption");
    caption.textContent = `The ${MAX_ROWS} largest of ${all.length} changes.`;
    figure.append(caption);
  }
  return figure;
}

/** The logarithms of the ends of the axis, with room for the words on both sides of 1. */
function extent(points) {
  const ends = points.flatMap(({ ends }) => ends).concat(0.9, 1.1).map(Math.log);
  const [first, last] = [Math.min(...ends), Math.max(...ends)];
  return [Math.min(first, -last * ROOM), Math.max(last, -first * ROOM)];
}

/** Places a plot beside its names, or below them. */
function settle(area) {
  area.setAttribute("x", wide.matches ? "42%" : "0");
  area.setAttribute("width", wide.matches ? "58%" : "100%");
  return area;
}

function row({ label, direction, ratio, ends: [low, high], text }, top, x, share) {
  const y = top + POINT;
  // Right of the interval, or left of it if there is no room.
  const isRight = share(high) < 0.6;
  const beside = isRight ? { x: x(high), dx: 9 } : { x: x(low), dx: -9, "text-anchor": "end" };
  const cap = (end) => shape("line", { x1: x(end), x2: x(end), y1: y - 4, y2: y + 4 });
  const colour = { f: "faster", s: "slower", l: "less", m: "more" }[direction];
  const bar = shape("g", { class: colour }, shape("line", { x1: x(low), x2: x(high), y1: y, y2: y }), cap(low), cap(high), shape("circle", { cx: x(ratio), cy: y, r: 4.5 }));
  return shape("g", {}, shape("title", {}, `${label}: ${text}`), bar, shape("text", { ...beside, y: y + 4 }, text));
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
