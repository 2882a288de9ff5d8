"""A ROS 2 graph with its simulator, or a real robot, in a domain of its own: the rig stands between it and the robot
software, which is in another domain, and nothing need be renamed.

Every topic that one side publishes and the other listens to passes, and every service and action. All of it goes over
the bus, where it is recorded and may be disturbed. With no disturbance it is a null bridge: the same bytes, a little
later.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from stressfield.bridge.hub import CLOCK, Clock
from stressfield.bridge.ros2.graph import Ros2Graph
from stressfield.bridge.ros2.services import REPLY, REQUEST, Offers, Ros2Services, ServiceCall
from stressfield.bridge.ros2.traffic import Ros2Traffic, Ros2Types
from stressfield.bus import Bus, Interfaces, Message, Stamped
from stressfield.errors import InputError, PhysicsError, RigError
from stressfield.scenario import Scenario
from stressfield.sim.external.interposition import safe_command
from stressfield.sim.external.simulator import SLOWEST_GRAPH
from stressfield.sim.external.truth import check_observed, observed
from stressfield.sim.simulator import Observation

WAIT_S = 0.05
"""How long at most nothing is looked at while the graph's time is awaited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ros2Simulator:
    """The graph at ``endpoint`` in ``domain``: a simulator or a real robot, without the robot software.

    ``truth`` says for each robot of the world which topic there tells where it is (Odometry or PoseStamped). Time is
    the graph's ``/clock``, or wall time with ``clock="wall"``; it begins at zero when the run does. ``reset`` is called
    before every run with the graph, to put things back to their start. When the rig leaves, it sends the robot a last
    command to stand still on every command topic, or what ``safe`` says.
    """

    endpoint: str = "tcp/127.0.0.1:7447"
    domain: int = 0
    truth: Mapping[str, str] = field(default_factory=dict)
    clock: Literal["graph", "wall"] = "graph"
    interfaces: Interfaces | None = None
    reset: Callable[[Ros2Graph, Scenario], None] | None = None
    safe: Mapping[str, Message] = field(default_factory=dict)
    tick_ns: int = 1_000_000
    ready_timeout_s: float = 10.0
    silence_s: float = 3.0
    max_lag_s: float = 1.0

    def __post_init__(self) -> None:
        if self.tick_ns < 100_000:
            raise InputError(f"tick_ns is {self.tick_ns}; wanted at least 100,000 (0.1 ms).")
        if self.clock not in {"graph", "wall"}:
            raise InputError(f"clock is {self.clock!r}; wanted 'graph' or 'wall'.")

    def waits_s(self, scenario: Scenario) -> float:
        """To join the graph, and for its time to pass: it may be slower than the wall clock's."""
        rate = 1.0 if self.clock == "wall" else SLOWEST_GRAPH
        return self.ready_timeout_s + scenario.mission.limit_s / rate

    def open(self, scenario: Scenario, *, seed: int) -> Ros2Session:  # noqa: ARG002
        """Join the graph and wait until it has told the time and where each robot is. Nothing in it is seeded."""
        check_observed(scenario, self.truth)
        session = Ros2Session(self, Ros2Graph.joined(self.endpoint, domain=self.domain), scenario)
        try:
            session.begin()
        except BaseException:
            session.close()
            raise
        return session


class Ros2Session:
    """Steps through the graph's time tick by tick. What came during a tick is what the step returns."""

    def __init__(self, settings: Ros2Simulator, graph: Ros2Graph, scenario: Scenario) -> None:
        self._settings, self._graph, self._scenario = settings, graph, scenario
        self._robots = tuple(placed.robot.name for placed in scenario.world.robots)
        self._commands = {topic for placed in scenario.world.robots for topic in placed.robot.drive.command_topics}
        self._traffic = Ros2Traffic(graph, Ros2Types(settings.interfaces), hears_clock=True)
        self._services = Ros2Services(graph, self._traffic.wake)
        self._bus: Bus | None = None
        self._listened: set[str] = set()
        self._met: list[object] = []
        self._clock_ns: int | None = None
        self._origin_ns: int | None = None
        self._time_ns = 0
        self._arrived: deque[tuple[str, int, Message]] = deque()
        self._latest: dict[str, Message] = {}
        self._sent: dict[str, Message] = {}
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
        """What the graph listens to."""
        return tuple(self._traffic.wanted)

    @property
    def notes(self) -> tuple[str, ...]:
        """What did not meet or was not understood on the graph."""
        return self._traffic.notes

    def begin(self) -> None:
        """Wait for the time and the truth; time zero is now."""
        if self._settings.reset is not None:
            self._settings.reset(self._graph, self._scenario)
        end_s = time.monotonic() + self._settings.ready_timeout_s
        while missing := self._missing():
            left_s = end_s - time.monotonic()
            if left_s <= 0.0:
                known = ", ".join(sorted(self._traffic.heard)) or "nothing"
                raise RigError(
                    f"Nothing was said on {', '.join(missing)} on domain {self._graph.domain} of "
                    f"{self._graph.endpoint} within {self._settings.ready_timeout_s:g} s. It publishes {known}. Check "
                    "the topics, and that its simulator runs."
                )
            self._traffic.refresh()
            self._traffic.wait(min(left_s, WAIT_S))
            self._hear()
        self._origin_ns = self._graph_ns()
        # What is latched was said before time zero, and belongs to the run all the same.
        kept = {topic: message for topic, message in self._latest.items() if self._traffic.is_latched(topic)}
        self._arrived = deque((topic, 0, message) for topic, message in kept.items())

    def join(self, bus: Bus) -> None:
        """Listen to what the graph wants by now, and later to what else it wants."""
        self._bus = bus
        bus.advertise(CLOCK)  # it is the graph that tells the time, or the wall: nobody else may
        self._meet()

    def _meet(self) -> None:
        bus = self._bus
        assert bus is not None
        own = Offers(self._services.offers(), self._traffic.published())
        if own != bus.offers.get(""):
            bus.offers[""] = own
        self._met = [offers for who, offers in bus.offers.items() if who]
        theirs: dict[str, tuple[str, str]] = {}
        for offers in self._met:
            assert isinstance(offers, Offers)
            theirs.update(offers.services)
            self._traffic.mirror(offers.topics)
        self._services.mirror({name: what for name, what in theirs.items() if name not in own.services})
        topics = {*self._traffic.wanted, *(name + REQUEST for name in own.services), *(name + REPLY for name in theirs)}
        new = sorted(topics - self._listened - {CLOCK})
        self._listened.update(new)
        bus.listen(new, own=False)

    def step(self, inbox: Sequence[Stamped]) -> Sequence[Stamped]:
        """Send what goes to the graph, wait for one tick of its time, return what came."""
        for topic, _, message in inbox:
            if isinstance(message, ServiceCall):
                self._services.pass_on(topic, message)
            else:
                self._traffic.send(topic, message)
                if topic in self._commands:
                    self._sent[topic] = message
        begin_ns, end_ns = self._time_ns, self._time_ns + self._settings.tick_ns
        wall = self._settings.clock == "wall"
        stands_s = time.monotonic()
        while (now_ns := self._since()) < end_ns:
            left_s = (end_ns - now_ns) / 1e9 if wall else WAIT_S
            self._traffic.wait(left_s)
            self._hear()
            if not wall and self._since() == now_ns and time.monotonic() - stands_s > self._settings.silence_s:
                raise RigError(f"The ROS graph's {CLOCK} has stood still for {self._settings.silence_s:g} s.")
        if wall and now_ns - end_ns > self._settings.max_lag_s * 1e9:
            raise RigError(f"The rig fell {(now_ns - end_ns) / 1e9:.1f} s behind the ROS graph. Use a longer tick_ns.")
        self._hear()
        if self._backwards:
            raise PhysicsError(self._backwards)
        if self._traffic.bad is not None:
            topic, what = self._traffic.bad
            raise RigError(f"What the graph sent on {topic} cannot be read: {what}")
        if self._bus is not None and (self._traffic.refresh() or self._offers_changed()):
            self._meet()
        self._time_ns = end_ns
        came = []
        while self._arrived and self._arrived[0][1] <= end_ns:
            topic, at_ns, message = self._arrived.popleft()
            came.append(Stamped(topic, max(at_ns, begin_ns), message))
        return came

    def _offers_changed(self) -> bool:
        assert self._bus is not None
        now = [offers for who, offers in self._bus.offers.items() if who]
        return len(now) != len(self._met) or any(a is not b for a, b in zip(now, self._met, strict=True))

    def observe(self) -> Observation:
        """Where the graph last said that its robots are. What it does not say is not a number."""
        return observed(self._time_ns, [self._latest[self._settings.truth[robot]] for robot in self._robots])

    def close(self) -> None:
        """Tell the robot to stand still, and leave the graph."""
        for topic, message in self._sent.items():
            last = self._settings.safe.get(topic) or safe_command(type(message))
            if last is not None:
                self._traffic.send(topic, last)
        self._services.close()
        self._graph.close()

    def _hear(self) -> None:
        for topic, message, _ in self._traffic.take():
            if topic == CLOCK and isinstance(message, Clock):
                now_ns = message.clock.ns
                if self._clock_ns is not None and now_ns < self._clock_ns:
                    self._backwards = f"The ROS graph's {CLOCK} went back from {self._clock_ns} ns to {now_ns} ns."
                self._clock_ns = now_ns
            self._latest[topic] = message
            self._arrived.append((topic, self._since(), message))
        for topic, call in self._services.take():
            self._arrived.append((topic, self._since(), call))

    def _missing(self) -> list[str]:
        clock = [CLOCK] if self._settings.clock == "graph" and self._clock_ns is None else []
        return clock + [topic for topic in self._settings.truth.values() if topic not in self._latest]

    def _graph_ns(self) -> int:
        return time.monotonic_ns() if self._settings.clock == "wall" else self._clock_ns or 0

    def _since(self) -> int:
        return 0 if self._origin_ns is None else self._graph_ns() - self._origin_ns
