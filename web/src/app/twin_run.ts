/* A twin beside a robot while it runs: where the robot is and where the simulated one would be, residuals, drift,
   properties so far, and how the messages come. */
import { post } from "./api";
import { numericAxis } from "./axis";
import { counted, fill, h, notice, number, table } from "./dom";
import { LiveView } from "./live_view";
import { svg } from "./trend";
import type { World } from "../viewer/data";

interface Verdict { property: string; outcome: string; settled: "holds" | "violated" | "unknown"; settled_s: number; margin: number | null; unit: string; note: string }
interface TwinWorld { world: World; known_place: boolean; goal: [number, number] | null; robots: string[]; robot: string; source: string; window_s: number; learn_s: number }
interface TwinState {
  state: string; time_s: number; measured: number[][]; simulated: number[][]; speed_mps: number | null; why: string; times_s: number[];
  signals: Record<string, (number | null)[]>; usual: Record<string, [number, number]>; levels: Record<string, number>; on: string[]; drift: string;
  alarms: { at_s: number; words: string }[]; alarms_total: number; verdicts: Verdict[]; trouble: string;
  topics: { name: string; messages: number; ago_s: number; odd: string }[]; silent: string[];
}
export interface TwinRecord { headline: string; failed: boolean; simulated_s: number; folder: string; verdicts: Verdict[]; notes: string[] }
interface TwinAnswer { study: string; running: boolean; record: TwinRecord | null; trouble: string }

const WIDTH = 460, HEIGHT = 130, LEFT = 46, RIGHT = 8, TOP = 8, BOTTOM = 20;
/* The look of an outcome; the words beside it say the same. */
const LOOKS = { holds: "o-pass", violated: "o-fail", unknown: "o-inconclusive" };

/* One signal over time, with what is usual of it. */
function residualChart(name: string, times: number[], values: (number | null)[], usual: [number, number] | undefined, on: boolean): SVGElement {
  const x = numericAxis("s", times, 5), y = numericAxis("", [...values, ...(usual ?? []), -0.05, 0.05], 4), share = (value: number) => number(Math.round(1000 * value) / 10, "%");
  const px = (value: number) => LEFT + (x.place(value) ?? 0) * (WIDTH - LEFT - RIGHT), py = (value: number) => TOP + (1 - (y.place(value) ?? 0)) * (HEIGHT - TOP - BOTTOM);
  const last = values.findLast((value) => value !== null) ?? null;
  const said = `${name}: ${last === null ? "nothing known yet" : `${share(last)} of the motion in the last window`}${usual ? `; usual are ${share(usual[0])} to ${share(usual[1])}` : ""}${on ? "; an alarm is on" : ""}`;
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "trend residual", role: "img", "aria-label": said });
  if (usual) chart.append(svg("rect", { x: LEFT, width: WIDTH - LEFT - RIGHT, y: py(usual[1]), height: Math.max(1, py(usual[0]) - py(usual[1])), class: "band" }));
  for (const tick of y.ticks) {
    const at = TOP + (1 - tick.at) * (HEIGHT - TOP - BOTTOM);
    chart.append(svg("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: at, y2: at, class: "grid" }), svg("text", { x: LEFT - 5, y: at + 4, class: "tick", "text-anchor": "end" }, share(Number(y.value(tick.at)))));
  }
  for (const tick of x.ticks) chart.append(svg("text", { x: LEFT + tick.at * (WIDTH - LEFT - RIGHT), y: HEIGHT - 4, class: "tick", "text-anchor": "middle" }, `${tick.label} s`));
  values.forEach((value, i) => { if (value !== null) chart.append(svg("circle", { cx: px(times[i] as number), cy: py(value), r: 2.2, class: usual && (value < usual[0] || value > usual[1]) ? "dot odd" : "dot" })); });
  return chart;
}

function verdictRows(verdicts: Verdict[]): HTMLElement {
  if (!verdicts.length) return h("p", { class: "soft" }, "Nothing has been judged yet.");
  return table(["Property", "It", "Margin so far", "Since", "Note"], verdicts.map((one) => h("tr", {}, h("th", { scope: "row" }, one.property), h("td", { class: LOOKS[one.settled] }, one.settled),
    h("td", { class: "num" }, number(one.margin, one.unit)), h("td", { class: "num" }, one.settled === "violated" ? number(Number(one.settled_s.toFixed(1)), "s") : ""), h("td", { class: "small" }, one.note))), [2, 3]);
}

export function twinPage(main: HTMLElement, id: string, study: string, signal: AbortSignal): void {
  document.title = "Twin · stressfield";
  const path = `/api/live/${encodeURIComponent(id)}`, tag = h("span", { class: "tag live", role: "status" }, "listening …"), clock = h("p", { class: "now", "aria-live": "off" });
  const told = h("div", {}), stage = h("div", {}), ended = h("div", {}), where = h("p", { class: "soft small" }), verdicts = h("div", {}), residuals = h("div", { class: "trends" });
  const drift = h("p", {}), levelsKey = h("p", { class: "soft small" }), levels = h("div", {}), alarms = h("ul", {}), topics = h("div", {}), silent = h("p", {});
  const stop = h("button", { type: "button", click: () => { fill(told); void post(`${path}/do`, { do: "stop" }).catch((error: Error) => fill(told, notice(error.message, "note alarm"))); } }, "Stop");
  const key = h("p", { class: "soft small" }, h("span", { class: "key-measured" }, "measured"), " ", h("span", { class: "key-simulated" }, "simulated, from where it was measured"));
  main.append(h("p", { class: "kicker" }, "Beside the robot"), h("div", { class: "pagehead" }, h("div", {}, h("h1", {}, `${study.split("/").at(-1)}, twin`), tag), h("div", { class: "actions" }, stop)), where, told, ended,
    h("section", { "aria-label": "Where it is" }, stage, clock, key),
    h("section", {}, h("h2", {}, "Properties"), verdicts),
    h("section", {}, h("h2", {}, "Drift"), drift, alarms, residuals, levelsKey, levels),
    h("section", {}, h("h2", {}, "Messages"), silent, topics));
  const view = new LiveView(stage, signal);
  let windows = -1, world: TwinWorld | null = null;

  const showWindows = (now: TwinState) => {
    const names = Object.keys(now.signals).sort();
    fill(drift, now.on.length > 0 && h("strong", { class: "o-fail" }, "Alarm. "), `${now.drift || "no window is over yet"}${now.alarms_total ? `; ${counted(now.alarms_total, "alarm")} in all` : ""}.`);
    fill(levels, Object.keys(now.levels).length > 0 && table(["Signal", "Level", "Alarm"], Object.entries(now.levels).sort().map(([name, level]) => {
      const bar = h("i", {});
      bar.style.width = `${100 * Math.min(1, Math.max(0, level))}%`;
      return h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, h("div", { class: "meter", role: "img", "aria-label": `${number(Number((100 * level).toPrecision(2)))} %` }, bar)), h("td", {}, now.on.includes(name) ? "on" : ""));
    })));
    fill(levelsKey, Object.keys(now.levels).length > 0 && "The level rises with residuals that are not usual; a full bar raises an alarm.");
    fill(alarms, ...now.alarms.slice(-5).reverse().map((one) => h("li", {}, `${number(Number(one.at_s.toFixed(1)), "s")}: ${one.words}`)));
    fill(residuals, ...names.map((name) => h("div", {}, h("h3", {}, name), residualChart(name, now.times_s, now.signals[name] ?? [], now.usual[name], now.on.includes(name)) as unknown as HTMLElement)),
      !names.length && h("p", { class: "soft" }, `No window of ${number(world?.window_s ?? 1, "s")} could be compared yet.`));
  };
  const take = (now: TwinState) => {
    fill(tag, now.on.length ? "drifting" : now.state);
    tag.className = now.on.length ? "tag alarm" : "tag live";
    const here = now.measured.at(-1);
    view.add({ state: now.state, time_s: now.time_s, robots: here ? [[...here, now.speed_mps]] : [], actors: [], shadow: now });
    clock.textContent = `${now.time_s.toFixed(1)} s${now.speed_mps === null ? "" : `, ${number(now.speed_mps, "m/s")}`}${now.why ? `; the last window is not known: ${now.why}` : ""}`;
    fill(verdicts, now.trouble && notice(`Cannot be judged at the moment: ${now.trouble}`), verdictRows(now.verdicts));
    fill(topics, now.topics.length ? table(["Topic", "Messages", "Last", "What was odd"], now.topics.map((one) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, one.name)), h("td", { class: "num" }, one.messages.toLocaleString("en")),
      h("td", { class: "num" }, one.ago_s < 0.1 ? "now" : `${number(Number(one.ago_s.toPrecision(2)), "s")} ago`), h("td", { class: "small" }, one.odd || "–"))), [1, 2]) : h("p", { class: "soft" }, "Nothing has come yet."));
    fill(silent, now.silent.length ? `Nothing came on ${now.silent.join(", ")}.` : "");
    const seen = now.times_s.at(-1) ?? 0;
    if (seen !== windows) showWindows(now);
    windows = seen;
  };

  const source = new EventSource(`${path}/events`);
  signal.addEventListener("abort", () => source.close());
  const on = <T>(name: string, taken: (data: T) => void) => source.addEventListener(name, (event) => taken(JSON.parse((event as MessageEvent<string>).data) as T));
  on<TwinWorld>("world", (found) => {
    world = found;
    where.textContent = `Robot ${found.robot}, source ${found.source}${found.known_place ? "" : "; nobody knows the place (--world)"}`;
    view.show(found);
  });
  on<TwinState>("state", take);
  on<string>("trouble", (text) => fill(told, notice(text, "note alarm")));
  on<TwinAnswer>("ended", (run) => {
    source.close();
    fill(tag, "ended");
    tag.className = "tag";
    stop.disabled = true;
    const record = run.record;
    if (!record) { fill(ended, notice(run.trouble || "It ended without telling what came of it.", "note alarm")); return; }
    fill(ended, h("section", { "aria-label": "What came of it" }, notice(record.headline, record.failed ? "note alarm" : "note"),
      h("p", { class: "soft" }, `The stream, the report and twin.json are in the folder ${record.folder}. This page ends with the twin.`), ...record.notes.map((words) => h("p", { class: "small" }, words))));
    fill(verdicts, verdictRows(record.verdicts));
  });
}
