// Pictures by Matplotlib, which names the groups of its parts.

import { all, box, groups } from "./svg.mjs";

const UNITS = { K: 1e3, M: 1e6, "µs": 1e-6, ms: 1e-3, s: 1 };

/** `100K` and `1.62ms` as numbers, times in seconds. */
export function quantity(text) {
  const [, number, unit] = /^([\d.]+)(\D*)$/.exec(text.trim()) ?? [];
  if (!number || (unit && !UNITS[unit])) throw new Error(`no quantity: ${text}`);
  return Number(number) * (UNITS[unit] ?? 1);
}

/** Its plots, each with its parts, and what is written outside of them. */
export function read(svg) {
  const inside = all(svg, "g");
  const plots = groups(inside, "axes").map(plot);
  // Plots that share the axis below them have no labels of their own.
  for (const one of plots) {
    const below = plots.find((p) => p.x.length === one.x.length && p.x.every((t) => t.text));
    one.x = one.x.map((tick, i) => ({ ...tick, text: tick.text || below.x[i].text }));
  }
  return { plots, texts: all(svg, "text").map((t) => t.text) };
}

function plot(group) {
  const inside = all(group, "g");
  const at = (axis) => groups(inside, `${axis}tick`).map((g) => ({ place: Number(all(g, "use")[0].attributes[axis]), text: g.text.trim() }));
  // Without a label there are small ticks too.
  const ticks = (axis, labelled) => at(axis).filter((t) => t.text || !labelled);
  const x = at("x").some((t) => t.text) ? ticks("x", true) : ticks("x", false);
  return {
    x,
    y: ticks("y", true),
    title: group.children.flatMap((c) => (c.attributes.id?.startsWith("matplotlib") ? groups(c.children, "text") : [])).at(-1)?.text.trim(),
    lines: groups(group.children, "line2d").map(marked).filter((l) => l.points.length > 0),
    legend: groups(inside, "legend").flatMap(named),
    bars: groups(group.children, "patch").flatMap(bar),
    areas: groups(group.children, "PolyCollection").map((g) => box(all(g, "path")[0].attributes.d)),
    strokes: groups(group.children, "LineCollection").flatMap((g) => all(g, "path").map((p) => box(p.attributes.d))),
    tables: groups(inside, "table").map((t) => pairs(groups(t.children, "text").map((g) => g.text.trim()))),
  };
}

/** A line's markers, which are its points; the path between them leaves some out. */
function marked(group) {
  const uses = all(group, "use");
  return {
    color: color(uses[0]),
    points: uses.map((u) => [Number(u.attributes.x), Number(u.attributes.y)]),
    dashed: group.children.some((c) => c.attributes.style?.includes("dasharray")),
  };
}

/** Each name of a legend, with the colour of the marker before it. */
function named(legend) {
  const markers = groups(legend.children, "line2d").map((g) => color(all(g, "use")[0]));
  return groups(legend.children, "text").map((text, i) => ({ color: markers[i], name: text.text.trim() }));
}

const color = (use) => /stroke: (#\w+)/.exec(use?.attributes.style)?.[1];

/** A filled rectangle, unless it is the white of the plot itself. */
function bar(group) {
  const [{ attributes }] = all(group, "path");
  const fill = /fill: (#\w+)/.exec(attributes.style)?.[1];
  return fill && fill !== "#ffffff" ? [box(attributes.d)] : [];
}

const pairs = (texts) => Object.fromEntries(texts.map((t, i) => [t, texts[i + 1]]).filter((_, i) => i % 2 === 0));
