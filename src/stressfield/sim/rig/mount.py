"""What a live sensor is given, and what it must do: the contract between the rig, simulators and sensors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, runtime_checkable

from stressfield.arrays import Bytes, Floats
from stressfield.bus.message import Message
from stressfield.bus.messages import Time
from stressfield.scenario import Scenario
from stressfield.seeds import Rng, generator
from stressfield.sim.rig.place import Place
from stressfield.sim.rig.ray_grid import RayGrid
from stressfield.world import ColorCamera, Lidar, Lidar3D, Sensor, World

FreeDistances: TypeAlias = Callable[[], Floats]
"""Gives the free distance along every ray of a lidar now, without noise. The array is filled again with every call."""


Pixels: TypeAlias = Callable[[], Bytes]
"""Gives the picture of a camera now, without noise: rows of red, green, blue, from the top left."""


class Rays(Protocol):
    """How a simulator sees. Each lidar and camera asks once, when it is made."""

    def scan(self, spec: Lidar, robot: int) -> FreeDistances:
        """Of a planar lidar on a robot, by the robot's index in the world."""

    def cloud(self, spec: Lidar3D, robot: int) -> FreeDistances:
        """Of a lidar with rings, ring by ring."""

    def view(self, view: RayGrid, robot: int) -> FreeDistances:
        """Of a grid of rays, row by row from the top left."""

    def picture(self, spec: ColorCamera, robot: int, world: World) -> Pixels:
        """Of a camera in colour; ``world`` says of what kind things are."""


@dataclass(frozen=True, slots=True, eq=False)
class Mount:
    """Where a live sensor sits, and what it may look at: the same in every simulator."""

    scenario: Scenario
    place: Place
    rays: Rays
    robot: int
    """Index of the robot in the world, and so its row in ``place.state`` and ``place.truth``."""
    seed: int

    @property
    def name(self) -> str:
        """Of the robot."""
        return self.scenario.world.robots[self.robot].robot.name

    def generator(self, purpose: str, topic: str) -> Rng:
        """Random numbers of this run for one purpose of one sensor: no other sensor changes them."""
        return generator(self.seed, purpose, self.name, topic)


class Live(Protocol):
    """A sensor at work."""

    def sample(self, time: Time) -> Message:
        """Measure now; ``time`` is the end of the tick."""


@runtime_checkable
class Feeler(Protocol):
    """A live sensor that must not miss what happens between its samples."""

    def feel(self) -> None:
        """Called after every tick, before samples are taken."""


Sample: TypeAlias = Callable[[Time], Message]
"""Measures now."""


@runtime_checkable
class Companions(Protocol):
    """A live sensor that says more on other topics, as a camera does of its lens."""

    def companions(self) -> Sequence[tuple[str, Sample]]:
        """Topics and what is said there, each right after its own sample and as often."""


MakeLive: TypeAlias = Callable[[Any, Mount], Live]
"""Brings a sensor to life: its data, and where it sits. The class of the live part will do."""

LiveSensors: TypeAlias = Mapping[type[Sensor], MakeLive]
"""Live parts by the type of the sensor."""
