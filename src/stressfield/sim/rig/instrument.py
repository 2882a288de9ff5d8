"""Sensors of a scenario brought to life, with when they sample."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from stressfield.bus.message import Message
from stressfield.bus.messages import Time
from stressfield.errors import WorldError
from stressfield.scenario import Scenario
from stressfield.sim.rig._camera import LiveCamera
from stressfield.sim.rig._lidar import LiveLidar, LiveLidar3D
from stressfield.sim.rig._proprioception import LiveBumper, LiveInertialUnit, LiveOdometer, LivePoseSensor
from stressfield.sim.rig.mount import Feeler, LiveSensors, Mount, Rays
from stressfield.sim.rig.place import Place
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

LIVE_SENSORS: LiveSensors = {
    Bumper: LiveBumper,
    InertialUnit: LiveInertialUnit,
    Lidar: LiveLidar,
    Lidar3D: LiveLidar3D,
    MarkerCamera: LiveCamera,
    Odometer: LiveOdometer,
    PoseSensor: LivePoseSensor,
    VisualOdometer: LiveOdometer,
}
"""Live parts of the sensors that stressfield brings. Simulators take more, for sensors of a user's own."""

Sample: TypeAlias = Callable[[Time], Message]


@dataclass(frozen=True, slots=True, eq=False)
class Instrument:
    """One live sensor: it sends on ``topic`` every ``ticks`` ticks. ``feel`` is called after every tick, if given."""

    topic: str
    ticks: int
    sample: Sample
    feel: Callable[[], None] | None = None


def instruments(
    scenario: Scenario, place: Place, rays: Rays, *, own: LiveSensors, seed: int, tick_ns: int
) -> tuple[Instrument, ...]:
    """All sensors of all robots, in the order of the world. ``own`` are live parts of a user's own sensors."""
    live = {**LIVE_SENSORS, **own}
    return tuple(
        _instrument(sensor, Mount(scenario, place, rays, robot, seed), live, tick_ns)
        for robot, placed in enumerate(scenario.world.robots)
        for sensor in placed.robot.sensors
    )


def _instrument(sensor: Sensor, mount: Mount, live: LiveSensors, tick_ns: int) -> Instrument:
    ticks = _ticks(sensor, tick_ns)
    make = live.get(type(sensor))
    if make is None:
        name = type(sensor).__name__
        known = ", ".join(sorted(kind.__name__ for kind in live))
        raise WorldError(
            f"The robot {mount.name!r} has a {name} on {sensor.topic!r}, which this simulator cannot bring to life; it "
            f"knows {known}. Give the simulator its live part: sensors={{{name}: ...}}."
        )
    made = make(sensor, mount)
    return Instrument(sensor.topic, ticks, made.sample, made.feel if isinstance(made, Feeler) else None)


def _ticks(sensor: Sensor, tick_ns: int) -> int:
    """How many ticks pass between samples."""
    period_ns = round(1e9 / sensor.rate_hz) if sensor.rate_hz > 0.0 else 0
    if period_ns == 0 or period_ns % tick_ns:
        raise WorldError(
            f"The {type(sensor).__name__} on {sensor.topic!r} samples at {sensor.rate_hz:g} Hz; wanted a period that "
            f"is a multiple of the tick of {tick_ns / 1e6:g} ms (up to {1e9 / tick_ns:g} Hz). Change either."
        )
    return period_ns // tick_ns
