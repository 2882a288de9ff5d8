"""Compiled parts of the navigator: fitting rows to a scan, and the pose filter. Plain versions: ``reference.py``."""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

from stressfield.arrays import Floats


@njit(cache=True)
def fit_rows(
    ranges: NDArray[np.float32],
    cosines: Floats,
    sines: Floats,
    lidar_x: float,
    pose: Floats,
    rows: Floats,
    depth: float,
    gate: float,
    x_low: float,
    x_high: float,
    ahead_from: float,
) -> tuple[float, float, float, float, int, int, float]:
    """Fit the row lines ``y = rows[j]`` to a scan taken at about ``pose`` (x, y, yaw).

    Returns lateral correction, heading correction, their variances, points used, points ahead, and how far ahead
    the farthest is. ``depth`` is added to each range: a return comes from a plant's near side, its middle is farther.
    """
    n = len(ranges)
    px = np.empty(n)
    residual = np.empty(n)
    along = np.empty(n)
    count = 0
    c, s = cos(pose[2]), sin(pose[2])
    ox, oy = pose[0] + lidar_x * c, pose[1] + lidar_x * s
    for i in range(n):
        r = ranges[i]
        if not r < 1e9:
            continue
        r += depth
        bx, by = cosines[i] * r, sines[i] * r
        x, y = ox + c * bx - s * by, oy + s * bx + c * by
        if x < x_low or x > x_high:
            continue
        best = gate
        for j in range(len(rows)):
            off = y - rows[j]
            if abs(off) < abs(best):
                best = off
        if abs(best) < gate:
            px[count] = x - pose[0]
            residual[count] = best
            along[count] = bx + lidar_x
            count += 1
    dy, dyaw = 0.0, 0.0
    a, b, d = 0.0, 0.0, 0.0
    used = 0
    for sweep in range(4):
        scale = gate if sweep == 0 else (0.16 if sweep == 1 else 0.10)
        a = b = d = e = f = 0.0
        used = 0
        for i in range(count):
            miss = residual[i] + dy + dyaw * px[i]
            u = miss / scale
            if abs(u) >= 1.0:
                continue
            w = (1.0 - u * u) ** 2 / (1.0 + 0.3 * abs(px[i]))
            a += w
            b += w * px[i]
            d += w * px[i] * px[i]
            e -= w * residual[i]
            f -= w * residual[i] * px[i]
            used += 1
        # a weak prior keeps heading and offset apart where the points do not
        a += 0.05
        d += 0.5
        det = a * d - b * b
        dy = (e * d - f * b) / det
        dyaw = (a * f - b * e) / det
    det = a * d - b * b
    ahead = 0
    farthest = 0.0
    for i in range(count):
        miss = residual[i] + dy + dyaw * px[i]
        if abs(miss) < 0.12 and along[i] > ahead_from:
            ahead += 1
            farthest = max(farthest, along[i])
    noise = 0.004  # squared: about eight returns share a plant that stands 2 cm off its line
    return dy, dyaw, noise * d / det, noise * a / det, used, ahead, farthest


@njit(cache=True)
def wrap(angle: float) -> float:
    """The same angle in (-pi, pi]."""
    return atan2(sin(angle), cos(angle))


@njit(cache=True)
def predict(
    state: Floats, cov: Floats, distance: float, turn: float, distance_variance: float, turn_variance: float
) -> None:
    """Move the pose by odometry; both arrays change in place."""
    middle = state[2] + 0.5 * turn
    c, s = cos(middle), sin(middle)
    state[0] += distance * c
    state[1] += distance * s
    state[2] = atan2(sin(state[2] + turn), cos(state[2] + turn))
    fx, fy = -distance * s, distance * c
    p00, p01, p02 = cov[0, 0], cov[0, 1], cov[0, 2]
    p11, p12, p22 = cov[1, 1], cov[1, 2], cov[2, 2]
    cov[0, 0] = p00 + 2 * fx * p02 + fx * fx * p22 + distance_variance * c * c
    cov[0, 1] = p01 + fx * p12 + fy * p02 + fx * fy * p22 + distance_variance * c * s
    cov[0, 2] = p02 + fx * p22
    cov[1, 1] = p11 + 2 * fy * p12 + fy * fy * p22 + distance_variance * s * s
    cov[1, 2] = p12 + fy * p22
    cov[2, 2] = p22 + turn_variance
    cov[1, 0], cov[2, 0], cov[2, 1] = cov[0, 1], cov[0, 2], cov[1, 2]


@njit(cache=True)
def update(state: Floats, cov: Floats, jacobian: Floats, innovation: Floats, noise: Floats, gate: float) -> bool:
    """Correct the pose with a measurement of two numbers; returns whether it passed the gate (squared sigmas)."""
    s00, s01, s11 = noise[0, 0], noise[0, 1], noise[1, 1]
    ph = np.zeros((3, 2))
    for i in range(3):
        for k in range(2):
            for j in range(3):
                ph[i, k] += cov[i, j] * jacobian[k, j]
    for j in range(3):
        s00 += jacobian[0, j] * ph[j, 0]
        s01 += jacobian[0, j] * ph[j, 1]
        s11 += jacobian[1, j] * ph[j, 1]
    det = s00 * s11 - s01 * s01
    if det <= 0.0:
        return False
    i00, i01, i11 = s11 / det, -s01 / det, s00 / det
    z0, z1 = innovation[0], innovation[1]
    if z0 * z0 * i00 + 2.0 * z0 * z1 * i01 + z1 * z1 * i11 > gate:
        return False
    gain = np.empty((3, 2))
    for i in range(3):
        gain[i, 0] = ph[i, 0] * i00 + ph[i, 1] * i01
        gain[i, 1] = ph[i, 0] * i01 + ph[i, 1] * i11
        state[i] += gain[i, 0] * z0 + gain[i, 1] * z1
    state[2] = atan2(sin(state[2]), cos(state[2]))
    for i in range(3):
        for j in range(i, 3):
            cov[i, j] -= gain[i, 0] * ph[j, 0] + gain[i, 1] * ph[j, 1]
            cov[j, i] = cov[i, j]
    return True


@njit(cache=True)
def update_rows(
    state: Floats,
    cov: Floats,
    lateral: float,
    heading: float,
    lateral_variance: float,
    heading_variance: float,
    gate: float,
) -> bool:
    """Correct lateral position and heading by what the lidar saw of the rows."""
    jacobian = np.zeros((2, 3))
    jacobian[0, 1] = 1.0
    jacobian[1, 2] = 1.0
    noise = np.zeros((2, 2))
    noise[0, 0] = lateral_variance
    noise[1, 1] = heading_variance
    innovation = np.array([lateral - state[1], wrap(heading - state[2])])
    return update(state, cov, jacobian, innovation, noise, gate)


@njit(cache=True)
def update_stake(
    state: Floats,
    cov: Floats,
    seen_x: float,
    seen_y: float,
    stake_x: float,
    stake_y: float,
    stake_x_variance: float,
    range_noise: float,
    bearing_noise: float,
    gate: float,
) -> bool:
    """Correct the pose by a stake seen at ``seen`` in the robot's frame that stands at ``stake`` in the field."""
    c, s = cos(state[2]), sin(state[2])
    dx, dy = stake_x - state[0], stake_y - state[1]
    jacobian = np.empty((2, 3))
    jacobian[0, 0], jacobian[0, 1], jacobian[0, 2] = -c, -s, -s * dx + c * dy
    jacobian[1, 0], jacobian[1, 1], jacobian[1, 2] = s, -c, -c * dx - s * dy
    innovation = np.array([seen_x - (c * dx + s * dy), seen_y - (-s * dx + c * dy)])
    far2 = seen_x * seen_x + seen_y * seen_y
    far = sqrt(far2)
    ux, uy = seen_x / far, seen_y / far
    along = (range_noise * far) ** 2 + 0.0004
    across = (bearing_noise * far) ** 2 + 0.0004
    noise = np.empty((2, 2))
    noise[0, 0] = along * ux * ux + across * uy * uy + stake_x_variance * c * c
    noise[0, 1] = (along - across) * ux * uy - stake_x_variance * c * s
    noise[1, 0] = noise[0, 1]
    noise[1, 1] = along * uy * uy + across * ux * ux + stake_x_variance * s * s
    return update(state, cov, jacobian, innovation, noise, gate)
