"""Robot software on a ROS 2 graph: launched for every run, or one that runs already."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from pathlib import Path

from stressfield.bridge.ros2_graph import Ros2Graph
from stressfield.bridge.ros2_traffic import Ros2Types
from stressfield.bus import Bus, Interfaces
from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.sim import Session
from stressfield.subject._command import start_command
from stressfield.subject._ros2_robot import Ros2Robot, Ros2Speaker
from stressfield.subject.pace import Pacing
from stressfield.subject.process import PACED_HZ
from stressfield.subject.ros2_goal import Ros2Goal
from stressfield.world import mission_to_json


class Ros2Subject:
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
        if isinstance(launch, str):
            raise InputError(f"launch is {launch!r}; wanted a list such as ['ros2', 'launch', 'my_robot', 'robot.py'].")
        if not launch and not endpoint and not port:
            raise InputError(
                "A robot that nobody launches needs a place to be met: wanted launch=[...], the endpoint of its router "
                "(tcp/127.0.0.1:7447), or a port on which the rig is the router."
            )
        if endpoint and port:
            raise InputError(f"endpoint is {endpoint!r} and port {port}; wanted one of them: who is the router?")
        self.name = name
        self._launch = [str(word) for word in launch]
        self._endpoint, self._port, self._domain = endpoint, port, domain
        self._goal, self._active = goal, tuple(active)
        self._types = Ros2Types(interfaces)
        self._frames, self._latched = dict(frames or {}), frozenset(latched)
        self._pacing = pacing or Pacing()
        self._env, self._folder, self._grace_s = dict(env or {}), folder, grace_s
        self._robot: Ros2Robot | None = None
        self._output = ""
        self._notes: tuple[str, ...] = ()

    def at_pace(self, rate: float) -> Ros2Subject:
        """The same robot, but time goes with the wall clock, at ``rate`` simulated seconds a second, without a gate."""
        other = copy(self)
        other._pacing = self._pacing.at(rate)
        return other

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
        robot.begin(self._goal)
        report = next(iter(bus.watched), "/report")
        bus.attach(Ros2Speaker(self.name, robot, period_s=1.0 / (self._pacing.clock_hz or PACED_HZ), report=report))

    def stop(self) -> None:
        """End it, and leave nothing."""
        robot, self._robot = self._robot, None
        if robot is None:
            return
        self._notes = robot.notes
        try:
            robot.close(self._grace_s)
        finally:
            self._output = "" if robot.command is None else robot.command.output

    @property
    def notes(self) -> tuple[str, ...]:
        """How its last run was paced, how late it was, and what did not meet on its graph."""
        return self._notes

    @property
    def output(self) -> str:
        """The last lines that its command printed in its last run."""
        return self._output

    def waits_s(self, scenario: Scenario) -> float:
        """To join, to become active, and for wall time to pass."""
        rate = self._pacing.rate if self._pacing.time == "paced" else 0.1
        return 2.0 * self._pacing.ready_timeout_s + scenario.mission.limit_s / rate + self._grace_s

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
            environment = {
                **os.environ,
                **robot.graph.environment,
                "STRESSFIELD_ROBOT": ",".join(placed.robot.name for placed in scenario.world.robots),
                "STRESSFIELD_MISSION": mission_to_json(scenario.mission),
                **self._env,
            }
            robot.command = start_command(
                self._launch, environment=environment, folder=self._folder, grace_s=self._grace_s, loop=robot.loop
            )
        robot.await_joined()
        return robot

    def _graph(self) -> Ros2Graph:
        if self._endpoint:
            return Ros2Graph.joined(self._endpoint, domain=self._domain or 0)
        return Ros2Graph.routed(port=self._port, domain=self._domain)
