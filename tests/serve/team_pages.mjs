/* The pages that a team works with, in a real browser: comparison, history, findings, plots, editors. What is seen is said on
   standard output as JSON, a line each, for the test to compare. Given a folder, a picture of each page is put there. */
import { createRequire } from "node:module";

const [packages, link, browserPath, study, pictures] = process.argv.slice(2);
const { chromium } = createRequire(packages + "/")("playwright-core");
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--disable-gpu"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, bypassCSP: true });  // axe-core is put into the page
const page = await context.newPage();
page.setDefaultTimeout(60_000);
const troubles = [];
page.on("pageerror", (error) => troubles.push(String(error)));
page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
const tell = (what, value) => console.log(JSON.stringify([what, value ?? null]));
const go = (hash) => page.evaluate((to) => { location.hash = to; }, hash);
const drawn = (selector) => page.waitForFunction((of) => [...document.querySelectorAll(of)].some((board) => {
  const data = board.getContext("2d").getImageData(0, 0, board.width, board.height).data;
  for (let i = 3; i < data.length; i += 4) if (data[i] > 0) return true;
  return false;
}), selector);

await page.goto(link);
await page.getByRole("link", { name: "late", exact: true }).waitFor();

/* Comparison: the verdict, every flip with both runs, a measure chosen by keyboard shows its worlds. */
await go("#/compare?baseline=raises&candidate=late");
await page.getByRole("heading", { name: "Runs that ended otherwise" }).waitFor();
await drawn(".board");
const flips = await page.locator("section[aria-labelledby=h-flips] tbody tr").count();
const measure = page.getByRole("button", { name: "outcome", exact: true });
await measure.focus();
await page.keyboard.press("Enter");
await page.getByRole("heading", { name: "outcome, world by world" }).waitFor();
const pairs = await page.locator("section[aria-label='World by world'] tbody tr").count();
await page.locator("section[aria-labelledby=h-flips]").getByRole("link", { name: "after" }).first().click();
await page.getByRole("heading", { name: /repeat/ }).waitFor();
tell("compared", { flips, pairs, opened: (await page.evaluate(() => location.hash)).startsWith("#/campaign/late/run/") });

/* History. */
await go("#/history/toy");
await page.getByRole("heading", { name: "Findings over time" }).waitFor();
tell("history", { charts: await page.locator("svg.trend").count(), cases: await page.locator("section[aria-labelledby=h-cases] tbody tr").count(), points: await page.locator("section[aria-labelledby=h-all] tbody tr").count() });

/* Findings: mechanisms, and a decision that is kept, by keyboard alone. */
await go("#/campaign/late/findings");
await page.getByRole("columnheader", { name: "Mechanism" }).first().waitFor();
const mechanisms = await page.locator("#f-F1 tbody tr").allTextContents();
await page.locator("#f-F1 details.decide summary").focus();
await page.keyboard.press("Enter");
await page.locator("#f-F1").getByLabel("It is").selectOption("rig");
await page.locator("#f-F1").getByLabel("Because").fill("<img src=x onerror=alert(1)> ticket 7");
await page.keyboard.press("Enter");
await page.locator("#f-F1 .note", { hasText: "ticket 7" }).waitFor();
tell("decided", { mechanisms, note: await page.locator("#f-F1 .note").textContent(), images: await page.locator("#f-F1 .note img").count() });
await go("#/campaign/late");
await page.locator(".card .tag", { hasText: "rig" }).first().waitFor();

/* Plots: drawn, brushed, and what was brushed becomes a condition of the table. */
await go("#/campaign/late/runs?x=parameter.wall_m&y=margin.gap");
await page.locator(".plots .board").nth(2).waitFor();
await drawn(".plots figure:last-of-type .board");
const all = await page.getByRole("status").filter({ hasText: /^\d+ runs?$/ }).textContent();
const lines = page.getByRole("img", { name: /Parallel coordinates/ });
await lines.scrollIntoViewIfNeeded();
const box = await lines.boundingBox();
await page.mouse.move(box.x + 46, box.y + 60);
await page.mouse.down();
await page.mouse.move(box.x + 46, box.y + 180, { steps: 4 });
await page.mouse.up();
await page.getByRole("button", { name: "Keep only these runs" }).click();
await page.locator(".chip", { hasText: "parameter.wall_m >=" }).waitFor();
await page.locator("section[aria-label=Runs] > div:not([aria-busy])").waitFor();
tell("brushed", { all, chips: await page.locator(".chip").allTextContents(), rows: await page.locator("section[aria-label=Runs] tbody tr").count() });

/* A run that was not kept: simulated again, then played. */
const bare = await page.evaluate(async () => (await (await fetch("/api/campaigns/bare/runs")).json()).rows[0][0]);
await go(`#/campaign/bare/run/${bare}`);
await page.getByRole("button", { name: "Simulate again" }).click();
await page.getByRole("group", { name: /Player/ }).waitFor();
tell("again", true);

/* A world found with sliders that makes the robot fail. */
await go(`#/world?${new URLSearchParams({ study })}`);
await page.waitForFunction(() => document.querySelector("img.shot")?.naturalWidth > 0);
const descriptor = () => page.getByLabel("Descriptor").inputValue();
const before = await descriptor();
const slider = page.getByRole("slider", { name: "pushes, slider" });
await slider.focus();
await page.keyboard.press("End");
await page.waitForFunction((old) => document.querySelector("textarea[name=descriptor]").value !== old, before);
const pushed = await descriptor();
await page.getByLabel("Descriptor").fill("2.4-5-damp");
await page.getByLabel("Seed of the campaign").focus();
const rejected = await page.getByRole("alert").textContent();
const disabled = await page.getByRole("button", { name: "Run this world" }).isDisabled();
await page.getByLabel("Descriptor").fill("2.45-5-dry");
await page.getByLabel("Seed of the campaign").focus();
await page.waitForFunction(() => !document.querySelector(".start2 button.primary").disabled);
const slid = await slider.inputValue(), wall = await page.getByRole("spinbutton", { name: "wall_m" }).inputValue();
if (pictures) await page.screenshot({ path: `${pictures}/world.png` });
await page.getByLabel("Build").selectOption("late");
await page.getByLabel("Runs of it").fill("8");
await page.getByRole("button", { name: "Run this world" }).click();
await page.locator(".tile", { hasText: "runs, done" }).waitFor();
await page.waitForFunction(() => !document.querySelector(".tile:last-child b").textContent.includes("…"));
tell("world", { pushed, rejected, disabled, slid, wall, tiles: await page.locator(".tile b").allTextContents(), heading: await page.getByRole("heading", { level: 1 }).textContent() });

/* A testing space: edited as YAML and as a form, explained, started. */
await go(`#/space?${new URLSearchParams({ study })}`);
await page.getByText("As YAML").click();
const yaml = page.getByLabel("The testing space as YAML");
await yaml.fill(`name: gaps
operations:
- {do: loss, name: lost, topics: [/gap], probability: [0.2, 0.9], when: {kind: window, start_s: 0.0, end_s: 2.0}}
metrics:
- {name: gap_m, kind: variable, topics: [/gap], path: data, direction: lowest}
searches:
- {name: first, objectives: [{metric: gap_m}], approach: {kind: random, evaluations: 4}}
`);
await page.getByLabel("Space of the study").focus();
await page.locator(".verdict strong").waitFor();
const counted = await page.locator(".verdict strong").textContent();
await page.locator("summary", { hasText: "loss lost" }).click();
const high = page.getByRole("spinbutton", { name: "operations[0].probability[1]" });
await high.fill("7");
await high.press("Tab");
const wrong = await page.getByRole("alert").textContent();
await high.fill("0.5");
await high.press("Tab");
await page.waitForFunction(() => document.querySelector("textarea[name=yaml]").value.includes("0.5"));
const explained = await page.getByLabel("Explanation").textContent();
if (pictures) await page.screenshot({ path: `${pictures}/space.png` });
await page.getByLabel("Tests").fill("3");
await page.getByRole("button", { name: "Search it" }).click();
await page.getByRole("heading", { name: /toy-search/ }).waitFor();
await page.locator(".tile", { hasText: "runs, done" }).waitFor();
/* Its front, point by point. */
const front = page.getByRole("region", { name: "Tests on the front" }).getByRole("link");
await front.first().waitFor();
const points = await front.count(), opened = [];
for (let i = 0; i < points; i++) {
  await front.nth(i).click();
  await page.getByRole("heading", { level: 1, name: /repeat/ }).waitFor();
  opened.push((await page.evaluate(() => location.hash)).split("/").at(-1));
  await page.goBack();
  await front.first().waitFor();
}
tell("space", { counted, wrong, explained, tiles: await page.locator(".tile b").allTextContents(), points, opened });

/* Every page: as wide as a phone, in the dark, one main heading, every picture and control named. */
const wide = [], unnamed = [], axed = new Map();
const axe = (await import("node:fs")).readFileSync(createRequire(packages + "/").resolve("axe-core/axe.min.js"), "utf8");
for (const colorScheme of ["light", "dark"]) {
  await page.emulateMedia({ colorScheme });
  for (const [width, height] of [[1280, 900], [400, 800]]) {
    await page.setViewportSize({ width, height });
    for (const [name, hash] of Object.entries({ list: "#/", campaign: "#/campaign/late", findings: "#/campaign/late/findings", runs: "#/campaign/late/runs?x=parameter.wall_m&y=margin.gap",
      compare: "#/compare?baseline=raises&candidate=late", history: "#/history/toy", world: `#/world?${new URLSearchParams({ study })}`, space: `#/space?${new URLSearchParams({ study })}` })) {
      await go(hash);
      await page.locator("h1").waitFor();
      await page.waitForTimeout(700);
      const [over, heads] = await page.evaluate(() => [document.documentElement.scrollWidth - innerWidth, document.querySelectorAll("h1").length]);
      if (over > 0 || heads !== 1) wide.push([hash, width, over, heads]);
      unnamed.push(...(await page.evaluate(() => [...document.querySelectorAll("canvas, svg, img, input, select, textarea, button")].filter((one) => one.checkVisibility() &&
        !(one.getAttribute("aria-label") || one.getAttribute("alt") || one.textContent.trim() || one.labels?.length)).map((one) => one.outerHTML.slice(0, 120)))));
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
      for (const one of violations) for (const node of one.nodes) axed.set(`${name} ${colorScheme}: ${one.id} ${node.any[0]?.message ?? one.help}`, node.target.join(" "));
      if (pictures) await page.screenshot({ path: `${pictures}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
  }
}
tell("wide", wide);
tell("unnamed", [...new Set(unnamed)]);
tell("axe", [...axed]);
tell("troubles", troubles.filter((words) => !/status of 4\d\d/.test(words)));
await browser.close();
