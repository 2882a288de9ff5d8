"""Contents: what an MCAP file holds, by channel; and what can be recovered of one that is cut or damaged."""

from __future__ import annotations

import struct
import zlib
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field

from mcap.opcode import Opcode

from stressfield.trace._records import (
    MAGIC,
    ChunkBody,
    DamageError,
    Record,
    bytes_limit,
    messages_limit,
    open_chunk,
    records,
)

_MESSAGE = struct.Struct("<BQHIQQ")
_BODY = _MESSAGE.size - 9  # a record's length counts neither its opcode (1 byte) nor itself (8)
_MAX_TIME = 1 << 63  # times are signed 64-bit integers in all arrays


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

    bytes_max: int
    messages_max: int
    schemas: dict[int, SchemaText] = field(default_factory=dict)
    channels: dict[int, ChannelContents] = field(default_factory=dict)
    size: int = 0
    messages: int = 0

    @classmethod
    def of(cls, data: memoryview) -> Contents:
        """Nothing yet, of a file with these bytes: they limit what may come out of it."""
        return cls(bytes_limit(len(data)), messages_limit(len(data)))

    def add_chunk(self, record: Record, *, must_have_crc: bool) -> None:
        """All records of a chunk, or DamageError and none of them."""
        chunk = open_chunk(record, must_have_crc=must_have_crc, bytes_max=self.bytes_max - self.size)
        marks = {number: len(channel.payloads) for number, channel in self.channels.items()}
        before = self.messages
        try:
            self._add_chunk(chunk, record.start)
        except DamageError:
            self._forget(marks)
            self.messages = before
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
            self.messages += 1
            if self.messages > self.messages_max:
                self.bytes_max = 0  # whoever recovers what is left need not unpack the rest to find the same of it
                raise DamageError(f"more than {self.messages_max} messages", offset=offset)
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


FOOTER_BYTES = 29


def recover_contents(data: memoryview, start: int, contents: Contents) -> str:
    """Read all whole chunks; what is missing, in words.

    The summary at the end of the file knows where each chunk begins. If it is damaged or cut off, chunks are read one
    after the other for as long as one can be found behind the other.
    """
    try:
        chunks: Iterator[Record] = iter(_from_summary(data, contents))
        missing = ""
    except DamageError as damage:
        chunks, missing = _in_turn(data, start), _told(damage, data)
    kept, faults = 0, []
    try:
        for chunk in chunks:
            try:
                contents.add_chunk(chunk, must_have_crc=True)
                kept += 1
            except DamageError as damage:
                faults.append(_told(damage, data))
    except DamageError as damage:
        faults.append(_told(damage, data))
    if not faults:
        return f"{missing or 'something besides the messages is damaged'}; all messages were kept"
    if missing:
        return f"{faults[0]}; what came before it was kept"
    return f"{faults[0]}; the other {kept} of {kept + len(faults)} chunks were kept"


def checked_summary(data: memoryview) -> tuple[int, int]:
    """Where the summary begins and ends, if the footer and the checksum over both are right."""
    footer = len(data) - len(MAGIC) - FOOTER_BYTES
    if footer < len(MAGIC) or data[-len(MAGIC) :] != MAGIC:
        raise DamageError("the file ends inside its summary", offset=max(0, footer), cut=True)
    record = next(records(data, footer))
    if record.opcode != Opcode.FOOTER:
        raise DamageError("no footer record", offset=footer)
    summary, _, crc = record.fields("QQI")
    if not len(MAGIC) <= summary <= footer or zlib.crc32(data[summary : len(data) - len(MAGIC) - 4]) != crc:
        raise DamageError("the checksum of the summary does not match", offset=min(summary, footer))
    return summary, footer


def is_listed(data: memoryview, name: str) -> bool:
    """Whether the summary, if it is whole, lists a metadata record of that name."""
    try:
        begin, end = checked_summary(data)
        found = [
            index.fields("QQs")[2] for index in records(data[:end], begin) if index.opcode == Opcode.METADATA_INDEX
        ]
    except DamageError:
        return False
    return name in found


def _from_summary(data: memoryview, contents: Contents) -> list[Record]:
    """The chunks that the summary lists; what is not one any more stands for itself, and will be found damaged."""
    begin, end = checked_summary(data)
    chunks: list[Record] = []
    behind = 0
    for record in records(data[:end], begin):
        if record.opcode in (Opcode.SCHEMA, Opcode.CHANNEL):
            contents.add_definition(record)
        elif record.opcode == Opcode.CHUNK_INDEX:
            _, _, offset, length, *_ = record.fields("QQQQr")
            if not 9 <= length <= begin - min(offset, begin):
                raise DamageError("the summary lists a chunk that is not in the file", offset=record.start)
            if offset < behind:
                raise DamageError("the summary lists a chunk twice, or not in order", offset=record.start)
            behind = offset + length
            # The length comes from the summary: the chunk's own may be what is damaged.
            chunks.append(Record(int(data[offset]), offset, data[offset + 9 : offset + length]))
    return chunks


def _in_turn(data: memoryview, start: int) -> Iterator[Record]:
    for record in records(data, start):
        if record.opcode == Opcode.CHUNK:
            yield record
        elif record.opcode == Opcode.DATA_END:
            return
        elif record.opcode != Opcode.MESSAGE_INDEX:
            raise DamageError(f"an unexpected record of type {record.opcode}", offset=record.start)
    raise DamageError("the file ends after a record", offset=len(data), cut=True)


def _told(damage: DamageError, data: memoryview) -> str:
    return f"{damage.reason} at byte {damage.offset} of {len(data)}"
