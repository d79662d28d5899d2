// Recovers the figures of two reports that were published only as graphs, from the coordinates in their SVG files:
//
//     node generator/recover/recover.mjs …/rustls/website/content/perf data
//
// The first folder belongs to a checkout of https://github.com/rustls/rustls; files in the second are overwritten.
// Prints how well the axes fit their ticks.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { calibrate, fitLine, rounded } from "./axis.mjs";
import { interval, spread } from "./histogram.mjs";
import * as matplotlib from "./matplotlib.mjs";
import * as sheets from "./sheets.mjs";
import { parse } from "./svg.mjs";

const THREADS = "2024-11-28-threading";
const POST_QUANTUM = "2024-12-17-pq-kx";

/** The implementations by their labels in the graphs, as the text describes them. In the graphs of latency, rustls is mislabelled. */
const NAMES = {
  BoringSSL: "BoringSSL 76968bb3",
  "OpenSSL 3.0.14": "OpenSSL 3.0.14, Debian package",
  "rustls 0.23.16": "rustls 0.23.16, mutex for tickets",
  "rustls 0.23.17": "rustls 0.23.17, read-write lock for tickets",
};
const LATENCY_NAMES = { ...NAMES, "rustls 0.23.16": "rustls fc6b4a19" };

const RESUMPTION = { tickets: "ticket", "session-id": "session id" };

/** Graphs over threads. In those after the fix, the dashed line repeats rustls before it from an earlier graph. */
const OVER_THREADS = [
  ["full-server", "full handshakes, 1.3, rsa, server"],
  ["resumed-12-server", "resumed handshakes, 1.2, RESUMPTION, server"],
  ["resumed-12-server-postfix", "resumed handshakes, 1.2, RESUMPTION, server"],
  ["resumed-13-server", "resumed handshakes, 1.3, RESUMPTION, server"],
  ["resumed-13-server-postfix", "resumed handshakes, 1.3, RESUMPTION, server"],
];

const LATENCY = [
  ["latency-fullhs-tls12-server", "latency of full handshakes, 1.2, rsa, server, 80 threads"],
  ["latency-fullhs-tls13-server", "latency of full handshakes, 1.3, rsa, server, 80 threads"],
  ["latency-resume-tls12-server", "latency of resumed handshakes, 1.2, session id, server, 80 threads"],
  ["latency-resume-tls13-server", "latency of resumed handshakes, 1.3, ticket, server, 80 threads"],
];

const HEADER = "implementation,version,variant,scenario,unit,value,caveat";

/** Returns the recovered files by their paths in `data/`. `print` receives lines about the precision. */
export function recover(read, print) {
  const files = { "2024-11-28-arm64/threads.csv": threads(read, print) };
  for (const [name, log] of Object.entries(latencies(read, print))) {
    files[`2024-11-28-arm64/latency-${name.split(",")[0].replace(" ", "-").toLowerCase()}.hlog`] = log;
  }
  files["2024-12-17-x86_64/handshakes.csv"] = handshakes(read, print);
  for (const [machine, folder] of [["amd64", "x86_64"], ["arm64", "arm64"]]) {
    files[`2024-12-17-${folder}/clienthello.csv`] = clientHello(read, machine, print);
  }
  return files;
}

/** Returns the points [x, y] of each line of a graph, rounded to the precision of its axes; `precision` is that of y. */
export function series(plot, print = () => {}) {
  const [x, y] = [plot.x, plot.y].map((ticks) => calibrate(ticks.map((t) => ({ position: t.position, value: matplotlib.quantity(t.text) }))));
  print(`${plot.x.length} and ${plot.y.length} ticks, ${x.scale} and ${y.scale}, off by ${x.residual.toExponential(1)} and ${y.residual.toExponential(1)} at most`);
  const value = (axis, position) => rounded(axis.value(position), axis.precision(position));
  return plot.legend.map(({ name, color }) => {
    const line = plot.lines.find((l) => l.color === color && !l.dashed);
    return { name, points: line.points.map((p) => [value(x, p[0]), value(y, p[1])]), precision: Math.max(...line.points.map((p) => y.precision(p[1]))) };
  });
}

function threads(read, print) {
  const rows = new Map();
  for (const [picture, scenario] of OVER_THREADS) {
    const [plot] = matplotlib.read(read(`${THREADS}/${picture}.svg`)).plots;
    const found = series(plot, (text) => print(`${picture}: ${text}`));
    print(`${picture}: figures to ${Math.max(...found.map((s) => s.precision)).toExponential(1)}`);
    for (const { name, points } of found) {
      const [, release, kind] = /^(.*?)(?: \(([\w-]+)\))?$/.exec(name);
      const label = scenario.replace("RESUMPTION", RESUMPTION[kind ?? "tickets"]);
      for (const [count, rate] of points) {
        // The graphs show the rate per thread; a figure is the total over all threads.
        const key = `${identity(...(NAMES[release] ?? release).split(", "))},"${label}, ${count} threads",handshakes/s`;
        const value = Number((count * rate).toFixed(3));
        const earlier = rows.get(key);
        if (earlier !== undefined && Math.abs(earlier / value - 1) > 1e-6) throw new Error(`two graphs differ in ${key}`);
        rows.set(key, earlier ?? value);
      }
    }
  }
  return table([...rows].map(([key, value]) => `${key},${value},"recovered from the published graph, to 0.001 handshakes/s of each thread"`));
}

/** Returns the first columns of a row for a release such as `rustls 0.23.16`. */
function identity(release, variant = "") {
  const [name, version = ""] = release.split(" ");
  return `${name},${version},${variant}`;
}

const table = (rows) => [HEADER, ...rows, ""].join("\n");

/** Returns the histogram log of each implementation. */
function latencies(read, print) {
  const logs = {};
  const widths = [];
  // An axis with only two ticks has the same scale as the others; those with more come first.
  let scale;
  for (const [picture, label] of [...LATENCY].sort((a, b) => b[0].localeCompare(a[0]))) {
    const { plots, texts } = matplotlib.read(read(`${THREADS}/${picture}.svg`));
    const count = Number(texts.find((t) => t.startsWith("N = ")).slice(4));
    const ticks = plots[0].x.map((t) => ({ position: t.position, value: 1e6 * matplotlib.quantity(t.text) }));
    const axis = calibrate(ticks, ticks.length < 3 ? scale : undefined);
    scale = axis.scale;
    const tables = plots.flatMap((p) => p.tables);
    for (const [i, plot] of plots.entries()) {
      const bars = histogram(plot, axis, count);
      const printed = Object.entries(tables[i]).map(([p, text]) => [Number(p.slice(1)) / 100, text]);
      const counts = spread(knots(bars, printed, count));
      widths.push(100 * (bars[0].high / bars[0].low - 1));
      print(`${picture}: ${axis.scale}, ${ticks.length} ticks off by ${axis.residual.toExponential(1)}; ${plot.title}: counts off by ${bars.off.toExponential(1)}, bars by ${bars.uneven.toExponential(1)} of a bar`);
      const filled = bars.filter((b) => b.count > 0);
      (logs[LATENCY_NAMES[plot.title] ?? plot.title] ??= []).push([
        `#[Printed beside the graph: ${printed.map(([p, text]) => `P${100 * p} ${text}`).join(", ")}]`,
        ...filled.map((b) => `#[Bar: ${b.low.toPrecision(6)} to ${b.high.toPrecision(6)} µs: ${b.count}]`),
        interval(label, counts),
      ]);
    }
  }
  const wide = [Math.min(...widths), Math.max(...widths)].map((w) => `${w.toPrecision(2)}%`).join(" to ");
  const caveat = `recovered from the bars of the published graphs, each ${wide} wide, and the P50, P90 and P99 printed beside them: the other percentiles are known to the width of a bar`;
  const file = ([name, parts]) => [name, [
    "#[Histogram log format version 1.3]",
    "#[Values are nanoseconds; the greatest of each interval is in milliseconds]",
    "#[Recovered by generator/recover from the published graphs: their bars, which are the counts, and what is printed beside them]",
    '"StartTimestamp","Interval_Length","Interval_Max","Interval_CompressedHistogram"',
    `#[Implementation: ${name}]`,
    ...parts.reverse().flatMap((part) => [...part.slice(0, -1), `#[Caveat: ${caveat}]`, ...part.slice(-1)]),
    "",
  ].join("\n")];
  return Object.fromEntries(Object.entries(logs).map(file));
}

/** Returns the bars, `{low, high, count}`, in the unit of the axis. Their bounds are evenly spaced in the logarithm. */
function histogram(plot, axis, total) {
  const y = calibrate(plot.y.map((t) => ({ position: t.position, value: matplotlib.quantity(t.text) })));
  const logOf = (position) => Math.log10(axis.value(position));
  const middles = fitLine(plot.bars.map((b, i) => [i, (logOf(b.left) + logOf(b.right)) / 2]));
  const bars = plot.bars.map(({ top }, i) => ({
    low: 10 ** middles.at(i - 0.5),
    high: 10 ** middles.at(i + 0.5),
    count: Math.round(y.value(top)),
  }));
  const off = Math.max(...plot.bars.map((b) => Math.abs(y.value(b.top) - Math.round(y.value(b.top)))));
  const sum = bars.reduce((n, b) => n + b.count, 0);
  if (off > 0.1 || sum !== total) throw new Error(`bars of ${plot.title} are ${sum} values, off by ${off}, instead of ${total}`);
  return Object.assign(bars, { off, uneven: middles.residual / middles.slope });
}

/** How far a printed percentile may lie outside its bar. Two medians do, by 0.08% and 0.16%, for an unknown reason. */
const TOLERANCE = 0.002;

/** Returns the known points of a distribution, for `spread`: the bounds of its bars in ns, and printed percentiles. */
function knots(bars, printed, total) {
  const known = [];
  let below = 0;
  for (const { low, high, count } of bars) {
    if (count === 0) continue;
    known.push([1e3 * low, below]);
    for (const [share, text] of printed) {
      const rank = share * total;
      if (rank <= below || rank > below + count) continue;
      const nanos = 1e9 * matplotlib.quantity(text);
      const inside = Math.min(Math.max(nanos, 1e3 * low), 1e3 * high);
      if (Math.abs(nanos / inside - 1) > TOLERANCE) throw new Error(`P${100 * share} ${text} is not in its bar, ${low} to ${high} µs`);
      known.push([inside, rank]);
    }
    below += count;
    known.push([1e3 * high, below]);
  }
  return known;
}

const COLORS = { "#4285f4": 0, "#ea4335": 1, "#fbbc04": 2 };
const WITHOUT = "without optimization";

/** Reads the bar charts of handshakes, whose bars are labelled with their figures. */
function handshakes(read, print) {
  const both = "x25519mlkem768+x25519";
  const earlier = "measured for the report of 2024-10-18";
  const ours = (group) => ["rustls", "", group];
  const openssl = ["OpenSSL 3.3.2", "", "x25519", earlier];
  const charts = [
    ["tls13-client-hs-openssl", "client", [ours("x25519"), ours(both), openssl]],
    ["tls13-client-hs", "client", [ours("x25519"), ours(both), ["rustls", WITHOUT, both]]],
    ["tls13-server-hs-openssl", "server", [ours("x25519"), ours("x25519mlkem768"), openssl]],
  ];
  const kinds = ["full handshakes, 1.3, rsa", "full handshakes, 1.3, ecdsa", "resumed handshakes, 1.3"];
  const rows = new Set();
  for (const [picture, side, bars] of charts) {
    const found = sheets.read(read(`${POST_QUANTUM}/${picture}.svg`));
    const off = Math.max(...found.bars.map((b) => b.off));
    if (found.bars.length !== 9 || off > 1) throw new Error(`${picture}: a bar's end is ${off} px from its figure`);
    print(`${picture}: ticks off by ${found.axis.residual.toFixed(2)} px, bars by ${off.toFixed(2)} px from the figures on them`);
    for (const [i, { color, figure }] of found.bars.entries()) {
      const [name, variant, group, caveat = ""] = bars[COLORS[color]];
      rows.add(`${identity(name, variant)},"${kinds[Math.floor(i / 3)]}, ${group}, ${side}",handshakes/s,${figure},${caveat}`);
    }
  }
  return table([...rows]);
}

/** Reads violin plots of a micro-benchmark: a line at the median, and a shape from the smallest to the largest value. */
function clientHello(read, machine, print) {
  const [plot] = matplotlib.read(read(`${POST_QUANTUM}/microbench-${machine}.svg`)).plots;
  const axis = calibrate(plot.x.map((t) => ({ position: t.position, value: matplotlib.quantity(t.text) })));
  const rows = {
    "X25519 alone": ["", "x25519"],
    "X25519MLKEM768, X25519 optimized": ["", "x25519mlkem768+x25519"],
    "X25519MLKEM768, X25519": [WITHOUT, "x25519mlkem768+x25519"],
  };
  const micros = (position) => rounded(axis.value(position), axis.precision(position));
  print(`microbench-${machine}: ${plot.x.length} ticks, ${axis.scale}, off by ${axis.residual.toExponential(1)}`);
  const found = plot.y.map(({ text, position }) => {
    const across = (b) => b.top < position && position < b.bottom;
    const [violin, median] = [plot.areas.find(across), plot.strokes.find(across)];
    const [variant, group] = rows[text];
    const nanos = Number((1e3 * micros(median.left)).toFixed(2));
    const caveat = `recovered from the published graph: the median; samples lie from ${micros(violin.left).toFixed(2)} to ${micros(violin.right).toFixed(2)} µs`;
    return `${identity("rustls", variant)},"client hello, ${group}",ns,${nanos},${caveat}`;
  });
  return table(found.reverse());
}

function main([pictures, data]) {
  if (!data) throw new Error("usage: recover.mjs PICTURES DATA");
  const read = (name) => parse(readFileSync(join(pictures, name), "utf8"));
  for (const [name, text] of Object.entries(recover(read, (line) => console.log(line)))) {
    mkdirSync(dirname(join(data, name)), { recursive: true });
    writeFileSync(join(data, name), text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
