/* A share over campaigns, with its interval: small, one for each property. */
import { niceStep } from "./axis";
import { h, percent } from "./dom";

export interface Share { share: number; low: number; high: number; worlds: number }
const WIDTH = 320, HEIGHT = 120, LEFT = 40, RIGHT = 8, TOP = 8, BOTTOM = 18;

export function svg<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElementTagNameMap[K] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}

/* Shares to write beside an axis that ends at top or just above it: round ones. */
export function shareTicks(top: number): number[] {
  const step = niceStep(top, 3);
  return Array.from({ length: Math.ceil(top / step - 1e-9) + 1 }, (_, i) => i * step).filter((share) => share <= 1);
}

export function trendChart(words: string, rates: (Share | null)[], names: string[], hrefs: string[]): HTMLElement {
  const ticks = shareTicks(Math.max(0.05, ...rates.map((rate) => rate?.high ?? 0))), top = ticks.at(-1) as number;
  const x = (i: number) => (rates.length === 1 ? (LEFT + WIDTH - RIGHT) / 2 : LEFT + 6 + (i * (WIDTH - LEFT - RIGHT - 12)) / (rates.length - 1));
  const y = (share: number) => TOP + (1 - share / top) * (HEIGHT - TOP - BOTTOM);
  const said = rates.map((rate, i) => `${names[i]}: ${rate ? percent(rate.share) : "not judged"}`).join(", ");
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "trend", role: "group", "aria-label": `${words}. ${said}` });
  for (const share of ticks) {
    chart.append(svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(share), y2: y(share), class: "grid" }),
      svg("text", { x: LEFT - 5, y: y(share) + 4, class: "tick", "text-anchor": "end" }, percent(share)));
  }
  let path = "", pen = "M";
  rates.forEach((rate, i) => { if (rate) { path += `${pen}${x(i).toFixed(1)} ${y(rate.share).toFixed(1)}`; pen = "L"; } else pen = "M"; });
  chart.append(svg("path", { d: path || "M0 0", class: "way" }));
  rates.forEach((rate, i) => {
    if (!rate) return;
    const title = svg("title", {}, `${names[i]}: ${percent(rate.share)} (${percent(rate.low)} to ${percent(rate.high)}) of ${rate.worlds} worlds`);
    chart.append(svg("a", { href: hrefs[i] ?? "", "aria-label": title.textContent ?? "" },
      svg("line", { x1: x(i), x2: x(i), y1: y(rate.low), y2: y(Math.min(top, rate.high)), class: "interval" }),
      svg("circle", { cx: x(i), cy: y(rate.share), r: 4, class: "dot" }), svg("circle", { cx: x(i), cy: y(rate.share), r: 10, fill: "transparent" }), title));
  });
  if (rates.length > 1) chart.append(svg("text", { x: x(0), y: HEIGHT - 4, class: "tick" }, names[0]?.slice(0, 22) ?? ""),
    svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 4, class: "tick", "text-anchor": "end" }, names.at(-1)?.slice(0, 22) ?? ""));
  return h("figure", { class: "plot" }, chart as unknown as HTMLElement);
}
