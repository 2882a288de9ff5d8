"""What the files of a recording have in common: channels, and the messages of some of them.

Each kind of file is taken apart here rather than by a library: a bag comes from a stranger. No length in it is trusted,
nothing is unpacked beyond what a file of its size may hold, and what nobody asked for is not unpacked at all.
"""

from __future__ import annotations

import mmap
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import lz4.frame  # type: ignore[import-untyped]
import zstandard

from stressfield._files.disk import open_file
from stressfield.errors import TraceError

LARGEST_FILE = 1 << 40
MAX_TIME = 1 << 63
"""Times are signed 64-bit nanoseconds in all arrays."""


@dataclass(frozen=True, slots=True)
class BagChannel:
    """A topic of one file: its type, how its messages are encoded (``cdr`` or ``ros1``), and the text of the type."""

    topic: str
    ros_type: str
    encoding: str
    definition: str = ""
    language: str = ""
    """Of the definition: ``ros2msg``, ``ros2idl``, ``ros1msg``; empty if the file has none."""
    count: int | None = None


class Storage(Protocol):
    """One file of a recording."""

    channels: Sequence[BagChannel]
    span_ns: tuple[int, int] | None
    """When its first and its last message were received; None if it has no messages."""

    def messages(self, topics: Collection[str]) -> Iterator[tuple[int, int, bytes]]:
        """The number of the channel, the time of reception and the bytes of each message, in the order of the file."""

    def close(self) -> None:
        """Let go of the file."""


class FileBytes:
    """The bytes of a file without reading it whole: parts that nobody looks at stay on the disk."""

    def __init__(self, path: Path, below: Path | None) -> None:
        try:
            with open_file(path, below=below) as file:
                size = file.seek(0, 2)
                self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else None
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise TraceError(
                f"Cannot read {str(path)!r}: {reason}. Wanted a recording: rosbag2, ROS 1 bag or MCAP."
            ) from None
        self.view = memoryview(self._map) if self._map is not None else memoryview(b"")

    def close(self) -> None:
        """Let go of the file. Parts of it that somebody still looks at stay until they are done."""
        self.view.release()
        if self._map is not None:
            try:
                self._map.close()
            except BufferError:  # a view of a part is alive: the map goes with it
                self._map = None


def damaged(path: Path, reason: str, *, cut: bool = False) -> TraceError:
    """What is said of a file that ends too early, or is not what it should be."""
    what = "is cut off" if cut else "is damaged"
    advice = "Have the recorder's tool mend it (ros2 bag reindex, rosbag reindex, mcap recover), or leave it out."
    return TraceError(f"{str(path)!r} {what}: {reason}. {advice}")


def unpack_zstd(packed: bytes | memoryview, *, bytes_max: int) -> bytes:
    """What a zstd frame holds; ValueError if that is more than allowed or the frame is broken."""
    try:
        claimed = zstandard.frame_content_size(bytes(packed[:32]))
        if claimed > bytes_max:
            raise ValueError(f"it claims to unpack to {claimed} bytes, more than the {bytes_max} allowed")
        if claimed >= 0:
            return zstandard.ZstdDecompressor().decompress(packed, max_output_size=max(1, claimed))
        # One that does not say how large it is: as much as is allowed, and a byte more to tell.
        with zstandard.ZstdDecompressor().stream_reader(bytes(packed)) as stream:
            data = bytes(stream.read(bytes_max + 1))
    except zstandard.ZstdError as error:
        raise ValueError(f"it cannot be decompressed ({error})") from error
    if len(data) > bytes_max:
        raise ValueError(f"it unpacks to more than the {bytes_max} bytes allowed")
    return data


def unpack_lz4(packed: bytes, *, size: int) -> bytes:
    """What an LZ4 frame holds; ValueError if that is not of the size that was announced."""
    try:
        data = bytes(lz4.frame.LZ4FrameDecompressor().decompress(packed, max_length=size + 1))
    except (RuntimeError, ValueError, EOFError, MemoryError) as error:
        raise ValueError(f"it cannot be decompressed ({error})") from error
    if len(data) != size:
        raise ValueError(f"it unpacks to {'more' if len(data) > size else 'fewer'} bytes than the {size} announced")
    return data
