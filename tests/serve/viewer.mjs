/* The viewer in a real browser: what is seen is said on standard output as JSON, a line each, for the test to compare. */
import { createRequire } from "node:module";

const [packages, browserPath, link, pages, viewer, ...recordings] = process.argv.slice(2);
const { chromium } = createRequire(packages + "/")("playwright-core");
const browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox", "--enable-unsafe-swiftshader"] });
const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, reducedMotion: "reduce" });
const page = await context.newPage();
page.setDefaultTimeout(60_000);
const troubles = [], asked = [];
page.on("pageerror", (error) => troubles.push(String(error)));
page.on("console", (message) => message.type() === "error" && troubles.push(message.text()));
page.on("request", (request) => asked.push(request.url()));
const tell = (what, value) => console.log(JSON.stringify([what, value ?? null]));
const [runA, runB, late] = JSON.parse(pages);
const go = (hash) => page.evaluate((to) => { location.hash = to; }, hash);
const now = () => page.locator(".now").first().textContent();
const pixels = (selector) => page.locator(selector).first().evaluate((canvas) => canvas.toDataURL());

/* The server's page of a run: rows, messages by keyboard, a number over time, space. */
await page.goto(link);
await page.getByRole("link", { name: "late", exact: true }).waitFor();
await go(`#/campaign/late/run/${late}?t=1.50`);
await page.locator(".stage").waitFor();
tell("at", await now());
await page.getByText("Rows of the timeline").click();
tell("rows", await page.locator(".rows label").allTextContents());
const before = await page.locator("canvas.strip").evaluate((canvas) => canvas.clientHeight);
await page.locator(".rows fieldset").first().getByRole("checkbox").first().click();
await page.waitForFunction((height) => document.querySelector("canvas.strip").clientHeight !== height, before);
tell("taller", before - await page.locator("canvas.strip").evaluate((canvas) => canvas.clientHeight));
await page.getByText("Messages at this time").click();
await page.locator(".topics button").first().waitFor();
tell("topics", await page.locator(".topics button").allTextContents());
await page.locator(".topics button", { hasText: "/pose" }).first().press("Enter");
await page.locator(".tree").first().waitFor({ state: "attached" });
await page.locator(".tree dt", { hasText: "position" }).waitFor();
const said = await page.locator(".tree:not([hidden])").textContent();
await page.locator(".stage").focus();
await page.keyboard.press("Home");
await page.waitForFunction((words) => document.querySelector(".tree:not([hidden])").textContent !== words, said);
tell("told", said);
await page.locator(".stage").focus();
const flat = await pixels("canvas.view");
await page.keyboard.press("ArrowRight");
await page.waitForTimeout(100);
tell("moved", flat !== await pixels("canvas.view"));
await page.keyboard.press("v");
await page.locator(".space canvas, .space [role=alert]").waitFor();
tell("space", await page.locator(".space canvas").count());
await page.keyboard.press("v");

/* Frames while the time is dragged; printed, not judged: it depends on the machine. */
tell("frames", await page.evaluate(() => new Promise((done) => {
  const slider = document.querySelector(".stage input[type=range]"), end = Number(slider.max), spans = [];
  let n = 0, last = performance.now();
  const tick = (at) => {
    spans.push(at - last); last = at;
    if (++n > 60) { spans.sort((a, b) => a - b); done({ median_ms: spans[30], p95_ms: spans[57] }); return; }
    slider.value = String((end * n) / 60);
    slider.dispatchEvent(new Event("input"));
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
})));

/* A film of one second, as a file. */
await page.getByText("Film", { exact: true }).click();
await page.locator(".film input").first().fill("0");
await page.locator(".film input").last().fill("1");
const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Record" }).click()]);
const { readFile } = await import("node:fs/promises");
const film = await readFile(await download.path());
tell("film", { name: download.suggestedFilename(), magic: film.subarray(0, 4).toString("hex"), size: film.length });

/* Two runs on one clock. */
await go(`#/pair/late/${runA}/raises/${runB}`);
await page.locator(".pair .stage").nth(1).waitFor().catch(async (error) => { tell("pair", await page.locator("main").innerText()); throw error; });
tell("parted", await page.locator("main [aria-live=polite] p").allTextContents());
await page.locator(".stage").first().focus();
await page.keyboard.press("End");
tell("both", { clocks: await page.locator(".now").count(), sliders: await page.locator(".ctl").count() });
const wide = [];
for (const width of [400, 1280]) {
  await page.setViewportSize({ width, height: 900 });
  await page.waitForTimeout(200);
  wide.push(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth));
}
tell("pair over", wide);

/* A bag of rosbag2 dropped on the server's page, as from a file manager. */
const { readFileSync } = await import("node:fs");
asked.length = 0;
await go("#/viewer");
await page.locator(".dropzone").waitFor();
await page.evaluate(([data, name]) => {
  const given = new DataTransfer();
  given.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name));
  const zone = document.querySelector(".dropzone");
  for (const kind of ["dragover", "drop"]) zone.dispatchEvent(new DragEvent(kind, { dataTransfer: given, cancelable: true, bubbles: true }));
}, [readFileSync(recordings[0]).toString("base64"), "field.db3"]);
await page.locator("[aria-live=polite] strong", { hasText: "field.db3" }).waitFor();
await page.locator(".stage").focus();
const still = await pixels("canvas.view");
for (let i = 0; i < 15; i++) await page.keyboard.press("ArrowRight");
await page.waitForTimeout(100);
tell("let go", { now: await now(), words: await page.locator("[aria-live=polite]").first().innerText(), moved: still !== await pixels("canvas.view"),
  sent: asked.filter((url) => !url.includes("/static/") && !url.startsWith("blob:") && !url.startsWith("data:")) });

/* The page for anybody's recording, as one file without a network: each kind, then what is none. */
await page.setViewportSize({ width: 400, height: 900 });
await page.emulateMedia({ colorScheme: "dark" });
asked.length = 0;
await page.goto("file://" + viewer);
for (const file of recordings) {
  await page.locator("input[type=file]").setInputFiles(file);
  await page.locator("[aria-live=polite] strong", { hasText: file.split("/").pop() }).waitFor();
  await page.locator(".stage").focus();
  for (let i = 0; i < 15; i++) await page.keyboard.press("ArrowRight");
  await page.getByText("Messages at this time").click();
  for (const name of ["/note", "/image", "/odom"]) await page.getByRole("button", { name, exact: true }).click();
  await page.locator(".tree dt", { hasText: "encoding" }).waitFor();
  await page.getByText("Rows of the timeline").click();
  await page.getByLabel("/odom pose.pose.position.x").check();
  tell("dropped", {
    words: await page.locator("[aria-live=polite]").first().innerText(), tree: await page.locator(".tree:not([hidden])").allTextContents(),
    now: await now(), key: await page.locator(".key li").allTextContents(), title: await page.title(),
    over: await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), images: await page.locator("main img").count(),
  });
}
await page.locator("input[type=file]").setInputFiles({ name: "notes.mcap", mimeType: "text/plain", buffer: Buffer.from("no recording at all") });
tell("refused", await page.getByRole("alert").textContent());
await page.locator("input[type=file]").setInputFiles({ name: "cut.mcap", mimeType: "application/octet-stream", buffer: (await readFile(recordings[1])).subarray(0, 500_000) });
await page.locator(".note", { hasText: "no index" }).waitFor();
tell("cut", await page.locator(".note").allTextContents());
tell("asked", asked.filter((url) => !url.startsWith("file:") && !url.startsWith("blob:")));
tell("troubles", troubles);
await browser.close();
