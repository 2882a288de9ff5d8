"""Robot software on a ROS graph that has a rosbridge server: launched for every run, or one that runs already."""

from __future__ import annotations

import socket
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from stressfield.bus import Bus, Message
from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.sim import Session
from stressfield.subject._graph_subject import GraphSubject
from stressfield.subject._rosbridge_robot import RosbridgeRobot, RosbridgeSpeaker
from stressfield.subject.pace import Pacing
from stressfield.subject.process import PACED_HZ
from stressfield.subject.rosbridge_goal import RosbridgeGoal

DOMAINS = 100
"""How many domains of ROS 2 are safe on any operating system; 0 is left to others."""


class RosbridgeSubject(GraphSubject[RosbridgeRobot]):
    """Robot software of ROS 1 or 2 that stays as it is: stressfield's simulator publishes into its graph, through the
    graph's own rosbridge server, and obeys its commands.

    With ``launch`` a command line is started for every run, which has to start the rosbridge server (with rosapi) as
    well. In its words ``{rosbridge_port}``, ``{master_port}`` and ``{domain}`` are replaced by numbers of this run
    alone, so that runs side by side do not hear each other. It finds them in its environment, too: ROS_MASTER_URI,
    ROS_DOMAIN_ID and STRESSFIELD_ROSBRIDGE_PORT, beside STRESSFIELD_ROBOT and STRESSFIELD_MISSION. With ``url`` the rig
    joins a graph that runs already.

    What the world's sensors say goes to the graph if somebody hears it there, and ``/clock``. ``frames`` says how the
    graph calls frames; by default those of a robot that is alone lose its name: ``odom`` for ``mower/odom``. Commands
    come from the graph, and the topics ``observed``. A ``goal`` is sent when somebody can take it, and its result ends
    the mission.
    """

    def __init__(
        self,
        launch: Sequence[str | Path] = (),
        *,
        url: str = "",
        token: str | None = None,
        goal: RosbridgeGoal | None = None,
        observed: Mapping[str, type[Message]] | None = None,
        frames: Mapping[str, str] | None = None,
        latched: Collection[str] = (),
        pacing: Pacing | None = None,
        env: Mapping[str, str] | None = None,
        folder: Path | None = None,
        grace_s: float = 1.0,
        name: str = "subject",
    ) -> None:
        example = ("roslaunch", "my_robot", "robot.launch")
        super().__init__(launch, example=example, pacing=pacing, env=env, folder=folder, grace_s=grace_s, name=name)
        if bool(launch) == bool(url):
            raise InputError(
                "A robot behind a rosbridge server is launched for every run, or runs already: wanted launch=[...], or "
                "the url of its server (ws://localhost:9090)."
            )
        self._url, self._token, self._goal = url, token, goal
        self._observed, self._frames = dict(observed or {}), frames
        self._latched = frozenset(latched)

    @property
    def warms_up(self) -> bool:
        """Whether there is something to wait for: somebody who takes its goal."""
        return self._goal is not None

    def warm_up(self, scenario: Scenario, session: Session) -> None:
        """Start the robot, and let it see its world until it can take its mission."""
        assert self._goal is not None
        robot = self._join(scenario)
        with robot.explained():
            robot.warm_up(session, self._goal)

    def start(self, scenario: Scenario, bus: Bus) -> None:
        """Tell it its mission, and speak for it on the bus."""
        robot = self._robot or self._join(scenario)
        with robot.explained():
            robot.begin(self._goal)
        report = next(iter(bus.watched), "/report")
        bus.attach(
            RosbridgeSpeaker(self.name, robot, period_s=1.0 / (self._pacing.clock_hz or PACED_HZ), report=report)
        )

    def _join(self, scenario: Scenario) -> RosbridgeRobot:
        port, master_port = _free_ports()
        robot = self._robot = RosbridgeRobot(
            scenario,
            self._url or f"ws://127.0.0.1:{port}",
            self._token,
            pacing=self._pacing,
            frames=self._frames,
            observed=self._observed,
            latched=self._latched,
        )
        if self._launch:
            numbers = {"rosbridge_port": port, "master_port": master_port, "domain": 1 + port % DOMAINS}
            environment = {
                "ROS_MASTER_URI": f"http://127.0.0.1:{master_port}",
                "ROS_DOMAIN_ID": str(numbers["domain"]),
                "STRESSFIELD_ROSBRIDGE_PORT": str(port),
            }
            self._start_command(robot, scenario, [_filled(word, numbers) for word in self._launch], environment)
        with robot.explained():
            robot.join()
        return robot


def _filled(word: str, numbers: Mapping[str, int]) -> str:
    for name, number in numbers.items():
        word = word.replace(f"{{{name}}}", str(number))
    return word


def _free_ports() -> tuple[int, int]:
    """Two ports of this machine that nobody uses."""
    with socket.create_server(("127.0.0.1", 0)) as first, socket.create_server(("127.0.0.1", 0)) as second:
        return first.getsockname()[1], second.getsockname()[1]
