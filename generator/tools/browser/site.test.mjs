// Tests the built website in Chromium: `make browser`. ZOLA and CHROMIUM override the programs used.

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { HtmlValidate } from "html-validate";
import { launch } from "./browsers.mjs";
import { CAPACITY, COMPARE, FRONT, REPORT, SEARCH, open } from "./site.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const SHOTS = join(HERE, "screenshots");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WCAG = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
/** In CSS pixels; 640 is a window of 1280 at a zoom of 200%. */
const WIDTHS = [320, 640, 768, 1280, 1920, 1440];
/** The axe rules that depend most on the width: targets too close to each other, and regions that scroll. */
const LAYOUT = ["target-size", "scrollable-region-focusable"];
/** The width of A4 with margins of 1 cm, in CSS pixels. */
const PORTRAIT = 718;
const LANDSCAPE = 1046;
const KEY_PAGES = [FRONT, "perf/index.html", REPORT, COMPARE, CAPACITY, SEARCH];

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

test("every page renders correctly at every width and in print, light and dark", async () => {
  // The largest page of each kind is checked in both setups, every other page in one.
  const seen = new Set();
  const largestFirst = [...site.pages].sort((a, b) => b.html.length - a.html.length);
  const jobs = largestFirst.flatMap(({ file }, index) => {
    const isFirst = !seen.has(kind(file));
    seen.add(kind(file));
    return (isFirst ? SETUPS : [SETUPS[index % 2]]).map((setup) => ({ file, isFirst, ...setup }));
  });
  assert.ok(jobs.length >= 100, `only ${jobs.length} loads`);
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
  // The graphs drawn by the script use the reader's colours.
  const colours = await page.$$eval(".ratios :is(circle, text, line)", (all) => [
    ...new Set(all.map((e) => getComputedStyle(e)[e.localName === "line" ? "stroke" : "fill"])),
  ]);
  const text = await page.evaluate(() => getComputedStyle(document.body).color);
  assert.deepEqual(colours, [text]);
  assert.equal(await page.evaluate(() => document.getAnimations().length), 0);
  await page.screenshot({ path: join(SHOTS, "compare-forced-colours.png") });
  await page.emulateMedia({ media: "print", forcedColors: "none" });
  await page.goto(site.url(FRONT));
  assert.ok(await page.locator(".dials figcaption").first().isVisible(), "gauges have no titles in print");
  await close();
});

test("Tab reaches every control in order and shows a focus ring", async () => {
  for (const file of ["perf/index.html", REPORT, COMPARE, CAPACITY, SEARCH]) {
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

test("only pages with graphs, search, comparison and capacity use a script", async () => {
  for (const { file, html } of site.pages) {
    const scripts = html.match(/<script(?! type="application\/ld\+json")/g) ?? [];
    const isActive = [SEARCH, COMPARE, CAPACITY].includes(file) || html.includes("graphs.js");
    assert.equal(scripts.length, isActive ? 1 : 0, file);
  }
  for (const [file, field, fallback] of [
    [SEARCH, "#query", ".pages a"],
    [COMPARE, "#compare-form", ".body .changes"],
    [CAPACITY, "#capacity-form", ".body .costs"],
  ]) {
    const { page, close } = await visit(file, { javaScriptEnabled: false });
    assert.ok(await page.locator("p.without-script").isVisible());
    assert.ok(await page.locator(fallback).first().isVisible());
    assert.ok(!(await page.locator(field).isVisible()));
    await close();
  }
});

test("marks of graphs can be pointed at and hidden, also by keyboard", async () => {
  const { page, problems, close } = await visit(REPORT);
  const graph = page.locator(".panels").first();
  const text = () => page.textContent(".tip");
  await graph.locator(".mark .f").first().hover();
  const first = await text();
  assert.match(first, /^\S+ \S+: [\d,.]+ MiB\/s, /);
  await graph.focus();
  await page.keyboard.press("ArrowDown");
  assert.equal(await text(), first);
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await text(), first);
  await page.keyboard.press("Escape");
  assert.equal(await text(), "");
  // The name of a series hides it in all panels, and shows it again.
  const shown = () => graph.locator(".mark:not(.off)").count();
  const all = await shown();
  await graph.locator(".mark .y").first().click();
  const panels = await graph.locator(".panel").count();
  assert.equal(await shown(), all - panels);
  await graph.locator(".mark .y").first().click();
  assert.equal(await shown(), all);
  assert.deepEqual(problems, []);
  await close();
  const without = await visit(REPORT, { javaScriptEnabled: false });
  assert.equal(await without.page.locator(".panels .mark > title").count(), await without.page.locator(".panels .mark").count());
  await without.close();
});

test("the URL stores a comparison and restores it", async () => {
  const { page, problems, close } = await visit(COMPARE);
  const text = () => page.textContent("#compare-result");
  // It opens with a rival as the baseline of rustls, and shows what the page has without scripts.
  assert.match(await page.inputValue('[name="old"]'), /^OpenSSL/);
  assert.match(await page.inputValue('[name="new"]'), /^rustls/);
  const ready = await page.$$eval(".without-script tbody tr", (rows) => rows.map((row) => [row.cells[0].textContent, row.cells[3].firstChild.textContent.trim()]));
  const shown = await page.$$eval("#compare-result > :is(.scroll, details:not(.group)) tbody tr", (rows) => rows.map((row) => [row.cells[0].textContent, row.cells[1].firstChild.textContent.trim()]));
  assert.ok(ready.length > 5);
  assert.deepEqual(shown.sort(), ready.sort());
  await page.selectOption('[name="machine"]', "Xeon E-2386G");
  await page.selectOption('[name="old"]', "OpenSSL 3.2.0, gcc");
  await page.selectOption('[name="new"]', "OpenSSL 3.2.0, clang");
  await page.fill('[name="filter"]', "chacha20");
  await page.waitForFunction(() => document.querySelectorAll("#compare-result tbody tr").length === 2);
  // generator/tests/program/compare_page.rs checks that the verdicts are those of `generator compare`.
  assert.match(await text(), /transfer, 1\.2, chacha20-poly1305, sending/);
  const before = await text();
  const url = page.url();
  assert.match(decodeURIComponent(url), /#old=2026-03-07-x86_64:OpenSSL/);
  const again = await page.context().newPage();
  await again.goto(url);
  await again.waitForFunction(() => document.querySelectorAll("#compare-result tbody tr").length === 2);
  assert.equal(await again.textContent("#compare-result"), before);
  assert.equal(await again.inputValue('[name="filter"]'), "chacha20");
  // An unknown report leaves the first choice.
  await again.goto(`${site.url(COMPARE)}#old=nowhere:none&filter=${encodeURIComponent("<img src=x onerror=alert(1)>")}`);
  await again.reload();
  await again.waitForFunction(() => document.querySelector("#compare-status").textContent === "No scenario matches.");
  assert.deepEqual(problems, []);
  await close();
});

test("graphs of a comparison show long names in full, each once", async () => {
  // The longest names of the site: 73 characters.
  const report = "2024-11-28-arm64";
  const { page, close } = await visit(COMPARE, { viewport: { width: 320, height: 900 } });
  const graphs = await page.$$eval(".ratios", (all) => all.map((graph) => [...graph.querySelectorAll(".name")].map((name) => name.textContent)));
  for (const names of graphs) assert.deepEqual(names, [...new Set(names)]);
  await page.goto(`${site.url(COMPARE)}#old=${report}:OpenSSL 3.0.14, Debian package&new=${report}:OpenSSL 3.4.0&filter=latency`);
  await page.reload();
  await page.waitForSelector(".ratios .name");
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    const outside = await page.$$eval(".ratios .plot text", (all) => {
      const frame = document.querySelector(".ratios").getBoundingClientRect();
      const isOutside = ({ left, right }) => left < frame.left || right > frame.right;
      return all.filter((text) => isOutside(text.getBoundingClientRect())).map((text) => text.textContent);
    });
    assert.deepEqual(outside, [], `at ${width} px`);
    const names = await page.$$eval(".ratios svg > .name", (all) =>
      all.map((name) => {
        const { x, y, width, height } = name.getBBox();
        // In a wide window, names stand left of the plot.
        const room = innerWidth < 768 ? name.ownerSVGElement.clientWidth : name.ownerSVGElement.clientWidth * 0.42;
        return { text: name.textContent, end: x + width, top: y, bottom: y + height, room };
      }),
    );
    assert.ok(names.some(({ text }) => text.length > 60));
    for (const [index, { text, end, bottom, room }] of names.entries()) {
      assert.ok(end <= room, `at ${width} px: ${text} ends at ${end} px of ${room}`);
      assert.ok(bottom <= (names[index + 1]?.top ?? Infinity), `at ${width} px: ${text} overlaps the next name`);
    }
  }
  await page.setViewportSize({ width: 320, height: 900 });
  await page.locator(".ratios").screenshot({ path: join(SHOTS, "compare-names-320.png") });
  await close();
});

test("gauges are large enough for their text, and long words break", async () => {
  for (const width of WIDTHS) {
    const { page, close } = await visit(FRONT, { viewport: { width, height: 900 } });
    // Below 80% of its natural width a graph switches to larger text, which does not fit into a gauge.
    const sizes = await page.$$eval(".dials figure:not(.across) img", (all) => all.map((image) => image.clientWidth / image.naturalWidth));
    assert.ok(sizes.length > 0 && Math.min(...sizes) > 0.8, `at ${width} px: ${sizes}`);
    await close();
  }
  const { page, close } = await visit("perf/index.html", { viewport: { width: 320, height: 900 } });
  await page.$eval(".highlights a", (link) => (link.textContent = "Benchmark/Of/One/Word".repeat(4)));
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320);
  await close();
});

test("the URL stores a load and restores it", async () => {
  const { page, problems, close } = await visit(CAPACITY);
  const text = (selector) => page.textContent(selector);
  // The costs are those of the report's rates, and the calculator adds them up.
  const url = await page.$eval(".note a", (link) => `${link.href}data.json`);
  const { figures, implementations } = await page.evaluate(async (url) => (await fetch(url)).json(), url);
  const library = (await page.locator(".costs").first().locator("thead th").allTextContents())[1];
  assert.ok(library.startsWith(`${implementations[0].name} ${implementations[0].version}`), library);
  const costs = { mebibyte: ["transfer, 1.3, aes-256-gcm, sending", "MiB/s", "MiB sent"] };
  costs.full = ["full handshakes, 1.3, ecdsa, x25519mlkem768, server", "handshakes/s", "full handshake, ECDSA, post-quantum"];
  costs.resumed = ["resumed handshakes, 1.3, ticket, server", "handshakes/s", "resumed handshake, default"];
  for (const [item, [scenario, unit, label]] of Object.entries(costs)) {
    const rate = figures.find((f) => f.implementation === 0 && f.scenario === scenario && f.unit === unit).estimate;
    const row = page.locator(".costs").first().locator("tr", { hasText: label });
    const cost = parseInt(await row.locator("td").first().textContent());
    assert.equal(cost, Math.round(1e6 / rate), label);
    costs[item] = cost / 1e6;
  }
  const cores = 500 * costs.full + 500 * costs.resumed + (5e9 / 8 / 1048576) * costs.mebibyte;
  const shown = page.locator("#capacity-result tr", { hasText: library }).locator("td").first();
  assert.equal(parseFloat(await shown.textContent()), Number(cores.toFixed(3)));
  await page.fill('[name="connections"]', "20000");
  await page.selectOption('[name="key"]', "RSA");
  await page.uncheck('[name="pq"]');
  await page.selectOption('[name="machine"]', { index: 1 });
  const before = await text("#capacity-result");
  const again = await page.context().newPage();
  await again.goto(page.url());
  await again.waitForSelector("#capacity-result table");
  assert.equal(await again.textContent("#capacity-result"), before);
  assert.match(page.url(), /machine=.*key=RSA&connections=20000/);
  await page.fill('[name="resumed"]', "101");
  assert.match(await text("#capacity-status"), /out of range/);
  assert.deepEqual(problems, []);
  await close();
});

test("the URL stores a search and restores it", async () => {
  const { page, problems, close } = await visit(SEARCH);
  await page.fill("#query", "boringssl arm64");
  await page.waitForSelector("#found li");
  assert.equal(new URL(page.url()).searchParams.get("q"), "boringssl arm64");
  assert.match(await page.textContent("#found a"), /BoringSSL.*arm64/);
  await page.reload();
  await page.waitForSelector("#found li");
  assert.equal(await page.inputValue("#query"), "boringssl arm64");
  await page.click("#found a");
  assert.match(page.url(), /2024-10-31-arm64/);
  await page.goBack();
  await page.fill("#query", '<img src=x onerror="alert(1)">');
  await page.waitForFunction(() => document.getElementById("count").textContent === "Nothing found.");
  assert.deepEqual(problems, []);
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
  for (const { file, html } of site.pages) {
    const report = await validate.validateString(html, file);
    for (const message of report.results.flatMap((r) => r.messages)) {
      // The HTML standard allows `blocking` on `rel="expect"`, which html-validate does not know yet.
      if (message.message.startsWith('"blocking" attribute cannot be used on <link>')) continue;
      found.push(`${file}:${message.line}: ${message.ruleId}: ${message.message}`);
    }
  }
  assert.deepEqual(found, []);
});
