/* A world as sliders over its model, drawn beside them; the descriptor goes both ways. */
import { type World, get, post } from "./api";
import { fill, h, notice } from "./dom";
import { Beginner, Checker, freeName, noStudies, save, shortStudy, studyChoice } from "./editor";
import { type Schema, SchemaForm } from "./form";
import type { Live } from "./live";
import { note, toList } from "./place";

type Question = { study: string; seed: number; descriptor?: string; values?: unknown };

export function worldPage(main: HTMLElement, live: Live, query: URLSearchParams, signal: AbortSignal): void {
  document.title = "World · stressfield";
  const body = h("div", {});
  main.append(h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")), h("h1", {}, "World editor"), body);
  studyChoice(signal).then((studies) => {
    if (!studies.length) { fill(body, h("section", {}, noStudies())); return; }
    const study = h("select", { name: "study", change: () => open() }, ...studies.map(({ name }) => h("option", { value: name }, shortStudy(name))));
    if (studies.some(({ name }) => name === query.get("study"))) study.value = query.get("study") as string;
    const seed = h("input", { name: "seed", type: "number", min: 0, max: 2 ** 53, value: query.get("seed") ?? "0", change: () => ask({ descriptor: descriptor.value }) });
    const descriptor = h("textarea", { name: "descriptor", rows: 2, spellcheck: "false", "aria-describedby": "about-descriptor", change: () => ask({ descriptor: descriptor.value.trim() }) });
    const build = h("select", { name: "build" }), repeats = h("input", { name: "repeats", type: "number", min: 1, max: 1000, value: 5 });
    const run = h("button", { type: "button", class: "primary", click: () => void beginner.begin("/api/campaigns", {
      study: study.value, name: freeName(live, `${shortStudy(study.value)}-world`), worlds: 1, repeats: Number(repeats.value), seed: Number(seed.value) || 0, template: descriptor.value.trim(), keep: "all",
      ...(build.value ? { build: build.value } : {}) }) }, "Run this world");
    const beginner = new Beginner(live, run, signal);
    const told = h("div", { "aria-live": "polite" }), picture = h("img", { class: "shot", alt: "The world from above" }), place = h("div", {});
    const random = h("button", { type: "button", class: "button", click: () => { seed.value = String((Number(seed.value) || 0) + 1); ask({ descriptor: "" }); } }, "Another one");
    let form: SchemaForm | null = null, dirty = false;

    const checker = new Checker<Question, World>((question) => post<World>("/api/worlds", question), (world) => {
      run.disabled = !world.valid;
      fill(told, !world.valid && (world.broken.length
        ? h("div", { class: "note alarm", role: "alert" }, "The model rejects it:", h("ul", {}, ...world.broken.map((words) => h("li", {}, words))))
        : notice(world.problem, "note alarm")));
      picture.classList.toggle("stale", !world.valid);
      if (!world.valid) return;
      descriptor.value = world.descriptor;
      if (world.picture) picture.src = `data:image/svg+xml;base64,${btoa(Array.from(new TextEncoder().encode(world.picture), (byte) => String.fromCharCode(byte)).join(""))}`;
      /* A slider that is being moved must not be drawn anew, unless the length of a list has changed. */
      if (!dirty || JSON.stringify(shape(world.values)) !== JSON.stringify(shape(last))) form?.set(world.values);
      last = world.values;
      dirty = false;
      query.set("study", study.value);
      query.set("seed", seed.value);
      query.set("descriptor", world.descriptor);
      if (!signal.aborted) note(["world"], query);
    }, (error) => fill(told, notice(error.message, "note alarm")), signal);
    let last: unknown = null;
    const ask = (what: { descriptor?: string; values?: unknown }, wait = 0) => {
      const given = what.descriptor === "" ? {} : what;
      checker.check({ study: study.value, seed: Number(seed.value) || 0, ...given }, wait);
    };
    const open = (first?: string) => {
      fill(build, ...(studies.find((one) => one.name === study.value)?.builds ?? []).map((one) => h("option", { value: one }, one)));
      get<Schema>(`/api/model?${new URLSearchParams({ study: study.value })}`, signal).then((schema) => {
        form = new SchemaForm(schema, (values) => { dirty = true; last = values; ask({ values }, 120); }, (path) => path.split(/[.[]/).length <= 2);
        const all: string[] = [], walk = (one: Schema & { "x-constraints"?: string[] }) => { all.push(...(one["x-constraints"] ?? [])); };
        walk(schema);
        Object.values(schema.$defs ?? {}).forEach(walk);
        fill(place, form.element, all.length > 0 && h("details", {}, h("summary", {}, "What the model demands"), h("ul", { class: "said" }, ...all.map((words) => h("li", {}, words)))));
        dirty = false;
        ask({ descriptor: first ?? "" });
      }).catch((error: Error) => { if (!signal.aborted) fill(told, notice(error.message, "note alarm")); });
    };
    fill(body, h("section", { class: "twoparts editor", "aria-label": "World" },
      h("div", {}, h("div", { class: "filters" }, h("label", {}, "Study", study), h("label", {}, "Seed of the campaign", seed), random), place),
      h("div", { class: "beside" }, picture, told, h("label", { class: "field" }, "Descriptor", descriptor), h("p", { id: "about-descriptor", class: "soft small" }, "Edit it, or move the sliders: they follow each other. An r leaves a value to chance."),
        h("div", { class: "filters" }, h("label", {}, "Build", build), h("label", {}, "Runs of it", repeats)),
        h("p", { class: "actions start2" }, run, h("button", { type: "button", class: "button", click: () => void navigator.clipboard.writeText(descriptor.value) }, "Copy the descriptor"),
          h("button", { type: "button", class: "button", click: () => save("descriptor.txt", `${descriptor.value}\n`, "text/plain") }, "Save it")), beginner.told)));
    open(query.get("descriptor") ?? undefined);
  }).catch((error: Error) => { if (!signal.aborted) fill(body, notice(error.message, "note alarm")); });
}

/* What a form looks like, whatever its values: names and lengths. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value === "object" && value !== null) return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]));
  return 0;
}
