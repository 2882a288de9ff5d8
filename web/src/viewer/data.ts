/* A world and a run in it, as stressfield.report._run_view writes them: lengths in millimetres, times in centiseconds, angles
   in milliradians; columns of a track are coded as differences. Seconds of marks and events are seconds. */

export interface RawTrack { robot: string; t: number[]; x: number[]; y: number[]; yaw: number[]; speed: number[]; clearance?: number[] }
export interface RawWalk { name: string; t: number[]; x: number[]; y: number[]; yaw: number[] }
export interface Mark { name: string; label: string; at: number; from: number; to: number; x: number; y: number }
export interface Said { at: number; topic: string; text: string; level: number }
export interface Run {
  tracks: RawTrack[]; walks: RawWalk[]; marks: Mark[]; bad: [number, number][]; events: Said[]; goal?: [number, number] | null;
}
export interface BodyGroup {
  kind: string; glyph: "dot" | "cross" | "box" | "disc"; light: string; dark: string;
  x: number[]; y: number[]; w: number[]; h: number[]; yaw?: number[];
}
export interface Actor { name: string; kind: string; round: boolean; door: boolean; light: string; dark: string; length: number; width: number }
export interface Region { name: string; limit: boolean; box: [number, number, number, number] }
export interface Robot { name: string; length: number; width: number; offset: number }
export interface Ground { columns: number; rows: number; box: [number, number, number, number]; shade: string }
export interface World {
  extent: [number, number, number, number]; bodies: BodyGroup[]; actors: Actor[]; regions: Region[]; robots: Robot[]; ground: Ground | null;
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

export function valueAt(way: Way, column: Float64Array, t: number): number {
  const { i, j, f } = between(way, t);
  return at(column, i) + (at(column, j) - at(column, i)) * f;
}
