"""What a robot on a ROS graph is told to do: places of the world, and an errand that is under way."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from stressfield.bus.messages import (
    DiagnosticStatus,
    Header,
    Point,
    Pose,
    PoseStamped,
    PoseWithCovariance,
    PoseWithCovarianceStamped,
    Quaternion,
    Time,
)
from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.world.mission import ReachMission

Place: TypeAlias = tuple[float, float, float]
"""x and y in metres, heading in radians, in the frame of the map."""

Places: TypeAlias = Callable[[Scenario], Sequence[Place]]


class Errand(Protocol):
    """A goal that was sent to a robot in one run."""

    @property
    def report(self) -> DiagnosticStatus | None:
        """How it ended; None while it lasts, and always for a goal whose end the robot must report itself."""

    def tick(self, now_ns: int) -> None:
        """Time goes on."""

    def close(self) -> None:
        """The run is over: a robot that is still at it is told to give up."""


def goal_of_mission(scenario: Scenario) -> Sequence[Place]:
    """Where a ReachMission leads, with the heading in which the robot sees it at its start."""
    mission = scenario.mission
    if not isinstance(mission, ReachMission):
        raise InputError(
            f"A {type(mission).__name__} does not say where to go. Wanted a ReachMission, or 'places' for the goal."
        )
    start = scenario.world.robots[0]
    x, y = mission.goal_m
    return ((x, y, math.atan2(y - start.y_m, x - start.x_m)),)


def posed(places: Sequence[Place], frame_id: str, time_ns: int = 0) -> tuple[PoseStamped, ...]:
    """Places as messages."""
    header = Header(Time.from_ns(time_ns), frame_id)
    return tuple(
        PoseStamped(header, Pose(Point(x, y, 0.0), Quaternion(0.0, 0.0, math.sin(yaw / 2.0), math.cos(yaw / 2.0))))
        for x, y, yaw in places
    )


INITIAL_POSE = "/initialpose"


def start_pose(scenario: Scenario, frame_id: str, time_ns: int) -> PoseWithCovarianceStamped:
    """Where the first robot begins, for those who localise it themselves: on ``/initialpose``."""
    start = scenario.world.robots[0]
    (at,) = posed([(start.x_m, start.y_m, start.yaw_rad)], frame_id, time_ns)
    covariance = tuple(0.06 if place in (0, 7, 35) else 0.0 for place in range(36))
    return PoseWithCovarianceStamped(at.header, PoseWithCovariance(at.pose, covariance))


class ToldErrand:
    """A goal of which nothing is heard."""

    report: DiagnosticStatus | None = None

    def tick(self, now_ns: int) -> None:
        """Nothing to do."""

    def close(self) -> None:
        """Nothing to take back."""
