"""What subjects on a ROS graph have in common, however the graph is reached: a command, a pace, notes and output."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping, Sequence
from copy import copy
from pathlib import Path
from typing import Generic, Protocol, Self, TypeVar

from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.subject._command import RunningCommand, start_command
from stressfield.subject.pace import Pacing
from stressfield.world import mission_to_json

SLOWEST = 0.1
"""Simulated seconds a second, at least, that a run is given time for if time waits for the robot."""


class GraphRobot(Protocol):
    """Robot software on a graph during one run."""

    command: RunningCommand | None
    loop: asyncio.AbstractEventLoop

    @property
    def notes(self) -> tuple[str, ...]:
        """How the run was paced, and what did not meet."""

    def close(self, grace_s: float) -> None:
        """Leave the graph, and end the process."""


R = TypeVar("R", bound=GraphRobot)


class GraphSubject(Generic[R]):
    """Robot software on a ROS graph. Derived classes join the graph, and speak for the robot on the bus."""

    def __init__(
        self,
        launch: Sequence[str | Path],
        *,
        example: Sequence[str],
        pacing: Pacing | None,
        env: Mapping[str, str] | None,
        folder: Path | None,
        grace_s: float,
        name: str,
    ) -> None:
        if isinstance(launch, str):
            raise InputError(f"launch is {launch!r}; wanted a list such as {list(example)}.")
        if pacing is not None and pacing.time == "lockstep":
            raise InputError(
                "Nodes of ROS acknowledge no ticks, so time='lockstep' cannot be; wanted 'auto' or 'paced'. A gate, "
                "Pacing(gate=Gate(topic='/cmd_vel', after='/scan')), waits for the robot."
            )
        self.name = name
        self._launch = [str(word) for word in launch]
        self._pacing = pacing or Pacing()
        self._env, self._folder, self._grace_s = dict(env or {}), folder, grace_s
        self._robot: R | None = None
        self._output = ""
        self._notes: tuple[str, ...] = ()

    def at_pace(self, rate: float) -> Self:
        """The same robot, but time goes with the wall clock, at ``rate`` simulated seconds a second, without a gate."""
        other = copy(self)
        other._pacing = self._pacing.at(rate)
        return other

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
        """To join, to get ready, and for wall time to pass."""
        rate = self._pacing.rate if self._pacing.time == "paced" else SLOWEST
        return 2.0 * self._pacing.ready_timeout_s + scenario.mission.limit_s / rate + self._grace_s

    def _start_command(self, robot: R, scenario: Scenario, words: Sequence[str], graph: Mapping[str, str]) -> None:
        """Start the robot's command, with what it has to know of the graph and of its mission in its environment."""
        robot.command = start_command(
            words,
            environment={
                **os.environ,
                **graph,
                "STRESSFIELD_ROBOT": ",".join(placed.robot.name for placed in scenario.world.robots),
                "STRESSFIELD_MISSION": mission_to_json(scenario.mission),
                **self._env,
            },
            folder=self._folder,
            grace_s=self._grace_s,
            loop=robot.loop,
        )
