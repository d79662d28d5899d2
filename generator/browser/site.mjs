// The website, built by Zola below a sub-path and served as GitHub Pages would.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const TYPES = {
  ".css": "text/css",
  ".csv": "text/csv",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".xml": "application/xml",
};

export const FRONT = "index.html";
export const REPORT = "perf/2026-03-07-x86_64/index.html";
export const COMPARE = "perf/compare/index.html";
export const CAPACITY = "perf/capacity/index.html";
export const SEARCH = "search/index.html";
/** What a page's script adds to it. */
const ADDED = { [COMPARE]: "#compare-result table", [CAPACITY]: "#capacity-result table" };

/** Builds and serves the site below `base`, such as `/` or `/perf-site/`. */
export async function open(base) {
  const folder = mkdtempSync(join(tmpdir(), "site-"));
  const server = createServer((request, response) => serve(folder, base, request, response));
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const zola = process.env.ZOLA ?? "zola";
  const output = join(folder, "site");
  execFileSync(zola, ["build", "--base-url", origin + base.replace(/\/$/, ""), "--output-dir", output], {
    cwd: ROOT,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const address = (path) => origin + base + path.replace(/(^|\/)index\.html$/, "$1");

  /** An empty page that keeps account of what must not happen. */
  async function page(browser, options) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    page.wrong = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.wrong.push(message.text()));
    page.on("pageerror", (error) => page.wrong.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith(origin + base)) page.wrong.push(`asks for ${request.url()}`);
    });
    page.on("response", (response) => response.status() >= 400 && page.wrong.push(`${response.status()} ${response.url()}`));
    await page.addInitScript(() => {
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.shift += entry.value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    return { page, wrong: page.wrong, close: () => context.close() };
  }

  async function load(page, file, hasScripts = true) {
    await page.goto(address(file), { waitUntil: "load" });
    if (ADDED[file] && hasScripts) await page.waitForSelector(ADDED[file]);
  }

  return {
    page,
    load,
    async visit(browser, file, options = {}) {
      const visit = await page(browser, options);
      await load(visit.page, file, options.javaScriptEnabled !== false);
      return visit;
    },
    /** Every page's file, relative to the site, with its HTML. */
    pages: files(output)
      .filter((file) => file.endsWith(".html"))
      .map((file) => ({ file: relative(output, file).split(sep).join("/"), html: readFileSync(file, "utf8") })),
    address,
    close() {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true });
    },
  };
}

function serve(folder, base, request, response) {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  // Paths without the base are those that a site below a sub-path must not ask for.
  const inside = path.startsWith(base) ? normalize(path.slice(base.length - 1)) : undefined;
  let file = inside === undefined ? undefined : join(folder, "site", inside);
  if (file && isKind(file, "isDirectory") && path.endsWith("/")) file = join(file, "index.html");
  if (!file || !isKind(file, "isFile")) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
  response.end(readFileSync(file));
}

function isKind(file, kind) {
  return statSync(file, { throwIfNoEntry: false })?.[kind]() ?? false;
}

function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
}
