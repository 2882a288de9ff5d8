/* A form made from a JSON Schema: every value has a control, numbers with bounds a slider. Nothing here knows what it edits. */
import { fill, h } from "./dom";

export interface Schema {
  $ref?: string; $defs?: Record<string, Schema>; title?: string; description?: string; type?: string; properties?: Record<string, Schema>; required?: string[];
  additionalProperties?: boolean | Schema; items?: Schema; prefixItems?: Schema[]; anyOf?: Schema[]; enum?: unknown[]; minimum?: number; maximum?: number; default?: unknown;
  minItems?: number; maxItems?: number; maxLength?: number; "x-unit"?: string; "x-length"?: string;
}
type Change = (value: unknown) => void;
type Data = Record<string, unknown>;

const isData = (value: unknown): value is Data => typeof value === "object" && value !== null && !Array.isArray(value);

export class SchemaForm {
  readonly element = h("div", { class: "form" });

  constructor(private readonly schema: Schema, private readonly changed: (value: unknown) => void, private readonly opened: (path: string) => boolean) {}

  /* Shows other values, as when they were edited elsewhere. The control that has the focus keeps it. */
  set(value: unknown): void {
    const focused = document.activeElement instanceof HTMLElement && this.element.contains(document.activeElement) ? document.activeElement.dataset["path"] : undefined;
    const parts = () => this.element.querySelectorAll<HTMLDetailsElement>("details"), before = new Map([...parts()].map((one) => [one.dataset["path"], one.open]));
    fill(this.element, this.control(this.schema, value, "", this.changed));
    for (const one of parts()) one.open = before.get(one.dataset["path"]) ?? one.open;
    if (focused !== undefined) this.element.querySelector<HTMLElement>(`[data-path="${CSS.escape(focused)}"]`)?.focus();
  }

  private resolved(schema: Schema): Schema {
    let found = schema;
    for (let i = 0; found.$ref !== undefined && i < 20; i++) found = { ...this.schema.$defs?.[found.$ref.replace("#/$defs/", "")], ...(found.description ? { description: found.description } : {}) };
    return found;
  }

  private control(given: Schema, value: unknown, path: string, change: Change): HTMLElement {
    const schema = this.resolved(given);
    if (schema.anyOf) return this.variant(schema.anyOf, value, path, change);
    if (schema.enum) return this.choice(schema.enum, value, path, change);
    if (schema.prefixItems) return this.tuple(schema.prefixItems, value, path, change);
    if (schema.type === "object" || schema.properties) return this.object(schema, value, path, change);
    if (schema.type === "array") return this.list(schema, value, path, change);
    if (schema.type === "boolean") {
      return h("input", { type: "checkbox", checked: value === true, "data-path": path, "aria-label": path, change: (event) => change((event.target as HTMLInputElement).checked) });
    }
    if (schema.type === "number" || schema.type === "integer") return this.number(schema, value, path, change);
    if (schema.type === "null") return h("span", { class: "soft" }, "none");
    return h("input", { type: "text", value: String(value ?? ""), maxlength: schema.maxLength ?? 2000, "data-path": path, "aria-label": path, change: (event) => change((event.target as HTMLInputElement).value) });
  }

  private number(schema: Schema, value: unknown, path: string, change: Change): HTMLElement {
    const whole = schema.type === "integer", { minimum, maximum } = schema;
    const read = (text: string) => { const got = Number(text); return text.trim() !== "" && Number.isFinite(got) ? got : null; };
    const box = h("input", { type: "number", step: whole ? 1 : "any", min: minimum ?? null, max: maximum ?? null, value: String(value ?? ""), "data-path": path, "aria-label": path });
    box.addEventListener("change", () => { const got = read(box.value); if (got !== null) { if (slider) slider.value = String(got); change(got); } });
    let slider: HTMLInputElement | null = null;
    if (minimum !== undefined && maximum !== undefined && maximum - minimum < 1e6) {
      const step = whole ? 1 : Number(((maximum - minimum) / 200).toPrecision(1)) || "any";
      slider = h("input", { type: "range", min: minimum, max: maximum, step, "data-path": `${path}~`, "aria-label": `${path}, slider` });
      slider.value = String(value ?? minimum);
      slider.addEventListener("input", () => { if (slider) { box.value = slider.value; change(Number(slider.value)); } });
    }
    return h("span", { class: "numeric" }, slider, box, schema["x-unit"] && h("span", { class: "soft" }, schema["x-unit"]));
  }

  private choice(words: unknown[], value: unknown, path: string, change: Change): HTMLElement {
    if (words.length === 1) return h("code", {}, String(words[0]));
    const select = h("select", { "data-path": path, "aria-label": path, change: () => change(words[select.selectedIndex]) }, ...words.map((word) => h("option", {}, String(word))));
    select.selectedIndex = Math.max(0, words.indexOf(value));
    return select;
  }

  private tuple(items: Schema[], value: unknown, path: string, change: Change): HTMLElement {
    const now = Array.isArray(value) ? [...value] : items.map((item) => this.blank(item));
    return h("span", { class: "tuple" }, ...items.map((item, i) => this.control(item, now[i], `${path}[${i}]`, (next) => { now[i] = next; change([...now]); })));
  }

  private object(schema: Schema, value: unknown, path: string, change: Change): HTMLElement {
    const now: Data = isData(value) ? { ...value } : {}, properties = schema.properties ?? {}, required = new Set(schema.required ?? []);
    const box = h("div", { class: "object" });
    const put = (name: string, next: unknown) => { now[name] = next; change({ ...now }); };
    const again = () => { change({ ...now }); fill(box, ...rows()); };
    const rows = (): HTMLElement[] => {
      const shown = [...Object.keys(properties).filter((name) => required.has(name) || name in now), ...Object.keys(now).filter((name) => !(name in properties))];
      const made = shown.map((name) => {
        const one = properties[name] ?? (isData(schema.additionalProperties) ? (schema.additionalProperties as Schema) : { type: "string" });
        const of = this.resolved(one), where = path ? `${path}.${name}` : name;
        const fixed = of.enum?.length === 1;
        if (fixed) now[name] ??= of.enum?.[0];
        const inner = this.control(one, now[name], where, (next) => put(name, next));
        const large = of.type === "object" || of.type === "array" || of.anyOf !== undefined && of.anyOf.some((variant) => this.resolved(variant).type === "object");
        const remove = !required.has(name) && h("button", { type: "button", class: "chip", "aria-label": `Remove ${where}`, click: () => { delete now[name]; again(); } }, large ? `Remove ${name}` : "×");
        return large
          ? h("details", { class: "part", open: this.opened(where), "data-path": where }, h("summary", {}, name, Array.isArray(now[name]) ? h("span", { class: "soft" }, ` (${(now[name] as unknown[]).length})`) : "", of.description ? h("span", { class: "soft small" }, ` ${brief(of.description)}`) : ""), inner, remove)
          : h("div", { class: "row" }, h("span", { class: "label", title: of.description ?? "" }, name), inner, remove, of.description && !fixed ? h("span", { class: "soft small doc" }, brief(of.description)) : "");
      });
      const absent = Object.keys(properties).filter((name) => !required.has(name) && !(name in now));
      if (absent.length) {
        const add = h("select", { "aria-label": `Add to ${path || "all"}`, "data-path": `${path}+`, change: () => { if (add.value) { now[add.value] = this.blank(properties[add.value] as Schema); again(); } } },
          h("option", { value: "" }, "Add …"), ...absent.map((name) => h("option", { value: name }, name)));
        made.push(h("div", { class: "row" }, add));
      } else if (isData(schema.additionalProperties) && !schema.properties) {
        const name = h("input", { type: "text", placeholder: "name", "aria-label": `New name in ${path}` });
        made.push(h("div", { class: "row" }, name, h("button", { type: "button", class: "button", click: () => { if (name.value && !(name.value in now)) { now[name.value] = this.blank(schema.additionalProperties as Schema); again(); } } }, "Add")));
      }
      return made;
    };
    fill(box, ...rows());
    return box;
  }

  private list(schema: Schema, value: unknown, path: string, change: Change): HTMLElement {
    const now = Array.isArray(value) ? [...(value as unknown[])] : [], items = schema.items ?? {}, box = h("div", { class: "list" });
    const free = schema["x-length"] === undefined;
    const again = () => { change([...now]); draw(); };
    const draw = () => fill(box, ...now.map((one, i) => {
      const of = this.resolved(items), where = `${path}[${i}]`;
      const inner = this.control(items, one, where, (next) => { now[i] = next; change([...now]); });
      const remove = free && h("button", { type: "button", class: "chip", "aria-label": `Remove ${where}`, click: () => { now.splice(i, 1); again(); } }, "×");
      return of.type === "object" || of.anyOf ? h("details", { class: "part", open: this.opened(where), "data-path": where }, h("summary", {}, name(one) ?? `${i + 1}`), inner, remove) : h("div", { class: "row" }, inner, remove);
    }), free ? h("div", { class: "row" }, h("button", { type: "button", class: "button", disabled: now.length >= (schema.maxItems ?? Infinity), click: () => { now.push(this.blank(items)); again(); } }, "Add")) : h("p", { class: "soft small" }, `as many as ${schema["x-length"]}`));
    draw();
    return box;
  }

  /* One of several kinds: which, is seen from the value. */
  private variant(given: Schema[], value: unknown, path: string, change: Change): HTMLElement {
    const variants = given.map((one) => this.resolved(one)), box = h("div", { class: "variant" });
    let at = Math.max(0, variants.findIndex((one) => this.fits(one, value)));
    const select = h("select", { "data-path": `${path}?`, "aria-label": `Kind of ${path}`, change: () => { at = select.selectedIndex; const made = this.blank(variants[at] as Schema, value); change(made); draw(made); } },
      ...variants.map((one) => h("option", {}, one.type === "null" ? "none" : this.tag(one)?.[1] ?? one.title ?? one.type ?? "value")));
    const draw = (now: unknown) => { select.selectedIndex = at; fill(box, select, this.control(variants[at] as Schema, now, path, change)); };
    draw(value);
    return box;
  }

  private tag(schema: Schema): [string, string] | null {
    const found = Object.entries(schema.properties ?? {}).find(([, one]) => this.resolved(one).enum?.length === 1);
    return found ? [found[0], String(this.resolved(found[1]).enum?.[0])] : null;
  }

  private fits(schema: Schema, value: unknown): boolean {
    if (schema.type === "null") return value === null;
    if (schema.enum) return schema.enum.includes(value);
    if (schema.prefixItems || schema.type === "array") return Array.isArray(value);
    if (schema.type === "object") { const tag = this.tag(schema); return isData(value) && (tag === null || value[tag[0]] === tag[1]); }
    return schema.type === "integer" ? Number.isInteger(value) : typeof value === schema.type;
  }

  /* A new value; from another kind of the same thing what both have is taken over. */
  private blank(given: Schema, like?: unknown): unknown {
    const schema = this.resolved(given);
    if (schema.default !== undefined && schema.default !== null && like === undefined) return structuredClone(schema.default);
    if (schema.anyOf) { const first = schema.anyOf.map((one) => this.resolved(one)).find((one) => one.type !== "null"); return first ? this.blank(first) : null; }
    if (schema.enum) return schema.enum[0];
    if (schema.prefixItems) return schema.prefixItems.map((one) => this.blank(one));
    if (schema.type === "object" || schema.properties) {
      const made: Data = {};
      for (const name of schema.required ?? []) {
        const one = schema.properties?.[name] as Schema, fixed = this.resolved(one).enum?.length === 1;
        made[name] = !fixed && isData(like) && name in like ? like[name] : this.blank(one);
      }
      return made;
    }
    if (schema.type === "array") return Array.from({ length: schema.minItems ?? 0 }, () => this.blank(schema.items ?? {}));
    if (schema.type === "boolean") return false;
    if (schema.type === "number" || schema.type === "integer") return schema.minimum ?? 0;
    return schema.type === "null" ? null : "";
  }
}

function brief(words: string): string {
  return words.split(/\n\n|(?<=\.)\s/, 1)[0]?.replaceAll("``", "").slice(0, 140) ?? "";
}

function name(value: unknown): string | null {
  if (!isData(value)) return null;
  const said = [value["do"], value["name"] ?? value["metric"] ?? value["term"]].filter((one) => typeof one === "string");
  return said.length ? said.join(" ") : null;
}
