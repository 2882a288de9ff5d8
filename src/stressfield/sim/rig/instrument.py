"""Sensors of a scenario brought to life, with when they sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.sim.rig._live.frames import LiveMapServer, LiveStaticFrames
from stressfield.sim.rig._live.images import LiveColorCamera, LiveDepthCamera, LiveSonar
from stressfield.sim.rig._live.lidars import LiveLidar, LiveLidar3D
from stressfield.sim.rig._live.marker_camera import LiveCamera
from stressfield.sim.rig._live.proprioception import LiveBumper, LiveInertialUnit, LiveOdometer, LivePoseSensor
from stressfield.sim.rig._live.satellites import LiveGpsReceiver
from stressfield.sim.rig.cadence import ticks_between
from stressfield.sim.rig.mount import Companions, Feeler, LiveSensors, Mount, Rays, Sample
from stressfield.sim.rig.place import Place
from stressfield.world import (
    Bumper,
    ColorCamera,
    DepthCamera,
    GpsReceiver,
    InertialUnit,
    Lidar,
    Lidar3D,
    MapServer,
    MarkerCamera,
    Odometer,
    PoseSensor,
    Sensor,
    Sonar,
    StaticFrames,
    VisualOdometer,
    World,
)

LIVE_SENSORS: LiveSensors = {
    Bumper: LiveBumper,
    ColorCamera: LiveColorCamera,
    DepthCamera: LiveDepthCamera,
    GpsReceiver: LiveGpsReceiver,
    InertialUnit: LiveInertialUnit,
    Lidar: LiveLidar,
    Lidar3D: LiveLidar3D,
    MapServer: LiveMapServer,
    MarkerCamera: LiveCamera,
    Odometer: LiveOdometer,
    PoseSensor: LivePoseSensor,
    Sonar: LiveSonar,
    StaticFrames: LiveStaticFrames,
    VisualOdometer: LiveOdometer,
}
"""Live parts of the sensors that stressfield brings. Simulators take more, for sensors of a user's own."""


@dataclass(frozen=True, slots=True, eq=False)
class Instrument:
    """One live sensor: it sends on ``topic`` every ``ticks`` ticks. ``feel`` is called after every tick, if given.

    One with zero ``ticks`` sends once, after the first tick.
    """

    topic: str
    ticks: int
    sample: Sample
    feel: Callable[[], None] | None = None

    def due(self, tick: int) -> bool:
        """Whether it sends after this tick; the first is number one."""
        return tick % self.ticks == 0 if self.ticks else tick == 1


def instruments(
    scenario: Scenario, place: Place, rays: Rays, *, own: LiveSensors, seed: int, tick_ns: int
) -> tuple[Instrument, ...]:
    """All sensors of all robots, in the order of the world. ``own`` are live parts of a user's own sensors."""
    live = {**LIVE_SENSORS, **own}
    _check_frames(scenario.world)
    made = tuple(
        instrument
        for robot, placed in enumerate(scenario.world.robots)
        for sensor in placed.robot.sensors
        for instrument in _instruments(sensor, Mount(scenario, place, rays, robot, seed), live, tick_ns)
    )
    _check_topics(made, scenario.world)
    return made


def _check_topics(made: Sequence[Instrument], world: World) -> None:
    """Two sensors on one topic would be taken for one that contradicts itself. Frames come from many, by design."""
    sensors = [sensor for placed in world.robots for sensor in placed.robot.sensors]
    shared = {sensor.topic for sensor in sensors if isinstance(sensor, StaticFrames)}
    shared |= {sensor.tf_topic for sensor in sensors if isinstance(sensor, Odometer | VisualOdometer)}
    topics = Counter(instrument.topic for instrument in made if instrument.topic not in shared)
    twice = next((topic for topic, count in topics.items() if count > 1), None)
    if twice is not None:
        raise InputError(
            f"World {world.name!r} has {topics[twice]} sensors that send on {twice!r}; wanted a topic of its own for "
            "each (for what a camera says of its lens: info_topic)."
        )


def _check_frames(world: World) -> None:
    for placed in world.robots:
        odometers = [sensor for sensor in placed.robot.sensors if isinstance(sensor, Odometer | VisualOdometer)]
        found = [sensor.topic for sensor in odometers if sensor.tf_topic]
        if len(found) > 1:
            raise InputError(
                f"The robot {placed.robot.name!r} has {len(found)} odometers with a tf_topic: {', '.join(found)}; "
                "wanted one, or its base would be in two places."
            )


def _instruments(sensor: Sensor, mount: Mount, live: LiveSensors, tick_ns: int) -> Iterator[Instrument]:
    """What a sensor says on its topic, then what it says on others at the same time."""
    ticks = ticks_between(sensor, tick_ns)
    make = live.get(type(sensor))
    if make is None:
        name = type(sensor).__name__
        known = ", ".join(sorted(kind.__name__ for kind in live))
        raise InputError(
            f"The robot {mount.name!r} has a {name} on {sensor.topic!r}, which this simulator cannot bring to life; it "
            f"knows {known}. Give the simulator its live part: sensors={{{name}: ...}}."
        )
    made = make(sensor, mount)
    yield Instrument(sensor.topic, ticks, made.sample, made.feel if isinstance(made, Feeler) else None)
    if isinstance(made, Companions):
        for topic, sample in made.companions():
            yield Instrument(topic, ticks, sample)
