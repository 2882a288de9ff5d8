/* Recordings of any kind: MCAP, rosbag2 in SQLite, bags of ROS 1. A stranger's file is data: nothing in it is run or loaded. */
import { readBag1 } from "./bag1";
import { readDb3 } from "./db3";
import { readMcap } from "./mcap";
import type { Topic } from "./topic";

export class RecordingError extends Error {}

/* What the readers give. `notes` say what a person should know: what is missing, what was left out. */
export interface Read { topics: Map<string, Topic>; notes: string[] }
export type Progress = (share: number) => void;

export class Recording {
  readonly end: number;

  constructor(readonly name: string, readonly topics: Topic[], readonly notes: string[]) {
    this.end = Math.max(0, ...topics.map((topic) => topic.times[topic.times.length - 1] ?? 0));
  }

  topic(name: string): Topic | undefined { return this.topics.find((topic) => topic.name === name); }

  ofType(...types: string[]): Topic[] { return this.topics.filter((topic) => types.includes(plainType(topic.type))); }
}

/* nav_msgs/msg/Odometry and nav_msgs/Odometry are one. */
export function plainType(type: string): string { return type.replace("/msg/", "/"); }

const MAGIC = { mcap: [0x89, 0x4d, 0x43, 0x41, 0x50], sqlite: [...new TextEncoder().encode("SQLite format 3")], bag: [...new TextEncoder().encode("#ROSBAG V2.0")] };

/* `origin`: the time that is called zero, in nanoseconds; if it is not given, the first message. */
export async function openRecording(file: Blob, name: string, options: { origin?: bigint; progress?: Progress } = {}): Promise<Recording> {
  const head = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  const begins = (magic: number[]) => magic.every((byte, i) => head[i] === byte);
  const progress = options.progress ?? (() => {});
  let read: Read;
  if (begins(MAGIC.mcap)) read = await readMcap(file, progress);
  else if (begins(MAGIC.sqlite)) read = await readDb3(file, progress);
  else if (begins(MAGIC.bag)) read = await readBag1(file, progress);
  else throw new RecordingError(`${name} is no recording that this page knows. Wanted an MCAP file, a rosbag2 database (.db3) or a bag of ROS 1.`);
  const topics = [...read.topics.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  const firsts = topics.flatMap((topic) => (topic.first === undefined ? [] : [topic.first]));
  if (!firsts.length) throw new RecordingError(`${name} holds no messages. ${read.notes.join(" ")}`.trim());
  const origin = options.origin ?? firsts.reduce((a, b) => (b < a ? b : a));
  for (const topic of topics) topic.settle(origin);
  return new Recording(name, topics, read.notes);
}

/* One file read in parts. */
export async function partOf(file: Blob, offset: number, size: number): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(offset, offset + size).arrayBuffer());
}
