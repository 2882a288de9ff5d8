"""What a robot can sense. A sensor is data; each simulator brings it to life."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Lidar:
    """A planar lidar fixed to the robot: it tilts with it and can hit the ground."""

    topic: str
    rate_hz: float
    x_m: float
    z_m: float
    angle_min_rad: float
    angle_max_rad: float
    rays: int
    range_min_m: float
    range_max_m: float
    noise_m: float = 0.0
    dropout: float = 0.0
    resolution_m: float = 0.0
    """Ranges are told in multiples of this; zero for no rounding."""


@dataclass(frozen=True, slots=True)
class Lidar3D:
    """A turning lidar with one ring of rays per elevation (negative looks down); it tilts with the robot.

    Every ring has ``azimuths`` rays, from straight ahead to the left and round. The ground ends at the border of the
    terrain: a ray that leaves it without meeting a body has no return.
    """

    topic: str
    rate_hz: float
    x_m: float
    z_m: float
    elevations_rad: tuple[float, ...]
    azimuths: int
    range_min_m: float
    range_max_m: float
    noise_m: float = 0.0
    dropout: float = 0.0


@dataclass(frozen=True, slots=True)
class MarkerCamera:
    """A camera with a detector of markers (such as stakes): positions in the robot's frame.

    ``double`` is the probability that one marker is reported twice, ``double_offset_m`` apart (image artefacts).
    Bodies of other kinds that stand in between hide a marker where they cover its ``visible_height_m``.
    """

    topic: str
    rate_hz: float
    x_m: float
    z_m: float
    field_of_view_rad: float
    range_max_m: float
    marker_kind: str
    yaw_rad: float = 0.0
    bearing_noise_rad: float = 0.0
    range_noise: float = 0.0
    missed: float = 0.0
    double: float = 0.0
    double_offset_m: float = 0.0
    visible_height_m: float = 1.0


@dataclass(frozen=True, slots=True)
class Odometer:
    """Wheel odometry. ``distance_noise`` and ``turn_noise`` are standard deviations per metre and per radian."""

    topic: str
    rate_hz: float
    distance_noise: float = 0.0
    turn_noise: float = 0.0


@dataclass(frozen=True, slots=True)
class VisualOdometer:
    """Odometry from images: unaffected by wheel slip; noise as in :class:`Odometer`."""

    topic: str
    rate_hz: float
    distance_noise: float = 0.0
    turn_noise: float = 0.0


@dataclass(frozen=True, slots=True)
class PoseSensor:
    """Position and attitude in the frame of the world (satellites and a compass), with white noise."""

    topic: str
    rate_hz: float
    position_noise_m: float = 0.0
    attitude_noise_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class InertialUnit:
    """Yaw rate and attitude, with white noise and a constant bias drawn per run."""

    topic: str
    rate_hz: float
    yaw_rate_noise_radps: float = 0.0
    yaw_rate_bias_radps: float = 0.0
    attitude_noise_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class Bumper:
    """Reports contact of the footprint with a solid body."""

    topic: str
    rate_hz: float


Sensor: TypeAlias = Lidar | Lidar3D | MarkerCamera | Odometer | VisualOdometer | PoseSensor | InertialUnit | Bumper
