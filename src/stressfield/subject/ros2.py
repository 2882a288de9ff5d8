"""Robot software on a ROS 2 graph: launched for every run, or one that runs already."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from stressfield.bridge.hub import CLOCK
from stressfield.bridge.ros2.graph import Ros2Graph
from stressfield.bridge.ros2.traffic import Ros2Types
from stressfield.bus import Bus, Interfaces
from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.sim import Session
from stressfield.subject._graph_subject import GraphSubject
from stressfield.subject._ros2_robot import Ros2Robot
from stressfield.subject._ros2_speaker import Ros2Speaker
from stressfield.subject.pace import Pacing
from stressfield.subject.process import PACED_HZ
from stressfield.subject.ros2_goal import Ros2Goal, nav2_interfaces

RELAY_HZ = 1000.0
"""How often it is looked what a robot said whose simulator is elsewhere: half of the period is added to its delay."""


class Ros2Subject(GraphSubject[Ros2Robot]):
    """Robot software that speaks ROS 2 over zenoh (``RMW_IMPLEMENTATION=rmw_zenoh_cpp``), unchanged.

    With ``launch`` a command line is started for every run, such as ``["ros2", "launch", "my_robot", "robot.py"]``, on
    a graph of its own: a router on a free port, and a domain. It finds both in its environment, and beside them
    STRESSFIELD_ROBOT and STRESSFIELD_MISSION. With ``endpoint``, such as ``tcp/127.0.0.1:7447``, the rig joins the
    graph of a robot that runs already.

    Every topic of the world's robots that the graph listens to is sent there, and every topic that the graph publishes
    comes onto the bus, where it is recorded and may be disturbed. A ``goal`` is sent when the robot is active
    (lifecycle), and its result ends the mission.
    """

    def __init__(
        self,
        launch: Sequence[str | Path] = (),
        *,
        endpoint: str = "",
        port: int = 0,
        domain: int | None = None,
        goal: Ros2Goal | None = None,
        active: Sequence[str] = (),
        interfaces: Interfaces | None = None,
        frames: Mapping[str, str] | None = None,
        latched: Collection[str] = (),
        pacing: Pacing | None = None,
        env: Mapping[str, str] | None = None,
        folder: Path | None = None,
        grace_s: float = 1.0,
        name: str = "subject",
    ) -> None:
        example = ("ros2", "launch", "my_robot", "robot.py")
        super().__init__(launch, example=example, pacing=pacing, env=env, folder=folder, grace_s=grace_s, name=name)
        if not launch and not endpoint and not port:
            raise InputError(
                "A robot that nobody launches needs a place to be met: wanted launch=[...], the endpoint of its router "
                "(tcp/127.0.0.1:7447), or a port on which the rig is the router."
            )
        if endpoint and port:
            raise InputError(f"endpoint is {endpoint!r} and port {port}; wanted one of them: who is the router?")
        self._endpoint, self._port, self._domain = endpoint, port, domain
        self._goal, self._active = goal, tuple(active)
        self._types = Ros2Types(interfaces, *nav2_interfaces())
        self._frames, self._latched = dict(frames or {}), frozenset(latched)

    @property
    def warms_up(self) -> bool:
        """Whether there is something to wait for: somebody who takes its goal, or nodes that become active."""
        return self._goal is not None or bool(self._active)

    def warm_up(self, scenario: Scenario, session: Session) -> None:
        """Start the robot, and let it see its world until it is active and can take its mission."""
        self._join(scenario).warm_up(session, self._goal, self._active)

    def start(self, scenario: Scenario, bus: Bus) -> None:
        """Tell it its mission, and speak for it on the bus."""
        robot = self._robot or self._join(scenario)
        # A simulator elsewhere has a clock of its own. The robot lives by it, and the rig is only in between.
        elsewhere = robot.clock.told_elsewhere = CLOCK in bus.topics
        robot.begin(self._goal)
        report = next(iter(bus.watched), "/report")
        clock_hz = self._pacing.clock_hz or (RELAY_HZ if elsewhere else PACED_HZ)
        bus.attach(Ros2Speaker(self.name, robot, bus, period_s=1.0 / clock_hz, report=report))
        if elsewhere:
            bus.slow_down(self.name, 0.0)  # its messages have travelled for real: no modelled time is added

    def _join(self, scenario: Scenario) -> Ros2Robot:
        robot = self._robot = Ros2Robot(
            scenario,
            self._graph(),
            types=self._types,
            pacing=self._pacing,
            frames=self._frames,
            latched=self._latched,
        )
        if self._launch:
            self._start_command(robot, scenario, self._launch, robot.graph.environment)
        robot.await_joined()
        return robot

    def _graph(self) -> Ros2Graph:
        if self._endpoint:
            return Ros2Graph.joined(self._endpoint, domain=self._domain or 0)
        return Ros2Graph.routed(port=self._port, domain=self._domain)
