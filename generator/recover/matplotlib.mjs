// Reads graphs drawn by Matplotlib, which gives each group of elements an `id`.

import { all, box, groups } from "./svg.mjs";

const UNITS = { K: 1e3, M: 1e6, "µs": 1e-6, ms: 1e-3, s: 1 };

/** Parses a quantity such as `100K` or `1.62ms`; times are in seconds. */
export function quantity(text) {
  const [, number, unit] = /^([\d.]+)(\D*)$/.exec(text.trim()) ?? [];
  if (!number || (unit && !UNITS[unit])) throw new Error(`not a quantity: ${text}`);
  return Number(number) * (UNITS[unit] ?? 1);
}

/** Returns the plots of a graph with their elements, and the text outside the plots. */
export function read(svg) {
  const inside = all(svg, "g");
  const plots = groups(inside, "axes").map(plot);
  // Plots stacked on a shared axis take the labels of the one below.
  for (const one of plots) {
    const below = plots.find((p) => p.x.length === one.x.length && p.x.every((t) => t.text));
    one.x = one.x.map((tick, i) => ({ ...tick, text: tick.text || below.x[i].text }));
  }
  return { plots, texts: all(svg, "text").map((t) => t.text) };
}

function plot(group) {
  const inside = all(group, "g");
  const at = (axis) => groups(inside, `${axis}tick`).map((g) => ({ position: Number(all(g, "use")[0].attributes[axis]), text: g.text.trim() }));
  const labelled = (axis) => at(axis).filter((t) => t.text);
  // A labelled axis may have minor ticks without labels; a shared one has no labels at all.
  const x = at("x").some((t) => t.text) ? labelled("x") : at("x");
  return {
    x,
    y: labelled("y"),
    title: group.children.flatMap((c) => (c.attributes.id?.startsWith("matplotlib") ? groups(c.children, "text") : [])).at(-1)?.text.trim(),
    lines: groups(group.children, "line2d").map(markedLine).filter((l) => l.points.length > 0),
    legend: groups(inside, "legend").flatMap(legendEntries),
    bars: groups(group.children, "patch").flatMap(bar),
    areas: groups(group.children, "PolyCollection").map((g) => box(all(g, "path")[0].attributes.d)),
    strokes: groups(group.children, "LineCollection").flatMap((g) => all(g, "path").map((p) => box(p.attributes.d))),
    tables: groups(inside, "table").map((t) => pairs(groups(t.children, "text").map((g) => g.text.trim()))),
  };
}

/** Returns a line's points, from its markers: its path omits some of them. */
function markedLine(group) {
  const uses = all(group, "use");
  return {
    color: color(uses[0]),
    points: uses.map((u) => [Number(u.attributes.x), Number(u.attributes.y)]),
    dashed: group.children.some((c) => c.attributes.style?.includes("dasharray")),
  };
}

/** Returns each name of a legend with the colour of its marker. */
function legendEntries(legend) {
  const markers = groups(legend.children, "line2d").map((g) => color(all(g, "use")[0]));
  return groups(legend.children, "text").map((text, i) => ({ color: markers[i], name: text.text.trim() }));
}

const color = (use) => /stroke: (#\w+)/.exec(use?.attributes.style)?.[1];

/** Returns the box of a filled rectangle, except for the white background of the plot. */
function bar(group) {
  const [{ attributes }] = all(group, "path");
  const fill = /fill: (#\w+)/.exec(attributes.style)?.[1];
  return fill && fill !== "#ffffff" ? [box(attributes.d)] : [];
}

const pairs = (texts) => Object.fromEntries(texts.map((t, i) => [t, texts[i + 1]]).filter((_, i) => i % 2 === 0));
