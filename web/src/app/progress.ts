/* A campaign on its way: the failing rate with an interval that may be looked at all the time, verdicts in the order of the plan, nodes. */
import type { Progress } from "./api";
import { numericAxis } from "./axis";
import { CATEGORIES, WORDS, counted, fill, h, number, percent, table } from "./dom";
import { toRun } from "./place";
import { scatter } from "./scatter";
import { shareTicks, svg } from "./trend";

const WIDEST = 640, HEIGHT = 150, LEFT = 44, RIGHT = 8, TOP = 8, BOTTOM = 20;

function settlementChart(settlement: NonNullable<Progress["settlement"]>): HTMLElement {
  const last = settlement.points.at(-1) as NonNullable<Progress["settlement"]>["points"][number];
  /* The first intervals are as wide as can be: what came later is what one looks at. */
  const late = settlement.points.slice(Math.floor(settlement.points.length / 4));
  const ticks = shareTicks(Math.min(1, Math.max(0.05, ...late.map((point) => point.high)))), top = ticks.at(-1) as number;
  /* As wide as there is room, so that its words are as large as others. */
  const WIDTH = Math.max(260, Math.min(WIDEST, document.documentElement.clientWidth - 60));
  const x = (worlds: number) => LEFT + (worlds / last.worlds) * (WIDTH - LEFT - RIGHT), y = (share: number) => TOP + (1 - Math.min(top, share) / top) * (HEIGHT - TOP - BOTTOM);
  const at = (worlds: number, share: number) => `${x(worlds).toFixed(1)} ${y(share).toFixed(1)}`;
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "trend", role: "img", "aria-label": `Failing rate after each world: ${percent(last.share)} after ${last.worlds}, between ${percent(last.low)} and ${percent(last.high)}` });
  for (const share of ticks) chart.append(svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(share), y2: y(share), class: "grid" }), svg("text", { x: LEFT - 5, y: y(share) + 4, class: "tick", "text-anchor": "end" }, percent(share)));
  const band = [...settlement.points.map((point) => at(point.worlds, point.high)), ...[...settlement.points].reverse().map((point) => at(point.worlds, point.low))];
  chart.append(svg("path", { d: `M${band.join("L")}Z`, class: "band" }), svg("path", { d: `M${settlement.points.map((point) => at(point.worlds, point.share)).join("L")}`, class: "way" }));
  if (settlement.settled_after !== null) chart.append(svg("line", { x1: x(settlement.settled_after), x2: x(settlement.settled_after), y1: TOP, y2: HEIGHT - BOTTOM, class: "mark" }));
  chart.append(svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 4, class: "tick", "text-anchor": "end" }, counted(last.worlds, "world")));
  return h("figure", { class: "plot" }, chart as unknown as HTMLElement);
}

function verdictStrip(parts: Record<string, number>[]): HTMLElement {
  const most = Math.max(1, ...parts.map((part) => Object.values(part).reduce((sum, count) => sum + count, 0)));
  const WIDTH = WIDEST, width = WIDTH / Math.max(1, parts.length), height = 60;
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${height}`, class: "trend verdicts", role: "img", preserveAspectRatio: "none", "aria-label": "How runs ended, in the order of the plan" });
  parts.forEach((part, i) => {
    let below = 0;
    const words = CATEGORIES.filter((name) => part[name]).map((name) => `${part[name]} ${WORDS[name]}`).join(", ");
    for (const name of [...CATEGORIES].reverse()) {
      const count = part[name] ?? 0;
      if (!count) continue;
      const tall = (count / most) * height;
      chart.append(svg("rect", { x: (i * width).toFixed(1), y: (height - below - tall).toFixed(1), width: Math.max(0.5, width - 1).toFixed(1), height: tall.toFixed(1), class: `f-${name}` }, svg("title", {}, words)));
      below += tall;
    }
  });
  return h("figure", { class: "plot" }, chart as unknown as HTMLElement);
}

/* The tests of a search over two of its objectives; those on the front are marked, and every point opens its run. */
function frontPart(id: string, front: NonNullable<Progress["front"]>, signal: AbortSignal): HTMLElement {
  const names = front.objectives.map((name, i) => `${name} (${front.highest[i] ? "high" : "low"} is looked for)`), place = h("div", {});
  const choice = (label: string, value: number) => { const select = h("select", { change: () => draw() }, ...front.objectives.map((name) => h("option", {}, name))); select.selectedIndex = value; return { select, label: h("label", {}, label, select) }; };
  const across = choice("Across", 0), up = choice("Up", Math.min(1, front.objectives.length - 1));
  const words = (test: NonNullable<Progress["front"]>["tests"][number]) => `Test ${test.test}: ${front.objectives.map((name, i) => `${name} ${number(test.values[i])}`).join(", ")}`;
  const draw = () => {
    const [a, b] = [across.select.selectedIndex, up.select.selectedIndex], xs = front.tests.map((test) => test.values[a] ?? null), ys = front.tests.map((test) => test.values[b] ?? null);
    const x = numericAxis(names[a] as string, xs), y = numericAxis(names[b] as string, ys);
    fill(place, scatter(x, y, front.tests.flatMap((test, i) => {
      const px = x.place(xs[i] as number | null), py = y.place(ys[i] as number | null);
      return px === null || py === null ? [] : [{ x: px, y: py, look: test.on_front ? "fail" : "inconclusive", href: toRun(id, test.run), words: `${words(test)}. Click to open the run.` }];
    }), { words: "Squares are on the front: no other test is better beyond noise. A click opens a run" }, signal));
  };
  draw();
  const rows = front.tests.filter((test) => test.on_front).slice(0, 60).map((test) => h("tr", {}, h("th", { scope: "row" }, h("a", { class: "nowrap", href: toRun(id, test.run) }, `Test ${test.test}`)),
    ...test.values.map((value) => h("td", { class: "num" }, number(value))), h("td", { class: "how" }, test.disturbances.join("; "))));
  return h("div", {}, h("h3", {}, "The front"), h("div", { class: "filters" }, across.label, up.label), place,
    h("div", { class: "scrollbox", tabindex: 0, role: "region", "aria-label": "Tests on the front" }, h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Run"), ...front.objectives.map((name) => h("th", { scope: "col", class: "num" }, name)), h("th", { scope: "col" }, "Disturbed"))), h("tbody", {}, ...rows))),
    front.unscored > 0 && h("p", { class: "soft small" }, `${counted(front.unscored, "test")} gave no value of some objective.`));
}

export function progressParts(told: Progress, running: boolean, id: string, signal: AbortSignal): HTMLElement[] {
  const made: HTMLElement[] = [], { settlement } = told, last = settlement?.points.at(-1);
  if (settlement && last) {
    const range = `between ${percent(last.low)} and ${percent(last.high)}`;
    made.push(h("p", { class: "settled", role: "status" }, settlement.settled_after !== null
      ? h("strong", {}, `The answer will hardly change any more: ${range} of worlds fail.`) : h("span", {}, running ? `So far ${range} of worlds fail; that may still change.` : `B${range.slice(1)} of worlds fail.`),
      h("span", { class: "soft small" }, ` 95 % sure however often one looks; ${counted(last.worlds, "world")} in the order of the plan${settlement.waiting ? `, ${settlement.waiting} more are done out of turn` : ""}. Crashes count as failing.`)), settlementChart(settlement));
  } else if (!settlement && told.verdicts.length) made.push(h("p", { class: "soft small" }, "These tests were chosen, not drawn: no rate of others can be told from them."));
  if (told.front?.tests.length) made.push(frontPart(id, told.front, signal));
  if (told.verdicts.length > 1) made.push(h("h3", {}, "Verdicts in the order of the plan"), verdictStrip(told.verdicts));
  if (told.machines.length) {
    made.push(h("h3", {}, "Nodes"), table(["Node", "Processor", "Cores", "Runs"],
      told.machines.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name), h("td", {}, one.processor), h("td", { class: "num" }, String(one.cores)), h("td", { class: "num" }, one.runs.toLocaleString("en")))), [2, 3]));
  }
  return made;
}
