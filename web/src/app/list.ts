/* The list of campaigns. */
import type { Campaign } from "./api";
import { type Child, counted, fill, h, notice, outcomes } from "./dom";
import type { Live } from "./live";
import { link, toCampaign } from "./place";

function when(seconds: number): string {
  return seconds ? new Date(1000 * seconds).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" }) : "";
}

function standing(campaign: Campaign): Child {
  if (campaign.problem) return h("span", { class: "tag" }, "cannot be read");
  if (campaign.running) return h("span", { class: "tag live" }, "running");
  if (campaign.done < campaign.planned) return h("span", { class: "tag quiet" }, "stopped");
  return h("span", { class: "tag quiet" }, "done");
}

/* One row, kept as long as its campaign is there, so that the focus stays where it is. */
class Row {
  readonly element = h("li", { class: "item" });
  private readonly name = h("a", {});
  private readonly state = h("span", {});
  private readonly facts = h("span", { class: "soft small" });
  private readonly bar = h("div", {});
  readonly pick: HTMLInputElement;

  constructor(campaign: Campaign, picked: () => void) {
    this.name.href = toCampaign(campaign.id);
    this.name.textContent = campaign.name;
    this.pick = h("input", { type: "checkbox", "aria-label": `Compare ${campaign.name}`, change: picked });
    this.element.append(h("div", { class: "itemhead" }, this.pick, h("h2", {}, this.name), this.state), this.facts, this.bar);
  }

  show(campaign: Campaign): void {
    fill(this.state, standing(campaign));
    if (campaign.problem) {
      fill(this.facts, campaign.problem);
      fill(this.bar);
      return;
    }
    const rate = campaign.running && campaign.rate_per_minute ? ` · ${campaign.rate_per_minute} runs a minute` : "";
    fill(this.facts, `${campaign.study} · build ${campaign.build} · seed ${campaign.seed} · ${campaign.done.toLocaleString("en")} of ` +
      `${counted(campaign.planned, "run")}${rate} · ${when(campaign.changed_s)}`);
    const { bar, key } = outcomes(campaign.counts, campaign.planned);
    fill(this.bar, bar, key);
  }
}

export function listPage(main: HTMLElement, live: Live, signal: AbortSignal): void {
  document.title = "Campaigns · stressfield";
  const rows = new Map<string, Row>();
  const histories = h("p", { class: "histories" });
  let studies = "";
  const list = h("ul", { class: "items" }), empty = h("div", {});
  const compare = h("a", { class: "button", "aria-disabled": "true" }, "Compare");
  const picked = () => {
    const [a, b, more] = [...rows].filter(([, row]) => row.pick.checked).map(([id]) => id);
    const two = a !== undefined && b !== undefined && more === undefined;
    compare.setAttribute("aria-disabled", String(!two));
    if (two) compare.setAttribute("href", link(["compare"], { baseline: a, candidate: b }));
    else compare.removeAttribute("href");
    fill(compare, two ? "Compare" : "Compare: tick two");
  };
  picked();
  main.append(h("header", { class: "pagehead" }, h("h1", {}, "Campaigns"),
    h("p", { class: "actions" }, compare, h("a", { class: "button", href: link(["start"]) }, "Start one"))), histories, list, empty);
  live.watch(() => {
    for (const [id, row] of rows) if (!live.campaigns.has(id)) { row.element.remove(); rows.delete(id); picked(); }
    let place = list.firstElementChild;
    for (const campaign of live.campaigns.values()) {
      let row = rows.get(campaign.id);
      if (!row) rows.set(campaign.id, (row = new Row(campaign, picked)));
      row.show(campaign);
      if (row.element !== place) list.insertBefore(row.element, place);
      else place = place.nextElementSibling;
    }
    const now = [...new Set([...live.campaigns.values()].filter((one) => one.done).map((one) => one.study))].sort();
    if (now.join() !== studies) {
      studies = now.join();
      fill(histories, now.length > 0 && "History of ", ...now.flatMap((study, i) => [i ? " · " : "", h("a", { href: link(["history", study]) }, study)]));
    }
    fill(empty, live.connection === "live" && !rows.size && notice("There is no campaign below this folder yet. As soon as one is begun, it is here."));
  }, signal);
}
