"""Compiled views: a grid of rays, as that of a camera, against the ground, bodies and robots."""

from __future__ import annotations

import math

import numpy as np

from stressfield._kernels import kernel
from stressfield.arrays import Counts, Floats
from stressfield.sim.rig._lidar3d_kernels import meet_ground
from stressfield.sim.rig._motion_kernels import BODY_COLUMNS, BX, BY, FOOT, ID, REACH, TOP
from stressfield.sim.rig._sight_kernels import Frame, Numbers, beyond, frame, hit, robot_box, take

# Columns of the constants of a view: where it sits, how it is turned, its grid, the tangents of half its angles.
VX, VY, VZ, COS_YAW, SIN_YAW, COS_DOWN, SIN_DOWN = 0, 1, 2, 3, 4, 5, 6
COLUMNS, ROWS, ACROSS, UPWARDS, RANGE_MAX, GROUND_SEEN = 7, 8, 9, 10, 11, 12
VIEW_COLUMNS = 13

NOTHING = -1
GROUND = -1_000_000
"""What a ray meets, beside the index of a body or an actor and ``-2 - i`` for robot ``i``."""

SLACK_PX = 1e-6
"""Of the border of what a body can cover: more than rounding, less than what would cost a pixel's work."""


@kernel
def view_frame(state: Floats, me: int, view: Floats) -> Frame:
    """Origin and axes (ahead, left, up) of a view in the world."""
    f = frame(state, me, view[VX], view[VZ])
    a, b, c = f[1], f[2], f[3]
    cy, sy, cd, sd, y = view[COS_YAW], view[SIN_YAW], view[COS_DOWN], view[SIN_DOWN], view[VY]
    origin = (f[0][0] + y * b[0], f[0][1] + y * b[1], f[0][2] + y * b[2])
    flat = (cy * a[0] + sy * b[0], cy * a[1] + sy * b[1], cy * a[2] + sy * b[2])
    ahead = (cd * flat[0] - sd * c[0], cd * flat[1] - sd * c[1], cd * flat[2] - sd * c[2])
    left = (cy * b[0] - sy * a[0], cy * b[1] - sy * a[1], cy * b[2] - sy * a[2])
    up = (sd * flat[0] + cd * c[0], sd * flat[1] + cd * c[1], sd * flat[2] + cd * c[2])
    return origin, ahead, left, up


@kernel
def covered(aside: float, ahead: float, radius: float, half: float, count: float) -> tuple[int, int]:
    """First and last of the columns (or rows) that a ball may cover; none if the last is less than the first."""
    first, last = 0.0, count - 1.0
    away = math.sqrt(aside * aside + ahead * ahead)
    if away > radius:
        middle, wide = math.atan2(aside, ahead), math.asin(radius / away)
        low, high = middle - wide, middle + wide
        if high <= -math.pi / 2.0 or low >= math.pi / 2.0:
            return 0, -1
        if high < math.pi / 2.0:
            first = max(first, math.ceil(((1.0 - math.tan(high) / half) * count - 1.0) / 2.0 - SLACK_PX))
        if low > -math.pi / 2.0:
            last = min(last, math.floor(((1.0 - math.tan(low) / half) * count - 1.0) / 2.0 + SLACK_PX))
    return int(first), int(last)


@kernel
def look_among(
    ranges: Floats, seen: Counts, rays: Floats, f: Frame, view: Floats, bodies: Floats, begin: int, end: int
) -> None:
    """Shorten the rays that hit some bodies. A body is looked for where the ball around it can be in the picture."""
    o, columns = f[0], int(view[COLUMNS])
    for n in range(begin, end):
        half_high = (bodies[n, TOP] - bodies[n, FOOT]) / 2.0
        dx, dy, dz = bodies[n, BX] - o[0], bodies[n, BY] - o[1], bodies[n, FOOT] + half_high - o[2]
        radius = math.sqrt(bodies[n, REACH] * bodies[n, REACH] + half_high * half_high)
        near = math.sqrt(dx * dx + dy * dy + dz * dz) - radius
        ahead = dx * f[1][0] + dy * f[1][1] + dz * f[1][2]
        if near > view[RANGE_MAX] or ahead < -radius:
            continue
        left = dx * f[2][0] + dy * f[2][1] + dz * f[2][2]
        first, last = covered(left, ahead, radius, view[ACROSS], view[COLUMNS])
        if last < first:
            continue
        up = dx * f[3][0] + dy * f[3][1] + dz * f[3][2]
        top, bottom = covered(up, ahead, radius, view[UPWARDS], view[ROWS])
        body: Numbers = take(bodies, n)
        for row in range(top, bottom + 1):
            for i in range(row * columns + first, row * columns + last + 1):
                # As in the plane: a ray that ends before the body begins cannot get any shorter.
                if ranges[i] > near:
                    t = hit(body, o, (rays[i, 0], rays[i, 1], rays[i, 2]))
                    if t < ranges[i]:
                        ranges[i] = t
                        seen[i] = int(bodies[n, ID])


@kernel
def cast(
    ranges: Floats,
    seen: Counts,
    rays: Floats,
    table: Floats,
    view: Floats,
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
    """Free distance along every ray, at most the range of the view, and what each meets; writes the rays, too.

    ``table`` holds the rays in the frame of the view (ahead, left, up), row by row from the top left; ``cells`` are the
    grid cells around, nearest first.
    """
    f = view_frame(state, me, view)
    o, range_max = f[0], view[RANGE_MAX]
    for i in range(len(ranges)):
        for k in range(3):
            rays[i, k] = f[1][k] * table[i, 0] + f[2][k] * table[i, 1] + f[3][k] * table[i, 2]
    if view[GROUND_SEEN] > 0.0:
        meet_ground(ranges, rays, o, range_max, heights, ground)
    else:
        ranges[:] = range_max
    for i in range(len(ranges)):
        seen[i] = GROUND if ranges[i] < range_max else NOTHING
    columns, lines = int(grid[3]), int(grid[4])
    i0 = math.floor((o[0] - grid[0]) / grid[2])
    j0 = math.floor((o[1] - grid[1]) / grid[2])
    for r in range(len(cells)):
        i, j = i0 + cells[r, 0], j0 + cells[r, 1]
        if 0 <= i < columns and 0 <= j < lines:
            cell = j * columns + i
            look_among(ranges, seen, rays, f, view, bodies, start[cell], start[cell + 1])
    look_among(ranges, seen, rays, f, view, bodies, start[-1], len(bodies))
    if len(robots) > 1:
        box = np.empty((1, BODY_COLUMNS))
        for other in range(len(robots)):
            if other != me and not beyond(state, robots, other, o[0], o[1], range_max):
                robot_box(state, robots, other, box)
                box[0, ID] = -2.0 - other
                look_among(ranges, seen, rays, f, view, box, 0, 1)
