"""The actors of a session in motion: where they are at every tick, for sensors, contacts and the truth."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from stressfield.arrays import Floats
from stressfield.errors import PhysicsError
from stressfield.fuzz.condition import Observed, Point
from stressfield.fuzz.trigger import ME, NUMBERS, TIME, parse_trigger
from stressfield.scenario import Scenario, generator
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.rig.actors import _actor_kernels as motion
from stressfield.sim.rig.actors import _outline_kernels as a
from stressfield.sim.rig.place import Place
from stressfield.world import Actor, Opening, PlacedActor, Route, Shape, Standstill, Walk, World
from stressfield.world.actor import ACTOR_COLUMNS
from stressfield.world.model_drive import ModelDrive, PartDrive

STEP_MAX_S = 0.05
"""Actors move in steps of at most so much: in longer ones those that avoid each other would react too late."""

ASIDE_RAD = (0.01, 0.06)
"""By how much somebody who meets others keeps to the right, drawn anew for every run."""


@dataclass(frozen=True, slots=True, eq=False)
class _Trigger:
    """A condition that an actor waits for; a door goes on to watch it."""

    actor: int
    is_true: Callable[[Observed], bool | None]
    of: frozenset[str]
    """Names of those whom it speaks of."""
    again: bool


class MovingActors:
    """Moves the actors of a scenario and keeps their rows in a place where they are.

    ``truth`` has a row per actor, columns as in ``ACTOR_COLUMNS``. It is written anew with every tick. All randomness
    is from the run's seed and the actor's name: what one of them draws does not depend on who else is there.
    """

    def __init__(self, scenario: Scenario, place: Place, *, seed: int) -> None:
        world = scenario.world
        self._names = [placed.name for placed in world.actors]
        self._place = place
        count = len(world.actors)
        self._rows = [grid.rows[len(grid.rows) - count :] for grid in (place.solid, place.visible)] if count else []
        self._triggers = [
            _trigger(n, world, placed)
            for n, placed in enumerate(world.actors)
            if not isinstance(placed.actor.motion, Standstill) and placed.actor.motion.when
        ]
        self._robot_names = [placed.robot.name for placed in world.robots]
        self._actors, self._points = constants(world, seed)
        self._state = start_rows(world, self._actors)
        self._boxes = robot_boxes(world)
        self._seen = np.zeros((len(world.robots), a.SEEN_ROBOT_COLUMNS))
        self._moves = any(not isinstance(placed.actor.motion, Standstill) for placed in world.actors)
        ground = place.ground
        self._world = (
            self._seen, place.solid.rows, place.solid.start, place.solid.grid, ground.heights, ground.grid
        )  # fmt: skip
        if count:
            feet = world.terrain.height_at(self._state[:, a.AX], self._state[:, a.AY])
            self._state[:, a.AZ] = feet

    def __len__(self) -> int:
        return len(self._names)

    @property
    def truth(self) -> Floats:
        """Where the actors are and how they move; a view that the next tick changes."""
        return self._state[:, : len(ACTOR_COLUMNS)]

    def look(self) -> None:
        """See where the robots stand at the start."""
        a.see_robots(self._place.state, self._place.robots, self._boxes, self._seen, 0.0)

    def advance(self, time_ns: int, tick_ns: int) -> None:
        """Move all actors by one tick, in view of the robots where they are now."""
        if not self._moves:
            return
        tick_s, time_s = tick_ns / 1e9, time_ns / 1e9
        a.see_robots(self._place.state, self._place.robots, self._boxes, self._seen, tick_s if time_ns > 0 else 0.0)
        if self._triggers:
            self._fire(time_s)
        steps = max(1, math.ceil(tick_s / STEP_MAX_S - 1e-9))
        for n in range(steps):
            at_s = time_s + n * tick_s / steps
            if not motion.step(self._state, self._actors, self._points, *self._world, at_s, tick_s / steps):
                raise PhysicsError(f"The state of an actor is not finite at {at_s:g} s; wanted finite numbers.")
        self._show()

    def _show(self) -> None:
        for rows in self._rows:
            motion.show(rows, self._state, self._actors)

    def _fire(self, time_s: float) -> None:
        """Tell the actors whose condition is true to go. Those that went are not asked again, doors are."""
        seen = self._observed(time_s)
        for trigger in self._triggers:
            if ME in trigger.of:
                seen.update(_told(ME, *self._actor(trigger.actor)))
            self._state[trigger.actor, a.FIRED] = float(trigger.is_true(seen) is True)
        self._triggers = [t for t in self._triggers if t.again or self._state[t.actor, a.FIRED] == 0.0]

    def _observed(self, time_s: float) -> dict[str, float | Point]:
        """What conditions speak of, as far as any does."""
        seen: dict[str, float | Point] = {TIME: time_s}
        watched = frozenset().union(*(trigger.of for trigger in self._triggers))
        for n, name in enumerate(self._robot_names):
            if name in watched:
                row = self._place.state[n]
                x, y, z, yaw, speed = (float(row[column]) for column in (k.X, k.Y, k.Z, k.YAW, k.TRUE_SPEED))
                seen.update(_told(name, x, y, z, yaw, speed))
        for n, name in enumerate(self._names):
            if name in watched:
                seen.update(_told(name, *self._actor(n)))
        return seen

    def _actor(self, n: int) -> tuple[float, float, float, float, float]:
        x, y, z, yaw, vx, vy = self._state[n, : len(ACTOR_COLUMNS)].tolist()
        return x, y, z, yaw, math.hypot(vx, vy)


def _told(name: str, x: float, y: float, z: float, yaw: float, speed: float) -> dict[str, float | Point]:
    """What conditions can say of somebody."""
    numbers = (x, y, math.remainder(yaw, 2.0 * math.pi), speed)
    return {name: (x, y, z), **{f"{word}({name})": value for word, value in zip(NUMBERS, numbers, strict=True)}}


def _trigger(n: int, world: World, placed: PlacedActor) -> _Trigger:
    condition = parse_trigger(world, placed)
    of = frozenset(re.sub(r".*\((.*)\)", r"\1", variable) for variable in condition.variables)
    return _Trigger(n, condition.compile(), of, isinstance(placed.actor.motion, Opening))


def robot_boxes(world: World) -> Floats:
    """Boxes of the robots that are bodies of models."""
    rows = np.zeros((len(world.robots), a.BOX_COLUMNS))
    for row, placed in zip(rows, world.robots, strict=True):
        drive = placed.robot.drive
        if isinstance(drive, ModelDrive | PartDrive):
            box = drive.box
            row[a.FLIES] = 1.0 if box is not None else -1.0
            if box is not None:
                row[a.MID : a.HALF] = box.x_m, box.y_m, box.z_m
                row[a.HALF :] = box.size_x_m / 2.0, box.size_y_m / 2.0, box.size_z_m / 2.0
    return rows


def constants(world: World, seed: int) -> tuple[Floats, Floats]:
    """Constants of all actors, and the points of their ways one after the other."""
    rows = np.zeros((len(world.actors), a.ACTOR_COLUMN_COUNT))
    points: list[tuple[float, float]] = []
    names = list(dict.fromkeys(placed.actor.group for placed in world.actors if placed.actor.group))
    for row, placed in zip(rows, world.actors, strict=True):
        actor = placed.actor
        row[a.MODE] = _mode(actor)
        row[a.BOX] = float(actor.shape is Shape.BOX)
        row[a.CORNERS] = float(actor.shape is Shape.BOX and not actor.is_reactive)
        row[a.LONG], row[a.WIDE], row[a.AROUND] = actor.size_x_m / 2.0, actor.size_y_m / 2.0, actor.radius_m
        row[a.ACCEL], row[a.TURN_RATE], row[a.TALL] = actor.acceleration_mps2, actor.turn_radps, actor.height_m
        row[a.SEES], row[a.PUSHES] = float(actor.sees_robots), float(actor.pushes)
        row[a.GROUP] = names.index(actor.group) if actor.group else -1.0
        row[a.HOME_X], row[a.HOME_Y], row[a.HOME_YAW] = placed.x_m, placed.y_m, placed.yaw_rad
        # All are drawn, used or not: an actor that is changed in one respect keeps its luck in the others.
        rng = generator(seed, "actors", placed.name)
        pace, late, aside = rng.uniform(-1.0, 1.0), rng.uniform(), rng.uniform(*ASIDE_RAD)
        row[a.PACE] = actor.speed_mps * (1.0 + actor.speed_spread * pace)
        row[a.ASIDE] = -aside
        _add_motion(row, actor, late, points)
    return rows, np.array(points, dtype=np.float64).reshape(-1, 2)


def _mode(actor: Actor) -> float:
    match actor.motion:
        case Route():
            return a.FOLLOWS
        case Walk(avoidance="orca"):
            return a.ORCA
        case Walk():
            return a.PUSHED
        case Opening():
            return a.OPENS
    return a.STANDS


def _add_motion(row: Floats, actor: Actor, late: float, points: list[tuple[float, float]]) -> None:
    way = actor.motion
    if isinstance(way, Standstill):
        return
    row[a.START] = way.start_s + late * way.start_spread_s
    row[a.TRIGGERED] = float(bool(way.when))
    if isinstance(way, Opening):
        row[a.SLIDE], row[a.SWING] = way.slide_m, way.swing_rad
        row[a.HOLD] = -1.0 if way.hold_s is None else way.hold_s
        row[a.EVERY] = -1.0 if way.every_s is None else way.every_s
        return
    row[a.FIRST], row[a.COUNT] = len(points), len(way.points)
    row[a.LOOP], row[a.PAUSE] = float(way.loop), way.pause_s
    points.extend(way.points)


def start_rows(world: World, actors: Floats) -> Floats:
    """The state of all actors at rest at their start."""
    rows = np.zeros((len(world.actors), a.ACTOR_STATE_COLUMNS))
    rows[:, [a.AX, a.AY, a.AYAW]] = actors[:, [a.HOME_X, a.HOME_Y, a.HOME_YAW]]
    rows[:, a.SINCE] = -np.inf
    return rows
