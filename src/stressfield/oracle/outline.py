"""Distances between a robot's footprint and upright bodies, seen from above. Arrays: [samples, bodies]."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats
from stressfield.trace import Truth
from stressfield.world import Bodies, Robot, Shape


def footprint_clearance(truth: Truth, robot: Robot, bodies: Bodies, which: NDArray[np.int64]) -> Floats:
    """Distance from the footprint to the nearest of the bodies ``which``, per sample; negative is depth of overlap."""
    nearest = np.full(len(truth), np.inf)
    boxes = np.asarray(bodies.shape[which] == Shape.BOX)
    for chosen, distance in ((which[~boxes], _to_circles), (which[boxes], _to_boxes)):
        if len(chosen):
            nearest = np.minimum(nearest, distance(truth, robot, bodies, chosen).min(axis=1))
    return nearest


def _to_circles(truth: Truth, robot: Robot, bodies: Bodies, which: NDArray[np.int64]) -> Floats:
    along, across, _ = _in_robot_frame(truth, robot, bodies, which)
    gap = _to_box(along, across, robot.length_m / 2.0, robot.width_m / 2.0)
    return np.asarray(gap - bodies.size_x_m[which] / 2.0)


def _to_boxes(truth: Truth, robot: Robot, bodies: Bodies, which: NDArray[np.int64]) -> Floats:
    """Apart: the nearest corner of one to the other. Overlapping: the least shift that would part them."""
    along, across, turn = _in_robot_frame(truth, robot, bodies, which)
    length, width = robot.length_m / 2.0, robot.width_m / 2.0
    half_x, half_y = bodies.size_x_m[which] / 2.0, bodies.size_y_m[which] / 2.0
    c, s = np.cos(turn), np.sin(turn)
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


def _in_robot_frame(
    truth: Truth, robot: Robot, bodies: Bodies, which: NDArray[np.int64]
) -> tuple[Floats, Floats, Floats]:
    """Centres of bodies ahead and to the left of the footprint's centre, and how they are turned against it."""
    yaw = truth.yaw_rad[:, None]
    c, s = np.cos(yaw), np.sin(yaw)
    dx, dy = bodies.x_m[which] - truth.x_m[:, None], bodies.y_m[which] - truth.y_m[:, None]
    return c * dx + s * dy - robot.centre_offset_m, c * dy - s * dx, bodies.yaw_rad[which] - yaw


def _to_box(x: Floats, y: Floats, half_x: Floats | float, half_y: Floats | float) -> Floats:
    """Signed distance from points to a box about the origin."""
    out_x, out_y = np.abs(x) - half_x, np.abs(y) - half_y
    outside = np.hypot(np.maximum(out_x, 0.0), np.maximum(out_y, 0.0))
    return np.asarray(outside + np.minimum(np.maximum(out_x, out_y), 0.0))
