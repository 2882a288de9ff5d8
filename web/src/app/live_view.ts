/* A world from above while something goes on in it: where robots and actors are, and which way they came. */
import { h } from "./dom";
import type { Track, Walk, World } from "../viewer/data";
import { type Look, type Pen, currentLook, fitCanvas } from "../viewer/look";
import { Backdrop, type View, drawEnds, drawRuler, drawTrack, drawWalk } from "../viewer/scene";

export interface Place { world: World; goal: [number, number] | null; robots: string[]; known_place?: boolean }
export interface Moment {
  state: string; time_s: number; robots: (number | null)[][]; actors: number[][];
  shadow?: { measured: number[][]; simulated: number[][] };
}

const POINTS_MAX = 3000;

export class LiveView {
  private world: Place | null = null;
  private backdrop: Backdrop | null = null;
  private readonly canvas = h("canvas", { class: "view", role: "img" });
  private readonly ways = new Map<string, { t: number[]; x: number[]; y: number[]; yaw: number[]; speed: number[] }>();
  private time = 0;
  /* Where the first robot would be by the simulation, and where it was measured meanwhile. */
  private shadow: { measured: number[][]; simulated: number[][] } | null = null;

  constructor(readonly stage: HTMLElement, signal: AbortSignal) {
    stage.append(this.canvas);
    stage.classList.add("stage");
    const resized = new ResizeObserver(() => this.draw());
    resized.observe(this.canvas);
    signal.addEventListener("abort", () => resized.disconnect());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw(), { signal });
  }

  show(world: Place): void {
    this.world = world;
    this.backdrop = new Backdrop(world.world);
    this.canvas.setAttribute("aria-label", `The run seen from above: ${world.robots.join(", ")}`);
    this.draw();
  }

  add(state: Moment): void {
    if (!this.world || state.state === "ended") return;
    this.shadow = state.shadow ?? null;
    this.time = state.time_s;
    state.robots.forEach(([x, y, yaw, speed], i) => this.grow(`robot ${i}`, state.time_s, x, y, yaw, speed));
    state.actors.forEach(([x, y, yaw], i) => this.grow(`actor ${i}`, state.time_s, x, y, yaw, 0));
    this.draw();
  }

  private grow(key: string, t: number, x: number | null | undefined, y: number | null | undefined, yaw: number | null | undefined, speed: number | null | undefined): void {
    if (typeof x !== "number" || typeof y !== "number") return;
    const way = this.ways.get(key) ?? { t: [], x: [], y: [], yaw: [], speed: [] };
    this.ways.set(key, way);
    if (way.t.at(-1) === t) return;
    way.t.push(t); way.x.push(x); way.y.push(y); way.yaw.push(yaw ?? 0); way.speed.push(speed ?? 0);
    /* Of a long run every other pose of the past is let go. */
    if (way.t.length > POINTS_MAX) for (const column of Object.values(way)) column.splice(0, column.length, ...column.filter((_, i) => i % 2 === 0 || i > POINTS_MAX - 100));
  }

  private draw(): void {
    const width = this.canvas.clientWidth;
    if (!this.world || !this.backdrop || !width) return;
    const [x0, y0, x1, y1] = this.world.known_place === false ? this.driven() : this.world.world.extent.map((v) => v / 1000) as [number, number, number, number];
    const pad = 0.04 * Math.max(x1 - x0, y1 - y0) + 0.4, w = x1 - x0 + 2 * pad, tall = y1 - y0 + 2 * pad;
    const height = Math.max(220, Math.min(560, (width * tall) / w)), scale = Math.min(width / w, height / tall);
    const left = (width - scale * (x1 - x0)) / 2, top = (height - scale * (y1 - y0)) / 2;
    const view: View = { width, height, scale, px: (x) => left + (x - x0) * scale, py: (y) => height - top - (y - y0) * scale };
    const pen = fitCanvas(this.canvas, width, height), look = currentLook(), world = this.world;
    if (this.world.known_place === false) pen.clearRect(0, 0, width, height); else this.backdrop.draw(pen, view, look);
    const column = (values: number[]) => Float64Array.from(values);
    const way = (key: string) => {
      const raw = this.ways.get(key);
      return raw ? { t: column(raw.t), x: column(raw.x), y: column(raw.y), yaw: column(raw.yaw), speed: column(raw.speed) } : null;
    };
    const tracks = world.robots.flatMap((robot, i): Track[] => {
      const found = way(`robot ${i}`);
      return found ? [{ ...found, robot, clearance: null }] : [];
    });
    const goal = world.goal?.map((v) => v / 1000) as [number, number] | undefined;  /* told in millimetres, as the world is */
    drawEnds(pen, view, look, tracks, goal ? [[goal]] : []);
    world.world.actors.forEach((actor, i) => {
      const found = way(`actor ${i}`);
      if (found) drawWalk(pen, view, look, { ...found, actor } satisfies Walk, this.time, [], world.world.actors.length <= 8);
    });
    tracks.forEach((track, place) => drawTrack(pen, view, look, {
      track, place, robot: world.world.robots[place], time: this.time, end: Math.max(this.time, 1), marks: [], bad: [], named: tracks.length > 1,
    }));
    if (this.shadow) drawShadow(pen, view, look, this.shadow, world.world.robots[0]);
    drawRuler(pen, view, look);
  }

  /* Where nobody knows the place: as much of it as was driven. */
  private driven(): [number, number, number, number] {
    const xs = [...this.ways.values()].flatMap((way) => way.x), ys = [...this.ways.values()].flatMap((way) => way.y), room = 2;
    const low = (values: number[]) => values.reduce((a, b) => Math.min(a, b), values[0] ?? 0) - room, high = (values: number[]) => values.reduce((a, b) => Math.max(a, b), values[0] ?? 0) + room;
    return [low(xs), low(ys), high(xs), high(ys)];
  }
}

function drawShadow(pen: Pen, view: View, look: Look, shadow: { measured: number[][]; simulated: number[][] }, body: World["robots"][number] | undefined): void {
  const line = (places: number[][], style: string, dash: number[]) => {
    pen.strokeStyle = style; pen.lineWidth = 2.5; pen.setLineDash(dash); pen.beginPath();
    for (const [x = 0, y = 0] of places) pen.lineTo(view.px(x), view.py(y));
    pen.stroke();
  };
  pen.save();
  line(shadow.measured, look.ink, []);
  line(shadow.simulated, look.accent, [5, 4]);
  const end = shadow.simulated.at(-1);
  if (end && body) {
    const [x = 0, y = 0, yaw = 0] = end, long = body.length / 1000, wide = body.width / 1000, ahead = body.offset / 1000;
    pen.translate(view.px(x), view.py(y)); pen.rotate(-yaw); pen.setLineDash([4, 3]); pen.lineWidth = 1.8;
    pen.strokeRect((ahead - long / 2) * view.scale, (-wide / 2) * view.scale, long * view.scale, wide * view.scale);
  }
  pen.restore();
}
