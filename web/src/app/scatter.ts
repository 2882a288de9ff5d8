/* Points over two axes: one for each run or world. A click opens the nearest; a filter may dim the others. */
import type { Axis } from "./axis";
import { Board, COLOURS, type Paint } from "./canvas";
import { fill, h } from "./dom";

export interface Point { x: number; y: number; look: string; words: string; href: string }
export interface ScatterOptions { diagonal?: boolean; height?: number; words: string }

const LEFT = 62, BOTTOM = 40, TOP = 10, RIGHT = 12, NEAR = 12;
const DRAWN_LAST = ["pass", "inconclusive", "invalid", "fail", "hang", "subject_crash"];

export function scatter(x: Axis, y: Axis, points: Point[], options: ScatterOptions, signal: AbortSignal): HTMLElement {
  const height = options.height ?? 320, tip = h("p", { class: "soft small tip", role: "status" }, options.words);
  const inner = { width: 0 };
  const px = (at: number) => LEFT + at * (inner.width - LEFT - RIGHT), py = (at: number) => height - BOTTOM - at * (height - BOTTOM - TOP);
  /* What is rare and bad is drawn on top of what is usual. */
  const ordered = [...points].sort((a, b) => DRAWN_LAST.indexOf(a.look) - DRAWN_LAST.indexOf(b.look));
  let shown: Point | null = null;

  const draw = ({ ctx, width, colour }: Paint) => {
    inner.width = width;
    frame({ ctx, width, height, colour }, x, y, px, py);
    if (options.diagonal) { ctx.strokeStyle = colour("soft"); ctx.setLineDash([5, 4]); ctx.beginPath(); ctx.moveTo(px(0), py(0)); ctx.lineTo(px(1), py(1)); ctx.stroke(); ctx.setLineDash([]); }
    const size = points.length > 3000 ? 1.6 : points.length > 400 ? 2.4 : 3.6;
    let look: string | null = null;
    ctx.globalAlpha = points.length > 3000 ? 0.5 : 0.75;
    for (const point of ordered) {
      if (point.look !== look) { look = point.look; ctx.fillStyle = colour(COLOURS[look] ?? "accent"); }
      const cx = px(point.x), cy = py(point.y);
      /* Failing points differ in shape, not in colour alone; of thousands, each is too small for a shape. */
      if (points.length > 3000 || point.look === "fail" || point.look === "subject_crash" || point.look === "hang") ctx.fillRect(cx - size, cy - size, 2 * size, 2 * size);
      else { ctx.beginPath(); ctx.arc(cx, cy, size, 0, 2 * Math.PI); ctx.fill(); }
    }
    ctx.globalAlpha = 1;
    if (shown) { ctx.strokeStyle = colour("ink"); ctx.lineWidth = 2; ctx.beginPath(); ctx.arc(px(shown.x), py(shown.y), 7, 0, 2 * Math.PI); ctx.stroke(); ctx.lineWidth = 1; }
  };
  const board = new Board(`${options.words}. ${points.length} points: ${y.label} over ${x.label}`, height, draw, signal);
  const nearest = (event: MouseEvent): Point | null => {
    const box = board.element.getBoundingClientRect(), mx = event.clientX - box.left, my = event.clientY - box.top;
    let best: Point | null = null, least = NEAR * NEAR;
    for (const point of points) {
      const distance = (px(point.x) - mx) ** 2 + (py(point.y) - my) ** 2;
      if (distance < least) { least = distance; best = point; }
    }
    return best;
  };
  board.element.addEventListener("mousemove", (event) => {
    const found = nearest(event);
    board.element.style.cursor = found ? "pointer" : "";
    if (found === shown) return;
    shown = found;
    fill(tip, found ? found.words : options.words);
    board.paint();
  });
  board.element.addEventListener("click", (event) => { const found = nearest(event); if (found?.href) location.hash = found.href; });
  return h("figure", { class: "plot" }, board.element, tip);
}

/* Grid, ticks and names of both axes. */
export function frame({ ctx, width, height, colour }: Paint, x: Axis, y: Axis, px: (at: number) => number, py: (at: number) => number): void {
  ctx.clearRect(0, 0, width, height);
  ctx.strokeStyle = colour("line");
  ctx.fillStyle = colour("soft");
  ctx.beginPath();
  const room = (px(1) - px(0)) / Math.max(1, x.ticks.length), step = Math.max(1, Math.ceil(44 / Math.max(1, room)));
  ctx.textAlign = "center"; ctx.textBaseline = "top";
  x.ticks.forEach((tick, i) => {
    ctx.moveTo(px(tick.at), py(0)); ctx.lineTo(px(tick.at), py(1));
    if (i % step === 0) ctx.fillText(tick.label, px(tick.at), py(0) + 5, room * step + 8);
  });
  ctx.textAlign = "right"; ctx.textBaseline = "middle";
  for (const tick of y.ticks) { ctx.moveTo(px(0), py(tick.at)); ctx.lineTo(px(1), py(tick.at)); ctx.fillText(tick.label, px(0) - 6, py(tick.at), LEFT - 22); }
  ctx.stroke();
  ctx.fillStyle = colour("ink");
  ctx.textAlign = "center"; ctx.textBaseline = "bottom";
  ctx.fillText(x.label, (px(0) + px(1)) / 2, height - 4, px(1) - px(0));
  ctx.save();
  ctx.translate(2, (py(0) + py(1)) / 2);
  ctx.rotate(-Math.PI / 2);
  ctx.textBaseline = "top";
  ctx.fillText(y.label, 0, 0, py(0) - py(1));
  ctx.restore();
}
