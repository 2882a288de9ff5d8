"""The crop field with robots that command what is no number, and with a world that MuJoCo throws about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from stressfield.bus import Link, Node, Stamped
from stressfield.bus.messages import Header, JointState, Time
from stressfield.campaign import find_study
from stressfield.scenario import Scenario
from stressfield.sim import Session
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.study import Build
from stressfield.subject import NodesSubject


class Wild(Node):
    """Commands a wheel speed ten times a second, the first second an ordinary one."""

    name = "wild"

    def __init__(self, topic: str, speed: float) -> None:
        self._topic = topic
        self._speed = speed
        self._said = 0

    def setup(self, link: Link) -> None:
        self._link = link
        link.every(0.1, self.on_time)

    def on_time(self) -> None:
        self._said += 1
        speed = 1.0 if self._said < 10 else self._speed
        header = Header(Time(0, 0), "wheels")
        none = np.zeros(0)
        self._link.publish(self._topic, JointState(header, ("left", "right"), none, np.array([speed, 1.0]), none))


def wild(speed: float) -> Callable[[Scenario], NodesSubject]:
    return lambda scenario: NodesSubject(lambda _: [Wild(scenario.world.robots[0].robot.drive.command_topic, speed)])


class Thrown:
    """MuJoCo, in which everything is hit so hard after half a second that its numbers end."""

    def open(self, scenario: Scenario, *, seed: int) -> Session:
        session = MujocoSimulator().open(scenario, seed=seed)
        step = session.step

        def thrown(inbox: Sequence[Stamped]) -> Sequence[Stamped]:
            if session.time_ns == 500_000_000:
                session.data.qvel[:] = 1e12
            return step(inbox)

        session.step = thrown
        return session


SPEEDS = {"nan": float("nan"), "plus_infinity": float("inf"), "minus_infinity": float("-inf")}
oz = find_study("oz")
study = replace(
    oz,
    name="wild",
    subject=(*(Build(name, name, wild(speed)) for name, speed in SPEEDS.items()), Build("calm", "calm", wild(1.0))),
    simulator={**oz.simulators, "thrown": Thrown},
)
