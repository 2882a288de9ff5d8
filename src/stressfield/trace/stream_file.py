"""A recording that is written while messages come, and read while it grows.

An MCAP file in chunks of a megabyte or of a second, whichever is first. Whatever ends the program, the chunks before
are whole: every reader of streams finds them, and so does :class:`~stressfield.trace.bags.bag.Bag`. In memory there is
only where they are, a few bytes for each chunk: what came is read from the file when somebody asks for it.
"""

from __future__ import annotations

import struct
import time
import zlib
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from mcap.opcode import Opcode
from mcap.records import Channel, ChunkIndex, McapRecord, MetadataIndex, Statistics
from numpy.typing import NDArray

from stressfield._files.growth import GrowingFile
from stressfield.arrays import Times
from stressfield.bus.message import Message
from stressfield.errors import StoreError
from stressfield.trace._chunks import CHUNK_BYTES, COMPRESSION, Interleaved, Packer, record_bytes
from stressfield.trace._payloads import Payloads
from stressfield.trace._records import open_chunk, records
from stressfield.trace.topic import Topic
from stressfield.trace.trace import AS_IT_CAME, RECORD_NAME, WRITTEN, Metadata
from stressfield.trace.writer import introduction, schema, tail

CHUNK_S = 1.0
"""Wall time after which a chunk is written however small it is: so much a crash may cost."""
_HEAD = struct.Struct("<BQHIQQ")
_BODY = _HEAD.size - 9
_INDEX_HEAD = 9 + 2 + 4
_ENTRY = np.dtype([("time", "<u8"), ("offset", "<u8")])


@dataclass(slots=True)
class _Channel:
    """A topic: its number, its type, and in which chunks it is."""

    number: int
    schema: int
    kind: type[Message]
    count: int = 0
    chunks: array[int] = field(default_factory=lambda: array("I"))
    indexes: array[int] = field(default_factory=lambda: array("Q"))
    """Where the index of its messages in each of these chunks is in the file."""
    counts: array[int] = field(default_factory=lambda: array("I"))


class StreamRecording:
    """Put messages in; ``topic`` reads what was put. ``finish`` completes the file, ``close`` leaves it as it is."""

    def __init__(self, path: Path | None, metadata: Metadata) -> None:
        self._file = GrowingFile(path)
        self._channels: dict[str, _Channel] = {}
        self._schemas: dict[type[Message], int] = {}
        self._new: list[McapRecord] = []
        """Schemas and channels that the next chunk has to begin with."""
        self._waiting: list[tuple[int, _Channel, bytes]] = []
        self._waiting_bytes = 0
        self._since_s = 0.0
        self._packer = Packer()
        self._crc = 0
        # of each chunk: where it begins, how long it is, how long packed and unpacked, its first and last time
        self._starts, self._lengths, self._packed, self._raw = array("Q"), array("I"), array("I"), array("I")
        self._first_ns, self._last_ns = array("Q"), array("Q")
        self._plain = array("B")
        """Whether it is kept as it is."""
        self._end = 0
        """Of the data: whole chunks."""
        metadata = replace(metadata, options={**metadata.options, WRITTEN: AS_IT_CAME})
        self._head, self._card = introduction(metadata)
        self._over = False

    @property
    def path(self) -> Path | None:
        """Where it is at the moment; None if it has no name."""
        return self._file.part

    @property
    def size(self) -> int:
        """Bytes written so far."""
        return self._file.size

    def put(self, name: str, kind: type[Message], time_ns: int, payload: bytes) -> None:
        """A message of a topic, encoded; all of a topic are of one type. Times may run back a little."""
        channel = self._channels.get(name) or self._channel(name, kind)
        if not self._waiting:
            self._since_s = time.monotonic()
        self._waiting.append((time_ns, channel, payload))
        self._waiting_bytes += len(payload) + _HEAD.size
        if self._waiting_bytes >= CHUNK_BYTES or time.monotonic() - self._since_s >= CHUNK_S:
            self.flush()

    def _channel(self, name: str, kind: type[Message]) -> _Channel:
        number = self._schemas.get(kind)
        if number is None:
            number = self._schemas[kind] = len(self._schemas) + 1
            self._new.append(schema(number, kind))
        made = self._channels[name] = _Channel(len(self._channels) + 1, number, kind)
        self._new.append(self._told(name, made))
        return made

    @staticmethod
    def _told(name: str, channel: _Channel) -> Channel:
        return Channel(channel.number, name, "cdr", {}, channel.schema)

    def flush(self) -> None:
        """Write what waits. StoreError when the disk does not take it."""
        if not self._waiting:
            return
        waiting = sorted(self._waiting, key=lambda row: row[0])  # stable: of those of one time the first stays first
        preamble = record_bytes(*self._new)
        parts, starts, at = [preamble], array("q"), len(preamble)
        for time_ns, channel, payload in waiting:
            starts.append(at)
            parts.append(
                _HEAD.pack(
                    Opcode.MESSAGE, _BODY + len(payload), channel.number, channel.count & 0xFFFFFFFF, time_ns, time_ns
                )
            )
            parts.append(payload)
            channel.count += 1
            at += _HEAD.size + len(payload)
        starts.append(at)
        stream = Interleaved(
            np.frombuffer(b"".join(parts), np.uint8),
            len(preamble),
            np.array([channel.number for _, channel, _ in waiting], np.uint16),
            np.array([time_ns for time_ns, _, _ in waiting], np.int64),
            np.frombuffer(starts, np.int64),
        )
        packed = self._packer.chunk(stream, 0, len(waiting))
        if not self._end:
            self._append(self._head + self._card)
        start = self._file.size
        self._append(packed.chunk + b"".join(packed.indexes.values()))
        self._new, self._waiting, self._waiting_bytes = [], [], 0
        number, at = len(self._starts), start + len(packed.chunk)
        numbers = {channel.number: channel for channel in self._channels.values()}
        for place, index in packed.indexes.items():
            channel = numbers[place]
            channel.chunks.append(number)
            channel.indexes.append(at)
            channel.counts.append((len(index) - _INDEX_HEAD) // _ENTRY.itemsize)
            at += len(index)
        self._starts.append(start)
        self._lengths.append(len(packed.chunk))
        self._packed.append(packed.compressed_size)
        self._raw.append(packed.uncompressed_size)
        self._plain.append(not packed.compression)
        self._first_ns.append(packed.start_ns)
        self._last_ns.append(packed.end_ns)

    def _append(self, data: bytes) -> None:
        self._file.append(data)
        self._crc = zlib.crc32(data, self._crc)
        self._end = self._file.size

    # --- reading ------------------------------------------------------------------------------------------------------

    def topic(self, name: str) -> Topic:
        """All messages of a topic that were put, in the order of time. They are read when somebody looks at one."""
        self.flush()
        channel = self._channels[name]
        found = [self._index(channel, place)["time"].astype(np.int64) for place in range(len(channel.chunks))]
        times = np.concatenate([np.zeros(0, np.int64), *found])
        order = np.argsort(times, kind="stable") if (np.diff(times) < 0).any() else None
        times = times if order is None else times[order]
        whole = len(channel.chunks)

        def read() -> Payloads:
            items = [item for place in range(whole) for item in self._payloads(channel, place)]
            payloads = Payloads.of(items)
            return payloads if order is None else payloads.ordered(order)

        return Topic(name, channel.kind.ros_type, times, times, _LatePayloads(read, times), channel.kind)

    def _index(self, channel: _Channel, place: int) -> NDArray[np.void]:
        data = self._file.read(channel.indexes[place] + _INDEX_HEAD, channel.counts[place] * _ENTRY.itemsize)
        return np.frombuffer(data, _ENTRY)

    def _payloads(self, channel: _Channel, place: int) -> Iterator[bytes]:
        number = channel.chunks[place]
        stored = memoryview(self._file.read(self._starts[number], self._lengths[number]))
        data = open_chunk(next(records(stored, 0)), must_have_crc=True).data
        for offset in self._index(channel, place)["offset"].tolist():
            _, length, *_ = _HEAD.unpack_from(data, offset)
            yield data[offset + _HEAD.size : offset + 9 + length]

    # --- the end ------------------------------------------------------------------------------------------------------

    def finish(self) -> None:
        """Write what waits and the index of all, and give the file its name. StoreError when the disk is full."""
        if self._over:
            return
        self.flush()
        if self._end:
            self._write_tail()
        self._file.complete()
        self.close()

    def give_up(self) -> None:
        """The disk takes no more: let the file end as one should, if there is room for that, under the name it has."""
        if self._end and not self._over:
            with suppress(StoreError):
                self._write_tail()
        self.close()

    def discard(self) -> None:
        """Leave nothing of it."""
        self._over = True
        self._file.discard()

    def _write_tail(self) -> None:
        try:
            for part in tail(self._end, self._crc, self._summary()):
                self._file.append(part)
        except StoreError:
            self._file.cut(self._end)
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._over = True
        self._file.close()

    def _summary(self) -> Iterator[Iterator[bytes]]:
        yield (record_bytes(schema(number, kind)) for kind, number in self._schemas.items())
        yield (record_bytes(self._told(name, channel)) for name, channel in self._channels.items())
        yield iter([record_bytes(self._statistics())])
        yield self._chunk_indexes()
        yield iter([record_bytes(MetadataIndex(len(self._head), len(self._card), RECORD_NAME))])

    def _statistics(self) -> Statistics:
        counts = {channel.number: sum(channel.counts) for channel in self._channels.values()}
        return Statistics(
            attachment_count=0,
            channel_count=len(counts),
            channel_message_counts={number: count for number, count in counts.items() if count},
            chunk_count=len(self._starts),
            message_count=sum(counts.values()),
            message_end_time=max(self._last_ns, default=0),
            message_start_time=min(self._first_ns, default=0),
            metadata_count=1,
            schema_count=len(self._schemas),
        )

    def _chunk_indexes(self) -> Iterator[bytes]:
        """One after the other: of a long recording there are many."""
        channels = list(self._channels.values())
        nexts = [0] * len(channels)
        for number, start in enumerate(self._starts):
            offsets: dict[int, int] = {}
            for place, channel in enumerate(channels):
                at = nexts[place]
                if at < len(channel.chunks) and channel.chunks[at] == number:
                    offsets[channel.number] = channel.indexes[at]
                    nexts[place] += 1
            following = self._starts[number + 1] if number + 1 < len(self._starts) else self._end
            yield record_bytes(
                ChunkIndex(
                    chunk_length=self._lengths[number],
                    chunk_start_offset=start,
                    compression="" if self._plain[number] else COMPRESSION,
                    compressed_size=self._packed[number],
                    message_end_time=self._last_ns[number],
                    message_index_length=following - start - self._lengths[number],
                    message_index_offsets=offsets,
                    message_start_time=self._first_ns[number],
                    uncompressed_size=self._raw[number],
                )
            )


class _LatePayloads(Payloads):
    """Payloads of a topic of which only the times are known so far: read when somebody looks at a message."""

    def __init__(self, read: Callable[[], Payloads], times_ns: Times) -> None:
        object.__setattr__(self, "_read", read)
        object.__setattr__(self, "_count", len(times_ns))

    def __len__(self) -> int:
        count: int = self._count  # type: ignore[attr-defined]
        return count

    @cached_property
    def _whole(self) -> Payloads:
        whole: Payloads = self._read()  # type: ignore[attr-defined]
        return whole

    @property
    def flat(self) -> NDArray[np.uint8]:
        """As of any payloads."""
        return self._whole.flat

    @property
    def lengths(self) -> NDArray[np.int64]:
        """As of any payloads."""
        return self._whole.lengths
