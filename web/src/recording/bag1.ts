/* Bags of ROS 1, format 2.0. */
import { Bag } from "@foxglove/rosbag";
import { decompress as lz4 } from "lz4js";
import { breath } from "./mcap";
import { type Progress, type Read, RecordingError, partOf } from "./recording";
import { Topic } from "./topic";

export async function readBag1(file: Blob, progress: Progress): Promise<Read> {
  const bag = new Bag(
    { read: (offset: number, length: number) => partOf(file, offset, length), size: () => file.size },
    {
      parse: false,
      decompress: {
        lz4: (data: Uint8Array, size: number) => lz4(data, size),
        bz2: () => { throw new RecordingError("The bag is compressed with bz2, which this page does not read. Do it anew with: rosbag compress --lz4, or rosbag decompress."); },
      },
    },
  );
  try {
    await bag.open();
  } catch (error) {
    throw new RecordingError(`The bag cannot be read: ${error instanceof Error ? error.message : String(error)}. A bag that was cut off is mended by: rosbag reindex.`);
  }
  const topics = new Map<string, Topic>(), byConnection = new Map<number, Topic>();
  const again = async (topic: string, time: bigint) => {
    const start = { sec: Number(time / 1_000_000_000n), nsec: Number(time % 1_000_000_000n) };
    for await (const found of bag.messageIterator({ topics: [topic], start })) return found.data;
    return null;
  };
  for (const [id, { topic: name, type, messageDefinition }] of bag.connections) {
    const topic = topics.get(name) ?? new Topic(name, type ?? "", { encoding: "ros1", schema: "ros1msg", text: messageDefinition ?? "" }, again);
    topics.set(name, topic);
    byConnection.set(id, topic);
  }
  let done = 0;
  const total = bag.chunkInfos.reduce((sum, chunk) => sum + chunk.count, 0);
  for await (const { connectionId, timestamp, data } of bag.messageIterator()) {
    byConnection.get(connectionId)?.add(BigInt(timestamp.sec) * 1_000_000_000n + BigInt(timestamp.nsec), data.slice());
    if (++done % 2_000 === 0) { progress(total ? Math.min(1, done / total) : 0); await breath(); }
  }
  return { topics, notes: [] };
}
