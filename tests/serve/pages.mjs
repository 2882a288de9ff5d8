/* The pages in a real browser. What is to be done outside is asked for on standard output, a line each; what is seen is said
   there as JSON, for the test to compare. */
import { createRequire } from "node:module";

const [packages, link, browserPath] = process.argv.slice(2);
const { chromium } = createRequire(packages + "/")("playwright-core");
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
const page = await context.newPage();
page.setDefaultTimeout(60_000);
const troubles = [];
page.on("pageerror", (error) => troubles.push(String(error)));
page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
const tell = (what, value) => console.log(JSON.stringify([what, value ?? null]));
const tiles = () => page.locator(".tile b").allTextContents();
const done = async () => Number((await tiles())[0].split("/")[0].replaceAll(",", ""));
const go = (hash) => page.evaluate((to) => { location.hash = to; }, hash);

/* The first link: in, and no token left in the address. */
await page.goto(link);
await page.getByRole("link", { name: "late", exact: true }).waitFor();
tell("address", await page.evaluate(() => location.search));

/* Start one, watch it, stop it, resume it. Whatever its page shows at any moment is noted: it must agree with itself. */
await page.evaluate(() => {
  const number = (text) => Number(text.replaceAll(",", ""));
  globalThis.moments = [];
  new MutationObserver(() => {
    const tiles = [...document.querySelectorAll(".tile")];
    if (document.querySelector("h1")?.textContent !== "live" || tiles.length !== 4) return;
    const [done, planned] = tiles[0].querySelector("b").textContent.split("/").map(number), state = tiles[0].textContent.split("runs, ")[1];
    const parts = Object.fromEntries([...document.querySelectorAll("section[aria-label=Progress] .key li")].map((item) => [item.textContent.replace(/^[\d,]+ /, ""), number(item.querySelector("strong").textContent)]));
    const buttons = [...document.querySelectorAll(".actions button")].map((button) => button.textContent);
    globalThis.moments.push({ done, planned, state, parts, failing: number(tiles[2].querySelector("b").textContent), buttons });
  }).observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });
});
await go("#/start");
await page.getByLabel("Build").selectOption("slow");
await page.getByLabel("Worlds").fill("2000");
await page.getByLabel("Name of its folder").fill("live");
await page.getByRole("button", { name: "Start" }).click();
await page.getByRole("heading", { name: "live" }).waitFor();
await page.locator(".tile", { hasText: "runs, running" }).waitFor();
let before = -1;
for (let i = 0; i < 3; i++) {
  await page.waitForFunction((n) => Number(document.querySelector(".tile b").textContent.split("/")[0].replaceAll(",", "")) > n, before);
  before = await done();
}
await page.locator(".card").first().waitFor();
/* Cards are drawn anew as runs come: any picture that is there will do, and one must come. */
await page.waitForFunction(() => [...document.querySelectorAll(".card img")].some((image) => image.naturalWidth > 0));
tell("picture", true);
await page.getByRole("button", { name: "Stop" }).click();
await page.locator(".tile", { hasText: "runs, stopped" }).waitFor();
tell("stopped", { done: await done(), tiles: await tiles() });
await page.getByRole("button", { name: "Resume" }).click();
await page.locator(".tile", { hasText: "runs, running" }).waitFor();
const stopped = await done();
await page.waitForFunction((n) => Number(document.querySelector(".tile b").textContent.split("/")[0].replaceAll(",", "")) > n, stopped);

/* Somebody kills it: the page says so, and what was committed. */
tell("kill");
await page.locator(".tile", { hasText: "runs, stopped" }).waitFor();
await page.getByRole("button", { name: "Resume" }).waitFor();
await page.waitForLoadState("networkidle").catch(() => {});
await page.waitForFunction(() => !document.querySelector(".tile:last-child b").textContent.includes("…"));
tell("killed", { done: await done(), tiles: await tiles() });

/* And from the page it goes on after that, too, until it is stopped. */
const killed = await done();
await page.getByRole("button", { name: "Resume" }).click();
await page.waitForFunction((n) => Number(document.querySelector(".tile b").textContent.split("/")[0].replaceAll(",", "")) > n, killed);
await page.getByRole("button", { name: "Stop" }).click();
await page.locator(".tile", { hasText: "runs, stopped" }).waitFor();
tell("moments", await page.evaluate(() => globalThis.moments));

/* A campaign that somebody else runs: shown, not ours to stop; killed there, the page says so. */
tell("begin outside");
await go("#/campaign/outside");
await page.locator(".tile", { hasText: "runs, running" }).waitFor();
await page.waitForFunction(() => Number(document.querySelector(".tile b").textContent.split("/")[0]) > 3);
tell("not ours", await page.getByRole("button", { name: "Stop" }).isDisabled());
tell("kill outside");
await page.locator(".tile", { hasText: "runs, stopped" }).waitFor();
await page.waitForFunction(() => !document.querySelector(".tile:last-child b").textContent.includes("…"));
tell("outside", { done: await done(), tiles: await tiles() });

/* The table of runs: a filter and a condition are in the address; a mistake is told. */
await go("#/campaign/late/runs");
await page.getByLabel("Ended").selectOption("fail");
await page.getByRole("status").filter({ hasText: /^\d+ runs?$/ }).waitFor();
await page.getByLabel("Condition").fill("parameter.wall_m >= 3");
await page.keyboard.press("Enter");
await page.getByRole("button", { name: /parameter.wall_m >= 3/ }).waitFor();
await page.locator("section[aria-label=Runs] > div:not([aria-busy])").waitFor();
tell("filtered", { address: await page.evaluate(() => location.hash), rows: await page.locator("tbody tr").count() });
await page.getByLabel("Condition").fill("parameter.wal_m > 3");
await page.keyboard.press("Enter");
tell("mistake", await page.getByRole("alert").filter({ hasText: "Did you mean" }).textContent());

/* The player, by keyboard alone. */
await go("#/campaign/late");
await page.locator(".card").first().getByRole("link", { name: "Clearest run" }).click();
const player = page.getByRole("group", { name: /Player/ });
await player.waitFor();
await player.focus();
const now = () => page.locator(".now").textContent();
await page.keyboard.press("Home");
const first = await now();
await page.keyboard.press("ArrowRight");
/* What is shown follows at the next frame. */
await page.waitForFunction((before) => document.querySelector(".now").textContent !== before, first);
const second = await now();
await page.keyboard.press("n");
tell("player", { first, second, address: await page.evaluate(() => location.hash), alarm: await page.locator(".says .alarm").count() });

/* No page is wider than a phone, and each has one main heading. */
await page.setViewportSize({ width: 400, height: 800 });
const wide = [];
for (const hash of ["#/", "#/campaign/late", "#/campaign/late/runs", "#/start", "#/compare?baseline=late&candidate=raises", await page.evaluate(() => location.hash)]) {
  await go(hash);
  await page.locator("h1").waitFor();
  await page.waitForTimeout(300);
  const [over, heads] = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.querySelectorAll("h1").length]);
  if (over > 0 || heads !== 1) wide.push([hash, over, heads]);
}
tell("wide", wide);
/* 404 and 400 are what was asked for on purpose. */
tell("troubles", troubles.filter((words) => !/status of 4\d\d/.test(words)));
await browser.close();
