// Tests each kind of page of the built website in Firefox; `make browser` runs it after site.test.mjs.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { launchFirefox } from "./browsers.mjs";
import { COMPARE, FRONT, REPORT, open } from "./site.mjs";

const SHOTS = join(dirname(fileURLToPath(import.meta.url)), "screenshots");
const PAGES = [
  FRONT,
  "perf/index.html",
  REPORT,
  "perf/2026-11-28-x86_64/index.html",
  "perf/implementations/rustls/index.html",
  "perf/scenarios/full-handshakes-1-3-rsa-server/index.html",
  "perf/method/index.html",
  COMPARE,
  "404.html",
];

let browser, site, page, problems;
before(async () => {
  mkdirSync(SHOTS, { recursive: true });
  site = await open("/perf-site/");
  browser = await launchFirefox();
  ({ page, problems } = await site.page(browser));
});
after(async () => {
  await browser?.close();
  site?.close();
});

test("every kind of page renders correctly in Firefox", async () => {
  for (const file of PAGES) {
    await site.load(page, file);
    const broken = await page.evaluate(() => [...document.images].filter((i) => i.complete && i.naturalWidth === 0).map((i) => i.src));
    assert.deepEqual(broken, [], file);
    assert.deepEqual(problems, [], file);
    for (const width of [320, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(scrollWidth <= width, `${file} at ${width} px: the page is ${scrollWidth} px wide`);
      const name = file.replace(/\/?index\.html$/, "").replaceAll("/", "-") || "front";
      await page.screenshot({ path: join(SHOTS, `firefox-${name}-${width}.png`) });
    }
    // For a screenshot Playwright adds a style, which the content security policy forbids.
    problems.length = 0;
  }
});

test("comparison and the front page work in Firefox", async () => {
  await site.load(page, COMPARE);
  const before = await page.textContent(".drawn");
  await page.selectOption('[name="b"]', { index: 3 });
  await page.waitForFunction((text) => document.querySelector(".drawn").textContent !== text, before);
  await page.fill("[data-filter] input", "chacha20");
  assert.match((await page.locator(".drawn tbody tr:visible").allTextContents()).join(), /^(Sending|Receiving), TLS 1.[23], ChaCha20-Poly1305/);
  assert.match(page.url(), /#a=.*&b=/);
  await site.load(page, FRONT);
  const answer = await page.textContent(".answer");
  await page.selectOption('[name="b"]', { index: 2 });
  await page.waitForFunction((text) => document.querySelector(".answer").textContent !== text, answer);
  assert.match(page.url(), /#a=.*&b=/);
  assert.deepEqual(problems, []);
});
