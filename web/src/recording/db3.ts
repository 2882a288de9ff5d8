/* rosbag2 databases: the tables of an SQLite file, read page by page (https://sqlite.org/fileformat2.html). No query is
   needed, so no engine is either. */
import type { MessageDefinition } from "@foxglove/message-definition";
import { ros2humble } from "@foxglove/rosmsg-msgs-common";
import { breath } from "./mcap";
import { type Progress, type Read, RecordingError } from "./recording";
import { Topic } from "./topic";

type Value = number | bigint | string | Uint8Array | null;
const SIZE_MAX = 2_000_000_000;
const LEAF = 0x0d, INTERIOR = 0x05;

export async function readDb3(file: Blob, progress: Progress): Promise<Read> {
  if (file.size > SIZE_MAX) throw new RecordingError("The database is larger than 2 GB. Make an MCAP of it with: ros2 bag convert.");
  const tables = new Tables(new Uint8Array(await file.arrayBuffer()));
  const notes: string[] = [];
  if (tables.isJournalled) notes.push("The database was written with a journal: what stands only in a file that ends in -wal beside it is not shown.");
  const texts = new Map<string, string>();
  for (const [, row] of tables.rows("message_definitions", false)) texts.set(String(row["topic_type"]), String(row["encoded_message_definition"] ?? ""));
  const topics = new Map<string, Topic>(), byId = new Map<number, Topic>(), missing = new Set<string>();
  for (const [id, row] of tables.rows("topics")) {
    const type = String(row["type"]), text = texts.get(type) ?? "", definitions = text ? undefined : known(type);
    if (!text && !definitions) missing.add(type);
    const written = { encoding: String(row["serialization_format"] ?? "cdr"), schema: "", text, ...(definitions ? { definitions } : {}) };
    /* All messages are in memory by now: also the large ones are kept. */
    const topic = new Topic(String(row["name"]), type, written, async () => null);
    topics.set(topic.name, topic);
    byId.set(Number(row["id"] ?? id), topic);
  }
  if (missing.size) notes.push(`It has no definitions of: ${[...missing].join(", ")}. Their messages are counted, not decoded.`);
  let done = 0;
  for (const [, row] of tables.rows("messages")) {
    const data = row["data"];
    if (data instanceof Uint8Array) byId.get(Number(row["topic_id"]))?.add(BigInt(row["timestamp"] as number | bigint), data, true);
    if (++done % 5_000 === 0) { progress(0.5); await breath(); }
  }
  return { topics, notes };
}

/* Databases of before ROS 2 Iron do not say what their messages look like: the usual ones are known. */
function known(type: string): MessageDefinition[] | undefined {
  const all = ros2humble as Record<string, MessageDefinition>, wanted = [type.replace("/msg/", "/")], found: MessageDefinition[] = [];
  for (const name of wanted) {
    const definition = all[name];
    if (!definition) return undefined;
    for (const field of definition.definitions) if (field.isComplex && !wanted.includes(field.type)) wanted.push(field.type);
    found.push(definition);
  }
  return found;
}

class Tables {
  private readonly view: DataView;
  private readonly size: number;
  private readonly usable: number;
  private readonly roots = new Map<string, { root: number; columns: string[]; rowid: string | null }>();

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const size = this.view.getUint16(16);
    this.size = size === 1 ? 65_536 : size;
    this.usable = this.size - (bytes[20] as number);
    if (this.size < 512 || this.usable < 480) throw new RecordingError("The database is damaged: it has no pages.");
    for (const [, [type, name, , root, sql]] of this.walk(1, new Set())) {
      if (type === "table" && typeof name === "string" && typeof sql === "string") this.roots.set(name, { root: Number(root), ...columnsOf(sql) });
    }
  }

  get isJournalled(): boolean { return this.bytes[18] === 2; }

  *rows(table: string, must = true): Generator<[number, Record<string, Value>]> {
    const found = this.roots.get(table);
    if (!found) {
      if (must) throw new RecordingError(`The database is no recording: it has no table '${table}'.`);
      return;
    }
    for (const [rowid, values] of this.walk(found.root, new Set())) {
      const row: Record<string, Value> = {};
      found.columns.forEach((name, i) => { row[name] = values[i] ?? null; });
      if (found.rowid && row[found.rowid] === null) row[found.rowid] = rowid;
      yield [rowid, row];
    }
  }

  /* A stranger's pages may point in circles: each is read once. */
  private *walk(page: number, seen: Set<number>): Generator<[number, Value[]]> {
    if (page < 1 || page * this.size > this.bytes.length || seen.has(page)) throw new RecordingError(`The database is damaged: page ${page}.`);
    seen.add(page);
    const start = (page - 1) * this.size, head = start + (page === 1 ? 100 : 0);
    const kind = this.bytes[head], cells = this.view.getUint16(head + 3);
    if (kind === INTERIOR) {
      for (let i = 0; i < cells; i++) yield* this.walk(this.view.getUint32(start + this.view.getUint16(head + 12 + 2 * i)), seen);
      yield* this.walk(this.view.getUint32(head + 8), seen);
    } else if (kind === LEAF) {
      for (let i = 0; i < cells; i++) yield this.cell(start + this.view.getUint16(head + 8 + 2 * i));
    } else throw new RecordingError(`The database is damaged: page ${page} is of kind ${kind}.`);
  }

  private cell(place: number): [number, Value[]] {
    const [length, after] = this.varint(place), [rowid, body] = this.varint(after);
    const most = this.usable - 35;
    if (length <= most) return [rowid, record(this.bytes.subarray(body, body + length))];
    const least = (((this.usable - 12) * 32) / 255 | 0) - 23, spread = least + ((length - least) % (this.usable - 4));
    const here = spread <= most ? spread : least;
    if (length > this.bytes.length) throw new RecordingError("The database is damaged: a row is longer than the file.");
    const whole = new Uint8Array(length);
    whole.set(this.bytes.subarray(body, body + here));
    let done = here, next = this.view.getUint32(body + here);
    while (done < length) {
      if (next < 1 || next * this.size > this.bytes.length) throw new RecordingError(`The database is damaged: page ${next}.`);
      const start = (next - 1) * this.size, part = Math.min(length - done, this.usable - 4);
      whole.set(this.bytes.subarray(start + 4, start + 4 + part), done);
      done += part;
      next = this.view.getUint32(start);
    }
    return [rowid, record(whole)];
  }

  private varint(place: number): [number, number] { return varint(this.bytes, place); }
}

function varint(bytes: Uint8Array, place: number): [number, number] {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = bytes[place + i] as number;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, place + i + 1];
  }
  return [value * 256 + (bytes[place + 8] as number), place + 9];
}

function record(bytes: Uint8Array): Value[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), values: Value[] = [];
  let [end, head] = varint(bytes, 0), body = end;
  while (head < end) {
    const [type, next] = varint(bytes, head);
    head = next;
    const size = type >= 12 ? (type - 12) >> 1 : [0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0][type] as number;
    if (type === 0) values.push(null);
    else if (type === 7) values.push(view.getFloat64(body));
    else if (type === 6) values.push(view.getBigInt64(body));
    else if (type <= 5) values.push(integer(view, body, size));
    else if (type <= 9) values.push(type - 8);
    else if (type % 2) values.push(new TextDecoder().decode(bytes.subarray(body, body + size)));
    else values.push(bytes.slice(body, body + size));
    body += size;
  }
  return values;
}

function integer(view: DataView, place: number, size: number): number {
  let value = view.getInt8(place);
  for (let i = 1; i < size; i++) value = value * 256 + view.getUint8(place + i);
  return value;
}

/* Names of columns from the words that made the table; a primary key of whole numbers is the row's own number. */
function columnsOf(sql: string): { columns: string[]; rowid: string | null } {
  const inside = sql.slice(sql.indexOf("(") + 1, sql.lastIndexOf(")"));
  const parts = inside.split(/,(?![^(]*\))/).map((part) => part.trim()).filter((part) => !/^(primary|foreign|unique|check|constraint)\b/i.test(part));
  const columns = parts.map((part) => (/^["'`[]?([^"'`\]\s]+)/.exec(part)?.[1] ?? ""));
  const key = parts.findIndex((part) => /integer\s+primary\s+key/i.test(part));
  return { columns, rowid: key < 0 ? null : columns[key] ?? null };
}
