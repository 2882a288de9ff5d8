"""The robot's body: what a simulator must know to move it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stressfield.world.drives import Drive
from stressfield.world.sensors import Sensor


@dataclass(frozen=True, slots=True)
class Robot:
    """A box-shaped robot that drives on the ground, with its sensors."""

    name: str
    length_m: float
    width_m: float
    height_m: float
    mass_kg: float
    drive: Drive
    sensors: tuple[Sensor, ...]
    centre_offset_m: float = 0.0
    """How far the centre of the footprint lies ahead of the wheel axle (of a car, its rear axle)."""
    climb_max_rad: float | None = None
    """Steepest slope it drives up; on a steeper one the wheels spin (stuck). None: it climbs anything."""
    step_max_m: float | None = None
    """Highest rise of the ground within a wheel's radius that it drives over. None: any."""
    tip_max_rad: float | None = None
    """Greatest tilt before it falls over and moves no more. None: it never does."""

    def with_sensors(self, *sensors: Sensor) -> Robot:
        """The same robot with more sensors."""
        return replace(self, sensors=(*self.sensors, *sensors))

    @property
    def is_limited(self) -> bool:
        """Whether the ground can stop it: simulators report the mobility of such a robot."""
        return not (self.climb_max_rad is None and self.step_max_m is None and self.tip_max_rad is None)


@dataclass(frozen=True, slots=True)
class PlacedRobot:
    """A robot at its start."""

    robot: Robot
    x_m: float
    y_m: float
    yaw_rad: float
