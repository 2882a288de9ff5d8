/* A campaign on its way: the failing rate with an interval that may be looked at all the time, verdicts in the order of the plan, nodes. */
import type { Progress } from "./api";
import { CATEGORIES, WORDS, counted, h, percent } from "./dom";
import { svg } from "./trend";

const WIDTH = 640, HEIGHT = 150, LEFT = 44, RIGHT = 8, TOP = 8, BOTTOM = 20;

function settlingChart(settling: NonNullable<Progress["settling"]>): HTMLElement {
  const last = settling.points.at(-1) as NonNullable<Progress["settling"]>["points"][number];
  /* The first intervals are as wide as can be: what came later is what one looks at. */
  const late = settling.points.slice(Math.floor(settling.points.length / 4));
  const top = Math.min(1, Math.max(0.05, 1.15 * Math.max(...late.map((point) => point.high))));
  const x = (worlds: number) => LEFT + (worlds / last.worlds) * (WIDTH - LEFT - RIGHT), y = (share: number) => TOP + (1 - Math.min(top, share) / top) * (HEIGHT - TOP - BOTTOM);
  const at = (worlds: number, share: number) => `${x(worlds).toFixed(1)} ${y(share).toFixed(1)}`;
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "trend", role: "img", "aria-label": `Failing rate after each world: ${percent(last.share)} after ${last.worlds}, between ${percent(last.low)} and ${percent(last.high)}` });
  for (const share of [0, top / 2, top]) chart.append(svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(share), y2: y(share), class: "grid" }), svg("text", { x: LEFT - 5, y: y(share) + 4, class: "tick", "text-anchor": "end" }, percent(share)));
  const band = [...settling.points.map((point) => at(point.worlds, point.high)), ...[...settling.points].reverse().map((point) => at(point.worlds, point.low))];
  chart.append(svg("path", { d: `M${band.join("L")}Z`, class: "band" }), svg("path", { d: `M${settling.points.map((point) => at(point.worlds, point.share)).join("L")}`, class: "way" }));
  if (settling.settled_after !== null) chart.append(svg("line", { x1: x(settling.settled_after), x2: x(settling.settled_after), y1: TOP, y2: HEIGHT - BOTTOM, class: "mark" }));
  chart.append(svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 4, class: "tick", "text-anchor": "end" }, counted(last.worlds, "world")));
  return h("figure", { class: "plot" }, chart as unknown as HTMLElement);
}

function verdictStrip(parts: Record<string, number>[]): HTMLElement {
  const most = Math.max(1, ...parts.map((part) => Object.values(part).reduce((sum, count) => sum + count, 0)));
  const width = WIDTH / Math.max(1, parts.length), height = 60;
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

export function progressParts(told: Progress, running: boolean): HTMLElement[] {
  const made: HTMLElement[] = [], { settling } = told, last = settling?.points.at(-1);
  if (settling && last) {
    const range = `between ${percent(last.low)} and ${percent(last.high)}`;
    made.push(h("p", { class: "settled", role: "status" }, settling.settled_after !== null
      ? h("strong", {}, `The answer will hardly change any more: ${range} of worlds fail.`) : h("span", {}, running ? `So far ${range} of worlds fail; that may still change.` : `B${range.slice(1)} of worlds fail.`),
      h("span", { class: "soft small" }, ` 95 % sure however often one looks; ${counted(last.worlds, "world")} in the order of the plan${settling.waiting ? `, ${settling.waiting} more are done out of turn` : ""}. Crashes count as failing.`)), settlingChart(settling));
  } else if (!settling && told.verdicts.length) made.push(h("p", { class: "soft small" }, "These tests were chosen, not drawn: no rate of others can be told from them."));
  if (told.verdicts.length > 1) made.push(h("h3", {}, "Verdicts in the order of the plan"), verdictStrip(told.verdicts));
  if (told.machines.length) {
    made.push(h("h3", {}, "Nodes"), h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...["Node", "Processor", "Cores", "Runs"].map((head, i) => h("th", { scope: "col", class: i > 1 ? "num" : "" }, head)))),
      h("tbody", {}, ...told.machines.map((one) => h("tr", {}, h("th", { scope: "row" }, one.name), h("td", {}, one.processor), h("td", { class: "num" }, String(one.cores)), h("td", { class: "num" }, one.runs.toLocaleString("en"))))))));
  }
  return made;
}
