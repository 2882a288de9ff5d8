"""Commands to arm and gripper that make no sense: whose mistake they are."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from stressfield.bus.message import Message, Stamped
from stressfield.bus.messages import Header, StringMsg, Time
from stressfield.errors import NotFiniteError, SubjectError
from stressfield.sim import Session
from stressfield_studies.tabletop import study
from stressfield_studies.tabletop.messages import GripperCommand, JointTrajectory
from stressfield_studies.tabletop.robot import ARM, ARM_JOINTS, GRIPPER, HOME_RAD

from .runs import scene

HEADER = Header(Time.from_ns(0), "porter")


def trajectory(times: Sequence[float], positions: Sequence[float]) -> JointTrajectory:
    return JointTrajectory(HEADER, ARM_JOINTS, np.array(times), np.array(positions))


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    opened = study.find_simulator()().open(scene("pick", "cup"), seed=1)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("topic", "message", "said"),
    [
        (ARM, StringMsg("up"), "A command on '/arm/trajectory' is a StringMsg; wanted JointTrajectory."),
        (ARM, GripperCommand(HEADER, 0.0, 1.0), "is a GripperCommand; wanted JointTrajectory."),
        (GRIPPER, StringMsg("close"), "A command on '/gripper/command' is a StringMsg; wanted GripperCommand."),
        (ARM, trajectory([1.0, 2.0], HOME_RAD), "has 7 positions at 2 times; wanted 7 at each time."),
        (ARM, trajectory([], []), "has 0 positions at 0 times"),
        (ARM, trajectory([2.0, 1.0], HOME_RAD * 2), "has times that run backwards"),
    ],
)
def test_a_command_of_another_kind_or_shape_is_the_robots_mistake(
    session: Session, topic: str, message: Message, said: str
) -> None:
    with pytest.raises(SubjectError, match=said):
        session.step([Stamped(topic, session.time_ns, message)])


@pytest.mark.parametrize(
    ("topic", "message"),
    [
        (ARM, trajectory([1.0], [math.nan, *HOME_RAD[1:]])),
        (GRIPPER, GripperCommand(HEADER, math.nan, 1.0)),
        (GRIPPER, GripperCommand(HEADER, 0.0, math.inf)),
    ],
)
def test_a_command_that_is_not_finite_is_not_simulated(session: Session, topic: str, message: Message) -> None:
    with pytest.raises(NotFiniteError, match=f"A command on {topic!r} is not finite"):
        session.step([Stamped(topic, session.time_ns, message)])


def test_a_trajectory_is_followed_in_time(session: Session) -> None:
    session.step([Stamped(ARM, session.time_ns, trajectory([0.2], [0.1, *HOME_RAD[1:]]))])
    for _ in range(20):
        session.step([])
    assert session.data.joint("arm/panda_joint1").qpos[0] == pytest.approx(0.1, abs=0.01)  # type: ignore[attr-defined]
