"""Placing things at random without overlap: objects on a table, obstacles in rooms, the robot at its start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import cos, hypot, pi, radians, sin
from typing import TypeVar

from stressfield.errors import InputError, WorldError, did_you_mean
from stressfield.seeds import Rng
from stressfield.world import Body, PlacedRobot, Shape
from stressfield_studies.tabletop.mission import Location, Surface, TableObject, Wall
from stressfield_studies.tabletop.place.furniture import KINDS, Kind, obstacle_body
from stressfield_studies.tabletop.place.grid import Grid, plan
from stressfield_studies.tabletop.place.rooms import DEPTH_M, HEIGHTS_M, Environment
from stressfield_studies.tabletop.robot import ARM_X_M, LENGTH_M, PORTER, WIDTH_M

DOCK_TO_EDGE_M = LENGTH_M / 2.0 + 0.09
"""From the middle of a robot before a table to the table's edge."""

DOCK_M = 0.45
NEAREST_M, FARTHEST_M, SIDE_M = 0.09, 0.38, 0.33
"""Where on the table objects are put: how far from its edge, and to either side; within reach of a robot before it."""

REACH_M = 0.62
GAP_M = 0.06
ROBOT_RADIUS_M = hypot(LENGTH_M, WIDTH_M) / 2.0 + 0.07
CLEAR_M = 0.9
RESTARTS, TRIES = 60, 100

_T = TypeVar("_T")


def known(things: Mapping[str, _T], name: str, what: str) -> _T:
    """The thing of that name."""
    if name not in things:
        raise InputError(f"Unknown {what} {name!r}. Wanted: {', '.join(things)}.{did_you_mean(name, things)}")
    return things[name]


def dock(surface: Surface) -> Location:
    """Where a robot stands before a table."""
    back = surface.depth_m / 2.0 + DOCK_TO_EDGE_M
    c, s = cos(surface.yaw_rad), sin(surface.yaw_rad)
    return Location(surface.name, surface.x_m - back * c, surface.y_m - back * s, surface.yaw_rad, DOCK_M)


def place_objects(things: Sequence[ThingRequest], table: Surface, rng: Rng) -> tuple[TableObject, ...]:
    """Objects on a table, their bounding boxes apart, all within reach."""
    if not things:
        raise InputError("A scene needs at least one object. Wanted 'things' with one or more.")
    kinds = [known(KINDS, thing.kind, "object") for thing in things]
    for _ in range(RESTARTS):
        spots = _spots(things, kinds, rng)
        if spots is not None:
            return tuple(
                _on_table(i, thing, kind, spot, table)
                for i, (thing, kind, spot) in enumerate(zip(things, kinds, spots, strict=True))
            )
    raise WorldError(
        f"No room for {len(things)} objects within reach on {table.name!r}, after {RESTARTS} attempts. Ask for fewer."
    )


def _spots(things: Sequence[ThingRequest], kinds: Sequence[Kind], rng: Rng) -> list[tuple[float, float]] | None:
    """Places on the table, as (from its edge, to the left), or None."""
    taken: list[tuple[float, float, float, float]] = []
    for thing, kind in zip(things, kinds, strict=True):
        half_u, half_v = _half_extents(thing, kind)
        for _ in range(TRIES):
            u, v = float(rng.uniform(NEAREST_M, FARTHEST_M)), float(rng.uniform(-SIDE_M, SIDE_M))
            within = hypot(u + DOCK_TO_EDGE_M - ARM_X_M, v) <= REACH_M
            if within and all(
                abs(u - a) >= half_u + p + GAP_M or abs(v - b) >= half_v + q + GAP_M for a, b, p, q in taken
            ):
                taken.append((u, v, half_u, half_v))
                break
        else:
            return None
    return [(u, v) for u, v, _, _ in taken]


def _half_extents(thing: ThingRequest, kind: Kind) -> tuple[float, float]:
    """Half of the axis-aligned bounding box of a turned object."""
    length, width = kind.length_m * thing.size, kind.width_m * thing.size
    if kind.shape is not Shape.BOX:
        return length / 2.0, length / 2.0
    c, s = abs(cos(radians(thing.turn_deg))), abs(sin(radians(thing.turn_deg)))
    return (length * c + width * s) / 2.0, (length * s + width * c) / 2.0


def _on_table(index: int, thing: ThingRequest, kind: Kind, spot: tuple[float, float], table: Surface) -> TableObject:
    u, v = spot[0] - table.depth_m / 2.0, spot[1]
    c, s = cos(table.yaw_rad), sin(table.yaw_rad)
    height = kind.height_m * thing.size
    return TableObject(
        name=f"{kind.name}_{index + 1}",
        kind=kind.name,
        shape=kind.shape,
        length_m=kind.length_m * thing.size,
        width_m=kind.width_m * thing.size,
        height_m=height,
        mass_kg=kind.mass_kg * thing.mass,
        friction=thing.friction,
        surface=table.name,
        x_m=table.x_m + c * u - s * v,
        y_m=table.y_m + s * u + c * v,
        z_m=table.height_m + height / 2.0,
        yaw_rad=table.yaw_rad + radians(thing.turn_deg),
    )


def start_and_obstacles(
    request: SceneRequest,
    environment: Environment,
    walls: Sequence[Wall],
    docks: Sequence[Location],
    first: Location,
    rng: Rng,
) -> tuple[PlacedRobot, list[Body]]:
    """The robot at its start and obstacles around which it can get to all ``docks``, one after the other.

    Without docks to drive to, it starts before the table.
    """
    grid = Grid.of(x0_m=0.0, y0_m=0.0, width_m=environment.width_m, depth_m=DEPTH_M, walls=walls)
    for _ in range(RESTARTS):
        start = (
            _start(grid, environment, docks, rng) if docks else PlacedRobot(PORTER, first.x_m, first.y_m, first.yaw_rad)
        )
        obstacles = _obstacles(request, grid, start, docks or (first,), environment, rng)
        if obstacles is None:
            continue
        crowded = Grid.of(
            x0_m=0.0, y0_m=0.0, width_m=environment.width_m, depth_m=DEPTH_M,
            walls=[*walls, *(outline(body) for body in obstacles)],
        )  # fmt: skip
        stops = [(start.x_m, start.y_m), *(before(dock) for dock in docks)]
        if all(plan(crowded, a, b, radius_m=ROBOT_RADIUS_M) is not None for a, b in pairwise(stops)):
            if request.goal_blocked and docks:
                body = obstacle_body((request.obstacles or ("bin",))[0])
                obstacles.append(replace(body, x_m=docks[0].x_m, y_m=docks[0].y_m))
            return start, obstacles
    raise WorldError(
        f"No place for {len(request.obstacles)} obstacles that leave a way to the tables, after {RESTARTS} attempts. "
        "Ask for fewer."
    )


def before(location: Location) -> tuple[float, float]:
    """Where the straight approach to a place begins."""
    c, s = cos(location.yaw_rad), sin(location.yaw_rad)
    return location.x_m - location.dock_m * c, location.y_m - location.dock_m * s


def _start(grid: Grid, environment: Environment, docks: Sequence[Location], rng: Rng) -> PlacedRobot:
    first_room_m = environment.doors_x_m[0] if environment.doors_x_m else environment.width_m
    for _ in range(RESTARTS * TRIES):
        x, y = float(rng.uniform(0.5, first_room_m - 0.5)), float(rng.uniform(0.5, DEPTH_M - 0.5))
        i, j = grid.cell(x, y)
        far = all(hypot(x - location.x_m, y - location.y_m) >= 1.2 for location in docks)
        if grid.free_m[j, i] >= ROBOT_RADIUS_M + 0.1 and far:
            return PlacedRobot(PORTER, x, y, float(rng.uniform(-pi, pi)))
    raise WorldError(f"No free place to start in {environment.name!r}.")


def _obstacles(
    request: SceneRequest,
    grid: Grid,
    start: PlacedRobot,
    docks: Sequence[Location],
    environment: Environment,
    rng: Rng,
) -> list[Body] | None:
    placed: list[Body] = []
    clear = [
        (start.x_m, start.y_m),
        *((location.x_m, location.y_m) for location in docks),
        *(before(location) for location in docks),
    ]
    for kind in request.obstacles:
        body = obstacle_body(kind)
        radius = _radius(body)
        for _ in range(TRIES):
            x, y = float(rng.uniform(0.3, environment.width_m - 0.3)), float(rng.uniform(0.3, DEPTH_M - 0.3))
            i, j = grid.cell(x, y)
            apart = all(
                hypot(x - b.x_m, y - b.y_m) >= radius + hypot(b.size_x_m, b.size_y_m) / 2.0 + 0.1 for b in placed
            )
            if grid.free_m[j, i] > radius + 0.05 and apart and all(hypot(x - a, y - b) > CLEAR_M for a, b in clear):
                placed.append(replace(body, x_m=x, y_m=y, yaw_rad=float(rng.uniform(-pi / 2.0, pi / 2.0))))
                break
        else:
            return None
    return placed


def _radius(body: Body) -> float:
    return hypot(body.size_x_m, body.size_y_m) / 2.0


def outline(body: Body) -> Wall:
    """A body as a box on a map."""
    return Wall(body.x_m, body.y_m, body.yaw_rad, body.size_x_m, body.size_y_m)


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingRequest:
    """An object to put on the table; factors as in the model."""

    kind: str
    size: float = 1.0
    mass: float = 1.0
    friction: float = 0.8
    turn_deg: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneRequest:
    """A scene: the actions of its task, the table with the objects (the first is the one to pick), and all else."""

    actions: tuple[str, ...]
    things: tuple[ThingRequest, ...]
    environment: str = "studio"
    surface: str = "coffee_table"
    place_surface: str = "coffee_table"
    heights_m: dict[str, float] = field(default_factory=lambda: dict(HEIGHTS_M))
    obstacles: tuple[str, ...] = ()
    goal_blocked: bool = False
