// Finds Chromium and Firefox, and starts them so that they ask nothing of the network by themselves.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { chromium, firefox } from "playwright-core";

const NAMES = {
  chromium: ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"],
  firefox: ["firefox-esr", "firefox"],
};

/** The browser's path: $CHROMIUM or $FIREFOX, else the first known name on the PATH. */
export function find(browser) {
  const given = process.env[browser.toUpperCase()];
  if (given) return given;
  const folders = (process.env.PATH ?? "").split(delimiter);
  for (const name of NAMES[browser]) {
    const folder = folders.find((f) => existsSync(join(f, name)));
    if (folder) return join(folder, name);
  }
  throw new Error(`there is no ${browser}: run generator/setup, or name one in ${browser.toUpperCase()}`);
}

/** Chromium with a profile of its own, which Playwright removes. */
export function launch() {
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
  return chromium.launch({ executablePath: find("chromium"), headless: true, args });
}

/** Firefox as it is installed, by WebDriver BiDi: Playwright's own protocol needs a Firefox of its own. */
export function launchFirefox(firefoxUserPrefs = {}) {
  return firefox.launch({ executablePath: find("firefox"), channel: "moz-firefox", headless: true, firefoxUserPrefs });
}
