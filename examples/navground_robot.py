"""Behaviours of navground behind a lidar, for the studies beside it: discs of what was seen in, a command out."""

from dataclasses import dataclass
from math import hypot
from typing import Any

import numpy as np

import stressfield as sf
from stressfield.arrays import cosines, sines
from stressfield.errors import NotInstalledError

KINDS = {"hl": "HL", "orca": "ORCA", "hrvo": "HRVO", "social-force": "SocialForce"}
HORIZON_M = 3.0
POINT_M, DISC_M = 0.02, 0.15
"""What neighbouring rays have hit is one disc up to this size; a single ray has seen one of that radius."""
MARGIN_M = 0.02
PERIOD_S = 0.1


def core() -> Any:
    """The package, if it is there."""
    try:
        import navground.core  # noqa: PLC0415 (an extra)
    except ImportError:
        raise NotInstalledError(
            "This robot needs navground. Install it: pip install 'stressfield[navground]'"
        ) from None
    return navground.core


@dataclass(frozen=True, slots=True)
class Disc:
    """Something that was seen, and how it moves as far as that is known."""

    middle: np.ndarray
    radius_m: float
    velocity: tuple[float, float] = (0.0, 0.0)


class Steering:
    """One behaviour for a disc on two wheels. No parameter of its own is changed."""

    def __init__(self, kind: str, *, radius_m: float, speed_mps: float, turn_radps: float, wheels_m: float) -> None:
        self.core = core()
        self.behaviour = self.core.Behavior.make_type(kind)
        drive = self.core.kinematics.TwoWheelsDifferentialDriveKinematics
        self.behaviour.kinematics = drive(max_speed=speed_mps, wheel_axis=wheels_m, max_angular_speed=turn_radps)
        self.behaviour.radius, self.behaviour.safety_margin = radius_m, MARGIN_M
        self.behaviour.optimal_speed, self.behaviour.horizon = speed_mps, HORIZON_M
        self.command = (0.0, 0.0)

    def steer(
        self,
        pose: sf.messages.Pose,
        target: tuple[float, float],
        standing: list[Disc],
        walking: list[Disc] | None = None,
    ) -> tuple[float, float]:
        """Speed and turn rate on the way to a point, past what stands and who walks."""
        behaviour, kinds = self.behaviour, self.core
        behaviour.pose = kinds.Pose2((pose.position.x, pose.position.y), pose.yaw_rad)
        behaviour.actuated_twist = kinds.Twist2((self.command[0], 0.0), self.command[1], kinds.Frame.relative)
        behaviour.target = kinds.Target.Point(target, 0.1)
        behaviour.environment_state.static_obstacles = [kinds.Disc(disc.middle, disc.radius_m) for disc in standing]
        if walking is not None:
            behaviour.environment_state.neighbors = [
                kinds.Neighbor(disc.middle, disc.radius_m, disc.velocity, n + 1) for n, disc in enumerate(walking)
            ]
        given = behaviour.compute_cmd(PERIOD_S, kinds.Frame.relative)
        self.command = (float(given.velocity[0]), float(given.angular_speed))
        return self.command


def hits(scan: sf.messages.LaserScan, ranges: np.ndarray, eye: tuple[float, float], yaw: float) -> np.ndarray:
    """Where the rays have hit something within the horizon, in the order of their angles."""
    angles = yaw + scan.angle_min + scan.angle_increment * np.arange(len(ranges))
    near = np.flatnonzero(ranges < HORIZON_M)
    return np.column_stack(
        [eye[axis] + ranges[near] * turn(angles[near]) for axis, turn in enumerate((cosines, sines))]
    )


def discs(points: np.ndarray) -> list[Disc]:
    """Discs that hold what neighbouring rays have hit, each up to ``DISC_M`` wide."""
    found, first = [], 0
    for last in range(1, len(points) + 1):
        if last == len(points) or hypot(*(points[last] - points[first])) > DISC_M:
            one, other = points[first], points[last - 1]
            found.append(Disc((one + other) / 2.0, hypot(*(other - one)) / 2.0 + POINT_M))
            first = last
    return found
