/* A campaign of very many runs in a real browser: how long after its data a page is painted. */
import { createRequire } from "node:module";

const [packages, link, browserPath, campaign] = process.argv.slice(2);
const { chromium } = createRequire(packages + "/")("playwright-core");
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
page.setDefaultTimeout(120_000);
const troubles = [];
page.on("pageerror", (error) => troubles.push(String(error)));
await page.goto(link);
await page.getByRole("link", { name: campaign, exact: true }).waitFor();
/* From the end of the last answer that the page needed to the second frame after what it shows is there. */
const painted = (hash, answer, selector) => page.evaluate(([to, wanted, of]) => new Promise((resolve) => {
  performance.clearResourceTimings();
  location.hash = to;
  const look = () => {
    const got = performance.getEntriesByType("resource").filter((one) => one.name.includes(wanted)).at(-1);
    if (!got || !document.querySelector(of)) { requestAnimationFrame(look); return; }
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - got.responseEnd)));
  };
  look();
}), [hash, answer, selector]);
const told = {
  campaign_ms: await painted(`#/campaign/${campaign}`, "/progress", "section[aria-labelledby=h-way] svg.verdicts"),
  runs_ms: await painted(`#/campaign/${campaign}/runs`, "/runs?", "section[aria-label=Runs] tbody tr"),
  findings_ms: await painted(`#/campaign/${campaign}/findings`, "/findings", ".finding"),
};
await page.evaluate((to) => { location.hash = to; }, `#/campaign/${campaign}/runs`);
await page.locator("section[aria-label=Runs] tbody tr").first().waitFor();
told.plots_ms = await page.evaluate(() => new Promise((resolve) => {
  performance.clearResourceTimings();
  document.querySelector(".plots").open = true;
  const look = () => {
    const got = performance.getEntriesByType("resource").filter((one) => one.name.includes("/values")).at(-1), board = document.querySelectorAll(".plots .board")[2];
    if (!got || !board) { requestAnimationFrame(look); return; }
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now() - got.responseEnd)));
  };
  look();
}));
/* Of so many lines, most come frame by frame after the first picture. */
told.whole_ms = await page.evaluate(() => new Promise((resolve) => {
  const got = performance.getEntriesByType("resource").filter((one) => one.name.includes("/values")).at(-1);
  const look = () => {
    if (document.querySelector(".plots .board[data-drawn]")) resolve(performance.now() - got.responseEnd); else requestAnimationFrame(look);
  };
  look();
}));
told.lines = Number(await page.locator(".plots .board[data-drawn]").getAttribute("data-drawn"));
told.drawn = Number(await page.getByRole("img", { name: /Parallel coordinates/ }).getAttribute("aria-label").then((words) => /of (\d+) runs/.exec(words)[1]));
console.log(JSON.stringify(["painted", told]));
console.log(JSON.stringify(["troubles", troubles]));
await browser.close();
