/* The last message of each topic at the time that is shown, decoded, as a tree. All of it is text. */
import { h } from "../app/dom";
import type { Recording } from "../recording/recording";
import type { Topic } from "../recording/topic";
import { figure } from "./timeline";

const OPEN = 2, ITEMS = 60, DEPTH = 12, TEXT = 2_000;

export class Inspector {
  readonly element: HTMLElement;
  private readonly list = h("ul", { class: "topics", "aria-label": "Topics" });
  private readonly rows: { topic: Topic; row: HTMLLIElement; told: HTMLElement; tree: HTMLElement; shown: number }[] = [];
  private readonly open = new Set<string>();
  private time = 0;

  constructor(recording: Recording) {
    const filter = h("input", { type: "search", placeholder: "Filter topics", "aria-label": "Filter topics", input: () => {
      const words = filter.value.toLowerCase();
      for (const { topic, row } of this.rows) row.hidden = !`${topic.name} ${topic.type}`.toLowerCase().includes(words);
    } });
    for (const topic of recording.topics) {
      const told = h("span", { class: "soft" }), tree = h("div", { class: "tree", hidden: true });
      const button = h("button", { type: "button", class: "plain", "aria-expanded": "false", click: () => {
        const opened = !this.open.delete(topic.name);
        if (opened) this.open.add(topic.name);
        button.setAttribute("aria-expanded", String(opened));
        tree.hidden = !opened;
        this.rows[place]!.shown = -2;
        this.show(this.time);
      } }, topic.name);
      const place = this.rows.length, row = h("li", {}, button, h("span", { class: "soft small" }, topic.type), told, tree);
      this.rows.push({ topic, row, told, tree, shown: -2 });
      this.list.append(row);
    }
    this.element = h("div", { class: "inspector" }, filter, this.list);
  }

  show(time: number): void {
    this.time = time;
    if (!this.element.isConnected || this.element.closest("details:not([open])")) return;
    for (const row of this.rows) {
      const place = row.topic.indexAt(time), age = place < 0 ? "" : `${(time - (row.topic.times[place] as number)).toFixed(2)} s ago`;
      const words = place < 0 ? `none yet of ${row.topic.count}` : `${place + 1} of ${row.topic.count}, ${age}`;
      if (row.told.textContent !== words) row.told.textContent = words;
      if (!this.open.has(row.topic.name) || row.shown === place) continue;
      row.shown = place;
      if (place < 0) row.tree.replaceChildren("Nothing has come yet.");
      else if (row.topic.isLarge(place)) {
        row.tree.replaceChildren("Reading …");
        void row.topic.load(place).then((message) => { if (row.shown === place) fillTree(row.tree, message, row.topic.problem); });
      } else fillTree(row.tree, row.topic.message(place), row.topic.problem);
    }
  }
}

function fillTree(tree: HTMLElement, message: unknown, problem: string): void {
  /* What was unfolded or folded stays so while time goes on. */
  const before = new Map(Array.from(tree.querySelectorAll("details"), (part) => [part.dataset["path"] ?? "", part.open]));
  tree.replaceChildren(message === null || message === undefined ? problem || "It cannot be decoded." : node(message, "", before, 0));
}

function node(value: unknown, path: string, open: Map<string, boolean>, depth: number): Node {
  if (value === null || typeof value !== "object") return document.createTextNode(leaf(value));
  if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    const all = value as unknown as ArrayLike<unknown>, short = Array.from({ length: Math.min(all.length, 6) }, (_, i) => all[i]);
    const plain = short.every((item) => item === null || typeof item !== "object");
    const words = `[${all.length}]` + (plain && all.length ? " " + short.map(leaf).join(", ") + (all.length > 6 ? ", …" : "") : "");
    if (!all.length || depth >= DEPTH) return document.createTextNode(words);
    return folded(words, path, open, depth, () => Array.from({ length: Math.min(all.length, ITEMS) }, (_, i): [string, unknown] => [String(i), all[i]]), all.length - ITEMS);
  }
  const entries = Object.entries(value);
  if (depth >= DEPTH) return document.createTextNode("{…}");
  if (depth === 0) return branch(entries, path, open, depth);
  const brief = entries.every(([, item]) => typeof item === "number") ? entries.map(([name, item]) => `${name} ${leaf(item)}`).join("  ") : `${entries.length} fields`;
  return folded(brief, path, open, depth, () => entries, 0, depth <= OPEN && entries.length <= 8);
}

function folded(words: string, path: string, open: Map<string, boolean>, depth: number, entries: () => [string, unknown][], left: number, atOnce = false): HTMLElement {
  const part = h("details", { "data-path": path }, h("summary", {}, words));
  const fill = () => {
    if (part.childElementCount > 1) return;
    part.append(branch(entries(), path, open, depth));
    if (left > 0) part.append(h("p", { class: "soft small" }, `and ${left} more`));
  };
  part.addEventListener("toggle", () => { if (part.open) fill(); });
  if (open.get(path) ?? atOnce) { part.open = true; fill(); }
  return part;
}

function branch(entries: [string, unknown][], path: string, open: Map<string, boolean>, depth: number): HTMLElement {
  const list = h("dl", {});
  for (const [name, item] of entries) {
    const value = h("dd", {});
    value.append(node(item, `${path}/${name}`, open, depth + 1));
    list.append(h("dt", {}, name), value);
  }
  return list;
}

function leaf(value: unknown): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : Number.isFinite(value) ? figure(value) === "0" ? "0" : String(Number(value.toPrecision(7))) : String(value);
  if (typeof value === "string") return value.length > TEXT ? value.slice(0, TEXT) + "…" : value || "(empty)";
  return String(value);
}
