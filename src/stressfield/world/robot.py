"""The robot's body: what a simulator must know to move it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, sin

from stressfield.world.drives import Drive
from stressfield.world.model_drive import ModelDrive, ModelPart, PartDrive
from stressfield.world.sensors import Sensor


@dataclass(frozen=True, slots=True)
class Robot:
    """A box-shaped robot that drives on the ground, with its sensors; or a model of your own (see ``model_robot``)."""

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
    def family(self) -> str:
        """The name of the robot that this one is, or is a part of."""
        return self.drive.of if isinstance(self.drive, PartDrive) else self.name

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

    @property
    def parts(self) -> tuple[PlacedRobot, ...]:
        """Bodies of a model, each as a robot of its own, where they are at the start. Others have none."""
        drive = self.robot.drive
        return tuple(self._part(part) for part in drive.parts) if isinstance(drive, ModelDrive) else ()

    def _part(self, part: ModelPart) -> PlacedRobot:
        c, s, box = cos(self.yaw_rad), sin(self.yaw_rad), part.box
        robot = Robot(
            name=f"{self.robot.name}/{part.body}",
            length_m=box.size_x_m,
            width_m=box.size_y_m + 2.0 * abs(box.y_m),  # as wide as it takes: outlines have their middle ahead
            height_m=box.size_z_m,
            mass_kg=part.mass_kg,
            drive=PartDrive(of=self.robot.name, body=part.body, box=box),
            sensors=(),
            centre_offset_m=box.x_m,
        )
        x, y = self.x_m + c * part.x_m - s * part.y_m, self.y_m + s * part.x_m + c * part.y_m
        return PlacedRobot(robot, x, y, self.yaw_rad + part.yaw_rad)
