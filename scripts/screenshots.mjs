/* Opens pages of a server in a real browser and keeps what is seen. Called by screenshots.py, which says what and where:
   docs: the pictures of the documentation, as it shows them.
   twin: that of the page of a twin.
   every: each page, light and dark, wide and as a phone, with what axe-core finds wrong with it. */
import { createRequire } from "node:module";

const { web, browser: executablePath, link, out, what, study, viewer, recording, report } = JSON.parse(process.argv[2]);
const load = createRequire(web + "/");
const { chromium } = load("playwright-core");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
const WIDE = { width: 1280, height: 900 }, PHONE = { width: 400, height: 800 };
const context = await browser.newContext({ viewport: WIDE, reducedMotion: "reduce", bypassCSP: true });
const page = await context.newPage();
page.setDefaultTimeout(60_000);
const troubles = [];
page.on("pageerror", (error) => troubles.push(String(error)));
page.on("console", (message) => message.type() === "error" && !/status of 4\d\d/.test(message.text()) && troubles.push(message.text()));
const api = (path) => page.evaluate(async (to) => (await fetch(to)).json(), path);
const q = encodeURIComponent;

await page.goto(link);
if (what !== "twin") await page.locator(".item").first().waitFor();
const home = page.url().split("#")[0];
/* A page of the server, at rest: nothing is being read, and pictures have come. */
async function open(hash) {
  if (!page.url().startsWith(home)) await page.goto(home);
  await page.evaluate((to) => { location.hash = to; }, "#/nowhere");
  await page.evaluate((to) => { location.hash = to; }, hash);
  await page.locator("h1").first().waitFor();
  await page.waitForLoadState("networkidle").catch(() => {});
  await page.waitForFunction(() => !/Reading( the recordings)? …/.test(document.querySelector("main").textContent));
  await page.evaluate(() => { for (const image of document.images) image.loading = "eager"; });
  await page.waitForTimeout(50);
  await page.waitForFunction(() => [...document.images].every((image) => image.offsetParent === null || image.naturalWidth > 0));
  await page.waitForTimeout(400);
}
async function clearest(campaign, name = "F1") {
  const found = (await api(`/api/campaigns/${q(campaign)}/findings`)).find((one) => one.id === name);
  return { run: found.example_run, t: (found.at_s ?? 0).toFixed(2) };
}
async function toRun(campaign, name) { const { run, t } = await clearest(campaign, name); return `#/campaign/${q(campaign)}/run/${run}?t=${t}`; }
/* The same world and repeat in two campaigns: the first whose outcome differs. */
async function pair(a, b) {
  const [flip] = (await api(`/api/compare?baseline=${q(a)}&candidate=${q(b)}`)).flips;
  return `#/pair/${q(a)}/${flip.baseline_run}/${q(b)}/${flip.candidate_run}`;
}
async function space() { await page.getByRole("button", { name: "3D" }).first().click(); await page.locator(".space canvas").waitFor(); await page.waitForTimeout(1500); }
async function liveRun(seconds) {
  await open("#/live");
  await page.getByLabel("Study").selectOption(study);
  await page.getByLabel("Seed").fill("11");
  await page.getByLabel("Wait at the start").check();
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByRole("status").filter({ hasText: "paused" }).waitFor();
  await page.getByRole("button", { name: "Step 1 s" }).click();
  await page.locator('[data-topic="/scan"] input').check();
  await page.getByLabel("Topic").fill("/scan");
  await page.getByLabel("share").fill("1");
  await page.getByLabel("For (s)").fill("4");
  await page.getByRole("button", { name: "Inject" }).click();
  await page.locator("h2", { hasText: "Disturb it" }).locator("~ ul li").first().waitFor();
  await page.getByLabel("Speed").selectOption("10");
  await page.getByRole("button", { name: "Resume" }).click();
  await page.waitForFunction((end) => Number(document.querySelector("p.now").textContent.split(" ")[0]) >= end, seconds);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("status").filter({ hasText: "paused" }).waitFor();
}
async function drop() {
  await page.goto("file://" + viewer);
  await page.locator("input[type=file]").setInputFiles(recording);
  await page.locator(".stage").waitFor();
  await page.locator(".stage").focus();
  for (let i = 0; i < 15; i++) await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(300);
}
async function picture(name, { height, top = true }) {
  await page.setViewportSize({ width: 1280, height });
  await page.mouse.move(2, 2);  /* nothing is hovered over */
  if (top) await page.evaluate(() => { document.activeElement?.blur(); scrollTo(0, 0); });
  await page.waitForTimeout(400);
  await page.screenshot({ path: `${out}/${name}.png` });
}

async function docs() {
  const yard = q(study);
  /* A campaign while it runs: begun here, watched, and stopped afterwards. */
  await open("#/start");
  await page.getByLabel("Study").selectOption(study);
  await page.getByLabel("Worlds").fill("400");
  await page.getByLabel("Repeats of each").fill("3");
  await page.getByLabel("Seed").fill("11");
  await page.getByLabel("Name of its folder").fill("nightly");
  await page.getByRole("button", { name: "Start" }).click();
  await page.locator(".tile", { hasText: "runs, running" }).waitFor();
  await page.waitForFunction(() => Number(document.querySelector(".tile b").textContent.split("/")[0].replaceAll(",", "")) > 250);
  await page.waitForFunction(() => [...document.querySelectorAll(".card img")].filter((image) => image.naturalWidth > 0).length > 2);
  await picture("serve", { height: 1130 });
  await page.getByRole("button", { name: "Stop" }).click();
  await page.locator(".tile", { hasText: "runs, stopped" }).waitFor();
  await open("#/");
  await picture("serve-list", { height: 960 });
  await open("#/campaign/hospital-search");
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.getByRole("heading", { name: "The front" }).evaluate((head) => head.closest("section").scrollIntoView());
  await picture("serve-front", { height: 860, top: false });
  await open("#/campaign/yard/findings");
  await page.locator("#f-F1 details.decide summary").click();
  await page.locator("#f-F1").getByLabel("Because").fill("ticket 112: berth too narrow beside people");
  await page.keyboard.press("Enter");
  await page.locator("#f-F1 .note").waitFor();
  await picture("serve-findings", { height: 920 });
  await open(`#/campaign/yard/runs?${new URLSearchParams({ where: "parameter.people.len >= 1" })}&x=parameter.people.len&y=margin.clear`);
  await picture("serve-plots", { height: 1000 });
  await open("#/history/oz");
  await picture("serve-history", { height: 900 });
  await open("#/compare?baseline=oz-fixed&candidate=oz-release");
  await page.getByRole("button", { name: "margin of P5", exact: true }).click();
  await picture("serve-compare", { height: 1150 });
  await open(`#/world?${new URLSearchParams({ study: "oz", seed: "7" })}`);
  await picture("serve-world", { height: 900 });
  await open("#/space?study=hospital");
  await page.locator("summary", { hasText: "loss packetLoss_robot0" }).click();
  await picture("serve-space", { height: 900 });
  await open(await toRun("oz-release", "F2"));
  await picture("viewer-run", { height: 1060 });
  await open(await toRun("warehouse"));
  await space();
  await picture("viewer-space", { height: 880 });
  await open(await pair("oz-fixed", "oz-release"));
  await page.locator(".stage").first().focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press("Shift+ArrowRight");
  await picture("viewer-pair", { height: 1120 });
  await liveRun(12);
  await picture("live", { height: 1240 });
  await page.setViewportSize(PHONE);
  await page.emulateMedia({ colorScheme: "dark" });
  await open(await toRun("yard"));
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${out}/serve-phone.png` });
  await page.emulateMedia({ colorScheme: "light" });
  await drop();
  await picture("viewer-drop", { height: 1000 });
  await page.goto("file://" + report);
  await picture("report", { height: 1180 });
}

async function every() {
  const yard = encodeURIComponent(study), plots = "x=parameter.trees&y=margin.clear";
  const pages = {
    list: () => open("#/"), start: () => open("#/start"), live: () => liveRun(8), "live-list": () => open("#/live"), missing: () => open("#/campaign/none"),
    campaign: () => open("#/campaign/yard"), "campaign-oz": () => open("#/campaign/oz-release"), "campaign-mana": () => open("#/campaign/mana-faulty"), "campaign-tabletop": () => open("#/campaign/tabletop"),
    "campaign-search": () => open("#/campaign/hospital-search"), "campaign-hospital": () => open("#/campaign/hospital"), "campaign-warehouse": () => open("#/campaign/warehouse"),
    findings: () => open("#/campaign/yard/findings"), "findings-oz": () => open("#/campaign/oz-release/findings"), "findings-tabletop": () => open("#/campaign/tabletop/findings"), "findings-search": () => open("#/campaign/hospital-search/findings"),
    runs: () => open("#/campaign/yard/runs?category=fail&where=" + q("parameter.trees >= 5")), plots: () => open("#/campaign/yard/runs?" + plots), "runs-oz": () => open("#/campaign/oz-release/runs"),
    run: async () => open(await toRun("yard")), "run-oz": async () => open(await toRun("oz-release")), "run-mana": async () => open(await toRun("mana-faulty")), "run-tabletop": async () => open(await toRun("tabletop")),
    "run-hospital": async () => open(await toRun("hospital-search")), "run-warehouse": async () => open(await toRun("warehouse")),
    "run-space": async () => { await open(await toRun("warehouse")); await space(); },
    messages: async () => { await open(await toRun("yard")); await page.getByText("Messages at this time").click(); await page.locator(".topics button", { hasText: "/scan" }).first().click(); await page.getByText("Rows of the timeline").click(); },
    pair: async () => open(await pair("oz-release", "oz-fixed")), compare: () => open("#/compare?baseline=oz-release&candidate=oz-fixed"), "compare-others": () => open("#/compare?baseline=oz-release&candidate=yard"),
    history: () => open("#/history/oz"), world: () => open(`#/world?study=${yard}&seed=7`), "world-oz": () => open("#/world?study=oz&seed=7"), space: () => open("#/space?study=hospital"), "space-yard": () => open(`#/space?study=${yard}`),
    viewer: () => open("#/viewer"), drop, report: () => page.goto("file://" + report),
  };
  const axe = (await import("node:fs")).readFileSync(load.resolve("axe-core/axe.min.js"), "utf8"), found = new Map();
  for (const [name, go] of Object.entries(pages)) {
    if (process.env.ONLY && !new RegExp(process.env.ONLY).test(name)) continue;
    await page.setViewportSize(WIDE);
    await page.emulateMedia({ colorScheme: "light" });
    try { await go(); } catch (error) { console.log(`${name}: ${String(error).split("\n")[0]}`); await page.screenshot({ path: `${out}/${name}-failed.png` }); continue; }
    for (const [look, size] of [["light", WIDE], ["dark", WIDE], ["light", PHONE], ["dark", PHONE]]) {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme: look });
      await page.waitForTimeout(500);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      if (over > 0) console.log(`${name} ${look} ${size.width}: ${over} px too wide`);
      await page.evaluate(axe);
      const told = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
      for (const one of told.violations) for (const node of one.nodes) {
        const key = `${one.id} (${one.impact}): ${node.any[0]?.message.slice(0, 170) ?? one.help}`;
        const at = found.get(key) ?? found.set(key, new Set()).get(key);
        at.add(`${name}-${look}-${size.width} ${node.target.join(" ").slice(0, 90)}`);
      }
      if (look === "light" || size === WIDE || process.env.ALL) await page.screenshot({ path: `${out}/${name}-${look}-${size.width}.png`, fullPage: true });
    }
  }
  for (const [key, at] of found) console.log(`axe ${key}\n    ${[...at].slice(0, 4).join(", ")}${at.size > 4 ? ` and ${at.size - 4} more` : ""}`);
}

/* A property is violated, and what is usual of residuals is known. */
async function twin() {
  await page.getByRole("cell", { name: "violated" }).waitFor();
  await page.locator("svg.residual rect.band").first().waitFor();
  await picture("twin", { height: 1560 });
}

await { docs, every, twin }[what]();
for (const words of troubles) console.log(`error on a page: ${words}`);
await browser.close();
