"""Take MCAP records apart without trusting a single length in them."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import lz4.frame  # type: ignore[import-untyped]
import zstandard

MAGIC = b"\x89MCAP0\r\n"
MAX_CHUNK_BYTES = 256 << 20
"""No chunk may claim to be larger than this when decompressed."""

MAX_BYTES = 4 << 30
"""Of a file, and of all its messages when decompressed."""

# A file of a stranger may unpack to thirty thousand times its size. What is let through grows with the file, so that a
# small one is cheap to read whatever is in it; the writer sees to it that no recording of ours goes beyond.
EXPANSION = 250
FREE_BYTES = 128 << 20
"""Messages may take this often the size of the file when decompressed, and this much in any case."""

MESSAGE_BYTES = 16
FREE_MESSAGES = 500_000
"""Each message takes at least so many bytes of a file, in its index, which is not compressed; but for so many."""

_HEAD = struct.Struct("<BQ")


def bytes_limit(file_bytes: int) -> int:
    """How many bytes of messages a file of this size may hold."""
    return min(MAX_BYTES, max(FREE_BYTES, EXPANSION * file_bytes))


def messages_limit(file_bytes: int) -> int:
    """How many messages a file of this size may hold."""
    return max(FREE_MESSAGES, file_bytes // MESSAGE_BYTES)


class DamageError(Exception):
    """Inside this folder only: the bytes at ``offset`` are not what they should be. ``cut``: the file just ends."""

    def __init__(self, reason: str, *, offset: int, cut: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.offset = offset
        self.cut = cut


@dataclass(frozen=True, slots=True)
class Record:
    """One record: ``body`` starts at ``start + 9`` of the file (or of the chunk)."""

    opcode: int
    start: int
    body: memoryview

    @property
    def end(self) -> int:
        return self.start + _HEAD.size + len(self.body)

    def fields(self, layout: str) -> tuple[Any, ...]:
        """The values of a layout such as ``HIQQr``.

        ``H``, ``I``, ``Q`` are numbers, ``s`` a text, ``b`` and ``B`` bytes (32- and 64-bit length), ``m`` a map
        of texts, ``r`` the rest.
        """
        return Cursor(self.body, self.start).take(layout)


@dataclass(slots=True)
class Cursor:
    """Reads fields of a record one after the other, within its bytes."""

    body: memoryview
    start: int
    at: int = 0

    def take(self, layout: str) -> tuple[Any, ...]:
        """The fields of a layout; DamageError when they do not fill the record."""
        values = [self._one(code) for code in layout]
        if self.at != len(self.body):
            raise self._damage(f"a record is {len(self.body) - self.at} bytes too long")
        return tuple(values)

    def _one(self, code: str) -> Any:
        if code == "r":
            return self._bytes(len(self.body) - self.at)
        if code == "b":
            return self._bytes(self._number("I"))
        if code == "B":
            return self._bytes(self._number("Q"))
        if code == "s":
            return self._text()
        return self._map() if code == "m" else self._number(code)

    def _number(self, code: str) -> int:
        try:
            value: int = struct.unpack_from("<" + code, self.body, self.at)[0]
        except struct.error as error:
            raise self._damage("a record is too short") from error
        self.at += struct.calcsize("<" + code)
        return value

    def _bytes(self, size: int) -> memoryview:
        if size > len(self.body) - self.at:
            raise self._damage(f"{size} bytes announced, {len(self.body) - self.at} there")
        self.at += size
        return self.body[self.at - size : self.at]

    def _text(self) -> str:
        try:
            return str(self._bytes(self._number("I")), "utf-8")
        except UnicodeDecodeError as error:
            raise self._damage("a text is not UTF-8") from error

    def _map(self) -> dict[str, str]:
        size = self._number("I")
        if size > len(self.body) - self.at:
            raise self._damage(f"a map of {size} bytes announced, {len(self.body) - self.at} there")
        end = self.at + size
        found: dict[str, str] = {}
        while self.at < end:
            key = self._text()
            found[key] = self._text()
        return found

    def _damage(self, reason: str) -> DamageError:
        return DamageError(reason, offset=self.start)


def records(data: memoryview, at: int) -> Iterator[Record]:
    """The records from a position on. DamageError with ``cut`` when the last one is not all there."""
    while at < len(data):
        if len(data) - at < _HEAD.size:
            raise DamageError("the file ends inside a record", offset=at, cut=True)
        opcode, size = _HEAD.unpack_from(data, at)
        begin = at + _HEAD.size
        if size > len(data) - begin:
            raise DamageError("the file ends inside a record", offset=at, cut=True)
        yield Record(opcode, at, data[begin : begin + size])
        at = begin + size


@dataclass(frozen=True, slots=True)
class ChunkBody:
    """A chunk, decompressed and checked."""

    start_ns: int
    end_ns: int
    data: bytes


def open_chunk(record: Record, *, must_have_crc: bool, bytes_max: int = MAX_CHUNK_BYTES) -> ChunkBody:
    """Decompress a chunk and check its size and checksum. What it claims beyond ``bytes_max`` is not even tried."""
    start_ns, end_ns, size, crc, compression, packed = record.fields("QQQIsB")
    if size > MAX_CHUNK_BYTES:
        raise DamageError(f"a chunk claims {size} bytes, at most {MAX_CHUNK_BYTES} are accepted", offset=record.start)
    if size > bytes_max:
        raise DamageError("its messages would unpack to more than a file of its size may hold", offset=record.start)
    data = _decompress(bytes(packed), compression, size, record.start)
    if len(data) != size:
        raise DamageError(f"a chunk has {len(data)} bytes, wanted {size}", offset=record.start)
    if (crc or must_have_crc) and zlib.crc32(data) != crc:
        raise DamageError("the checksum of a chunk does not match", offset=record.start)
    return ChunkBody(start_ns, end_ns, data)


def _decompress(packed: bytes, compression: str, size: int, offset: int) -> bytes:
    try:
        if compression == "":
            return packed
        if compression == "zstd":
            return _zstd(packed, size)
        if compression == "lz4":
            return bytes(lz4.frame.LZ4FrameDecompressor().decompress(packed, max_length=size + 1))
    except (zstandard.ZstdError, RuntimeError, ValueError, EOFError, MemoryError) as error:
        raise DamageError(f"a chunk cannot be decompressed ({error})", offset=offset) from error
    raise DamageError(f"a chunk has unknown compression {compression!r}", offset=offset)


def _zstd(packed: bytes, size: int) -> bytes:
    # The decompressor allocates what the frame claims: check the claim first.
    claimed = zstandard.frame_content_size(packed)
    if claimed not in (-1, size):
        raise ValueError(f"its frame claims {claimed} bytes, wanted {size}")
    return zstandard.ZstdDecompressor().decompress(packed, max_output_size=max(1, size), allow_extra_data=False)
