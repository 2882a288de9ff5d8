"""The arm's kinematics as the robot software knows them: forward, inverse, and straight lines of the gripper."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, dist, sin

import numpy as np

from stressfield.arrays import Floats
from stressfield_studies.tabletop.robot import HOME_RAD
from stressfield_studies.tabletop.subject import kernels

HOME: Floats = np.array(HOME_RAD)

ITERATIONS = 120
DAMPING = 1e-3
REACHED = 2e-3
LINE_STEP_M = 0.02


@dataclass(frozen=True, slots=True, eq=False)
class ToolPose:
    """Where the gripper should be, in the frame of the arm's foot: z of ``rotation`` points out of the gripper."""

    position: Floats
    rotation: Floats

    def moved(self, by: Floats) -> ToolPose:
        """The same turn elsewhere."""
        return ToolPose(self.position + by, self.rotation)


def forward(q: Floats) -> ToolPose:
    """The pose of the gripper at these joint angles."""
    position, rotation = np.zeros(3), np.zeros((3, 3))
    kernels.chain(q, np.zeros((7, 3)), np.zeros((7, 3)), position, rotation)
    return ToolPose(position, rotation)


def inverse(pose: ToolPose, near: Floats, *, rest: Floats = HOME) -> Floats | None:
    """Joint angles for a pose, searched from ``near``; None where the arm cannot reach it."""
    q, left = kernels.solve(near, pose.position, pose.rotation, rest, ITERATIONS, DAMPING, REACHED)
    return q if left < 2.0 * REACHED else None


def line(start: Floats, pose: ToolPose, *, rest: Floats = HOME) -> Floats | None:
    """Joint angles, row after row, along a straight line of the gripper; None where it cannot be followed.

    A sudden change of the joints between two points counts as not followed.
    """
    here = forward(start)
    length_m = dist(pose.position, here.position)
    count = max(2, int(np.ceil(length_m / LINE_STEP_M)))
    rows = [start]
    for share in np.linspace(0.0, 1.0, count + 1)[1:].tolist():
        between = ToolPose((1.0 - share) * here.position + share * pose.position, pose.rotation)
        q = inverse(between, rows[-1], rest=rest)
        if q is None or float(np.abs(q - rows[-1]).max()) > 0.6:
            return None
        rows.append(q)
    return np.array(rows)


def downwards(yaw_rad: float) -> Floats:
    """The gripper points down, its fingers open along ``yaw_rad``."""
    c, s = cos(yaw_rad), sin(yaw_rad)
    return np.array([[-s, c, 0.0], [c, s, 0.0], [0.0, 0.0, -1.0]])


def slanted(yaw_rad: float, down_rad: float) -> Floats:
    """The gripper points along ``yaw_rad`` and down by an angle, its fingers open to the sides."""
    c, s, cd, sd = cos(yaw_rad), sin(yaw_rad), cos(down_rad), sin(down_rad)
    z = np.array([cd * c, cd * s, -sd])
    y = np.array([s, -c, 0.0])
    return np.stack([np.cross(y, z), y, z], axis=1)
