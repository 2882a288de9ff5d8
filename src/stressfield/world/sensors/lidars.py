"""Sensors that measure distances: lidars and sonars."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stressfield.world.sensors.sensor import Mounting, SdfSensor, Sensor


@dataclass(frozen=True, slots=True)
class Lidar(Sensor):
    """A planar lidar fixed to the robot: it tilts with it and can hit the ground.

    ``rain`` is the share of rays, each by chance, that meet a drop, a flake or dust on their way: they return from
    beyond ``range_min_m``, exponentially distributed with mean ``rain_range_m``, unless something stands nearer.
    """

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
    rain: float = 0.0
    rain_range_m: float = 2.0

    def sdf(self) -> SdfSensor:
        """A fan of rays."""
        return SdfSensor(
            "gpu_lidar",
            f"<pose>{self.x_m!r} 0 {self.z_m!r} 0 0 0</pose><lidar><scan><horizontal><samples>{self.rays}</samples>"
            f"<min_angle>{self.angle_min_rad!r}</min_angle><max_angle>{self.angle_max_rad!r}</max_angle></horizontal>"
            f"</scan><range><min>{self.range_min_m!r}</min><max>{self.range_max_m!r}</max></range>"
            f"<noise><type>gaussian</type><mean>0</mean><stddev>{self.noise_m!r}</stddev></noise></lidar>",
        )

    def mounting(self) -> Mounting:
        """On the middle line of the robot, looking ahead."""
        return Mounting(self.x_m, 0.0, self.z_m)


@dataclass(frozen=True, slots=True)
class Lidar3D(Sensor):
    """A turning lidar with one ring of rays per elevation (negative looks down); it tilts with the robot.

    Every ring has ``azimuths`` rays, from straight ahead to the left and round. The ground ends at the border of the
    terrain: a ray that leaves it without meeting a body has no return. ``rain`` as in :class:`Lidar`.
    """

    x_m: float
    z_m: float
    elevations_rad: tuple[float, ...]
    azimuths: int
    range_min_m: float
    range_max_m: float
    noise_m: float = 0.0
    dropout: float = 0.0
    rain: float = 0.0
    rain_range_m: float = 2.0

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

    def mounting(self) -> Mounting:
        """On the middle line of the robot, looking ahead."""
        return Mounting(self.x_m, 0.0, self.z_m)


@dataclass(frozen=True, slots=True)
class Sonar(Sensor):
    """An ultrasonic range finder: the nearest thing in a cone of ``cone_rad`` (from side to side), as one number.

    The cone is filled with a grid of ``rays`` x ``rays`` rays: what is thinner than the gaps between them, at its
    distance, can slip through. The ground reflects the sound away and is not heard, unless ``hears_ground``. A thing
    nearer than ``range_min_m`` is told as ``-inf``, none at all (or one that was lost: ``dropout``) as ``inf``.
    """

    x_m: float
    z_m: float
    y_m: float = 0.0
    yaw_rad: float = 0.0
    cone_rad: float = 0.5
    range_min_m: float = 0.05
    range_max_m: float = 4.0
    noise_m: float = 0.0
    dropout: float = 0.0
    rays: int = 31
    hears_ground: bool = False

    def sdf(self) -> SdfSensor:
        """A cone: SDF gives its radius at the greatest range."""
        radius = self.range_max_m * math.tan(self.cone_rad / 2.0)
        return SdfSensor(
            "sonar",
            f"<pose>{self.x_m!r} {self.y_m!r} {self.z_m!r} 0 0 {self.yaw_rad!r}</pose><sonar>"
            f"<min>{self.range_min_m!r}</min><max>{self.range_max_m!r}</max><radius>{radius!r}</radius></sonar>",
        )

    def mounting(self) -> Mounting:
        """Looking along its own x."""
        return Mounting(self.x_m, self.y_m, self.z_m, yaw_rad=self.yaw_rad)
