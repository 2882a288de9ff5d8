"""Sensors of a scenario brought to life, with when they sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from stressfield.bus.message import Message
from stressfield.bus.messages import Time
from stressfield.errors import WorldError
from stressfield.scenario import Scenario
from stressfield.sim.rig.camera import LiveCamera
from stressfield.sim.rig.lidar import LiveLidar
from stressfield.sim.rig.lidar3d import LiveLidar3D
from stressfield.sim.rig.place import Place
from stressfield.sim.rig.proprioception import LiveBumper, LiveInertialUnit, LiveOdometer, LivePoseSensor
from stressfield.world import (
    Bumper,
    InertialUnit,
    Lidar,
    Lidar3D,
    MarkerCamera,
    Odometer,
    PoseSensor,
    Sensor,
    VisualOdometer,
)

Sample: TypeAlias = Callable[[Time], Message]
"""Measures now, the time given."""


@dataclass(frozen=True, slots=True, eq=False)
class Instrument:
    """One live sensor: it sends on ``topic`` every ``ticks`` ticks. ``feel`` is called after every tick, if given."""

    topic: str
    ticks: int
    sample: Sample
    feel: Callable[[], None] | None = None


def instruments(scenario: Scenario, place: Place, *, seed: int, tick_ns: int) -> tuple[Instrument, ...]:
    """All sensors of all robots, in the order of the world."""
    return tuple(
        _instrument(sensor, scenario, place, robot, seed, tick_ns)
        for robot, placed in enumerate(scenario.world.robots)
        for sensor in placed.robot.sensors
    )


class _Live(Protocol):
    def sample(self, time: Time) -> Message: ...


_PLAIN: dict[type[Any], Callable[..., _Live]] = {
    Lidar: LiveLidar,
    Lidar3D: LiveLidar3D,
    PoseSensor: LivePoseSensor,
    InertialUnit: LiveInertialUnit,
    Odometer: LiveOdometer,
    VisualOdometer: LiveOdometer,
}
"""Sensors that need no more than the place, the robot and a seed."""


def _instrument(sensor: Sensor, scenario: Scenario, place: Place, robot: int, seed: int, tick_ns: int) -> Instrument:
    ticks = _ticks(sensor, tick_ns)
    name = scenario.world.robots[robot].robot.name
    if isinstance(sensor, MarkerCamera):
        camera = LiveCamera(sensor, place, robot, name, seed, scenario.world.bodies)
        return Instrument(sensor.topic, ticks, camera.sample)
    if isinstance(sensor, Bumper):
        bumper = LiveBumper(sensor, place, robot)
        return Instrument(sensor.topic, ticks, bumper.sample, bumper.feel)
    return Instrument(sensor.topic, ticks, _PLAIN[type(sensor)](sensor, place, robot, name, seed).sample)


def _ticks(sensor: Sensor, tick_ns: int) -> int:
    """How many ticks pass between samples."""
    period_ns = round(1e9 / sensor.rate_hz) if sensor.rate_hz > 0.0 else 0
    if period_ns == 0 or period_ns % tick_ns:
        raise WorldError(
            f"The {type(sensor).__name__} on {sensor.topic!r} samples at {sensor.rate_hz:g} Hz; wanted a period that "
            f"is a multiple of the tick of {tick_ns / 1e6:g} ms (up to {1e9 / tick_ns:g} Hz). Change either."
        )
    return period_ns // tick_ns
