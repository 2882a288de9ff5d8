"""A trace as a folder of rosbag2, for ``ros2 bag play`` and all that reads bags."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path

from stressfield._files.disk import make_folder, write_file
from stressfield._files.yaml_text import dump_yaml
from stressfield.errors import InputError
from stressfield.trace.bags.bag import METADATA
from stressfield.trace.trace import Metadata, Trace
from stressfield.trace.writer import write_trace

VERSION = 5
"""Of the description: old enough for ROS 2 Humble."""


def write_bag(trace: Trace, folder: Path, *, start: datetime) -> Path:
    """Write what the robot saw and said as a rosbag2 that began at ``start``; the folder must be new or empty.

    The observer's view is left out: no robot records it. A trace file itself is an MCAP that tools open, with it.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{str(folder)!r} is there already. Wanted a new folder for the bag.")
    if start.tzinfo is None:
        raise InputError(f"The bag is to begin at {start}, which says no time zone. Wanted e.g. tzinfo=UTC.")
    start_ns = round(start.timestamp() * 1_000_000_000)
    topics = {
        name: replace(topic, log_time_ns=topic.log_time_ns + start_ns, publish_time_ns=topic.publish_time_ns + start_ns)
        for name, topic in trace.topics.items()
    }
    make_folder(folder)
    name = f"{folder.name}_0.mcap"
    write_trace(Trace(topics, metadata=Metadata(descriptor=trace.metadata.descriptor)), folder / name)
    times = [(int(topic.log_time_ns[0]), int(topic.log_time_ns[-1])) for topic in topics.values() if len(topic)]
    first, last = min((first for first, _ in times), default=0), max((last for _, last in times), default=0)
    count = sum(map(len, topics.values()))
    span = {
        "duration": {"nanoseconds": last - first},
        "starting_time": {"nanoseconds_since_epoch": first},
        "message_count": count,
    }
    told = {
        "version": VERSION,
        "storage_identifier": "mcap",
        **span,
        "topics_with_message_count": [
            {
                "topic_metadata": {
                    "name": topic.name,
                    "type": topic.ros_type,
                    "serialization_format": "cdr",
                    "offered_qos_profiles": "",
                },
                "message_count": len(topic),
            }
            for _, topic in sorted(topics.items())
        ],
        "compression_format": "",
        "compression_mode": "",
        "relative_file_paths": [name],
        "files": [{"path": name, **span}],
    }
    write_file(folder / METADATA, dump_yaml({"rosbag2_bagfile_information": told}).encode())
    return folder
