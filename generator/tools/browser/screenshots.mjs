// Takes the screenshots in the README from a fresh build of the site, and draws the picture of links to it.

import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { launch } from "./browsers.mjs";
import { open } from "./site.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const SHOTS = [
  { name: "home", path: "index.html", colorScheme: "dark", height: 1000 },
];

const site = await open("/");
const browser = await launch();
for (const { name, path, colorScheme, height } of SHOTS) {
  const context = await browser.newContext({ viewport: { width: 1200, height }, colorScheme });
  const page = await context.newPage();
  await page.goto(site.url(path), { waitUntil: "networkidle" });
  await page.screenshot({ path: join(HERE, `${name}.png`) });
  await context.close();
}
const card = await browser.newPage({ viewport: { width: 1200, height: 630 } });
await card.goto(pathToFileURL(join(HERE, "card.svg")).href);
await card.screenshot({ path: join(HERE, "../../../static/card.png") });
await browser.close();
site.close();
