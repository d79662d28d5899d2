// Finds a Chromium and starts it so that it asks nothing of the network by itself.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The browser's path: $CHROMIUM, else the first known name on the PATH. */
export function find() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const name of NAMES) {
    const folder = folders.find((f) => existsSync(join(f, name)));
    if (folder) return join(folder, name);
  }
  return undefined;
}

/** A browser with a profile of its own, which Playwright removes. */
export function launch(executablePath = find()) {
  if (!executablePath) {
    throw new Error("there is no Chromium: install one (Debian: apt-get install chromium), or name one in CHROMIUM");
  }
  const args = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  // Chromium refuses its sandbox to root, which is who runs tests in a container.
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  return chromium.launch({ executablePath, headless: true, args });
}
