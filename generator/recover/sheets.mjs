// Bar charts by Google Sheets: bars on whole pixels, and all text as outlines of its letters. Each bar carries its
// figure, so the figures are read letter by letter; the bars, measured on the axis, say whether they were read well.

import { calibrate } from "./axis.mjs";
import { all, box, points } from "./svg.mjs";

/** The commands of a letter's outlines, `L7` for seven lines, in the fonts of the axis and of the bars. */
const LETTERS = {
  MQ12MQ8: "0", ML2Q2L1Q2L2: "1", ML2Q9L1Q9L1: "2", ML1Q8L6Q7: "5", ML3Q3L1Q3L1: "7",
  MQ4L1Q4L1MQ4L1Q4L1: "0", ML3Q6L1Q5L3: "2", ML1Q5L1Q12L1Q6L2: "3", ML11ML4: "4", ML5Q7L1Q7L2: "5",
  ML2Q9L1Q2L1MQ2L1Q6: "6", MQ16MQ8MQ8: "8", MQ10L1Q2L3Q2MQ2L1Q6: "9", MQ8: ".",
};

/** Bars from top to bottom by their colours: `{color, figure, off}`, `off` the px from the bar's end to its figure's. */
export function read(svg) {
  const paths = all(svg, "path").map((p) => p.attributes);
  const grid = paths.filter((p) => p.stroke && !p["clip-path"] && /^M[\d.]+ [\d.]+L[\d.]+ [\d.]+$/.test(p.d));
  const labels = paths.filter((p) => p.fill && p.d.includes("Q")).map((p) => ({ text: text(p.d), box: box(p.d) }));
  const numbers = labels.filter((l) => /^[\d.]+$/.test(l.text));
  const below = Math.max(...grid.map((g) => box(g.d).bottom));
  const scale = numbers.filter((n) => n.box.top > below).sort((a, b) => a.box.left - b.box.left);
  const places = grid.map((g) => box(g.d).left).sort((a, b) => a - b);
  const axis = calibrate(places.map((place, i) => ({ place, value: Number(scale[i].text) })), "linear");
  const bars = paths.filter((p) => p["clip-path"] && p.fill).map((p) => ({ color: p.fill, ...box(p.d) }));
  const measured = bars.map((bar) => {
    const inside = numbers.filter(({ box: b }) => b.left > bar.left && b.right < bar.right && b.top > bar.top && b.bottom < bar.bottom);
    if (inside.length !== 1) throw new Error(`a bar has ${inside.length} figures`);
    const figure = Number(inside[0].text);
    return { color: bar.color, top: bar.top, figure, off: Math.abs(bar.right - axis.place(figure)) };
  });
  return { axis, bars: measured.sort((a, b) => a.top - b.top) };
}

/** What outlines spell: a `?` for each letter that is no digit. */
function text(d) {
  const letters = [];
  for (const outline of d.split("Z").filter(Boolean)) {
    const { left, right } = box(outline);
    const over = letters.find((l) => left < l.right && right > l.left);
    if (over) {
      over.commands += commands(outline);
      [over.left, over.right] = [Math.min(left, over.left), Math.max(right, over.right)];
    } else {
      letters.push({ commands: commands(outline), left, right, first: points(outline) });
    }
  }
  return letters.map(letter).join("");
}

const commands = (outline) => outline.replace(/[^MLQ]/g, "").replace(/([LQ])\1*/g, (run, c) => c + run.length);

/** A 1 and a 7 are seven lines both; a 1 is half as wide. */
function letter({ commands, left, right }) {
  if (commands === "ML7") return right - left < 4.5 ? "1" : "7";
  return LETTERS[commands] ?? "?";
}
