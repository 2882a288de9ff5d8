"""Small worlds, robots and commands for the tests of the simulators."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from stressfield.bus.message import Stamped
from stressfield.bus.messages import Header, JointState, Time, Twist, Vector3
from stressfield.scenario import Scenario
from stressfield.sim.kinematic import KinematicSession, KinematicSimulator
from stressfield.world import (
    Bodies,
    Body,
    DifferentialDrive,
    Lidar,
    MarkerCamera,
    Mission,
    PlacedRobot,
    Robot,
    Sensor,
    Shape,
    Terrain,
    World,
)

TICK_NS = 50_000_000
FLAT = Terrain.flat(x0_m=-50.0, y0_m=-50.0, size_m=100.0)


def slope(along_x: float, along_y: float = 0.0) -> Terrain:
    """A plane that climbs by these shares, zero at the origin."""
    axis = np.linspace(-50.0, 50.0, 101)
    x, y = np.meshgrid(axis, axis)
    return Terrain(along_x * x + along_y * y, -50.0, -50.0, 1.0)


def hills(rng: np.random.Generator, *, high_m: float = 0.15, cell_m: float = 0.25) -> Terrain:
    axis = np.arange(-12.0, 12.0, cell_m)
    x, y = np.meshgrid(axis, axis)
    waves = rng.uniform(-1.5, 1.5, (5, 3))
    heights = sum(np.sin(a * x + b * y + 3.0 * c) for a, b, c in waves)
    return Terrain(high_m / 5.0 * np.asarray(heights), -12.0, -12.0, cell_m)


def robot(
    *sensors: Sensor, name: str = "oz", topic: str = "/wheels", offset_m: float = 0.1, **of_drive: float
) -> Robot:
    drive = DifferentialDrive(topic, 0.1, 0.4, 0.4, 0.5, 1.5, **of_drive)
    return Robot(name, 0.75, 0.45, 0.55, 120.0, drive, sensors, offset_m)


def lidar(
    *, noise_m: float = 0.0, dropout: float = 0.0, rays: int = 181, z_m: float = 0.25, topic: str = "/scan"
) -> Lidar:
    return Lidar(topic, 20.0, 0.4, z_m, -math.pi / 2, math.pi / 2, rays, 0.05, 5.0, noise_m, dropout)


def camera(**changes: float) -> MarkerCamera:
    numbers = {"rate_hz": 10.0, "x_m": 0.4, "z_m": 0.6, "field_of_view_rad": 1.5, "range_max_m": 6.0} | changes
    return MarkerCamera(topic="/stakes", marker_kind="stake", **numbers)


def cylinder(
    x: float, y: float, *, radius: float = 0.05, high: float = 0.5, kind: str = "plant", **more: float
) -> Body:
    solid, gives_way = bool(more.pop("solid", True)), bool(more.pop("gives_way", False))
    foot = more.pop("foot", 0.0)
    assert not more
    return Body("", kind, Shape.CYLINDER, x, y, foot, 2 * radius, 2 * radius, high, solid=solid, gives_way=gives_way)


def box(x: float, y: float, size_x: float, size_y: float, *, high: float = 1.0, yaw: float = 0.0) -> Body:
    return Body("", "wall", Shape.BOX, x, y, 0.0, size_x, size_y, high, yaw)


def scene(
    *robots: Robot | PlacedRobot,
    bodies: Sequence[Body] = (),
    terrain: Terrain = FLAT,
) -> Scenario:
    placed = tuple(r if isinstance(r, PlacedRobot) else PlacedRobot(r, 0.0, 0.0, 0.0) for r in robots)
    world = World("scene", terrain, Bodies.of(bodies), placed)
    return Scenario(world, Mission(limit_s=60.0))


def wheels(left: float, right: float, *, time_ns: int = 0, topic: str = "/wheels") -> Stamped:
    nothing = np.empty(0)
    header = Header(Time.from_ns(time_ns), "")
    return Stamped(topic, time_ns, JointState(header, ("left", "right"), nothing, np.array([left, right]), nothing))


def twist(speed: float, turn: float, *, time_ns: int = 0, topic: str = "/wheels") -> Stamped:
    return Stamped(topic, time_ns, Twist(Vector3(x=speed), Vector3(z=turn)))


def opened(scenario: Scenario, *, seed: int = 1) -> KinematicSession:
    return KinematicSimulator().open(scenario, seed=seed)


def drive(
    session: KinematicSession, seconds: float, left: float, right: float, *, topic: str = "/wheels"
) -> list[Stamped]:
    """Command the wheels every tick; all that the sensors said meanwhile."""
    said: list[Stamped] = []
    for _ in range(round(seconds * 20)):
        said += session.step([wheels(left, right, time_ns=session.time_ns, topic=topic)])
    return said


def rest(session: KinematicSession, seconds: float) -> list[Stamped]:
    """Let time pass without commands."""
    return [stamped for _ in range(round(seconds * 20)) for stamped in session.step(())]
