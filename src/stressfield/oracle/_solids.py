"""Clearance in space: of the boxes around bodies of a model, which tilt, fly and reach over things.

Both solids are measured at points all over their surfaces, corners and edges among them: exact where a corner or a
point of one comes nearest to a side of the other, and too far by a fraction of the distance between points where two
edges cross.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats, cosines, sines
from stressfield.trace import ActorTruth, Truth
from stressfield.world import Actor, Bodies, Robot, Shape
from stressfield.world.model_drive import ModelDrive, PartDrive, SolidBox

PER_EDGE = 7
"""Points along an edge of a box."""

AROUND = 24
"""Points around a cylinder or a sphere."""

Distance: TypeAlias = Callable[[Floats], Floats]


def solid_clearance(truth: Truth, robot: Robot, bodies: Bodies, which: NDArray[np.int64]) -> Floats:
    """Distance from the box of a robot to the nearest of the bodies, per sample; negative is depth of overlap."""
    nearest = np.full(len(truth), np.inf)
    box = box_of(robot)
    if box is None or not len(truth):
        return nearest
    centre, half, turn = _frame(truth, box)
    mine = half * _on_box()
    for i in which.tolist():
        body = bodies[i]
        rise = body.size_x_m / 2.0 if body.shape == Shape.SPHERE else body.height_m / 2.0
        middle = np.array([body.x_m, body.y_m, body.z_m + rise])
        theirs, distance, reach = _shape(body.shape, body.size_x_m, body.size_y_m, 2.0 * rise)
        # By bounding spheres first: only samples at which it can be the nearest are looked at.
        close = np.linalg.norm(centre - middle, axis=1) - reach - float(np.linalg.norm(half)) < nearest
        if close.any():
            stand = _upright(np.array([body.yaw_rad]))[0]
            here = _gap((centre[close], turn[close], mine, half), middle, stand, theirs, distance)
            nearest[close] = np.minimum(nearest[close], here)
    return nearest


def solid_actor_clearance(truth: Truth, robot: Robot, seen: ActorTruth, actor: Actor) -> Floats:
    """Distance from the box of a robot to an actor, which stands upright, per sample; negative is depth of overlap."""
    box = box_of(robot)
    if box is None or not len(truth):
        return np.full(len(truth), np.inf)
    centre, half, turn = _frame(truth, box)
    middle = np.stack([seen.x_m, seen.y_m, seen.z_m + actor.height_m / 2.0], axis=1)
    theirs, distance, _ = _shape(actor.shape, actor.size_x_m, actor.size_y_m, actor.height_m)
    return _gap((centre, turn, half * _on_box(), half), middle, _upright(seen.yaw_rad), theirs, distance)


def solids_clearance(truth: Truth, robot: Robot, other_truth: Truth, other: Robot) -> Floats:
    """Distance between the boxes of two robots, per sample; negative is depth of overlap."""
    box, box_there = box_of(robot), box_of(other)
    if box is None or box_there is None or not len(truth):
        return np.full(len(truth), np.inf)
    centre, half, turn = _frame(truth, box)
    middle, half_there, turn_there = _frame(other_truth, box_there)
    theirs = half_there * _on_box()
    me = (centre, turn, half * _on_box(), half)
    return _gap(me, middle, turn_there, theirs, lambda points: _to_box(points, half_there))


def box_of(robot: Robot) -> SolidBox | None:
    """Around a robot, in its own frame; None for the root of a model that has no shape."""
    if isinstance(robot.drive, ModelDrive | PartDrive):
        return robot.drive.box
    high = robot.height_m
    return SolidBox(robot.centre_offset_m, 0.0, high / 2.0, robot.length_m, robot.width_m, high)


def _frame(truth: Truth, box: SolidBox) -> tuple[Floats, Floats, Floats]:
    """Middle of the box at every sample [n, 3], its half extents [3], and how it is turned [n, 3, 3]."""
    x, y, z, w = truth.quaternion.T
    turn = np.empty((len(truth), 3, 3))
    turn[:, 0, 0], turn[:, 0, 1], turn[:, 0, 2] = 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)
    turn[:, 1, 0], turn[:, 1, 1], turn[:, 1, 2] = 2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    turn[:, 2, 0], turn[:, 2, 1], turn[:, 2, 2] = 2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
    middle = np.array([box.x_m, box.y_m, box.z_m])
    centre = truth.values[:, :3] + _turned(turn, middle)
    return centre, np.array([box.size_x_m, box.size_y_m, box.size_z_m]) / 2.0, turn


def _upright(yaw_rad: Floats) -> Floats:
    """How things that stand on the ground are turned [n, 3, 3]."""
    turn = np.zeros((len(yaw_rad), 3, 3))
    turn[:, 0, 0] = turn[:, 1, 1] = cosines(yaw_rad)
    turn[:, 1, 0] = sines(yaw_rad)
    turn[:, 0, 1] = -turn[:, 1, 0]
    turn[:, 2, 2] = 1.0
    return turn


def _gap(
    me: tuple[Floats, Floats, Floats, Floats], middle: Floats, turn: Floats, theirs: Floats, distance: Distance
) -> Floats:
    """Least of both ways: my points to their shape, their points to my box. Their pose may be one for all samples."""
    centre, mine_turn, mine, half = me
    apart = (centre - middle)[:, None, :]
    here, there = mine_turn[:, None], turn[:, None] if turn.ndim == mine_turn.ndim else turn
    into_theirs = _turned_back(there, _turned(here, mine) + apart)
    into_mine = _turned_back(here, _turned(there, theirs) - apart)
    gap: Floats = np.minimum(distance(into_theirs).min(axis=1), _to_box(into_mine, half).min(axis=1))
    return gap


def _turned(turn: Floats, points: Floats) -> Floats:
    """Points in a frame that is turned so, seen from outside. Term by term: products of matrices differ between
    processors in their last bits."""
    x, y, z = points[..., 0], points[..., 1], points[..., 2]
    return np.stack([turn[..., i, 0] * x + turn[..., i, 1] * y + turn[..., i, 2] * z for i in range(3)], axis=-1)


def _turned_back(turn: Floats, points: Floats) -> Floats:
    """Points from outside, in a frame that is turned so."""
    return _turned(np.swapaxes(turn, -1, -2), points)


def _shape(shape: Shape, size_x_m: float, size_y_m: float, height_m: float) -> tuple[Floats, Distance, float]:
    """Points on the surface of a body about its middle, the distance from it, and the radius of the ball around it."""
    if shape == Shape.BOX:
        half = np.array([size_x_m, size_y_m, height_m]) / 2.0
        return half * _on_box(), lambda points: _to_box(points, half), float(np.linalg.norm(half))
    radius, high = size_x_m / 2.0, height_m / 2.0
    angle = np.linspace(0.0, 2.0 * np.pi, AROUND, endpoint=False)
    ring = np.stack([cosines(angle), sines(angle), np.zeros(AROUND)], axis=1)
    if shape == Shape.SPHERE:
        tilts = np.linspace(-np.pi / 2.0, np.pi / 2.0, 9)
        points = np.concatenate([ring * c + [0.0, 0.0, s] for c, s in zip(cosines(tilts), sines(tilts), strict=True)])
        return radius * points, lambda points: np.linalg.norm(points, axis=-1) - radius, radius
    levels = np.linspace(-high, high, PER_EDGE)
    points = np.concatenate([ring * [radius, radius, 0.0] + [0.0, 0.0, z] for z in levels])
    return points, lambda points: _to_cylinder(points, radius, high), float(np.hypot(radius, high))


def _on_box() -> Floats:
    """Points on the surface of the box from -1 to 1."""
    steps = np.linspace(-1.0, 1.0, PER_EDGE)
    x, y, z = (axis.ravel() for axis in np.meshgrid(steps, steps, steps))
    points = np.stack([x, y, z], axis=1)
    return np.asarray(points[np.abs(points).max(axis=1) == 1.0])


def _to_box(points: Floats, half: Floats) -> Floats:
    out = np.abs(points) - half
    outside = np.linalg.norm(np.maximum(out, 0.0), axis=-1)
    return np.asarray(outside + np.minimum(out.max(axis=-1), 0.0))


def _to_cylinder(points: Floats, radius: float, high: float) -> Floats:
    across, along = np.hypot(points[..., 0], points[..., 1]) - radius, np.abs(points[..., 2]) - high
    outside = np.hypot(np.maximum(across, 0.0), np.maximum(along, 0.0))
    return np.asarray(outside + np.minimum(np.maximum(across, along), 0.0))
