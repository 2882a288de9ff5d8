"""Opens scenarios in a ROS graph and simulator that somebody else runs, and steps through its time and messages."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

import numpy as np

from stressfield.bridge.hub import CLOCK, Clock
from stressfield.bridge.rosbridge_client import RosbridgeClient
from stressfield.bus import Message, Stamped
from stressfield.bus.messages import Odometry, Pose, PoseStamped
from stressfield.errors import InputError, PhysicsError, RigError, WorldError
from stressfield.scenario import Scenario
from stressfield.sim.simulator import TRUTH_COLUMNS, Observation


class Direction(Enum):
    """Which side of a topic was renamed to make room in the middle."""

    INBOUND = "inbound"
    """The publisher was renamed: listen to ``X_IN``, publish ``X``."""
    OUTBOUND = "outbound"
    """The subscribers were renamed: listen to ``X``, publish ``X_OUT``."""


SLOWEST_GRAPH = 0.1
"""How much slower than the wall clock a graph's own time may go. One whose time stands still is noticed at once."""


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

    def waits_s(self, scenario: Scenario) -> float:
        """To join the graph, and for its time to pass: it may be slower than the wall clock's."""
        rate = 1.0 if self.clock == "wall" else SLOWEST_GRAPH
        return self.ready_timeout_s + scenario.mission.limit_s / rate

    def open(self, scenario: Scenario, *, seed: int) -> ExternalSession:  # noqa: ARG002
        """Join the graph and wait until it has told the time and where each robot is. Nothing in it is seeded."""
        if scenario.world.actors:
            names = ", ".join(repr(placed.name) for placed in scenario.world.actors)
            raise WorldError(
                f"The world has actors ({names}), which a ROS graph elsewhere cannot be told to move. Use the "
                "kinematic or the MuJoCo simulator, or a world without actors and let that graph move its own."
            )
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


class ExternalSession:
    """Steps through the graph's time tick by tick. What came during a tick is what the step returns."""

    def __init__(self, settings: ExternalSimulator, robots: Sequence[str]) -> None:
        if asyncio._get_running_loop() is not None:
            raise RigError("An external simulator needs a thread without a running event loop. Use worker processes.")
        self._settings, self._robots = settings, tuple(robots)
        self._client = RosbridgeClient(settings.url, self._heard, token=settings.token, silence_s=settings.silence_s)
        self._loop = asyncio.new_event_loop()
        self._incoming = {relay.listens: relay.topic for relay in settings.interposed}
        self._outgoing = {relay.topic: relay.publishes for relay in settings.interposed}
        self._outgoing.update({topic: topic for topic in settings.commands})
        self._clock_ns: int | None = None
        self._origin_ns: int | None = None
        self._time_ns = 0
        self._arrived: deque[Stamped] = deque()
        self._latest: dict[str, Message] = {}
        self._backwards = ""

    @property
    def time_ns(self) -> int:
        """The graph's time since the run began, in whole ticks."""
        return self._time_ns

    @property
    def tick_ns(self) -> int:
        """How far one step goes."""
        return self._settings.tick_ns

    @property
    def command_topics(self) -> tuple[str, ...]:
        """What goes to the graph: interposed topics, and commands of robot software on this side."""
        return tuple(self._outgoing)

    def begin(self) -> None:
        """Join the graph; time zero is now."""
        self._loop.run_until_complete(self._begin())

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        """Send what goes to the graph, wait for one tick of its time, return what came."""
        return self._loop.run_until_complete(self._step(inbox))

    def observe(self) -> Observation:
        """Where the graph last said that its robots are. What it does not say is not a number."""
        rows = np.full((len(self._robots), len(TRUTH_COLUMNS)), np.nan)
        for row, robot in zip(rows, self._robots, strict=True):
            row[:9] = _row(self._latest[self._settings.truth[robot]])
        return Observation(self._time_ns, rows)

    def close(self) -> None:
        """Leave the graph."""
        if not self._loop.is_closed():
            try:
                self._loop.run_until_complete(self._client.close())
            finally:
                self._loop.close()

    async def _begin(self) -> None:
        settings, client = self._settings, self._client
        await client.connect()
        if settings.clock == "graph":
            await client.subscribe(CLOCK, Clock)
        for topic, message_type in settings.observed.items():
            await client.subscribe(topic, message_type)
        for relay in settings.interposed:
            await client.advertise(relay.publishes, relay.message_type)
            await client.subscribe(relay.listens, relay.message_type)
        for topic, message_type in settings.commands.items():
            await client.advertise(topic, message_type)
        try:
            async with asyncio.timeout(settings.ready_timeout_s):
                while self._missing():
                    await self._change(settings.ready_timeout_s)
        except TimeoutError:
            raise RigError(
                f"The ROS graph did not say anything on {', '.join(self._missing())} within "
                f"{settings.ready_timeout_s:g} s. Check the topics and that its simulator runs."
            ) from None
        self._origin_ns = self._graph_ns()
        self._arrived.clear()

    def _missing(self) -> list[str]:
        clock = [CLOCK] if self._settings.clock == "graph" and self._clock_ns is None else []
        return clock + [topic for topic in self._settings.truth.values() if topic not in self._latest]

    async def _step(self, inbox: Sequence[Stamped]) -> list[Stamped]:
        for stamped in inbox:
            await self._client.publish(self._outgoing[stamped.topic], stamped.message)
        begin_ns, end_ns = self._time_ns, self._time_ns + self._settings.tick_ns
        quiet_from_s = self._loop.time()
        while (now_ns := self._since()) < end_ns:
            self._client.check()
            wall = self._settings.clock == "wall"
            await self._change((end_ns - now_ns) / 1e9 if wall else self._settings.silence_s)
            if not wall and self._since() == now_ns and self._loop.time() - quiet_from_s > self._settings.silence_s:
                raise RigError(f"The ROS graph's {CLOCK} has stood still for {self._settings.silence_s:g} s.")
        if self._settings.clock == "wall" and now_ns - end_ns > self._settings.max_lag_s * 1e9:
            raise RigError(f"The rig fell {(now_ns - end_ns) / 1e9:.1f} s behind the ROS graph. Use a longer tick_ns.")
        await asyncio.sleep(0)
        self._client.check()
        if self._backwards:
            raise PhysicsError(self._backwards)
        self._time_ns = end_ns
        came = []
        while self._arrived and self._arrived[0].time_ns <= end_ns:
            stamped = self._arrived.popleft()
            came.append(stamped._replace(time_ns=max(stamped.time_ns, begin_ns)))
        return came

    async def _change(self, at_most_s: float) -> None:
        self._client.changed.clear()
        self._client.check()
        with suppress(TimeoutError):
            await asyncio.wait_for(self._client.changed.wait(), at_most_s)
        self._client.check()

    def _heard(self, topic: str, message: Message) -> None:
        if topic == CLOCK and isinstance(message, Clock):
            now_ns = message.clock.ns
            if self._clock_ns is not None and now_ns < self._clock_ns:
                self._backwards = f"The ROS graph's {CLOCK} went back from {self._clock_ns} ns to {now_ns} ns."
            self._clock_ns = now_ns
            return
        self._latest[topic] = message
        self._arrived.append(Stamped(self._incoming.get(topic, topic), self._since(), message))

    def _graph_ns(self) -> int:
        if self._settings.clock == "wall":
            return round(self._loop.time() * 1e9)
        return self._clock_ns or 0

    def _since(self) -> int:
        return 0 if self._origin_ns is None else self._graph_ns() - self._origin_ns


def _row(message: Message) -> tuple[float, ...]:
    if isinstance(message, Odometry):
        twist = message.twist.twist
        return (*_place(message.pose.pose), twist.linear.x, twist.angular.z)
    if isinstance(message, PoseStamped):
        return (*_place(message.pose), np.nan, np.nan)
    raise InputError(f"A {type(message).__name__} does not tell where a robot is; wanted Odometry or PoseStamped.")


def _place(pose: Pose) -> tuple[float, ...]:
    at, turned = pose.position, pose.orientation
    return at.x, at.y, at.z, turned.x, turned.y, turned.z, turned.w
