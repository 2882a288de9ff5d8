"""Opens scenarios in a ROS graph and simulator that somebody else runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from stressfield.bridge.hub import LATCHED
from stressfield.bus import Message
from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.sim.external.interposition import Direction, Interposition, Reset, check_safe, safe_command
from stressfield.sim.external.session import ExternalSession
from stressfield.sim.external.truth import check_observed

SLOWEST_GRAPH = 0.1
"""How much slower than the wall clock a graph's own time may go. One whose time stands still is noticed at once."""


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
    latched: tuple[str, ...] = LATCHED
    """Topics of which everything counts that was said before the run; of others only the last message does."""
    safe_commands: Mapping[str, Message] | None = None
    """What the robot gets when the rig leaves, by topic. By default zero velocity on each topic of commands for a drive
    that goes to the graph; empty: nothing."""
    watchdog_s: float | None = 1.0
    """After how long a standstill of the rig the robot gets its safe commands, too; None: never."""
    reset: Reset | None = None
    """Called before every run, to put the graph back to its start: ``reset(graph, scenario)``."""
    checked: bool = True
    """Whether ``/rosapi`` is asked if all topics are there, with these types and no way past the rig."""
    may_pause: bool = False
    """Whether a controller may fall silent while its last command was to move."""
    ready_timeout_s: float = 4.0
    silence_s: float = 3.0
    max_lag_s: float = 1.0

    def __post_init__(self) -> None:
        if self.tick_ns < 100_000:
            raise InputError(f"tick_ns is {self.tick_ns}; wanted at least 100,000 (0.1 ms).")
        if self.clock not in {"graph", "wall"}:
            raise InputError(f"clock is {self.clock!r}; wanted 'graph' or 'wall'.")
        for name in ("watchdog_s", "ready_timeout_s", "silence_s", "max_lag_s"):
            if (value := getattr(self, name)) is not None and not value > 0.0:
                raise InputError(f"{name} is {value!r}; wanted more than zero.")
        topics = [relay.topic for relay in self.interposed] + list(self.commands)
        if len(set(topics)) != len(topics):
            raise InputError(f"A topic is interposed or commanded twice: {', '.join(sorted(topics))}.")
        for robot, topic in self.truth.items():
            if topic not in self.observed:
                raise InputError(f"The truth of robot {robot!r} comes from {topic!r}, which is not among 'observed'.")
        check_safe(self.safe_commands or {}, self.outgoing)

    @property
    def outgoing(self) -> dict[str, type[Message]]:
        """What goes to the graph: interposed topics, and commands of robot software on this side."""
        return {**{relay.topic: relay.message_type for relay in self.interposed}, **self.commands}

    @property
    def controllers(self) -> tuple[Interposition, ...]:
        """The interposed topics on which the robot software in the graph commands a drive."""
        return tuple(
            relay
            for relay in self.interposed
            if relay.direction is Direction.INBOUND and safe_command(relay.message_type) is not None
        )

    @property
    def last_commands(self) -> dict[str, Message]:
        """The safe command of each topic that has one."""
        if self.safe_commands is not None:
            return dict(self.safe_commands)
        drives = {relay.topic: relay.message_type for relay in self.controllers} | dict(self.commands)
        found = {topic: safe_command(message_type) for topic, message_type in drives.items()}
        return {topic: message for topic, message in found.items() if message is not None}

    def waits_s(self, scenario: Scenario) -> float:
        """To join the graph, and for its time to pass: it may be slower than the wall clock's."""
        rate = 1.0 if self.clock == "wall" else SLOWEST_GRAPH
        return 2.0 * self.ready_timeout_s + 5.0 + scenario.mission.limit_s / rate

    def open(self, scenario: Scenario, *, seed: int) -> ExternalSession:  # noqa: ARG002
        """Join the graph and wait until it has told the time and where each robot is. Nothing in it is seeded."""
        check_observed(scenario, self.truth)
        session = ExternalSession(self, scenario)
        try:
            session.begin()
        except BaseException:
            session.close()
            raise
        return session
