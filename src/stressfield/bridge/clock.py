"""Simulated time as robots hear it, and how they say that they are done with it."""

from __future__ import annotations

from typing import ClassVar

from stressfield.bus import Message
from stressfield.bus.messages import Time

CLOCK = "/clock"
"""Simulated time, as ``rosgraph_msgs/Clock``: sent after everything that happened up to then."""

TICK_DONE = "/stressfield/tick_done"
"""Where a client in lock-step sends each clock message back, when it is done with all that came before it."""

MISSION = "/stressfield/mission"
"""The mission as JSON in a ``std_msgs/String``, sent to whoever subscribes."""

HIDDEN = ("/observer/", "/fuzz/")
"""Beginnings of topics that are for the rig alone: what the robot cannot know."""


class Clock(Message, frozen=True, eq=False):
    """What time it is."""

    ros_type: ClassVar[str] = "rosgraph_msgs/msg/Clock"
    clock: Time
