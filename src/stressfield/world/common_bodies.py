"""Ready-made bodies, to be placed with ``World.with_body`` or ``World.scatter``. They stand still."""

from __future__ import annotations

from stressfield.world.bodies import Body, Shape


def cylinder(kind: str, *, radius_m: float, height_m: float, solid: bool = True, gives_way: bool = False) -> Body:
    """Something round and upright; ``kind`` is the name by which properties find it."""
    width = 2.0 * radius_m
    return Body(kind, kind, Shape.CYLINDER, 0.0, 0.0, 0.0, width, width, height_m, solid=solid, gives_way=gives_way)


def box(
    kind: str, *, length_m: float, width_m: float, height_m: float, solid: bool = True, gives_way: bool = False
) -> Body:
    """Something with corners; ``length_m`` lies along x before it is turned."""
    return Body(kind, kind, Shape.BOX, 0.0, 0.0, 0.0, length_m, width_m, height_m, solid=solid, gives_way=gives_way)


def tree(*, radius_m: float = 0.2, height_m: float = 3.0) -> Body:
    """A trunk."""
    return cylinder("tree", radius_m=radius_m, height_m=height_m)


def person(*, radius_m: float = 0.25, height_m: float = 1.75) -> Body:
    """Somebody who stands still."""
    return cylinder("person", radius_m=radius_m, height_m=height_m)


def wall(*, length_m: float, thickness_m: float = 0.1, height_m: float = 2.0) -> Body:
    """A straight wall, along x before it is turned."""
    return box("wall", length_m=length_m, width_m=thickness_m, height_m=height_m)
