/* One run: the player, its verdicts, its decoded parameters, its metrics. */
import { type RunFacts, type RunView, type RunsPage, type Verdict, campaignPath, get } from "./api";
import { WORDS, command, fill, h, notice, number, table, values } from "./dom";
import { simulateAgain } from "./again";
import type { Live } from "./live";
import type { Recording } from "../recording/recording";
import { part } from "../viewer/parts";
import { Replay } from "../viewer/replay";
import { note, toCampaign, toPair, toRun, toRuns } from "./place";

const RANK: Record<string, number> = { fail: 0, inconclusive: 1, pass: 2 };

/* The recording itself, for messages and lidar. Simulated time begins at zero. */
export async function readTrace(id: string, run: string, signal: AbortSignal): Promise<Recording> {
  const { openRecording } = await part("recording");
  const answered = await fetch(campaignPath(id, "runs", run, "trace"), { signal });
  if (!answered.ok) throw new Error(`the server answered ${answered.status}`);
  return openRecording(await answered.blob(), `${run}.mcap`, { origin: 0n });
}

function verdictRow(verdict: Verdict): HTMLElement {
  const spans = verdict.violations.slice(0, 4).map(([from, to]) => `${from.toFixed(1)}–${to.toFixed(1)} s`);
  if (verdict.violations.length > 4) spans.push(`and ${verdict.violations.length - 4} more`);
  return h("tr", { class: verdict.counts ? "" : "off" },
    h("td", {}, h("strong", {}, verdict.property), ` ${verdict.title}`),
    h("td", { class: `o-${verdict.outcome}` }, WORDS[verdict.outcome] ?? verdict.outcome),
    h("td", { class: "num" }, number(verdict.margin, verdict.unit), verdict.at_s === null ? "" : ` at ${verdict.at_s.toFixed(1)}\u00a0s`),
    h("td", { class: "how" }, [verdict.words, spans.join(", "), verdict.note].filter(Boolean).join("; ")));
}

function verdictTable(all: Verdict[]): HTMLElement {
  return table(["Property", "Verdict", "Worst margin", "How"], all.map(verdictRow), [2]);
}

export function runPage(main: HTMLElement, live: Live, id: string, run: string, query: URLSearchParams, signal: AbortSignal): void {
  document.title = `Run ${run} · stressfield`;
  const campaign = live.campaigns.get(id);
  const title = h("h1", {}, `Run ${run}`), facts = h("p", { class: "soft" }), steps = h("p", { class: "actions" }), told = h("div", {});
  const others = h("details", {}, h("summary", {}, "Show another run beside it"));
  const stage = h("div", {}), inner = h("div", {}), verdicts = h("div", {}), parameters = h("div", {}), metrics = h("section", { hidden: true, "aria-labelledby": "h-metrics" }), again = h("div", {});
  inner.append(stage);
  main.append(h("p", { class: "kicker" }, h("a", { href: toCampaign(id) }, campaign?.name ?? id), " › ", h("a", { href: toRuns(id) }, "Runs")),
    h("header", { class: "pagehead" }, h("div", {}, title, facts), steps), told,
    h("section", { "aria-label": "The run from above" }, inner, others),
    h("section", { "aria-labelledby": "h-verdicts" }, h("h2", { id: "h-verdicts" }, "Verdicts"), verdicts),
    h("section", { "aria-labelledby": "h-world" }, h("h2", { id: "h-world" }, "World"), parameters), metrics,
    h("section", { "aria-labelledby": "h-again" }, h("h2", { id: "h-again" }, "Do it again"), again));

  const show = (of: RunFacts) => {
    const noun = live.campaigns.get(id)?.noun ?? "world";
    fill(title, `${noun[0]?.toUpperCase()}${noun.slice(1)} ${of.world}, repeat ${of.repeat}: `, h("span", { class: `o-${of.category}` }, WORDS[of.category] ?? of.category));
    fill(facts, `run ${of.id} · build ${of.build} · ${number(of.simulated_s)} simulated seconds in ${number(of.wall_s)} s`, of.ended_by ? ` · ended by ${of.ended_by}` : "");
    fill(steps, of.before !== null && h("a", { class: "button", href: toRun(id, of.before), rel: "prev" }, "Previous"),
      of.after !== null && h("a", { class: "button", href: toRun(id, of.after), rel: "next" }, "Next"),
      of.recorded && h("a", { class: "button", href: campaignPath(id, "runs", of.id, "trace"), download: `${of.id}.mcap` }, "Recording (MCAP)"));
    fill(told, of.trouble && h("pre", { class: "trouble note" }, of.trouble));
    const sorted = [...of.verdicts].sort((a, b) => (RANK[a.outcome] ?? 3) - (RANK[b.outcome] ?? 3));
    const on = sorted.filter((verdict) => verdict.counts), off = sorted.filter((verdict) => !verdict.counts);
    fill(verdicts, on.length > 0 ? verdictTable(on) : h("p", { class: "soft" }, "It was not judged."),
      off.length > 0 && h("details", {}, h("summary", {}, "Properties that are switched off"), verdictTable(off)));
    fill(parameters, of.parameters.length
      ? values(of.parameters.map(({ name, value, unit, doc }) => [name, typeof value === "number" ? number(value, unit) : String(value), doc]))
      : h("p", { class: "soft" }, "It has no parameters."),
      of.disturbances.length > 0 && h("h3", {}, "Disturbed"), of.disturbances.length > 0 && h("ul", { class: "said" }, ...of.disturbances.map((words) => h("li", {}, words))),
      h("p", { class: "small" }, h("code", {}, of.descriptor)));
    const measured = Object.entries(of.metrics).map(([name, value]): [string, string, string] => [name, number(value), ""]);
    const missing = Object.entries(of.unmeasured).map(([name, why]): [string, string, string] => [name, "–", why]);
    metrics.hidden = !(measured.length + missing.length);
    fill(metrics, h("h2", { id: "h-metrics" }, "Metrics"), values([...measured, ...missing]));
    fill(again, command(of.command), h("p", { class: "soft small" }, "A replay is exact, bit for bit."));
  };

  /* Runs of the same world, here or in another campaign. */
  const besides = (of: RunFacts) => {
    others.hidden = !of.recorded;
    const list = h("ul", { class: "said" }), choice = h("select", { "aria-label": "Campaign", change: () => void look() },
      ...[...live.campaigns.values()].map((one) => h("option", { value: one.id, selected: one.id === id }, one.name)));
    const look = async () => {
      const words = new URLSearchParams({ text: of.descriptor.slice(0, 200), limit: "60" });
      const page = await get<RunsPage>(`${campaignPath(choice.value, "runs")}?${words}`, signal);
      const at = (name: string) => page.columns.findIndex((column) => column.name === name);
      const found = page.rows.map((row) => ({ run: String(row[at("run")]), repeat: String(row[at("repeat")]), outcome: String(row[at("outcome")] ?? row[at("status")] ?? "") }))
        .filter((one) => choice.value !== id || one.run !== run);
      fill(list, ...(found.length ? found.map((one) => h("li", {}, h("a", { href: toPair(id, run, choice.value, one.run) }, `run ${one.run}`), ` repeat ${one.repeat}, ${WORDS[one.outcome] ?? one.outcome}`))
        : [h("li", { class: "soft" }, "That campaign has no other run of this world.")]));
    };
    while (others.childElementCount > 1) others.lastElementChild?.remove();  // of the load before
    others.append(choice, list);
    others.addEventListener("toggle", () => { if (others.open) look().catch((error: Error) => { if (!signal.aborted) fill(list, notice(error.message)); }); });
  };

  const play = async (of: RunFacts) => {
    if (!of.recorded) {
      simulateAgain(inner, live, id, run, load, signal);
      return;
    }
    fill(inner, stage);
    fill(stage, h("p", { class: "soft" }, "Reading the recording …"));
    const view = await get<RunView>(campaignPath(id, "runs", run, "view"), signal);
    fill(stage);
    const asked = query.get("t");
    const replay = Replay.ofRun(stage, view.world, view.run, {
      ...(asked !== null && Number.isFinite(Number(asked)) ? { time: Number(asked) } : {}),
      name: `run ${run}`, recording: () => readTrace(id, run, signal), eager: true,
      onSeek: (time) => { query.set("t", time.toFixed(2)); note(["campaign", id, "run", run], query); },
      linkTo: (time) => location.origin + location.pathname + toRun(id, run, { t: time.toFixed(2) }),
    });
    signal.addEventListener("abort", () => replay.close());
  };

  const load = () => void get<RunFacts>(campaignPath(id, "runs", run), signal)
    .then((of) => { show(of); besides(of); return play(of).catch((error: Error) => { if (!signal.aborted) fill(inner, notice(error.message)); }); })
    .catch((error: Error) => { if (!signal.aborted) fill(told, notice(error.message, "note alarm")); });
  load();
}
