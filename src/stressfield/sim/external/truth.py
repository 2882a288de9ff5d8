"""Where the robots of a graph elsewhere are, as far as it says so."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from stressfield.bus import Message
from stressfield.bus.messages import Odometry, Pose, PoseStamped
from stressfield.errors import InputError, WorldError
from stressfield.scenario import Scenario
from stressfield.sim.simulator import TRUTH_COLUMNS, Observation


def check_observed(scenario: Scenario, truth: Mapping[str, str]) -> None:
    """What a graph elsewhere cannot do: move actors, or tell where a robot is of which no topic says so."""
    if scenario.world.actors:
        names = ", ".join(repr(placed.name) for placed in scenario.world.actors)
        raise WorldError(
            f"The world has actors ({names}), which a ROS graph elsewhere cannot be told to move. Use the "
            "kinematic or the MuJoCo simulator, or a world without actors and let that graph move its own."
        )
    missing = [placed.robot.name for placed in scenario.world.robots if placed.robot.name not in truth]
    if missing:
        raise InputError(f"No topic tells where robot {missing[0]!r} is; wanted it in 'truth'.")


def observed(time_ns: int, messages: Sequence[Message]) -> Observation:
    """The ground truth from one message for each robot. What it does not say is not a number."""
    rows = np.full((len(messages), len(TRUTH_COLUMNS)), np.nan)
    for row, message in zip(rows, messages, strict=True):
        row[:9] = truth_row(message)
    return Observation(time_ns, rows)


def truth_row(message: Message) -> tuple[float, ...]:
    """What a message tells of where its robot is, and how fast: the first columns of the truth."""
    if isinstance(message, Odometry):
        twist = message.twist.twist
        return (*_place(message.pose.pose), twist.linear.x, twist.angular.z)
    if isinstance(message, PoseStamped):
        return (*_place(message.pose), np.nan, np.nan)
    raise InputError(f"A {type(message).__name__} does not tell where a robot is; wanted Odometry or PoseStamped.")


def _place(pose: Pose) -> tuple[float, ...]:
    at, turned = pose.position, pose.orientation
    return at.x, at.y, at.z, turned.x, turned.y, turned.z, turned.w
