"""Compiled sight in three dimensions: rings of rays against the ground, bodies and robots."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from stressfield._kernels import kernel
from stressfield.arrays import Counts, Floats
from stressfield.sim.rig._motion_kernels import (
    BODY_COLUMNS,
    BX,
    BY,
    COS,
    HALF_X,
    HALF_Y,
    PITCH,
    REACH,
    ROLL,
    SHAPE,
    SIN,
    YAW,
)
from stressfield.sim.rig._sight_kernels import FULL_TURN, Numbers, beyond, frame, hit, robot_box, take

ANGLE_SLACK = 1e-6
"""Of bearings from ``atan2``: far more than rounding, far less than the step between two rays."""


@kernel
def azimuth_slack(roll: float, pitch: float, elevation_max: float) -> float:
    """By how much the tilt of the robot can turn the bearing of a ray: rather too much than too little."""
    if roll == 0.0 and pitch == 0.0:
        return ANGLE_SLACK
    tilt = 2.0 * math.acos(min(1.0, math.cos(pitch / 2.0) * math.cos(roll / 2.0)))
    sine = math.sin(min(tilt, math.pi / 2.0)) / math.cos(elevation_max)
    return math.asin(sine) + ANGLE_SLACK if sine < 1.0 else math.pi


@kernel
def cross(a: float, b: float, c: float, t0: float, t1: float) -> float:
    """The first t in [t0, t1] at which ``a + b t + c t^2`` is no longer positive; infinity if it stays so."""
    if a + t0 * (b + t0 * c) <= 0.0:
        return t0
    square = b * b - 4.0 * a * c
    if square < 0.0:
        return math.inf
    q = -0.5 * (b + math.copysign(math.sqrt(square), b))
    # Of the two usual formulas each is exact for one root only: the other would subtract nearly equal numbers.
    root = q / c if c != 0.0 else math.inf
    other = a / q if q != 0.0 else math.inf
    low, high = min(root, other), max(root, other)
    if t0 <= low <= t1:
        return low
    return high if t0 <= high <= t1 else math.inf


@kernel
def trace_ground(heights: Floats, u: float, v: float, z: float, du: float, dv: float, dz: float, limit: float) -> float:
    """Where a ray meets the ground before ``limit``, from patch to patch; u and v are in patches.

    Between four heights the ground is bilinear, so a ray meets it where a quadratic is zero: exact, and a patch that
    lies wholly below the ray costs four comparisons. Infinity when the ray leaves the terrain.
    """
    rows, columns = heights.shape
    i, j = min(int(u), columns - 2), min(int(v), rows - 2)
    i_step, j_step = (1 if du > 0.0 else -1), (1 if dv > 0.0 else -1)
    next_u = (i + (du > 0.0) - u) / du if du != 0.0 else math.inf
    next_v = (j + (dv > 0.0) - v) / dv if dv != 0.0 else math.inf
    each_u = abs(1.0 / du) if du != 0.0 else math.inf
    each_v = abs(1.0 / dv) if dv != 0.0 else math.inf
    t = 0.0
    while t < limit:
        after = min(next_u, next_v, limit)
        h00, h01, h10, h11 = heights[j, i], heights[j, i + 1], heights[j + 1, i], heights[j + 1, i + 1]
        lowest = z + dz * (after if dz < 0.0 else t)
        if lowest <= h00 or lowest <= h01 or lowest <= h10 or lowest <= h11:
            fu, fv = u - i, v - j
            hu, hv, huv = h01 - h00, h10 - h00, h00 - h01 - h10 + h11
            a = z - (h00 + hu * fu + hv * fv + huv * fu * fv)
            b = dz - (hu * du + hv * dv + huv * (fu * dv + fv * du))
            met = cross(a, b, -huv * du * dv, t, after)
            if met < math.inf:
                return met
        t = after
        if next_u <= next_v:
            next_u += each_u
            i += i_step
        else:
            next_v += each_v
            j += j_step
        if i < 0 or j < 0 or i > columns - 2 or j > rows - 2:
            return math.inf
    return math.inf


@kernel
def meet_ground(ranges: Floats, rays: Floats, o: Numbers, range_max: float, heights: Floats, ground: Floats) -> None:
    """Free distance of every ray above the ground; beyond the border of the terrain there is none."""
    rows, columns = heights.shape
    per_m = 1.0 / ground[2]
    u, v = (o[0] - ground[0]) * per_m, (o[1] - ground[1]) * per_m
    on_terrain = 0.0 <= u <= columns - 1.0 and 0.0 <= v <= rows - 1.0
    level = ground[3] == 0.0
    for n in range(len(ranges)):
        dx, dy, dz = rays[n, 0], rays[n, 1], rays[n, 2]
        met = math.inf
        if on_terrain and level:
            if dz < 0.0:
                met = max((heights[0, 0] - o[2]) / dz, 0.0)
                if not (0.0 <= u + met * dx * per_m <= columns - 1.0 and 0.0 <= v + met * dy * per_m <= rows - 1.0):
                    met = math.inf
        elif on_terrain:
            met = trace_ground(heights, u, v, o[2], dx * per_m, dy * per_m, dz, range_max)
        ranges[n] = min(met, range_max)


@kernel
def bearing_span(body: Numbers, fx: float, fy: float, distance: float) -> tuple[float, float]:
    """Middle and half width of the bearings under which a body at (fx, fy) is seen; a whole turn from inside."""
    middle = math.atan2(fy, fx)
    if body[SHAPE] != 1.0:
        if distance <= body[HALF_X]:
            return middle, math.pi
        return middle, math.asin(body[HALF_X] / distance)
    px, py = fx * body[COS] + fy * body[SIN], fy * body[COS] - fx * body[SIN]
    if abs(px) <= body[HALF_X] and abs(py) <= body[HALF_Y]:
        return middle, math.pi
    ux, uy = body[COS] * body[HALF_X], body[SIN] * body[HALF_X]
    vx, vy = -body[SIN] * body[HALF_Y], body[COS] * body[HALF_Y]
    wide = 0.0
    for k in range(4):
        su, sv = 1.0 - 2.0 * (k & 1), 1.0 - (k & 2)
        cx, cy = fx + su * ux + sv * vx, fy + su * uy + sv * vy
        wide = max(wide, abs(math.atan2(fx * cy - fy * cx, fx * cx + fy * cy)))
    return middle, wide


@kernel
def look_among(
    ranges: Floats,
    rays: Floats,
    o: Numbers,
    yaw: float,
    slack: float,
    rings: int,
    range_max: float,
    bodies: Floats,
    begin: int,
    end: int,
) -> None:
    """Shorten the rays that hit some bodies. Ray ``ring * azimuths + a`` looks ``a`` steps left of ahead."""
    azimuths = len(ranges) // rings
    per_rad = azimuths / FULL_TURN
    for n in range(begin, end):
        fx, fy = bodies[n, BX] - o[0], bodies[n, BY] - o[1]
        far = range_max + bodies[n, REACH]
        if fx * fx + fy * fy > far * far:
            continue
        distance = math.sqrt(fx * fx + fy * fy)
        near = distance - bodies[n, REACH]
        body = take(bodies, n)
        middle, half = bearing_span(body, fx, fy, distance)
        half = (half + slack) * per_rad
        place = (middle - yaw) * per_rad
        first = math.ceil(place - half)
        count = min(math.floor(place + half) - first + 1, azimuths)
        for k in range(count):
            a = (first + k) % azimuths
            for ring in range(rings):
                i = ring * azimuths + a
                # As in the plane: a ray that ends before the body begins cannot get any shorter.
                if ranges[i] > near:
                    t = hit(body, o, (rays[i, 0], rays[i, 1], rays[i, 2]))
                    ranges[i] = min(ranges[i], t)


@kernel
def cast(
    ranges: Floats,
    rays: Floats,
    table: Floats,
    lidar: Floats,
    state: Floats,
    me: int,
    robots: Floats,
    bodies: Floats,
    start: Counts,
    grid: Floats,
    cells: Counts,
    heights: Floats,
    ground: Floats,
) -> None:
    """Free distance along every ray, at most the range of the lidar; writes the rays, too.

    ``lidar`` is x, z, rings, greatest elevation up or down, least and greatest range; ``table`` holds the rays in the
    frame of the sensor; ``cells`` are the grid cells around, nearest first.
    """
    f = frame(state, me, lidar[0], lidar[1])
    for i in range(len(ranges)):
        for k in range(3):
            rays[i, k] = f[1][k] * table[i, 0] + f[2][k] * table[i, 1] + f[3][k] * table[i, 2]
    o, yaw, rings, range_max = f[0], state[me, YAW], int(lidar[2]), lidar[5]
    meet_ground(ranges, rays, o, range_max, heights, ground)
    slack = azimuth_slack(state[me, ROLL], state[me, PITCH], lidar[3])
    columns, lines = int(grid[3]), int(grid[4])
    i0 = math.floor((o[0] - grid[0]) / grid[2])
    j0 = math.floor((o[1] - grid[1]) / grid[2])
    for r in range(len(cells)):
        i, j = i0 + cells[r, 0], j0 + cells[r, 1]
        if 0 <= i < columns and 0 <= j < lines:
            cell = j * columns + i
            look_among(ranges, rays, o, yaw, slack, rings, range_max, bodies, start[cell], start[cell + 1])
    look_among(ranges, rays, o, yaw, slack, rings, range_max, bodies, start[-1], len(bodies))
    if len(robots) > 1:
        box = np.empty((1, BODY_COLUMNS))
        for other in range(len(robots)):
            if other != me and not beyond(state, robots, other, o[0], o[1], range_max):
                robot_box(state, robots, other, box)
                look_among(ranges, rays, o, yaw, slack, rings, range_max, box, 0, 1)


@kernel
def points(
    out: NDArray[np.float32],
    ranges: Floats,
    table: Floats,
    lidar: Floats,
    noise_m: float,
    normals: Floats,
    dropout: float,
    chances: Floats,
) -> None:
    """The cloud in the frame of the sensor: noise along the ray, NaN where nothing came back."""
    for i in range(len(ranges)):
        value = ranges[i]
        back = value < lidar[5]
        if noise_m > 0.0:
            value += noise_m * normals[i]
        if not back or value < lidar[4] or value >= lidar[5] or (dropout > 0.0 and chances[i] < dropout):
            value = np.nan
        for k in range(3):
            out[i, k] = value * table[i, k]
