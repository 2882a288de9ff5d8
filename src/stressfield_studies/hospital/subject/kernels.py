"""Compiled parts of the navigation stack: distance field, scan matching, potential, local grid, choice of a motion.

All kernels that call each other stand in one file, because numba's cache watches the file of the outermost kernel only.
Plain versions to compare with are in :mod:`stressfield_studies.hospital.subject.reference`. A ``grid`` is x0, y0 and
the side of a cell; cell (j, i) stands for the point (x0 + i cell, y0 + j cell).
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from stressfield.arrays import Floats, Singles

TRUNCATE_M = 0.25
"""Scan points farther from anything on the map say nothing about where the robot is."""
MATCH_SIGMA_M = 0.03
ROUNDS = 6
SETTLED_M = 1e-4
TRIAL_STEPS = 8
APART_SLACK_M = 0.001
SEEN_MARGIN_M = 0.03
"""Distances from what the lidar sees are known within a cell; what is on the map, better."""


@njit(cache=True, nogil=True, error_model="numpy")
def distance_field(boxes: Floats, grid: Floats, rows: int, columns: int) -> Floats:
    """Signed distance to the nearest box (centre x, y, half extents) at every cell; negative inside."""
    field = np.empty((rows, columns))
    for j in range(rows):
        y = grid[1] + j * grid[2]
        for i in range(columns):
            x = grid[0] + i * grid[2]
            best = 1e9
            for n in range(len(boxes)):
                qx, qy = abs(x - boxes[n, 0]) - boxes[n, 2], abs(y - boxes[n, 1]) - boxes[n, 3]
                gap = math.sqrt(qx * qx + qy * qy) if qx > 0.0 and qy > 0.0 else max(qx, qy)
                best = min(best, gap)
            field[j, i] = best
    return field


@njit(cache=True, nogil=True, error_model="numpy")
def distance_to_points(points: Floats, grid: Floats, rows: int, columns: int, reach: float) -> Floats:
    """Distance to the nearest point at every cell that is within ``reach`` of one; ``reach`` elsewhere."""
    field = np.full((rows, columns), reach)
    span = int(reach / grid[2]) + 1
    for n in range(len(points)):
        i0, j0 = int((points[n, 0] - grid[0]) / grid[2]), int((points[n, 1] - grid[1]) / grid[2])
        for j in range(max(j0 - span, 0), min(j0 + span + 2, rows)):
            dy = grid[1] + j * grid[2] - points[n, 1]
            for i in range(max(i0 - span, 0), min(i0 + span + 2, columns)):
                dx = grid[0] + i * grid[2] - points[n, 0]
                field[j, i] = min(field[j, i], math.sqrt(dx * dx + dy * dy))
    return field


@njit(cache=True, nogil=True, error_model="numpy")
def look_up(field: Floats, grid: Floats, x: float, y: float) -> tuple[float, float, float]:
    """Value and gradient of a field at a point (bilinear, clamped to the grid)."""
    rows, columns = field.shape
    u = min(max((x - grid[0]) / grid[2], 0.0), columns - 1.000001)
    v = min(max((y - grid[1]) / grid[2], 0.0), rows - 1.000001)
    i, j = int(u), int(v)
    fu, fv = u - i, v - j
    a, b, c, d = field[j, i], field[j, i + 1], field[j + 1, i], field[j + 1, i + 1]
    low, high = a + (b - a) * fu, c + (d - c) * fu
    along = ((b - a) * (1.0 - fv) + (d - c) * fv) / grid[2]
    return low + (high - low) * fv, along, (high - low) / grid[2]


@njit(cache=True, nogil=True, error_model="numpy")
def scan_points(points: Floats, ranges: Singles, table: Floats, stride: int, offset_m: float) -> int:
    """End points of every ``stride``-th ray that returned, in the robot's frame; how many."""
    count = 0
    for k in range(0, len(ranges), stride):
        r = float(ranges[k])
        if math.isfinite(r):
            points[count, 0] = offset_m + r * table[k, 0]
            points[count, 1] = r * table[k, 1]
            count += 1
    return count


@njit(cache=True, nogil=True, error_model="numpy")
def solve(h: Floats, g: Floats, step: Floats) -> None:
    """``step`` such that the symmetric 3 x 3 system ``h step = g`` holds (Cramer's rule)."""
    a, b, c, d, e, f = h[0], h[1], h[2], h[3], h[4], h[5]  # rows: a b c, b d e, c e f
    m0, m1, m2 = d * f - e * e, c * e - b * f, b * e - c * d
    det = a * m0 + b * m1 + c * m2
    step[0] = (m0 * g[0] + m1 * g[1] + m2 * g[2]) / det
    step[1] = (m1 * g[0] + (a * f - c * c) * g[1] + (b * c - a * e) * g[2]) / det
    step[2] = (m2 * g[0] + (b * c - a * e) * g[1] + (a * d - b * b) * g[2]) / det


@njit(cache=True, nogil=True, error_model="numpy")
def match(pose: Floats, points: Floats, count: int, field: Floats, grid: Floats, sigma: Floats) -> float:
    """Move ``pose`` (x, y, yaw) so that scan points lie on the map's outlines; the share of points that then do.

    Gauss-Newton on the distance field, robust against points that are on no map, and held to the pose it began with
    by ``sigma`` (x, y, yaw): in a smooth corridor nothing else says how far along the robot is.
    """
    x0, y0, yaw0 = pose[0], pose[1], pose[2]
    h, g, step = np.empty(6), np.empty(3), np.empty(3)
    fitting = 0
    for _ in range(ROUNDS):
        wx, wy, wa = 1.0 / (sigma[0] * sigma[0]), 1.0 / (sigma[1] * sigma[1]), 1.0 / (sigma[2] * sigma[2])
        h[0], h[1], h[2], h[3], h[4], h[5] = wx, 0.0, 0.0, wy, 0.0, wa
        g[0], g[1], g[2] = wx * (x0 - pose[0]), wy * (y0 - pose[1]), wa * (yaw0 - pose[2])
        c, s = math.cos(pose[2]), math.sin(pose[2])
        fitting = 0
        for n in range(count):
            px, py = points[n, 0], points[n, 1]
            rx, ry = c * px - s * py, s * px + c * py
            d, dx, dy = look_up(field, grid, pose[0] + rx, pose[1] + ry)
            if abs(d) > TRUNCATE_M:
                continue
            if abs(d) < 0.1:
                fitting += 1
            ratio = d / 0.08
            weight = 1.0 / ((1.0 + ratio * ratio) * (1.0 + ratio * ratio) * MATCH_SIGMA_M * MATCH_SIGMA_M * 10.0)
            da = dy * rx - dx * ry
            h[0] += weight * dx * dx
            h[1] += weight * dx * dy
            h[2] += weight * dx * da
            h[3] += weight * dy * dy
            h[4] += weight * dy * da
            h[5] += weight * da * da
            g[0] -= weight * d * dx
            g[1] -= weight * d * dy
            g[2] -= weight * d * da
        solve(h, g, step)
        pose[0] += step[0]
        pose[1] += step[1]
        pose[2] += step[2]
        if abs(step[0]) + abs(step[1]) + abs(step[2]) < SETTLED_M:
            break
    return fitting / count if count else 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def search(pose: Floats, points: Floats, count: int, field: Floats, grid: Floats, reach: Floats, steps: int) -> float:
    """Try all poses on a lattice of ``steps`` each way up to ``reach`` (x and y, yaw); take the best, tell its fit."""
    x0, y0, yaw0 = pose[0], pose[1], pose[2]
    best = -1.0
    for ka in range(-steps, steps + 1):
        yaw = yaw0 + reach[1] * ka / steps
        c, s = math.cos(yaw), math.sin(yaw)
        for kx in range(-steps, steps + 1):
            for ky in range(-steps, steps + 1):
                x, y = x0 + reach[0] * kx / steps, y0 + reach[0] * ky / steps
                score = -1e-3 * (abs(ka) + abs(kx) + abs(ky))
                for n in range(count):
                    px, py = points[n, 0], points[n, 1]
                    d = look_up(field, grid, x + c * px - s * py, y + s * px + c * py)[0]
                    score += 1.0 / (1.0 + (d / 0.1) * (d / 0.1))
                if score > best:
                    best = score
                    pose[0], pose[1], pose[2] = x, y, yaw
    return best / count if count else 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def potential(cost: Floats, cell_m: float, goal_j: int, goal_i: int) -> Floats:
    """Least cost of the way from every cell to the goal (eight neighbours); ``cost`` is per metre and positive.

    Dijkstra's algorithm with buckets in place of a heap. A bucket is narrower than the cheapest step, so all that is in
    it when its turn comes is final, and a cell waits once for each of its neighbours at most.
    """
    rows, columns = cost.shape
    diagonal = cell_m * math.sqrt(2.0)
    width = 0.999 * cell_m * cost.min()
    buckets = int(diagonal * cost.max() / width) + 3  # a step from one bucket leads to the next so many, used in turn
    first = np.full(buckets, -1, dtype=np.int64)
    after = np.empty(8 * rows * columns + 1, dtype=np.int64)
    cells = np.empty(8 * rows * columns + 1, dtype=np.int64)
    away = np.full((rows, columns), np.inf)
    away[goal_j, goal_i] = 0.0
    first[0], after[0], cells[0] = 0, -1, goal_j * columns + goal_i
    made, waiting, turn = 1, 1, 0
    while waiting:
        while first[turn % buckets] >= 0:
            entry = first[turn % buckets]
            first[turn % buckets] = after[entry]
            waiting -= 1
            j, i = cells[entry] // columns, cells[entry] % columns
            here = away[j, i]
            if int(here / width) < turn:
                continue
            for dj in range(-1, 2):
                for di in range(-1, 2):
                    jj, ii = j + dj, i + di
                    if (dj == 0 and di == 0) or jj < 0 or ii < 0 or jj >= rows or ii >= columns:
                        continue
                    length = diagonal if dj != 0 and di != 0 else cell_m
                    there = here + 0.5 * length * (cost[j, i] + cost[jj, ii])
                    if there < away[jj, ii]:
                        away[jj, ii] = there
                        bucket = int(there / width) % buckets
                        cells[made], after[made] = jj * columns + ii, first[bucket]
                        first[bucket] = made
                        made, waiting = made + 1, waiting + 1
        turn += 1
    return away


@njit(cache=True, nogil=True, error_model="numpy")
def local_grid(near: Floats, grid: Floats, points: Floats, count: int) -> None:
    """Distance from every cell of the robot's surroundings to the nearest scan point (two sweeps, within 8 %)."""
    rows, columns = near.shape
    cell = grid[2]
    diagonal = cell * math.sqrt(2.0)
    near[:, :] = 9.0
    for n in range(count):
        i = int((points[n, 0] - grid[0]) / cell + 0.5)
        j = int((points[n, 1] - grid[1]) / cell + 0.5)
        if 0 <= i < columns and 0 <= j < rows:
            near[j, i] = 0.0
    for j in range(rows):
        for i in range(columns):
            d = near[j, i]
            if i > 0:
                d = min(d, near[j, i - 1] + cell)
            if j > 0:
                d = min(d, near[j - 1, i] + cell)
                if i > 0:
                    d = min(d, near[j - 1, i - 1] + diagonal)
                if i < columns - 1:
                    d = min(d, near[j - 1, i + 1] + diagonal)
            near[j, i] = d
    for j in range(rows - 1, -1, -1):
        for i in range(columns - 1, -1, -1):
            d = near[j, i]
            if i < columns - 1:
                d = min(d, near[j, i + 1] + cell)
            if j < rows - 1:
                d = min(d, near[j + 1, i] + cell)
                if i < columns - 1:
                    d = min(d, near[j + 1, i + 1] + diagonal)
                if i > 0:
                    d = min(d, near[j + 1, i - 1] + diagonal)
            near[j, i] = d


@njit(cache=True, nogil=True, error_model="numpy")
def gap_at(
    x: float, y: float, bx: float, by: float, field: Floats, grid: Floats, near: Floats, near_grid: Floats
) -> float:
    """Free distance around a point of the map (x, y) that is (bx, by) from the robot as it stands: map and scan."""
    u = int((bx - near_grid[0]) / near_grid[2] + 0.5)
    v = int((by - near_grid[1]) / near_grid[2] + 0.5)
    seen: float = near[v, u] - SEEN_MARGIN_M if 0 <= u < near.shape[1] and 0 <= v < near.shape[0] else 9.0
    return min(seen, look_up(field, grid, x, y)[0])


@njit(cache=True, nogil=True, error_model="numpy")
def apart_at(others: Floats, x: float, y: float, after_s: float) -> float:
    """Distance from a point to the middle of the nearest other robot (x, y, vx, vy) some time from now."""
    least = 9.0
    for n in range(len(others)):
        dx = others[n, 0] + others[n, 2] * after_s - x
        dy = others[n, 1] + others[n, 3] * after_s - y
        least = min(least, math.sqrt(dx * dx + dy * dy))
    return least


@njit(cache=True, nogil=True, error_model="numpy")
def free_along(
    pose: Floats, v: float, w: float, duration: float, middle: float, radius: float, least: float,
    field: Floats, grid: Floats, near: Floats, near_grid: Floats, others: Floats,
) -> tuple[float, float]:  # fmt: skip
    """Least free distance around the robot's middle while it moves, and least distance from other robots' middles.

    Ends early once the robot would come nearer than ``radius`` to a thing, or than ``least`` to another robot.
    """
    c0, s0 = math.cos(pose[2]), math.sin(pose[2])
    x, y = pose[0], pose[1]
    dt = duration / TRIAL_STEPS
    cw, sw = math.cos(w * dt), math.sin(w * dt)
    ch, sh = math.cos(0.5 * w * dt), math.sin(0.5 * w * dt)
    c, s = c0, s0
    free, apart = 9.0, 9.0
    for k in range(TRIAL_STEPS):
        x += v * dt * (c * ch - s * sh)
        y += v * dt * (s * ch + c * sh)
        c, s = c * cw - s * sw, s * cw + c * sw
        mx, my = x + middle * c, y + middle * s
        ex, ey = mx - pose[0], my - pose[1]
        free = min(free, gap_at(mx, my, c0 * ex + s0 * ey, c0 * ey - s0 * ex, field, grid, near, near_grid))
        apart = min(apart, apart_at(others, mx, my, (k + 1) * dt))
        if free < radius or apart < least:
            break
    return free, apart


@njit(cache=True, nogil=True, error_model="numpy")
def choose(
    best: Floats,
    pose: Floats,
    speeds: Floats,
    turns: Floats,
    away: Floats,
    field: Floats,
    grid: Floats,
    near: Floats,
    near_grid: Floats,
    others: Floats,
    settings: Floats,
) -> float:
    """The best of all pairs of speed and turn rate, tried for a while: ``best`` gets the pair; its cost, or infinity.

    ``settings``: duration of a trial in s, radius of the robot, its middle ahead of the axle, wished-for distance from
    things, weights (in metres) of heading (per rad), of lacking distance (per m) and of turning (per rad/s), wished-for
    distance from the middles of other robots, the weight of lacking that, and the distance from them that is never
    fallen short of, unless the robot already is nearer: then it may move away. Motions that could not be the best one,
    however free, are not tried.
    """
    duration, radius, middle, wished = settings[0], settings[1], settings[2], settings[3]
    mx, my = pose[0] + middle * math.cos(pose[2]), pose[1] + middle * math.sin(pose[2])
    nearest = min(settings[9], apart_at(others, mx, my, 0.0) - APART_SLACK_M)
    least = math.inf
    best[0], best[1] = 0.0, 0.0
    for b in range(len(turns)):
        w = turns[b]
        yaw = pose[2] + w * duration
        half = pose[2] + 0.5 * w * duration
        chord = math.sin(0.5 * w * duration) / (0.5 * w * duration) if w != 0.0 else 1.0
        c, s = chord * duration * math.cos(half), chord * duration * math.sin(half)
        for a in range(len(speeds)):
            v = speeds[a]
            if v == 0.0 and w == 0.0:
                continue
            far, dx, dy = look_up(away, grid, pose[0] + v * c, pose[1] + v * s)
            cost = far + settings[6] * abs(w)
            if cost >= least:
                continue
            off = abs(math.atan2(-dy, -dx) - yaw) % (2.0 * math.pi)
            cost += settings[4] * min(off, 2.0 * math.pi - off)
            if cost >= least:
                continue
            free, apart = free_along(
                pose, v, w, duration, middle, radius, nearest, field, grid, near, near_grid, others
            )
            cost += settings[5] * max(wished - free, 0.0) + settings[8] * max(settings[7] - apart, 0.0)
            if free >= radius and apart >= nearest and cost < least:
                least = cost
                best[0], best[1] = v, w
    return least
