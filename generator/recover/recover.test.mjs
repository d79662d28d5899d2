// Recovers figures from a graph whose figures are known, and from our own graphs of the recovered figures: read with
// the same code and their own ticks, they must give the figures in data/ again.

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

/** The largest rounding error in px: our graphs truncate positions to a tenth. */
const TENTH = 0.1 + 1e-9;

test("recovers the figures of a graph exactly", () => {
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

test("finds the scale of an axis from its ticks", () => {
  const ticks = (values, position) => values.map((value) => ({ value, position: Number(position(value).toFixed(6)) }));
  for (const [values, position, scale] of [
    [[0, 100, 200, 500], (v) => 300 - 0.4 * v, "linear"],
    [[10, 100, 1000, 5000], (v) => 50 + 120 * Math.log10(v), "logarithmic"],
    [[10, 100, 1000, 10000], (v) => 64.8 + 705.6 * Math.log10(Math.log10(v)), "doubly logarithmic"],
  ]) {
    const axis = calibrate(ticks(values, position));
    assert.equal(axis.scale, scale);
    assert.ok(axis.residual < 1e-6 && Math.abs(axis.value(position(70)) - 70) < 1e-5, scale);
  }
  assert.throws(() => calibrate(ticks([1, 10], (v) => v)), /2 ticks/);
  assert.throws(() => calibrate(ticks([1, 10, 1000, 2000], (v) => Math.sqrt(v))), /no known scale/);
});

test("spreads values evenly between the known points", () => {
  // 100 values up to 1 µs, 900 values at 3 µs, and 1,000 from there to 8.192 µs.
  const counts = spread([[500, 0], [1000, 100], [3000, 100], [3000, 1000], [8192, 2000]]);
  const sum = (from, to) => counts.slice(from, to).reduce((a, b) => a + b, 0);
  assert.deepEqual([sum(0, 500), sum(500, 1000), sum(1000, 2048), sum(0)], [0, 100, 0, 2000]);
  // A bin is 2 ns wide from 2048 ns, and 4 ns wide from 4096 ns.
  assert.ok(sum(2048, 2048 + 476) === 0 && counts[2048 + 476] >= 900, "3,000 ns");
  assert.equal(counts.length, 4096);
});

/** Calibrates the x or y axis of one of our graphs from its labels, which `parseLabel` turns into values. */
function axis(svg, name, parseLabel) {
  const texts = all(svg, "g").filter((g) => g.attributes.class === (name === "y" ? "m e" : "m c"));
  return calibrate(texts.flatMap((g) => all(g, "text")).map((t) => ({ position: Number(t.attributes[name]), value: parseLabel(t.text) })));
}

const number = (text) => Number(text.replaceAll(",", ""));

/** Returns the end points of a path's absolute and relative moves and lines. */
function corners(d) {
  const at = [0, 0];
  return [...d.matchAll(/([MLlhv])([^MLlhva-z]*)/g)].map(([, command, rest]) => {
    const [a, b] = (rest.match(/-?\d*\.?\d+/g) ?? []).map(Number);
    if (command === "M" || command === "L") [at[0], at[1]] = [a, b];
    else [at[0], at[1]] = [at[0] + (command === "v" ? 0 : a), at[1] + (command === "h" ? 0 : command === "v" ? a : b)];
    return [...at];
  });
}

test("our graphs over threads show the recovered rates", () => {
  const rows = readFileSync(join(DATA, "threads.csv"), "utf8").trim().split("\n").slice(1);
  const expected = new Map();
  for (const row of rows) {
    const [, name, version, label, threads, rate] = /^([^,]*),([^,]*),[^,]*,"(.*), (\d+) threads",handshakes\/s,([\d.]+),/.exec(row);
    const key = `${label}: ${name} ${version}`;
    expected.set(key, [...(expected.get(key) ?? []), [Number(threads), Number(rate) / Number(threads)]]);
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
      for (const [j, [threads, rate]] of expected.get(key).entries()) {
        const off = [drawn[j][0] - x.position(threads), drawn[j][1] - y.position(rate)].map(Math.abs);
        assert.ok(off[0] <= x.residual + TENTH && off[1] <= y.residual + TENTH, `${key}, ${threads} threads: ${off} px`);
        points++;
      }
      expected.delete(key);
    }
  }
  assert.deepEqual([points, expected.size], [rows.length, 0]);
});

test("our graphs of latency show the printed percentiles", () => {
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
    const x = calibrate(all(ticks, "text").map((t) => ({ position: Number(t.attributes.x), value: quantity(t.text.replace(/[ ,]/g, "")) })));
    assert.ok(x.scale === "logarithmic" && x.residual <= TENTH, file);
    const names = all(all(svg, "g").find((g) => g.attributes.class === "b"), "text").map((t) => t.text);
    const paths = all(svg, "path").map((p) => p.attributes);
    for (const [i, name] of names.entries()) {
      const key = `${svg.children.find((c) => c.name === "title").text}: ${name}`;
      const [, strokes] = /z?(?:[^M]*)(M.*)$/.exec(paths.find((p) => p.class === `s${i} l`).d.slice(1));
      const positions = [...strokes.matchAll(/M([\d.]+) [\d.]+v12/g)].map((m) => Number(m[1]));
      const drawn = [middle(paths.find((p) => p.class === `s${i} k`).d), ...positions];
      for (const [j, time] of printed.get(key).entries()) {
        // Printed with three digits; two medians lie outside their bars by up to 0.2%.
        const px = Math.abs(x.position(time * 1.003) - x.position(time)) + x.residual + TENTH;
        assert.ok(Math.abs(drawn[j] - x.position(time)) <= px, `${key}: ${drawn[j]} px for ${time} s at ${x.position(time)}`);
      }
      printed.delete(key);
    }
  }
  assert.equal(printed.size, 0);
});

/** Returns the files of the report's graphs whose names start with `start`, on its page and on those of its suites. */
function graphs(start) {
  const suites = readdirSync(join(PAGES, "suites")).filter((name) => name.startsWith(REPORT));
  const folders = [join(PAGES, REPORT), ...suites.map((name) => join(PAGES, "suites", name))];
  const of = (folder) => readdirSync(folder).filter((f) => f.startsWith(start)).map((f) => join(folder, f));
  return folders.flatMap(of);
}

/** Returns the x coordinate of the middle of a symmetric marker. */
function middle(d) {
  const [, x, rest] = /^M([\d.]+) [\d.]+(.*)/.exec(d);
  if (rest.startsWith("a")) return Number(x) + 4;
  const xs = corners(d.replace("z", "")).map((c) => c[0]);
  return (Math.min(...xs) + Math.max(...xs)) / 2;
}
