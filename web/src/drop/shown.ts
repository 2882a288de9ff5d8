/* Anybody's recording as the player shows it: ways from poses and frames, rows from numbers, reports from texts. */
import { type Recording, plainType } from "../recording/recording";
import type { Topic } from "../recording/topic";
import type { Line, Row, Said, Shown, Track } from "../viewer/data";
import { type Placing, yawOf } from "../viewer/layers";
import { Frames, type Placed, compose } from "./frames";

const POSES = ["nav_msgs/Odometry", "geometry_msgs/PoseStamped", "geometry_msgs/PoseWithCovarianceStamped"];
const TEXTS = ["diagnostic_msgs/DiagnosticStatus", "diagnostic_msgs/DiagnosticArray", "rcl_interfaces/Log", "rosgraph_msgs/Log", "std_msgs/String"];
const POINTS_MAX = 4_000, TRACKS_MAX = 12, FIELDS_MAX = 60, BINS = 240, SAID_MAX = 400, TEXT_MAX = 300, FIRST = 3;
const ROBOT_MM = { length: 600, width: 450, offset: 0, tall: 400 };
/* Numbers that most want to see first. */
const WANTED = [/twist\.linear\.x$/, /^linear\.x$/, /twist\.angular\.z$/, /^angular\.z$/, /percentage$/, /^data$/];

export function shownOf(recording: Recording): { shown: Shown; placing: Placing; notes: string[] } {
  const frames = new Frames(recording), notes = [...recording.notes], lost = new Set<string>();
  const tracks = recording.ofType(...POSES).filter((topic) => topic.count > 1).slice(0, TRACKS_MAX).flatMap((topic) => trackOf(topic, frames, lost));
  if (!tracks.length) for (const frame of frames.moving.slice(0, 4)) tracks.push(...frameTrack(frame, frames));
  if (lost.size) notes.push(`Nothing says where these frames lie in '${frames.fixed || "the world"}'; what is told in them is drawn as if they were the same: ${[...lost].slice(0, 8).join(", ")}.`);
  if (!tracks.length) notes.push("It has no poses that this page knows (Odometry, PoseStamped, PoseWithCovarianceStamped, TF): there is nothing to see from above.");
  const xs = tracks.flatMap((track) => [Math.min(...track.x), Math.max(...track.x)]), ys = tracks.flatMap((track) => [Math.min(...track.y), Math.max(...track.y)]);
  for (const [x, y] of corners(recording, frames)) { xs.push(x); ys.push(y); }
  const box = xs.length ? [Math.min(...xs) - 1, Math.min(...ys) - 1, Math.max(...xs) + 1, Math.max(...ys) + 1] : [-1, -1, 1, 1];
  const main = tracks[0];
  const placing: Placing = (topic, frame, time) => {
    const placed = frames.place(frame, time);
    if (placed || !topic) return placed;
    /* A sensor whose place is not known stands where the robot is. */
    return main ? { ...poseOf(main, time), z: 0 } : null;
  };
  return {
    placing, notes,
    shown: {
      world: {
        extent: box.map((v) => Math.round(v * 1000)) as [number, number, number, number], bodies: [], actors: [], regions: [], ground: null,
        robots: tracks.map((track) => ({ name: track.robot, ...ROBOT_MM })),
      },
      tracks, walks: [], marks: [], bad: [], ways: [], events: saidIn(recording), end: recording.end,
      rows: [...tracks.slice(0, 2).map((track, place): Row => ({ kind: "signal", name: `speed of ${track.robot}`, title: "from its poses", unit: "m/s", line: { t: track.t, v: track.speed }, place })),
        ...numbers(recording), ...recording.topics.map((topic) => arrivals(topic, recording.end))],
    },
  };
}

/* Of the maps, so that all of them is seen. */
function corners(recording: Recording, frames: Frames): [number, number][] {
  return recording.ofType("nav_msgs/OccupancyGrid").flatMap((topic) => {
    const map = topic.message(0) as { header: { frame_id: string }; info: { resolution: number; width: number; height: number; origin: PlainPose } } | null;
    if (!map) return [];
    const { resolution, width, height, origin } = map.info, at = { ...origin.position, yaw: yawOf(origin.orientation) };
    const placed = compose(frames.place(map.header.frame_id, 0) ?? { x: 0, y: 0, z: 0, yaw: 0 }, at);
    return [[0, 0], [width, 0], [0, height], [width, height]].flatMap(([column = 0, row = 0]): [number, number][] => {
      const { x, y } = compose(placed, { x: column * resolution, y: row * resolution, z: 0, yaw: 0 });
      return Number.isFinite(x + y) ? [[x, y]] : [];
    });
  });
}

function poseOf(track: Track, time: number): { x: number; y: number; yaw: number } {
  let i = track.t.findLastIndex((t) => t <= time);
  if (i < 0) i = 0;
  return { x: track.x[i] ?? 0, y: track.y[i] ?? 0, yaw: track.yaw[i] ?? 0 };
}

interface PoseMessage { header?: { frame_id?: string }; pose: PlainPose | { pose: PlainPose } }
interface PlainPose { position: { x: number; y: number; z: number }; orientation: { x: number; y: number; z: number; w: number } }

function trackOf(topic: Topic, frames: Frames, lost: Set<string>): Track[] {
  const step = Math.max(1, Math.ceil(topic.count / POINTS_MAX)), times: number[] = [], poses: Placed[] = [];
  for (let i = 0; i < topic.count; i += step) {
    const message = topic.message(i) as PoseMessage | null;
    if (!message) return [];
    const pose = "pose" in message.pose ? message.pose.pose : message.pose, time = topic.times[i] as number, frame = message.header?.frame_id ?? "";
    const at = { ...pose.position, yaw: yawOf(pose.orientation) };
    if (!Number.isFinite(at.x + at.y + at.yaw)) continue;
    const outer = frames.place(frame, time);
    if (!outer && frame && frames.fixed) lost.add(frame);
    times.push(time);
    poses.push(outer ? compose(outer, at) : at);
  }
  return poses.length > 1 ? [made(topic.name, times, poses)] : [];
}

function frameTrack(frame: string, frames: Frames): Track[] {
  const times = frames.times(frame), step = Math.max(1, Math.ceil(times.length / POINTS_MAX));
  const kept = times.filter((_, i) => i % step === 0), poses = kept.map((time) => frames.place(frame, time));
  return poses.length > 1 && poses.every((pose) => pose !== null) ? [made(frame, kept, poses as Placed[])] : [];
}

function made(name: string, times: number[], poses: Placed[]): Track {
  const speed = poses.map((pose, i) => {
    /* Over half a second or so: single steps of a recording are noisy. */
    let j = i;
    while (j > 0 && (times[i] as number) - (times[j] as number) < 0.4) j--;
    const before = poses[j] as Placed, span = (times[i] as number) - (times[j] as number);
    return span > 0 ? Math.hypot(pose.x - before.x, pose.y - before.y) / span : 0;
  });
  const column = (of: (pose: Placed) => number) => Float64Array.from(poses, of);
  return { robot: name, t: Float64Array.from(times), x: column((pose) => pose.x), y: column((pose) => pose.y), yaw: column((pose) => pose.yaw), speed: Float64Array.from(speed), clearance: null };
}

/* Every number that stands alone in a message of a topic can be a row; it is read when somebody asks for it. */
function numbers(recording: Recording): Row[] {
  const rows: (Row & { rank: number })[] = [];
  for (const topic of recording.topics) {
    if (topic.count < 2 || topic.isLarge(0) || plainType(topic.type).startsWith("tf")) continue;
    for (const path of paths(topic.message(0), "").slice(0, FIELDS_MAX)) {
      const rank = WANTED.findIndex((pattern) => pattern.test(path));
      rows.push({ kind: "signal", name: `${topic.name} ${path}`, title: "", unit: "", load: () => lineOf(topic, path), rank: rank < 0 ? 99 : rank });
    }
  }
  for (const row of [...rows].sort((a, b) => a.rank - b.rank).slice(0, FIRST)) if (row.rank < 99) row.line = (row.load as () => Line)();
  return rows;
}

function paths(value: unknown, prefix: string, depth = 0): string[] {
  if (value === null || typeof value !== "object" || depth > 6) return [];
  if (ArrayBuffer.isView(value) || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => {
    if (name === "header" || name === "covariance") return [];
    return typeof item === "number" || typeof item === "bigint" || typeof item === "boolean" ? [prefix + name] : paths(item, `${prefix}${name}.`, depth + 1);
  });
}

function lineOf(topic: Topic, path: string): Line {
  const steps = path.split("."), step = Math.max(1, Math.ceil(topic.count / 20_000)), t: number[] = [], v: number[] = [];
  for (let i = 0; i < topic.count; i += step) {
    let value: unknown = topic.message(i);
    for (const name of steps) value = value !== null && typeof value === "object" ? (value as Record<string, unknown>)[name] : undefined;
    t.push(topic.times[i] as number);
    v.push(value === undefined || value === null ? NaN : Number(value));
  }
  return { t: Float64Array.from(t), v: Float64Array.from(v) };
}

function arrivals(topic: Topic, end: number): Row {
  const bins = new Uint8Array(BINS);
  for (const time of topic.times) {
    const place = Math.min(BINS - 1, Math.max(0, Math.floor((time / (end || 1)) * BINS)));
    if ((bins[place] as number) < 255) (bins[place] as number)++;
  }
  return { kind: "topic", name: topic.name, title: `${topic.type || "no type"}, ${topic.count}`, unit: "", bins };
}

function saidIn(recording: Recording): Said[] {
  const said: Said[] = [];
  for (const topic of recording.ofType(...TEXTS)) {
    let before = "";
    for (let i = 0; i < topic.count && said.length < SAID_MAX; i++) {
      const message = topic.message(i) as Record<string, unknown> | null;
      if (!message) continue;
      const several = Array.isArray(message["status"]) ? message["status"] as Record<string, unknown>[] : [message];
      for (const one of several) {
        const text = [one["name"], one["message"] ?? one["msg"] ?? one["data"]].filter((part) => typeof part === "string" && part).join(": ").slice(0, TEXT_MAX);
        if (!text || text === before) continue;
        before = text;
        const log = "msg" in one, level = Number(one["level"] ?? 0);
        said.push({ at: topic.times[i] as number, topic: topic.name, text, level: (log ? level >= (plainType(topic.type).startsWith("rcl") ? 30 : 4) : level > 0) ? 1 : 0 });
      }
    }
  }
  return said.sort((a, b) => a.at - b.at);
}
