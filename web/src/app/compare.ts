/* Two campaigns of one study: is the second worse, beyond noise? */
import { type Comparison, get } from "./api";
import { fill, h, notice, number } from "./dom";
import type { Live } from "./live";
import { link, toCampaign, toList } from "./place";

export function comparePage(main: HTMLElement, live: Live, query: URLSearchParams, signal: AbortSignal): void {
  document.title = "Compare · stressfield";
  const baseline = query.get("baseline") ?? "", candidate = query.get("candidate") ?? "";
  const name = (id: string) => live.campaigns.get(id)?.name ?? id;
  const body = h("div", {}, h("p", { class: "soft" }, "Comparing …"));
  main.append(h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")),
    h("header", { class: "pagehead" }, h("div", {}, h("h1", {}, "Is it worse?"),
      h("p", {}, "From ", h("a", { href: toCampaign(baseline) }, name(baseline)), " to ", h("a", { href: toCampaign(candidate) }, name(candidate)), ".")),
      h("p", { class: "actions" }, h("a", { class: "button", href: link(["compare"], { baseline: candidate, candidate: baseline }) }, "The other way round"))),
    h("section", { "aria-label": "Comparison" }, body));
  get<Comparison>(`/api/compare?${new URLSearchParams({ baseline, candidate })}`, signal).then((compared) => {
    const rows = compared.endpoints.map((point) => h("tr", {}, h("td", {}, point.name), h("td", { class: `v-${point.verdict}` }, point.verdict),
      ...[point.baseline, point.candidate].map((value) => h("td", { class: "num" }, number(value, point.unit))),
      h("td", { class: "num" }, point.effect === null ? "–" : `${point.effect >= 0 ? "+" : "−"}${(100 * Math.abs(point.effect)).toFixed(1)} %`),
      h("td", { class: "num" }, number(point.p_adjusted)), h("td", { class: "num" }, String(point.worlds))));
    const heads = ["Measure", "Verdict", "First", "Second", "Change", "p", "Worlds"];
    fill(body, h("p", { class: "verdict" }, h("strong", {}, compared.refused || (compared.worse ? "Worse beyond noise." : "Not worse beyond noise."))),
      compared.vanished.length > 0 && notice(`Vanished: ${compared.vanished.join(", ")}`, "note alarm"),
      rows.length > 0 && h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...heads.map((head, i) => h("th", { scope: "col", class: i > 1 ? "num" : "" }, head)))), h("tbody", {}, ...rows))),
      ...compared.notes.map((words) => notice(words)), h("details", {}, h("summary", {}, "As on the terminal"), h("pre", { class: "scroll" }, compared.text)));
  }).catch((error: Error) => { if (!signal.aborted) fill(body, notice(error.message, "note alarm")); });
}
