"""What can be asked beside the fields: slip, faulty images, and two artefacts of the published simulator."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, TypeAlias

from msgspec import Meta

from stressfield.scenario import Scenario
from stressfield.world import DifferentialDrive, MarkerCamera, PlacedRobot, Robot, Sensor

Share: TypeAlias = Annotated[float, Meta(ge=0.0, le=1.0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class OzOptions:
    """All of it is off by default.

    ``wheel_slip`` is the largest share of wheel motion lost to slip; ``double_vision`` and ``missed_markers`` are the
    shares of sightings of stakes that are disturbed, beside what the cameras miss anyway. ``late_stop`` and
    ``downhill_overspeed`` reproduce two faults of the published simulator (I8 and I9): they show what a faulty rig
    does to verdicts.
    """

    wheel_slip: Share = 0.0
    double_vision: Share = 0.0
    missed_markers: Share = 0.0
    late_stop: bool = False
    downhill_overspeed: bool = False

    def apply(self, scenario: Scenario) -> Scenario:
        """The same field, worked by a robot with such a drive and such cameras."""
        robots = tuple(self._placed(placed) for placed in scenario.world.robots)
        return replace(scenario, world=replace(scenario.world, robots=robots))

    def _placed(self, placed: PlacedRobot) -> PlacedRobot:
        return replace(placed, robot=self._robot(placed.robot))

    def _robot(self, robot: Robot) -> Robot:
        assert isinstance(robot.drive, DifferentialDrive)
        drive = replace(
            robot.drive,
            slip_max=self.wheel_slip,
            late_stop=self.late_stop,
            downhill_overspeed=self.downhill_overspeed,
        )
        return replace(robot, drive=drive, sensors=tuple(self._sensor(sensor) for sensor in robot.sensors))

    def _sensor(self, sensor: Sensor) -> Sensor:
        if not isinstance(sensor, MarkerCamera):
            return sensor
        missed = min(1.0, sensor.missed + self.missed_markers)
        return replace(sensor, missed=missed, double=min(1.0, sensor.double + self.double_vision))
