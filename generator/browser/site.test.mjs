// The built website in a real browser.
//
//     make browser          ZOLA and CHROMIUM may name the programs to use

import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { HtmlValidate } from "html-validate";
import { launch } from "./chromium.mjs";
import { open } from "./site.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const SHOTS = join(HERE, "screenshots");
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WCAG = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa"];
const WIDTHS = [320, 768, 1440];
const REPORT = "perf/2026-03-07-x86_64/index.html";
const COMPARE = "perf/compare/index.html";
const CAPACITY = "perf/capacity/index.html";
const SEARCH = "search/index.html";
const KEY_PAGES = ["index.html", "perf/index.html", REPORT, COMPARE, CAPACITY, SEARCH];

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

/** Opens a page that keeps account of what must not happen. */
async function visit(file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const wrong = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && wrong.push(message.text()));
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(site.origin + site.base)) wrong.push(`asks for ${request.url()}`);
  });
  page.on("response", (response) => response.status() >= 400 && wrong.push(`${response.status()} ${response.url()}`));
  await page.addInitScript(() => {
    window.shift = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) window.shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(site.address(file), { waitUntil: "load" });
  if (file === COMPARE && options.javaScriptEnabled !== false) await page.waitForSelector("#compare-result table");
  if (file === CAPACITY && options.javaScriptEnabled !== false) await page.waitForSelector("#capacity-result table");
  return { page, wrong, close: () => context.close() };
}

/** Contrast depends on the scheme, and what there is to see on the width: these two see all of both. */
const CORNERS = [
  { width: 320, colorScheme: "dark" },
  { width: 1440, colorScheme: "light" },
];
/** Pages of histories differ in their figures alone: each is seen in one corner, every kind in both. */
const HISTORY = /^perf\/(changes|implementations|scenarios)\/[^/]+\//;

/** Loads a page in one corner, then looks at it there and, of that scheme, at every width. */
async function check({ file, width, colorScheme }) {
  const { page, wrong, close } = await visit(file, { colorScheme, viewport: { width, height: 900 } });
  const what = `${file} at ${width} px, ${colorScheme}`;
  const seen = await page.evaluate(() => ({
    shift: window.shift,
    images: [...document.images].filter((i) => i.complete && i.naturalWidth === 0).map((i) => i.src),
  }));
  assert.deepEqual(seen.images, [], `${what}: broken images`);
  // A long table that comes in pieces is laid out again; 0.1 is what web.dev calls good.
  assert.ok(seen.shift < 0.05, `${what}: the layout shifts by ${seen.shift}`);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate((values) => axe.run({ runOnly: { type: "tag", values } }), WCAG);
  assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes[0].html.slice(0, 200)}`), [], what);
  for (const now of WIDTHS) {
    await page.setViewportSize({ width: now, height: 900 });
    const taken = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(taken <= now, `${file} at ${now} px: the page is ${taken} px wide`);
    if (KEY_PAGES.includes(file)) {
      const name = file.replace(/\/?index\.html$/, "").replaceAll("/", "-") || "front";
      await page.screenshot({ path: join(SHOTS, `${name}-${now}-${colorScheme}.png`) });
    }
  }
  assert.deepEqual(wrong, [], what);
  await close();
}

test("every page is sound at every width, light and dark", async () => {
  const jobs = site.pages.flatMap(({ file }, index) =>
    (HISTORY.test(file) ? [CORNERS[index % 2]] : CORNERS).map((corner) => ({ file, ...corner })),
  );
  assert.ok(jobs.length >= 60, `only ${jobs.length} loads`);
  const next = jobs.values();
  const worker = async () => {
    for (const job of next) await check(job);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
});

test("the keyboard reaches everything in order, and shows where it is", async () => {
  for (const file of ["perf/index.html", REPORT, COMPARE, CAPACITY, SEARCH]) {
    const { page, close } = await visit(file, { viewport: { width: 768, height: 900 } });
    const wanted = await page.evaluate(() => {
      const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")];
      const there = all.filter((e) => e.checkVisibility());
      there.forEach((e, index) => e.setAttribute("data-stop", index));
      return there.length;
    });
    for (let stop = 0; stop < wanted; stop += 1) {
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
    assert.ok(wanted > 5, `${file}: ${wanted} stops`);
    await close();
  }
});

test("nothing but search, comparison and capacity needs a script", async () => {
  for (const { file, html } of site.pages) {
    const scripts = html.match(/<script(?! type="application\/ld\+json")/g) ?? [];
    assert.equal(scripts.length, [SEARCH, COMPARE, CAPACITY].includes(file) ? 1 : 0, file);
  }
  for (const [file, field, instead] of [
    [SEARCH, "#query", ".pages a"],
    [COMPARE, "#compare-form", ".body li a"],
    [CAPACITY, "#capacity-form", ".body table"],
  ]) {
    const { page, close } = await visit(file, { javaScriptEnabled: false });
    assert.ok(await page.locator(".without-script").isVisible());
    assert.ok(await page.locator(instead).first().isVisible());
    assert.ok(!(await page.locator(field).isVisible()));
    await close();
  }
});

test("a comparison is in the address, and the address restores it", async () => {
  const { page, wrong, close } = await visit(COMPARE);
  const text = () => page.textContent("#compare-result");
  const choose = async (name, value) => {
    await page.selectOption(`[name="${name}"]`, value);
    await page.waitForFunction(() => document.querySelector("#compare-status").textContent !== "Loading …");
  };
  await choose("old-report", "2023-12-13-x86_64");
  await choose("old-implementation", "OpenSSL 3.2.0, gcc");
  await choose("new-report", "2023-12-13-x86_64");
  await choose("new-implementation", "OpenSSL 3.2.0, clang");
  await page.fill('[name="filter"]', "chacha20");
  await page.waitForFunction(() => document.querySelectorAll("#compare-result tbody tr").length === 2);
  // What `generator compare` prints of these two, see generator/tests/program/compare_page.rs.
  assert.match(await text(), /transfer, 1\.2, chacha20-poly1305, sending/);
  const before = await text();
  const address = page.url();
  assert.match(decodeURIComponent(address), /#old=2023-12-13-x86_64:OpenSSL/);
  const again = await page.context().newPage();
  await again.goto(address);
  await again.waitForFunction(() => document.querySelectorAll("#compare-result tbody tr").length === 2);
  assert.equal(await again.textContent("#compare-result"), before);
  assert.equal(await again.inputValue('[name="filter"]'), "chacha20");
  // A report that is gone leaves what the page starts with.
  await again.goto(`${site.address(COMPARE)}#old=nowhere:none&filter=${encodeURIComponent("<img src=x onerror=alert(1)>")}`);
  await again.reload();
  await again.waitForFunction(() => document.querySelector("#compare-result").textContent === "No scenario fits.");
  assert.deepEqual(wrong, []);
  await close();
});

test("a load is in the address, and the address restores it", async () => {
  const { page, wrong, close } = await visit(CAPACITY);
  const text = (selector) => page.textContent(selector);
  // The form starts with the first prepared case, whose table the generator wrote.
  const rows = (table) => table.evaluateAll((all) => all.map((tr) => tr.textContent));
  assert.deepEqual(await rows(page.locator("#capacity-result tbody tr")), await rows(page.locator(".body > .scroll").first().locator("tbody tr")));
  await page.fill('[name="connections"]', "20000");
  await page.selectOption('[name="key"]', "rsa");
  await page.uncheck('[name="pq"]');
  await page.selectOption('[name="machine"]', { index: 1 });
  const before = await text("#capacity-result");
  const again = await page.context().newPage();
  await again.goto(page.url());
  await again.waitForSelector("#capacity-result table");
  assert.equal(await again.textContent("#capacity-result"), before);
  assert.match(page.url(), /connections=20000&.*key=rsa&machine=/);
  await page.fill('[name="resumed"]', "101");
  assert.match(await text("#capacity-status"), /out of range/);
  assert.deepEqual(wrong, []);
  await close();
});

test("a search is in the address, and the address restores it", async () => {
  const { page, wrong, close } = await visit(SEARCH);
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
  assert.deepEqual(wrong, []);
  await close();
});

test("every link of the site leads to a page, and to a place on it", async () => {
  const ids = new Map(
    site.pages.map(({ file, html }) => [site.address(file), new Set([...html.matchAll(/ id="([^"]+)"/g)].map((m) => m[1]))]),
  );
  const known = new Map();
  const broken = [];
  let links = 0;
  for (const { file, html } of site.pages) {
    const here = site.address(file);
    for (const [, raw] of html.matchAll(/ (?:href|src)="([^"]+)"/g)) {
      const url = new URL(raw.replaceAll(/&amp;|&#38;/g, "&").replaceAll("&#x2F;", "/"), here);
      if (url.origin !== site.origin) continue;
      links += 1;
      const anchor = decodeURIComponent(url.hash.slice(1));
      url.hash = "";
      if (!known.has(url.href)) known.set(url.href, (await fetch(url)).ok);
      // What the compare page is to show is no place on it.
      const choice = anchor.startsWith("old=");
      const place = anchor === "" || choice || ids.get(url.href)?.has(anchor);
      if (!known.get(url.href) || !place) broken.push(`${file}: ${raw}`);
    }
  }
  assert.deepEqual(broken, []);
  assert.ok(links > 400, `only ${links} links`);
});

test("html-validate finds nothing", async () => {
  const validate = new HtmlValidate({
    extends: ["html-validate:recommended"],
    rules: {
      // Matters of taste: how entities, long lines and void elements are written.
      "no-trailing-whitespace": "off",
      "long-title": "off",
      "void-style": "off",
      // A group that scrolls is reached by Tab; its name tells what it is.
      "prefer-native-element": "off",
    },
  });
  const found = [];
  for (const { file, html } of site.pages) {
    const report = await validate.validateString(html, file);
    for (const message of report.results.flatMap((r) => r.messages)) {
      found.push(`${file}:${message.line}: ${message.ruleId}: ${message.message}`);
    }
  }
  assert.deepEqual(found, []);
});
