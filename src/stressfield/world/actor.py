"""Whatever moves in a world and is not under test: people, carts, doors, vehicles; and how they move."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

from stressfield.errors import WorldError, did_you_mean
from stressfield.world.bodies import Shape

if TYPE_CHECKING:
    from stressfield.world.world import Region, World

Point: TypeAlias = tuple[float, float]

Avoidance: TypeAlias = Literal["social force", "orca"]
"""How a reactive actor keeps clear of others.

``social force``: it is pushed away by what is near or will be, as in Helbing and Molnar's model: soft, with a wide
berth. ``orca``: it takes the velocity nearest to the one it wants that avoids a collision within the next seconds if
others do their half (van den Berg et al.): smooth, exact, and close.
"""


ACTOR_COLUMNS = ("x_m", "y_m", "z_m", "yaw_rad", "vx_mps", "vy_mps")
"""What is observed of an actor: where its middle is (z: its foot), where its front points, how it moves."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standstill:
    """It stays where it was put."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A script: from where it stands straight to one point after the other, whatever is in its way.

    It sets off ``start_s`` after the start, once ``when`` is true (a condition of the language of disturbances, see
    :mod:`stressfield.fuzz.trigger`; empty: at once), and waits ``pause_s`` at every point. With ``loop`` it goes on
    from the last point to the first; without, it stays at the last. ``start_spread_s``: it sets off up to so much
    later, drawn anew for every run.
    """

    points: tuple[Point, ...]
    loop: bool = False
    pause_s: float = 0.0
    start_s: float = 0.0
    start_spread_s: float = 0.0
    when: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The same points as a :class:`Route`, but reactive: on its way it avoids robots, other actors and bodies.

    An actor whose ``sees_robots`` is False avoids all but robots.
    """

    points: tuple[Point, ...]
    avoidance: Avoidance = "social force"
    loop: bool = False
    pause_s: float = 0.0
    start_s: float = 0.0
    start_spread_s: float = 0.0
    when: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """A door: it slides by ``slide_m`` along its length, or swings by ``swing_rad`` about its end at the back.

    The back is where its own x is least; it swings to the left if positive. It opens ``start_s`` after the start and
    again every ``every_s`` (None: once), or whenever ``when`` is true. It closes when it has been open without cause
    for ``hold_s`` (None: it stays open).
    """

    slide_m: float = 0.0
    swing_rad: float = 0.0
    hold_s: float | None = None
    every_s: float | None = None
    start_s: float = 0.0
    start_spread_s: float = 0.0
    when: str = ""


STANDSTILL = Standstill()
ActorMotion: TypeAlias = Standstill | Route | Walk | Opening


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Something that moves by itself. ``kind`` is the name by which properties find it.

    Its outline is a circle (``Shape.CYLINDER`` of diameter ``size_x_m``) or a box (``size_x_m`` ahead, ``size_y_m``
    across). It goes at ``speed_mps``, faster or slower by ``acceleration_mps2`` at most, and turns its front to where
    it goes by ``turn_radps`` at most; a box turns on the spot before it drives on.

    A reactive actor (:class:`Walk`) never enters bodies, robots or other actors by itself. A scripted one
    (:class:`Route`, :class:`Opening`) goes through bodies and other actors, as doors do; before a robot it waits if it
    ``sees_robots`` and otherwise walks into it. Walking into a robot is a contact, seen in the truth of the robot:
    the actor is held there until the robot is gone, unless it ``pushes`` what it does not see. Then it goes on: in
    MuJoCo it shoves the robot, in the kinematic simulator, where nothing is pushed, it overlaps it (a negative
    clearance).
    """

    kind: str
    shape: Shape = Shape.CYLINDER
    size_x_m: float = 0.5
    size_y_m: float = 0.5
    height_m: float = 1.75
    speed_mps: float = 1.3
    speed_spread: float = 0.0
    """By what share its speed may be higher or lower, drawn anew for every run."""
    acceleration_mps2: float = 2.0
    turn_radps: float = 4.0
    motion: ActorMotion = STANDSTILL
    sees_robots: bool = True
    pushes: bool = False
    group: str = ""
    """Reactive actors of the same group stay together and go as fast as the slowest of them."""

    @property
    def is_reactive(self) -> bool:
        """Whether it avoids others on its way."""
        return isinstance(self.motion, Walk)

    @property
    def radius_m(self) -> float:
        """Of the circle around its outline."""
        if self.shape is Shape.BOX:
            return math.hypot(self.size_x_m, self.size_y_m) / 2.0
        return self.size_x_m / 2.0


@dataclass(frozen=True, slots=True)
class PlacedActor:
    """An actor at its start."""

    actor: Actor
    name: str
    x_m: float
    y_m: float
    yaw_rad: float = 0.0

    def __post_init__(self) -> None:
        _check_body(self)
        _check_motion(self)


def _check_body(placed: PlacedActor) -> None:
    actor, name = placed.actor, placed.name
    if not isinstance(name, str) or not name or not actor.kind:
        raise WorldError(f"An actor needs a name and a kind, got {name!r} and {actor.kind!r}.")
    _finite(placed, x_m=placed.x_m, y_m=placed.y_m, yaw_rad=placed.yaw_rad)
    _above_zero(
        placed,
        size_x_m=actor.size_x_m,
        size_y_m=actor.size_y_m,
        height_m=actor.height_m,
        acceleration_mps2=actor.acceleration_mps2,
        turn_radps=actor.turn_radps,
    )
    _not_negative(placed, speed_mps=actor.speed_mps)
    if not 0.0 <= actor.speed_spread < 1.0:
        raise WorldError(
            f"Actor {name!r} has a speed_spread of {actor.speed_spread!r}; wanted a share from 0 to less than 1."
        )
    if actor.shape not in {Shape.CYLINDER, Shape.BOX}:
        raise WorldError(
            f"Actor {name!r} has the outline {actor.shape!r}; wanted Shape.CYLINDER or Shape.BOX, which stand upright."
        )
    if actor.shape is Shape.CYLINDER and actor.size_x_m != actor.size_y_m:
        raise WorldError(
            f"Actor {name!r} is round but {actor.size_x_m!r} m x {actor.size_y_m!r} m wide; wanted both "
            "alike, or a box."
        )


def _check_motion(placed: PlacedActor) -> None:
    motion, name = placed.actor.motion, placed.name
    if isinstance(motion, Standstill):
        return
    if not isinstance(motion, Route | Walk | Opening):
        raise WorldError(f"Actor {name!r} moves by {motion!r}; wanted a Standstill, Route, Walk or Opening.")
    _not_negative(placed, start_s=motion.start_s, start_spread_s=motion.start_spread_s)
    if placed.actor.speed_mps == 0.0:
        raise WorldError(
            f"Actor {name!r} has a {type(motion).__name__} but a speed_mps of 0; wanted more than zero, or "
            "a Standstill."
        )
    if isinstance(motion, Opening):
        _check_opening(placed, motion)
        return
    _not_negative(placed, pause_s=motion.pause_s)
    if not motion.points:
        raise WorldError(
            f"Actor {name!r} has a {type(motion).__name__} without points; wanted at least one, or a Standstill."
        )
    for point in motion.points:
        if len(point) != 2 or not all(math.isfinite(value) for value in point):
            raise WorldError(f"Actor {name!r} has the point {point!r} on its way; wanted two finite numbers, x and y.")
    if isinstance(motion, Walk) and motion.avoidance not in (known := get_args(Avoidance)):
        raise WorldError(
            f"Actor {name!r} avoids others by {motion.avoidance!r}; wanted one of: {', '.join(known)}."
            + did_you_mean(str(motion.avoidance), known)
        )
    if motion.loop and motion.pause_s == 0.0 and len(set(motion.points)) == 1 and not isinstance(motion, Walk):
        raise WorldError(
            f"Actor {name!r} goes in a loop through one point, {motion.points[0]!r}; wanted two different ones or more."
        )


def _check_opening(placed: PlacedActor, motion: Opening) -> None:
    name = placed.name
    _finite(placed, slide_m=motion.slide_m, swing_rad=motion.swing_rad)
    if (motion.slide_m == 0.0) == (motion.swing_rad == 0.0):
        raise WorldError(
            f"Actor {name!r} opens by slide_m {motion.slide_m!r} and swing_rad {motion.swing_rad!r}; "
            "wanted one of them, the other 0."
        )
    if placed.actor.shape is not Shape.BOX:
        raise WorldError(f"Actor {name!r} has an Opening but is round; wanted a box (Shape.BOX).")
    if motion.hold_s is not None:
        _not_negative(placed, hold_s=motion.hold_s)
    if motion.every_s is not None:
        _above_zero(placed, every_s=motion.every_s)
        if motion.when or motion.hold_s is None or motion.hold_s >= motion.every_s:
            raise WorldError(
                f"Actor {name!r} opens every {motion.every_s:g} s; wanted no 'when', and a hold_s shorter than that."
            )


def _finite(placed: PlacedActor, **values: float) -> None:
    for field, value in values.items():
        if not math.isfinite(value):
            raise WorldError(f"Actor {placed.name!r} has {field} = {value!r}; wanted a finite number.")


def _above_zero(placed: PlacedActor, **values: float) -> None:
    for field, value in values.items():
        if not (math.isfinite(value) and value > 0.0):
            raise WorldError(f"Actor {placed.name!r} has {field} = {value!r}; wanted a number above zero.")


def _not_negative(placed: PlacedActor, **values: float) -> None:
    for field, value in values.items():
        if not (math.isfinite(value) and value >= 0.0):
            raise WorldError(f"Actor {placed.name!r} has {field} = {value!r}; wanted zero or more.")


def check_actors(world: World) -> None:
    """A WorldError that names the first actor which does not fit the world: its name, or where it would go."""
    robots = {placed.robot.name for placed in world.robots}
    names: set[str] = set()
    x0, y0, x1, y1 = _bounds(world)
    for placed in world.actors:
        if placed.name in names:
            raise WorldError(f"World {world.name!r} has two actors called {placed.name!r}; names must differ.")
        if placed.name in robots:
            raise WorldError(
                f"World {world.name!r} has a robot and an actor called {placed.name!r}; names must differ."
            )
        names.add(placed.name)
        for what, (x, y) in _ways(placed):
            if not (x0 <= x <= x1 and y0 <= y <= y1):
                raise WorldError(
                    f"Actor {placed.name!r} {what} ({x:g}, {y:g}), which is outside of world {world.name!r}; "
                    f"wanted x from {x0:g} to {x1:g} and y from {y0:g} to {y1:g}."
                )


def _bounds(world: World) -> tuple[float, float, float, float]:
    """Where actors may be: inside the limits if the world has any, otherwise on its terrain."""
    limits: Sequence[Region] = [region for region in world.regions if region.kind == "limits"]
    if limits:
        return limits[0].x_min_m, limits[0].y_min_m, limits[0].x_max_m, limits[0].y_max_m
    ground = world.terrain
    return ground.x0_m, ground.y0_m, ground.x0_m + ground.width_m, ground.y0_m + ground.depth_m


def _ways(placed: PlacedActor) -> list[tuple[str, Point]]:
    """Where an actor stands and goes to, in words."""
    motion = placed.actor.motion
    goes = motion.points if isinstance(motion, Route | Walk) else ()
    return [("stands at", (placed.x_m, placed.y_m)), *(("goes to", point) for point in goes)]
