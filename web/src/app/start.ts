/* Begin a campaign of a study that was allowed on the command line. */
import { fill, h, notice } from "./dom";
import { Beginner, freeName, noStudies, shortStudy, studyChoice } from "./editor";
import type { Live } from "./live";
import { toList } from "./place";

function field(label: string, input: HTMLElement, hint = ""): HTMLElement {
  return h("label", {}, label, input, hint && h("span", { class: "soft small" }, hint));
}

export function startPage(main: HTMLElement, live: Live, signal: AbortSignal): void {
  document.title = "Start a campaign · stressfield";
  const told = h("div", {}), form = h("form", { class: "start", submit: (event) => { event.preventDefault(); void begin(); } });
  main.append(h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")), h("h1", {}, "Start a campaign"), h("section", { "aria-label": "What to run" }, form, told));
  const button = h("button", { type: "submit", class: "primary" }, "Start"), beginner = new Beginner(live, button, signal);
  fill(told, beginner.told);
  const begin = () => {
    const given = new FormData(form), text = (name: string) => String(given.get(name) ?? "").trim();
    return beginner.begin("/api/campaigns", {
      study: text("study"), name: text("name"), worlds: Number(text("worlds")), repeats: Number(text("repeats")), seed: Number(text("seed")),
      keep: text("keep"), ...(text("build") ? { build: text("build") } : {}),
    });
  };

  studyChoice(signal).then((studies) => {
    if (!studies.length) {
      fill(form, noStudies());
      return;
    }
    const study = h("select", { name: "study" }, ...studies.map(({ name }) => h("option", { value: name }, shortStudy(name))));
    const build = h("select", { name: "build" }), name = h("input", { name: "name", required: true, pattern: "[A-Za-z0-9][A-Za-z0-9_.\\-]{0,59}" });
    const number = (field: string, value: number, max: number, min = 1) => h("input", { name: field, type: "number", min, max, value, required: true });
    const chosen = () => {
      fill(build, ...(studies.find((one) => one.name === study.value)?.builds ?? []).map((one) => h("option", { value: one }, one)));
      name.value = freeName(live, shortStudy(study.value));
    };
    study.addEventListener("change", chosen);
    chosen();
    fill(form, field("Study", study), field("Build", build), field("Worlds", number("worlds", 20, 100000)), field("Repeats of each", number("repeats", 1, 1000)),
      field("Seed", number("seed", 0, 2 ** 53, 0), "Everything random follows from it"),
      field("Keep recordings", h("select", { name: "keep" }, ...["failing", "all", "none"].map((one) => h("option", { value: one }, one)))),
      field("Name of its folder", name), button);
  }).catch((error: Error) => { if (!signal.aborted) fill(told, notice(error.message, "note alarm")); });
}
