"""How two outlines come near each other: the gap between them, and how far or how long until they touch.

Everything is seen from above, per sample of a recording. An outline is a box or a circle that moves straight on,
turned as it is at that moment: the times and ways are those of that instant's motion, not forecasts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stressfield.arrays import Flags, Floats, cosines, sines
from stressfield.oracle._clearance import _Place, _to_boxes, _to_circles
from stressfield.trace import ActorTruth, Truth
from stressfield.world import PlacedActor, Robot, Shape


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Outline:
    """Somebody or something over time: its centre, how it is turned, how it moves. Arrays have a value a sample."""

    name: str
    x_m: Floats
    y_m: Floats
    yaw_rad: Floats
    vx_mps: Floats
    vy_mps: Floats
    half_x_m: float
    half_y_m: float
    is_round: bool


def robot_outline(truth: Truth, robot: Robot) -> Outline:
    """A robot. Its velocity is that of its footprint's centre from sample to sample, so that any drive will do."""
    yaw = truth.yaw_rad
    x = truth.x_m + robot.centre_offset_m * cosines(yaw)
    y = truth.y_m + robot.centre_offset_m * sines(yaw)
    return Outline(
        name=robot.name,
        x_m=x,
        y_m=y,
        yaw_rad=yaw,
        vx_mps=_velocity(truth.time_s, x),
        vy_mps=_velocity(truth.time_s, y),
        half_x_m=robot.length_m / 2.0,
        half_y_m=robot.width_m / 2.0,
        is_round=False,
    )


def actor_outline(truth: ActorTruth, placed: PlacedActor) -> Outline:
    """An actor, with the velocity that was observed."""
    return Outline(
        name=placed.name,
        x_m=truth.x_m,
        y_m=truth.y_m,
        yaw_rad=truth.yaw_rad,
        vx_mps=truth.vx_mps,
        vy_mps=truth.vy_mps,
        half_x_m=placed.actor.size_x_m / 2.0,
        half_y_m=placed.actor.size_y_m / 2.0,
        is_round=placed.actor.shape is not Shape.BOX,
    )


def _velocity(time_s: Floats, place_m: Floats) -> Floats:
    """Metres per second since the sample before; at the first sample, until the next."""
    if len(time_s) < 2:
        return np.zeros(len(time_s))
    rates = np.diff(place_m) / np.diff(time_s)
    return np.concatenate([rates[:1], rates])


@dataclass(frozen=True, slots=True, eq=False)
class Approach:
    """Another outline, seen from a robot: all in the robot's frame, about the centre of its footprint."""

    robot: Robot
    other: Outline
    along_m: Floats
    across_m: Floats
    turn_rad: Floats
    cos_yaw: Floats
    sin_yaw: Floats

    @classmethod
    def of(cls, mine: Outline, robot: Robot, other: Outline) -> Approach:
        """One outline from another; both have the same samples."""
        c, s = cosines(mine.yaw_rad), sines(mine.yaw_rad)
        dx, dy = other.x_m - mine.x_m, other.y_m - mine.y_m
        return cls(robot, other, c * dx + s * dy, c * dy - s * dx, other.yaw_rad - mine.yaw_rad, c, s)

    def gap_m(self) -> Floats:
        """Metres between the outlines; negative is depth of overlap."""
        along, across, turn = (column[:, None] for column in (self.along_m, self.across_m, self.turn_rad))
        half = (np.array([self.other.half_x_m]), np.array([self.other.half_y_m]))
        place = _Place(along, across, turn, *half)
        return np.asarray((_to_circles if self.other.is_round else _to_boxes)(self.robot, place)[:, 0])

    def touch(self, vx: Floats, vy: Floats, *, side_m: float = 0.0) -> Floats:
        """When they touch if the other one moves by (vx, vy), in the world, per unit of time; infinity if never.

        Zero where they overlap now. To graze is not to touch. ``side_m`` widens the robot on both sides.
        """
        c, s = self.cos_yaw, self.sin_yaw
        along, across = c * vx + s * vy, c * vy - s * vx
        half = (self.robot.length_m / 2.0, self.robot.width_m / 2.0 + side_m)
        return self._touch_round(along, across, half) if self.other.is_round else self._touch_box(along, across, half)

    def _touch_round(self, vx: Floats, vy: Floats, half: tuple[float, float]) -> Floats:
        """A point against a box with rounded corners: two boxes and four discs."""
        x, y, radius = self.along_m, self.across_m, self.other.half_x_m
        slabs = [
            (_slab(x, vx, half[0] + radius), _slab(y, vy, half[1])),
            (_slab(x, vx, half[0]), _slab(y, vy, half[1] + radius)),
        ]
        found = [_entry(*_both(*pair)) for pair in slabs]
        for sx, sy in ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)):
            found.append(_entry(*_disc(x - sx * half[0], y - sy * half[1], vx, vy, radius)))
        return np.asarray(np.minimum.reduce(found))

    def _touch_box(self, vx: Floats, vy: Floats, half: tuple[float, float]) -> Floats:
        """Two boxes overlap while they do along the two directions of each: the axes that could separate them."""
        c, s, other = cosines(self.turn_rad), sines(self.turn_rad), (self.other.half_x_m, self.other.half_y_m)
        x, y = self.along_m, self.across_m
        mine = (half[0] * np.abs(c) + half[1] * np.abs(s), half[0] * np.abs(s) + half[1] * np.abs(c))
        span = _both(
            _slab(x, vx, half[0] + other[0] * np.abs(c) + other[1] * np.abs(s)),
            _slab(y, vy, half[1] + other[0] * np.abs(s) + other[1] * np.abs(c)),
        )
        span = _both(span, _slab(c * x + s * y, c * vx + s * vy, other[0] + mine[0]))
        span = _both(span, _slab(c * y - s * x, c * vy - s * vx, other[1] + mine[1]))
        return _entry(*span)


def _slab(place: Floats, speed: Floats, half: Floats | float) -> tuple[Floats, Floats]:
    """From when to when a point on a line is nearer than ``half`` to its origin."""
    with np.errstate(divide="ignore", invalid="ignore"):
        at_low, at_high = (-half - place) / speed, (half - place) / speed
    inside, still = np.abs(place) < half, speed == 0.0
    low = np.where(still, np.where(inside, -np.inf, np.inf), np.minimum(at_low, at_high))
    high = np.where(still, np.where(inside, np.inf, -np.inf), np.maximum(at_low, at_high))
    return low, high


def _disc(x: Floats, y: Floats, vx: Floats, vy: Floats, radius: float) -> tuple[Floats, Floats]:
    """From when to when a moving point is nearer than ``radius`` to the origin."""
    square, toward = vx * vx + vy * vy, x * vx + y * vy
    away = x * x + y * y - radius * radius
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(toward * toward - square * away)  # NaN where it passes by
        low, high = (-toward - root) / square, (-toward + root) / square
    still = square == 0.0
    low = np.where(still, np.where(away < 0.0, -np.inf, np.inf), low)
    high = np.where(still, np.where(away < 0.0, np.inf, -np.inf), high)
    return low, high


def _both(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    return np.maximum(first[0], second[0]), np.minimum(first[1], second[1])


def _entry(low: Floats, high: Floats) -> Floats:
    """When it begins: zero if it has, infinity if it never does or is over."""
    with np.errstate(invalid="ignore"):
        meets: Flags = (low < high) & (high > 0.0)
    return np.where(meets, np.maximum(low, 0.0), np.inf)
