"""A concrete place, independent of any simulator."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from stressfield.arrays import Flags, Floats
from stressfield.errors import WorldError, did_you_mean
from stressfield.world._taken_ground import TakenGround
from stressfield.world.bodies import Bodies, Body, Shape
from stressfield.world.robot import PlacedRobot, Robot
from stressfield.world.terrain import Terrain

TRIES = 10_000
"""Places tried for each body before the world counts as full."""


@dataclass(frozen=True, slots=True)
class Region:
    """A named rectangle that means something to the oracle or the report (a row, a U-turn area, the limits)."""

    name: str
    kind: str
    x_min_m: float
    y_min_m: float
    x_max_m: float
    y_max_m: float

    def contains(self, x_m: Floats, y_m: Floats) -> Flags:
        """Which points lie inside."""
        inside: Flags = (x_m >= self.x_min_m) & (x_m <= self.x_max_m) & (y_m >= self.y_min_m) & (y_m <= self.y_max_m)
        return inside


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """Ground, things, robots at their start, and regions. The ``with_`` methods give a changed copy."""

    name: str
    terrain: Terrain
    bodies: Bodies
    robots: tuple[PlacedRobot, ...]
    regions: tuple[Region, ...] = ()

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Least x and y, greatest x and y: of its limits if it has any, otherwise of its terrain."""
        for region in self.regions:
            if region.kind == "limits":
                return region.x_min_m, region.y_min_m, region.x_max_m, region.y_max_m
        ground = self.terrain
        return ground.x0_m, ground.y0_m, ground.x0_m + ground.width_m, ground.y0_m + ground.depth_m

    def region(self, name: str) -> Region:
        """The region of that name."""
        for region in self.regions:
            if region.name == name:
                return region
        names = [region.name for region in self.regions]
        raise WorldError(
            f"World {self.name!r} has no region {name!r}. It has: {', '.join(names)}." + did_you_mean(name, names)
        )

    def regions_of_kind(self, kind: str) -> tuple[Region, ...]:
        """All regions of a kind, in order. WorldError if there is none."""
        found = tuple(region for region in self.regions if region.kind == kind)
        if not found:
            kinds = list(dict.fromkeys(region.kind for region in self.regions))
            raise WorldError(
                f"World {self.name!r} has no region of kind {kind!r}. It has: {', '.join(kinds) or 'none'}."
                + did_you_mean(kind, kinds)
            )
        return found

    @classmethod
    def flat(cls, width_m: float, depth_m: float, *, name: str = "world") -> World:
        """Level, empty ground from (0, 0) to (width_m, depth_m), which is also its region ``limits``."""
        if not (width_m > 0.0 and depth_m > 0.0):
            raise WorldError(f"A flat world of {width_m!r} m x {depth_m!r} m cannot be. Wanted both above zero.")
        terrain = Terrain.flat(x0_m=0.0, y0_m=0.0, size_m=max(width_m, depth_m))
        return cls(name, terrain, Bodies.none(), (), (Region("limits", "limits", 0.0, 0.0, width_m, depth_m),))

    def robot(self, name: str) -> PlacedRobot:
        """The robot of that name, at its start."""
        for placed in self.robots:
            if placed.robot.name == name:
                return placed
        names = [placed.robot.name for placed in self.robots]
        raise WorldError(
            f"World {self.name!r} has no robot {name!r}. It has: {', '.join(names) or 'none'}."
            + did_you_mean(name, names)
        )

    def with_robot(self, name: str, robot: Robot, *, at: tuple[float, float], yaw_rad: float = 0.0) -> World:
        """One more robot, called ``name``. Of a model, its bodies come along: ``name/hand``."""
        if any(placed.robot.name == name for placed in self.robots):
            raise WorldError(f"World {self.name!r} has two robots called {name!r}; names must differ.")
        placed = PlacedRobot(replace(robot, name=name), at[0], at[1], yaw_rad)
        return replace(self, robots=(*self.robots, placed, *placed.parts))

    def with_body(self, body: Body, *, at: tuple[float, float], yaw_rad: float = 0.0) -> World:
        """One more body, standing on the ground."""
        return self.with_bodies(body, at=[at], yaw_rad=yaw_rad)

    def with_bodies(self, body: Body, *, at: Sequence[tuple[float, float]], yaw_rad: float = 0.0) -> World:
        """One more body at each of these places. Its kind is known to properties even if there is no place."""
        x, y = np.array(at, dtype=np.float64).reshape(-1, 2).T.copy()
        z = self.terrain.height_at(x, y)
        return replace(self, bodies=self.bodies + Bodies.copies(body, x, y, z, yaw_rad=yaw_rad))

    def with_kinds(self, *kinds: str) -> World:
        """Kinds of bodies that other worlds of the study have and this one may lack: properties may speak of them."""
        return replace(self, bodies=self.bodies + Bodies.of([], kinds=kinds))

    def with_region(self, region: Region) -> World:
        """One more region."""
        return replace(self, regions=(*self.regions, region))

    def scatter(
        self,
        body: Body,
        *,
        count: int,
        rng: np.random.Generator,
        clear_of: Sequence[str | tuple[float, float]] = (),
        clear_m: float = 1.0,
        gap_m: float = 0.1,
    ) -> World:
        """``count`` more bodies at random places inside the limits, ``gap_m`` or more apart.

        They stay ``clear_m`` away from ``clear_of``: names of robots, or points.
        """
        spots = _free_spots(self, body, count, clear_of=clear_of, clear_m=clear_m, gap_m=gap_m, rng=rng)
        return self.with_bodies(body, at=spots, yaw_rad=body.yaw_rad)


def _free_spots(
    world: World,
    body: Body,
    count: int,
    *,
    clear_of: Sequence[str | tuple[float, float]],
    clear_m: float,
    gap_m: float,
    rng: np.random.Generator,
) -> list[tuple[float, float]]:
    """Places for ``count`` bodies: ``gap_m`` from each other and from other bodies, ``clear_m`` from ``clear_of``."""
    radius_m = _radius(body.shape, body.size_x_m, body.size_y_m)
    x0, y0, x1, y1 = _ground(world, radius_m)
    taken = TakenGround()
    there = world.bodies
    columns = (there.x_m, there.y_m, there.shape, there.size_x_m, there.size_y_m)
    for x, y, shape, size_x, size_y in zip(*(column.tolist() for column in columns), strict=True):
        taken.add(x, y, _radius(shape, size_x, size_y) + radius_m + gap_m)
    for place in clear_of:
        taken.add(*_place(world, place), radius_m + clear_m)
    spots: list[tuple[float, float]] = []
    for _ in range(count):
        for _ in range(TRIES):
            x, y = float(rng.uniform(x0, x1)), float(rng.uniform(y0, y1))
            if taken.free(x, y):
                break
        else:
            raise WorldError(
                f"No room for {count} bodies of kind {body.kind!r}: {len(spots)} placed, then {TRIES} random places in "
                "a row were taken. Ask for fewer or smaller ones, or for smaller gap_m and clear_m."
            )
        spots.append((x, y))
        taken.add(x, y, 2.0 * radius_m + gap_m)
    return spots


def _radius(shape: int, size_x_m: float, size_y_m: float) -> float:
    """Of the circle around a body."""
    if shape == Shape.BOX:
        return math.hypot(size_x_m, size_y_m) / 2.0
    return max(size_x_m, size_y_m) / 2.0


def _place(world: World, name: str | tuple[float, float]) -> tuple[float, float]:
    if not isinstance(name, str):
        return name
    placed = world.robot(name)
    return placed.x_m, placed.y_m


def _ground(world: World, margin_m: float) -> tuple[float, float, float, float]:
    """Where bodies may stand: inside the limits if the world has any, otherwise on its terrain."""
    x0, y0, x1, y1 = world.bounds
    if min(x1 - x0, y1 - y0) <= 2.0 * margin_m:
        raise WorldError(f"A body {2.0 * margin_m:g} m wide does not fit a ground of {x1 - x0:g} m x {y1 - y0:g} m.")
    return x0 + margin_m, y0 + margin_m, x1 - margin_m, y1 - margin_m
