"""Tables, walls, obstacles and objects as bodies of a world."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin

from stressfield.errors import InputError
from stressfield.world import Body, Shape
from stressfield_studies.tabletop.mission import Surface, TableObject, Wall
from stressfield_studies.tabletop.place.rooms import WALL_HEIGHT_M

TOP_M = 0.03
LEG_M = 0.05

_OBSTACLES = {
    "chair": Body("chair", "chair", Shape.BOX, 0.0, 0.0, 0.0, 0.45, 0.45, 0.85),
    "bin": Body("bin", "bin", Shape.CYLINDER, 0.0, 0.0, 0.0, 0.40, 0.40, 0.50),
    "suitcase": Body("suitcase", "suitcase", Shape.BOX, 0.0, 0.0, 0.0, 0.50, 0.28, 0.70),
    "plant_pot": Body("plant_pot", "plant_pot", Shape.CYLINDER, 0.0, 0.0, 0.0, 0.36, 0.36, 0.80),
}

OBSTACLES = tuple(_OBSTACLES)


def obstacle_body(kind: str) -> Body:
    """An obstacle at the origin."""
    if kind not in _OBSTACLES:
        raise InputError(f"Unknown obstacle {kind!r}. Wanted: {', '.join(_OBSTACLES)}.")
    return _OBSTACLES[kind]


def table_bodies(surface: Surface) -> list[Body]:
    """A top on four legs."""
    foot = surface.height_m - TOP_M
    c, s = cos(surface.yaw_rad), sin(surface.yaw_rad)
    depth, length = surface.depth_m, surface.length_m
    top = Body(surface.name, "table", Shape.BOX, surface.x_m, surface.y_m, foot, depth, length, TOP_M, surface.yaw_rad)
    legs = []
    for a in (-1.0, 1.0):
        for b in (-1.0, 1.0):
            u, v = a * (depth - LEG_M) / 2.0, b * (length - LEG_M) / 2.0
            x, y = surface.x_m + c * u - s * v, surface.y_m + s * u + c * v
            legs.append(Body("leg", "leg", Shape.BOX, x, y, 0.0, LEG_M, LEG_M, foot, surface.yaw_rad))
    return [top, *legs]


def footprint(surface: Surface) -> Wall:
    """A table on the robot's map."""
    return Wall(surface.x_m, surface.y_m, surface.yaw_rad, surface.depth_m, surface.length_m)


def wall_body(wall: Wall) -> Body:
    """A wall."""
    return Body(
        "wall", "wall", Shape.BOX, wall.x_m, wall.y_m, 0.0, wall.length_m, wall.width_m, WALL_HEIGHT_M, wall.yaw_rad
    )


def object_body(thing: TableObject) -> Body:
    """An object where it stands at the beginning."""
    foot = thing.z_m - thing.height_m / 2.0
    return Body(
        thing.name, thing.kind, thing.shape, thing.x_m, thing.y_m, foot,
        thing.length_m, thing.width_m, thing.height_m, thing.yaw_rad,
    )  # fmt: skip


TABLE_SHADE = 0.95
"""How bright tables, walls and floors look to the camera."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of object. ``shade`` is how bright it looks to the depth camera: by it the robot tells kinds apart."""

    name: str
    shape: Shape
    length_m: float
    width_m: float
    height_m: float
    mass_kg: float
    shade: float
    colour: tuple[float, float, float]


_KINDS = (
    Kind("glass", Shape.CYLINDER, 0.062, 0.062, 0.12, 0.20, 0.05, (0.55, 0.80, 0.90)),
    Kind("cup", Shape.CYLINDER, 0.066, 0.066, 0.08, 0.18, 0.15, (0.90, 0.45, 0.30)),
    Kind("mug", Shape.CYLINDER, 0.066, 0.066, 0.10, 0.30, 0.25, (0.30, 0.45, 0.80)),
    Kind("can", Shape.CYLINDER, 0.064, 0.064, 0.115, 0.35, 0.35, (0.80, 0.15, 0.20)),
    Kind("bottle", Shape.CYLINDER, 0.060, 0.060, 0.21, 0.50, 0.45, (0.20, 0.60, 0.35)),
    Kind("bowl", Shape.CYLINDER, 0.066, 0.066, 0.05, 0.25, 0.55, (0.95, 0.85, 0.45)),
    Kind("box", Shape.BOX, 0.080, 0.050, 0.11, 0.25, 0.65, (0.60, 0.40, 0.25)),
    Kind("sponge", Shape.BOX, 0.100, 0.060, 0.04, 0.05, 0.75, (0.95, 0.75, 0.15)),
    Kind("carton", Shape.BOX, 0.062, 0.062, 0.18, 0.60, 0.85, (0.75, 0.55, 0.80)),
)

KINDS = {kind.name: kind for kind in _KINDS}
"""All kinds by name. The bowl is a small one: the gripper opens by 80 mm and takes it from above, round its rim."""
