"""Opens scenarios in a ROS graph and simulator that somebody else runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from stressfield.bus import Message
from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.sim.external.session import ExternalSession


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ExternalSimulator:
    """A ROS graph with its simulator (or a robot), joined as a client of its rosbridge server.

    ``observed`` are topics that go into the trace. ``interposed`` topics go through the rig. ``commands`` are topics
    that robot software on this side sends to the graph. ``truth`` says for each robot of the world which observed topic
    tells where it is (Odometry or PoseStamped). Time is the graph's ``/clock``, or wall time with ``clock="wall"``; it
    begins at zero when the run does. ``tick_ns`` is how finely the rig keeps time, and the most that it delays what
    goes through it.
    """

    url: str
    observed: Mapping[str, type[Message]] = field(default_factory=dict)
    interposed: tuple[Interposition, ...] = ()
    commands: Mapping[str, type[Message]] = field(default_factory=dict)
    truth: Mapping[str, str] = field(default_factory=dict)
    clock: Literal["graph", "wall"] = "graph"
    tick_ns: int = 10_000_000
    token: str | None = None
    ready_timeout_s: float = 10.0
    silence_s: float = 3.0
    max_lag_s: float = 1.0

    def __post_init__(self) -> None:
        if self.tick_ns < 100_000:
            raise InputError(f"tick_ns is {self.tick_ns}; wanted at least 100,000 (0.1 ms).")
        if self.clock not in {"graph", "wall"}:
            raise InputError(f"clock is {self.clock!r}; wanted 'graph' or 'wall'.")
        topics = [relay.topic for relay in self.interposed] + list(self.commands)
        if len(set(topics)) != len(topics):
            raise InputError(f"A topic is interposed or commanded twice: {', '.join(sorted(topics))}.")
        for robot, topic in self.truth.items():
            if topic not in self.observed:
                raise InputError(f"The truth of robot {robot!r} comes from {topic!r}, which is not among 'observed'.")

    def open(self, scenario: Scenario, *, seed: int) -> ExternalSession:  # noqa: ARG002
        """Join the graph and wait until it has told the time and where each robot is. Nothing in it is seeded."""
        missing = [placed.robot.name for placed in scenario.world.robots if placed.robot.name not in self.truth]
        if missing:
            raise InputError(f"No topic tells where robot {missing[0]!r} is; wanted it in 'truth'.")
        session = ExternalSession(self, tuple(placed.robot.name for placed in scenario.world.robots))
        try:
            session.begin()
        except BaseException:
            session.close()
            raise
        return session
