"""Iterate over the messages of any MCAP recording, ours or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from mcap.opcode import Opcode

from stressfield.errors import TraceError
from stressfield.trace.contents import Contents
from stressfield.trace.reader import load
from stressfield.trace.records import MAGIC, DamageError, open_chunk, records


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
    contents = Contents()
    try:
        for record in records(data, len(MAGIC)):
            if record.opcode == Opcode.DATA_END:
                return
            if record.opcode in (Opcode.SCHEMA, Opcode.CHANNEL):
                contents.add_definition(record)
            elif record.opcode == Opcode.MESSAGE:
                contents.add_message(record)
            elif record.opcode == Opcode.CHUNK:
                contents.add_chunk(open_chunk(record, must_have_crc=False), record.start)
            yield from _drain(contents)
            contents.size = 0
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
