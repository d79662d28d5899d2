// Finds Chromium and Firefox, and starts them without background requests to the network.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, firefox } from "playwright-core";

const NAMES = {
  chromium: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  firefox: ["firefox-esr", "firefox"],
};

/** Returns the browser's path: $CHROMIUM or $FIREFOX, else the first known name on the PATH. */
export function find(browser) {
  const given = process.env[browser.toUpperCase()];
  if (given) return given;
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const name of NAMES[browser]) {
    const folder = folders.find((f) => existsSync(join(f, name)));
    if (folder) return join(folder, name);
  }
  throw new Error(`${browser} not found: run generator/tools/setup, or set ${browser.toUpperCase()} to its path`);
}

/** Starts Chromium with a temporary profile, which Playwright removes. */
export function launch() {
  const args = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  // Chromium's sandbox does not work for root, the usual user in a container.
  if (process.getuid?.() === 0) args.push("--no-sandbox");
  return chromium.launch({ executablePath: find("chromium"), headless: true, args });
}

/** Starts the installed Firefox over WebDriver BiDi; Playwright's own protocol requires a patched Firefox. */
export function launchFirefox(firefoxUserPrefs = {}) {
  return firefox.launch({ executablePath: find("firefox"), channel: "moz-firefox", headless: true, firefoxUserPrefs });
}
