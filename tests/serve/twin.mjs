/* The page of a twin in a real browser. What is seen is said as JSON, for the test to compare. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [packages, link, browserPath, pictures] = process.argv.slice(2);
const load = createRequire(packages + "/");
const { chromium } = load("playwright-core");
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 }, reducedMotion: "reduce", bypassCSP: true })).newPage();  // axe-core is put into the page
page.setDefaultTimeout(120_000);
const troubles = [];
page.on("pageerror", (error) => troubles.push(String(error)));
page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
const tell = (what, value) => console.log(JSON.stringify([what, value ?? null]));
const axe = readFileSync(load.resolve("axe-core/axe.min.js"), "utf8"), wrong = new Set(), wide = [];

await page.goto(link);
await page.getByRole("heading", { name: /, twin$/ }).waitFor();
tell("address", await page.evaluate(() => location.search));
/* Windows are compared, the baseline is learned, properties are judged. */
await page.locator("svg.residual circle").first().waitFor();
await page.getByRole("cell", { name: /^(unknown|violated|holds)$/ }).first().waitFor();
await page.locator("svg.residual rect.band").first().waitFor();
tell("signals", await page.locator("svg.residual").evaluateAll((all) => all.map((one) => one.getAttribute("aria-label"))));
tell("verdicts", await page.locator("section", { hasText: "Properties" }).locator("tbody tr").allTextContents());
tell("topics", await page.locator("section", { hasText: "What was odd" }).locator("tbody th").allTextContents());
const painted = () => page.locator("canvas.view").evaluate((canvas) => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const colours = new Set();
  for (let i = 0; i < data.length; i += 4) colours.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
  return colours.size;
});
tell("colours", await painted());
await page.getByRole("status").filter({ hasText: "drifting" }).waitFor();
tell("alarm", await page.locator("section", { hasText: "a full bar raises an alarm" }).locator("ul li").first().textContent());
for (const [width, scheme] of [[1280, "light"], [1280, "dark"], [400, "light"], [400, "dark"]]) {
  await page.setViewportSize({ width, height: 900 });
  await page.emulateMedia({ colorScheme: scheme });
  await page.waitForTimeout(300);
  if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wide.push(`${width} ${scheme}`);
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  for (const one of violations) for (const node of one.nodes) wrong.add(`${width} ${scheme} ${one.id}: ${node.any[0]?.message ?? one.help} ${node.target.join(" ")}`);
  if (pictures) await page.screenshot({ path: `${pictures}/twin-${width}-${scheme}.png`, fullPage: true });
}
await page.setViewportSize({ width: 1280, height: 900 });
await page.emulateMedia({ colorScheme: "light" });
await page.getByRole("button", { name: "Stop" }).click();
await page.getByRole("status").filter({ hasText: "ended" }).waitFor();
tell("ended", await page.locator("section[aria-label='What came of it']").textContent());
if (pictures) await page.screenshot({ path: `${pictures}/twin-ended.png`, fullPage: true });
tell("axe", [...wrong]);
tell("wide", wide);
tell("troubles", troubles);
await browser.close();
