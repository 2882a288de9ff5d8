/* The strip under the view: speed and clearance over time, violations shaded, reports of the robot as triangles. */
import { type Run, type Track, at } from "./data";
import { type Look, type Pen } from "./look";

export const HEIGHT = 132;
const LEFT = 72, RIGHT = 12;
const CLEARANCE_M = 1;

interface Row { name: "speed" | "clearance"; unit: string; top: number; bottom: number }
const ROWS: Row[] = [{ name: "speed", unit: "m/s", top: 6, bottom: 52 }, { name: "clearance", unit: "m", top: 62, bottom: 112 }];

/* The time under a point of the strip. */
export function timeAt(x: number, width: number, end: number): number {
  return ((x - LEFT) / (width - LEFT - RIGHT)) * end;
}

export function drawTimeline(pen: Pen, look: Look, width: number, run: Run, tracks: Track[], time: number, end: number): void {
  const right = width - RIGHT, x = (t: number) => LEFT + (t / (end || 1)) * (right - LEFT);
  pen.fillStyle = look.card; pen.fillRect(0, 0, width, HEIGHT);
  pen.fillStyle = look.fail; pen.globalAlpha = 0.2;
  for (const [from, to] of run.bad) pen.fillRect(x(from) - 0.75, 4, Math.max(1.5, x(to) - x(from)), HEIGHT - 22);
  pen.globalAlpha = 1;
  pen.font = "11px system-ui, sans-serif";
  for (const row of ROWS) drawRow(pen, look, row, tracks, x, right);
  pen.fillStyle = pen.strokeStyle = look.soft;
  const most = Math.max(2, Math.floor((right - LEFT) / 70));
  const step = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600].find((s) => end / s <= most) ?? 3600;
  for (let t = 0; t <= end; t += step) {
    pen.textAlign = x(t) > right - 12 ? "right" : "center";
    pen.fillText(t + " s", Math.min(x(t), width - 2), HEIGHT - 4);
  }
  for (const said of run.events) {
    pen.globalAlpha = said.level ? 1 : 0.4;
    pen.fillStyle = said.level ? look.fail : look.soft;
    pen.beginPath(); pen.moveTo(x(said.at), 113); pen.lineTo(x(said.at) - 4, 120); pen.lineTo(x(said.at) + 4, 120); pen.fill();
  }
  pen.globalAlpha = 1; pen.strokeStyle = look.ink; pen.lineWidth = 1.3;
  pen.beginPath(); pen.moveTo(x(time), 2); pen.lineTo(x(time), HEIGHT - 16); pen.stroke();
}

function drawRow(pen: Pen, look: Look, row: Row, tracks: Track[], x: (t: number) => number, right: number): void {
  const shown = tracks.filter((track) => track[row.name]);
  if (!shown.length) return;
  let low = 0, high = 0.1;
  for (const track of shown) for (const v of track[row.name] as Float64Array) { low = Math.min(low, v); high = Math.max(high, v); }
  const cut = row.name === "clearance" && high > CLEARANCE_M;
  if (cut) high = CLEARANCE_M;
  const y = (v: number) => row.bottom - ((Math.min(v, high) - low) / (high - low)) * (row.bottom - row.top);
  pen.fillStyle = look.soft; pen.textAlign = "right";
  pen.fillText(high.toFixed(1) + (cut ? "+" : "") + " " + row.unit, LEFT - 6, row.top + 8);
  pen.fillText("0", LEFT - 6, y(0) + 3);
  pen.fillStyle = look.ink;
  pen.fillText(row.name, LEFT - 6, (row.top + 8 + y(0)) / 2 + 2);
  pen.strokeStyle = look.line; pen.lineWidth = 1;
  pen.beginPath(); pen.moveTo(LEFT, y(0)); pen.lineTo(right, y(0)); pen.stroke();
  for (const track of shown) {
    pen.strokeStyle = tracks.length > 1 ? look.hue(tracks.indexOf(track), 1) : look.accent;
    pen.lineWidth = 1.3; pen.beginPath();
    (track[row.name] as Float64Array).forEach((v, i) => pen.lineTo(x(at(track.t, i)), y(v)));
    pen.stroke();
  }
}
