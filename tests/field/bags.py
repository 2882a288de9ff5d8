"""Bags written by rosbags, not by us, of what happened in a simulated run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin
from rosbags.rosbag2 import Writer as Writer2
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from stressfield.bus.message import definition
from stressfield.trace import Topic, Trace

START_NS = 1_789_000_000 * 1_000_000_000
"""2026-09-10 00:26:40 UTC."""

Row = tuple[str, int, bytes]


def rows_of(topics: Mapping[str, Topic], *, start_ns: int = START_NS) -> list[Row]:
    """Topic, time and CDR of all messages, in the order of time."""
    found = [
        (name, start_ns + int(time_ns), data)
        for name, topic in topics.items()
        for time_ns, data in zip(topic.log_time_ns, topic.payloads.items(), strict=True)
    ]
    return sorted(found, key=lambda row: row[1])


def store_of(topics: Mapping[str, Topic], kind: Stores = Stores.ROS2_HUMBLE) -> Any:
    """A type store of rosbags with the types of the topics, as their definitions say."""
    store = get_typestore(kind)
    for topic in topics.values():
        if topic.ros_type not in store.fielddefs:
            types = get_types_from_msg(definition(topic.message_type), topic.ros_type)
            store.register({name: fields for name, fields in types.items() if name not in store.fielddefs})
    return store


def write_bag2(
    path: Path,
    topics: Mapping[str, Topic],
    *,
    storage: StoragePlugin = StoragePlugin.MCAP,
    compression: CompressionMode | None = None,
    rows: Sequence[Row] | None = None,
    silent: Mapping[str, str] | None = None,
) -> Path:
    """A folder of rosbag2. ``silent`` are topics (with their types) on which nothing is said."""
    store = store_of(topics)
    writer = Writer2(path, version=9, storage_plugin=storage)
    if compression is not None:
        writer.set_compression(compression, CompressionFormat.ZSTD)
    with writer:
        links = {name: writer.add_connection(name, topic.ros_type, typestore=store) for name, topic in topics.items()}
        for name, kind in (silent or {}).items():
            writer.add_connection(name, kind, typestore=store)
        for name, time_ns, data in rows_of(topics) if rows is None else rows:
            writer.write(links[name], time_ns, data)
    return path


def write_bag1(path: Path, topics: Mapping[str, Topic], *, compression: Any = None) -> Path:
    """A ROS 1 bag."""
    store = store_of(topics, Stores.ROS1_NOETIC)
    latest = store_of(topics)
    writer = Writer1(path)
    if compression is not None:
        writer.set_compression(compression)
    with writer:
        links = {name: writer.add_connection(name, topic.ros_type, typestore=store) for name, topic in topics.items()}
        for name, time_ns, data in rows_of(topics):
            writer.write(links[name], time_ns, latest.cdr_to_ros1(data, topics[name].ros_type))
    return path


def robots_view(trace: Trace, *names: str) -> dict[str, Topic]:
    """What was said on these topics."""
    return {name: trace.topics[name] for name in names}


def cut_in_two(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The first and the second half."""
    yield rows[: len(rows) // 2]
    yield rows[len(rows) // 2 :]
