"""Ready-made actors, to be placed with ``World.with_actor``, and the ways in which they move.

``sf.actors.person(motion=sf.actors.Walk(points=((8.0, 2.0), (1.0, 2.0)), loop=True))``. What differs in yours is
changed with ``dataclasses.replace``.
"""

from __future__ import annotations

from math import pi

from stressfield.world.actor import STANDSTILL, Actor, ActorMotion, Avoidance, Opening, Route, Standstill, Walk
from stressfield.world.bodies import Shape

__all__ = [
    "Actor",
    "ActorMotion",
    "Avoidance",
    "Opening",
    "Route",
    "Standstill",
    "Walk",
    "cart",
    "door",
    "forklift",
    "person",
    "vehicle",
]

SWING = Opening(swing_rad=pi / 2.0)
HURRY = 1.5
"""How much faster somebody walks who is in a hurry."""


def person(
    *,
    motion: ActorMotion = STANDSTILL,
    distracted: bool = False,
    hurrying: bool = False,
    speed_mps: float = 1.3,
    speed_spread: float = 0.0,
    radius_m: float = 0.25,
    height_m: float = 1.75,
    group: str = "",
) -> Actor:
    """Somebody on foot. Who is ``distracted`` does not see robots; who is ``hurrying`` walks half as fast again."""
    return Actor(
        kind="person",
        size_x_m=2.0 * radius_m,
        size_y_m=2.0 * radius_m,
        height_m=height_m,
        speed_mps=HURRY * speed_mps if hurrying else speed_mps,
        speed_spread=speed_spread,
        acceleration_mps2=4.0 if hurrying else 2.0,
        motion=motion,
        sees_robots=not distracted,
        group=group,
    )


def cart(
    *,
    motion: ActorMotion = STANDSTILL,
    length_m: float = 1.2,
    width_m: float = 0.6,
    height_m: float = 1.0,
    speed_mps: float = 1.0,
    sees_robots: bool = True,
) -> Actor:
    """A trolley with somebody behind it. It stops where it meets a robot."""
    return _vehicle("cart", motion, (length_m, width_m, height_m), speed_mps, 1.0, 1.5, sees_robots, pushes=False)


def forklift(
    *,
    motion: ActorMotion = STANDSTILL,
    length_m: float = 2.4,
    width_m: float = 1.1,
    height_m: float = 2.1,
    speed_mps: float = 2.0,
    sees_robots: bool = True,
) -> Actor:
    """Heavy enough to shove a robot that its driver does not see."""
    return _vehicle("forklift", motion, (length_m, width_m, height_m), speed_mps, 1.0, 1.0, sees_robots, pushes=True)


def vehicle(
    *,
    kind: str = "vehicle",
    motion: ActorMotion = STANDSTILL,
    length_m: float = 4.2,
    width_m: float = 1.8,
    height_m: float = 1.5,
    speed_mps: float = 4.0,
    sees_robots: bool = True,
) -> Actor:
    """A car, or any other box on wheels."""
    return _vehicle(kind, motion, (length_m, width_m, height_m), speed_mps, 2.0, 0.8, sees_robots, pushes=True)


def door(
    *,
    motion: ActorMotion = SWING,
    width_m: float = 1.0,
    thickness_m: float = 0.06,
    height_m: float = 2.0,
    speed_mps: float = 0.6,
) -> Actor:
    """A leaf ``width_m`` long, along x before it is turned. Its edge moves at ``speed_mps``; a robot holds it."""
    return Actor(
        kind="door",
        shape=Shape.BOX,
        size_x_m=width_m,
        size_y_m=thickness_m,
        height_m=height_m,
        speed_mps=speed_mps,
        acceleration_mps2=1.0,
        motion=motion,
        sees_robots=False,
    )


def _vehicle(
    kind: str,
    motion: ActorMotion,
    size_m: tuple[float, float, float],
    speed_mps: float,
    acceleration_mps2: float,
    turn_radps: float,
    sees_robots: bool,
    *,
    pushes: bool,
) -> Actor:
    return Actor(
        kind=kind,
        shape=Shape.BOX,
        size_x_m=size_m[0],
        size_y_m=size_m[1],
        height_m=size_m[2],
        speed_mps=speed_mps,
        acceleration_mps2=acceleration_mps2,
        turn_radps=turn_radps,
        motion=motion,
        sees_robots=sees_robots,
        pushes=pushes,
    )
