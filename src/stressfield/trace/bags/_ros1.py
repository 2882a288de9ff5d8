"""The file of a ROS 1 recording (format 2.0): chunks without a wanted message are not unpacked."""

from __future__ import annotations

import bz2
import struct
from collections.abc import Collection, Iterator
from pathlib import Path

from stressfield.errors import TraceError
from stressfield.trace._records import MAX_CHUNK_BYTES, DamageError, bytes_limit, messages_limit
from stressfield.trace.bags._storage import MAX_TIME, BagChannel, FileBytes, damaged, unpack_lz4

MAGIC = b"#ROSBAG V"
VERSION = b"#ROSBAG V2.0\n"
_MESSAGE, _HEADER, _CHUNK, _CHUNK_INFO, _CONNECTION = b"\x02", b"\x03", b"\x05", b"\x06", b"\x07"
"""The field ``op`` of records."""
_TIME = struct.Struct("<II")


class Ros1File:
    """One ``.bag`` file."""

    card: None = None
    note = ""

    def __init__(self, path: Path, below: Path | None = None) -> None:
        self._path = path
        self._file = FileBytes(path, below)
        self._ids: dict[int, int] = {}
        self._chunks: list[tuple[int, frozenset[int]]] = []
        self._counts: dict[int, int] = {}
        self.channels: list[BagChannel] = []
        self.span_ns: tuple[int, int] | None = None
        try:
            self._open()
        except DamageError as damage:
            self.close()
            raise damaged(path, damage.reason, cut=damage.cut) from None
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def messages(self, topics: Collection[str]) -> Iterator[tuple[int, int, bytes]]:
        """The messages of these topics."""
        wanted = {key: own for key, own in self._ids.items() if self.channels[own].topic in topics}
        data = self._file.view
        left, count = max(bytes_limit(len(data)), 4 * len(data)), messages_limit(len(data))
        try:
            for start, inside in self._chunks:
                if not inside & wanted.keys():
                    continue
                header, body, _ = _record(data, start)
                chunk = _unpacked(header, body, left)
                left -= len(chunk)
                for fields, payload in _records(memoryview(chunk)):
                    if fields.get("op") != _MESSAGE:
                        continue
                    count -= 1
                    if count < 0:
                        raise _damage("it has more messages than a file of its size may hold")
                    key = _number(fields, "conn")
                    if key in wanted:
                        yield wanted[key], _time(fields, "time"), bytes(payload)
        except DamageError as damage:
            raise damaged(self._path, damage.reason, cut=damage.cut) from None

    def _open(self) -> None:
        data = self._file.view
        if data[: len(VERSION)] != VERSION:
            version = bytes(data[len(MAGIC) : len(MAGIC) + 4]).decode(errors="replace").strip()
            raise TraceError(
                f"{str(self._path)!r} is a ROS 1 bag of version {version!r}; wanted 2.0. Convert it: rosbag migrate."
            )
        first, _, after = _record(data, len(VERSION))
        if first.get("op") != _HEADER:
            raise _damage("it has no header")
        index = struct.unpack("<Q", first.get("index_pos", b"").ljust(8, b"\0")[:8])[0]
        if index == 0:
            raise _damage("it has no index: the recorder was killed (a .bag.active file)", cut=True)
        if not after <= index <= len(data):
            raise _damage("its index is outside of it", cut=index > len(data))
        spans: list[tuple[int, int]] = []
        for fields, body in _records(data, index):
            op = fields.get("op")
            if op == _CONNECTION:
                self._connect(fields, body)
            elif op == _CHUNK_INFO:
                spans += self._chunk(fields, body)
        if spans:
            self.span_ns = (min(first for first, _ in spans), max(last for _, last in spans))
        counts = dict.fromkeys(range(len(self.channels)), 0)
        for key, count in self._counts.items():
            if key not in self._ids:
                raise _damage(f"it has messages of an unknown connection {key}")
            counts[self._ids[key]] += count
        self.channels = [
            BagChannel(each.topic, each.ros_type, each.encoding, each.definition, each.language, counts[own])
            for own, each in enumerate(self.channels)
        ]

    def _connect(self, fields: dict[str, bytes], body: memoryview) -> None:
        said = _fields(body)
        kind, text = (said.get(name, b"").decode(errors="replace") for name in ("type", "message_definition"))
        topic = fields.get("topic", b"").decode(errors="replace")
        package, slash, name = kind.partition("/")
        if not topic or not slash:
            raise _damage("a connection has no topic or no type")
        self._ids[_number(fields, "conn")] = len(self.channels)
        self.channels.append(BagChannel(topic, f"{package}/msg/{name}", "ros1", text, "ros1msg"))

    def _chunk(self, fields: dict[str, bytes], body: memoryview) -> list[tuple[int, int]]:
        if len(body) % 8:
            raise _damage("an index is not valid")
        inside = dict(struct.iter_unpack("<II", body))
        for key, count in inside.items():
            self._counts[key] = self._counts.get(key, 0) + count
        place = struct.unpack("<Q", fields.get("chunk_pos", b"").ljust(8, b"\0")[:8])[0]
        if place >= len(self._file.view):
            raise _damage("its index lists a chunk that is not in the file", cut=True)
        self._chunks.append((place, frozenset(inside)))
        first, last = _time(fields, "start_time"), _time(fields, "end_time")
        return [(first, last)] if inside and last >= first else []


def _damage(reason: str, *, cut: bool = False) -> DamageError:
    return DamageError(reason, offset=0, cut=cut)


def _record(data: memoryview, at: int) -> tuple[dict[str, bytes], memoryview, int]:
    """The fields of a record's header, its data, and where the next one begins."""
    header, at = _sized(data, at)
    body, at = _sized(data, at)
    return _fields(header), body, at


def _records(data: memoryview, at: int = 0) -> Iterator[tuple[dict[str, bytes], memoryview]]:
    while at < len(data):
        fields, body, at = _record(data, at)
        yield fields, body


def _sized(data: memoryview, at: int) -> tuple[memoryview, int]:
    if at + 4 > len(data):
        raise _damage(f"it ends inside a record, at byte {at}", cut=True)
    (size,) = struct.unpack_from("<I", data, at)
    if size > len(data) - at - 4:
        raise _damage(f"it ends inside a record, at byte {at}", cut=True)
    return data[at + 4 : at + 4 + size], at + 4 + size


def _fields(header: memoryview) -> dict[str, bytes]:
    found, at = {}, 0
    while at < len(header):
        part, at = _sized(header, at)
        name, equals, value = bytes(part).partition(b"=")
        if not equals:
            raise _damage("a header is not valid")
        found[name.decode(errors="replace")] = value
    return found


def _number(fields: dict[str, bytes], name: str) -> int:
    try:
        number: int = struct.unpack("<I", fields[name])[0]
    except (KeyError, struct.error):
        raise _damage(f"a record has no number {name!r}") from None
    return number


def _time(fields: dict[str, bytes], name: str) -> int:
    try:
        seconds, rest = _TIME.unpack(fields[name])
    except (KeyError, struct.error):
        raise _damage(f"a record has no time {name!r}") from None
    time_ns: int = seconds * 1_000_000_000 + rest
    return min(time_ns, MAX_TIME - 1)


def _unpacked(header: dict[str, bytes], body: memoryview, bytes_max: int) -> bytes:
    """A chunk, of the size that it announces and no larger."""
    if header.get("op") != _CHUNK:
        raise _damage("its index names a chunk where none is")
    size, compression = _number(header, "size"), header.get("compression", b"none")
    if size > min(bytes_max, MAX_CHUNK_BYTES):
        raise _damage(f"a chunk claims to unpack to {size} bytes, more than a file of its size may hold")
    try:
        if compression == b"none":
            data = bytes(body)
        elif compression == b"bz2":
            data = bz2.BZ2Decompressor().decompress(bytes(body), max_length=size + 1)
        elif compression == b"lz4":
            data = unpack_lz4(bytes(body), size=size)
        else:
            raise ValueError(f"its compression {compression[:20]!r} is not known")
    except (OSError, ValueError, EOFError) as error:
        raise _damage(f"a chunk cannot be unpacked: {error}") from None
    if len(data) != size:
        raise _damage(f"a chunk has {len(data)} bytes, wanted {size}")
    return data
