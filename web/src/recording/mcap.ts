/* MCAP files: ours, rosbag2's, anybody's; also those that were cut off before their index was written. */
import { McapIndexedReader, McapStreamReader, type McapTypes } from "@mcap/core";
import { decompress as zstd } from "fzstd";
import { decompress as lz4 } from "lz4js";
import { type Progress, type Read, RecordingError, partOf } from "./recording";
import { Topic } from "./topic";

const HANDLERS: McapTypes.DecompressHandlers = {
  zstd: (data, size) => zstd(data, new Uint8Array(Number(size))),
  lz4: (data, size) => lz4(data, Number(size)),
};
const STEP = 4_194_304;

type Schemas = ReadonlyMap<number, McapTypes.TypedMcapRecords["Schema"]>;

function makeTopic(channel: McapTypes.TypedMcapRecords["Channel"], schemas: Schemas, again: (topic: string, time: bigint) => Promise<Uint8Array | null>): Topic {
  const schema = schemas.get(channel.schemaId);
  const text = schema ? new TextDecoder().decode(schema.data) : "";
  return new Topic(channel.topic, schema?.name ?? "", { encoding: channel.messageEncoding, schema: schema?.encoding ?? "", text }, again);
}

export async function readMcap(file: Blob, progress: Progress): Promise<Read> {
  const readable = { size: async () => BigInt(file.size), read: (offset: bigint, size: bigint) => partOf(file, Number(offset), Number(size)) };
  let reader: McapIndexedReader;
  try {
    reader = await McapIndexedReader.Initialize({ readable, decompressHandlers: HANDLERS });
    if (!reader.chunkIndexes.length && reader.statistics?.messageCount !== 0n) throw new Error("it has no index of chunks");
  } catch (error) {
    const read = await readStream(file, progress);
    read.notes.push(`The file has no index (${error instanceof Error ? error.message : String(error)}): it was read from the beginning as far as it goes.`);
    return read;
  }
  const again = async (topic: string, time: bigint) => {
    for await (const message of reader.readMessages({ topics: [topic], startTime: time, endTime: time })) return message.data;
    return null;
  };
  const topics = new Map<string, Topic>(), byChannel = new Map<number, Topic>();
  for (const channel of reader.channelsById.values()) {
    const topic = topics.get(channel.topic) ?? makeTopic(channel, reader.schemasById, again);
    topics.set(channel.topic, topic);
    byChannel.set(channel.id, topic);
  }
  const total = Number(reader.statistics?.messageCount ?? 0n);
  let done = 0;
  for await (const message of reader.readMessages()) {
    byChannel.get(message.channelId)?.add(message.logTime, message.data.slice());
    if (++done % 2_000 === 0) { progress(total ? done / total : 0); await breath(); }
  }
  return { topics, notes: [] };
}

async function readStream(file: Blob, progress: Progress): Promise<Read> {
  const reader = new McapStreamReader({ decompressHandlers: HANDLERS, validateCrcs: false });
  const schemas = new Map<number, McapTypes.TypedMcapRecords["Schema"]>(), topics = new Map<string, Topic>(), byChannel = new Map<number, Topic>();
  const notes: string[] = [];
  try {
    for (let offset = 0; offset < file.size; offset += STEP) {
      reader.append(await partOf(file, offset, STEP));
      for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
        if (record.type === "Schema") schemas.set(record.id, record);
        else if (record.type === "Channel") {
          const topic = topics.get(record.topic) ?? makeTopic(record, schemas, async () => null);
          topics.set(record.topic, topic);
          byChannel.set(record.id, topic);
        } else if (record.type === "Message") byChannel.get(record.channelId)?.add(record.logTime, record.data.slice());
      }
      progress(offset / file.size);
    }
  } catch (error) {
    if (!topics.size) throw new RecordingError(`The file cannot be read: ${error instanceof Error ? error.message : String(error)}.`);
    notes.push(`It is damaged; what follows the damage is not shown: ${error instanceof Error ? error.message : String(error)}.`);
  }
  return { topics, notes };
}

/* Lets the page draw and answer in between. */
export function breath(): Promise<void> { return new Promise((done) => setTimeout(done)); }
