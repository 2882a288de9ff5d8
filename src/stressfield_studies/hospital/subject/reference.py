"""Plain versions of the kernels, to compare them with: slower, and written as one would explain them."""

from __future__ import annotations

import heapq
import math

import numpy as np

from stressfield.arrays import Floats
from stressfield_studies.hospital.subject.kernels import (
    APART_SLACK_M,
    MATCH_SIGMA_M,
    ROUNDS,
    SEEN_MARGIN_M,
    SETTLED_M,
    TRIAL_STEPS,
    TRUNCATE_M,
)


def distance_field(boxes: Floats, grid: Floats, rows: int, columns: int) -> Floats:
    """Signed distance to the nearest box at every cell."""
    x = grid[0] + grid[2] * np.arange(columns)[None, :, None]
    y = grid[1] + grid[2] * np.arange(rows)[:, None, None]
    qx, qy = np.abs(x - boxes[:, 0]) - boxes[:, 2], np.abs(y - boxes[:, 1]) - boxes[:, 3]
    outside = np.hypot(np.maximum(qx, 0.0), np.maximum(qy, 0.0))
    field: Floats = (outside + np.minimum(np.maximum(qx, qy), 0.0)).min(axis=2)
    return field


def distance_to_points(points: Floats, grid: Floats, rows: int, columns: int, reach: float) -> Floats:
    """Distance to the nearest point at every cell, at most ``reach``."""
    x = grid[0] + grid[2] * np.arange(columns)[None, :, None]
    y = grid[1] + grid[2] * np.arange(rows)[:, None, None]
    field: Floats = np.minimum(np.hypot(x - points[:, 0], y - points[:, 1]).min(axis=2), reach)
    return field


def look_up(field: Floats, grid: Floats, x: float, y: float) -> tuple[float, float, float]:
    """Value and gradient of a field at a point (bilinear)."""
    rows, columns = field.shape
    u = min(max((x - grid[0]) / grid[2], 0.0), columns - 1.000001)
    v = min(max((y - grid[1]) / grid[2], 0.0), rows - 1.000001)
    i, j = int(u), int(v)
    fu, fv = u - i, v - j
    patch = field[j : j + 2, i : i + 2]
    value = np.array([1.0 - fv, fv]) @ patch @ np.array([1.0 - fu, fu])
    along = np.array([1.0 - fv, fv]) @ (patch[:, 1] - patch[:, 0])
    across = (patch[1] - patch[0]) @ np.array([1.0 - fu, fu])
    return float(value), float(along / grid[2]), float(across / grid[2])


def match(pose: Floats, points: Floats, field: Floats, grid: Floats, sigma: Floats) -> tuple[Floats, float]:
    """The matched pose, and the share of points that lie on the map's outlines."""
    begin, pose, share = pose.copy(), pose.copy(), 0.0
    for _ in range(ROUNDS):
        h, g = np.diag(1.0 / sigma**2), (begin - pose) / sigma**2
        c, s = math.cos(pose[2]), math.sin(pose[2])
        fitting = 0
        for px, py in points:
            rx, ry = c * px - s * py, s * px + c * py
            d, dx, dy = look_up(field, grid, pose[0] + rx, pose[1] + ry)
            if abs(d) > TRUNCATE_M:
                continue
            fitting += abs(d) < 0.1
            slope = np.array([dx, dy, dy * rx - dx * ry])
            weight = 1.0 / ((1.0 + (d / 0.08) ** 2) ** 2 * MATCH_SIGMA_M**2 * 10.0)
            h += weight * np.outer(slope, slope)
            g -= weight * d * slope
        step = np.linalg.solve(h, g)
        pose = pose + step
        share = fitting / len(points)
        if np.abs(step).sum() < SETTLED_M:
            break
    return pose, share


def potential(cost: Floats, cell_m: float, goal_j: int, goal_i: int) -> Floats:
    """Least cost of the way from every cell to the goal."""
    rows, columns = cost.shape
    away = np.full((rows, columns), np.inf)
    away[goal_j, goal_i] = 0.0
    waiting = [(0.0, goal_j, goal_i)]
    while waiting:
        here, j, i = heapq.heappop(waiting)
        if here > away[j, i]:
            continue
        for jj in range(max(j - 1, 0), min(j + 2, rows)):
            for ii in range(max(i - 1, 0), min(i + 2, columns)):
                there = here + 0.5 * cell_m * math.hypot(jj - j, ii - i) * (cost[j, i] + cost[jj, ii])
                if there < away[jj, ii]:
                    away[jj, ii] = there
                    heapq.heappush(waiting, (there, jj, ii))
    return away


def motion_cost(
    pose: Floats, v: float, w: float, away: Floats, field: Floats, grid: Floats, near: Floats, near_grid: Floats,
    others: Floats, settings: Floats,
) -> float:  # fmt: skip
    """What one motion costs; infinity if it touches something."""
    duration, radius, middle, wished, heading, lacking, turning, wished_apart, crowding, least_apart = settings.tolist()
    ahead = np.array([math.cos(pose[2]), math.sin(pose[2])])
    centre = pose[:2] + middle * ahead
    apart_now = min((math.dist(centre, other[:2]) for other in others), default=9.0)
    nearest = min(least_apart, apart_now - APART_SLACK_M)
    x, y, yaw = pose.tolist()
    dt, free, apart = duration / TRIAL_STEPS, 9.0, 9.0
    for k in range(TRIAL_STEPS):
        x += v * dt * math.cos(yaw + 0.5 * w * dt)
        y += v * dt * math.sin(yaw + 0.5 * w * dt)
        yaw += w * dt
        mx, my = x + middle * math.cos(yaw), y + middle * math.sin(yaw)
        ex, ey = mx - pose[0], my - pose[1]
        u = int((ahead[0] * ex + ahead[1] * ey - near_grid[0]) / near_grid[2] + 0.5)
        t = int((ahead[0] * ey - ahead[1] * ex - near_grid[1]) / near_grid[2] + 0.5)
        seen = near[t, u] - SEEN_MARGIN_M if 0 <= u < near.shape[1] and 0 <= t < near.shape[0] else 9.0
        free = min(free, seen, look_up(field, grid, mx, my)[0])
        after = (k + 1) * dt
        apart = min([apart, *(math.dist((mx, my), other[:2] + other[2:] * after) for other in others)])
        if free < radius or apart < nearest:
            return math.inf
    half = 0.5 * w * duration
    chord = duration * (math.sin(half) / half if w else 1.0)
    end = (pose[0] + v * chord * math.cos(pose[2] + half), pose[1] + v * chord * math.sin(pose[2] + half))
    far, dx, dy = look_up(away, grid, *end)
    off = abs(math.atan2(-dy, -dx) - float(pose[2]) - w * duration) % (2.0 * math.pi)
    cost: float = (
        far + turning * abs(w) + heading * min(off, 2.0 * math.pi - off)
        + lacking * max(wished - free, 0.0) + crowding * max(wished_apart - apart, 0.0)
    )  # fmt: skip
    return cost
