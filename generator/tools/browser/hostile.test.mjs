// Opens pages of hostile labels in Chromium and Firefox, with scripts enabled and without the pages' policy, which would
// hide an injection: no dialog, no request to elsewhere, and no element or attribute that harmless labels do not have.
// LABELS is their number; GENERATOR and ZOLA override the programs used.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { launch, launchFirefox } from "./browsers.mjs";
import { ROOT, files, listen } from "./site.mjs";

const LABELS = Number(process.env.LABELS ?? 600);
const GENERATOR = process.env.GENERATOR ?? join(ROOT, "generator/target/debug/generator");
/** Rows of a report, besides which it has 40 other labels. */
const ROWS = 500;
/** Of pages for a scenario or an implementation, and of graphs, as many are opened: they all come from one template. */
const SAMPLE = 40;

const FRAGMENTS = JSON.parse(readFileSync(join(ROOT, "generator/tests/fixtures/hostile.json"), "utf8"));

/** Returns a function that makes distinct labels: hostile ones, or as many harmless ones. */
function labels(isHostile) {
  let made = 0;
  let state = 7;
  const random = (n) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % n;
  };
  const next = () => {
    made += 1;
    if (!isHostile) return `word ${made}`;
    const parts = Array.from({ length: 1 + random(3) }, () => FRAGMENTS[random(FRAGMENTS.length)]);
    return `${["x", "", "<"][random(3)]}${parts.join(["", " ", "x"][random(3)])}${made}`;
  };
  return { next, count: () => made };
}

const csv = (cells) => `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",")}\n`;
/** A string of JSON is one of TOML. */
const toml = (text) => JSON.stringify(text);

/** Writes a report, with a label in every place that takes one. */
function report(folder, next) {
  mkdirSync(folder, { recursive: true });
  const builds = [0, 1, 2].map(() => ({ name: next(), version: next(), variant: next() }));
  const declared = builds.map(
    ({ name, version, variant }, n) => `[[implementation]]
name = ${toml(name)}
version = ${toml(version)}
variant = [${toml(variant)}]
files = ["${n}-*"]
build = ${toml(next())}
command = ${toml(next())}
tool = ${toml(next())}
with = ${toml(next())}
url = ${toml(`https://example.org/${next().replace(/[^!-~]/g, "")}`)}
`,
  );
  const manifest = `title = ${toml(next())}
date = 2026-01-01
machine = ${toml(next())}
architecture = ${toml(next())}
summary = ${toml(next())}
[source]
title = ${toml(next())}
url = "https://example.org/"
author = ${toml(next())}
statistic = "median"
notes = [${toml(next())}, ${toml(next())}]
[system]
${toml(next())} = ${toml(next())}
${declared.join("")}[[comparison]]
title = ${toml(next())}
baseline = ${toml(headed(builds[0]))}
candidate = ${toml(headed(builds[1]))}
`;
  writeFileSync(join(folder, "report.toml"), manifest);
  const scenarios = Array.from({ length: ROWS }, next);
  for (const n of builds.keys()) {
    const file = `${n}-${next().replaceAll("/", "|").slice(0, 100)}.csv`;
    const rows = scenarios.map((scenario, row) => csv([scenario, "ns", `${5 + row + n}`, row < 20 && n === 0 ? next() : ""]));
    writeFileSync(join(folder, file), `scenario,unit,value,caveat\n${rows.join("")}`);
  }
}

const headed = ({ name, version, variant }) => `${name} ${version}, ${variant}`;

/** Builds a site of labels, and returns where it is. */
function build(isHostile, number) {
  const folder = mkdtempSync(join(tmpdir(), "hostile-"));
  for (const part of ["config.toml", "templates", "static", "content/_index.md"]) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  const { next, count } = labels(isHostile);
  for (let n = 0; count() < number; n++) report(join(folder, "data", `2026-01-${String(n + 1).padStart(2, "0")}`), next);
  const run = (program, words) => execFileSync(program, words, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  run(GENERATOR, ["-q", "ingest", "data"]);
  run(process.env.ZOLA ?? "zola", ["build", "--base-url", "/", "--output-dir", join(folder, "site")]);
  return { folder, count: count() };
}

/** The pages and graphs to open: all, but only some of those that come in hundreds. */
function chosen(folder) {
  const seen = new Map();
  const kind = (file) => file.replace(/(scenarios|implementations)\/.*/, "$1").replace(/[^/]*\.svg$/, "svg");
  return files(join(folder, "site"))
    .filter((file) => /\.(html|svg)$|atom\.xml$/.test(file))
    .map((file) => file.slice(join(folder, "site").length))
    .filter((file) => {
      const number = (seen.get(kind(file)) ?? 0) + 1;
      seen.set(kind(file), number);
      return number <= SAMPLE;
    });
}

/** Every tag, with each of its attributes; addresses that run scripts or load from elsewhere; hidden characters. */
function inspect() {
  const words = new Set();
  const bad = [];
  for (const element of document.querySelectorAll("*")) {
    words.add(element.localName);
    for (const { name, value } of element.attributes) {
      words.add(`${element.localName} ${name}`);
      const isAddress = /^(href|xlink:href|src|srcset|action|formaction|data|poster)$/.test(name);
      const isScript = isAddress && /^\s*(javascript|data|vbscript):/i.test(value);
      const isElsewhere = isAddress && !name.endsWith("href") && /^(\w+:)?\/\//.test(value);
      if (isScript || isElsewhere || /^on/i.test(name)) bad.push(`${name}=${value}`);
    }
  }
  const text = new XMLSerializer().serializeToString(document);
  const hidden = text.match(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\u00ad]/g) ?? [];
  return { words: [...words], bad, hidden };
}

/** Opens the chosen pages of a site. Returns the words of its markup, and all problems. */
async function open(browser, folder) {
  const { origin, stop } = await listen(folder, "/", (html) => html.replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, ""));
  const page = await (await browser.newContext()).newPage();
  const words = new Set();
  const problems = [];
  let at;
  page.on("dialog", (dialog) => {
    problems.push(`${at}: dialog ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on("request", (request) => request.url().startsWith(`${origin}/`) || problems.push(`${at}: requests ${request.url()}`));
  page.on("pageerror", (error) => problems.push(`${at}: ${error}`));
  for (at of chosen(folder)) {
    await page.goto(origin + encodeURI(at), { waitUntil: "load" });
    if (at.startsWith("/perf/compare/")) await page.waitForSelector(".drawn .sort", { state: "attached" });
    const found = await page.evaluate(inspect);
    for (const word of found.words) words.add(word);
    problems.push(...[...found.bad, ...found.hidden].map((bad) => `${at}: ${bad}`));
    if (at.endsWith("atom.xml")) assert.ok(!found.words.includes("parsererror"), at);
  }
  await page.context().close();
  stop();
  return { words, problems };
}

let harmless, hostile;
before(() => {
  harmless = build(false, Math.min(LABELS, 2 * ROWS));
  hostile = build(true, LABELS);
});
after(() => [harmless, hostile].forEach((site) => site && rmSync(site.folder, { recursive: true })));

for (const [name, start] of Object.entries({ Chromium: launch, Firefox: launchFirefox })) {
  test(`hostile labels stay text in ${name}`, async (t) => {
    const browser = await start();
    try {
      const allowed = await open(browser, harmless.folder);
      const found = await open(browser, hostile.folder);
      t.diagnostic(`${hostile.count} labels on ${chosen(hostile.folder).length} pages and graphs`);
      assert.deepEqual(allowed.problems, []);
      assert.deepEqual(found.problems, []);
      assert.deepEqual([...found.words].filter((word) => !allowed.words.has(word)), []);
    } finally {
      await browser.close();
    }
  });
}
