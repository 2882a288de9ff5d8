"""Man in the middle of a topic of a ROS graph."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from stressfield.bus import Message


class Direction(Enum):
    """Which side of a topic was renamed to make room in the middle."""

    INBOUND = "inbound"
    """The publisher was renamed: listen to ``X_IN``, publish ``X``."""
    OUTBOUND = "outbound"
    """The subscribers were renamed: listen to ``X``, publish ``X_OUT``."""


@dataclass(frozen=True, slots=True)
class Interposition:
    """A topic that goes through the rig, where disturbances of ``topic`` act on it.

    With none it is a null relay: the same messages in the same order, at most one tick later.
    """

    topic: str
    message_type: type[Message]
    direction: Direction = Direction.INBOUND

    @property
    def listens(self) -> str:
        """The topic of the graph that it listens to."""
        return f"{self.topic}_IN" if self.direction is Direction.INBOUND else self.topic

    @property
    def publishes(self) -> str:
        """The topic of the graph that it publishes."""
        return f"{self.topic}_OUT" if self.direction is Direction.OUTBOUND else self.topic
