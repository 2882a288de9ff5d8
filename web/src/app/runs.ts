/* The table of runs: filters, decoded parameters, margins and metrics as columns, a page at a time. */
import { type Column, type Finding, type RunsPage, type Summary, type Value, campaignPath, get } from "./api";
import { CATEGORIES, WORDS, counted, fill, h, notice, number, oneAtATime } from "./dom";
import type { Live } from "./live";
import { note, toCampaign, toRun } from "./place";
import { Plots, shortName } from "./plots";

const PAGE = 50;
/* Columns that are shown in their own way, or tell people nothing. */
const HIDDEN = new Set(["run", "scenario", "world_seed", "run_seed", "build", "status", "outcome", "failed", "digest", "trace_file", "trouble",
  "disturbances", "descriptor", "crash", "ended_by", "world", "repeat"]);
const FILTERS = ["category", "failing", "finding", "text", "sort", "descending", "offset"] as const;

/* The unit of a column, unless its name says it. */
function unitOf(column: Column): string {
  if (column.name === "simulated_s" || column.name === "wall_s") return "s";
  return column.unit && !column.name.endsWith(`_${column.unit}`) ? column.unit : "";
}

function cell(column: Column, value: Value): HTMLElement {
  const plain = value === null ? "–" : typeof value === "number" ? number(value) : typeof value === "boolean" ? (value ? "yes" : "no") : value;
  return h("td", { class: column.kind === "str" || column.kind === "bool" ? "" : "num" }, plain);
}

function choice(label: string, name: string, options: [string, string][], value: string, changed: () => void): HTMLLabelElement {
  const select = h("select", { name, change: changed }, h("option", { value: "" }, "any"), ...options.map(([key, words]) => h("option", { value: key }, words)));
  select.value = value;
  return h("label", {}, label, select);
}

export function runsPage(main: HTMLElement, live: Live, id: string, query: URLSearchParams, signal: AbortSignal): void {
  document.title = `Runs of ${id} · stressfield`;
  const title = h("h1", {}, "Runs"), count = h("p", { class: "soft", role: "status" }), body = h("div", {}), pager = h("p", { class: "pager" });
  const form = h("form", { class: "filters", role: "search", submit: (event) => { event.preventDefault(); apply(); } });
  const where = h("div", { class: "where" });
  const plots = new Plots(id, query, () => note(["campaign", id, "runs"], query), (conditions) => {
    for (const condition of conditions) query.append("where", condition);
    go({ offset: "" });
  }, signal);
  main.append(h("p", { class: "kicker" }, h("a", { href: toCampaign(id) }, live.campaigns.get(id)?.name ?? id)), title,
    h("section", { "aria-label": "Filters" }, form, count), h("section", { "aria-label": "Plots" }, plots.element), h("section", { "aria-label": "Runs" }, body, pager));

  const address = () => {
    const asked = new URLSearchParams();
    for (const name of FILTERS) if (query.get(name)) asked.set(name, query.get(name) as string);
    for (const condition of query.getAll("where")) asked.append("where", condition);
    asked.set("limit", String(PAGE));
    return `${campaignPath(id, "runs")}?${asked}`;
  };
  const go = (changes: Record<string, string>) => {
    for (const [name, value] of Object.entries(changes)) if (value) query.set(name, value); else query.delete(name);
    note(["campaign", id, "runs"], query);
    body.setAttribute("aria-busy", "true");
    refresh();
    /* Plots are of what the filters leave, not of a page of it. */
    if (!("sort" in changes) && !(changes["offset"])) void plots.refresh();
  };
  const apply = () => {
    const given = new FormData(form), text = (name: string) => String(given.get(name) ?? "");
    const condition = text("where").trim();
    if (condition) query.append("where", condition);
    (form.querySelector("[name=where]") as HTMLInputElement).value = "";
    go({ category: text("category"), failing: text("failing"), finding: text("finding"), text: text("text"), offset: "" });
  };

  const showWhere = () => fill(where, ...query.getAll("where").map((condition) => h("button", { type: "button", class: "chip", title: "Take this condition away", click: () => {
    const rest = query.getAll("where").filter((other) => other !== condition);
    query.delete("where");
    for (const other of rest) query.append("where", other);
    go({ offset: "" });
  } }, condition, " ×")));

  let on: Set<string> | null = null, worst: string | undefined;
  const columnsList = h("datalist", { id: "columns" });
  const build = async () => {
    const [summary, findings] = await Promise.all([get<Summary>(campaignPath(id), signal), get<Finding[]>(campaignPath(id, "findings"), signal)]);
    on = new Set(summary.properties.filter((prop) => prop.on).map((prop) => prop.name));
    worst = summary.properties.filter((prop) => prop.on && prop.failed).sort((a, b) => b.failed - a.failed)[0]?.name;
    const q = (name: string) => query.get(name) ?? "";
    fill(form,
      choice("Ended", "category", CATEGORIES.map((name) => [name, WORDS[name] as string]), q("category"), apply),
      choice("Fails", "failing", summary.properties.filter((prop) => prop.failed && prop.on).map((prop) => [prop.name, `${prop.name} ${prop.title}`]), q("failing"), apply),
      choice("Finding", "finding", findings.map((finding) => [finding.id, `${finding.id} ${finding.case}`]), q("finding"), apply),
      h("label", {}, "Text", h("input", { name: "text", type: "search", value: q("text"), placeholder: "id, descriptor, error" })),
      h("label", { class: "wide" }, "Condition", h("input", { name: "where", list: "columns", placeholder: "metric.path_m > 12", autocomplete: "off" })),
      columnsList, h("button", { type: "submit" }, "Filter"), where);
  };

  const head = (column: Column) => {
    const sorted = query.get("sort") === column.name, descending = query.get("descending") === "true";
    const unit = unitOf(column);
    const button = h("button", { type: "button", title: column.doc || "Sort by this column", click: () =>
      go({ sort: column.name, descending: sorted && !descending ? "true" : "", offset: "" }) }, shortName(column.name), unit && h("span", { class: "soft" }, ` (${unit})`));
    return h("th", { scope: "col", class: column.kind === "str" || column.kind === "bool" ? "" : "num", "aria-sort": sorted ? (descending ? "descending" : "ascending") : null }, button);
  };

  const show = (page: RunsPage) => {
    const place = new Map(page.columns.map((column, i) => [column.name, i]));
    const of = (row: Value[], name: string) => row[place.get(name) as number] ?? null;
    const columns = page.columns.filter((column) => !HIDDEN.has(column.name) && !column.name.startsWith("outcome."));
    fill(columnsList, ...page.columns.map((column) => h("option", { value: column.name })));
    const rows = page.rows.map((row) => {
      const run = String(of(row, "run")), status = String(of(row, "status")), outcome = of(row, "outcome");
      const fails = page.columns.filter((column) => column.name.startsWith("outcome.") && of(row, column.name) === "fail").map((column) => column.name.slice(8))
        .filter((name) => on?.has(name) ?? true);
      const ended = outcome === null ? (of(row, "crash") && status === "timeout" ? "hang" : status) : String(outcome);
      const why = of(row, "crash") ?? (outcome === "fail" ? fails.join(", ") : of(row, "trouble")) ?? "";
      return h("tr", {}, h("th", { scope: "row" }, h("a", { href: toRun(id, run) }, `${of(row, "world")}.${of(row, "repeat")}`)),
        h("td", { class: `o-${ended}` }, WORDS[ended] ?? ended, why ? h("span", { class: "soft small why", title: String(why) }, String(why).slice(0, 80)) : ""),
        ...columns.map((column) => cell(column, of(row, column.name))));
    });
    const heads = [h("th", { scope: "col", title: "Number of the world, and of the repeat in it" }, "Run"), h("th", { scope: "col" }, "Ended"), ...columns.map(head)];
    fill(body, page.rows.length
      ? h("div", { class: "scrollbox runs", tabindex: 0, role: "region", "aria-label": "Runs with their parameters, margins and metrics" },
        h("table", {}, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows)))
      : h("p", { class: "soft" }, "No run is like that."));
    fill(count, counted(page.total, "run"));
    const end = page.offset + page.rows.length;
    fill(pager, page.offset > 0 && h("button", { type: "button", click: () => go({ offset: String(Math.max(0, page.offset - PAGE)) }) }, "Previous"),
      page.total > PAGE && h("span", { class: "soft" }, `${page.offset + 1} to ${end} of ${page.total}`),
      end < page.total && h("button", { type: "button", click: () => go({ offset: String(end) }) }, "Next"));
    showWhere();
    plots.offer(page.columns, worst);
  };

  const refresh = oneAtATime(async () => {
    if (signal.aborted) return;
    const asked = address();
    try {
      const page = await get<RunsPage>(asked, signal);
      /* Something else was asked for meanwhile: these rows would stand below filters that they do not fit. */
      if (asked !== address()) return;
      show(page);
    } catch (error) {
      if (signal.aborted || asked !== address()) return;
      fill(body, notice((error as Error).message, "note alarm"));
      fill(pager);
      showWhere();
    }
    body.removeAttribute("aria-busy");
  });

  let version = -1;
  live.watch(() => {
    const campaign = live.campaigns.get(id);
    if (!campaign || campaign.version === version) return;
    const first = version < 0;
    version = campaign.version;
    if (!first) { refresh(); void plots.refresh(); }
    else build().catch((error: Error) => { if (!signal.aborted) fill(form, notice(error.message, "note alarm")); }).finally(refresh);
  }, signal);
}
