"""The observer's view of actors: where they really were, and how it is written as ROS messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.message import Float64Array, Message, Strings
from stressfield.bus.messages import Header, Time
from stressfield.errors import TraceError
from stressfield.trace._observed import Observed, stamped_rows
from stressfield.trace._payloads import Payloads
from stressfield.trace.topic import Topic, stored
from stressfield.world.actor import ACTOR_COLUMNS

ACTORS_TOPIC = "/truth/actors"
"""All actors of a run are on one topic: there may be hundreds."""


class ActorStates(Message, frozen=True, eq=False):
    """Where all actors are: names, and for each of them as many values as ACTOR_COLUMNS has."""

    ros_type: ClassVar[str] = "stressfield_msgs/msg/ActorStates"
    header: Header
    names: Strings
    values: Float64Array


class ActorTruth(Observed):
    """Ground truth of one actor: ``values`` is [n, len(ACTOR_COLUMNS)], observed at ``time_ns`` (never decreasing)."""

    __slots__ = ()
    columns = ACTOR_COLUMNS
    whose = "an actor"

    @property
    def yaw_rad(self) -> NDArray[np.float64]:
        """Where its front points."""
        return self.values[:, 3]

    @property
    def vx_mps(self) -> NDArray[np.float64]:
        return self.values[:, 4]

    @property
    def vy_mps(self) -> NDArray[np.float64]:
        return self.values[:, 5]

    @property
    def speed_mps(self) -> NDArray[np.float64]:
        """How fast its middle moves, in whatever direction."""
        speed: NDArray[np.float64] = np.hypot(self.vx_mps, self.vy_mps)
        return speed


def actors_topic(actors: Mapping[str, ActorTruth]) -> Topic:
    """The truth of all actors as ``/truth/actors``, bit for bit. There is at least one, and all have the same times."""
    times = next(iter(actors.values())).time_ns
    if not all(np.array_equal(truth.time_ns, times) for truth in actors.values()):
        raise TraceError("Actors were observed at different times; wanted all of them at every observation.")
    values = np.stack([truth.values for truth in actors.values()], axis=1).reshape(len(times), -1)
    sample = ActorStates(Header(Time(0, 0), "world"), tuple(actors), np.zeros(values.shape[1]))
    layout, rows = stamped_rows(sample, times)
    layout.slots["values"].view(rows)[:] = values
    return stored(ACTORS_TOPIC, ActorStates.ros_type, times, times, Payloads.of_rows(rows))


def actors_from_topic(topic: Topic | None) -> dict[str, ActorTruth]:
    """The truth of all actors in its topic; nobody's if there is none."""
    if topic is None or not len(topic):
        return {}
    messages = topic.messages
    first = messages[0]
    width = len(ACTOR_COLUMNS)
    if not isinstance(first, ActorStates):
        raise TraceError(f"Topic {ACTORS_TOPIC!r} carries {topic.ros_type}; wanted {ActorStates.ros_type}.")
    names = tuple(first.names)
    found = [message for message in messages if isinstance(message, ActorStates)]
    if any(tuple(message.names) != names or len(message.values) != width * len(names) for message in found):
        raise TraceError(f"Topic {ACTORS_TOPIC!r} does not have the same actors throughout; wanted those at its start.")
    values = np.array([message.values for message in found], np.float64).reshape(len(found), len(names), width)
    return {
        name: ActorTruth(topic.log_time_ns, np.ascontiguousarray(values[:, place])) for place, name in enumerate(names)
    }
