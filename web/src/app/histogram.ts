/* How values are spread: bars stacked by how runs ended. */
import type { Value } from "./api";
import { type Axis, numericAxis } from "./axis";
import { Board, COLOURS, type Paint } from "./canvas";
import { CATEGORIES, h } from "./dom";
import { frame } from "./scatter";

const BINS = 24, LEFT = 62, BOTTOM = 40, TOP = 10, RIGHT = 12;

export function histogram(x: Axis, values: Value[], looks: string[], signal: AbortSignal, height = 220): HTMLElement {
  const bins = x.numeric ? BINS : Math.max(1, x.ticks.length);
  const counts = Array.from({ length: bins }, () => new Map<string, number>());
  let most = 0, missing = 0;
  values.forEach((value, i) => {
    const at = x.place(value);
    if (at === null) { missing++; return; }
    const bin = counts[Math.min(bins - 1, Math.max(0, Math.floor(at * bins)))] as Map<string, number>, look = looks[i] as string;
    bin.set(look, (bin.get(look) ?? 0) + 1);
  });
  for (const bin of counts) most = Math.max(most, [...bin.values()].reduce((sum, count) => sum + count, 0));
  const y = numericAxis("runs", [], 3, 0, Math.max(1, most));
  const draw = ({ ctx, width, colour }: Paint) => {
    const px = (at: number) => LEFT + at * (width - LEFT - RIGHT), py = (at: number) => height - BOTTOM - at * (height - BOTTOM - TOP);
    frame({ ctx, width, height, colour }, x, y, px, py);
    counts.forEach((bin, i) => {
      let below = 0;
      for (const look of [...CATEGORIES].reverse()) {
        const count = bin.get(look) ?? 0;
        if (!count) continue;
        const from = py(below / Math.max(1, most)), to = py((below + count) / Math.max(1, most));
        ctx.fillStyle = colour(COLOURS[look] ?? "accent");
        ctx.fillRect(px(i / bins) + 1, to, Math.max(1, px(1 / bins) - px(0) - 2), from - to);
        below += count;
      }
    });
  };
  const board = new Board(`How ${x.label} is spread over ${values.length - missing} runs, by how they ended`, height, draw, signal);
  return h("figure", { class: "plot" }, board.element, missing > 0 && h("p", { class: "soft small tip" }, `${missing} runs have no such value.`));
}
