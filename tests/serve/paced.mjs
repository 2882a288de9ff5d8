/* A live run of a robot that goes with the wall clock, in a real browser. What is seen is said as JSON, for the test to compare. */
import { createRequire } from "node:module";

const [packages, link, browserPath] = process.argv.slice(2);
const { chromium } = createRequire(packages + "/")("playwright-core");
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
page.setDefaultTimeout(60_000);
const troubles = [];
page.on("pageerror", (error) => troubles.push(String(error)));
page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
const tell = (what, value) => console.log(JSON.stringify([what, value ?? null]));
const time = async () => Number((await page.locator("p.now").textContent()).split(" ")[0]);

await page.goto(link);
await page.getByRole("link", { name: "Live", exact: true }).click();
await page.getByRole("button", { name: "Run" }).click();
await page.getByRole("status").filter({ hasText: "running" }).waitFor();
await page.waitForFunction(() => Number(document.querySelector("p.now").textContent.split(" ")[0]) > 0.5);
const from = await time(), began = performance.now();
await page.locator('[data-topic="/pose"] input').check();
await page.locator('[data-topic="/pose"] pre').filter({ hasText: "position" }).waitFor();
const names = ["Pause", "Step", "Step 1 s", "Stop"];
tell("disabled", Object.fromEntries(await Promise.all(names.map(async (name) => [name, await page.getByRole("button", { name, exact: true }).isDisabled()]))));
tell("pace", await page.getByText("goes with the wall clock").textContent());
await page.getByLabel("Topic").fill("/scan");
await page.getByLabel("share").fill("1");
await page.getByLabel("For (s)").fill("1");
await page.getByRole("button", { name: "Inject" }).click();
await page.locator("h2", { hasText: "Disturb it" }).locator("~ ul li").first().waitFor();
tell("injected", await page.locator("h2", { hasText: "Disturb it" }).locator("~ ul li").allTextContents());
await page.waitForFunction((end) => Number(document.querySelector("p.now").textContent.split(" ")[0]) >= end, from + 3);
tell("simulated_s", (await time()) - from);
tell("wall_s", (performance.now() - began) / 1000);
await page.getByRole("button", { name: "Stop" }).click();
await page.getByRole("heading", { name: /after/ }).waitFor();
tell("ended", await page.locator("section[aria-label='What came of it']").textContent());
tell("troubles", troubles);
await browser.close();
