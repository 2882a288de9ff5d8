/* Elements and words. Texts are set as texts: nothing that a campaign says is ever read as HTML. */

export type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | ((event: Event) => void)>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
  return made;
}

export function fill(parent: Element, ...children: Child[]): void {
  parent.replaceChildren(...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false));
}

export const WORDS: Record<string, string> = {
  pass: "passed", fail: "failed", inconclusive: "inconclusive", subject_crash: "crashed", hang: "hung", invalid: "invalid",
};
export const CATEGORIES = Object.keys(WORDS);

export function counted(count: number, noun: string): string {
  return `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
}

/* Four digits are enough to read; whole numbers stay whole. */
export function number(value: number | null | undefined, unit = ""): string {
  if (value === null || value === undefined) return "–";
  const text = Number.isInteger(value) && Math.abs(value) < 1e6 ? String(value) : Number(value.toPrecision(4)).toString();
  return unit ? `${text.replace("-", "−")}\u00a0${unit}` : text.replace("-", "−");
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
}

/* A bar of outcomes, and what its colours mean. */
export function outcomes(counts: Record<string, number>, planned: number): { bar: HTMLElement; key: HTMLElement } {
  const done = Object.values(counts).reduce((sum, count) => sum + count, 0), left = Math.max(0, planned - done);
  const parts = CATEGORIES.filter((name) => counts[name]).map((name) => ({ name, count: counts[name] as number }));
  const said = parts.map(({ name, count }) => `${count} ${WORDS[name]}`);
  if (left) said.push(`${left} to do`);
  const bar = h("div", { class: "split", role: "img", "aria-label": said.join(", ") || "nothing done" });
  for (const { name, count } of [...parts, ...(left ? [{ name: "left", count: left }] : [])]) {
    const part = h("i", { class: `c-${name}`, title: `${count} ${WORDS[name] ?? "to do"}` });
    part.style.flex = String(count);
    bar.append(part);
  }
  const key = h("ul", { class: "key" }, ...parts.map(({ name, count }) =>
    h("li", {}, h("i", { class: `c-${name}` }), h("strong", {}, count.toLocaleString("en")), ` ${WORDS[name]}`)),
    left ? h("li", {}, h("i", { class: "c-left" }), h("strong", {}, left.toLocaleString("en")), " to do") : null);
  return { bar, key };
}

export function notice(words: string, look = "note"): HTMLElement {
  return h("p", { class: look, role: look.includes("alarm") ? "alert" : "status" }, words);
}

export function command(text: string): HTMLElement {
  const button = h("button", { type: "button", class: "copy", "aria-label": "Copy the command", click: () => {
    void navigator.clipboard.writeText(text).then(() => { button.textContent = "Copied"; setTimeout(() => { button.textContent = "Copy"; }, 1200); });
  } }, "Copy");
  return h("span", { class: "cmd" }, h("code", {}, text), button);
}

/* A table; a phone shows each row as a card with the heads beside its cells. Numbers: the columns that are numbers. */
export function table(heads: string[], rows: HTMLElement[], numbers: number[] = []): HTMLElement {
  for (const row of rows) [...row.children].forEach((cell, i) => { if (heads[i]) cell.setAttribute("data-label", heads[i] as string); });
  return h("div", { class: "scroll" }, h("table", { class: "cards-on-phone" },
    h("thead", {}, h("tr", {}, ...heads.map((head, i) => (head === "" ? h("td", { class: "share" }) : h("th", { scope: "col", class: numbers.includes(i) ? "num" : "" }, head))))), h("tbody", {}, ...rows)));
}

/* Names and their values, in as many columns as there is room for. */
export function values(pairs: [name: string, value: string, words: string][]): HTMLElement {
  return h("dl", { class: "values" }, ...pairs.map(([name, value, words]) => h("div", {}, h("dt", {}, name, words && h("span", { class: "soft small" }, words)), h("dd", {}, value))));
}

/* Runs one thing at a time; if asked meanwhile, once more afterwards. */
export function oneAtATime(work: () => Promise<void>): () => void {
  let running = false, again = false;
  const run = async () => {
    if (running) { again = true; return; }
    running = true;
    do {
      again = false;
      await work();
    } while (again);
    running = false;
  };
  return () => void run();
}
