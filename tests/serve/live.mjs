/* A live run in a real browser: begun, held, stepped, disturbed. What is seen is said as JSON, for the test to compare. */
import { createRequire } from "node:module";

const [packages, link, browserPath, pictures] = process.argv.slice(2);
const { chromium } = createRequire(packages + "/")("playwright-core");
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
page.setDefaultTimeout(60_000);
const troubles = [];
page.on("pageerror", (error) => troubles.push(String(error)));
page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
const tell = (what, value) => console.log(JSON.stringify([what, value ?? null]));
const time = async () => Number((await page.locator("p.now").textContent()).split(" ")[0]);
const picture = async (name) => { if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true }); };

await page.goto(link);
await page.getByRole("link", { name: "Live", exact: true }).click();
await page.getByLabel("Wait at the start").check();
if (pictures) await page.getByLabel("Seed").fill("11"); else await page.getByLabel("Build").selectOption("late");
await picture("live-start");
await page.getByRole("button", { name: "Run" }).click();
await page.getByRole("status").filter({ hasText: "paused" }).waitFor();
tell("start", await time());
await page.getByRole("button", { name: "Step 1 s" }).click();
await page.waitForFunction(() => Number(document.querySelector("p.now").textContent.split(" ")[0]) >= 1);
tell("stepped", await time());

/* A topic that is not there: told in words. Then one that is. */
await page.getByLabel("Topic").fill(pictures ? "/scann" : "/gapp");
await page.getByRole("button", { name: "Inject" }).click();
await page.getByRole("alert").waitFor();
tell("mistake", await page.getByRole("alert").textContent());
const topic = pictures ? "/scan" : "/gap";
await page.locator(`[data-topic="${topic}"] input`).check();
await page.getByLabel("Topic").fill(topic);
await page.getByLabel("share").fill("1");
await page.getByLabel("For (s)").fill(pictures ? "4" : "0.3");
await page.getByRole("button", { name: "Inject" }).click();
await page.locator("h2", { hasText: "Disturb it" }).locator("~ ul li").first().waitFor();
tell("injected", await page.locator("h2", { hasText: "Disturb it" }).locator("~ ul li").allTextContents());
await page.getByRole("button", { name: "Step", exact: true }).click();
await page.getByLabel("Speed").selectOption(pictures ? "5" : "1");
await page.keyboard.press("Tab");
await page.getByRole("button", { name: "Resume" }).click();
await page.getByRole("status").filter({ hasText: "running" }).waitFor();
await page.locator(`[data-topic="${topic}"] pre`).filter({ hasText: pictures ? "ranges" : "data" }).waitFor();
if (pictures) {
  await page.waitForFunction(() => Number(document.querySelector("p.now").textContent.split(" ")[0]) >= 12);
  await picture("live");
  await page.setViewportSize({ width: 400, height: 800 });
  await page.emulateMedia({ colorScheme: "dark" });
  await picture("live-400-dark");
}
tell("wide", await page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
await page.getByLabel("Speed").selectOption("0");
await page.getByRole("heading", { name: /after/ }).waitFor();
tell("ended", await page.locator("section[aria-label='What came of it']").textContent());
await picture("live-ended");
tell("troubles", troubles);
await browser.close();
