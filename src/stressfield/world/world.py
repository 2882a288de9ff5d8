"""A concrete place, independent of any simulator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from stressfield.arrays import Flags, Floats
from stressfield.errors import WorldError, did_you_mean
from stressfield.model.files import File
from stressfield.world._taken_ground import TakenGround, rectangle
from stressfield.world.actor import Actor, PlacedActor, check_actors
from stressfield.world.bodies import Bodies, Body, Shape
from stressfield.world.robot import PlacedRobot, Robot
from stressfield.world.sensors import Sensor
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
    """Ground, things, robots and actors at their start, and regions. The ``with_`` methods give a changed copy."""

    name: str
    terrain: Terrain
    bodies: Bodies
    robots: tuple[PlacedRobot, ...]
    regions: tuple[Region, ...] = ()
    actors: tuple[PlacedActor, ...] = ()

    def __post_init__(self) -> None:
        if self.actors:
            check_actors(self)

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

    @classmethod
    def from_sdf(
        cls,
        path: Path | str,
        *,
        sensors: Sequence[type[Sensor]] = (),
        unreadable: Literal["error", "skip"] = "error",
        models: Sequence[Path] = (),
    ) -> World:
        """The world in an SDF file. Anything that cannot be read is a WorldError that names the element.

        A file that :func:`stressfield.world.export_world` wrote gives the same world: bodies, ground, regions and
        robots at their start. ``sensors`` are types of your own that these robots may have.

        A foreign file gives its boxes, cylinders and spheres as bodies on flat ground; their kind is the model's name
        without its number, and all of them block. Models are where a saved state has them. Included models are looked
        for beside the file, in its folder ``models`` and in the folders ``models``. Lights, joints and plugins are not
        read. With ``unreadable="skip"`` meshes and whatever else cannot be read are left out, and a warning says what.
        """
        from stressfield.world.formats.sdf_read import sdf_world  # noqa: PLC0415 (which imports this file)

        return sdf_world(_file(path), sensors=sensors, unreadable=unreadable, models=models)

    @classmethod
    def from_map(
        cls,
        path: Path | str,
        *,
        unknown: Literal["blocked", "free"] = "blocked",
        occupied_from: int = 65,
        height_m: float = 1.0,
        kind: str = "wall",
    ) -> World:
        """The place in a map of a map server (ROS, Nav2): a YAML file beside a PGM or PNG picture.

        Occupied cells (``occupied_from`` percent or more) become boxes of this ``kind`` and ``height_m``, merged to as
        few as possible; unknown ones become boxes of kind ``unknown``, or nothing if they are to be ``"free"``. The
        region ``limits`` is what the map knows.
        """
        from stressfield.world.formats.map import map_world  # noqa: PLC0415 (which imports this file)

        return map_world(_file(path), unknown=unknown, occupied_from=occupied_from, height_m=height_m, kind=kind)

    @classmethod
    def from_mjcf(cls, path: Path | str, *, unreadable: Literal["error", "skip"] = "error") -> World:
        """What stands fast in an MJCF file, read by MuJoCo (extra ``mujoco``): boxes, cylinders, capsules and spheres.

        Capsules are read as the cylinders around them. A level plane or a straight height field is the ground. The kind
        of a body is the name of its MuJoCo body, or of the geom, without its number. Meshes, whatever leans, and
        whatever has joints is a WorldError that names it; with ``unreadable="skip"`` it is left out, and a warning says
        what.
        """
        from stressfield.world.formats.mjcf import mjcf_world  # noqa: PLC0415 (which imports this file)

        return mjcf_world(_file(path), unreadable=unreadable)

    def require_free(
        self, place: str | tuple[float, float], *, radius_m: float | None = None, what: str = "place"
    ) -> None:
        """WorldError unless nothing that blocks is within ``radius_m`` of a place, and the place is inside the bounds.

        ``place`` is a point (``what`` is its name in messages: "goal"), or the name of a robot, whose footprint is
        looked at if no ``radius_m`` is given.
        """
        from stressfield.world._free_ground import require_free  # noqa: PLC0415 (which imports this file)

        require_free(self, place, radius_m=radius_m, what=what)

    def require_apart(self) -> None:
        """WorldError if an actor starts in a robot. Every scenario asks for this."""
        from stressfield.world._free_ground import require_apart  # noqa: PLC0415 (which imports this file)

        require_apart(self)

    def reachable(
        self,
        start: str | tuple[float, float],
        goal: str | tuple[float, float],
        *,
        radius_m: float | None = None,
        resolution_m: float = 0.05,
    ) -> bool:
        """Whether a circle of ``radius_m`` can be moved from start to goal without touching anything that blocks.

        ``start`` and ``goal`` are points or names of robots. For a robot the radius is half of its width unless given:
        where that does not pass, the robot does not. The search is a grid of ``resolution_m``: a gap that is wider than
        the circle by less may not be found.
        """
        from stressfield.world._free_ground import reachable  # noqa: PLC0415 (which imports this file)

        return reachable(self, start, goal, radius_m=radius_m, resolution_m=resolution_m)

    def require_reachable(
        self,
        start: str | tuple[float, float],
        goal: str | tuple[float, float],
        *,
        radius_m: float | None = None,
        resolution_m: float = 0.05,
    ) -> None:
        """WorldError unless start and goal are free and a way leads from one to the other (see :meth:`reachable`)."""
        from stressfield.world._free_ground import require_reachable  # noqa: PLC0415 (which imports this file)

        require_reachable(self, start, goal, radius_m=radius_m, resolution_m=resolution_m)

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

    def actor(self, name: str) -> PlacedActor:
        """The actor of that name, at its start."""
        for placed in self.actors:
            if placed.name == name:
                return placed
        names = [placed.name for placed in self.actors]
        raise WorldError(
            f"World {self.name!r} has no actor {name!r}. It has: {', '.join(names) or 'none'}."
            + did_you_mean(name, names)
        )

    def with_actor(self, name: str, actor: Actor, *, at: tuple[float, float], yaw_rad: float = 0.0) -> World:
        """One more actor, called ``name``: whatever moves and is not under test."""
        placed = PlacedActor(actor, name, float(at[0]), float(at[1]), float(yaw_rad))
        return replace(self, actors=(*self.actors, placed))

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


def _file(path: Path | str) -> Path:
    """Where a file is; a value of the parameter ``worlds`` knows it."""
    return path.path if isinstance(path, File) else Path(path)


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
    box = _corners(body.shape, body.size_x_m, body.size_y_m, body.yaw_rad)
    radius_m = 0.0 if box else max(body.size_x_m, body.size_y_m) / 2.0
    x0, y0, x1, y1 = _ground(world, *(np.abs(box).max(axis=0).tolist() if box else (radius_m, radius_m)))
    taken = TakenGround()
    there = world.bodies
    columns = (there.x_m, there.y_m, there.shape, there.size_x_m, there.size_y_m, there.yaw_rad)
    for x, y, shape, size_x, size_y, yaw in zip(*(column.tolist() for column in columns), strict=True):
        other = _corners(shape, size_x, size_y, yaw)
        reach = 0.0 if other else max(size_x, size_y) / 2.0
        taken.add_pair(x, y, other, reach, box, radius_m, gap_m)
    for place in clear_of:
        taken.add_pair(*_place(world, place), (), 0.0, box, radius_m, clear_m)
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
        taken.add_pair(x, y, box, radius_m, box, radius_m, gap_m)
    return spots


def _corners(shape: int, size_x_m: float, size_y_m: float, yaw_rad: float) -> tuple[tuple[float, float], ...]:
    """Of a box around its middle; a round body has none."""
    return rectangle(size_x_m / 2.0, size_y_m / 2.0, yaw_rad) if shape == Shape.BOX else ()


def _place(world: World, name: str | tuple[float, float]) -> tuple[float, float]:
    if not isinstance(name, str):
        return name
    placed = world.robot(name)
    return placed.x_m, placed.y_m


def _ground(world: World, reach_x_m: float, reach_y_m: float) -> tuple[float, float, float, float]:
    """Where bodies may stand: inside the limits if the world has any, otherwise on its terrain."""
    x0, y0, x1, y1 = world.bounds
    if x1 - x0 <= 2.0 * reach_x_m or y1 - y0 <= 2.0 * reach_y_m:
        raise WorldError(
            f"A body {2.0 * max(reach_x_m, reach_y_m):g} m wide does not fit a ground of {x1 - x0:g} m x {y1 - y0:g} m."
        )
    return x0 + reach_x_m, y0 + reach_y_m, x1 - reach_x_m, y1 - reach_y_m
