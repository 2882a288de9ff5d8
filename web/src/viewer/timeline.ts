/* What happens over time, row by row: margins, signals, disturbances, reports, arrivals. All but the hand of the clock is
   drawn once and kept. */
import { type Line, type Row, type Shown, at, indexAt, lineAt } from "./data";
import { type Look, type Pen, fitCanvas } from "./look";

const LEFT = 46, RIGHT = 10, TOP = 4, AXIS = 18;
const TALL = 54, LOW = 21;
const FONT = "11px system-ui, sans-serif";
/* Rows that are shown at first: of margins the failing and the nearest ones. */
const MARGINS = 5, SIGNALS = 3;
const ROWS_MAX = 60;
const FAR = 2.5;

interface Placed { row: Row; top: number; height: number; low: number; high: number; cut: boolean }

export class Timeline {
  readonly rows: Row[];
  readonly chosen = new Set<Row>();
  private kept: HTMLCanvasElement | null = null;
  private key = "";
  private placed: Placed[] = [];

  constructor(private readonly shown: Shown) {
    this.rows = [...shown.rows];
    if (shown.events.length) this.rows.splice(this.rows.findIndex((row) => row.kind === "topic") >>> 0, 0, {
      kind: "reports", name: "reports of the robot", title: "", unit: "", events: shown.events,
    });
    this.rows.filter(first(this.rows)).slice(0, ROWS_MAX).forEach((row) => this.chosen.add(row));
  }

  get height(): number {
    return TOP + AXIS + [...this.chosen].reduce((sum, row) => sum + (isLow(row) ? LOW : TALL), 0);
  }

  /* Whether it is shown now: a picture cannot have any number of rows. */
  choose(row: Row, on: boolean): boolean {
    if (on && this.chosen.size >= ROWS_MAX) return this.chosen.has(row);
    if (on && row.load && !row.line) row.line = row.load();
    if (on) this.chosen.add(row); else this.chosen.delete(row);
    this.key = "";
    return on;
  }

  timeAt(x: number, width: number): number { return ((x - LEFT) / (width - LEFT - RIGHT)) * this.shown.end; }

  /* What is under a point, in words. */
  wordsAt(y: number): string {
    const found = this.placed.find(({ top, height }) => y >= top && y < top + height)?.row;
    return found ? [found.name, found.title, found.note].filter(Boolean).join(": ") : "";
  }

  draw(canvas: HTMLCanvasElement, look: Look, time: number, apart: number | null = null): void {
    const width = canvas.clientWidth || 900, { height } = this, { end } = this.shown;
    const pen = fitCanvas(canvas, width, height), ratio = pen.getTransform().a;
    const key = [width, height, ratio, look.dark, this.chosen.size, apart].join(" ");
    if (!this.kept || key !== this.key) {
      this.kept ??= document.createElement("canvas");
      this.kept.width = canvas.width; this.kept.height = canvas.height;
      const still = this.kept.getContext("2d") as Pen;
      still.setTransform(ratio, 0, 0, ratio, 0, 0);
      this.drawStill(still, look, width, apart);
      this.key = key;
    }
    pen.clearRect(0, 0, width, height);
    pen.drawImage(this.kept, 0, 0, width, height);
    const x = LEFT + (time / (end || 1)) * (width - LEFT - RIGHT);
    pen.strokeStyle = look.ink; pen.lineWidth = 1.3;
    pen.beginPath(); pen.moveTo(x, 2); pen.lineTo(x, height - AXIS + 2); pen.stroke();
    pen.font = FONT; pen.textAlign = "right";
    for (const { row, top } of this.placed) {
      const value = row.line ? lineAt(row.line, time) : NaN;
      if (!Number.isFinite(value)) continue;
      const words = figure(value) + (row.unit ? " " + row.unit : "");
      pen.fillStyle = look.card; pen.globalAlpha = 0.85;
      const wide = pen.measureText(words).width;
      pen.fillRect(width - RIGHT - wide - 4, top + 2, wide + 4, 13);
      pen.globalAlpha = 1; pen.fillStyle = isBad(row, value) ? look.fail : look.ink;
      pen.fillText(words, width - RIGHT - 2, top + 12);
    }
  }

  private drawStill(pen: Pen, look: Look, width: number, apart: number | null): void {
    const { end, bad } = this.shown, { height } = this, right = width - RIGHT;
    const x = (t: number) => LEFT + (t / (end || 1)) * (right - LEFT);
    pen.fillStyle = look.card; pen.fillRect(0, 0, width, height);
    /* Shaded through all rows: disturbances, and over them violations. */
    for (const row of this.rows) {
      if (row.kind !== "disturbance" || !this.chosen.has(row)) continue;
      pen.fillStyle = look.accent; pen.globalAlpha = 0.1;
      for (const [from, to] of row.spans ?? []) pen.fillRect(x(from), TOP, Math.max(1, x(Math.min(to, end)) - x(from)), height - TOP - AXIS);
    }
    pen.fillStyle = look.fail; pen.globalAlpha = 0.16;
    for (const [from, to] of bad) pen.fillRect(x(from) - 0.75, TOP, Math.max(1.5, x(to) - x(from)), height - TOP - AXIS);
    pen.globalAlpha = 1; pen.font = FONT;
    let top = TOP;
    this.placed = this.rows.filter((row) => this.chosen.has(row)).map((row) => {
      const tall = isLow(row) ? LOW : TALL, placed = { row, top, height: tall, ...range(row) };
      top += tall;
      return placed;
    });
    for (const placed of this.placed) {
      pen.save();
      pen.beginPath(); pen.rect(0, placed.top, width, placed.height); pen.clip();
      if (isLow(placed.row)) this.drawLow(pen, look, placed, x); else drawLine(pen, look, placed, x, right, this.shown.tracks.length);
      this.drawName(pen, look, placed, right);
      pen.restore();
      pen.strokeStyle = look.line; pen.lineWidth = 0.5;
      pen.beginPath(); pen.moveTo(0, placed.top + placed.height); pen.lineTo(width, placed.top + placed.height); pen.stroke();
    }
    if (apart !== null) {
      pen.strokeStyle = look.accent; pen.lineWidth = 2; pen.setLineDash([5, 3]);
      pen.beginPath(); pen.moveTo(x(apart), 0); pen.lineTo(x(apart), height - AXIS + 2); pen.stroke(); pen.setLineDash([]);
    }
    pen.fillStyle = look.soft;
    const most = Math.max(2, Math.floor((right - LEFT) / 70));
    const step = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800].find((s) => end / s <= most) ?? 3600;
    for (let i = 0; i * step <= end; i++) {
      const t = i * step;
      pen.textAlign = x(t) > right - 12 ? "right" : "center";
      pen.fillText(`${Number(t.toPrecision(6))} s`, Math.min(x(t), width - 2), height - 4);
    }
  }

  private drawName(pen: Pen, look: Look, { row, top }: Placed, right: number): void {
    pen.textAlign = "left";
    const worst = row.kind === "margin" && row.margin !== undefined && row.margin !== null ? `, ${row.least === false ? "best" : "worst"} ${figure(row.margin)} ${row.unit}` : "";
    const words = fitted(pen, row.name + (row.title ? " · " + row.title : "") + worst, (right - LEFT) * (isLow(row) ? 0.95 : 0.74));
    pen.fillStyle = look.card; pen.globalAlpha = 0.8; pen.fillRect(LEFT + 2, top + 2, pen.measureText(words).width + 6, 14);
    pen.globalAlpha = 1; pen.fillStyle = row.outcome === "fail" ? look.fail : look.soft;
    pen.fillText(words, LEFT + 5, top + 13);
  }

  private drawLow(pen: Pen, look: Look, { row, top, height }: Placed, x: (t: number) => number): void {
    const { end } = this.shown;
    if (row.bins) {
      const most = Math.max(1, ...row.bins), wide = (x(end) - x(0)) / row.bins.length;
      pen.fillStyle = look.accent;
      row.bins.forEach((count, i) => {
        if (!count) return;
        pen.globalAlpha = 0.25 + 0.6 * (count / most);
        pen.fillRect(x(0) + i * wide, top + height - 7, Math.max(1, wide), 5);
      });
    } else if (row.events) {
      for (const said of row.events) {
        pen.globalAlpha = said.level ? 1 : 0.45; pen.fillStyle = said.level ? look.fail : look.soft;
        pen.beginPath(); pen.moveTo(x(said.at), top + height - 9); pen.lineTo(x(said.at) - 4, top + height - 2); pen.lineTo(x(said.at) + 4, top + height - 2); pen.fill();
      }
    } else {
      pen.fillStyle = row.kind === "margin" ? look.fail : look.accent; pen.globalAlpha = 0.75;
      for (const [from, to] of row.spans ?? []) pen.fillRect(x(from) - 1, top + height - 7, Math.max(2, x(Math.min(to, end)) - x(from)), 5);
    }
    pen.globalAlpha = 1;
  }
}

/* A violation now; what must hold at some time may still come. */
function isBad(row: Row, value: number): boolean { return row.kind === "margin" && row.least !== false && value < 0; }

function isLow(row: Row): boolean { return !row.line; }

/* Which rows are shown at first. */
function first(rows: Row[]): (row: Row) => boolean {
  const near = (row: Row) => (row.outcome === "fail" ? -1e9 : 0) + (row.line ? 0 : 1e6) + (row.margin ?? 1e5);
  const margins = new Set(rows.filter((row) => row.kind === "margin").sort((a, b) => near(a) - near(b)).slice(0, MARGINS));
  const signals = new Set(rows.filter((row) => row.kind === "signal" && row.line).slice(0, SIGNALS));
  return (row) => margins.has(row) || signals.has(row) || row.kind === "disturbance" || row.kind === "reports";
}

/* What is far above everything else that matters is cut off. */
function range(row: Row): { low: number; high: number; cut: boolean } {
  const values = row.line ? Float64Array.from(row.line.v).filter(Number.isFinite).sort() : new Float64Array();
  if (!values.length) return { low: 0, high: 1, cut: false };
  const low = at(values, 0), high = at(values, values.length - 1), middle = at(values, values.length >> 1);
  const zero = row.kind === "margin" || low >= 0 && low < 0.5 * high;
  const base = zero ? Math.min(0, low) : low;
  const usual = Math.max(Math.abs(low), Math.abs(middle), Math.abs(at(values, (values.length * 3) >> 2)));
  const limit = row.kind === "margin" && usual > 1e-2 * high ? FAR * usual : Infinity;
  const up = Math.max(Math.min(high, limit), zero ? 0 : low);
  const pad = (up - base || Math.abs(up) || 1) * 0.08;
  return { low: base - pad * 0.6, high: up + pad, cut: high > limit };
}

function drawLine(pen: Pen, look: Look, { row, top, height, low, high, cut }: Placed, x: (t: number) => number, right: number, robots: number): void {
  const line = row.line as Line, bottom = top + height - 3, roof = top + 16;
  const y = (v: number) => bottom - ((Math.min(Math.max(v, low), high) - low) / (high - low)) * (bottom - roof);
  pen.fillStyle = look.soft; pen.textAlign = "right";
  pen.fillText(figure(high) + (cut ? "+" : ""), LEFT - 4, roof + 4);
  if (low <= 0 && high >= 0) {
    pen.strokeStyle = look.soft; pen.globalAlpha = 0.6; pen.lineWidth = 1;
    pen.beginPath(); pen.moveTo(LEFT, y(0)); pen.lineTo(right, y(0)); pen.stroke(); pen.globalAlpha = 1;
    if (y(0) > roof + 14) pen.fillText("0", LEFT - 4, y(0) + 3);
  } else pen.fillText(figure(low), LEFT - 4, bottom);
  const trace = (style: string, width: number) => {
    pen.strokeStyle = style; pen.lineWidth = width; pen.lineJoin = "round"; pen.beginPath();
    let joined = false;
    for (let i = 0; i < line.t.length; i++) {
      const v = at(line.v, i);
      if (!Number.isFinite(v)) { joined = false; continue; }
      if (joined) pen.lineTo(x(at(line.t, i)), y(v)); else pen.moveTo(x(at(line.t, i)), y(v));
      joined = true;
    }
    pen.stroke();
  };
  trace(row.kind === "margin" && row.least !== false ? look.pass : robots > 1 && row.place !== undefined ? look.hue(row.place, 1) : look.accent, 1.4);
  if (row.kind === "margin" && row.least !== false && low < 0) {
    /* Below zero it is violated. */
    pen.save(); pen.beginPath(); pen.rect(LEFT, y(0), right - LEFT, bottom - y(0) + 3); pen.clip(); trace(look.fail, 2); pen.restore();
  }
  for (const [from, to] of row.spans ?? []) { pen.fillStyle = look.fail; pen.fillRect(x(from) - 1, bottom, Math.max(2, x(to) - x(from)), 3); }
  if (row.at !== null && row.at !== undefined && Number.isFinite(row.at)) {
    const place = indexAt(line.t, row.at), v = row.margin ?? at(line.v, place);
    pen.fillStyle = row.outcome === "fail" ? look.fail : look.pass;
    pen.beginPath(); pen.arc(x(row.at), y(v), 3, 0, 2 * Math.PI); pen.fill();
  }
}

function fitted(pen: Pen, words: string, width: number): string {
  if (pen.measureText(words).width <= width) return words;
  let end = words.length;
  while (end > 3 && pen.measureText(words.slice(0, end) + "…").width > width) end -= Math.max(1, end >> 4);
  return words.slice(0, end) + "…";
}

export function figure(value: number): string {
  const size = Math.abs(value);
  const text = size !== 0 && (size >= 1e5 || size < 1e-3) ? value.toExponential(1) : String(Number(value.toPrecision(3)));
  return text.replace("-", "−");
}
