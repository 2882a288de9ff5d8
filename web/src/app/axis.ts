/* Axes: where a value stands between 0 and 1, and what is written beside it. */
import type { Value } from "./api";
import { number } from "./dom";

export interface Tick { at: number; label: string }
export interface Axis {
  label: string;
  /* Between 0 and 1; null for a value that is missing. */
  place(value: Value): number | null;
  /* What stands at a place: of a number, any; of a word, the nearest. */
  value(at: number): Value;
  ticks: Tick[];
  numeric: boolean;
}

/* Steps of 1, 2 or 5 times a power of ten: numbers that people read. */
export function niceStep(span: number, count: number): number {
  const rough = span / Math.max(1, count), power = 10 ** Math.floor(Math.log10(rough)), part = rough / power;
  return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

export function numericAxis(label: string, values: Value[], count = 5, from?: number, to?: number): Axis {
  let low = from ?? Infinity, high = to ?? -Infinity;
  for (const value of values) if (typeof value === "number") { if (value < low) low = value; if (value > high) high = value; }
  if (!(low <= high)) { low = 0; high = 1; }
  if (low === high) { const pad = Math.abs(low) / 2 || 0.5; low -= pad; high += pad; }
  /* Room beside the outermost points, unless the ends are given. */
  const room = (high - low) * 0.04;
  if (from === undefined) low -= room;
  if (to === undefined) high += room;
  const step = niceStep(high - low, count), ticks: Tick[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++) {
    ticks.push({ at: (i * step - low) / (high - low), label: number(Number((i * step).toPrecision(6))) });
  }
  return {
    label, numeric: true, ticks,
    place: (value) => (typeof value === "number" ? (value - low) / (high - low) : null),
    value: (at) => low + at * (high - low),
  };
}

export const WORDS_MAX = 40;

export function wordAxis(label: string, values: Value[]): Axis {
  const words = [...new Set(values.filter((value): value is string | boolean => typeof value === "string" || typeof value === "boolean"))]
    .sort((a, b) => (String(a) < String(b) ? -1 : 1)).slice(0, WORDS_MAX);
  const places = new Map<Value, number>(words.map((word, i) => [word, (i + 0.5) / words.length]));
  return {
    label, numeric: false, ticks: words.map((word) => ({ at: places.get(word) as number, label: word === true ? "yes" : word === false ? "no" : String(word).slice(0, 18) })),
    place: (value) => places.get(value) ?? null,
    value: (at) => words[Math.min(words.length - 1, Math.max(0, Math.floor(at * words.length)))] ?? null,
  };
}

export function axisOf(label: string, values: Value[]): Axis {
  return values.some((value) => typeof value === "number") || !values.some((value) => value !== null) ? numericAxis(label, values) : wordAxis(label, values);
}
