/* A world and a run in it, as stressfield.report._run_view writes them: lengths in millimetres, times in centiseconds, angles
   in milliradians; columns of a track are coded as differences. Seconds of marks and events are seconds. */

export interface RawTrack { robot: string; t: number[]; x: number[]; y: number[]; yaw: number[]; speed: number[]; clearance?: number[] }
export interface RawWalk { name: string; t: number[]; x: number[]; y: number[]; yaw: number[] }
export interface Mark { name: string; label: string; at: number; from: number; to: number; x: number; y: number }
export interface Said { at: number; topic: string; text: string; level: number }
type Span = [number, number];
interface RawLine { t: number[]; v: (number | null)[]; e: number }
export type RawRow =
  | ({ kind: "margin"; name: string; title: string; outcome: string; unit: string; margin: number | null; at: number | null; spans: Span[];
      least?: boolean; note?: string } & Partial<RawLine>)
  | ({ kind: "signal"; name: string; unit: string; note?: string } & Partial<RawLine>)
  | { kind: "disturbance"; name: string; spans: Span[] }
  | { kind: "topic"; name: string; type: string; count: number; bins: string };
export interface Run {
  tracks: RawTrack[]; walks: RawWalk[]; marks: Mark[]; bad: Span[]; events: Said[]; ways: [number, number][][]; rows: RawRow[];
}
export interface BodyGroup {
  kind: string; glyph: "dot" | "cross" | "box" | "disc"; light: string; dark: string;
  x: number[]; y: number[]; w: number[]; h: number[]; foot: number[]; tall: number[]; yaw?: number[];
}
export interface Actor { name: string; kind: string; round: boolean; door: boolean; light: string; dark: string; length: number; width: number; tall: number }
export interface Region { name: string; limit: boolean; box: [number, number, number, number] }
export interface Robot { name: string; length: number; width: number; offset: number; tall: number; sensors?: { topic: string; x: number; y: number; z: number; yaw: number }[] }
export interface Ground { columns: number; rows: number; box: [number, number, number, number]; shade: string; high: number; span: number }
export interface World {
  extent: [number, number, number, number]; bodies: BodyGroup[]; actors: Actor[]; regions: Region[]; robots: Robot[]; ground: Ground | null;
}

/* Values over time; NaN is a gap. */
export interface Line { t: Float64Array; v: Float64Array }
export interface Row {
  kind: "margin" | "signal" | "disturbance" | "topic" | "reports"; name: string; title: string; unit: string;
  line?: Line; spans?: Span[]; bins?: Uint8Array; outcome?: string; margin?: number | null; at?: number | null; note?: string; events?: Said[];
  /* Whether the least value counts, as of what must always hold; of what must hold at some time, the greatest does. */
  least?: boolean;
  /* Which of the robots it is about, for its colour. */
  place?: number;
  /* Makes the line, when somebody first asks for it. */
  load?: () => Line;
}

/* Columns of equal length; a pose is read between two rows. */
export interface Way { t: Float64Array; x: Float64Array; y: Float64Array; yaw: Float64Array }
export interface Track extends Way { robot: string; speed: Float64Array; clearance: Float64Array | null }
export interface Walk extends Way { actor: Actor }
export interface Pose { x: number; y: number; yaw: number }

function undelta(column: number[], scale: number): Float64Array {
  let sum = 0;
  return Float64Array.from(column, (step) => (sum += step) * scale);
}

function decodeWay(raw: { t: number[]; x: number[]; y: number[]; yaw: number[] }): Way {
  return { t: undelta(raw.t, 0.01), x: undelta(raw.x, 0.001), y: undelta(raw.y, 0.001), yaw: undelta(raw.yaw, 0.001) };
}

function decodeLine(raw: Partial<RawLine>): Line | undefined {
  const { t, v, e } = raw;
  if (!t || !v || e === undefined) return undefined;
  let sum = 0;
  const scale = e < 0 ? 1 / 10 ** -e : 10 ** e;
  return { t: undelta(t, 0.01), v: Float64Array.from(v, (step) => (step === null ? NaN : (sum += step) * scale)) };
}

export function decodeRow(raw: RawRow): Row {
  if (raw.kind === "topic") {
    return { kind: raw.kind, name: raw.name, title: `${raw.type}, ${raw.count}`, unit: "", bins: Uint8Array.from(atob(raw.bins), (c) => c.charCodeAt(0)) };
  }
  if (raw.kind === "disturbance") return { ...raw, title: "", unit: "" };
  const { t: _t, v: _v, e: _e, ...rest } = raw, line = decodeLine(raw);
  return { title: "", ...rest, ...(line ? { line } : {}) };
}

/* A run as the player shows it: lengths in metres, times in seconds. */
export interface Shown {
  world: World; tracks: Track[]; walks: Walk[]; marks: Mark[]; bad: Span[]; events: Said[]; ways: [number, number][][]; rows: Row[]; end: number;
}

export function decodeRun(world: World, run: Run): Shown {
  const tracks = run.tracks.map(decodeTrack), rows: Row[] = [];
  tracks.forEach((track, place) => {
    const whose = tracks.length > 1 ? ` of ${track.robot}` : "";
    rows.push({ kind: "signal", name: "speed" + whose, title: "", unit: "m/s", line: { t: track.t, v: track.speed }, place });
    if (track.clearance) rows.push({ kind: "signal", name: "clearance" + whose, title: "to the nearest thing", unit: "m", line: { t: track.t, v: track.clearance }, place });
  });
  const decoded = run.rows.map(decodeRow), isMargin = (row: Row) => row.kind === "margin";
  return {
    world, tracks, walks: decodeWalks(run.walks, world.actors), marks: run.marks, bad: run.bad, events: run.events,
    ways: run.ways.map((way) => way.map(([x, y]): [number, number] => [x / 1000, y / 1000])),
    rows: [...decoded.filter(isMargin), ...rows, ...decoded.filter((row) => !isMargin(row))],
    end: Math.max(...tracks.map(lastTime)),
  };
}

export function decodeTrack(raw: RawTrack): Track {
  return {
    ...decodeWay(raw), robot: raw.robot, speed: undelta(raw.speed, 0.001),
    clearance: raw.clearance ? undelta(raw.clearance, 0.001) : null,
  };
}

/* One who never moved has a single pose. */
export function decodeWalks(raw: RawWalk[], actors: Actor[]): Walk[] {
  return raw.flatMap((walk) => {
    const actor = actors.find((other) => other.name === walk.name);
    return actor ? [{ ...decodeWay(walk), actor }] : [];
  });
}

/* A value of a column that is known to be there. */
export function at(column: ArrayLike<number>, i: number): number {
  return column[i] as number;
}

export function lastTime(way: Way): number {
  return at(way.t, way.t.length - 1);
}

/* The last row that is not later. */
export function indexAt(times: Float64Array, t: number): number {
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (at(times, middle) <= t) low = middle; else high = middle - 1;
  }
  return low;
}

function between(way: Way, t: number): { i: number; j: number; f: number } {
  const i = indexAt(way.t, t), j = Math.min(i + 1, way.t.length - 1);
  const span = at(way.t, j) - at(way.t, i);
  return { i, j, f: span > 0 ? Math.min(1, Math.max(0, (t - at(way.t, i)) / span)) : 0 };
}

export function poseAt(way: Way, t: number): Pose {
  const { i, j, f } = between(way, t);
  const mix = (column: Float64Array) => at(column, i) + (at(column, j) - at(column, i)) * f;
  const turn = at(way.yaw, j) - at(way.yaw, i);
  return { x: mix(way.x), y: mix(way.y), yaw: at(way.yaw, i) + Math.atan2(Math.sin(turn), Math.cos(turn)) * f };
}

/* A line between two samples; NaN where it has a gap. */
export function lineAt(line: Line, t: number): number {
  if (!line.t.length || t < at(line.t, 0)) return NaN;
  const i = indexAt(line.t, t), j = Math.min(i + 1, line.t.length - 1), span = at(line.t, j) - at(line.t, i);
  const a = at(line.v, i), b = at(line.v, j);
  return span > 0 && Number.isFinite(b) ? a + ((b - a) * Math.min(1, (t - at(line.t, i)) / span)) : a;
}

export function valueAt(way: Way, column: Float64Array, t: number): number {
  const { i, j, f } = between(way, t);
  return at(column, i) + (at(column, j) - at(column, i)) * f;
}
