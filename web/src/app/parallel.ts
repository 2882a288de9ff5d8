/* Parallel coordinates: a line for each run, an axis for each column. Dragging along an axis keeps the runs within. */
import type { Value } from "./api";
import type { Axis } from "./axis";
import { Board, COLOURS, type Paint } from "./canvas";
import { fill, h, number } from "./dom";

export interface Line { look: string; at: (number | null)[] }
export interface Range { axis: number; low: number; high: number }

/* Lines that are drawn at once: of more, the rest comes frame by frame, so that a page of twenty thousand is there at once. */
const PORTION = 2500;
const TOP = 46, BOTTOM = 16, SIDE = 46, HEIGHT = 330, REACH = 22;
const LAST = ["pass", "inconclusive", "invalid", "fail", "hang", "subject_crash"];

export interface ParallelEnd { name: string; low: Value; high: Value; numeric: boolean }

export function parallel(names: string[], axes: Axis[], lines: Line[], keep: (ranges: ParallelEnd[]) => void, signal: AbortSignal): HTMLElement {
  const ordered = [...lines].sort((a, b) => LAST.indexOf(a.look) - LAST.indexOf(b.look));
  const ranges = new Map<number, [number, number]>();
  const told = h("p", { class: "soft small tip", role: "status" });
  const keepButton = h("button", { type: "button", class: "button", disabled: true, click: () => keep([...ranges].map(([axis, [low, high]]) => end(axis, low, high))) }, "Keep only these runs");
  const clear = h("button", { type: "button", class: "button", disabled: true, click: () => { ranges.clear(); changed(); } }, "Clear");
  let turn = 0, width = 0, dragged: { axis: number; from: number } | null = null;
  const px = (axis: number) => SIDE + (axes.length === 1 ? 0.5 : axis / (axes.length - 1)) * (width - 2 * SIDE);
  const py = (at: number) => HEIGHT - BOTTOM - at * (HEIGHT - TOP - BOTTOM);
  const inside = (line: Line) => { for (const [axis, [low, high]] of ranges) { const at = line.at[axis]; if (at === null || at === undefined || at < low || at > high) return false; } return true; };
  const end = (axis: number, low: number, high: number): ParallelEnd => {
    const of = axes[axis] as Axis;
    return { name: names[axis] as string, low: of.value(low), high: of.value(high), numeric: of.numeric };
  };

  const stroke = (ctx: CanvasRenderingContext2D, line: Line) => {
    ctx.beginPath();
    let pen = false;
    line.at.forEach((at, axis) => {
      if (at === null) { pen = false; return; }
      if (pen) ctx.lineTo(px(axis), py(at)); else ctx.moveTo(px(axis), py(at));
      pen = true;
    });
    ctx.stroke();
  };
  const draw = ({ ctx, width: now, height, colour }: Paint) => {
    width = now;
    ctx.clearRect(0, 0, width, height);
    const many = lines.length > 2000, kept = ranges.size ? ordered.filter(inside) : ordered;
    const behind = ranges.size ? ordered : [], alpha = many ? (kept.length > 2000 ? 0.12 : 0.4) : kept.length > 200 ? 0.35 : 0.7, mine = ++turn;
    const portion = (from: number): void => {
      const end = Math.min(from + PORTION, behind.length + kept.length);
      for (let i = from; i < end; i++) {
        const pale = i < behind.length, line = (pale ? behind[i] : kept[i - behind.length]) as Line;
        ctx.globalAlpha = pale ? (many ? 0.15 : 0.5) : alpha;
        ctx.strokeStyle = colour(pale ? "line" : COLOURS[line.look] ?? "accent"); ctx.lineWidth = pale || line.look === "pass" ? 1 : 1.4;
        stroke(ctx, line);
      }
      ctx.globalAlpha = 1; ctx.lineWidth = 1;
      const last = end === behind.length + kept.length;
      if (from === 0 || last) frames(ctx, colour, last);
      if (!last) requestAnimationFrame(() => { if (mine === turn && !signal.aborted) portion(end); });
      else board.element.dataset["drawn"] = String(kept.length);
    };
    portion(0);
  };
  const frames = (ctx: CanvasRenderingContext2D, colour: (name: string) => string, last: boolean) => {
    axes.forEach((axis, i) => {
      ctx.strokeStyle = colour("soft"); ctx.beginPath(); ctx.moveTo(px(i), py(0)); ctx.lineTo(px(i), py(1)); ctx.stroke();
      ctx.fillStyle = colour("ink"); ctx.textAlign = i === 0 ? "left" : i === axes.length - 1 ? "right" : "center"; ctx.textBaseline = "bottom";
      /* Names stand in two rows, so that neighbours do not touch. */
      ctx.fillText(axis.label, i === 0 ? 2 : i === axes.length - 1 ? width - 2 : px(i), i % 2 ? 16 : 32, Math.max(60, (2 * (width - 2 * SIDE)) / Math.max(1, axes.length - 1) - 10));
      ctx.textAlign = "left"; ctx.textBaseline = "middle"; ctx.font = "11px system-ui, sans-serif";
      for (const tick of axis.ticks) {
        ctx.strokeStyle = colour("card"); ctx.lineWidth = 3; ctx.strokeText(tick.label, px(i) + 5, py(tick.at)); ctx.lineWidth = 1;
        ctx.fillStyle = colour("soft"); ctx.fillText(tick.label, px(i) + 5, py(tick.at));
      }
      ctx.font = "12px system-ui, sans-serif";
      const range = ranges.get(i);
      if (range && last) { ctx.fillStyle = colour("accent"); ctx.globalAlpha = 0.3; ctx.fillRect(px(i) - 8, py(range[1]), 16, py(range[0]) - py(range[1])); ctx.globalAlpha = 1; ctx.strokeStyle = colour("accent"); ctx.strokeRect(px(i) - 8, py(range[1]), 16, py(range[0]) - py(range[1])); }
    });
  };
  const board = new Board(`Parallel coordinates of ${lines.length} runs over ${axes.map((axis) => axis.label).join(", ")}. The field Condition does the same by keyboard.`, HEIGHT, draw, signal);
  const changed = () => {
    const count = ranges.size ? lines.filter(inside).length : lines.length;
    keepButton.disabled = clear.disabled = !ranges.size;
    const words = [...ranges].map(([axis, [low, high]]) => { const at = end(axis, low, high); return at.numeric ? `${axes[axis]?.label} ${number(at.low as number)} to ${number(at.high as number)}` : `${axes[axis]?.label} ${at.low}`; });
    fill(told, ranges.size ? `${count.toLocaleString("en")} of ${lines.length.toLocaleString("en")} runs: ${words.join("; ")}` : "Drag along an axis to keep the runs that cross it there.");
    board.paint();
  };
  const at = (event: PointerEvent) => { const box = board.element.getBoundingClientRect(); return { x: event.clientX - box.left, y: Math.min(1, Math.max(0, (HEIGHT - BOTTOM - (event.clientY - box.top)) / (HEIGHT - TOP - BOTTOM))) }; };
  board.element.addEventListener("pointerdown", (event) => {
    const { x, y } = at(event), nearest = axes.map((_, i) => Math.abs(px(i) - x)).reduce((best, far, i, all) => (far < (all[best] as number) ? i : best), 0);
    if (Math.abs(px(nearest) - x) > REACH) return;
    dragged = { axis: nearest, from: y };
    ranges.delete(nearest);
    board.element.setPointerCapture(event.pointerId);
  });
  board.element.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    const { y } = at(event);
    ranges.set(dragged.axis, [Math.min(y, dragged.from), Math.max(y, dragged.from)]);
    changed();
  });
  board.element.addEventListener("pointerup", () => {
    if (!dragged) return;
    const range = ranges.get(dragged.axis);
    if (range && range[1] - range[0] < 0.01) ranges.delete(dragged.axis);  /* a click takes the range away */
    dragged = null;
    changed();
  });
  changed();
  return h("figure", { class: "plot" }, board.element, h("div", { class: "actions" }, told, keepButton, clear));
}
