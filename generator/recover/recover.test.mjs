// The recovery of a drawing whose figures are known, and of our own drawings of what was recovered: read with the same
// code, on their own ticks, they give the figures in data/ again.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

import { calibrate } from "./axis.mjs";
import { spread } from "./histogram.mjs";
import { quantity, read } from "./matplotlib.mjs";
import { series } from "./recover.mjs";
import { all, parse } from "./svg.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));
const REPORT = "2024-11-28-arm64";
const DATA = join(ROOT, "data", REPORT);
const PAGES = join(ROOT, "content/perf");

/** Our drawings place everything on the tenth of a px before it. */
const TENTH = 0.1 + 1e-9;

test("a drawing is recovered exactly", () => {
  const { plots } = read(parse(readFileSync(join(HERE, "fixtures/lines.svg"), "utf8")));
  const found = series(plots[0]);
  assert.deepEqual(
    found.map(({ name, points }) => [name, points]),
    [
      ["one", [[0, 23.7]]],
      ["three", [[2, 5], [15, 10], [30, 860]]],
    ],
  );
  assert.ok(found.every((s) => s.precision < 0.00002), JSON.stringify(found));
});

test("the scale of an axis is that of its ticks", () => {
  const ticks = (values, place) => values.map((value) => ({ value, place: Number(place(value).toFixed(6)) }));
  for (const [values, place, scale] of [
    [[0, 100, 200, 500], (v) => 300 - 0.4 * v, "linear"],
    [[10, 100, 1000, 5000], (v) => 50 + 120 * Math.log10(v), "logarithmic"],
    [[10, 100, 1000, 10000], (v) => 64.8 + 705.6 * Math.log10(Math.log10(v)), "doubly logarithmic"],
  ]) {
    const axis = calibrate(ticks(values, place));
    assert.equal(axis.scale, scale);
    assert.ok(axis.residual < 1e-6 && Math.abs(axis.value(place(70)) - 70) < 1e-5, scale);
  }
  assert.throws(() => calibrate(ticks([1, 10], (v) => v)), /2 ticks/);
  assert.throws(() => calibrate(ticks([1, 10, 1000, 2000], (v) => Math.sqrt(v))), /no known scale/);
});

test("values lie between what is known of them", () => {
  // 100 below 1 µs, then all of 900 at once at 3 µs, then 1,000 up to 8.192 µs.
  const counts = spread([[500, 0], [1000, 100], [3000, 100], [3000, 1000], [8192, 2000]]);
  const sum = (from, to) => counts.slice(from, to).reduce((a, b) => a + b, 0);
  assert.deepEqual([sum(0, 500), sum(500, 1000), sum(1000, 2048), sum(0)], [0, 100, 0, 2000]);
  // From 2048 ns on a bin has 2 ns, from 4096 on 4 ns.
  assert.ok(sum(2048, 2048 + 476) === 0 && counts[2048 + 476] >= 900, "3,000 ns");
  assert.equal(counts.length, 4096);
});

/** The axis of one side, from the labels that stand at it; `quantities` are those of its labels. */
function axis(svg, side, label) {
  const texts = all(svg, "g").filter((g) => g.attributes.class === (side === "y" ? "m e" : "m c"));
  return calibrate(texts.flatMap((g) => all(g, "text")).map((t) => ({ place: Number(t.attributes[side]), value: label(t.text) })));
}

const number = (text) => Number(text.replaceAll(",", ""));

/** Where the moves and lines of a path end, relative ones too. */
function corners(d) {
  const at = [0, 0];
  return [...d.matchAll(/([MLlhv])([^MLlhva-z]*)/g)].map(([, command, rest]) => {
    const [a, b] = (rest.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    if (command === "M" || command === "L") [at[0], at[1]] = [a, b];
    else [at[0], at[1]] = [at[0] + (command === "v" ? 0 : a), at[1] + (command === "h" ? 0 : command === "v" ? a : b)];
    return [...at];
  });
}

test("rates over threads are drawn as they were recovered", () => {
  const rows = readFileSync(join(DATA, "threads.csv"), "utf8").trim().split("\n").slice(1);
  const wanted = new Map();
  for (const row of rows) {
    const [, name, version, label, threads, rate] = /^([^,]*),([^,]*),[^,]*,"(.*), (\d+) threads",handshakes\/s,([\d.]+),/.exec(row);
    const key = `${label}: ${name} ${version}`;
    wanted.set(key, [...(wanted.get(key) ?? []), [Number(threads), Number(rate) / Number(threads)]]);
  }
  let points = 0;
  for (const file of graphs("threads-")) {
    const svg = parse(readFileSync(file, "utf8"));
    const [x, y] = [axis(svg, "x", number), axis(svg, "y", number)];
    assert.ok([x, y].every((a) => a.scale === "linear" && a.residual <= TENTH), file);
    const names = all(svg, "text").filter((t) => !t.attributes.class && Number(t.attributes.x) > 300).map((t) => t.text);
    const lines = all(svg, "path").filter((p) => /^s\d+ l$/.test(p.attributes.class));
    assert.equal(lines.length, names.length, file);
    for (const [i, line] of lines.entries()) {
      const key = `${svg.children.find((c) => c.name === "title").text}: ${names[i]}`;
      const drawn = corners(line.attributes.d);
      assert.equal(drawn.length, 17, key);
      for (const [j, [threads, rate]] of wanted.get(key).entries()) {
        const off = [drawn[j][0] - x.place(threads), drawn[j][1] - y.place(rate)].map(Math.abs);
        assert.ok(off[0] <= x.residual + TENTH && off[1] <= y.residual + TENTH, `${key}, ${threads} threads: ${off} px`);
        points++;
      }
      wanted.delete(key);
    }
  }
  assert.deepEqual([points, wanted.size], [rows.length, 0]);
});

test("percentiles are drawn where they were printed", () => {
  const printed = new Map();
  for (const file of readdirSync(DATA).filter((f) => f.endsWith(".hlog"))) {
    const log = readFileSync(join(DATA, file), "utf8");
    const name = /Implementation: ([^,\]]*)/.exec(log)[1];
    for (const [, times, tag] of log.matchAll(/#\[Printed beside the graph: (.*)\]\n[^]*?\nTag=([^,]*),/g)) {
      const of = Object.fromEntries(times.split(", ").map((t) => t.split(" ")));
      printed.set(`${tag.replaceAll("/", ", ").replaceAll("_", " ")}: ${name}`, ["P50", "P90", "P99"].map((p) => quantity(of[p])));
    }
  }
  for (const file of graphs("latency-")) {
    const svg = parse(readFileSync(file, "utf8"));
    const ticks = all(svg, "g").find((g) => g.attributes.class === "m c");
    const x = calibrate(all(ticks, "text").map((t) => ({ place: Number(t.attributes.x), value: quantity(t.text.replace(/[ ,]/g, "")) })));
    assert.ok(x.scale === "logarithmic" && x.residual <= TENTH, file);
    const names = all(all(svg, "g").find((g) => g.attributes.class === "b"), "text").map((t) => t.text);
    const paths = all(svg, "path").map((p) => p.attributes);
    for (const [i, name] of names.entries()) {
      const key = `${svg.children.find((c) => c.name === "title").text}: ${name}`;
      const [, strokes] = /z?(?:[^M]*)(M.*)$/.exec(paths.find((p) => p.class === `s${i} l`).d.slice(1));
      const places = [...strokes.matchAll(/M([\d.]+) [\d.]+v12/g)].map((m) => Number(m[1]));
      const drawn = [middle(paths.find((p) => p.class === `s${i} k`).d), ...places];
      for (const [j, time] of printed.get(key).entries()) {
        // Known to three digits, or to the 0.2% that the two medians are off which their bars do not allow.
        const px = Math.abs(x.place(time * 1.003) - x.place(time)) + x.residual + TENTH;
        assert.ok(Math.abs(drawn[j] - x.place(time)) <= px, `${key}: ${drawn[j]} px for ${time} s at ${x.place(time)}`);
      }
      printed.delete(key);
    }
  }
  assert.equal(printed.size, 0);
});

/** The report's graphs whose names start so, on its page and on those of its suites. */
function graphs(start) {
  const suites = readdirSync(join(PAGES, "suites")).filter((name) => name.startsWith(REPORT));
  const folders = [join(PAGES, REPORT), ...suites.map((name) => join(PAGES, "suites", name))];
  const of = (folder) => readdirSync(folder).filter((f) => f.startsWith(start)).map((f) => join(folder, f));
  return folders.flatMap(of);
}

/** The middle of a marker, which is as wide to both sides. */
function middle(d) {
  const [, x, rest] = /^M([\d.]+) [\d.]+(.*)/.exec(d);
  if (rest.startsWith("a")) return Number(x) + 4;
  const xs = corners(d.replace("z", "")).map((c) => c[0]);
  return (Math.min(...xs) + Math.max(...xs)) / 2;
}
