import { launch } from "./browsers.mjs";
import { open } from "./site.mjs";
const site = await open("/");
const browser = await launch();
const shots = JSON.parse(process.env.SHOTS);
for (const [name, path, width, scheme, full] of shots) {
  const context = await browser.newContext({ viewport: { width, height: 1000 }, colorScheme: scheme });
  const page = await context.newPage();
  await page.goto(site.url(path), { waitUntil: "networkidle" });
  await page.screenshot({ path: `/work/wt/shots/${name}.png`, fullPage: Boolean(full) });
  await context.close();
}
await browser.close(); site.close();
