/* Two campaigns of one study: is the second worse, beyond noise? Where, and in which runs? */
import { type Comparison, type Endpoint, get } from "./api";
import { numericAxis } from "./axis";
import { WORDS, counted, fill, h, notice, number, percent, table } from "./dom";
import type { Live } from "./live";
import { link, toCampaign, toList, toRun } from "./place";
import { scatter } from "./scatter";

const ROWS = 12;

export function comparePage(main: HTMLElement, live: Live, query: URLSearchParams, signal: AbortSignal): void {
  document.title = "Compare · stressfield";
  const baseline = query.get("baseline") ?? "", candidate = query.get("candidate") ?? "";
  if (!baseline || !candidate) {
    main.append(h("h1", {}, "Is it worse?"), h("p", {}, "Tick two campaigns of a study in ", h("a", { href: toList() }, "the list"), ", the earlier one first."));
    return;
  }
  const name = (id: string) => live.campaigns.get(id)?.name ?? id;
  const body = h("div", {}, h("section", {}, h("p", { class: "soft" }, "Comparing …")));
  const past = h("span", {});
  main.append(h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")),
    h("header", { class: "pagehead" }, h("div", {}, h("h1", {}, "Is it worse?"),
      h("p", {}, "From ", h("a", { href: toCampaign(baseline) }, name(baseline)), " to ", h("a", { href: toCampaign(candidate) }, name(candidate)), ".")),
      h("p", { class: "actions" }, past,
        h("a", { class: "button", href: link(["compare"], { baseline: candidate, candidate: baseline }) }, "The other way round"))), body);

  live.watch(() => {
    const study = live.campaigns.get(candidate)?.study;
    if (study && !past.firstChild) fill(past, h("a", { class: "button", href: link(["history", study]) }, "History"));
  }, signal);

  const runs = (first: string, second: string) => h("td", { class: "nowrap" }, first && h("a", { href: toRun(baseline, first) }, "before"), " · ", second && h("a", { href: toRun(candidate, second) }, "after"));
  const where = h("div", {});
  const showWhere = (point: Endpoint) => {
    const pairs = point.pairs.filter((pair) => pair.baseline !== null && pair.candidate !== null);
    const values = pairs.flatMap((pair) => [pair.baseline, pair.candidate]);
    const unit = point.unit ? `, ${point.unit}` : "";
    const x = numericAxis(`${point.name} before${unit}`, values), y = numericAxis(`${point.name} after${unit}`, values);
    const rows = pairs.slice(0, ROWS).map((pair) => h("tr", {}, h("th", { scope: "row" }, String(pair.world)), h("td", { class: "num" }, figure(point, pair.baseline)),
      h("td", { class: "num" }, figure(point, pair.candidate)), h("td", { class: "num" }, change(pair.worse_by)), runs(pair.baseline_run, pair.candidate_run)));
    const known = (point.kind === "metric" ? "higher" : "worse");
    fill(where, h("h2", {}, `${point.name}, world by world`),
      pairs.length > 0 && scatter(x, y, pairs.map((pair) => ({
        x: x.place(pair.baseline) as number, y: y.place(pair.candidate) as number, href: toRun(candidate, pair.candidate_run),
        look: point.kind === "metric" ? "" : (pair.worse_by ?? 0) > 0 ? "fail" : "pass",
        words: `World ${pair.world}: ${number(pair.baseline, point.unit)} before, ${number(pair.candidate, point.unit)} after. Click to open the run.`,
      })), { diagonal: true, words: "Each point is a world that both have; on the dashed line nothing changed" }, signal),
      table(["World", "Before", "After", `How much ${known}`, "Runs"], rows, [1, 2, 3]),
      pairs.length > ROWS && h("p", { class: "soft small" }, `The ${ROWS} that changed most for the ${known}, of ${pairs.length} worlds.`));
  };

  const show = (compared: Comparison) => {
    const heads = ["Measure", "Verdict", "Before", "After", "Change", "p", "Worlds"];
    const pick = (point: Endpoint, button: HTMLElement) => {
      body.querySelectorAll("[aria-pressed]").forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      showWhere(point);
    };
    const buttons: [Endpoint, HTMLElement][] = [];
    const rows = compared.endpoints.map((point) => {
      const button = h("button", { type: "button", class: "plain", "aria-pressed": "false", click: () => pick(point, button) }, point.name);
      if (point.pairs.length) buttons.push([point, button]);
      return h("tr", {}, h("td", {}, point.pairs.length ? button : point.name), h("td", { class: `v-${point.verdict}` }, point.verdict),
        ...[point.baseline, point.candidate].map((value) => h("td", { class: "num" }, figure(point, value))),
        h("td", { class: "num" }, change(point.kind === "margin" && point.effect !== null ? -point.effect : point.effect)), h("td", { class: "num" }, point.p_adjusted !== null && point.p_adjusted < 1e-4 ? "< 0.0001" : number(point.p_adjusted)), h("td", { class: "num" }, String(point.worlds)));
    });
    const flips = compared.flips.slice(0, 100).map((flip) => h("tr", {}, h("th", { scope: "row" }, `${flip.world}.${flip.repeat}`),
      h("td", { class: `o-${flip.before}` }, WORDS[flip.before] ?? flip.before), h("td", { class: `o-${flip.after}` }, WORDS[flip.after] ?? flip.after),
      runs(flip.baseline_run, flip.candidate_run), h("td", {}, flip.same_seed ? "the same chance" : "other chance")));
    fill(body,
      h("section", { "aria-label": "Comparison" }, h("p", { class: "verdict" }, h("strong", { class: compared.worse ? "v-worse" : "" }, compared.refused || (compared.worse ? "Worse beyond noise." : "Not worse beyond noise.")),
        compared.flips_words && ` ${compared.flips_words}`),
        compared.vanished.length > 0 && notice(`Vanished: ${compared.vanished.join(", ")}`, "note alarm"),
        rows.length > 0 && table(heads, rows, [2, 3, 4, 5, 6]),
        rows.length > 0 && h("p", { class: "soft small" }, "p allows for all measures. Changes of shares are differences, all others relative. A measure shows its worlds below."),
        ...compared.notes.map((words) => notice(words)), h("details", {}, h("summary", {}, "As on the terminal"), h("pre", { class: "scroll" }, compared.text))),
      buttons.length > 0 && h("section", { "aria-label": "World by world" }, where),
      compared.paired && h("section", { "aria-labelledby": "h-flips" }, h("h2", { id: "h-flips" }, "Runs that ended otherwise"), flips.length
        ? h("div", { class: "scrollbox", tabindex: 0, role: "region", "aria-label": "List of runs that ended otherwise" }, h("table", {}, h("thead", {}, h("tr", {}, ...["Run", "Before", "After", "Open", "Run seed"].map((head) => h("th", { scope: "col" }, head)))), h("tbody", {}, ...flips)))
        : h("p", { class: "soft" }, "Every run of a shared world ended as before."),
        compared.flips_total > flips.length && h("p", { class: "soft small" }, `The first ${flips.length} of ${counted(compared.flips_total, "run")}.`)));
    const first = buttons.find(([point]) => point.verdict === "worse" && point.kind !== "outcome") ?? buttons.find(([point]) => point.verdict !== "same") ?? buttons[0];
    if (first) pick(...first);
  };
  get<Comparison>(`/api/compare?${new URLSearchParams({ baseline, candidate })}`, signal).then(show)
    .catch((error: Error) => { if (!signal.aborted) fill(body, h("section", {}, notice(error.message, "note alarm"))); });
}

function figure(point: Endpoint, value: number | null): string {
  return value !== null && (point.kind === "outcome" || point.kind === "fails") ? percent(value) : number(value, point.unit);
}

function change(effect: number | null): string {
  return effect === null ? "–" : `${effect >= 0 ? "+" : "−"}${(100 * Math.abs(effect)).toFixed(1)} %`;
}
