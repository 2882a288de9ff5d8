"""What stands in a recording for messages too bulky to keep: enough to see whether and when two runs differ in them."""

from __future__ import annotations

import zlib
from typing import ClassVar

from stressfield.bus.cdr import encode
from stressfield.bus.message import Message, UInt32


class Fingerprint(Message, frozen=True, eq=False):
    """Size in bytes and checksum of a message as ROS 2 would send it."""

    ros_type: ClassVar[str] = "stressfield_msgs/msg/Fingerprint"
    size: UInt32
    crc32: UInt32


def fingerprint(message: Message) -> Fingerprint:
    """The fingerprint of a message."""
    data = encode(message)
    return Fingerprint(len(data), zlib.crc32(data))
