/* The findings of a campaign: the mechanisms behind each, and what people decided about it. */
import { type Decided, type Finding, type Mechanism, campaignPath, get, post } from "./api";
import { counted, fill, h, notice, number, oneAtATime, table } from "./dom";
import type { Live } from "./live";
import { toCampaign, toRun, toRuns } from "./place";

export const DECISIONS = ["bug", "rig", "known", "not a defect"];
const MEANING: Record<string, string> = {
  bug: "to be mended", rig: "the test is wrong, not the robot", known: "understood and waited for", "not a defect": "the robot may do so",
};

export function decisionTag(decided: Decided | null, mayDecide: boolean): HTMLElement | null {
  if (!decided && !mayDecide) return null;
  if (!decided) return h("span", { class: "tag quiet" }, "not decided");
  return h("span", { class: "tag quiet", title: `${decided.reason} (until ${decided.expires})` }, decided.expired ? `${decided.decision}, expired` : decided.decision);
}

function day(inDays: number): string {
  return new Date(Date.now() + 86_400_000 * inDays).toISOString().slice(0, 10);
}

function decisionForm(id: string, finding: Finding, done: (all: Finding[]) => void): HTMLElement {
  const told = h("div", {}), decided = finding.decided;
  const choice = h("select", { name: "decision" }, ...DECISIONS.map((one) => h("option", { value: one }, `${one}: ${MEANING[one]}`)));
  choice.value = decided?.decision ?? "bug";
  const reason = h("input", { name: "reason", required: true, maxlength: 1000, value: decided?.reason ?? "", placeholder: "ticket, or why" });
  const until = h("input", { name: "until", type: "date", required: true, value: decided?.expires ?? day(90) });
  const send = async (body: object) => {
    try {
      done(await post<Finding[]>(campaignPath(id, "decisions"), { property: finding.property, subcase: finding.subcase, ...body }));
    } catch (error) { fill(told, notice((error as Error).message, "note alarm")); }
  };
  return h("details", { class: "decide" }, h("summary", {}, decided ? "Change the decision" : "Decide"),
    h("form", { class: "filters", submit: (event) => { event.preventDefault(); void send({ decision: choice.value, reason: reason.value, expires: until.value }); } },
      h("label", {}, "It is", choice), h("label", {}, "Because", reason), h("label", {}, "Counts until", until), h("button", { type: "submit" }, "Keep"),
      decided && h("button", { type: "button", class: "button", click: () => void send({ decision: null }) }, "Take it back")), told);
}

function mechanismRows(id: string, all: Mechanism[], noun: string): HTMLElement {
  const rows = all.map((one) => h("tr", {}, h("td", {}, one.words), h("td", { class: "num" }, String(one.runs.length)), h("td", { class: "num" }, String(one.worlds)),
    h("td", {}, ...one.runs.slice(0, 4).flatMap((run, i) => [i ? " · " : "", h("a", { href: toRun(id, run) }, run.slice(0, 8))]))));
  return table(["Mechanism", "Runs", `${noun[0]?.toUpperCase()}${noun.slice(1)}s`, "See"], rows, [1, 2]);
}

export function findingsPage(main: HTMLElement, live: Live, id: string, signal: AbortSignal): void {
  document.title = `Findings of ${id} · stressfield`;
  const body = h("div", {}, h("p", { class: "soft" }, "Reading …"));
  const kicker = h("a", { href: toCampaign(id) }, live.campaigns.get(id)?.name ?? id);
  main.append(h("p", { class: "kicker" }, kicker), h("header", { class: "pagehead" }, h("h1", {}, "Findings"), h("p", { class: "actions" }, h("a", { class: "button", href: toRuns(id) }, "All runs"))), body);
  let ways: Mechanism[] | null = null, known: Finding[] = [], trouble = "";

  const show = () => {
    const open = new Set([...body.querySelectorAll("details[open]")].map((one) => one.closest("section")?.id));
    if (!known.length) { fill(body, h("section", {}, h("p", { class: "soft" }, "Nothing has failed."))); return; }
    fill(body, trouble !== "" && notice(trouble), ...known.map((finding) => {
      const own = ways?.filter((one) => one.finding === finding.id), key = `f-${finding.id}`, noun = live.campaigns.get(id)?.noun ?? "world", mayDecide = live.campaigns.get(id)?.may_decide ?? false;
      const picture = finding.pictured && h("img", { class: "shot", loading: "lazy", alt: `Seen from above: ${finding.headline}`, error: (event) => (event.target as HTMLElement).remove(),
        src: campaignPath(id, "findings", finding.id, "picture.svg") + `?${new URLSearchParams({ property: finding.property, run: finding.example_run })}` });
      const form = decisionForm(id, finding, (all) => { known = all; show(); });
      if (open.has(key)) form.setAttribute("open", "");
      return h("section", { id: key, "aria-labelledby": `h-${finding.id}`, class: "finding" },
        h("h2", { id: `h-${finding.id}` }, h("span", { class: "tag" }, finding.id), ` ${finding.headline} `, decisionTag(finding.decided, mayDecide)),
        h("p", {}, h("strong", {}, finding.case), ` in ${counted(finding.runs, "run")} of ${counted(finding.worlds, noun)}`, finding.worst === null ? "" : `, worst ${number(finding.worst, finding.unit)}`,
          finding.condition ? ", mostly when " : "", finding.condition && h("code", {}, finding.condition), ". ",
          h("a", { href: toRun(id, finding.example_run, finding.at_s === null ? {} : { t: finding.at_s.toFixed(2) }) }, "Clearest run"), " · ", h("a", { href: toRuns(id, { finding: finding.id }) }, "All its runs")),
        finding.decided && h("p", { class: "note" }, h("strong", {}, finding.decided.decision), `: ${finding.decided.reason} `, h("span", { class: "soft" }, finding.decided.expired ? `(expired on ${finding.decided.expires}: it counts again)` : `(until ${finding.decided.expires})`)),
        h("div", { class: "twoparts" }, picture && h("div", {}, picture), h("div", {}, own === undefined ? h("p", { class: "soft" }, trouble ? "" : "Reading the recordings …") : mechanismRows(id, own, noun),
          finding.told && h("pre", { class: "trouble" }, finding.told))), mayDecide && form);
    }));
  };
  const refresh = oneAtATime(async () => {
    if (signal.aborted) return;
    try {
      known = await get<Finding[]>(campaignPath(id, "findings"), signal);
      show();
      ways = await get<Mechanism[]>(campaignPath(id, "mechanisms"), signal);
      trouble = "";
      show();
    } catch (error) {
      if (signal.aborted) return;
      if (known.length) { trouble = (error as Error).message; show(); } else fill(body, notice((error as Error).message, "note alarm"));
    }
  });
  let version = -1;
  live.watch(() => {
    const campaign = live.campaigns.get(id);
    if (!campaign || campaign.version === version) return;
    version = campaign.version;
    fill(kicker, campaign.name);
    /* A form that somebody is filling in must not be drawn anew under their hands. */
    if (!body.querySelector("details.decide[open]")) refresh();
  }, signal);
}
