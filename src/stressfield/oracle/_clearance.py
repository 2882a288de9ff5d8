"""Clearance: how far the outline of a robot is from bodies, actors and other robots, seen from above.

Arrays are [samples, things]. Bodies stand upright; outlines are boxes or circles.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats
from stressfield.oracle._neighbourhood import neighbourhoods
from stressfield.trace import ActorTruth, Truth
from stressfield.world import Actor, Bodies, Robot, Shape


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Things seen from a robot, at every sample: centres ahead and to the left of its footprint's centre, and how they
    are turned against it. [samples, things]; sizes are half of the extents.
    """

    along: Floats
    across: Floats
    turn: Floats
    half_x_m: Floats
    half_y_m: Floats


def footprint_clearance(truth: Truth, robot: Robot, bodies: Bodies, which: NDArray[np.int64]) -> Floats:
    """Distance from the footprint to the nearest of the bodies ``which``, per sample; negative is depth of overlap."""
    nearest = np.full(len(truth), np.inf)
    for way, part, near in neighbourhoods(truth, robot, bodies, which):
        nearest[part] = plain_clearance(way, robot, bodies, near)
    return nearest


def plain_clearance(truth: Truth, robot: Robot, bodies: Bodies, which: NDArray[np.int64]) -> Floats:
    """The same, by measuring all of them at every sample."""
    nearest = np.full(len(truth), np.inf)
    boxes = np.asarray(bodies.shape[which] == Shape.BOX)
    for chosen, distance in ((which[~boxes], _to_circles), (which[boxes], _to_boxes)):
        if len(chosen):
            place = _seen_from(
                truth,
                robot,
                (bodies.x_m[chosen], bodies.y_m[chosen], bodies.yaw_rad[chosen]),
                (bodies.size_x_m[chosen] / 2.0, bodies.size_y_m[chosen] / 2.0),
            )
            nearest = np.minimum(nearest, distance(robot, place).min(axis=1))
    return nearest


def robot_clearance(truth: Truth, robot: Robot, other_truth: Truth, other: Robot) -> Floats:
    """Distance between the footprints of two robots, per sample; negative is depth of overlap."""
    ahead_m, yaw = other.centre_offset_m, other_truth.yaw_rad
    centre = (other_truth.x_m + ahead_m * np.cos(yaw), other_truth.y_m + ahead_m * np.sin(yaw), yaw)
    x, y, turned = (column[:, None] for column in centre)
    half = (np.array([other.length_m / 2.0]), np.array([other.width_m / 2.0]))
    return np.asarray(_to_boxes(robot, _seen_from(truth, robot, (x, y, turned), half))[:, 0])


def actor_clearance(truth: Truth, robot: Robot, seen: ActorTruth, actor: Actor) -> Floats:
    """Distance between the footprint of a robot and the outline of an actor, per sample; negative is overlap."""
    pose = (seen.x_m[:, None], seen.y_m[:, None], seen.yaw_rad[:, None])
    half = (np.array([actor.size_x_m / 2.0]), np.array([actor.size_y_m / 2.0]))
    distance = _to_boxes if actor.shape == Shape.BOX else _to_circles
    return np.asarray(distance(robot, _seen_from(truth, robot, pose, half))[:, 0])


def _to_circles(robot: Robot, place: _Place) -> Floats:
    gap = _to_box(place.along, place.across, robot.length_m / 2.0, robot.width_m / 2.0)
    return np.asarray(gap - place.half_x_m)


def _to_boxes(robot: Robot, place: _Place) -> Floats:
    """Apart: the nearest corner of one to the other. Overlapping: the least shift that would part them."""
    along, across, half_x, half_y = place.along, place.across, place.half_x_m, place.half_y_m
    length, width = robot.length_m / 2.0, robot.width_m / 2.0
    c, s = np.cos(place.turn), np.sin(place.turn)
    apart = np.full(along.shape, np.inf)
    for sx, sy in ((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)):
        corner = (along + sx * half_x * c - sy * half_y * s, across + sx * half_x * s + sy * half_y * c)
        apart = np.minimum(apart, _to_box(corner[0], corner[1], length, width))
        dx, dy = sx * length - along, sy * width - across
        apart = np.minimum(apart, _to_box(c * dx + s * dy, c * dy - s * dx, half_x, half_y))
    gaps = (
        np.abs(along) - length - half_x * np.abs(c) - half_y * np.abs(s),
        np.abs(across) - width - half_x * np.abs(s) - half_y * np.abs(c),
        np.abs(c * along + s * across) - half_x - length * np.abs(c) - width * np.abs(s),
        np.abs(c * across - s * along) - half_y - length * np.abs(s) - width * np.abs(c),
    )
    overlap = np.maximum.reduce(gaps)
    return np.where(overlap < 0.0, overlap, apart)


def _seen_from(
    truth: Truth, robot: Robot, pose: tuple[Floats, Floats, Floats], half_m: tuple[Floats, Floats]
) -> _Place:
    """Things at a pose (x, y, yaw), of one row for all samples or of a row for each, in the robot's frame."""
    x, y, turned = pose
    yaw = truth.yaw_rad[:, None]
    c, s = np.cos(yaw), np.sin(yaw)
    dx, dy = x - truth.x_m[:, None], y - truth.y_m[:, None]
    return _Place(c * dx + s * dy - robot.centre_offset_m, c * dy - s * dx, turned - yaw, *half_m)


def _to_box(x: Floats, y: Floats, half_x: Floats | float, half_y: Floats | float) -> Floats:
    """Signed distance from points to a box about the origin."""
    out_x, out_y = np.abs(x) - half_x, np.abs(y) - half_y
    outside = np.hypot(np.maximum(out_x, 0.0), np.maximum(out_y, 0.0))
    return np.asarray(outside + np.minimum(np.maximum(out_x, out_y), 0.0))
