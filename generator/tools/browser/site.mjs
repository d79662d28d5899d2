// Builds the website with Zola and serves it below a sub-path, as GitHub Pages does.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
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
export const FIGURES = "perf/2026-03-07-x86_64/figures/index.html";
export const COMPARE = "perf/compare/index.html";
/** Selectors of elements that appear once a page's script has run. */
const SCRIPTED = { [COMPARE]: ".drawn summary" };

/** Builds the site and serves it below `base`, such as `/` or `/perf-site/`. */
export async function open(base) {
  const folder = mkdtempSync(join(tmpdir(), "site-"));
  const { origin, stop } = await listen(folder, base);
  const zola = process.env.ZOLA ?? "zola";
  const output = join(folder, "site");
  try {
    execFileSync(zola, ["build", "--base-url", origin + base.replace(/\/$/, ""), "--output-dir", output], {
      cwd: ROOT,
      stdio: ["ignore", "ignore", "inherit"],
    });
  } catch (error) {
    // A server that listens would keep the tests from ending.
    stop();
    throw error;
  }
  const url = (path) => origin + base + path.replace(/(^|\/)index\.html$/, "$1");

  /** Opens an empty page that collects console messages, errors, and foreign or failed requests in `problems`. */
  async function page(browser, options) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    page.problems = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && page.problems.push(message.text()));
    page.on("pageerror", (error) => page.problems.push(String(error)));
    page.on("request", (request) => {
      if (!request.url().startsWith(origin + base)) page.problems.push(`requests ${request.url()}`);
    });
    page.on("response", (response) => response.status() >= 400 && page.problems.push(`${response.status()} ${response.url()}`));
    await page.addInitScript(() => {
      window.layoutShift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) window.layoutShift += entry.value;
      }).observe({ type: "layout-shift", buffered: true });
    });
    return { page, problems: page.problems, close: () => context.close() };
  }

  async function load(page, file, hasScripts = true) {
    await page.goto(url(file), { waitUntil: "load" });
    if (SCRIPTED[file] && hasScripts) await page.waitForSelector(SCRIPTED[file]);
  }

  return {
    page,
    load,
    async visit(browser, file, options = {}) {
      const visit = await page(browser, options);
      await load(visit.page, file, options.javaScriptEnabled !== false);
      return visit;
    },
    /** The path of each page, relative to the site, with its HTML. */
    pages: files(output)
      .filter((file) => file.endsWith(".html"))
      .map((file) => ({ file: relative(output, file).split(sep).join("/"), html: readFileSync(file, "utf8") })),
    url,
    close() {
      stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Serves the site in `folder` below `base`, with pages as `edit` changes them. */
export async function listen(folder, base, edit = (html) => html) {
  const server = createServer((request, response) => serve(folder, base, edit, request, response));
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, stop };
}

function serve(folder, base, edit, request, response) {
  const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  // A site below a sub-path must not request paths outside it.
  const inside = path.startsWith(base) ? normalize(path.slice(base.length - 1)) : undefined;
  let file = inside === undefined ? undefined : join(folder, "site", inside);
  if (file && isKind(file, "isDirectory") && path.endsWith("/")) file = join(file, "index.html");
  if (!file || !isKind(file, "isFile")) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
  const bytes = readFileSync(file);
  response.end(extname(file) === ".html" ? edit(bytes.toString()) : bytes);
}

function isKind(file, kind) {
  return statSync(file, { throwIfNoEntry: false })?.[kind]() ?? false;
}

export function files(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
}
