"""Compiled kinematics of the arm: where the gripper is, and which joint angles bring it to a pose."""

from __future__ import annotations

import numpy as np
from numba import njit

from stressfield.arrays import Floats

LINKS = np.array(
    [
        [0.0, 0.0, 0.333, 0.0],
        [0.0, 0.0, 0.0, -1.0],
        [0.0, -0.316, 0.0, 1.0],
        [0.0825, 0.0, 0.0, 1.0],
        [-0.0825, 0.384, 0.0, -1.0],
        [0.0, 0.0, 0.0, 1.0],
        [0.088, 0.0, 0.0, 1.0],
    ]
)
"""Of each joint: its place in the frame of the one before, and its quarter turns about x."""

LIMITS = np.array(
    [
        [-2.897, 2.897],
        [-1.7627, 1.7627],
        [-2.897, 2.897],
        [-3.0717, -0.0698],
        [-2.897, 2.897],
        [-0.0174, 3.7524],
        [-2.897, 2.897],
    ]
)
REST_PULL = 0.05
"""Part of the way to the rest position that each step goes, where the pose leaves freedom."""

TOOL_Z = 0.107 + 0.1034
TOOL_TURN = -np.pi / 4.0


@njit(cache=True)
def chain(q: Floats, origins: Floats, axes: Floats, position: Floats, rotation: Floats) -> None:
    """Fill in the joints' places and axes and the pose of the gripper, in the frame of the arm's foot."""
    r = np.eye(3)
    p = np.zeros(3)
    for i in range(7):
        for k in range(3):
            p[k] += r[k, 0] * LINKS[i, 0] + r[k, 1] * LINKS[i, 1] + r[k, 2] * LINKS[i, 2]
        s = LINKS[i, 3]
        if s != 0.0:
            for k in range(3):
                y, z = r[k, 1], r[k, 2]
                r[k, 1] = s * z
                r[k, 2] = -s * y
        c, n = np.cos(q[i]), np.sin(q[i])
        for k in range(3):
            x, y = r[k, 0], r[k, 1]
            r[k, 0] = c * x + n * y
            r[k, 1] = -n * x + c * y
            origins[i, k] = p[k]
            axes[i, k] = r[k, 2]
    c, n = np.cos(TOOL_TURN), np.sin(TOOL_TURN)
    for k in range(3):
        position[k] = p[k] + TOOL_Z * r[k, 2]
        rotation[k, 0] = c * r[k, 0] + n * r[k, 1]
        rotation[k, 1] = -n * r[k, 0] + c * r[k, 1]
        rotation[k, 2] = r[k, 2]


@njit(cache=True)
def solve_square(matrix: Floats, right: Floats) -> None:
    """Solve a symmetric positive system in place (Cholesky); the answer is in ``right``."""
    n = len(right)
    for j in range(n):
        for k in range(j):
            matrix[j, j] -= matrix[j, k] * matrix[j, k]
        matrix[j, j] = np.sqrt(matrix[j, j])
        for i in range(j + 1, n):
            for k in range(j):
                matrix[i, j] -= matrix[i, k] * matrix[j, k]
            matrix[i, j] /= matrix[j, j]
    for i in range(n):
        for k in range(i):
            right[i] -= matrix[i, k] * right[k]
        right[i] /= matrix[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            right[i] -= matrix[k, i] * right[k]
        right[i] /= matrix[i, i]


@njit(cache=True)
def solve(
    start: Floats,
    position: Floats,
    rotation: Floats,
    rest: Floats,
    iterations: int,
    damping: float,
    tolerance: float,
) -> tuple[Floats, float]:
    """Damped least squares from ``start``, drawn softly to ``rest``; the joints and what is left of the error.

    The error adds metres and radians; a pose counts as reached below ``tolerance``.
    """
    q = start.copy()
    origins, axes = np.zeros((7, 3)), np.zeros((7, 3))
    p, r = np.zeros(3), np.zeros((3, 3))
    jacobian, error = np.zeros((6, 7)), np.zeros(6)
    square, pull, step = np.zeros((6, 6)), np.zeros(6), np.zeros(7)
    best, least = q.copy(), np.inf
    for _ in range(iterations):
        chain(q, origins, axes, p, r)
        for k in range(3):
            error[k] = position[k] - p[k]
            error[3 + k] = 0.0
        for c in range(3):
            a0, a1, a2 = r[0, c], r[1, c], r[2, c]
            b0, b1, b2 = rotation[0, c], rotation[1, c], rotation[2, c]
            error[3] += 0.5 * (a1 * b2 - a2 * b1)
            error[4] += 0.5 * (a2 * b0 - a0 * b2)
            error[5] += 0.5 * (a0 * b1 - a1 * b0)
        same = 0.0
        for a in range(3):
            for b in range(3):
                same += r[a, b] * rotation[a, b]
        angle = np.arccos(min(1.0, max(-1.0, (same - 1.0) / 2.0)))
        size = np.sqrt(error[0] ** 2 + error[1] ** 2 + error[2] ** 2) + angle
        if size < least:
            least = size
            best[:] = q
        if size < tolerance:
            break
        for i in range(7):
            d0, d1, d2 = p[0] - origins[i, 0], p[1] - origins[i, 1], p[2] - origins[i, 2]
            jacobian[0, i] = axes[i, 1] * d2 - axes[i, 2] * d1
            jacobian[1, i] = axes[i, 2] * d0 - axes[i, 0] * d2
            jacobian[2, i] = axes[i, 0] * d1 - axes[i, 1] * d0
            for k in range(3):
                jacobian[3 + k, i] = axes[i, k]
        for a in range(6):
            for b in range(6):
                square[a, b] = damping if a == b else 0.0
                for i in range(7):
                    square[a, b] += jacobian[a, i] * jacobian[b, i]
        for k in range(6):
            pull[k] = 0.0
            for i in range(7):
                pull[k] += jacobian[k, i] * REST_PULL * (rest[i] - q[i])
            pull[k] = error[k] - pull[k]
        solve_square(square, pull)
        largest = 0.0
        for i in range(7):
            step[i] = REST_PULL * (rest[i] - q[i])
            for k in range(6):
                step[i] += jacobian[k, i] * pull[k]
            largest = max(largest, abs(step[i]))
        if largest > 0.3:
            step *= 0.3 / largest
        for i in range(7):
            q[i] = min(LIMITS[i, 1] - 0.02, max(LIMITS[i, 0] + 0.02, q[i] + step[i]))
    return best, least
