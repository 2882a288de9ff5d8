"""How fast recordings are read whose bulk nobody asked for: poses among camera pictures.

``python benchmarks/bench_bags.py --mb 1000`` writes a bag of each kind and reads the poses: megabytes of the file a
second, ours and those of rosbags in the same run. Fails below 100 MB/s.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from rosbags.highlevel import AnyReader
from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore

from stressfield.bus.cdr import encode
from stressfield.bus.messages import Header, Image, PoseStamped, Time
from stressfield.trace.bags import Bag

LEAST_MBPS = 100.0
START_NS = 1_789_000_000 * 1_000_000_000
WIDTH, HEIGHT = 640, 480


Rows = list[tuple[str, int, bytes]]


def rows(megabytes: int) -> Rows:
    """A picture of a noisy camera ten times a second, and forty poses."""
    rng = np.random.default_rng(7)
    # A few pictures in turn: as hard to compress as real ones, without the time to draw each.
    data = [rng.integers(100, 140, WIDTH * HEIGHT * 3, dtype=np.uint8) for _ in range(4)]
    count = max(2, megabytes * 1_000_000 // (WIDTH * HEIGHT * 3))
    made: Rows = []
    for number in range(count):
        now = START_NS + number * 100_000_000
        header = Header(Time(now // 1_000_000_000, now % 1_000_000_000), "camera")
        picture = Image(header, HEIGHT, WIDTH, "rgb8", 0, 3 * WIDTH, data[number % len(data)])
        made.append(("/image", now, encode(picture)))
        made += [("/pose", now + part * 2_500_000, encode(PoseStamped(header))) for part in range(4)]
    return made


def write2(path: Path, made: Rows, storage: StoragePlugin, mode: CompressionMode | None) -> Path:
    store = get_typestore(Stores.ROS2_HUMBLE)
    writer = Writer(path, version=9, storage_plugin=storage)
    if mode is not None:
        writer.set_compression(mode, CompressionFormat.ZSTD)
    with writer:
        links = {
            "/image": writer.add_connection("/image", Image.ros_type, typestore=store),
            "/pose": writer.add_connection("/pose", PoseStamped.ros_type, typestore=store),
        }
        for topic, time_ns, data in made:
            writer.write(links[topic], time_ns, data)
    return path


def write1(path: Path, made: Rows, mode: Writer1.CompressionFormat | None) -> Path:
    ros1, latest = get_typestore(Stores.ROS1_NOETIC), get_typestore(Stores.ROS2_HUMBLE)
    writer = Writer1(path)
    if mode is not None:
        writer.set_compression(mode)
    kinds = {"/image": Image.ros_type, "/pose": PoseStamped.ros_type}
    with writer:
        links = {topic: writer.add_connection(topic, kind, typestore=ros1) for topic, kind in kinds.items()}
        for topic, time_ns, data in made:
            writer.write(links[topic], time_ns, latest.cdr_to_ros1(data, kinds[topic]))
    return path


def ours(path: Path) -> int:
    with Bag.open(path) as bag:
        return len(bag.read(["/pose"])["/pose"])


def theirs(path: Path) -> int:
    with AnyReader([path]) as reader:
        wanted = [link for link in reader.connections if link.topic == "/pose"]
        return sum(1 for _ in reader.messages(connections=wanted))


def size_mb(path: Path) -> float:
    files = path.iterdir() if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files) / 1e6


def timed(read: Callable[[Path], int], path: Path, count: int) -> float:
    """Seconds, the better of two: the first may have to wait for the disk."""
    best = float("inf")
    for _ in range(2):
        begin = time.perf_counter()
        assert read(path) == count
        best = min(best, time.perf_counter() - begin)
    return best


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=1000, help="megabytes of pictures")
    made = rows(asked := parser.parse_args().mb)
    count, slow = sum(topic == "/pose" for topic, _, _ in made), []
    lz4 = Writer1.CompressionFormat.LZ4
    kinds: dict[str, Callable[[Path], Path]] = {
        "rosbag2 mcap": lambda at: write2(at, made, StoragePlugin.MCAP, None),
        "rosbag2 mcap, zstd chunks": lambda at: write2(at, made, StoragePlugin.MCAP, CompressionMode.STORAGE),
        "rosbag2 mcap, zstd messages": lambda at: write2(at, made, StoragePlugin.MCAP, CompressionMode.MESSAGE),
        "rosbag2 sqlite3": lambda at: write2(at, made, StoragePlugin.SQLITE3, None),
        "ROS 1": lambda at: write1(at.with_suffix(".bag"), made, None),
        "ROS 1, lz4": lambda at: write1(at.with_suffix(".bag"), made, lz4),
    }
    print(f"{count} poses among {asked} MB of pictures\n")
    print(f"{'kind':<30}{'file MB':>9}{'ours MB/s':>12}{'rosbags MB/s':>14}")
    for name, write in kinds.items():
        with tempfile.TemporaryDirectory() as folder:
            path = write(Path(folder) / "bag")
            size, (mine, other) = size_mb(path), (timed(read, path, count) for read in (ours, theirs))
            print(f"{name:<30}{size:>9.0f}{size / mine:>12.0f}{size / other:>14.0f}", flush=True)
            slow += [name] if size / mine < LEAST_MBPS else []
    print(f"\n{'slower than ' + str(LEAST_MBPS) + ' MB/s: ' + ', '.join(slow) if slow else 'all above 100 MB/s'}")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
