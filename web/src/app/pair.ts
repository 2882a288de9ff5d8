/* Two runs on one clock, with the moment at which they part. */
import { type Divergence, type RunFacts, type RunView, campaignPath, get } from "./api";
import { WORDS, fill, h, notice, number, table } from "./dom";
import type { Live } from "./live";
import { note, toPair, toRun } from "./place";
import { readTrace } from "./run";
import { Clock } from "../viewer/clock";
import { decodeRun } from "../viewer/data";
import { Replay } from "../viewer/replay";

const PARTINGS = 12;

export function pairPage(main: HTMLElement, live: Live, path: string[], query: URLSearchParams, signal: AbortSignal): void {
  const [id = "", run = "", other = "", otherRun = ""] = path, both: [string, string][] = [[id, run], [other, otherRun]];
  document.title = "Two runs · stressfield";
  const told = h("div", { "aria-live": "polite" }), stages = h("div", { class: "pair" });
  const name = (campaign: string) => live.campaigns.get(campaign)?.name ?? campaign;
  main.append(h("p", { class: "kicker" }, ...both.flatMap(([campaign, one], i) => [i ? " and " : "", h("a", { href: toRun(campaign, one) }, `${name(campaign)}, run ${one}`)])), h("h1", {}, "Two runs on one clock"), told, h("section", { "aria-label": "Both runs" }, stages));

  const show = async () => {
    fill(stages, h("p", { class: "soft" }, "Reading the recordings …"));
    const loaded = await Promise.all(both.map(async ([campaign, one]) => ({
      campaign, one, facts: await get<RunFacts>(campaignPath(campaign, "runs", one), signal), view: await get<RunView>(campaignPath(campaign, "runs", one, "view"), signal),
    })));
    const words = new URLSearchParams({ other_campaign: other, other_run: otherRun });
    const parted = await get<Divergence>(`${campaignPath(id, "runs", run, "divergence")}?${words}`, signal);
    fill(stages);
    const shown = loaded.map(({ view }) => decodeRun(view.world, view.run)), end = Math.max(...shown.map((one) => one.end));
    const asked = Number(query.get("t") ?? NaN), clock = new Clock(end, Number.isFinite(asked) ? asked : parted.moved_s ?? end);
    clock.rate = 2;
    let first: Replay | undefined;
    loaded.forEach(({ campaign, one, facts }, place) => {
      const stage = h("div", {}), inner = h("div", {}, stage);
      stages.append(h("div", {}, h("h2", {}, place ? "B: " : "A: ", h("a", { href: toRun(campaign, one) }, `${name(campaign)}, run ${one}`), " ", h("span", { class: `o-${facts.category}` }, WORDS[facts.category] ?? facts.category)),
        h("p", { class: "soft small" }, `build ${facts.build}, repeat ${facts.repeat}, `, h("code", {}, facts.descriptor)), inner));
      const replay: Replay = new Replay(stage, shown[place]!, {
        clock, apart: parted.moved_s, name: `${place ? "B" : "A"}: run ${one}`, recording: () => readTrace(campaign, one, signal), eager: true,
        ...(first ? { beside: first } : {
          onSeek: (time) => { query.set("t", time.toFixed(2)); note(["pair", ...path], query); },
          linkTo: (time) => location.origin + location.pathname + toPair(id, run, other, otherRun) + `?t=${time.toFixed(2)}`,
        }),
      });
      first ??= replay;
      signal.addEventListener("abort", () => replay.close());
    });
    tell(told, parted, clock);
  };
  show().catch((error: Error) => { if (!signal.aborted) fill(stages, notice(error.message, "note alarm")); });
}

/* When and in what they part, each with a way there. */
function tell(told: HTMLElement, parted: Divergence, clock: Clock): void {
  const go = (time: number) => h("button", { type: "button", class: "plain", click: () => clock.jump(time) }, `${time.toFixed(2)} s`);
  const line = (words: string, time: number | null, never: string) => h("p", {}, words, " ", time === null ? never : go(time));
  const apart = parted.partings.filter(({ at_s }) => at_s !== null).sort((a, b) => (a.at_s as number) - (b.at_s as number));
  fill(told, !parted.same_world && notice("They are not of the same world: they never were the same.", "note alarm"),
    line("A robot is first elsewhere at", parted.moved_s, "no time: the robots went the same way."),
    line("A message first differs at", parted.message_s, "no time: everything that was said is the same, bit for bit."),
    apart.length > 0 && h("details", {}, h("summary", {}, `All ${apart.length} things that part`), table(["What", "At", "Apart"],
      apart.slice(0, 10 * PARTINGS).map(({ name, at_s, apart: by, unit, tolerance }) => h("tr", {},
        h("td", {}, name, tolerance > 0 && h("span", { class: "soft small" }, ` beyond ${number(tolerance, unit)}`)), h("td", { class: "num" }, go(at_s as number)),
        h("td", { class: "num" }, by === null ? "–" : number(by, unit)))), [1, 2])));
}
