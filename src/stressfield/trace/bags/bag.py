"""Bag: a recording of ROS, whatever wrote it, and whichever topics of it are wanted."""

from __future__ import annotations

import re
import tempfile
from array import array
from collections.abc import Collection, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np
import zstandard

from stressfield._files.disk import open_file, read_file
from stressfield._files.yaml_text import parse_yaml
from stressfield.errors import InputError, TraceError, did_you_mean
from stressfield.trace._payloads import Payloads
from stressfield.trace._records import MAGIC as MCAP
from stressfield.trace._records import MAX_CHUNK_BYTES, bytes_limit
from stressfield.trace.bags._dialect import Readable, readable
from stressfield.trace.bags._mcap import McapFile
from stressfield.trace.bags._ros1 import MAGIC as ROS1
from stressfield.trace.bags._ros1 import Ros1File
from stressfield.trace.bags._sqlite import SqliteFile
from stressfield.trace.bags._storage import BagChannel, damaged, unpack_zstd
from stressfield.trace.reader import kind_of
from stressfield.trace.topic import Topic, stored

METADATA = "metadata.yaml"
_PART = re.compile(r"(.+)_(\d{1,6})\.(?:mcap|db3)(?:\.zstd)?")
LARGEST_METADATA = 4_000_000
SQLITE, ZSTD = b"SQLite format 3\0", b"\x28\xb5\x2f\xfd"
WANTED = "Wanted a folder of rosbag2, a .bag of ROS 1, or an .mcap or .db3 file."
MOST_FILES = 10_000
LARGEST_READ = 2 << 30
"""Of the messages of all topics that were asked for: they are held in memory."""
FARTHEST_BACK_NS = 1_000_000_000
"""Recorders write in the order of threads: messages may be so much older than the one before. More is a clock that
was set."""
LONGEST_PAUSE_NS = 3600 * 1_000_000_000


@dataclass(frozen=True, slots=True)
class BagTopic:
    """A topic of a recording, as it is listed: how many messages, if that is known without reading them all."""

    name: str
    ros_type: str
    count: int | None


class OpenBag(Protocol):
    """What a trace is made from: a recording on disk, or a stream as far as it has come."""

    notes: list[str]

    @property
    def path(self) -> Path:
        """Where it is; of a stream, what it is called."""

    @property
    def topics(self) -> dict[str, BagTopic]:
        """All topics by name."""

    @property
    def span_ns(self) -> tuple[int, int]:
        """When the first and the last message were received."""

    def require(self, topic: str, what: str) -> BagTopic:
        """The topic; TraceError if there is none."""

    def read(self, topics: Collection[str]) -> dict[str, Topic]:
        """These topics whole, by name, in the order of time."""

    def trouble(self, topic: str) -> str:
        """Why a topic cannot be read; empty if it can."""


@dataclass(slots=True)
class Bag:
    """A recording that is open. Use it as a context, or close it."""

    path: Path
    _files: list[McapFile | SqliteFile | Ros1File]
    _stack: ExitStack
    _compressed: bool = False
    """Whether each message is a zstd frame."""
    distribution: str = ""
    """Of ROS 2, if the recording says."""
    notes: list[str] = field(default_factory=list)
    """What was odd, and what was made of it: sentences for people."""
    _bytes_max: int = LARGEST_READ

    @classmethod
    def open(cls, path: Path | str) -> Self:
        """A folder of rosbag2, a ROS 1 bag, or a file of either; TraceError for what is none, cut or damaged."""
        path = Path(path)
        stack = ExitStack()
        try:
            if path.is_dir():
                return cls._open_folder(path, stack)
            file = _open_file(path, None, stack)
            return cls(path, [file], stack, notes=[file.note] if file.note else [])
        except BaseException:
            stack.close()
            raise

    @classmethod
    def _open_folder(cls, folder: Path, stack: ExitStack) -> Self:
        described = folder / METADATA
        if not described.exists():
            names = _parts(folder)
            note = f"the folder has no {METADATA}, so all {len(names)} of its files were taken by name"
            files = [_open_file(folder / name, folder, stack) for name in names]
            return cls(folder, files, stack, notes=[note, *(file.note for file in files if file.note)])
        data = read_file(described, what="the description", bytes_max=LARGEST_METADATA, below=folder, error=TraceError)
        said = _information(data, described)
        mode = str(said.get("compression_mode") or "").lower()
        if mode in {"file", "message"} and said.get("compression_format") != "zstd":
            raise TraceError(
                f"{str(folder)!r} is compressed as {said.get('compression_format')!r}; wanted 'zstd'. "
                "Convert it with: ros2 bag convert"
            )
        files = [_open_file(folder / name, folder, stack) for name in _file_names(said, folder)]
        notes = [file.note for file in files if file.note]
        return cls(
            folder,
            files,
            stack,
            notes=notes,
            _compressed=mode == "message",
            distribution=str(said.get("ros_distro") or ""),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all files."""
        self._stack.close()

    @property
    def card(self) -> Mapping[str, str] | None:
        """What a run of stressfield says of itself; None for recordings of others."""
        return next((file.card for file in self._files if file.card is not None), None)

    @property
    def topics(self) -> dict[str, BagTopic]:
        """All topics by name."""
        found: dict[str, BagTopic] = {}
        for file in self._files:
            for channel in file.channels:
                before = found.get(channel.topic)
                count = channel.count
                if before is not None:
                    count = None if count is None or before.count is None else count + before.count
                found[channel.topic] = BagTopic(channel.topic, channel.ros_type, count)
        return dict(sorted(found.items()))

    @property
    def span_ns(self) -> tuple[int, int]:
        """When the first and the last message were received, in nanoseconds since 1970 by the recorder's clock."""
        spans = [file.span_ns for file in self._files if file.span_ns is not None]
        if not spans:
            raise TraceError(f"{str(self.path)!r} has no messages. Nothing was recorded.")
        first, last = min(first for first, _ in spans), max(last for _, last in spans)
        return first, last

    def require(self, topic: str, what: str) -> BagTopic:
        """The topic; TraceError with a near miss if there is none. ``what`` names it, for the message."""
        known = self.topics
        if topic not in known:
            shown = ", ".join(list(known)[:30]) + (", ..." if len(known) > 30 else "")
            raise TraceError(
                f"No topic {topic!r} in {str(self.path)!r} ({what}). It has: {shown or 'none'}."
                f"{did_you_mean(topic, known)}"
            )
        return known[topic]

    def read(self, topics: Collection[str]) -> dict[str, Topic]:
        """These topics whole, by name, in the order of time; times are those of reception.

        TraceError for a topic that is not there, has several types, or cannot be decoded.
        """
        ways = {name: self._way(name) for name in topics}
        times: dict[str, array[int]] = {name: array("q") for name in topics}
        payloads: dict[str, list[bytes]] = {name: [] for name in topics}
        left = self._bytes_max
        for file in self._files:
            for number, time_ns, packed in file.messages(frozenset(topics)):
                name = file.channels[number].topic
                way, data = ways[name], self._decompressed(packed)
                data = data if way.to_cdr is None else way.to_cdr(data)
                left -= len(data)
                if left < 0:
                    raise TraceError(
                        f"The topics {', '.join(sorted(topics))} of {str(self.path)!r} have more than "
                        f"{self._bytes_max >> 20} MB of messages. Map fewer topics, or cut the recording."
                    )
                times[name].append(time_ns)
                payloads[name].append(data)
        return {name: self._topic(name, times[name], payloads[name], ways[name]) for name in topics}

    def trouble(self, topic: str) -> str:
        """Why a topic cannot be read, without reading it; empty if it can."""
        try:
            self._way(topic)
        except TraceError as error:
            return str(error)
        return ""

    def _way(self, name: str) -> Readable:
        found: list[BagChannel] = []
        for file in self._files:
            found += [channel for channel in file.channels if channel.topic == name]
        if not found:
            self.require(name, "asked for")
        types = sorted({channel.ros_type for channel in found})
        if len(types) > 1:
            raise TraceError(f"Topic {name!r} of {str(self.path)!r} has several types: {', '.join(types)}. Wanted one.")
        best = next((channel for channel in found if channel.definition), found[0])
        way = readable(best, self.distribution)
        if way.note and way.note not in self.notes:
            self.notes.append(way.note)
        return way

    def _decompressed(self, data: bytes) -> bytes:
        if not self._compressed:
            return data
        try:
            return unpack_zstd(data, bytes_max=MAX_CHUNK_BYTES)
        except ValueError as error:
            raise damaged(self.path, f"a message is not what it should be: {error}") from None

    def _topic(self, name: str, times: array[int], payloads: list[bytes], way: Readable) -> Topic:
        log_ns = np.frombuffer(times, np.int64) if len(times) else np.zeros(0, np.int64)
        steps = np.diff(log_ns)
        if len(steps) and int(steps.min()) < 0:
            back_ns = int((np.maximum.accumulate(log_ns) - log_ns).max())
            if back_ns > FARTHEST_BACK_NS:
                at_s = (int(log_ns[int(np.argmin(steps))]) - self.span_ns[0]) / 1e9
                raise TraceError(
                    f"Time runs backwards on topic {name!r} of {str(self.path)!r}: by {back_ns / 1e9:.1f} s, at "
                    f"{at_s:.1f} s. The recorder's clock was set. Cut the recording there and judge the parts."
                )
            order = np.argsort(log_ns, kind="stable")
            log_ns, payloads = log_ns[order], [payloads[place] for place in order.tolist()]
            self.notes.append(f"messages on {name} were up to {back_ns / 1e9:.3f} s out of order, and were sorted")
        ros_type = self.topics[name].ros_type
        return stored(name, ros_type, log_ns, log_ns, Payloads.of(payloads), way.definition)


def _parts(folder: Path) -> list[str]:
    """The files of a folder without a description, in their order: recorders number the parts of one recording."""
    names = [each.name for each in folder.iterdir() if each.suffix in {".mcap", ".db3", ".zstd", ".bag"}]
    if not names:
        raise TraceError(f"The folder {str(folder)!r} has no {METADATA} and no files of a recording. {WANTED}")
    parts = {name: found for name in names if (found := _PART.fullmatch(name)) is not None}
    if len(names) > 1 and (len(parts) < len(names) or len({found[1] for found in parts.values()}) > 1):
        raise TraceError(
            f"The folder {str(folder)!r} has several recordings and no {METADATA}. Give them one by one: "
            f"{', '.join(sorted(names)[:3])}{', ...' if len(names) > 3 else ''}."
        )
    return sorted(names, key=lambda name: int(parts[name][2]) if name in parts else 0)


def _information(data: bytes, path: Path) -> dict[str, Any]:
    try:
        content = parse_yaml(data, name=repr(str(path)))
    except InputError as error:
        raise TraceError(str(error)) from None
    said = content.get("rosbag2_bagfile_information") if isinstance(content, dict) else None
    if not isinstance(said, dict):
        raise TraceError(f"{str(path)!r} does not describe a recording: it has no 'rosbag2_bagfile_information'.")
    return said


def _file_names(said: dict[str, Any], folder: Path) -> list[str]:
    """The files of a rosbag2, all of them in its folder. Old recorders wrote the folder's name before each."""
    given = said.get("relative_file_paths")
    if not isinstance(given, list) or not given or len(given) > MOST_FILES:
        raise TraceError(f"{str(folder / METADATA)!r} names no files, or far too many: got {given!r:.60}.")
    names = []
    for text in given:
        place = PurePosixPath(str(text))
        if place.is_absolute() or ".." in place.parts or len(place.parts) > 2 or not place.name:
            raise TraceError(
                f"{str(folder / METADATA)!r} names the file {str(text)!r:.100}, which is not in its folder."
            )
        if not (folder / place.name).exists():
            raise TraceError(f"{str(folder)!r} is not whole: the file {place.name!r} is missing. Copy it again.")
        names.append(place.name)
    return names


def _open_file(path: Path, below: Path | None, stack: ExitStack) -> McapFile | SqliteFile | Ros1File:
    try:
        with open_file(path, below=below) as file:
            head = file.read(64)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise TraceError(f"Cannot read {str(path)!r}: {reason}. {WANTED}") from None
    if head.startswith(ZSTD):
        path, below = _unpacked_file(path, below, stack), None
        with path.open("rb") as file:
            head = file.read(64)
    kinds = ((MCAP, McapFile), (SQLITE, SqliteFile), (ROS1, Ros1File))
    for magic, kind in kinds:
        if head.startswith(magic):
            opened = kind(path, below)
            stack.callback(opened.close)
            return opened
    what = f"it is {kind_of(head)}" if head else "it is empty"
    raise TraceError(f"{str(path)!r} is not a recording: {what}. {WANTED}")


def _unpacked_file(path: Path, below: Path | None, stack: ExitStack) -> Path:
    """A file that was compressed whole, unpacked to a place that goes away with the bag."""
    target = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stressfield-bag-"))) / "recording"
    with open_file(path, below=below) as packed, target.open("wb") as out:
        left = bytes_limit(packed.seek(0, 2))
        packed.seek(0)
        try:
            for part in zstandard.ZstdDecompressor().read_to_iter(packed):
                left -= len(part)
                if left < 0:
                    raise damaged(path, "it unpacks to more than a file of its size may hold")
                out.write(part)
        except zstandard.ZstdError as error:
            raise damaged(path, f"it cannot be decompressed ({error})", cut=True) from None
    return target
