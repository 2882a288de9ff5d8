/* Plots of the runs that the filters leave: spread of a column, one over another, all together. */
import { type Column, type Value, type Values, campaignPath, get } from "./api";
import { axisOf } from "./axis";
import { CATEGORIES, WORDS, fill, h, notice, number } from "./dom";
import { histogram } from "./histogram";
import { type ParallelEnd, parallel } from "./parallel";
import { toRun } from "./place";
import { scatter } from "./scatter";

const AXES = 7;
const PLAIN = /^(parameter|margin|metric)\.|^(simulated_s|wall_s|world|repeat)$/;

export function shortName(name: string): string {
  return name.replace(/^(parameter|metric)\./, "").replace(/^margin\./, "margin of ").replace(/^simulated_s$/, "simulated time").replace(/^wall_s$/, "wall time");
}

/* Columns worth an axis: numbers and words that are not the same in every run are found when they are drawn. */
export function plottable(columns: Column[]): Column[] {
  return columns.filter((column) => PLAIN.test(column.name));
}

function label(column: Column): string {
  return shortName(column.name) + (column.unit && !column.name.endsWith(`_${column.unit}`) ? `, ${column.unit}` : "");
}

export class Plots {
  readonly element = h("details", { class: "plots" });
  private columns: Column[] = [];
  private readonly over = h("select", { name: "x", change: () => this.choose() });
  private readonly up = h("select", { name: "y", change: () => this.choose() });
  private readonly axes = h("fieldset", { class: "axes" });
  private readonly spread = h("div", {});
  private readonly cloud = h("div", {});
  private readonly lines = h("div", {});
  private readonly told = h("div", {});
  private readonly key = h("ul", { class: "key" });
  private asked = "";
  private drawing = new AbortController();

  /* query: the filters of the table; note: keeps what is shown in the address; narrow: adds conditions to the table. */
  constructor(private readonly id: string, private readonly query: URLSearchParams, private readonly note: () => void, private readonly narrow: (conditions: string[]) => void, private readonly signal: AbortSignal) {
    this.element.open = query.has("x");
    this.element.append(h("summary", {}, "Plots of these runs"), this.told,
      h("div", { class: "filters" }, h("label", {}, "Across", this.over), h("label", {}, "Up", this.up)),
      h("div", { class: "twoparts" }, this.cloud, this.spread),
      this.key,
      h("h2", {}, "All together"), this.lines, h("details", {}, h("summary", {}, "Choose the axes"), this.axes));
    this.element.addEventListener("toggle", () => { if (this.element.open) void this.refresh(); });
    signal.addEventListener("abort", () => this.drawing.abort());
  }

  /* The columns of the table, once they are known; failing: the property that fails most, whose margin is shown first. */
  offer(columns: Column[], failing: string | undefined): void {
    const known = plottable(columns);
    if (known.map((column) => column.name).join() === this.columns.map((column) => column.name).join()) return;
    this.columns = known;
    const names = known.map((column) => column.name);
    const margin = names.find((name) => name === `margin.${failing}`) ?? names.find((name) => name.startsWith("margin.")) ?? names.find((name) => name.startsWith("metric.")) ?? "simulated_s";
    const first = known.find((column) => column.name.startsWith("parameter.") && column.kind !== "str")?.name ?? names[0] ?? "";
    const [x, y] = [this.query.get("x") ?? first, this.query.get("y") ?? margin];
    for (const [select, value] of [[this.over, x], [this.up, y]] as const) {
      fill(select, ...known.map((column) => h("option", { value: column.name }, label(column))));
      select.value = names.includes(value) ? value : (names[0] ?? "");
    }
    const usual = [...names.filter((name) => name.startsWith("parameter.")).slice(0, AXES - 2), margin, ...names.filter((name) => name.startsWith("metric.")).slice(0, 1)];
    const chosen = new Set(this.query.get("axes")?.split(" ") ?? usual);
    fill(this.axes, h("legend", {}, "Axes"), ...known.map((column) => h("label", {}, h("input", { type: "checkbox", value: column.name, checked: chosen.has(column.name), change: () => this.choose() }), ` ${label(column)}`)));
    if (this.element.open) void this.refresh();
  }

  private picked(): string[] {
    return [...this.axes.querySelectorAll("input")].filter((box) => box.checked).map((box) => box.value);
  }

  private choose(): void {
    this.query.set("x", this.over.value);
    this.query.set("y", this.up.value);
    this.query.set("axes", this.picked().join(" "));
    this.note();
    void this.refresh();
  }

  async refresh(): Promise<void> {
    if (!this.element.open || !this.columns.length) return;
    const names = [...new Set([this.over.value, this.up.value, ...this.picked().slice(0, 18)])];
    const asked = new URLSearchParams(names.map((name) => ["name", name]));
    for (const filter of ["category", "failing", "finding", "text"]) if (this.query.get(filter)) asked.set(filter, this.query.get(filter) as string);
    for (const condition of this.query.getAll("where")) asked.append("where", condition);
    const address = `${campaignPath(this.id, "values")}?${asked}`;
    this.asked = address;
    try {
      const values = await get<Values>(address, this.signal);
      if (address !== this.asked) return;
      fill(this.told);
      this.draw(values);
    } catch (error) {
      if (!this.signal.aborted && address === this.asked) fill(this.told, notice((error as Error).message, "note alarm"));
    }
  }

  private draw(told: Values): void {
    this.drawing.abort();
    this.drawing = new AbortController();
    const { signal } = this.drawing, of = (name: string) => told.values[name] as Value[];
    const column = (name: string) => this.columns.find((one) => one.name === name) as Column;
    const axis = (name: string) => axisOf(label(column(name)), of(name));
    const x = axis(this.over.value), y = axis(this.up.value), xs = of(this.over.value), ys = of(this.up.value);
    const points = told.runs.flatMap((run, i) => {
      const px = x.place(xs[i] ?? null), py = y.place(ys[i] ?? null);
      if (px === null || py === null) return [];
      const look = told.categories[i] as string;
      return [{ x: px, y: py, look, href: toRun(this.id, run), words: `World ${told.worlds[i]}, ${WORDS[look] ?? look}: ${x.label} ${text(xs[i])}, ${y.label} ${text(ys[i])}. Click to open the run.` }];
    });
    const there = new Set(told.categories);
    fill(this.key, ...CATEGORIES.filter((name) => there.has(name)).map((name) => h("li", {}, h("i", { class: `c-${name}` }), ` ${WORDS[name]}`)));
    fill(this.cloud, h("h2", {}, `${y.label} over ${x.label}`), scatter(x, y, points, { words: "Each point is a run; a click opens it" }, signal));
    fill(this.spread, h("h2", {}, `How ${x.label} is spread`), histogram(x, xs, told.categories, signal, 320));
    const names = this.picked().slice(0, 18).filter((name) => new Set(of(name)).size > 1);
    const axes = names.map(axis);
    const lines = told.runs.map((_, i) => ({ look: told.categories[i] as string, at: axes.map((one, j) => one.place(of(names[j] as string)[i] ?? null)) }));
    fill(this.lines, names.length > 1 ? parallel(names, axes, lines, (ends) => this.narrow(ends.flatMap(conditions)), signal) : h("p", { class: "soft" }, "Choose at least two columns that vary."),
      told.total > told.runs.length && notice(`The first ${told.runs.length} of ${told.total} runs are drawn.`));
  }
}

function text(value: Value | undefined): string {
  return typeof value === "number" ? number(value) : String(value ?? "–");
}

/* What the server understands: conditions on columns. */
function conditions(end: ParallelEnd): string[] {
  if (!end.numeric) return [`${end.name} = ${end.low}`];
  const tell = (value: Value) => String(Number((value as number).toPrecision(6)));
  return [`${end.name} >= ${tell(end.low)}`, `${end.name} <= ${tell(end.high)}`];
}
