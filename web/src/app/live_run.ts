/* One run, watched while it goes on: held, stepped, disturbed, changed. */
import { type Study, type Value, get, post } from "./api";
import { fill, h, notice, number } from "./dom";
import { link, toList } from "./place";
import { LiveView } from "./live_view";
import { type TwinRecord, twinPage } from "./twin_run";
import type { World } from "../viewer/data";

interface LiveWorld { world: World; descriptor: string; goal: [number, number] | null; limit_s: number; build: string; robots: string[]; actors: string[] }
interface LiveState {
  state: "running" | "paused" | "ended"; time_s: number; rate: number; robots: (number | null)[][]; actors: number[][]; topics: Record<string, number>;
  watched: Record<string, unknown>; parameters: Record<string, Record<string, Value>>; operations: string[]; holdable: boolean;
}
interface LiveRecord {
  status: string; outcome: string | null; simulated_s: number; trouble: string; repeatable: boolean; why_not: string; folder: string; disturbances: object[];
  verdicts: { property: string; outcome: string; margin: number | null; unit: string; at_s: number | null; note: string }[];
}
interface LiveAnswer { id: string; kind: "run" | "twin"; study: string; name: string; running: boolean; world: LiveWorld | null; state: LiveState | null; record: LiveRecord | null; trouble: string }

const RATES: [string, string][] = [["0.2", "× 0.2"], ["0.5", "× 0.5"], ["1", "× 1"], ["2", "× 2"], ["5", "× 5"], ["10", "× 10"], ["0", "full speed"]];
/* The operations that are asked for most; all others as JSON. */
const KINDS: Record<string, { words: string; value?: [name: string, label: string, initial: number]; json?: boolean; nodes?: boolean }> = {
  loss: { words: "lose messages", value: ["probability", "share", 0.5] },
  blackhole: { words: "lose all messages" },
  delay: { words: "delay messages", value: ["delay_s", "s", 0.5] },
  freeze: { words: "repeat the last message" },
  kill: { words: "kill a node", nodes: true },
  json: { words: "another, as JSON", json: true },
};

const toLive = (id: string) => link(["live", id]);

function labelled(label: string, input: HTMLElement): HTMLElement {
  return h("label", {}, label, input);
}

/* Fields below each other, numbers of an array beside each other. */
function written(message: unknown): string {
  return JSON.stringify(message, null, 1).replace(/\[\s+([^[\]{}]*?)\s+\]/g, (_, inside: string) => `[${inside.replace(/\s+/g, " ")}]`);
}

function problem(told: HTMLElement, error: unknown): void {
  fill(told, notice((error as Error).message, "note alarm"));
}

/* What to run live, and what has been. */
export function livePage(main: HTMLElement, signal: AbortSignal): void {
  document.title = "Live runs · stressfield";
  const told = h("div", {}), before = h("ul", { class: "items" });
  const form = h("form", { class: "start", submit: (event) => { event.preventDefault(); void begin(); } });
  main.append(h("p", { class: "kicker" }, h("a", { href: toList() }, "Campaigns")), h("h1", {}, "Watch a run live"),
    h("p", { class: "soft" }, "One world, at the speed you choose: hold it, step it, look at messages, disturb it. It is recorded, and never part of a campaign."),
    h("section", { "aria-label": "What to run" }, form, told), before);
  const begin = async () => {
    const given = new FormData(form), text = (name: string) => String(given.get(name) ?? "").trim();
    try {
      const run = await post<LiveAnswer>("/api/live", {
        study: text("study"), seed: Number(text("seed")), rate: Number(text("rate")), paused: given.get("paused") !== null,
        ...(text("build") ? { build: text("build") } : {}), ...(text("template") ? { template: text("template") } : {}),
      });
      location.hash = toLive(run.id);
    } catch (error) { problem(told, error); }
  };
  get<Study[]>("/api/studies", signal).then((studies) => {
    if (!studies.length) {
      fill(form, h("p", {}, "This server only shows. To run worlds from here, start it with the studies that are allowed: ", h("code", {}, "stressfield serve --allow STUDY")));
      return;
    }
    const study = h("select", { name: "study" }, ...studies.map(({ name }) => h("option", { value: name }, name.split("/").at(-1) ?? name)));
    const build = h("select", { name: "build" });
    const chosen = () => fill(build, ...(studies.find((one) => one.name === study.value)?.builds ?? []).map((one) => h("option", { value: one }, one)));
    study.addEventListener("change", chosen);
    chosen();
    fill(form, labelled("Study", study), labelled("Build", build),
      labelled("World (descriptor; empty: drawn)", h("input", { name: "template", maxlength: 2000, spellcheck: "false" })),
      labelled("Seed", h("input", { name: "seed", type: "number", min: 0, max: 2 ** 53, value: 0, required: true })),
      labelled("Speed", h("select", { name: "rate" }, ...RATES.map(([value, words]) => h("option", { value, selected: value === "1" }, words)))),
      labelled("Wait at the start", h("input", { name: "paused", type: "checkbox" })), h("button", { type: "submit", class: "primary" }, "Run"));
  }).catch((error: Error) => { if (!signal.aborted) problem(told, error); });
  get<LiveAnswer[]>("/api/live", signal).then((runs) => fill(before, ...runs.map((run) => h("li", { class: "item" }, h("div", { class: "itemhead" },
    h("h2", {}, h("a", { href: toLive(run.id) }, `${run.study.split("/").at(-1)}, ${run.name}`)), run.running && h("span", { class: "tag live" }, "running")),
    h("p", { class: "soft" }, run.kind === "twin" ? ((run.record as unknown as TwinRecord | null)?.headline ?? "a twin beside a robot") : run.record ? `${run.record.status}, ${run.record.outcome ?? "not judged"}, ${number(run.record.simulated_s, "s")}` : run.trouble))))).catch(() => {});
}

/* A run, or a twin that shows itself: which of them, the server knows. */
export function liveRunPage(main: HTMLElement, id: string, signal: AbortSignal): void {
  const told = h("div", {});
  main.append(told);
  get<LiveAnswer>(`/api/live/${encodeURIComponent(id)}`, signal).then((run) => {
    told.remove();
    if (run.kind === "twin") twinPage(main, id, run.study, signal); else runPage(main, id, signal);
  }).catch((error: unknown) => { if (!signal.aborted) problem(told, error); });
}

function runPage(main: HTMLElement, id: string, signal: AbortSignal): void {
  document.title = "Live run · stressfield";
  const head = h("h1", {}, "Live run"), tag = h("span", { class: "tag live", role: "status" }, "starting …"), clock = h("p", { class: "now", "aria-live": "off" });
  const told = h("div", {}), stage = h("div", {}), ended = h("div", {}), where = h("p", { class: "soft small" });
  const send = async (command: object): Promise<void> => {
    fill(told); /* before: what goes wrong may be told sooner than that it was taken */
    await post<LiveAnswer>(`/api/live/${encodeURIComponent(id)}/do`, command).catch((error: unknown) => problem(told, error));
  };
  const hold = h("button", { type: "button", click: () => void send({ do: state?.state === "paused" ? "resume" : "pause" }) }, "Pause");
  const tick = h("button", { type: "button", title: "One tick of the simulator", click: () => void send({ do: "step" }) }, "Step");
  const second = h("button", { type: "button", click: () => void send({ do: "step", seconds: 1 }) }, "Step 1 s");
  const stop = h("button", { type: "button", click: () => void send({ do: "stop" }) }, "Stop");
  const rate = h("select", { "aria-label": "Speed", change: () => void send({ do: "rate", rate: Number(rate.value) }) },
    ...RATES.map(([value, words]) => h("option", { value, selected: value === "1" }, words)));
  const buttons = [hold, tick, second, stop], pace = h("span", { class: "soft small", hidden: true }, "goes with the wall clock");
  const disturb = disturbForm(send), messages = h("div", {}), parameters = h("div", {}), injected = h("ul", {});
  const meddle = h("div", { class: "twoparts" },
    h("div", {}, h("h2", {}, "Disturb it"), disturb.form, injected, h("h2", {}, "Parameters"), parameters),
    h("div", {}, h("h2", {}, "Messages"), messages));
  const controls = h("div", { class: "actions", role: "group", "aria-label": "Time" }, ...buttons, rate, pace);
  main.append(h("p", { class: "kicker" }, h("a", { href: link(["live"]) }, "Live runs")), h("div", { class: "pagehead" }, h("div", {}, head, tag), controls), where, told,
    h("section", { "aria-label": "The run" }, stage, clock), ended, h("section", { "aria-label": "Meddle" }, meddle));
  main.tabIndex = -1;
  document.addEventListener("keydown", (event) => {
    if ((event.target as HTMLElement).closest("input, select, textarea, button") || event.ctrlKey || event.metaKey) return;
    if (event.key === " ") { event.preventDefault(); hold.click(); } else if (event.key === "s") tick.click();
  }, { signal });

  const view = new LiveView(stage, signal), watched = new Set<string>();
  let state: LiveState | null = null, limit = 0, topicsKey = "", parametersKey = "";

  const showMessages = (now: LiveState) => {
    const key = Object.keys(now.topics).sort().join(" ");
    if (key !== topicsKey) {
      topicsKey = key;
      disturb.topics(Object.keys(now.topics).sort());
      fill(messages, ...Object.keys(now.topics).sort().map((topic) => {
        const box = h("input", { type: "checkbox", checked: watched.has(topic), change: () => {
          if (box.checked) watched.add(topic); else watched.delete(topic);
          void send({ do: "watch", topics: [...watched] });
        } });
        return h("div", { "data-topic": topic }, h("label", {}, box, " ", h("code", {}, topic), " ", h("span", { class: "soft small" })), h("pre", { class: "scroll message", hidden: true, tabindex: 0 }));
      }));
    }
    for (const row of messages.children) {
      const topic = (row as HTMLElement).dataset["topic"] ?? "", pre = row.querySelector("pre") as HTMLElement;
      (row.querySelector("span") as HTMLElement).textContent = String(now.topics[topic] ?? 0);
      const message = now.watched[topic];
      pre.hidden = !watched.has(topic);
      if (!pre.hidden) pre.textContent = message === undefined ? "nothing yet" : written(message);
    }
  };
  const showParameters = (now: LiveState) => {
    const key = JSON.stringify(Object.entries(now.parameters).map(([node, all]) => [node, Object.keys(all)]));
    if (key !== parametersKey) {
      parametersKey = key;
      const rows = Object.entries(now.parameters).flatMap(([node, all]) => Object.entries(all).map(([name, value]) => {
        const input = typeof value === "boolean" ? h("input", { type: "checkbox", checked: value, "aria-label": `${node} ${name}` })
          : h("input", { value: String(value), type: typeof value === "number" ? "number" : "text", step: "any", "aria-label": `${node} ${name}` });
        const set = () => void send({ do: "change", node, parameter: name, value: typeof value === "boolean" ? input.checked : typeof value === "number" ? Number(input.value) : input.value });
        return h("tr", {}, h("th", { scope: "row" }, `${node}.${name}`), h("td", { class: "num", "data-of": `${node}.${name}` }), h("td", {}, input), h("td", {}, h("button", { type: "button", class: "button", click: set }, "Set")));
      }));
      fill(parameters, rows.length ? h("div", { class: "scrollbox" }, h("table", { class: "pairs" }, h("tbody", {}, ...rows)))
        : h("p", { class: "soft" }, "Its nodes have none: a public attribute of a node in the process that holds a number, a text, or yes or no."));
    }
    for (const cell of parameters.querySelectorAll<HTMLElement>("td[data-of]")) {
      const [node = "", ...name] = (cell.dataset["of"] ?? "").split("."), value = now.parameters[node]?.[name.join(".")];
      cell.textContent = typeof value === "number" ? number(value) : String(value);
    }
  };
  const take = (now: LiveState) => {
    state = now;
    fill(tag, now.state);
    hold.textContent = now.state === "paused" ? "Resume" : "Pause";
    if (document.activeElement !== rate) rate.value = String(now.rate);
    /* Robot software that goes with the wall clock cannot be held. */
    for (const control of [hold, tick, second, rate]) control.disabled = !now.holdable;
    rate.hidden = !now.holdable;
    pace.hidden = now.holdable;
    clock.textContent = `${now.time_s.toFixed(2)} s of ${limit.toFixed(0)} s at most` + (now.robots[0]?.[3] !== undefined && now.robots[0][3] !== null ? `, ${number(Math.abs(now.robots[0][3]), "m/s")}` : "");
    view.add(now);
    if (now.state !== "ended") { showMessages(now); showParameters(now); fill(injected, ...now.operations.map((words) => h("li", {}, words))); }
  };
  const begin = (world: LiveWorld) => {
    limit = world.limit_s;
    where.textContent = `Build ${world.build}, world ${world.descriptor}`;
    view.show(world);
  };
  const finish = (run: LiveAnswer) => {
    source.close();
    fill(tag, "ended");
    tag.className = "tag";
    for (const button of [...buttons, ...disturb.form.querySelectorAll("button")]) button.disabled = true;
    rate.disabled = true;
    const record = run.record;
    if (!record) { fill(ended, notice(run.trouble || "It ended without telling what came of it.", "note alarm")); return; }
    fill(ended, h("section", { "aria-label": "What came of it" }, h("h2", {}, `${record.status}, ${record.outcome ?? "not judged"}, after ${number(record.simulated_s, "s")}`),
      record.trouble && h("pre", { class: "trouble" }, record.trouble),
      h("div", { class: "scrollbox" }, h("table", {}, h("tbody", {}, ...record.verdicts.map((verdict) => h("tr", {}, h("th", { scope: "row" }, verdict.property),
        h("td", { class: `o-${verdict.outcome}` }, verdict.outcome), h("td", { class: "num" }, number(verdict.margin, verdict.unit)), h("td", {}, verdict.at_s === null ? "" : `at ${number(verdict.at_s, "s")}`)))))),
      h("p", {}, record.repeatable ? "Done again with the same disturbances it is the same, bit for bit." : `It cannot be done again: ${record.why_not}.`),
      h("p", {}, h("a", { class: "button", href: `/api/live/${encodeURIComponent(id)}/trace`, download: "" }, "Recording (MCAP)"), " ", h("span", { class: "soft" }, `in ${record.folder}${record.disturbances.length ? ", with disturbances.yaml for campaigns" : ""}`))));
  };

  const source = new EventSource(`/api/live/${encodeURIComponent(id)}/events`);
  signal.addEventListener("abort", () => source.close());
  const on = <T>(name: string, taken: (data: T) => void) => source.addEventListener(name, (event) => taken(JSON.parse((event as MessageEvent<string>).data) as T));
  on<LiveAnswer>("live", (run) => { head.textContent = `${run.study.split("/").at(-1)}, live`; });
  on<LiveWorld>("world", begin);
  on<LiveState>("state", take);
  on<string>("trouble", (text) => fill(told, notice(text, "note alarm")));
  on<LiveAnswer>("ended", finish);
  source.addEventListener("error", () => {
    if (source.readyState !== EventSource.CLOSED) return;
    get<LiveAnswer>(`/api/live/${encodeURIComponent(id)}`, signal).catch((error: unknown) => { if (!signal.aborted) problem(told, error); });
  });
}

function disturbForm(send: (command: object) => Promise<void>): { form: HTMLFormElement; topics: (names: string[]) => void } {
  const kind = h("select", { name: "kind" }, ...Object.entries(KINDS).map(([value, { words }]) => h("option", { value }, words)));
  const target = h("input", { name: "target", list: "live-topics", placeholder: "/scan" }), known = h("datalist", { id: "live-topics" });
  const value = h("input", { name: "value", type: "number", step: "any", min: 0 }), valueBox = labelled("share", value);
  const seconds = h("input", { name: "seconds", type: "number", min: 0.01, step: "any", value: 3 });
  const json = h("textarea", { name: "json", rows: 4, spellcheck: "false", placeholder: '{"do": "noise", "name": "noisy", "topics": ["/scan"], "path": "ranges.*", "sigma": 0.2}' });
  const targetBox = labelled("Topic", target), jsonBox = labelled("Operation", json), told = h("div", {});
  let count = 0;
  const chosen = () => {
    const which = KINDS[kind.value];
    valueBox.hidden = !which?.value;
    if (which?.value) { (valueBox.firstChild as Text).textContent = which.value[1]; value.value = String(which.value[2]); }
    targetBox.hidden = Boolean(which?.json);
    (targetBox.firstChild as Text).textContent = which?.nodes ? "Node" : "Topic";
    jsonBox.hidden = !which?.json;
  };
  kind.addEventListener("change", chosen);
  const form = h("form", { class: "start", submit: (event) => {
    event.preventDefault();
    fill(told);
    const which = KINDS[kind.value];
    let operation: object;
    try {
      operation = which?.json ? JSON.parse(json.value) as object
        : { do: kind.value, name: `${kind.value} ${++count}`, [which?.nodes ? "nodes" : "topics"]: [target.value.trim()], ...(which?.value ? { [which.value[0]]: Number(value.value) } : {}) };
    } catch (error) { fill(told, notice(`That is no JSON: ${(error as Error).message}`, "note alarm")); return; }
    void send({ do: "inject", operation, ...(seconds.value ? { seconds: Number(seconds.value) } : {}) });
  } }, labelled("What", kind), targetBox, valueBox, jsonBox, labelled("For (s)", seconds), h("button", { type: "submit", class: "primary" }, "Inject"), known, told);
  chosen();
  return { form, topics: (names) => fill(known, ...names.map((name) => h("option", { value: name }))) };
}
