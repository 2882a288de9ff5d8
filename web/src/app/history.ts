/* A study over its campaigns: how often each property failed, what changed last, what was first and last seen when. */
import { type History, get } from "./api";
import { counted, fill, h, notice, oneAtATime, percent, table } from "./dom";
import type { Live } from "./live";
import { link, toCampaign, toList, toRun } from "./place";
import { trendChart } from "./trend";

const LOOK: Record<string, string> = { new: "tag", back: "tag", "still there": "tag quiet", "not seen": "tag quiet" };

function when(seconds: number): string {
  return new Date(1000 * seconds).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

export function historyPage(main: HTMLElement, live: Live, study: string, signal: AbortSignal): void {
  document.title = `History of ${study} · stressfield`;
  const body = h("div", {}, h("p", { class: "soft" }, "Reading the campaigns …"));
  main.append(h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")), h("h1", {}, `${study} over time`), body);
  const latest = (told: History) => {
    const [before, after] = told.points.slice(-2);
    return before && after && h("p", { class: "go" }, h("a", { href: link(["compare"], { baseline: before.id, candidate: after.id }) }, `Compare ${before.name} with ${after.name}`));
  };
  const show = (told: History) => {
    const names = told.points.map((point) => point.name), hrefs = told.points.map((point) => toCampaign(point.id));
    const failing = told.trends.filter((trend, i) => i === 0 || trend.rates.some((rate) => rate && rate.share > 0));
    const never = told.trends.length - failing.length;
    const cases = told.cases.map((one) => h("tr", {}, h("td", {}, h("strong", {}, one.case), one.words ? ` ${one.words}` : ""),
      h("td", {}, h("span", { class: LOOK[one.sight] ?? "tag" }, one.sight)), h("td", { class: "how" }, one.told),
      h("td", {}, strip(told, one.runs, one.example_runs))));
    const rows = [...told.points].reverse().map((point) => {
      const rate = told.trends[0]?.rates[told.points.indexOf(point)];
      return h("tr", {}, h("th", { scope: "row" }, h("a", { href: toCampaign(point.id) }, point.name)), h("td", {}, when(point.began_s)), h("td", {}, point.build),
        h("td", { class: "num" }, String(point.seed)), h("td", { class: "num" }, `${point.done} / ${point.planned}`), h("td", { class: "num" }, String(point.worlds), !point.drawn && h("span", { class: "soft" }, " chosen")),
        h("td", { class: "num" }, rate ? `${percent(rate.share)} (${percent(rate.low)} to ${percent(rate.high)})` : point.nothing_judged || "–"));
    });
    fill(body,
      told.changed !== "" && h("section", { "aria-labelledby": "h-change" }, h("h2", { id: "h-change" }, "Since the last time"), h("p", {}, told.changed.trim().replace(/\n\s+/g, " ").replace(/^(.*?):/, "$1:")), latest(told)),
      h("section", { "aria-labelledby": "h-trends" }, h("h2", { id: "h-trends" }, "Failing share"),
        h("p", { class: "soft small" }, "Each world counted once; the bars are intervals of 95 %. A point opens its campaign."),
        h("div", { class: "trends" }, ...failing.map((trend) => h("div", {}, h("h3", {}, trend.property && h("strong", {}, trend.property), ` ${trend.title} `,
          (trend.change === "worse" || trend.change === "better") && h("span", { class: `v-${trend.change}` }, trend.change)), trendChart(trend.property || trend.title, trend.rates, names, hrefs)))),
        never > 0 && h("p", { class: "soft small" }, `${never} more ${never === 1 ? "property" : "properties"} never failed.`)),
      h("section", { "aria-labelledby": "h-cases" }, h("h2", { id: "h-cases" }, "Findings over time"), cases.length
        ? table(["Finding", "Now", "Seen", "Runs in each campaign"], cases)
        : h("p", { class: "soft" }, "Nothing was ever found.")),
      h("section", { "aria-labelledby": "h-all" }, h("h2", { id: "h-all" }, counted(told.points.length, "campaign")), table(["Campaign", "Began", "Build", "Seed", "Runs", "Worlds", "Failing"], rows, [3, 4, 5, 6]),
        ...Object.entries(told.left_out).map(([name, why]) => notice(`${name} is left out: ${why}`))));
  };
  const refresh = oneAtATime(async () => {
    if (signal.aborted) return;
    try { show(await get<History>(`/api/history?${new URLSearchParams({ study })}`, signal)); } catch (error) {
      if (!signal.aborted) fill(body, notice((error as Error).message, "note alarm"));
    }
  });
  let seen = "";
  live.watch(() => {
    /* Of a campaign that is running, its end and every tenth of it are enough. */
    const now = [...live.campaigns.values()].filter((one) => one.study === study).map((one) => `${one.id} ${one.running} ${Math.floor((10 * one.done) / Math.max(1, one.planned))}`).join();
    if (now === seen || live.connection === "connecting") return;
    seen = now;
    refresh();
  }, signal);
}

/* A cell for each campaign: how many runs show the finding, with a link to the clearest. */
function strip(told: History, runs: number[], examples: string[]): HTMLElement {
  return h("ol", { class: "strip" }, ...runs.map((count, i) => {
    const point = told.points[i], example = examples[i], words = `${point?.name}: ${count ? counted(count, "run") : "not seen"}`;
    return h("li", { title: words, class: count ? "seen" : "" }, count && point && example ? h("a", { href: toRun(point.id, example), "aria-label": words }, String(count)) : h("span", { "aria-label": words }, "·"));
  }));
}
