/* Opens every page of a server and clicks everything on it. Says whether a script of a payload ever ran. */
import { createRequire } from "node:module";

const [packages, link, browserPath, mark, payload] = process.argv.slice(2);
const { chromium } = createRequire(packages + "/")("playwright-core");
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
const page = await context.newPage();
const told = { pages: 0, clicks: 0, reached: 0, ran: 0, errors: [], control: false };
page.on("pageerror", (error) => told.errors.push(String(error)));
page.on("dialog", (dialog) => void dialog.dismiss());
/* A page that lets the payload in must show it: else nothing here would ever be found. */
await page.setContent(`<p>${payload}</p>`);
await page.waitForTimeout(300);
told.control = await page.evaluate((name) => document.documentElement.hasAttribute(name), mark);
await page.goto(link);
await page.locator(".item").nth(1).waitFor();
const campaigns = await page.evaluate(async () => (await (await fetch("/api/campaigns")).json()).map(({ id, study }) => ({ id, study })));
const [one, two] = campaigns, run = await page.evaluate(async (id) => (await (await fetch(`/api/campaigns/${encodeURIComponent(id)}/runs`)).json()).rows[0][0], one.id);
const q = encodeURIComponent;
const hashes = ["#/", `#/campaign/${q(one.id)}`, `#/campaign/${q(two.id)}/findings`, `#/campaign/${q(one.id)}/runs?x=wall_s&y=simulated_s`, `#/campaign/${q(one.id)}/run/${q(run)}`,
  `#/compare?baseline=${q(one.id)}&candidate=${q(two.id)}`, `#/history/${q(one.study)}`, `#/history/${q(payload)}`, `#/campaign/${q(payload)}`, `#/world?study=${q(payload)}&descriptor=${q(payload)}`, `#/space?study=${q(payload)}`, "#/start", `#/${q(payload)}`];
for (const hash of hashes) {
  await page.evaluate((to) => { location.hash = to; }, hash);
  await page.locator("h1").first().waitFor();
  await page.waitForTimeout(1500);
  const found = await page.evaluate(async (name) => {
    let clicks = 0;
    const reached = [...document.querySelectorAll("main *")].filter((element) => [...element.childNodes].some((child) => child.nodeType === 3 && child.data.includes(name))).length;
    const all = [...document.querySelectorAll("main button, main summary, main select, main input, main canvas, main [tabindex], main label")].slice(0, 400);
    for (const element of all) {
      if (!element.isConnected || element.closest("form.start")) continue;
      clicks++;
      element.click();
      element.dispatchEvent(new Event("mousemove"));
      if (element instanceof HTMLSelectElement || element instanceof HTMLInputElement) element.dispatchEvent(new Event("change", { bubbles: true }));
      if (clicks % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 30));
    }
    await new Promise((resolve) => setTimeout(resolve, 600));
    return { clicks, reached, ran: document.documentElement.hasAttribute(name) };
  }, mark);
  told.pages++;
  told.clicks += found.clicks;
  told.reached += found.reached;
  told.ran += found.ran;
}
console.log(JSON.stringify(told));
await browser.close();
