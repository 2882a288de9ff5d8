/* One campaign: how far it is, what it found, what can be done. */
import { type Campaign, type Finding, type Job, type Progress, type Property, type Summary, campaignPath, get, post } from "./api";
import { command, counted, fill, h, notice, number, oneAtATime, outcomes, percent, table } from "./dom";
import type { Live } from "./live";
import { decisionTag } from "./findings";
import { progressParts } from "./progress";
import { link, toFindings, toList, toRun, toRuns } from "./place";

const ENDED: Record<number, string> = { 0: "ended, clean", 1: "ended with findings", 2: "refused", 3: "ended with trouble", 130: "stopped" };

function left(campaign: Campaign): string {
  if (!campaign.running || !campaign.rate_per_minute) return "";
  const minutes = (campaign.planned - campaign.done) / campaign.rate_per_minute;
  if (minutes <= 0) return "";
  return minutes < 1.5 ? "about a minute left" : minutes < 90 ? `about ${Math.round(minutes)} minutes left` : `about ${(minutes / 60).toFixed(1)} hours left`;
}

function tile(value: string, words: string, bad = false): HTMLElement {
  return h("div", { class: bad ? "tile bad" : "tile" }, h("b", {}, value), h("span", {}, words));
}

function tiles(campaign: Campaign, findings: number | null, summary: Summary | null): HTMLElement[] {
  const failing = (campaign.counts["fail"] ?? 0) + (campaign.counts["subject_crash"] ?? 0) + (campaign.counts["hang"] ?? 0);
  const state = campaign.running ? "running" : campaign.done < campaign.planned ? "stopped" : "done";
  return [
    tile(`${campaign.done.toLocaleString("en")} / ${campaign.planned.toLocaleString("en")}`, `runs, ${state}`),
    campaign.running ? tile(campaign.rate_per_minute === null ? "…" : number(campaign.rate_per_minute), ["runs a minute", left(campaign)].filter(Boolean).join(", "))
      : summary === null ? tile("…", "of judged runs fail") : tile(summary.failing_share === null ? "–" : percent(summary.failing_share), summary.failing_share === null ? "failing, nothing judged"
        /* Of tests that a search chose, no rate of others can be told. */
        : `of judged runs fail${summary.sampled ? ` (${percent(summary.failing_low)} to ${percent(summary.failing_high)})` : ""}`),
    tile(String(failing), "failing runs", failing > 0),
    tile(findings === null ? "…" : String(findings), findings === 1 ? "finding" : "findings", Boolean(findings)),
  ];
}

function card(id: string, finding: Finding, campaign: Campaign | undefined): HTMLElement {
  const noun = campaign?.noun ?? "world";
  /* Numbers of findings change while a campaign runs: property and run say which one is meant. */
  const address = campaignPath(id, "findings", finding.id, "picture.svg") + `?${new URLSearchParams({ property: finding.property, run: finding.example_run })}`;
  const to = toRun(id, finding.example_run, finding.at_s === null ? {} : { t: finding.at_s.toFixed(2) });
  const picture = finding.pictured && h("img", { src: address, alt: `Seen from above: ${finding.headline}`, loading: "lazy", error: (event) => {
    const image = event.target as HTMLImageElement;
    image.replaceWith(h("p", { class: "soft small nopic" }, "No picture: the world is built by the study. Start the server with --allow STUDY to see it."));
  } });
  return h("li", { class: "card" }, picture && h("a", { class: "pic", href: to, tabindex: -1, "aria-hidden": "true" }, picture),
    h("div", { class: "text" }, h("h3", {}, h("span", { class: "tag" }, finding.id), ` ${finding.headline}`),
      h("p", {}, h("strong", {}, finding.case), ` in ${counted(finding.runs, "run")} of ${counted(finding.worlds, noun)}`,
        finding.worst === null ? "" : `, worst ${number(finding.worst, finding.unit)}`, finding.at_s === null ? "" : ` at ${finding.at_s.toFixed(1)}\u00a0s`, " ", decisionTag(finding.decided, campaign?.may_decide ?? false)),
      finding.condition && h("p", {}, "Mostly when ", h("code", {}, finding.condition)),
      finding.told && h("pre", { class: "trouble" }, finding.told),
      h("p", { class: "go" }, h("a", { href: to }, "Clearest run"), " · ", h("a", { href: toRuns(id, { finding: finding.id }) }, "All its runs"))));
}

function propertyRows(id: string, properties: Property[]): HTMLElement[] {
  return properties.map((prop) => {
    const judged = prop.passed + prop.failed, share = judged ? prop.failed / judged : 0;
    const meter = h("span", { class: "meter" }, h("i", {}));
    (meter.firstElementChild as HTMLElement).style.width = `${100 * share}%`;
    return h("tr", { class: prop.on ? "" : "off" },
      h("td", {}, h("strong", {}, prop.name), ` ${prop.title}`),
      h("td", { class: "num" }, prop.failed && prop.on ? h("a", { href: toRuns(id, { failing: prop.name }) }, String(prop.failed)) : String(prop.failed)),
      h("td", { class: "num" }, prop.passed && prop.on ? h("a", { href: toRuns(id, { where: `outcome.${prop.name} = pass`, sort: `margin.${prop.name}` }), title: "Those that passed, the narrowest first" }, String(prop.passed)) : String(prop.passed)), h("td", { class: "num" }, String(prop.inconclusive)),
      h("td", { class: "share" }, judged ? meter : ""), h("td", { class: "num" }, judged ? percent(share) : "–"));
  });
}

/* What was drawn before is let go. */
function another(before: AbortController, signal: AbortSignal): AbortController {
  before.abort();
  const made = new AbortController();
  signal.addEventListener("abort", () => made.abort(), { signal: made.signal });
  return made;
}

export function campaignPage(main: HTMLElement, live: Live, id: string, signal: AbortSignal): void {
  const name = h("h1", {}), kicker = h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns"));
  const facts = h("p", { class: "soft" }), actions = h("p", { class: "actions" }), told = h("div", {}), progress = h("div", {}), numbers = h("div", { class: "tiles" });
  const findings = h("ol", { class: "cards" }), properties = h("div", {}), metrics = h("div", {}), again = h("div", {}), job = h("div", {});
  const noFindings = h("div", {}, h("p", { class: "soft" }, "Reading …")), off = h("details", {}, h("summary", {}, "Properties that are switched off"));
  const metricsPart = h("section", { "aria-labelledby": "h-metrics", hidden: true }, h("h2", { id: "h-metrics" }, "Metrics"), metrics);
  const way = h("div", {}), wayPart = h("section", { "aria-labelledby": "h-way", hidden: true }, h("h2", { id: "h-way" }, "Over time"), way);
  const parts = h("div", {});
  main.append(kicker, h("header", { class: "pagehead" }, h("div", {}, name, facts), actions), told, job, parts);
  parts.append(
    h("section", { "aria-label": "Progress" }, progress, numbers),
    h("section", { "aria-labelledby": "h-findings" }, h("h2", { id: "h-findings" }, "Findings"), noFindings, findings),
    wayPart,
    h("section", { "aria-labelledby": "h-properties" }, h("h2", { id: "h-properties" }, "Properties"), properties),
    metricsPart,
    h("section", { "aria-labelledby": "h-again" }, h("h2", { id: "h-again" }, "Do it again"), again));

  let drawn = new AbortController();
  let shown = -1, found: number | null = null, last: Summary | null = null;
  const cards = new Map<string, { element: HTMLElement; of: string }>();

  const say = (words: string) => fill(told, words && notice(words, "note alarm"));
  const act = (verb: string) => async () => {
    actions.querySelectorAll("button").forEach((button) => { button.disabled = true; });
    try {
      say("");
      const begun = await post<Job>(campaignPath(id, verb));
      live.jobs.set(begun.id, begun);
    } catch (error) { say((error as Error).message); }
    shownActions = "";
    showActions();
  };
  const stop = act("stop"), resume = act("resume");
  let shownActions = "";

  const showActions = () => {
    const campaign = live.campaigns.get(id);
    if (!campaign) return;
    const key = [campaign.running, campaign.ours, campaign.may_run, campaign.done < campaign.planned, campaign.counts["invalid"] ?? 0].join();
    if (key === shownActions) return;
    shownActions = key;
    const unfinished = campaign.done < campaign.planned || (campaign.counts["invalid"] ?? 0) > 0;
    const why = campaign.may_run ? "" : "Start the server with --allow STUDY to run it from here";
    fill(actions, h("a", { class: "button", href: toFindings(id) }, "Findings"), h("a", { class: "button", href: toRuns(id) }, "All runs"),
      campaign.study && h("a", { class: "button", href: link(["history", campaign.study]) }, "History"),
      campaign.running
        ? h("button", { type: "button", disabled: !campaign.ours, title: campaign.ours ? "" : "Another process runs it: stop it there with Ctrl-C", click: () => void stop() }, "Stop")
        : unfinished && h("button", { type: "button", disabled: !campaign.may_run, title: why, click: () => void resume() }, "Resume"));
  };

  const showFindings = (all: Finding[]) => {
    found = all.length;
    const wanted = new Set<string>();
    let place: Element | null = findings.firstElementChild;
    for (const finding of all) {
      /* Numbers change as others come; what a finding is does not. */
      const key = `${finding.property} ${finding.subcase ?? ""}`, of = JSON.stringify(finding);
      wanted.add(key);
      const kept = cards.get(key);
      if (!kept || kept.of !== of) {
        const element = card(id, finding, live.campaigns.get(id));
        if (kept) { if (kept.element === place) place = place.nextElementSibling; kept.element.replaceWith(element); }
        cards.set(key, { element, of });
      }
      const element = (cards.get(key) as { element: HTMLElement }).element;
      if (element === place) place = place.nextElementSibling;
      else findings.insertBefore(element, place);
    }
    for (const [key, { element }] of cards) if (!wanted.has(key)) { element.remove(); cards.delete(key); }
  };

  const showSummary = (summary: Summary) => {
    const { campaign } = summary;
    fill(noFindings, !found && h("p", { class: "soft" }, summary.nothing_judged || (campaign.running ? "Nothing has failed so far." : "Nothing failed.")));
    const heads = ["Property", "Failed", "Passed", "Inconclusive", "", "Share"], figures = [1, 2, 3, 5];
    const on = summary.properties.filter((prop) => prop.on), others = summary.properties.filter((prop) => !prop.on);
    if (others.length) off.replaceChildren(off.firstElementChild as Element, table(heads, propertyRows(id, others), figures));
    fill(properties, on.length ? table(heads, propertyRows(id, on), figures) : h("p", { class: "soft" }, "No property is on."), others.length > 0 && off);
    const rows = summary.metrics.map((metric) => h("tr", {}, h("td", {}, metric.name), h("td", { class: "num" }, String(metric.runs)),
      ...[metric.lowest, metric.median, metric.highest].map((value) => h("td", { class: "num" }, number(value)))));
    metricsPart.hidden = !rows.length;
    fill(metrics, table(["Metric", "Runs", "Lowest", "Median", "Highest"], rows, [1, 2, 3, 4]));
    fill(again, summary.command ? command(summary.command) : h("p", { class: "soft" }, "No single command does it: its worlds are from a list."),
      h("p", { class: "soft small" }, "Digest of all results: ", h("code", {}, summary.digest.slice(0, 16))));
  };

  const refresh = oneAtATime(async () => {
    const campaign = live.campaigns.get(id);
    if (!campaign || campaign.version === shown || signal.aborted) return;
    const version = campaign.version;
    try {
      const [all, summary] = await Promise.all([get<Finding[]>(campaignPath(id, "findings"), signal), get<Summary>(campaignPath(id), signal)]);
      shown = version;
      showFindings(all);
      showSummary(summary);
      fill(numbers, ...tiles(live.campaigns.get(id) ?? summary.campaign, found, (last = summary)));
      say("");
      const onItsWay = await get<Progress>(campaignPath(id, "progress"), signal), made = progressParts(onItsWay, campaign.running, id, (drawn = another(drawn, signal)).signal);
      wayPart.hidden = !made.length;
      fill(way, ...made);
    } catch (error) {
      if (signal.aborted) return;
      shown = version;  /* told once; the next change is a new try */
      fill(noFindings, h("p", { class: "soft" }, (error as Error).message));
    }
  });

  live.watch(() => {
    const campaign = live.campaigns.get(id);
    if (!campaign) {
      parts.hidden = true;
      if (live.connection === "live") { fill(name, id); say("This campaign is not there, or not any more."); fill(actions); }
      return;
    }
    parts.hidden = false;
    document.title = `${campaign.name} · stressfield`;
    fill(name, campaign.name);
    fill(facts, campaign.problem ? "" : `${campaign.title || campaign.study} · build ${campaign.build} · seed ${campaign.seed}`);
    if (campaign.problem) say(campaign.problem);
    const { bar, key } = outcomes(campaign.counts, campaign.planned);
    fill(progress, bar, key);
    fill(numbers, ...tiles(campaign, found, last));
    showActions();
    const mine = [...live.jobs.values()].filter((one) => one.campaign === id).at(-1);
    fill(job, mine && !mine.running && (mine.exit_code ?? 0) > 1 && h("details", { class: "note" }, h("summary", {}, `${mine.kind}: ${ENDED[mine.exit_code ?? 3] ?? `ended with ${mine.exit_code}`}`),
      h("pre", { class: "trouble" }, mine.output)));
    refresh();
  }, signal);
}
