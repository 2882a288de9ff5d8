"""Where a robot has room, and whether a way leads from one place to another: asked before a run is wasted on it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stressfield.arrays import Counts, Flags, Floats
from stressfield.errors import WorldError
from stressfield.world._taken_ground import FixedOutline, rectangle, swept
from stressfield.world.bodies import Body, Shape
from stressfield.world.drives import WheeledDrive
from stressfield.world.robot import PlacedRobot
from stressfield.world.world import World

NODES_MAX = 50_000_000
"""Of one search: more is a mistake in the resolution, and would fill the memory."""

NEAR_CELLS = 2
"""A place stands for the free nodes within so many cells: in a narrow spot its own node may be taken by rounding."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place, what messages call it, and the robot that stands there, if one does."""

    x_m: float
    y_m: float
    words: str
    placed: PlacedRobot | None = None

    @classmethod
    def of(cls, world: World, place: str | tuple[float, float], what: str) -> Spot:
        """A robot's name, or a point."""
        if isinstance(place, str):
            placed = world.robot(place)
            spot = cls(placed.x_m, placed.y_m, f"robot {place!r} at ({placed.x_m:g}, {placed.y_m:g})", placed)
        else:
            spot = cls(float(place[0]), float(place[1]), f"{what} ({place[0]:g}, {place[1]:g})")
        if not (math.isfinite(spot.x_m) and math.isfinite(spot.y_m)):
            raise WorldError(f"The {spot.words} is no place: wanted finite numbers.")
        return spot


def require_free(world: World, place: str | tuple[float, float], *, radius_m: float | None, what: str) -> None:
    """See :meth:`stressfield.world.World.require_free`."""
    spot = Spot.of(world, place, what)
    x_min, y_min, x_max, y_max = world.bounds
    if not (x_min <= spot.x_m <= x_max and y_min <= spot.y_m <= y_max):
        raise WorldError(
            f"The {spot.words} is off the ground of world {world.name!r}, which reaches from ({x_min:g}, {y_min:g}) to "
            f"({x_max:g}, {y_max:g})."
        )
    if spot.placed is not None and radius_m is None:
        _require_footprint(world, spot, spot.placed)
        return
    radius = _radius(spot, radius_m)
    gap = np.where(in_the_way(world, spot.placed), world.bodies.distance_m(spot.x_m, spot.y_m), np.inf)
    if len(gap) and float(gap.min()) < radius:
        nearest = world.bodies[int(np.argmin(gap))]
        raise WorldError(
            f"The {spot.words} is inside {nearest.name!r} of world {world.name!r} or too near it: "
            f"{float(gap.min()):.2f} m, wanted at least {radius:.2f} m. Choose a free place."
        )


def _require_footprint(world: World, spot: Spot, placed: PlacedRobot) -> None:
    robot = placed.robot
    c, s = math.cos(placed.yaw_rad), math.sin(placed.yaw_rad)
    x, y = placed.x_m + c * robot.centre_offset_m, placed.y_m + s * robot.centre_offset_m
    mine = rectangle(robot.length_m / 2.0, robot.width_m / 2.0, placed.yaw_rad)
    far = math.hypot(robot.length_m, robot.width_m) / 2.0
    near = in_the_way(world, placed) & (world.bodies.distance_m(x, y) < far)
    for index in np.flatnonzero(near).tolist():
        body = world.bodies[index]
        if _taken_by(body, mine).holds(x - body.x_m, y - body.y_m):
            raise WorldError(
                f"The {spot.words} stands in {body.name!r} of world {world.name!r}, which is at ({body.x_m:g}, "
                f"{body.y_m:g}). Choose a free place."
            )


def require_apart(world: World) -> None:
    """WorldError if an actor starts in a robot on wheels: what happens then is not the robot's doing."""
    for placed in world.robots:
        robot = placed.robot
        if not isinstance(robot.drive, WheeledDrive):
            continue
        c, s = math.cos(placed.yaw_rad), math.sin(placed.yaw_rad)
        x, y = placed.x_m + c * robot.centre_offset_m, placed.y_m + s * robot.centre_offset_m
        far = math.hypot(robot.length_m, robot.width_m) / 2.0
        for who in world.actors:
            # By circles first: nearly all are passed over here.
            if math.hypot(who.x_m - x, who.y_m - y) >= far + who.actor.radius_m:
                continue
            actor = who.actor
            body = Body(
                who.name, actor.kind, actor.shape, who.x_m, who.y_m, 0.0, actor.size_x_m, actor.size_y_m,
                actor.height_m, who.yaw_rad,
            )  # fmt: skip
            mine = rectangle(robot.length_m / 2.0, robot.width_m / 2.0, placed.yaw_rad)
            if _taken_by(body, mine).holds(x - who.x_m, y - who.y_m):
                raise WorldError(
                    f"Actor {who.name!r} starts at ({who.x_m:g}, {who.y_m:g}), in the robot {robot.name!r} of world "
                    f"{world.name!r}, which is at ({placed.x_m:g}, {placed.y_m:g}). Choose a free place."
                )


def _taken_by(body: Body, mine: tuple[tuple[float, float], ...]) -> FixedOutline:
    """Where the middle of my outline may not be, seen from a body."""
    if body.shape == Shape.BOX:
        return FixedOutline(swept(rectangle(body.size_x_m / 2.0, body.size_y_m / 2.0, body.yaw_rad), mine), 0.0)
    return FixedOutline(mine, body.size_x_m / 2.0)


def in_the_way(world: World, placed: PlacedRobot | None) -> Flags:
    """Bodies that block; those that hang higher than the robot do not."""
    bodies = world.bodies
    found: Flags = bodies.blocks
    if placed is not None and len(bodies):
        ground = world.terrain.height_at(bodies.x_m, bodies.y_m)
        found = found & (bodies.z_m - ground < placed.robot.height_m)
    return found


def reachable(
    world: World,
    start: str | tuple[float, float],
    goal: str | tuple[float, float],
    *,
    radius_m: float | None,
    resolution_m: float,
) -> bool:
    """See :meth:`stressfield.world.World.reachable`."""
    begin, end = Spot.of(world, start, "start"), Spot.of(world, goal, "goal")
    radius = _radius(begin, radius_m)
    if not (resolution_m > 0.0 and math.isfinite(resolution_m)):
        raise WorldError(f"A search for a way needs a resolution_m above zero, got {resolution_m!r}.")
    x_min, y_min, x_max, y_max = world.bounds
    columns, rows = (math.floor(size / resolution_m) + 1 for size in (x_max - x_min, y_max - y_min))
    if rows * columns > NODES_MAX:
        raise WorldError(
            f"A search for a way in world {world.name!r} at {resolution_m:g} m would have {columns} x {rows} nodes; "
            f"wanted {NODES_MAX:,} at most. Give a larger resolution_m."
        )
    x: Floats = x_min + resolution_m * np.arange(columns, dtype=np.float64)
    y: Floats = y_min + resolution_m * np.arange(rows, dtype=np.float64)
    taken = np.zeros((rows, columns), dtype=np.bool_)
    for index in np.flatnonzero(in_the_way(world, begin.placed)).tolist():
        _take(taken, world.bodies[index], radius, x, y)
    # slow to import, and few studies ask
    from scipy.ndimage import label  # noqa: PLC0415

    parts = label(~taken)[0]
    here, there = (_parts_at(parts, spot, (x_min, y_min), resolution_m) for spot in (begin, end))
    return not here.isdisjoint(there)


def _take(taken: Flags, body: Body, radius_m: float, x_m: Floats, y_m: Floats) -> None:
    """Mark the nodes from which a circle would touch the body."""
    c, s = math.cos(body.yaw_rad), math.sin(body.yaw_rad)
    half_x, half_y = body.size_x_m / 2.0, body.size_y_m / 2.0
    box = body.shape == Shape.BOX
    reach_x = (abs(c) * half_x + abs(s) * half_y if box else half_x) + radius_m
    reach_y = (abs(s) * half_x + abs(c) * half_y if box else half_x) + radius_m
    columns = slice(*np.searchsorted(x_m, [body.x_m - reach_x, body.x_m + reach_x]).tolist())
    rows = slice(*np.searchsorted(y_m, [body.y_m - reach_y, body.y_m + reach_y]).tolist())
    dx, dy = x_m[columns][None, :] - body.x_m, y_m[rows][:, None] - body.y_m
    if box:
        away_x = np.maximum(np.abs(c * dx + s * dy) - half_x, 0.0)
        away_y = np.maximum(np.abs(c * dy - s * dx) - half_y, 0.0)
        # a body touches a point too: without the second part a robot of no width would walk through walls
        near = (away_x * away_x + away_y * away_y < radius_m * radius_m) | ((away_x == 0.0) & (away_y == 0.0))
    else:
        near = dx * dx + dy * dy < (half_x + radius_m) ** 2
    taken[rows, columns] |= near


def _parts_at(parts: Counts, spot: Spot, corner: tuple[float, float], resolution_m: float) -> set[int]:
    """The connected parts of free ground around a spot; none if it is taken or outside."""
    i, j = (spot.x_m - corner[0]) / resolution_m, (spot.y_m - corner[1]) / resolution_m
    rows, columns = parts.shape
    if not (-0.5 <= i <= columns and -0.5 <= j <= rows):
        return set()
    for reach in range(NEAR_CELLS):
        low_i, low_j = max(0, math.floor(i) - reach), max(0, math.floor(j) - reach)
        around = parts[low_j : math.floor(j) + reach + 2, low_i : math.floor(i) + reach + 2]
        found = set(np.unique(around).tolist()) - {0}
        if found:
            return found
    return set()


def require_reachable(
    world: World,
    start: str | tuple[float, float],
    goal: str | tuple[float, float],
    *,
    radius_m: float | None,
    resolution_m: float,
) -> None:
    """See :meth:`stressfield.world.World.require_reachable`."""
    begin, end = Spot.of(world, start, "start"), Spot.of(world, goal, "goal")
    radius = _radius(begin, radius_m)
    require_free(world, start, radius_m=None if begin.placed is not None else radius, what="start")
    require_free(world, goal, radius_m=radius, what="goal")
    if not reachable(world, start, goal, radius_m=radius, resolution_m=resolution_m):
        raise WorldError(
            f"The {end.words} cannot be reached from the {begin.words} in world {world.name!r}: no way of "
            f"{2.0 * radius:g} m width leads there. Choose another goal, or open a door."
        )


def _radius(spot: Spot, radius_m: float | None) -> float:
    """As given, or half the width of the robot: where that does not pass, no turning helps."""
    if radius_m is None and spot.placed is not None:
        return min(spot.placed.robot.width_m, spot.placed.robot.length_m) / 2.0
    if radius_m is None or not (radius_m >= 0.0 and math.isfinite(radius_m)):
        raise WorldError(
            f"The {spot.words} needs a radius_m of zero or more (half the width of the robot), got {radius_m!r}."
        )
    return radius_m
