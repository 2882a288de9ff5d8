"""Tables, walls, obstacles and objects as bodies of a world."""

from __future__ import annotations

from math import cos, sin

from stressfield.errors import InputError
from stressfield.world import Body, Shape
from stressfield_studies.tabletop.mission import Surface, TableObject, Wall
from stressfield_studies.tabletop.rooms import WALL_HEIGHT_M

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
