"""Read a trace back: every checksum is checked, and only TraceError comes out of damaged bytes."""

from __future__ import annotations

import zlib
from pathlib import Path

import numpy as np
from mcap.opcode import Opcode

from stressfield.bus.message import find_type
from stressfield.bus.ros2msg import definition
from stressfield.errors import TraceError
from stressfield.trace import recovery
from stressfield.trace.contents import ChannelContents, Contents
from stressfield.trace.foreign import kind_of
from stressfield.trace.metadata import RECORD_NAME, Metadata, from_record
from stressfield.trace.payloads import Payloads
from stressfield.trace.records import MAGIC, MAX_BYTES, DamageError, Record, open_chunk, records
from stressfield.trace.topic import Topic, stored
from stressfield.trace.trace import Trace
from stressfield.trace.truth import PREFIX, from_topics, robot_of


def read_trace(path: Path, *, recover: bool = False) -> Trace:
    """The trace in a file.

    Raises TraceError when the file is missing, foreign, cut short or damaged. With ``recover`` a cut or damaged file
    gives every chunk that is whole; ``trace.lost`` then says what is missing.
    """
    path = Path(path)
    data = memoryview(load(path, recover=recover))
    contents = Contents()
    lost: str | None = None
    try:
        metadata, start = _introduction(path, data)
    except TraceError:
        if not recover or not recovery.is_listed(data, RECORD_NAME):
            raise
        lost = recovery.recover(data, len(data), contents)
        return _assemble(path, contents, Metadata(), f"the metadata, who made it, is damaged; {lost}")
    try:
        _read_data(data, start, contents)
    except DamageError as damage:
        if not recover:
            raise TraceError(_explain(path, data, damage)) from damage
        contents = Contents()
        lost = recovery.recover(data, start, contents)
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
        raise DamageError("the file ends behind its header", offset=header.end, cut=True)
    return header, card


def _read_data(data: memoryview, start: int, contents: Contents) -> None:
    """Chunks up to the end of the data section, then all that follows; DamageError at the first thing that is wrong."""
    for record in records(data, start):
        if record.opcode == Opcode.CHUNK:
            contents.add_chunk(open_chunk(record, must_have_crc=True), record.start)
        elif record.opcode == Opcode.DATA_END:
            if record.fields("I")[0] != zlib.crc32(data[: record.start]):
                raise DamageError("the checksum of the data does not match", offset=record.start)
            return _check_tail(data, record.end)
        elif record.opcode != Opcode.MESSAGE_INDEX:
            raise DamageError(f"an unexpected record of type {record.opcode}", offset=record.start)
    raise DamageError("the file ends behind a record", offset=len(data), cut=True)


def _check_tail(data: memoryview, start: int) -> None:
    """The summary and the footer: their checksum covers every byte but the closing magic."""
    summary, _ = recovery.checked_summary(data)
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
    return Trace(topics, truths, metadata, lost)


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
