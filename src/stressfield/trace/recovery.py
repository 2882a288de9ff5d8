"""What can be saved of a damaged recording: every chunk that is whole, wherever the damage is."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from mcap.opcode import Opcode

from stressfield.trace.contents import Contents
from stressfield.trace.records import MAGIC, DamageError, Record, open_chunk, records

FOOTER_BYTES = 29


def recover(data: memoryview, start: int, contents: Contents) -> str:
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
                contents.add_chunk(open_chunk(chunk, must_have_crc=True), chunk.start)
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
        found = [one.fields("QQs")[2] for one in records(data[:end], begin) if one.opcode == Opcode.METADATA_INDEX]
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
    raise DamageError("the file ends behind a record", offset=len(data), cut=True)


def _told(damage: DamageError, data: memoryview) -> str:
    return f"{damage.reason} at byte {damage.offset} of {len(data)}"
