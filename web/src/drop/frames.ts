/* Frames of a recording: what /tf and /tf_static say of where they lie, seen from above. */
import type { Recording } from "../recording/recording";
import { yawOf } from "../viewer/layers";

export interface Placed { x: number; y: number; z: number; yaw: number }
interface Link { parent: string; times: number[]; poses: Placed[]; still: boolean }
interface Transform {
  header: { frame_id: string }; child_frame_id: string;
  transform: { translation: { x: number; y: number; z: number }; rotation: { x: number; y: number; z: number; w: number } };
}

const HERE: Placed = { x: 0, y: 0, z: 0, yaw: 0 };
const DEPTH = 64;
/* The frame that everything is drawn in: the first of these that there is. */
const FIXED = ["map", "world", "earth", "odom"];

export class Frames {
  readonly fixed: string;
  private readonly links = new Map<string, Link>();

  constructor(recording: Recording) {
    for (const topic of recording.ofType("tf2_msgs/TFMessage", "tf/tfMessage")) {
      const still = topic.name.endsWith("static");
      for (let i = 0; i < topic.count; i++) {
        const message = topic.message(i) as { transforms?: Transform[] } | null;
        for (const given of message?.transforms ?? []) this.take(given, topic.times[i] as number, still);
      }
    }
    const all = new Set([...this.links.keys(), ...[...this.links.values()].map((link) => link.parent)]);
    this.fixed = FIXED.find((name) => all.has(name)) ?? [...all].find((name) => !this.links.has(name)) ?? "";
  }

  get names(): string[] { return [...this.links.keys()]; }

  /* Frames that move, by how far they are from the fixed one: a robot's own is among the first. */
  get moving(): string[] { return this.names.filter((name) => !(this.links.get(name) as Link).still && this.place(name, 0) !== null); }

  times(frame: string): number[] { return this.links.get(frame)?.times ?? []; }

  private take({ header, child_frame_id, transform }: Transform, time: number, still: boolean): void {
    const child = plain(child_frame_id), { translation: t, rotation } = transform;
    const link = this.links.get(child) ?? { parent: plain(header.frame_id), times: [], poses: [], still };
    link.times.push(time);
    link.poses.push({ x: t.x, y: t.y, z: t.z, yaw: yawOf(rotation) });
    this.links.set(child, link);
  }

  /* Where a frame lies in the fixed one; null if nothing leads there. */
  place(frame: string, time: number): Placed | null {
    let name = plain(frame), at = HERE;
    for (let step = 0; step < DEPTH; step++) {
      if (name === this.fixed) return at;
      const link = this.links.get(name);
      if (!link) return null;
      at = compose(poseOf(link, time), at);
      name = link.parent;
    }
    return null;
  }
}

export function plain(frame: string): string { return frame.replace(/^\//, ""); }

export function compose(outer: Placed, inner: Placed): Placed {
  const c = Math.cos(outer.yaw), s = Math.sin(outer.yaw);
  return { x: outer.x + c * inner.x - s * inner.y, y: outer.y + s * inner.x + c * inner.y, z: outer.z + inner.z, yaw: outer.yaw + inner.yaw };
}

function poseOf({ times, poses, still }: Link, time: number): Placed {
  if (still) return poses[poses.length - 1] ?? HERE;
  let low = 0, high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((times[middle] as number) <= time) low = middle; else high = middle - 1;
  }
  const a = poses[low] ?? HERE, b = poses[low + 1] ?? a, from = times[low] ?? 0, span = (times[low + 1] ?? from) - from;
  const f = span > 0 ? Math.min(1, Math.max(0, (time - from) / span)) : 0, turn = b.yaw - a.yaw;
  return { x: a.x + (b.x - a.x) * f, y: a.y + (b.y - a.y) * f, z: a.z + (b.z - a.z) * f, yaw: a.yaw + Math.atan2(Math.sin(turn), Math.cos(turn)) * f };
}
