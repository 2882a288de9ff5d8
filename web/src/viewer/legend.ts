/* What is drawn, and what its colours mean. */
import { h } from "../app/dom";
import type { Shown } from "./data";

const NAMES_MAX = 6;

export function legendOf(shown: Shown): HTMLElement {
  const entry = (look: string, words: string, light = "currentColor", dark = light) => {
    const swatch = h("i", { class: look, "aria-hidden": "true" });
    swatch.style.setProperty("--light", light); swatch.style.setProperty("--dark", dark);
    return h("li", {}, swatch, words);
  };
  const { tracks, walks, world, ways, marks } = shown;
  const entries = tracks.map((track) => entry("robot", `${track.robot}: now; grey at even intervals${marks.length ? ", red at a violation" : ""}`));
  entries.push(entry("start", "start"), entry("line", "where it went, light early, dark late", "var(--accent)"));
  if (ways.length) entries.push(entry("goal", "goal", "var(--pass)"));
  if (ways.some((way) => way.length > 1)) entries.push(entry("dash", "route of the mission", "var(--pass)"));
  if (marks.length) entries.push(entry("thick", "violated", "var(--fail)"));
  const kinds = new Map<string, { round: boolean; light: string; dark: string; names: string[] }>();
  for (const { actor } of walks) {
    const seen = kinds.get(actor.kind) ?? { round: actor.round, light: actor.light, dark: actor.dark, names: [] };
    seen.names.push(actor.name);
    kinds.set(actor.kind, seen);
  }
  for (const [kind, { round, light, dark, names }] of kinds) {
    entries.push(entry(round ? "round" : "box", `${kind}: ${names.length > NAMES_MAX ? names.length : names.join(", ")}`, light, dark));
  }
  if (walks.length) entries.push(h("li", {}, "White line: where somebody heads. Trail: the last ten seconds. Pale: where they were at a violation."));
  for (const { kind, light, dark } of world.bodies) entries.push(entry("still", `${kind}, stands still`, light, dark));
  if (world.regions.some((region) => region.limit)) entries.push(entry("dots", "limits"));
  if (world.ground) entries.push(h("li", {}, "Ground: darker is lower."));
  return h("ul", { class: "key legend", "aria-label": "Legend" }, ...entries);
}

/* Of what messages show, once they are there. */
export function layerEntries(topics: { name: string; kind: string }[]): HTMLElement[] {
  return topics.map(({ name, kind }) => {
    const swatch = h("i", { class: kind, "aria-hidden": "true" });
    swatch.style.setProperty("--light", "var(--lidar)"); swatch.style.setProperty("--dark", "var(--lidar)");
    return h("li", {}, swatch, name);
  });
}
