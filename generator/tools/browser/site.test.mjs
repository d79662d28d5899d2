// Tests the built website in Chromium: `make browser`. ZOLA and CHROMIUM override the programs used.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { HtmlValidate } from "html-validate";
import { launch } from "./browsers.mjs";
import { COMPARE, FIGURES, FRONT, REPORT, open } from "./site.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const SHOTS = join(HERE, "screenshots");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WCAG = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"];
/** In CSS pixels; 640 is a window of 1280 at a zoom of 200%. */
const WIDTHS = [320, 640, 768, 1280, 1920, 1440];
/** The axe rules that depend most on the width: targets too close to each other, and regions that scroll. */
const LAYOUT = ["target-size", "scrollable-region-focusable"];
/** The width of A4 with margins of 1 cm, in CSS pixels. */
const PORTRAIT = 718;
const LANDSCAPE = 1046;
const KEY_PAGES = [FRONT, "perf/index.html", REPORT, COMPARE];

let browser, site;
before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  site = await open("/perf-site/");
  browser = await launch();
});
after(async () => {
  await browser?.close();
  site?.close();
});

const visit = (file, options) => site.visit(browser, file, options);

/** How pages are loaded, and the axe rules to run at each width: only contrast depends on the colour scheme. */
const SETUPS = [
  { width: 320, colorScheme: "dark", rules: { 320: ["color-contrast"], 1280: ["color-contrast"] } },
  { width: 1440, colorScheme: "light", rules: { 320: WCAG, 768: LAYOUT, 1280: WCAG } },
];

/** The kind of a page. Pages of one kind differ only in their figures; each report is its own kind because of its notes. */
function kind(file) {
  const [, list, page, ...below] = file.split("/");
  if (below.length === 0) return file;
  const isReport = /^\d{4}-/.test(list);
  return isReport ? page.replace(/-\d+$/, "") : `${list} ${below.length}`;
}

/** Loads a page in one setup and checks it at every width. */
async function check(page, { file, width, colorScheme, rules, isFirst }) {
  const name = `${file} at ${width} px, ${colorScheme}`;
  await site.load(page, file);
  const loaded = await page.evaluate(() => ({
    layoutShift: window.layoutShift,
    brokenImages: [...document.images].filter((i) => i.complete && i.naturalWidth === 0).map((i) => i.src),
    brokenSentences: [...document.querySelectorAll(".body p a")].filter((a) => getComputedStyle(a).display === "block").map((a) => a.href),
  }));
  assert.deepEqual(loaded.brokenImages, [], `${name}: broken images`);
  assert.deepEqual(loaded.brokenSentences, [], `${name}: links on lines of their own within a sentence`);
  assert.equal(loaded.layoutShift, 0, `${name}: layout shift`);
  if (isFirst) await page.evaluate(AXE);
  for (const current of WIDTHS) {
    await page.setViewportSize({ width: current, height: 900 });
    if (isFirst && rules[current]) {
      assert.deepEqual(await audit(page, rules[current]), [], `${file} at ${current} px, ${colorScheme}`);
    }
    const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(scrollWidth <= current, `${file} at ${current} px: the page is ${scrollWidth} px wide`);
    assert.deepEqual(await overlaps(page), [], `${file} at ${current} px: texts of graphs overlap`);
    if (current >= 1280 && /^perf\/\d{4}-[^/]+\/index\.html$/.test(file)) {
      const scrolled = await page.$$eval(".scroll", (all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.ariaLabel));
      assert.deepEqual(scrolled, [], `${file} at ${current} px: tables scroll sideways`);
    }
    if (KEY_PAGES.includes(file) && SETUPS.some((setup) => setup.width === current)) {
      const shot = file.replace(/\/?index\.html$/, "").replaceAll("/", "-") || "front";
      await page.screenshot({ path: join(SHOTS, `${shot}-${current}-${colorScheme}.png`) });
    }
  }
  if (await page.locator(".scroll").count()) {
    await page.emulateMedia({ media: "print" });
    assert.deepEqual(await tablesCutInPrint(page), [], `${file}: tables are cut in print`);
    await page.emulateMedia({ media: null });
  }
  // Resizing the window while the next page loads would shift its layout.
  await page.setViewportSize({ width, height: 900 });
  assert.deepEqual(page.problems, [], name);
}

/** The texts of graphs that stand on one another. */
function overlaps(page) {
  return page.$$eval(".panel", (panels) =>
    panels.flatMap((panel) => {
      const texts = [...panel.querySelectorAll("text")].filter((text) => text.textContent.trim());
      const boxes = texts.map((text) => [text.textContent, text.getBoundingClientRect()]);
      const isOn = (one, other) => {
        const width = Math.min(one.right, other.right) - Math.max(one.left, other.left);
        return width > 1 && Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3;
      };
      return boxes.flatMap(([text, box], place) => boxes.slice(place + 1).filter(([, other]) => isOn(box, other)).map(([other]) => `${text} | ${other}`));
    }),
  );
}

/** Runs axe with these rules. Text on a gradient, whose contrast axe cannot determine, is a finding too. */
async function audit(page, runOnly) {
  const { violations, incomplete } = await page.evaluate(async (runOnly) => {
    const scrolls = document.querySelectorAll(".scroll");
    // Gradients draw the shadows of tables.
    for (const { style } of scrolls) style.backgroundImage = "none";
    const results = await axe.run({ resultTypes: ["violations", "incomplete"], preload: false, runOnly });
    for (const { style } of scrolls) style.backgroundImage = "";
    return results;
  }, runOnly);
  const onGradient = ({ any }) => any.some(({ data }) => data?.messageKey === "bgGradient");
  const found = [...violations, ...incomplete.filter(({ nodes }) => nodes.some(onGradient))];
  return found.map(({ id, nodes }) => `${id}: ${(nodes.find(onGradient) ?? nodes[0]).html.slice(0, 200)}`);
}

/** The tables that are wider than their page; wide tables are printed in landscape. */
async function tablesCutInPrint(page) {
  await page.setViewportSize({ width: PORTRAIT, height: 1000 });
  return page.$$eval(
    ".scroll",
    (all, [portrait, landscape]) => {
      const width = (e) => (getComputedStyle(e).page === "wide" ? landscape : portrait);
      return all.filter((e) => e.scrollWidth > width(e)).map((e) => `${e.ariaLabel}: ${e.scrollWidth} px`);
    },
    [PORTRAIT, LANDSCAPE],
  );
}

/**
 * The largest page of each kind, and every fifth of the others; with PAGES=all, all of them. axe takes half a minute for a
 * page of thousands of figures, whose kind has smaller ones. The tests in Rust read every page.
 */
function chosen() {
  const [step, largest] = process.env.PAGES === "all" ? [1, Infinity] : [5, 200_000];
  const seen = new Set();
  const largestFirst = [...site.pages].sort((a, b) => b.html.length - a.html.length);
  return largestFirst.flatMap(({ file, html }, index) => {
    const isFirst = html.length < largest && !seen.has(kind(file));
    if (isFirst) seen.add(kind(file));
    return isFirst || index % step === 0 ? [{ file, html, index, isFirst }] : [];
  });
}

test("every page renders correctly at every width and in print, light and dark", async () => {
  // The first of each kind is checked in both setups, others in one.
  const jobs = chosen().flatMap(({ file, index, isFirst }) => {
    return (isFirst ? SETUPS : [SETUPS[index % 2]]).map((setup) => ({ file, isFirst, ...setup }));
  });
  assert.ok(jobs.length >= 60, `only ${jobs.length} loads`);
  const work = async ({ colorScheme, width }, queue) => {
    const { page, close } = await site.page(browser, { colorScheme, viewport: { width, height: 900 } });
    // Warm up: a new window may get its size and fonts only after its first page has loaded.
    await site.load(page, FRONT);
    for (const job of queue) await check(page, job);
    await close();
  };
  const workers = SETUPS.flatMap((setup) => {
    const queue = jobs.filter((job) => job.width === setup.width).values();
    return [work(setup, queue), work(setup, queue)];
  });
  await Promise.all(workers);
});

test("forced colours, reduced motion and print keep all content", async () => {
  const { page, close } = await visit(COMPARE, { forcedColors: "active", reducedMotion: "reduce" });
  // The plots drawn by the script use the reader's colours; unsteady dots are hollow.
  const colours = await page.$$eval(".dots :is(tr:not(.unknown) circle, text, line)", (all) => [
    ...new Set(all.map((e) => getComputedStyle(e)[e.localName === "line" ? "stroke" : "fill"])),
  ]);
  const text = await page.evaluate(() => getComputedStyle(document.body).color);
  assert.deepEqual(colours, [text]);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  await page.screenshot({ path: join(SHOTS, "compare-forced-colours.png") });
  await page.emulateMedia({ media: "print", forcedColors: "none" });
  await page.goto(site.url(FRONT));
  assert.ok(await page.locator(".dots th a").first().isVisible(), "the plot has no labels in print");
  await close();
});

test("Tab reaches every control in order and shows a focus ring", async () => {
  for (const file of [FRONT, "perf/index.html", REPORT, COMPARE]) {
    const { page, close } = await visit(file, { viewport: { width: 768, height: 900 } });
    const count = await page.evaluate(() => {
      const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
      const visible = all.filter((e) => e.checkVisibility());
      visible.forEach((e, index) => e.setAttribute("data-stop", index));
      return visible.length;
    });
    for (let stop = 0; stop < count; stop += 1) {
      await page.keyboard.press("Tab");
      const focus = await page.evaluate(() => {
        const style = getComputedStyle(document.activeElement);
        return {
          stop: Number(document.activeElement.getAttribute("data-stop") ?? -1),
          html: document.activeElement.outerHTML.slice(0, 120),
          ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        };
      });
      assert.equal(focus.stop, stop, `${file}: ${focus.html}`);
      assert.ok(focus.ring, `${file}: no focus ring on ${focus.html}`);
    }
    assert.ok(count > 5, `${file}: ${count} tab stops`);
    await close();
  }
});

test("what a script adds is not missed without it", async () => {
  for (const [file, field, fallback] of [
    [FRONT, "h1 select", ".dots tbody a"],
    [COMPARE, "#compare-form", ".body .dots tbody a"],
  ]) {
    const { page, close } = await visit(file, { javaScriptEnabled: false });
    assert.ok(await page.locator(".without-script").first().isVisible());
    assert.ok(await page.locator(fallback).first().isVisible());
    assert.ok(!(await page.locator(field).first().isVisible()));
    await close();
  }
});

test("the front page answers on one screen, and another choice on the same page", async () => {
  const { page, problems, close } = await visit(FRONT);
  const plot = () => page.$eval(".dots", (table) => ({ html: table.outerHTML, bottom: table.getBoundingClientRect().bottom }));
  const answer = () => page.innerHTML(".answer");
  const [first, answered] = [await plot(), await answer()];
  assert.ok(first.bottom <= 900, `the plot ends at ${first.bottom} px`);
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  assert.ok(height <= 2800, `the page is ${height} px high`);
  const [a, b] = [await page.inputValue('[name="a"]'), await page.inputValue('[name="b"]')];
  await page.selectOption('[name="b"]', { index: 2 });
  await page.waitForFunction((before) => document.querySelector(".answer").innerHTML !== before, answered);
  const other = [await answer(), (await plot()).html];
  const again = await page.context().newPage();
  await again.goto(page.url());
  await again.waitForFunction((before) => document.querySelector(".answer").innerHTML === before, other[0]);
  assert.equal(await again.$eval(".dots", (table) => table.outerHTML), other[1]);
  // What the script draws is what ingest wrote, whatever was chosen between.
  await page.selectOption('[name="a"]', b);
  await page.selectOption('[name="b"]', a);
  await page.selectOption('[name="a"]', a);
  await page.selectOption('[name="b"]', b);
  await page.waitForFunction((before) => document.querySelector(".answer").innerHTML === before, answered);
  assert.equal((await plot()).html, first.html);
  assert.deepEqual(problems, []);
  await close();
});

test("marks of graphs can be pointed at, also by keyboard", async () => {
  const { page, problems, close } = await visit(REPORT);
  const graph = page.locator(".panels").first();
  const text = () => page.textContent(".tip");
  await graph.locator(".mark .f").first().hover();
  const first = await text();
  assert.match(first, /^\S+ \S+: [\d,.]+ MiB\/s$/);
  await graph.focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await text(), first);
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await text(), first);
  await page.keyboard.press("Escape");
  assert.equal(await text(), "");
  assert.deepEqual(problems, []);
  await close();
  const without = await visit(REPORT, { javaScriptEnabled: false });
  assert.equal(await without.page.locator(".panels .mark > title").count(), await without.page.locator(".panels .mark").count());
  await without.close();
});

test("the URL stores a comparison and restores it", async () => {
  const { page, problems, close } = await visit(COMPARE);
  const text = () => page.textContent(".drawn");
  // It opens with a rival as the baseline of rustls.
  assert.match(await page.inputValue('[name="b"]'), /^OpenSSL/);
  assert.match(await page.inputValue('[name="a"]'), /^rustls/);
  const first = await text();
  await page.selectOption('[name="machine"]', "Xeon E-2386G");
  await page.selectOption('[name="b"]', "OpenSSL 3.2.0 (gcc)");
  await page.selectOption('[name="a"]', "OpenSSL 3.2.0 (clang)");
  await page.waitForFunction(() => !/AES-128/.test(document.querySelector(".answer").textContent) && /OpenSSL 3.2.0 \(clang\) against OpenSSL 3.2.0 \(gcc\)/.test(document.querySelector(".drawn").textContent));
  // generator/tests/site checks that the verdicts are those of `generator compare`.
  assert.match(await text(), /Sending, TLS 1\.2, ChaCha20-Poly1305/);
  const before = await text();
  const again = await page.context().newPage();
  await again.goto(page.url());
  await again.waitForFunction((before) => document.querySelector(".drawn").textContent === before, before);
  // An unknown report, and a name that is none, leave the first choice.
  await again.goto(`${site.url(COMPARE)}#old=nowhere:none&a=${encodeURIComponent("<img src=x onerror=alert(1)>")}`);
  await again.reload();
  await again.waitForFunction((first) => document.querySelector(".drawn").textContent === first, first);
  assert.deepEqual(problems, []);
  await close();
});

test("compare offers builds by library, folds what did not change on a phone, and goes back", async () => {
  const { page, problems, close } = await visit(COMPARE, { viewport: { width: 390, height: 900 } });
  const builds = (library) => page.$$eval(`[name="a"] optgroup[label="${library}"] option`, (all) => all.map(({ text }) => text));
  const versions = (await builds("rustls")).map((text) => text.match(/[\d.]+/)[0]);
  assert.ok(versions.length > 3);
  assert.deepEqual(versions, [...versions].sort((one, other) => other.localeCompare(one, "en", { numeric: true })));
  const [candidate, , baseline] = await builds("OpenSSL");
  await page.goto(`${site.url(COMPARE)}#${new URLSearchParams({ a: candidate, b: baseline })}`);
  await page.waitForFunction((name) => document.querySelector(".drawn caption").textContent.endsWith(name), baseline);
  const button = page.locator(".drawn > .fold");
  await button.waitFor();
  const shown = () => page.locator(".drawn > .dots tbody tr:visible").count();
  const changed = await shown();
  const folded = Number((await button.textContent()).match(/\d+/)[0]);
  await button.click();
  assert.equal(await shown(), changed + folded);
  await page.selectOption('[name="b"]', { index: 0 });
  assert.notEqual(await page.inputValue('[name="b"]'), baseline);
  await page.goBack();
  await button.waitFor();
  assert.equal(await page.inputValue('[name="b"]'), baseline);
  await page.goto(`${site.url(COMPARE)}#old=nowhere:x&new=nowhere:y`);
  assert.match(await page.textContent(".unknown-names"), /nowhere/);
  assert.deepEqual(problems, []);
  await close();
});

test("a comparison is filtered and sorted like every table", async () => {
  const { page, problems, close } = await visit(COMPARE);
  const labels = () => page.locator(".drawn > .dots tbody tr:visible th").allTextContents();
  const written = await labels();
  await page.getByRole("button", { name: "scenario" }).first().click();
  assert.deepEqual(await labels(), [...written].sort((one, other) => one.localeCompare(other, "en", { numeric: true })));
  await page.fill("[data-filter] input", "chacha20");
  const found = await labels();
  assert.ok(found.length > 1 && found.every((label) => label.includes("ChaCha20")), found.join());
  // Of another pair, the same rows are shown.
  const before = await page.textContent(".answer");
  await page.selectOption('[name="b"]', { index: 3 });
  await page.waitForFunction((before) => document.querySelector(".answer").textContent !== before, before);
  assert.deepEqual((await labels()).sort(), found.sort());
  assert.deepEqual(problems, []);
  await close();
});

test("a plot of a comparison shows long names in full, each once", async () => {
  // The longest names of the site: 73 characters.
  const report = "2024-11-28-arm64";
  const { page, close } = await visit(COMPARE, { viewport: { width: 320, height: 900 } });
  await page.goto(`${site.url(COMPARE)}#old=${report}:OpenSSL 3.0.14, Debian package&new=${report}:OpenSSL 3.4.0`);
  await page.reload();
  await page.locator("summary", { hasText: "Latency" }).click();
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const names = await page.$$eval(".drawn details[open] .dots tbody th", (all) => all.map((name) => name.textContent));
    assert.deepEqual(names, [...new Set(names)]);
    assert.ok(names.some((name) => name.length > 60));
    const outside = await page.$$eval(".drawn details[open] .dots :is(text, th, td)", (all) => {
      const isOutside = ({ left, right }) => left < 0 || right > innerWidth;
      return all.filter((text) => isOutside(text.getBoundingClientRect())).map((text) => text.textContent);
    });
    assert.deepEqual(outside, [], `at ${width} px`);
  }
  await page.setViewportSize({ width: 320, height: 900 });
  await page.locator(".drawn details[open] .dots").screenshot({ path: join(SHOTS, "compare-names-320.png") });
  await close();
});

test("tables are sorted, filtered and copied by keyboard", async () => {
  const { page, problems, close } = await visit(FIGURES, { permissions: ["clipboard-read", "clipboard-write"] });
  const table = page.locator("table.results").filter({ hasText: "Full handshake" }).first();
  const column = () => table.locator("tbody tr td:nth-child(4)").evaluateAll((all) => all.map((cell) => parseFloat(cell.textContent.replaceAll(",", ""))));
  const written = await column();
  const numbers = (turn) => [...written].sort((a, b) => turn * (a - b));
  assert.ok(written.length > 3);
  await table.locator("thead th:nth-child(4) button").focus();
  for (const [order, expected] of [["descending", numbers(-1)], ["ascending", numbers(1)], [null, written]]) {
    await page.keyboard.press("Enter");
    assert.equal(await table.locator("thead th:nth-child(4)").getAttribute("aria-sort"), order);
    assert.deepEqual(await column(), expected);
  }
  const label = table.locator("tbody th").first();
  await label.evaluate((cell) => (cell.textContent = "a|b [c](https://d) <img> `e` *f* @g www.h"));
  await page.getByRole("button", { name: "Markdown", exact: true }).press("Enter");
  await page.waitForFunction(async () => (await navigator.clipboard.readText()).startsWith("| scenario |"));
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  const plain = "a\\|b \\[c\\](https:&#8203;//d) \\<img\\> \\`e\\` \\*f\\* @&#8203;g www&#8203;.h";
  assert.ok(copied.includes(`| ${plain} |`), copied);
  assert.deepEqual(problems, []);
  await close();
});

test("without a script, tables are as written", async () => {
  const { page, close } = await visit(REPORT, { javaScriptEnabled: false });
  assert.equal(await page.locator(":is(.sort, .tool, .tools)").count(), 0);
  await close();
});

test("html-validate reports no errors", async () => {
  const validate = new HtmlValidate({
    extends: ["html-validate:recommended"],
    rules: {
      // Matters of style.
      "no-trailing-whitespace": "off",
      "long-title": "off",
      "void-style": "off",
      // Scrollable tables are in a focusable element with the role "group" and a label.
      "prefer-native-element": "off",
    },
  });
  const found = [];
  for (const { file, html } of chosen()) {
    const report = await validate.validateString(html, file);
    for (const message of report.results.flatMap((r) => r.messages)) {
      // The HTML standard allows `blocking` on `rel="expect"`, which html-validate does not know yet.
      if (message.message.startsWith('"blocking" attribute cannot be used on <link>')) continue;
      found.push(`${file}:${message.line}: ${message.ruleId}: ${message.message}`);
    }
  }
  assert.deepEqual(found, []);
});
