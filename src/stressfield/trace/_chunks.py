"""The messages of a trace in one order of time, cut into compressed MCAP chunks with their indexes."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import zstandard
from mcap.data_stream import RecordBuilder
from mcap.opcode import Opcode
from mcap.records import Chunk, McapRecord
from numpy.typing import NDArray

from stressfield import _compiled
from stressfield.trace._records import bytes_limit
from stressfield.trace.topic import Topic

compiled = _compiled.part("stressfield.trace._interleave")

# a damaged file loses whole chunks, and small ones compress badly
CHUNK_BYTES = 1 << 20
COMPRESSION = "zstd"
# The fast end of zstd: writing must not slow down runs. A small table stays in the nearest cache, and what repeats in
# records of numbers is long: with that it takes a tenth less time than the plain level, for files of the same size.
_PARAMETERS = zstandard.ZstdCompressionParameters.from_level(-3, hash_log=12, min_match=7, target_length=2)

MESSAGE_HEAD = np.dtype(
    [("opcode", "u1"), ("length", "<u8"), ("channel", "<u2"), ("sequence", "<u4"), ("log", "<u8"), ("publish", "<u8")]
)
"""What precedes the payload in an MCAP message record (packed, 31 bytes)."""

_BODY = MESSAGE_HEAD.itemsize - 9  # a record's length counts neither its opcode (1 byte) nor itself (8)
_INDEX_ENTRY = np.dtype([("time", "<u8"), ("offset", "<u8")])


@dataclass(frozen=True, slots=True)
class Packed:
    """One chunk record, the message index records that follow it, and what the chunk index says of them."""

    chunk: bytes
    compression: str
    indexes: dict[int, bytes]
    start_ns: int
    end_ns: int
    compressed_size: int
    uncompressed_size: int


@dataclass(frozen=True, slots=True, eq=False)
class Interleaved:
    """All message records of the file in the order of writing, after the preamble."""

    data: NDArray[np.uint8]
    preamble: int
    """How many bytes of the data come before the first message."""
    channel: NDArray[np.uint16]
    time_ns: NDArray[np.int64]
    start: NDArray[np.int64]
    """Where each record begins in the data; one more, where the last one ends."""


def pack(topics: Sequence[Topic], preamble: bytes) -> Iterator[Packed]:
    """Chunks of all topics (channel ids count from 1); ``preamble`` holds the schema and channel records."""
    stream = interleaved(topics, preamble)
    cuts = (np.flatnonzero(np.diff((stream.start[:-1] - stream.preamble) // CHUNK_BYTES)) + 1).tolist()
    packer = Packer()
    for first, last in zip([0, *cuts], [*cuts, len(stream.time_ns)], strict=True):
        yield packer.chunk(stream, first, last)


class Packer:
    """Makes chunks of one file, one after the other."""

    def __init__(self) -> None:
        self._compressor = zstandard.ZstdCompressor(compression_params=_PARAMETERS)
        self._raw_bytes = self._packed_bytes = 0

    def chunk(self, stream: Interleaved, first: int, last: int) -> Packed:
        """Some messages of a stream; the first chunk has its preamble, too."""
        packed = _chunk(stream, first, last, self._compressor.compress)
        # The reader takes a file that unpacks to far more than its size for a trap. Of an hour of black pictures, now
        # and then a chunk is kept as it is: the file is still small, and the reader's rule holds.
        if self._raw_bytes + packed.uncompressed_size > bytes_limit(self._packed_bytes + packed.compressed_size):
            packed = _chunk(stream, first, last, None)
        self._raw_bytes += packed.uncompressed_size
        self._packed_bytes += packed.compressed_size
        return packed


def interleaved(topics: Sequence[Topic], preamble: bytes) -> Interleaved:
    """The messages of all topics in one order of time; of those that came at once, those of the first topic first."""
    if compiled is None:
        return interleaved_plainly(topics, preamble)
    told = []
    for number, topic in enumerate(topics, 1):
        numbers = topic.log_time_ns, topic.publish_time_ns, topic.payloads.lengths
        told.append((number, *(np.ascontiguousarray(each, np.int64) for each in numbers), topic.payloads.flat))
    data, channel, time_ns, start = compiled.interleave(preamble, tuple(told))
    return Interleaved(data, len(preamble), channel, time_ns, start)


def interleaved_plainly(topics: Sequence[Topic], preamble: bytes) -> Interleaved:
    """The same, record by record in Python: what the compiled way is compared with."""
    time_ns = np.concatenate([np.empty(0, np.int64), *(topic.log_time_ns for topic in topics)])
    channel = np.repeat(np.arange(1, len(topics) + 1), [len(topic) for topic in topics]).astype(np.uint16)
    records = [record for number, topic in enumerate(topics, 1) for record in _records(number, topic)]
    order = np.argsort(time_ns, kind="stable")
    ordered = [records[place] for place in order.tolist()]
    start = np.cumsum([len(preamble), *map(len, ordered)])
    data = np.frombuffer(b"".join([preamble, *ordered]), np.uint8)
    return Interleaved(data, len(preamble), channel[order], time_ns[order], start)


def _records(number: int, topic: Topic) -> Iterator[bytes]:
    for head, payload in zip(map(bytes, _heads(number, topic)), topic.payloads.items(), strict=True):
        yield head + payload


def _heads(channel: int, topic: Topic) -> NDArray[np.uint8]:
    heads = np.empty(len(topic), MESSAGE_HEAD)
    heads["opcode"] = Opcode.MESSAGE
    heads["length"] = topic.payloads.lengths + _BODY
    heads["channel"] = channel
    heads["sequence"] = np.arange(len(topic))
    heads["log"] = topic.log_time_ns
    heads["publish"] = topic.publish_time_ns
    return heads.view(np.uint8).reshape(len(topic), MESSAGE_HEAD.itemsize)


def _chunk(stream: Interleaved, first: int, last: int, compress: Callable[[memoryview], bytes] | None) -> Packed:
    begin = int(stream.start[first]) if first else 0  # the first chunk has the preamble, too
    raw = stream.data[begin : int(stream.start[last])].data
    times = stream.time_ns[first:last]
    start_ns, end_ns = (int(times[0]), int(times[-1])) if len(times) else (0, 0)
    data, compression = (bytes(raw), "") if compress is None else (compress(raw), COMPRESSION)
    chunk = record_bytes(Chunk(compression, data, end_ns, start_ns, zlib.crc32(raw), len(raw)))
    indexes = _indexes(stream.channel[first:last], times, stream.start[first:last] - begin)
    return Packed(chunk, compression, indexes, start_ns, end_ns, len(data), len(raw))


def _indexes(channel: NDArray[np.uint16], times: NDArray[np.int64], offsets: NDArray[np.int64]) -> dict[int, bytes]:
    """One message index record per channel of the chunk."""
    order = np.argsort(channel, kind="stable")
    entries = np.empty(len(channel), _INDEX_ENTRY)
    entries["time"] = times[order]
    entries["offset"] = offsets[order]
    found: dict[int, bytes] = {}
    last = 0
    for number, count in enumerate(np.bincount(channel).tolist()):
        if count:
            first, last = last, last + count
            data = entries[first:last].tobytes()
            found[number] = struct.pack("<BQHI", Opcode.MESSAGE_INDEX, 6 + len(data), number, len(data)) + data
    return found


def record_bytes(*records: McapRecord) -> bytes:
    """Records as they are in the file."""
    builder = RecordBuilder()
    for record in records:
        record.write(builder)
    return bytes(builder.end())  # type: ignore[no-untyped-call]
