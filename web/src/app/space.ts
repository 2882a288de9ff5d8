/* A testing space as a form made from its JSON Schema: checked, counted and explained while it is edited; YAML goes both ways. */
import { type Space, get, post } from "./api";
import { fill, h, notice } from "./dom";
import { Beginner, Checker, freeName, noStudies, save, shortStudy, studyChoice } from "./editor";
import { type Schema, SchemaForm } from "./form";
import type { Live } from "./live";
import { note, toList } from "./place";

export function spacePage(main: HTMLElement, live: Live, query: URLSearchParams, signal: AbortSignal): void {
  document.title = "Testing space · stressfield";
  const body = h("div", {});
  main.append(h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")), h("h1", {}, "Testing space"), body);
  Promise.all([studyChoice(signal), get<Schema>("/api/space/schema", signal)]).then(([studies, schema]) => {
    const study = h("select", { name: "study", change: () => open() }, ...studies.map(({ name }) => h("option", { value: name }, shortStudy(name))));
    const wanted = studies.find(({ name }) => name === query.get("study")) ?? studies.find(({ has_space }) => has_space);
    if (wanted) study.value = wanted.name;
    const told = h("div", { "aria-live": "polite" }), count = h("p", { class: "verdict" }), explanation = h("pre", { class: "told", role: "region", "aria-label": "Explanation" });
    const yaml = h("textarea", { name: "yaml", rows: 18, spellcheck: "false", "aria-label": "The testing space as YAML", change: () => checker.check({ yaml: yaml.value }, 0) });
    const search = h("select", { name: "search" }), build = h("select", { name: "build" }), evaluations = h("input", { name: "evaluations", type: "number", min: 1, max: 100000, value: 40 });
    const run = h("button", { type: "button", class: "primary", disabled: true, click: () => void beginner.begin("/api/searches", {
      study: study.value, name: freeName(live, `${shortStudy(study.value)}-search`), space: yaml.value, evaluations: Number(evaluations.value), ...(search.value ? { search: search.value } : {}), ...(build.value ? { build: build.value } : {}) }) }, "Search it");
    const beginner = new Beginner(live, run, signal);
    let byForm = false;
    const form = new SchemaForm(schema, (values) => { byForm = true; checker.check({ values }); }, (path) => path === "operations" || path === "searches");
    const checker = new Checker<object, Space>((question) => post<Space>("/api/space", question), (space) => show(space), (error) => fill(told, notice(error.message, "note alarm")), signal);

    const show = (space: Space) => {
      yaml.disabled = false;
      run.disabled = !space.valid || !studies.length;
      explanation.classList.toggle("stale", !space.valid);
      fill(told, !space.valid && notice(space.problem, "note alarm"));
      if (!space.valid) { fill(count, "Not valid yet."); return; }
      fill(count, h("strong", {}, space.configurations.replace(/e\+?(\d+)/, (_, power: string) => ` × 10${[...power].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("")}`)), space.configurations === "1" ? " configuration" : " configurations");
      explanation.textContent = space.explanation;
      yaml.value = space.yaml;
      const chosen = search.value;
      fill(search, ...space.searches.map((one) => h("option", { value: one.name }, `${one.name} (${one.configurations})`)));
      if (space.searches.some((one) => one.name === chosen)) search.value = chosen;
      if (!byForm) form.set(space.values);
      byForm = false;
    };
    const open = () => {
      fill(build, ...(studies.find((one) => one.name === study.value)?.builds ?? []).map((one) => h("option", { value: one }, one)));
      if (!studies.length) { form.set({ name: "space" }); checker.check({ values: { name: "space" } }, 0); return; }
      query.set("study", study.value);
      note(["space"], query);
      yaml.disabled = true;  // what is typed before the answer would be written over by it
      get<Space>(`/api/space?${new URLSearchParams({ study: study.value })}`, signal).then(show).catch((error: Error) => {
        if (signal.aborted) return;
        fill(count);
        explanation.textContent = "";
        /* A study without a space of its own: begin with an empty one. */
        fill(told, notice(`${error.message.split(". ")[0]}. Make one here: add operations, metrics and a search, or put in YAML.`));
        form.set({ name: shortStudy(study.value) });
        yaml.value = "";
        yaml.disabled = false;
      });
    };
    fill(body, h("section", { class: "twoparts editor", "aria-label": "Testing space" },
      h("div", {}, studies.length > 0 ? h("div", { class: "filters" }, h("label", {}, "Space of the study", study)) : noStudies(), form.element),
      h("div", { class: "beside" }, told, count, explanation,
        h("details", {}, h("summary", {}, "As YAML"), yaml, h("p", { class: "actions" }, h("button", { type: "button", class: "button", click: () => save("space.yaml", yaml.value, "text/yaml") }, "Save it"))),
        studies.length > 0 && h("div", { class: "filters" }, h("label", {}, "Search", search), h("label", {}, "Build", build), h("label", {}, "Tests", evaluations)),
        studies.length > 0 && h("p", { class: "actions start2" }, run), beginner.told)));
    open();
  }).catch((error: Error) => { if (!signal.aborted) fill(body, notice(error.message, "note alarm")); });
}
