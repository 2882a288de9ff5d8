"""Gather the channels and messages of chunks, for any MCAP file."""

from __future__ import annotations

import struct
from array import array
from dataclasses import dataclass, field

from mcap.opcode import Opcode

from stressfield.trace.records import MAX_BYTES, ChunkBody, DamageError, Record, records

_MESSAGE = struct.Struct("<BQHIQQ")
_BODY = _MESSAGE.size - 9
_MAX_TIME = 1 << 63


@dataclass(frozen=True, slots=True)
class SchemaText:
    """A message definition of the file."""

    name: str
    encoding: str
    text: bytes


@dataclass(slots=True)
class ChannelContents:
    """A channel of the file and its messages so far."""

    topic: str
    encoding: str
    schema: SchemaText | None
    log_ns: array[int] = field(default_factory=lambda: array("q"))
    publish_ns: array[int] = field(default_factory=lambda: array("q"))
    payloads: list[memoryview] = field(default_factory=list)


@dataclass(slots=True)
class Contents:
    """What was found so far: schemas, channels and their messages."""

    schemas: dict[int, SchemaText] = field(default_factory=dict)
    channels: dict[int, ChannelContents] = field(default_factory=dict)
    size: int = 0

    def add_chunk(self, chunk: ChunkBody, offset: int) -> None:
        """All records of a chunk, or DamageError and none of them."""
        if self.size + len(chunk.data) > MAX_BYTES:
            raise DamageError(f"more than {MAX_BYTES} bytes of messages", offset=offset)
        marks = {number: len(channel.payloads) for number, channel in self.channels.items()}
        try:
            self._add_chunk(chunk, offset)
        except DamageError:
            self._forget(marks)
            raise
        self.size += len(chunk.data)

    def add_definition(self, record: Record) -> None:
        """A schema or channel record."""
        if record.opcode == Opcode.SCHEMA:
            number, name, encoding, text = record.fields("Hssb")
            self.schemas[number] = SchemaText(name, encoding, bytes(text))
            return
        number, schema, topic, encoding, _ = record.fields("HHssm")
        if number in self.channels:
            return
        if schema and schema not in self.schemas:
            raise DamageError(f"channel {topic!r} has an unknown schema {schema}", offset=record.start)
        self.channels[number] = ChannelContents(topic, encoding, self.schemas.get(schema))

    def add_message(self, record: Record) -> None:
        """A message record."""
        number, _, log_ns, publish_ns, payload = record.fields("HIQQr")
        channel = self.channels.get(number)
        if channel is None or max(log_ns, publish_ns) >= _MAX_TIME:
            raise DamageError(f"a message of channel {number} is not valid", offset=record.start)
        _append(channel, log_ns, publish_ns, payload)

    def _add_chunk(self, chunk: ChunkBody, offset: int) -> None:
        data = memoryview(chunk.data)
        at, total, channels = 0, len(data), self.channels
        head, fixed = _MESSAGE.unpack_from, _MESSAGE.size
        while at < total:
            if data[at] != Opcode.MESSAGE or at + fixed > total:
                at = self._other(data, at, offset)
                continue
            _, size, number, _, log_ns, publish_ns = head(data, at)
            end = at + 9 + size
            channel = channels.get(number)
            if size < _BODY or end > total or channel is None or not chunk.start_ns <= log_ns <= chunk.end_ns:
                raise DamageError("a message in a chunk is not valid", offset=offset)
            if chunk.end_ns >= _MAX_TIME or publish_ns >= _MAX_TIME:
                raise DamageError("a message in a chunk has an impossible time", offset=offset)
            _append(channel, log_ns, publish_ns, data[at + fixed : end])
            at = end

    def _other(self, data: memoryview, at: int, offset: int) -> int:
        record = next(records(data, at))
        if record.opcode not in (Opcode.SCHEMA, Opcode.CHANNEL):
            raise DamageError(f"a record of type {record.opcode} is inside a chunk", offset=offset)
        self.add_definition(record)
        return record.end

    def _forget(self, marks: dict[int, int]) -> None:
        for number in list(self.channels):
            if number not in marks:
                del self.channels[number]
                continue
            channel, keep = self.channels[number], marks[number]
            del channel.log_ns[keep:], channel.publish_ns[keep:], channel.payloads[keep:]


def _append(channel: ChannelContents, log_ns: int, publish_ns: int, payload: memoryview) -> None:
    channel.log_ns.append(log_ns)
    channel.publish_ns.append(publish_ns)
    channel.payloads.append(payload)
