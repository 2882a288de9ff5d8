"""A study whose worlds are as large as a descriptor says: for bench_growth.py, which measures how time grows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil, pi, sqrt

import stressfield as sf
from stressfield.world import Lidar3D, MarkerCamera

AREA_PER_BODY_M2 = 16.0
AREA_PER_ROBOT_M2 = 60.0
ROOM_M, WALL_M = 12.0, 10.5


class Field(sf.Element):
    """Robots drive in curves between things that stand in their way."""

    bodies: int = sf.integer(0, 1_000_000)
    robots: int = sf.integer(1, 10_000)
    side_m: float = sf.real(10.0, 10_000.0, unit="m")
    limit_s: float = sf.real(1.0, 1e6, unit="s")
    things: str = sf.choice("trees", "sheds", "both", "rooms")
    sensors: str = sf.choice("usual", "all")


def descriptor(
    *,
    bodies: int = 100,
    robots: int = 1,
    side_m: float | None = None,
    limit_s: float = 20.0,
    things: str = "trees",
    sensors: str = "usual",
) -> str:
    """Of one field. Without ``side_m`` it is as large as what stands in it needs: twice as much, twice the area."""
    grown_m = sqrt(max(AREA_PER_BODY_M2 * bodies, AREA_PER_ROBOT_M2 * robots, 400.0))
    return f"{bodies}-{robots}-{round(side_m or grown_m, 3)}-{float(limit_s)}-{things}-{sensors}"


def build(field: Field, rng: sf.Rng) -> sf.Scenario:
    side_m = field.side_m
    world = sf.World.flat(side_m, side_m)
    columns = ceil(sqrt(field.robots))
    names = []
    for n in range(field.robots):
        at = side_m * (0.5 + n % columns) / columns, side_m * (0.5 + n // columns) / columns
        names.append(f"robot_{n}")
        world = world.with_robot(names[-1], _robot(n, field.sensors), at=at)
    sheds = {"trees": 0, "sheds": field.bodies, "both": field.bodies // 4, "rooms": 0}[field.things]
    if field.things == "rooms":
        walls = list(_walls(side_m))[: field.bodies // 5]
        for turn in (0.0, pi / 2.0):
            wall = sf.bodies.wall(length_m=WALL_M)
            world = world.with_bodies(wall, at=[at for yaw, at in walls if yaw == turn], yaw_rad=turn)
    shed = sf.bodies.box("shed", length_m=2.0, width_m=1.2, height_m=2.0)
    world = world.scatter(shed, count=sheds, clear_of=names, clear_m=1.0, rng=rng)
    trees = field.bodies - len(world.bodies)
    world = world.scatter(sf.bodies.tree(), count=trees, clear_of=names, clear_m=1.0, rng=rng)
    return sf.Scenario(world, sf.Mission(limit_s=field.limit_s))


def _walls(side_m: float) -> Iterator[tuple[float, tuple[float, float]]]:
    """Walls of rooms with a door in each: their turn and their middle."""
    rooms = ceil(side_m / ROOM_M)
    for i in range(rooms):
        for j in range(rooms):
            yield 0.0, ((i + 0.5) * ROOM_M, j * ROOM_M)
            yield pi / 2.0, (i * ROOM_M, (j + 0.5) * ROOM_M)


def _robot(number: int, sensors: str) -> sf.Robot:
    robot = sf.robots.diff_drive(topics=f"/{number}")
    if sensors == "usual":
        return robot
    rings = Lidar3D(f"/{number}/points", 10.0, 0.0, 0.5, (-0.1, 0.0, 0.1), 180, 0.05, 10.0, 0.01, 0.01)
    camera = MarkerCamera(f"/{number}/markers", 10.0, 0.3, 0.5, 1.2, 10.0, "tree")
    return replace(robot, sensors=(*robot.sensors, rings, camera))


class Driver(sf.Node):
    """Curves, whatever comes: the robot software shall cost the same everywhere."""

    def __init__(self, number: int) -> None:
        self.name, self.number, self.scans = f"driver_{number}", number, 0

    def setup(self, link: sf.Link) -> None:
        self.link = link
        link.subscribe(f"/{self.number}/scan", self.on_scan)

    def on_scan(self, _: sf.messages.LaserScan) -> None:
        self.scans += 1
        turn = 0.5 if self.scans // 40 % 2 else -0.5
        self.link.publish(f"/{self.number}/cmd_vel", sf.messages.Twist.drive(0.6, turn))


oracle = sf.Oracle("field")


@oracle.property("clear", sf.CRITICAL_EVENT, "Touches no tree")
def keeps_clear(run: sf.Evidence) -> sf.Margin:
    return sf.always(run.clearance("robot_0", "tree", "shed") >= 0.0)


@oracle.property("inside", sf.MOVEMENT_THRESHOLD, "Stays in the field")
def stays(run: sf.Evidence) -> sf.Margin:
    return sf.always(run.room("robot_0") >= 0.0)


study = sf.Study(
    "field",
    model=Field,
    build=build,
    subject=lambda scenario: [Driver(n) for n in range(len(scenario.world.robots))],
    oracle=oracle,
    template=descriptor(),
)
