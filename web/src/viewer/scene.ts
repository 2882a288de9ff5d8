/* What is drawn from above. Things that stand still are drawn once and kept, as long as the view does not move. */
import { type Actor, type Mark, type Pose, type Robot, type Track, type Walk, type World, at, indexAt, poseAt } from "./data";
import type { Cloud, Grid, Way } from "./layers";
import { type Look, type Pen } from "./look";

/* From metres to pixels. */
export interface View { width: number; height: number; scale: number; px: (x: number) => number; py: (y: number) => number }

const FONT = "11px system-ui, sans-serif";
const TRAIL_S = 10;
const OUTLINES = 14;
const RAYS_MAX = 1_500, RAYS_DRAWN = 72;
const SHADES = 24;
const FULL = 2 * Math.PI;

export class Backdrop {
  private kept: HTMLCanvasElement | null = null;
  private key = "";
  private relief: HTMLCanvasElement | null = null;
  private reliefDark = false;

  constructor(private readonly world: World) {}

  draw(pen: Pen, view: View, look: Look): void {
    const ratio = pen.getTransform().a;
    const key = [view.width, view.height, view.scale, view.px(0), view.py(0), ratio, look.dark].join(" ");
    if (!this.kept || key !== this.key) {
      this.kept ??= document.createElement("canvas");
      this.kept.width = pen.canvas.width;
      this.kept.height = pen.canvas.height;
      const still = this.kept.getContext("2d") as Pen;
      still.setTransform(ratio, 0, 0, ratio, 0, 0);
      still.fillStyle = look.card;
      still.fillRect(0, 0, view.width, view.height);
      this.drawGround(still, view, look);
      this.drawRegions(still, view, look);
      this.drawBodies(still, view, look);
      this.key = key;
    }
    pen.drawImage(this.kept, 0, 0, view.width, view.height);
  }

  private drawGround(pen: Pen, view: View, look: Look): void {
    const ground = this.world.ground;
    if (!ground) return;
    if (!this.relief || this.reliefDark !== look.dark) {
      const bytes = Uint8Array.from(atob(ground.shade), (c) => c.charCodeAt(0));
      const image = new ImageData(ground.columns, ground.rows);
      bytes.forEach((shade, i) => {
        const row = ground.rows - 1 - Math.floor(i / ground.columns), place = 4 * (row * ground.columns + (i % ground.columns));
        image.data.set(look.dark ? [150, 130, 100, shade >> 1] : [139, 110, 70, shade], place);
      });
      this.relief = document.createElement("canvas");
      this.relief.width = ground.columns;
      this.relief.height = ground.rows;
      (this.relief.getContext("2d") as Pen).putImageData(image, 0, 0);
      this.reliefDark = look.dark;
    }
    const [x0, y0, x1, y1] = metres(ground.box);
    pen.save();
    pen.globalAlpha = 0.3;
    pen.imageSmoothingQuality = "high";
    pen.drawImage(this.relief, view.px(x0), view.py(y1), (x1 - x0) * view.scale, (y1 - y0) * view.scale);
    pen.restore();
  }

  private drawRegions(pen: Pen, view: View, look: Look): void {
    for (const region of this.world.regions) {
      const [x0, y0, x1, y1] = metres(region.box);
      const box: [number, number, number, number] = [view.px(x0), view.py(y1), (x1 - x0) * view.scale, (y1 - y0) * view.scale];
      pen.save();
      if (region.limit) {
        pen.setLineDash([2, 5]); pen.lineCap = "round"; pen.lineWidth = 2; pen.strokeStyle = look.ink;
        pen.strokeRect(...box);
      } else {
        pen.globalAlpha = 0.05; pen.fillStyle = look.accent;
        pen.fillRect(...box);
        pen.globalAlpha = 0.25; pen.strokeStyle = look.accent; pen.lineWidth = 0.6;
        pen.strokeRect(...box);
      }
      pen.restore();
    }
  }

  private drawBodies(pen: Pen, view: View, look: Look): void {
    for (const group of this.world.bodies) {
      pen.save();
      pen.fillStyle = pen.strokeStyle = look.dark ? group.dark : group.light;
      for (let i = 0; i < group.x.length; i++) {
        const x = view.px(at(group.x, i) / 1000), y = view.py(at(group.y, i) / 1000);
        const w = (at(group.w, i % group.w.length) / 1000) * view.scale, h = (at(group.h, i % group.h.length) / 1000) * view.scale;
        pen.beginPath();
        /* Small things keep a least size in pixels: what is there must be seen, however large the world is. */
        if (group.glyph === "dot") {
          pen.globalAlpha = 0.45; pen.arc(x, y, Math.max(1.1, w / 2), 0, FULL); pen.fill();
        } else if (group.glyph === "cross") {
          const r = Math.max(4.5, w / 2);
          pen.lineWidth = 2.2; pen.moveTo(x - r, y - r); pen.lineTo(x + r, y + r); pen.moveTo(x - r, y + r); pen.lineTo(x + r, y - r); pen.stroke();
        } else if (group.glyph === "box") {
          pen.save(); pen.translate(x, y); pen.rotate(-(group.yaw ? at(group.yaw, i) : 0) / 1000);
          pen.globalAlpha = 0.75; pen.fillRect(-w / 2, -h / 2, w, h); pen.restore();
        } else {
          pen.arc(x, y, Math.max(1.6, w / 2), 0, FULL); pen.globalAlpha = 0.6; pen.fill(); pen.globalAlpha = 1; pen.lineWidth = 0.8; pen.stroke();
        }
      }
      pen.restore();
    }
  }
}

function metres(box: [number, number, number, number]): [number, number, number, number] {
  return box.map((v) => v / 1000) as [number, number, number, number];
}

function label(pen: Pen, colour: string, text: string, x: number, y: number): void {
  pen.save();
  pen.fillStyle = colour; pen.font = FONT; pen.textAlign = "left";
  pen.fillText(text, x, y);
  pen.restore();
}

/* Where the robots began, and where they are to go. */
export function drawEnds(pen: Pen, view: View, look: Look, tracks: Track[], ways: [number, number][][]): void {
  pen.save();
  pen.lineWidth = 2;
  for (const track of tracks) {
    pen.strokeStyle = look.ink; pen.fillStyle = look.card;
    pen.beginPath(); pen.arc(view.px(at(track.x, 0)), view.py(at(track.y, 0)), 4.5, 0, FULL); pen.fill(); pen.stroke();
  }
  for (const way of ways) {
    const goal = way[way.length - 1];
    if (!goal) continue;
    const x = view.px(goal[0]), y = view.py(goal[1]);
    pen.strokeStyle = look.pass;
    for (const r of [4, 9]) { pen.beginPath(); pen.arc(x, y, r, 0, FULL); pen.stroke(); }
    label(pen, look.pass, "goal", x + 44 < view.width ? x + 12 : x - 38, y + 4);
  }
  pen.restore();
}

/* The route of the mission, and what the robot plans now. */
export function drawWays(pen: Pen, view: View, look: Look, ways: [number, number][][], planned: Way[]): void {
  const line = (points: [number, number][]) => { pen.beginPath(); for (const [x, y] of points) pen.lineTo(view.px(x), view.py(y)); pen.stroke(); };
  pen.save();
  pen.lineJoin = pen.lineCap = "round"; pen.strokeStyle = look.pass; pen.lineWidth = 1.6; pen.globalAlpha = 0.6; pen.setLineDash([7, 6]);
  for (const way of ways) {
    line(way);
    for (const [x, y] of way.slice(0, -1)) { pen.setLineDash([]); pen.beginPath(); pen.arc(view.px(x), view.py(y), 2.4, 0, FULL); pen.stroke(); pen.setLineDash([7, 6]); }
  }
  pen.strokeStyle = look.lidar; pen.globalAlpha = 0.9; pen.lineWidth = 2; pen.setLineDash([4, 3]);
  for (const { points } of planned) line(points);
  pen.restore();
}

/* What lidars see now: points, and faint rays of planar ones. */
export function drawClouds(pen: Pen, view: View, look: Look, clouds: Cloud[]): void {
  pen.save();
  for (const { xyz, origin } of clouds) {
    const ox = view.px(origin.x), oy = view.py(origin.y), count = xyz.length / 3;
    pen.fillStyle = pen.strokeStyle = look.lidar;
    if (count <= RAYS_MAX) {
      /* Every n-th: rays fill much of the picture, and a picture must not take longer than it is seen. */
      const step = 3 * Math.ceil(count / RAYS_DRAWN);
      pen.globalAlpha = 0.16; pen.lineWidth = 0.7; pen.beginPath();
      for (let i = 0; i < xyz.length; i += step) { pen.moveTo(ox, oy); pen.lineTo(view.px(at(xyz, i)), view.py(at(xyz, i + 1))); }
      pen.stroke();
    }
    pen.globalAlpha = 0.9;
    for (let i = 0; i < xyz.length; i += 3) pen.fillRect(view.px(at(xyz, i)) - 1, view.py(at(xyz, i + 1)) - 1, 2, 2);
  }
  pen.restore();
}

/* Maps that somebody published. */
export function drawGrids(pen: Pen, view: View, grids: Grid[]): void {
  for (const { picture, origin, cell, columns, rows } of grids) {
    pen.save();
    pen.translate(view.px(origin.x), view.py(origin.y)); pen.rotate(-origin.yaw);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(picture, 0, -rows * cell * view.scale, columns * cell * view.scale, rows * cell * view.scale);
    pen.restore();
  }
}

/* Somebody now, with the way of the last ten seconds; at each violation so far, where they were. */
export function drawWalk(pen: Pen, view: View, look: Look, walk: Walk, time: number, marks: Mark[], named: boolean): void {
  const colour = look.dark ? walk.actor.dark : walk.actor.light, pose = poseAt(walk, time);
  const last = indexAt(walk.t, time), from = indexAt(walk.t, time - TRAIL_S);
  if (walk.t.length > 1) {
    pen.save();
    pen.strokeStyle = colour; pen.lineWidth = 1.6; pen.lineJoin = pen.lineCap = "round"; pen.setLineDash([3, 4]);
    pen.globalAlpha = 0.18;
    pen.beginPath(); walk.t.forEach((_, i) => pen.lineTo(view.px(at(walk.x, i)), view.py(at(walk.y, i)))); pen.stroke();
    pen.setLineDash([]); pen.globalAlpha = 0.55; pen.beginPath();
    for (let i = from; i <= last; i++) pen.lineTo(view.px(at(walk.x, i)), view.py(at(walk.y, i)));
    pen.lineTo(view.px(pose.x), view.py(pose.y)); pen.stroke();
    pen.restore();
    for (const mark of marks) if (mark.at <= time - 0.05) drawActor(pen, view, look, walk.actor, poseAt(walk, mark.at), 0.35);
  }
  drawActor(pen, view, look, walk.actor, pose, 0.9);
  if (named) {
    const reach = 0.72 * (walk.actor.round ? walk.actor.length / 2000 : Math.hypot(walk.actor.length, walk.actor.width) / 2000) * view.scale;
    label(pen, colour, walk.actor.name, view.px(pose.x) + reach + 3, view.py(pose.y) - reach - 2);
  }
}

function drawActor(pen: Pen, view: View, look: Look, actor: Actor, pose: Pose, alpha: number): void {
  const length = Math.max(2.2, (actor.length / 2000) * view.scale), width = Math.max(2.2, (actor.width / 2000) * view.scale);
  pen.save();
  pen.translate(view.px(pose.x), view.py(pose.y)); pen.rotate(-pose.yaw);
  pen.globalAlpha = alpha; pen.fillStyle = look.dark ? actor.dark : actor.light;
  pen.beginPath();
  if (actor.round) pen.arc(0, 0, length, 0, FULL); else pen.rect(-length, -width, 2 * length, 2 * width);
  pen.fill();
  if (!actor.door) {
    pen.strokeStyle = look.card; pen.lineWidth = 1.6; pen.beginPath(); pen.moveTo(0, 0); pen.lineTo(length, 0); pen.stroke();
  }
  pen.restore();
}

export interface Driven { track: Track; place: number; robot: Robot | undefined; time: number; end: number; marks: Mark[]; bad: [number, number][]; named: boolean }

export function drawTrack(pen: Pen, view: View, look: Look, driven: Driven): void {
  const { track, place, robot, time, end } = driven;
  const last = indexAt(track.t, time), pose = poseAt(track, time);
  const colour = (t: number) => look.hue(place, end > 0 ? t / end : 0);
  const line = (from: number, to: number, style: string, width: number) => {
    pen.strokeStyle = style; pen.lineWidth = width; pen.beginPath();
    for (let i = from; i <= to; i++) pen.lineTo(view.px(at(track.x, i)), view.py(at(track.y, i)));
    pen.stroke();
  };
  pen.save();
  pen.lineJoin = pen.lineCap = "round";
  pen.globalAlpha = 0.25;
  line(last, track.t.length - 1, look.soft, 1.2);
  pen.globalAlpha = 1;
  const step = Math.max(4, Math.ceil(track.t.length / SHADES));
  for (let i = 0; i < last; i += step) line(i, Math.min(i + step, last), colour(at(track.t, i)), 2);
  pen.strokeStyle = colour(time); pen.lineWidth = 2; pen.beginPath();
  pen.moveTo(view.px(at(track.x, last)), view.py(at(track.y, last))); pen.lineTo(view.px(pose.x), view.py(pose.y)); pen.stroke();
  for (const [from, to] of driven.bad) {
    if (from <= time) line(indexAt(track.t, from), Math.min(last, indexAt(track.t, to) + 1), look.fail, 5);
  }
  pen.restore();
  if (robot) {
    const step = Math.max(end / OUTLINES, 0.5);
    for (let t = 0; t < time; t += step) drawRobot(pen, view, poseAt(track, t), robot, look.soft, 0.35, false);
    for (const mark of driven.marks) if (mark.at <= time) drawRobot(pen, view, poseAt(track, mark.at), robot, look.fail, 0.9, false);
    drawRobot(pen, view, pose, robot, look.ink, 1, true);
  }
  if (driven.named) label(pen, colour(end), track.robot, view.px(pose.x) + 9, view.py(pose.y) - 7);
}

function drawRobot(pen: Pen, view: View, pose: Pose, robot: Robot, colour: string, alpha: number, solid: boolean): void {
  const length = (robot.length / 1000) * view.scale, width = (robot.width / 1000) * view.scale, ahead = (robot.offset / 1000) * view.scale;
  pen.save();
  pen.translate(view.px(pose.x), view.py(pose.y)); pen.rotate(-pose.yaw);
  pen.globalAlpha = alpha; pen.strokeStyle = colour; pen.lineWidth = solid ? 2 : 1.1;
  pen.beginPath(); pen.rect(ahead - length / 2, -width / 2, length, width);
  if (solid) { pen.save(); pen.globalAlpha = 0.25; pen.fillStyle = colour; pen.fill(); pen.restore(); }
  pen.stroke();
  if (solid) {
    pen.beginPath(); pen.moveTo(ahead + length / 2, 0); pen.lineTo(ahead + length / 5, -width / 3); pen.lineTo(ahead + length / 5, width / 3);
    pen.closePath(); pen.fillStyle = colour; pen.fill();
  }
  pen.restore();
}

type Box = [number, number, number, number];

/* Numbers where something was violated, each with its words in a place that no other has taken. */
export function drawMarks(pen: Pen, view: View, look: Look, marks: Mark[], time: number): void {
  const { width, height } = view, taken: Box[] = [];
  const free = (box: Box) => box[0] > 2 && box[1] > 2 && box[2] < width - 2 && box[3] < height - 2
    && !taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);
  const shown = marks.map((mark, i) => ({ mark, i, x: view.px(mark.x / 1000), y: view.py(mark.y / 1000) }))
    .filter(({ mark, x, y }) => mark.at <= time + 1e-6 && x > 0 && x < width && y > 0 && y < height);
  shown.forEach(({ x, y }) => taken.push([x - 10, y - 10, x + 10, y + 10]));
  pen.save();
  pen.font = "600 12px system-ui, sans-serif"; pen.textBaseline = "middle";
  for (const { mark, i, x, y } of shown) {
    const w = pen.measureText(mark.label).width + 12;
    const places: [number, number][] = [[16, -30], [16, 22], [-16 - w, -30], [-16 - w, 22], [-w / 2, -54], [-w / 2, 46], [16, -70], [16, 64],
      [-16 - w, -70], [-16 - w, 64], [-w / 2, -100], [-w / 2, 90]];
    for (const [dx, dy] of places) {
      const box: Box = [x + dx, y + dy - 10, x + dx + w, y + dy + 10];
      if (!free(box)) continue;
      taken.push(box);
      pen.strokeStyle = look.fail; pen.lineWidth = 1;
      pen.beginPath(); pen.moveTo(x, y); pen.lineTo(Math.max(box[0], Math.min(x, box[2])), dy < 0 ? box[3] : box[1]); pen.stroke();
      pen.fillStyle = look.card; pen.globalAlpha = 0.92; pen.beginPath(); pen.roundRect(box[0], box[1], w, 20, 5); pen.fill(); pen.globalAlpha = 1;
      pen.stroke(); pen.fillStyle = look.fail; pen.textAlign = "left"; pen.fillText(mark.label, box[0] + 6, y + dy + 0.5);
      break;
    }
    pen.beginPath(); pen.arc(x, y, 9, 0, FULL); pen.fillStyle = look.fail; pen.fill();
    pen.lineWidth = 1.5; pen.strokeStyle = look.card; pen.stroke();
    pen.fillStyle = "#fff"; pen.textAlign = "center"; pen.fillText(String(i + 1), x, y + 0.5);
  }
  pen.restore();
}

/* A round number of metres that is wide enough to read. */
export function drawRuler(pen: Pen, view: View, look: Look): void {
  const metres = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 500].find((m) => m * view.scale >= 46) ?? 1000;
  const base = view.height - 11, right = 12 + metres * view.scale;
  pen.save();
  pen.strokeStyle = pen.fillStyle = look.soft; pen.lineWidth = 1.5; pen.font = FONT;
  pen.beginPath(); pen.moveTo(12, base - 5); pen.lineTo(12, base); pen.lineTo(right, base); pen.lineTo(right, base - 5); pen.stroke();
  pen.fillText(metres + " m", 18, base - 6);
  pen.restore();
}
