"""Bags of strangers, cut and damaged: one kind of error, no crash, no gigabytes."""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore
from row import Figure, Size

from stressfield.bus.cdr import encode
from stressfield.bus.messages import Header, LaserScan, PoseStamped, Time
from stressfield.errors import TraceError
from stressfield.seeds import generator
from stressfield.trace.bags import Bag

START_NS = 1_789_000_000 * 1_000_000_000
MEMORY_GIB = 1.0
TOPICS = {"/pose": PoseStamped.ros_type, "/scan": LaserScan.ros_type}
Rows = list[tuple[str, int, bytes]]


@dataclass(slots=True)
class Tally:
    """What came of damage."""

    tries: int = 0
    refused: int = 0
    other_errors: int = 0
    slowest_s: float = 0.0


def damaged(size: Size) -> Figure:
    """Every kind of bag, cut and with flipped bits, then opened and read."""
    tally, told = Tally(), set[str]()
    for number, path in enumerate(_bags(size.folder)):
        data = path.read_bytes()
        rng = generator(23, "bags", str(number))
        for _ in range(size.pick(60, 2_000)):
            broken = bytearray(data)
            if rng.random() < 0.4:
                broken = broken[: int(rng.integers(len(data)))]
            else:
                for _ in range(int(rng.integers(1, 4))):
                    broken[int(rng.integers(len(data)))] ^= 1 << int(rng.integers(8))
            _try(path, bytes(broken), tally, told)
        path.write_bytes(data)
    used_gib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)
    text = (
        f"{tally.tries:,} damaged bags, {tally.refused:,} refused: {tally.other_errors} other errors"
        f"{' (' + ', '.join(sorted(told)) + ')' if told else ''}; slowest {1000 * tally.slowest_s:.0f} ms, at most "
        f"{used_gib:.1f} GiB"
    )
    return Figure(not tally.other_errors and size.within(used_gib, MEMORY_GIB), text)


def _try(path: Path, data: bytes, tally: Tally, told: set[str]) -> None:
    path.write_bytes(data)
    tally.tries += 1
    begin_s = time.thread_time()
    try:
        place = path.parent if (path.parent / "metadata.yaml").exists() else path
        with Bag.open(place) as bag:
            for name, topic in bag.read(list(bag.topics)).items():
                if name == "/pose" and len(topic):
                    topic.column("pose.position.x")
    except TraceError:
        tally.refused += 1
    except Exception as error:
        tally.other_errors += 1
        told.add(f"{type(error).__name__}: {str(error)[:80]}")
        if "-v" in sys.argv:
            raise
    tally.slowest_s = max(tally.slowest_s, time.thread_time() - begin_s)


def _rows() -> Rows:
    made: Rows = []
    for number in range(60):
        now = START_NS + number * 50_000_000
        header = Header(Time(now // 1_000_000_000, now % 1_000_000_000), "map")
        made.append(("/pose", now, encode(PoseStamped(header))))
        ranges = np.full(60, 1.0 + number, np.float32)
        made.append(("/scan", now, encode(LaserScan(header, -1.0, 1.0, 0.03, 0.0, 0.1, 0.1, 9.0, ranges, ranges[:0]))))
    return made


def _bags(folder: Path) -> Iterator[Path]:
    rows, ros2, ros1 = _rows(), get_typestore(Stores.ROS2_HUMBLE), get_typestore(Stores.ROS1_NOETIC)
    kinds = (
        (StoragePlugin.MCAP, None), (StoragePlugin.MCAP, CompressionMode.STORAGE),
        (StoragePlugin.MCAP, CompressionMode.MESSAGE), (StoragePlugin.SQLITE3, None),
        (StoragePlugin.SQLITE3, CompressionMode.FILE),
    )  # fmt: skip
    for number, (storage, mode) in enumerate(kinds):
        writer = Writer(folder / f"bag{number}", version=9, storage_plugin=storage)
        if mode is not None:
            writer.set_compression(mode, CompressionFormat.ZSTD)
        with writer:
            links = {name: writer.add_connection(name, kind, typestore=ros2) for name, kind in TOPICS.items()}
            for name, time_ns, data in rows:
                writer.write(links[name], time_ns, data)
        yield from (path for path in (folder / f"bag{number}").iterdir() if path.name != "metadata.yaml")
        yield folder / f"bag{number}" / "metadata.yaml"
    for compression in (None, *Writer1.CompressionFormat):
        path = folder / f"run-{compression.name if compression else 'plain'}.bag"
        old = Writer1(path)
        if compression is not None:
            old.set_compression(compression)
        with old:
            tied = {name: old.add_connection(name, kind, typestore=ros1) for name, kind in TOPICS.items()}
            for name, time_ns, data in rows:
                old.write(tied[name], time_ns, ros2.cdr_to_ros1(data, TOPICS[name]))
        yield path
