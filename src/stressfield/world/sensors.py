"""What a robot can sense. A sensor is data: what it is, and how it stands in an SDF file.

What it measures is its live part, in :mod:`stressfield.sim.rig`, the same for every simulator. A sensor of your own is
a frozen dataclass that extends :class:`Sensor`, and a live part for it that you give to the simulator:
``KinematicSimulator(sensors={Thermometer: LiveThermometer})``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple


class SdfSensor(NamedTuple):
    """A sensor in an SDF file: ``<sensor type="kind">`` with ``body`` inside, beside its topic and rate."""

    kind: str
    body: str = ""


@dataclass(frozen=True, slots=True)
class Sensor:
    """Sends a message on ``topic``, ``rate_hz`` times a second of simulated time."""

    topic: str
    rate_hz: float

    def sdf(self) -> SdfSensor | None:
        """How it stands in an SDF file; None if SDF has no such sensor (as odometry, which comes from the drive)."""
        return None


@dataclass(frozen=True, slots=True)
class Lidar(Sensor):
    """A planar lidar fixed to the robot: it tilts with it and can hit the ground."""

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

    def sdf(self) -> SdfSensor:
        """A fan of rays."""
        return SdfSensor(
            "gpu_lidar",
            f"<pose>{self.x_m!r} 0 {self.z_m!r} 0 0 0</pose><lidar><scan><horizontal><samples>{self.rays}</samples>"
            f"<min_angle>{self.angle_min_rad!r}</min_angle><max_angle>{self.angle_max_rad!r}</max_angle></horizontal>"
            f"</scan><range><min>{self.range_min_m!r}</min><max>{self.range_max_m!r}</max></range>"
            f"<noise><type>gaussian</type><mean>0</mean><stddev>{self.noise_m!r}</stddev></noise></lidar>",
        )


@dataclass(frozen=True, slots=True)
class Lidar3D(Sensor):
    """A turning lidar with one ring of rays per elevation (negative looks down); it tilts with the robot.

    Every ring has ``azimuths`` rays, from straight ahead to the left and round. The ground ends at the border of the
    terrain: a ray that leaves it without meeting a body has no return.
    """

    x_m: float
    z_m: float
    elevations_rad: tuple[float, ...]
    azimuths: int
    range_min_m: float
    range_max_m: float
    noise_m: float = 0.0
    dropout: float = 0.0

    def sdf(self) -> SdfSensor:
        """SDF spaces rings evenly; the exact elevations are in the robot's record."""
        low, high = min(self.elevations_rad), max(self.elevations_rad)
        return SdfSensor(
            "gpu_lidar",
            f"<pose>{self.x_m!r} 0 {self.z_m!r} 0 0 0</pose><lidar><scan><horizontal>"
            f"<samples>{self.azimuths}</samples><min_angle>0</min_angle>"
            f"<max_angle>{2.0 * math.pi * (1.0 - 1.0 / self.azimuths)!r}</max_angle></horizontal><vertical>"
            f"<samples>{len(self.elevations_rad)}</samples><min_angle>{low!r}</min_angle><max_angle>{high!r}</max_angle>"
            f"</vertical></scan><range><min>{self.range_min_m!r}</min><max>{self.range_max_m!r}</max></range>"
            f"<noise><type>gaussian</type><mean>0</mean><stddev>{self.noise_m!r}</stddev></noise></lidar>",
        )


@dataclass(frozen=True, slots=True)
class MarkerCamera(Sensor):
    """A camera with a detector of markers (such as stakes): positions in the robot's frame.

    ``double`` is the probability that one marker is reported twice, ``double_offset_m`` apart (image artefacts).
    Bodies of other kinds that stand in between hide a marker where they cover its ``visible_height_m``.
    """

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

    def sdf(self) -> SdfSensor:
        """A plain camera: SDF has no detector of markers."""
        return SdfSensor(
            "camera",
            f"<pose>{self.x_m!r} 0 {self.z_m!r} 0 0 {self.yaw_rad!r}</pose><camera>"
            f"<horizontal_fov>{self.field_of_view_rad!r}</horizontal_fov>"
            "<image><width>640</width><height>480</height></image>"
            f"<clip><near>0.05</near><far>{self.range_max_m!r}</far></clip></camera>",
        )


@dataclass(frozen=True, slots=True)
class Odometer(Sensor):
    """Wheel odometry. ``distance_noise`` and ``turn_noise`` are standard deviations per metre and per radian."""

    distance_noise: float = 0.0
    turn_noise: float = 0.0


@dataclass(frozen=True, slots=True)
class VisualOdometer(Sensor):
    """Odometry from images: unaffected by wheel slip; noise as in :class:`Odometer`."""

    distance_noise: float = 0.0
    turn_noise: float = 0.0


@dataclass(frozen=True, slots=True)
class PoseSensor(Sensor):
    """Position and attitude in the frame of the world (satellites and a compass), with white noise."""

    position_noise_m: float = 0.0
    attitude_noise_rad: float = 0.0


@dataclass(frozen=True, slots=True)
class InertialUnit(Sensor):
    """Yaw rate and attitude, with white noise and a constant bias drawn per run."""

    yaw_rate_noise_radps: float = 0.0
    yaw_rate_bias_radps: float = 0.0
    attitude_noise_rad: float = 0.0

    def sdf(self) -> SdfSensor:
        """An IMU in the middle of the base."""
        return SdfSensor("imu")


@dataclass(frozen=True, slots=True)
class Bumper(Sensor):
    """Reports contact of the footprint with a solid body."""

    def sdf(self) -> SdfSensor:
        """Contacts of the body's collision shape."""
        return SdfSensor("contact", "<contact><collision>body</collision></contact>")


SENSORS: tuple[type[Sensor], ...] = (
    Bumper,
    InertialUnit,
    Lidar,
    Lidar3D,
    MarkerCamera,
    Odometer,
    PoseSensor,
    VisualOdometer,
)
"""Those that stressfield brings: a file that names one of them can be read."""
