/* Begin a campaign of a study that was allowed on the command line. */
import { type Job, type Study, get, post } from "./api";
import { fill, h, notice } from "./dom";
import type { Live } from "./live";
import { toCampaign, toList } from "./place";

function field(label: string, input: HTMLElement, hint = ""): HTMLElement {
  return h("label", {}, label, input, hint && h("span", { class: "soft small" }, hint));
}

function shortName(study: string): string {
  return (study.split("/").at(-1) ?? study).replace(/\.py$/, "");
}

export function startPage(main: HTMLElement, live: Live, signal: AbortSignal): void {
  document.title = "Start a campaign · stressfield";
  const told = h("div", {}), form = h("form", { class: "start", submit: (event) => { event.preventDefault(); void begin(); } });
  main.append(h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")), h("h1", {}, "Start a campaign"), h("section", { "aria-label": "What to run" }, form, told));
  let waiting: string | null = null;

  const begin = async () => {
    const given = new FormData(form), text = (name: string) => String(given.get(name) ?? "").trim();
    const button = form.querySelector("button") as HTMLButtonElement;
    button.disabled = true;
    fill(told);
    try {
      const job = await post<Job>("/api/campaigns", {
        study: text("study"), name: text("name"), worlds: Number(text("worlds")), repeats: Number(text("repeats")), seed: Number(text("seed")),
        keep: text("keep"), ...(text("build") ? { build: text("build") } : {}),
      });
      live.jobs.set(job.id, job);
      waiting = job.id;
      fill(told, notice("Getting ready …"));
    } catch (error) {
      fill(told, notice((error as Error).message, "note alarm"));
      button.disabled = false;
    }
  };

  get<Study[]>("/api/studies", signal).then((studies) => {
    if (!studies.length) {
      fill(form, h("p", {}, "This server only shows. To begin campaigns from here, start it with the studies that are allowed: ", h("code", {}, "stressfield serve --allow STUDY")));
      return;
    }
    const study = h("select", { name: "study" }, ...studies.map(({ name }) => h("option", { value: name }, shortName(name))));
    const build = h("select", { name: "build" }), name = h("input", { name: "name", required: true, pattern: "[A-Za-z0-9][A-Za-z0-9_.\\-]{0,59}" });
    const number = (field: string, value: number, max: number, min = 1) => h("input", { name: field, type: "number", min, max, value, required: true });
    const chosen = () => {
      fill(build, ...(studies.find((one) => one.name === study.value)?.builds ?? []).map((one) => h("option", { value: one }, one)));
      const taken = new Set([...live.campaigns.values()].map((campaign) => campaign.name));
      let free = shortName(study.value);
      for (let i = 2; taken.has(free); i++) free = `${shortName(study.value)}-${i}`;
      name.value = free;
    };
    study.addEventListener("change", chosen);
    chosen();
    fill(form, field("Study", study), field("Build", build), field("Worlds", number("worlds", 20, 100000)), field("Repeats of each", number("repeats", 1, 1000)),
      field("Seed", number("seed", 0, 2 ** 53, 0), "Everything random follows from it"),
      field("Keep recordings", h("select", { name: "keep" }, ...["failing", "all", "none"].map((one) => h("option", { value: one }, one)))),
      field("Name of its folder", name), h("button", { type: "submit", class: "primary" }, "Start"));
  }).catch((error: Error) => { if (!signal.aborted) fill(told, notice(error.message, "note alarm")); });

  live.watch(() => {
    const job = waiting === null ? undefined : live.jobs.get(waiting);
    if (!job) return;
    if (live.campaigns.has(job.campaign)) location.hash = toCampaign(job.campaign);
    else if (!job.running) {
      waiting = null;
      fill(told, notice("It was not begun.", "note alarm"), h("pre", { class: "trouble" }, job.output));
      (form.querySelector("button") as HTMLButtonElement).disabled = false;
    }
  }, signal);
}
