"""Reader: a trace from its MCAP file, checked or recovered; the messages of any MCAP file; names for other files."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from mcap.opcode import Opcode

from stressfield.bus.message import definition, find_type
from stressfield.errors import TraceError
from stressfield.trace._contents import ChannelContents, Contents, checked_summary, is_listed, recover_contents
from stressfield.trace._payloads import Payloads
from stressfield.trace._records import MAGIC, MAX_BYTES, DamageError, Record, records
from stressfield.trace.actor_truth import ACTORS_TOPIC, actors_from_topic
from stressfield.trace.topic import Topic, stored
from stressfield.trace.trace import RECORD_NAME, Metadata, Trace, from_record
from stressfield.trace.truth import PREFIX, from_topics, robot_of

_KINDS = (
    (b"SQLite format 3\x00", "an SQLite database (perhaps a .db3 bag or a results.sqlite)"),
    (b"#ROSBAG V", "a ROS 1 bag"),
    (b"PAR1", "a Parquet file"),
    (b"\x1f\x8b", "a gzip file"),
    (b"PK\x03\x04", "a zip file"),
    (b"\x28\xb5\x2f\xfd", "a zstd file"),
    (b"\x89PNG", "a PNG picture"),
    (b"\x7fELF", "a program"),
    (b"<", "an XML or HTML file"),
    (b"{", "a JSON file"),
)


def kind_of(data: bytes) -> str:
    """A person's name for the type of a file, from its first bytes."""
    if not data:
        return "empty"
    for start, name in _KINDS:
        if data.startswith(start):
            return name
    try:
        data[:64].decode("ascii")
    except UnicodeDecodeError:
        return f"something unknown (first bytes {data[:8].hex(' ')})"
    return f"a text file (starting {data[:16].decode('ascii')!r})"


def read_trace(path: Path, *, recover: bool = False) -> Trace:
    """The trace in a file.

    Raises TraceError when the file is missing, foreign, cut short or damaged. With ``recover`` a cut or damaged file
    gives every chunk that is whole; ``trace.lost`` then says what is missing.
    """
    path = Path(path)
    data = memoryview(load(path, recover=recover))
    contents = Contents.of(data)
    lost: str | None = None
    try:
        metadata, start = _introduction(path, data)
    except TraceError:
        if not recover or not is_listed(data, RECORD_NAME):
            raise
        lost = recover_contents(data, len(data), contents)
        return _assemble(path, contents, Metadata(), f"the metadata, who made it, is damaged; {lost}")
    try:
        _read_data(data, start, contents)
    except DamageError as damage:
        if not recover:
            raise TraceError(_explain(path, data, damage)) from damage
        contents = Contents.of(data)
        lost = recover_contents(data, start, contents)
    return _assemble(path, contents, metadata, lost)


def load(path: Path, *, recover: bool = False) -> bytes:
    """All bytes of an MCAP file. Raises TraceError when it cannot be read or is of another type.

    With ``recover`` it is enough that it ends like one.
    """
    try:
        if path.is_fifo() or path.is_char_device() or path.is_socket():
            raise TraceError(f"Cannot read {path}: it is not a regular file. Wanted an MCAP recording of a run.")
        if path.stat().st_size > MAX_BYTES:
            raise TraceError(f"Cannot read {path}: it has more than {MAX_BYTES} bytes. Wanted a smaller recording.")
        data = path.read_bytes()
    except OSError as error:
        raise TraceError(
            f"Cannot read {path}: {error.strerror or error}. Wanted an MCAP recording of a run."
        ) from error
    if not data.startswith(MAGIC) and not (recover and data.endswith(MAGIC)):
        raise TraceError(f"{path} is not a recording: it is {kind_of(data)}. Wanted an MCAP file of a run.")
    return data


def _introduction(path: Path, data: memoryview) -> tuple[Metadata, int]:
    """The header and the metadata that make the file one of ours, and where the chunks begin."""
    try:
        header, card = _first_two(data)
        profile, library = header.fields("ss")
        if card.opcode != Opcode.METADATA or card.fields("sm")[0] != RECORD_NAME:
            raise TraceError(
                f"{path} is an MCAP recording (profile {profile!r}, written by {library!r}), but not of a stressfield "
                f"run: it has no {RECORD_NAME!r} metadata. Use stressfield.trace.read_messages for other recordings."
            )
        return from_record(card.fields("sm")[1]), card.end
    except DamageError as damage:
        raise TraceError(
            f"{path} ends or is damaged before any data: {damage.reason} at byte {damage.offset}. "
            "Nothing can be recovered; run it again."
        ) from damage


def _first_two(data: memoryview) -> tuple[Record, Record]:
    found = records(data, len(MAGIC))
    header = next(found, None)
    if header is None or header.opcode != Opcode.HEADER:
        raise DamageError("no header record", offset=len(MAGIC), cut=header is None)
    card = next(found, None)
    if card is None:
        raise DamageError("the file ends after its header", offset=header.end, cut=True)
    return header, card


def _read_data(data: memoryview, start: int, contents: Contents) -> None:
    """Chunks up to the end of the data section, then all that follows; DamageError at the first thing that is wrong."""
    for record in records(data, start):
        if record.opcode == Opcode.CHUNK:
            contents.add_chunk(record, must_have_crc=True)
        elif record.opcode == Opcode.DATA_END:
            if record.fields("I")[0] != zlib.crc32(data[: record.start]):
                raise DamageError("the checksum of the data does not match", offset=record.start)
            return _check_tail(data, record.end)
        elif record.opcode != Opcode.MESSAGE_INDEX:
            raise DamageError(f"an unexpected record of type {record.opcode}", offset=record.start)
    raise DamageError("the file ends after a record", offset=len(data), cut=True)


def _check_tail(data: memoryview, start: int) -> None:
    """The summary and the footer: their checksum covers every byte but the closing magic."""
    summary, _ = checked_summary(data)
    if summary != start:
        raise DamageError("the summary does not follow the data", offset=start)


def _explain(path: Path, data: memoryview, damage: DamageError) -> str:
    cut = damage.cut and data[-len(MAGIC) :] != MAGIC
    what = "is truncated" if cut else "is damaged"
    return (
        f"{path} {what}: {damage.reason} at byte {damage.offset} of {len(data)}. "
        "Read it with recover=True to get what is whole of it, or run it again."
    )


def _assemble(path: Path, contents: Contents, metadata: Metadata, lost: str | None) -> Trace:
    topics: dict[str, Topic] = {}
    for number in sorted(contents.channels):
        channel = contents.channels[number]
        if channel.topic in topics:
            raise TraceError(f"{path} has topic {channel.topic!r} twice. It was not written by stressfield.")
        topics[channel.topic] = _topic(path, channel)
    robots = dict.fromkeys(robot for name in topics if (robot := robot_of(name)) is not None)
    truths = {
        robot: from_topics(
            robot,
            topics.pop(f"{PREFIX}{robot}/pose", None),
            topics.pop(f"{PREFIX}{robot}/motion", None),
            cut=lost is not None,
        )
        for robot in robots
    }
    actors = actors_from_topic(topics.pop(ACTORS_TOPIC, None))
    return Trace(topics, truths, metadata, lost, actors)


def _topic(path: Path, channel: ChannelContents) -> Topic:
    schema = channel.schema
    if schema is None or (channel.encoding, schema.encoding) != ("cdr", "ros2msg"):
        got = (channel.encoding, schema.encoding if schema else "none")
        raise TraceError(f"Topic {channel.topic!r} of {path} is encoded as {got}, wanted ('cdr', 'ros2msg').")
    known = find_type(schema.name)
    if known is not None and definition(known).encode() != schema.text:
        raise TraceError(
            f"Message type {schema.name!r} has changed since {path} was written. Use the stressfield that wrote it."
        )
    log_ns, publish_ns = (np.frombuffer(times, np.int64) for times in (channel.log_ns, channel.publish_ns))
    return stored(channel.topic, schema.name, log_ns, publish_ns, Payloads.of(channel.payloads))


@dataclass(frozen=True, slots=True)
class RawMessage:
    """One message as it is in the file; ``schema`` is its type name, empty when the file has none."""

    topic: str
    schema: str
    encoding: str
    log_time_ns: int
    publish_time_ns: int
    data: bytes


def read_messages(path: Path) -> Iterator[RawMessage]:
    """The messages of an MCAP file, in the order of the file; checksums are checked where the file has them.

    Raises TraceError when the file is missing, of another type, cut or damaged.
    """
    path = Path(path)
    data = memoryview(load(path))
    contents = Contents.of(data)
    try:
        for record in records(data, len(MAGIC)):
            if record.opcode == Opcode.DATA_END:
                return
            if record.opcode in (Opcode.SCHEMA, Opcode.CHANNEL):
                contents.add_definition(record)
            elif record.opcode == Opcode.MESSAGE:
                contents.add_message(record)
            elif record.opcode == Opcode.CHUNK:
                contents.add_chunk(record, must_have_crc=False)
            yield from _drain(contents)
            contents.size = contents.messages = 0  # what was handed on is not kept here
        raise DamageError("the file ends before the end of its data", offset=len(data), cut=True)
    except DamageError as damage:
        raise TraceError(
            f"{path} is cut or damaged: {damage.reason} at byte {damage.offset} of {len(data)}."
        ) from damage


def _drain(contents: Contents) -> Iterator[RawMessage]:
    """The messages of the record just added."""
    for channel in contents.channels.values():
        schema = channel.schema.name if channel.schema else ""
        for log_ns, publish_ns, payload in zip(channel.log_ns, channel.publish_ns, channel.payloads, strict=True):
            yield RawMessage(channel.topic, schema, channel.encoding, log_ns, publish_ns, bytes(payload))
        del channel.log_ns[:], channel.publish_ns[:], channel.payloads[:]
