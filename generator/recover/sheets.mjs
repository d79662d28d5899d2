// Reads bar charts drawn by Google Sheets: the bars are rounded to whole pixels and text consists of outlined glyphs.
// Each bar is labelled with its figure, which is read glyph by glyph and checked against the length of the bar.

import { calibrate } from "./axis.mjs";
import { all, box } from "./svg.mjs";

/** Characters by the path commands of their outlines (`L7`: seven lines), in the fonts of the axis and of the bars. */
const GLYPHS = {
  MQ12MQ8: "0", ML2Q2L1Q2L2: "1", ML2Q9L1Q9L1: "2", ML1Q8L6Q7: "5", ML3Q3L1Q3L1: "7",
  MQ4L1Q4L1MQ4L1Q4L1: "0", ML3Q6L1Q5L3: "2", ML1Q5L1Q12L1Q6L2: "3", ML11ML4: "4", ML5Q7L1Q7L2: "5",
  ML2Q9L1Q2L1MQ2L1Q6: "6", MQ16MQ8MQ8: "8", MQ10L1Q2L3Q2MQ2L1Q6: "9", MQ8: ".",
};

/**
 * Returns the axis and the bars from top to bottom: `{color, figure, off}`. `off` is the distance in px between the
 * bar's end and the position of its figure on the axis.
 */
export function read(svg) {
  const paths = all(svg, "path").map((p) => p.attributes);
  const grid = paths.filter((p) => p.stroke && !p["clip-path"] && /^M[\d.]+ [\d.]+L[\d.]+ [\d.]+$/.test(p.d));
  const labels = paths.filter((p) => p.fill && p.d.includes("Q")).map((p) => ({ text: text(p.d), box: box(p.d) }));
  const numbers = labels.filter((l) => /^[\d.]+$/.test(l.text));
  const below = Math.max(...grid.map((g) => box(g.d).bottom));
  const scale = numbers.filter((n) => n.box.top > below).sort((a, b) => a.box.left - b.box.left);
  const positions = grid.map((g) => box(g.d).left).sort((a, b) => a - b);
  const axis = calibrate(positions.map((position, i) => ({ position, value: Number(scale[i].text) })), "linear");
  const bars = paths.filter((p) => p["clip-path"] && p.fill).map((p) => ({ color: p.fill, ...box(p.d) }));
  const measured = bars.map((bar) => {
    const inside = numbers.filter(({ box: b }) => b.left > bar.left && b.right < bar.right && b.top > bar.top && b.bottom < bar.bottom);
    if (inside.length !== 1) throw new Error(`a bar has ${inside.length} figures instead of 1`);
    const figure = Number(inside[0].text);
    return { color: bar.color, top: bar.top, figure, off: Math.abs(bar.right - axis.position(figure)) };
  });
  return { axis, bars: measured.sort((a, b) => a.top - b.top) };
}

/** Returns the text of outlines, with a `?` for each glyph other than digits and the point. */
function text(d) {
  const glyphs = [];
  for (const outline of d.split("Z").filter(Boolean)) {
    const { left, right } = box(outline);
    const overlapping = glyphs.find((g) => left < g.right && right > g.left);
    if (overlapping) {
      overlapping.commands += commands(outline);
      [overlapping.left, overlapping.right] = [Math.min(left, overlapping.left), Math.max(right, overlapping.right)];
    } else {
      glyphs.push({ commands: commands(outline), left, right });
    }
  }
  return glyphs.map(character).join("");
}

const commands = (outline) => outline.replace(/[^MLQ]/g, "").replace(/([LQ])\1*/g, (run, c) => c + run.length);

/** Both 1 and 7 consist of seven lines, but a 1 is half as wide. */
function character({ commands, left, right }) {
  if (commands === "ML7") return right - left < 4.5 ? "1" : "7";
  return GLYPHS[commands] ?? "?";
}
