"""Write a trace as one MCAP file (profile ``ros2``), which Foxglove, Rerun and rosbag tools open.

The bytes depend on nothing but the trace and the versions: no wall-clock time is inside.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from mcap.opcode import Opcode
from mcap.records import (
    Channel,
    ChunkIndex,
    DataEnd,
    Footer,
    Header,
    MetadataIndex,
    Schema,
    Statistics,
    SummaryOffset,
)
from mcap.records import Metadata as MetadataRecord

from stressfield._files.disk import write_file
from stressfield.bus.message import Message, definition
from stressfield.trace._chunks import Packed, pack, record_bytes
from stressfield.trace.actor_truth import actors_topic
from stressfield.trace.topic import Topic
from stressfield.trace.trace import RECORD_NAME, Metadata, Trace, to_record
from stressfield.trace.truth import to_topics

MAGIC = b"\x89MCAP0\r\n"
PROFILE = "ros2"
LIBRARY = "stressfield"


def write_trace(trace: Trace, path: Path, *, below: Path | None = None) -> Path:
    """Write a trace, atomically and synced to disk. Raises StoreError when the disk does not take it.

    No symbolic link is followed between ``below`` (a campaign's folder) and the file.
    """
    path = Path(path)
    write_file(path, encode_trace(trace), below=below, failpoints="trace")
    return path


def encode_trace(trace: Trace) -> list[bytes]:
    """The bytes of the file, in parts."""
    topics = [trace.topics[name] for name in sorted(trace.topics)]
    for robot, truth in trace.robots.items():
        topics += to_topics(robot, truth)
    if trace.actors:
        topics.append(actors_topic(trace.actors))
    return encode_topics(topics, trace.metadata)


def encode_topics(topics: Sequence[Topic], metadata: Metadata) -> list[bytes]:
    """The bytes of a file with these topics, whatever they are called, in parts."""
    schemas, channels = _schemas(topics), _channels(topics)
    head, card = introduction(metadata)
    packed = list(pack(topics, record_bytes(*schemas, *channels)))
    data, chunk_indexes = _data_section([head, card], packed)
    groups = [
        [record_bytes(*schemas)],
        [record_bytes(*channels)],
        [record_bytes(_statistics(topics, schemas, packed))],
        [record_bytes(*chunk_indexes)],
        [record_bytes(MetadataIndex(len(head), len(card), RECORD_NAME))],
    ]
    crc = 0
    for part in data:
        crc = zlib.crc32(part, crc)
    return [*data, *tail(sum(map(len, data)), crc, groups)]


def introduction(metadata: Metadata) -> tuple[bytes, bytes]:
    """What a file begins with, and the card that makes it one of ours."""
    head = MAGIC + record_bytes(Header(PROFILE, LIBRARY))
    return head, record_bytes(MetadataRecord(RECORD_NAME, to_record(metadata)))


def schema(number: int, message_type: type[Message]) -> Schema:
    """How a type is told in the file."""
    return Schema(number, definition(message_type).encode(), "ros2msg", message_type.ros_type)


def _schemas(topics: Sequence[Topic]) -> list[Schema]:
    types = {topic.ros_type: topic.message_type for topic in topics}
    return [schema(number, types[name]) for number, name in enumerate(sorted(types), 1)]


def _channels(topics: Sequence[Topic]) -> list[Channel]:
    numbers = {name: number for number, name in enumerate(sorted({topic.ros_type for topic in topics}), 1)}
    return [Channel(number, topic.name, "cdr", {}, numbers[topic.ros_type]) for number, topic in enumerate(topics, 1)]


def _data_section(parts: list[bytes], packed: Sequence[Packed]) -> tuple[list[bytes], list[ChunkIndex]]:
    at = sum(map(len, parts))
    indexes = []
    for item in packed:
        parts.append(item.chunk)
        start, at = at, at + len(item.chunk)
        offsets: dict[int, int] = {}
        for channel, index in item.indexes.items():
            offsets[channel] = at
            parts.append(index)
            at += len(index)
        indexes.append(_chunk_index(item, start, offsets))
    return parts, indexes


def _chunk_index(item: Packed, start: int, offsets: dict[int, int]) -> ChunkIndex:
    return ChunkIndex(
        chunk_length=len(item.chunk),
        chunk_start_offset=start,
        compression=item.compression,
        compressed_size=item.compressed_size,
        message_end_time=item.end_ns,
        message_index_length=sum(map(len, item.indexes.values())),
        message_index_offsets=offsets,
        message_start_time=item.start_ns,
        uncompressed_size=item.uncompressed_size,
    )


def _statistics(topics: Sequence[Topic], schemas: Sequence[Schema], packed: Sequence[Packed]) -> Statistics:
    times = [(int(topic.log_time_ns[0]), int(topic.log_time_ns[-1])) for topic in topics if len(topic)]
    return Statistics(
        attachment_count=0,
        channel_count=len(topics),
        channel_message_counts={number: len(topic) for number, topic in enumerate(topics, 1) if len(topic)},
        chunk_count=len(packed),
        message_count=sum(map(len, topics)),
        message_end_time=max((last for _, last in times), default=0),
        message_start_time=min((first for first, _ in times), default=0),
        metadata_count=1,
        schema_count=len(schemas),
    )


def tail(size: int, crc: int, groups: Iterable[Iterable[bytes]]) -> Iterator[bytes]:
    """What follows so many bytes of data with that checksum: their end, the summary and the footer.

    A group are the records of one kind in the summary, in parts of whole records.
    """
    end = record_bytes(DataEnd(crc))
    yield end
    start = at = size + len(end)
    summary_crc, offsets = 0, []
    for group in groups:
        begin, kind = at, b""
        for part in group:
            kind = kind or part[:1]
            summary_crc = zlib.crc32(part, summary_crc)
            at += len(part)
            yield part
        if kind:
            offsets.append(SummaryOffset(kind[0], begin, at - begin))
    listed = record_bytes(*offsets)
    yield listed
    summary_crc = zlib.crc32(listed, summary_crc)
    summary_crc = zlib.crc32(struct.pack("<BQQQ", Opcode.FOOTER, 20, start, at), summary_crc)
    yield record_bytes(Footer(start, at, summary_crc)) + MAGIC
