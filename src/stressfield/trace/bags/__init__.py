"""Recordings of others: rosbag2 (MCAP and SQLite, compressed, split), ROS 1 bags, plain MCAP files.

- :class:`Bag`: a recording that is open; lists its topics, and reads those that are wanted
- :class:`FieldTopics`: which topic is whose pose, command, scan; :func:`read_field_topics` reads them from TOML
- :func:`field_trace`: a recording as a :class:`stressfield.trace.Trace`
- :func:`write_bag`: a trace as a folder of rosbag2
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.trace.bags.bag import Bag, BagTopic
    from stressfield.trace.bags.field_topics import FieldTopics, read_field_topics
    from stressfield.trace.bags.field_trace import FieldRobot, FieldTrace, field_trace
    from stressfield.trace.bags.rosbag2 import write_bag

__all__ = [
    "Bag",
    "BagTopic",
    "FieldRobot",
    "FieldTopics",
    "FieldTrace",
    "field_trace",
    "read_field_topics",
    "write_bag",
]

lazy_names(__name__)
