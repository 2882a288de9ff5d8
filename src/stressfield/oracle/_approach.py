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
    mine: Outline
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
        return cls(robot, mine, other, c * dx + s * dy, c * dy - s * dx, other.yaw_rad - mine.yaw_rad, c, s)

    def gap_m(self) -> Floats:
        """Metres between the outlines; negative is depth of overlap."""
        along, across, turn = (column[:, None] for column in (self.along_m, self.across_m, self.turn_rad))
        half = (np.array([self.other.half_x_m]), np.array([self.other.half_y_m]))
        place = _Place(along, across, turn, *half)
        return np.asarray((_to_circles if self.other.is_round else _to_boxes)(self.robot, place)[:, 0])

    def touch_s(self) -> Floats:
        """Seconds until the outlines touch if both go on as they move now; infinity if they never do.

        Zero where they overlap. To graze is not to touch.
        """
        vx, vy = self.other.vx_mps - self.mine.vx_mps, self.other.vy_mps - self.mine.vy_mps
        whole = _Box(0.0, 0.0, self.mine.half_x_m, self.mine.half_y_m)
        return self._touch(*self._turned(vx, vy), whole)

    def way_m(self, ahead_x: Floats, ahead_y: Floats, *, side_m: float) -> Floats:
        """How far the robot can go in a direction of the world (of length one) until it meets the other as it is now.

        What counts is the side of the robot that leads the way, ``side_m`` longer at either end: who is beside the
        robot already is not in its way. Infinity if it passes by, zero if the other is at that side.
        """
        along, across = self._turned(ahead_x, ahead_y)
        x, y, lengthwise = self.mine.half_x_m, self.mine.half_y_m, np.abs(along) >= np.abs(across)
        leads = _Box(
            np.where(lengthwise, np.copysign(x, along), 0.0),
            np.where(lengthwise, 0.0, np.copysign(y, across)),
            np.where(lengthwise, 0.0, x + side_m),
            np.where(lengthwise, y + side_m, 0.0),
        )
        return self._touch(-along, -across, leads)

    def _turned(self, x: Floats, y: Floats) -> tuple[Floats, Floats]:
        """A direction of the world in the robot's frame."""
        return self.cos_yaw * x + self.sin_yaw * y, self.cos_yaw * y - self.sin_yaw * x

    def _touch(self, vx: Floats, vy: Floats, box: _Box) -> Floats:
        """When the other one touches a box in the robot's frame, if it moves by (vx, vy) per unit of time."""
        x, y = self.along_m - box.x, self.across_m - box.y
        return self._touch_round(x, y, vx, vy, box) if self.other.is_round else self._touch_box(x, y, vx, vy, box)

    def _touch_round(self, x: Floats, y: Floats, vx: Floats, vy: Floats, box: _Box) -> Floats:
        """A point against a box with rounded corners: two boxes and four discs."""
        radius = self.other.half_x_m
        found = [
            _entry(*_both(_slab(x, vx, box.half_x + radius), _slab(y, vy, box.half_y))),
            _entry(*_both(_slab(x, vx, box.half_x), _slab(y, vy, box.half_y + radius))),
        ]
        for sx, sy in ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)):
            found.append(_entry(*_disc(x - sx * box.half_x, y - sy * box.half_y, vx, vy, radius)))
        return np.asarray(np.minimum.reduce(found))

    def _touch_box(self, x: Floats, y: Floats, vx: Floats, vy: Floats, box: _Box) -> Floats:
        """Two boxes overlap while they do along the two directions of each: the axes that could separate them."""
        c, s, half_x, half_y = cosines(self.turn_rad), sines(self.turn_rad), self.other.half_x_m, self.other.half_y_m
        across_c, across_s = np.abs(c), np.abs(s)
        span = _both(
            _slab(x, vx, box.half_x + half_x * across_c + half_y * across_s),
            _slab(y, vy, box.half_y + half_x * across_s + half_y * across_c),
        )
        mine = (box.half_x * across_c + box.half_y * across_s, box.half_x * across_s + box.half_y * across_c)
        span = _both(span, _slab(c * x + s * y, c * vx + s * vy, half_x + mine[0]))
        return _entry(*_both(span, _slab(c * y - s * x, c * vy - s * vx, half_y + mine[1])))


@dataclass(frozen=True, slots=True, eq=False)
class _Box:
    """A box in the robot's frame, the same at all samples or one for each."""

    x: Floats | float
    y: Floats | float
    half_x: Floats | float
    half_y: Floats | float


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
