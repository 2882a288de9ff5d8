/* The messages of one topic of a recording, decoded when they are asked for. */
import type { MessageDefinition } from "@foxglove/message-definition";
import { MessageReader as Ros2Reader } from "@foxglove/rosmsg2-serialization";
import { parse } from "./definition";
import { MessageReader as Ros1Reader } from "./ros1";

/* Larger messages (images, clouds) are not kept in memory: they are read again from the file. */
export const LARGE = 262_144;

export type Decode = (data: Uint8Array) => unknown;
export type ReadAgain = (topic: string, time: bigint, place: number) => Promise<Uint8Array | null>;

/* How the messages of a topic are written, and in which words. */
export interface Written { encoding: string; schema: string; text: string; definitions?: MessageDefinition[] }

export class Topic {
  private readonly kept: (Uint8Array | null)[] = [];
  private readonly at: bigint[] = [];
  private decode: Decode | null | undefined;
  /* Why its messages cannot be decoded. */
  problem = "";
  times = new Float64Array();

  constructor(readonly name: string, readonly type: string, private readonly written: Written, private readonly readAgain: ReadAgain) {}

  get count(): number { return this.at.length; }
  get first(): bigint | undefined { return this.at[0]; }
  get last(): bigint | undefined { return this.at[this.at.length - 1]; }

  /* In order of time; what comes late is put in its place at the end. */
  add(time: bigint, data: Uint8Array, keep = false): void {
    this.at.push(time);
    this.kept.push(keep || data.byteLength <= LARGE ? data : null);
  }

  /* All are there: times count from `origin`, in seconds. */
  settle(origin: bigint): void {
    let sorted = true;
    for (let i = 1; i < this.at.length; i++) if ((this.at[i] as bigint) < (this.at[i - 1] as bigint)) { sorted = false; break; }
    if (!sorted) {
      const order = this.at.map((_, i) => i).sort((a, b) => Number((this.at[a] as bigint) - (this.at[b] as bigint)));
      const at = order.map((i) => this.at[i] as bigint), kept = order.map((i) => this.kept[i] as Uint8Array | null);
      at.forEach((time, i) => { this.at[i] = time; this.kept[i] = kept[i] as Uint8Array | null; });
    }
    this.times = Float64Array.from(this.at, (time) => Number(time - origin) / 1e9);
  }

  /* The last message that is not later; -1 if there is none yet. */
  indexAt(time: number): number {
    let low = -1, high = this.times.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.times[middle] as number) <= time) low = middle; else high = middle - 1;
    }
    return low;
  }

  isLarge(i: number): boolean { return this.kept[i] === null; }

  /* Decoded; null if it is large or cannot be decoded (then `problem` says why). */
  message(i: number): unknown {
    const data = this.kept[i];
    return data ? this.decoded(data) : null;
  }

  async load(i: number): Promise<unknown> {
    const data = this.kept[i] ?? (await this.readAgain(this.name, this.at[i] as bigint, i));
    return data ? this.decoded(data) : null;
  }

  private decoded(data: Uint8Array): unknown {
    if (this.decode === undefined) this.decode = this.makeDecode();
    if (!this.decode) return null;
    try {
      return this.decode(data);
    } catch (error) {
      this.problem = `A message is not what its definition says: ${String(error)}`;
      return null;
    }
  }

  private makeDecode(): Decode | null {
    const { encoding, schema, text, definitions } = this.written;
    try {
      if (encoding === "json") return (data) => JSON.parse(new TextDecoder().decode(data)) as unknown;
      if (encoding === "cdr" && (schema === "ros2msg" || schema === "")) {
        if (!text && !definitions) throw new Error(`the recording has no definition of ${this.type}`);
        const reader = new Ros2Reader(definitions ?? parse(text, { ros2: true }));
        return (data) => reader.readMessage(data);
      }
      if (encoding === "ros1") {
        const reader = new Ros1Reader(parse(text));
        return (data) => reader.readMessage(data);
      }
    } catch (error) {
      this.problem = `Its definition cannot be read: ${error instanceof Error ? error.message : String(error)}.`;
      return null;
    }
    this.problem = `Messages in ${encoding || "an unknown encoding"}${schema ? " (" + schema + ")" : ""} are counted, not decoded.`;
    return null;
  }
}
