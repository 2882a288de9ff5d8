"""Compiled sight: lidar rays and lines of sight against bodies, robots and ground.

Stands apart from the motion kernels and repeats ``height`` and the columns on purpose: numba's cache watches only the
file of the outermost kernel, so a kernel must not call into another file. A test holds the copies together.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]

X, Y, Z, ROLL, PITCH, YAW = 0, 1, 2, 3, 4, 5
HALF_LENGTH, HALF_WIDTH, OFFSET, HEIGHT = 7, 8, 9, 10
SHAPE, BX, BY, FOOT, TOP, REACH, HALF_X, HALF_Y, COS, SIN, ID, BLOCKS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11

STEP_MIN_M = 0.01
TURN = 2.0 * math.pi
ANGLE_SLACK = 3e-5


@njit(cache=True, nogil=True, error_model="numpy")
def height(heights: Floats, ground: Floats, x: float, y: float) -> float:
    """Ground height (bilinear); ``ground`` is x0, y0, cell, steepest slope."""
    rows, columns = heights.shape
    u = (x - ground[0]) / ground[2]
    v = (y - ground[1]) / ground[2]
    u = min(u, columns - 1.0) if u > 0.0 else 0.0
    v = min(v, rows - 1.0) if v > 0.0 else 0.0
    i = min(int(u), columns - 2)
    j = min(int(v), rows - 2)
    fu = u - i
    fv = v - j
    low = heights[j, i] * (1 - fu) + heights[j, i + 1] * fu
    high = heights[j + 1, i] * (1 - fu) + heights[j + 1, i + 1] * fu
    between: float = low * (1 - fv) + high * fv
    return between


@njit(cache=True, nogil=True, error_model="numpy")
def slab(o: float, d: float, low: float, high: float, t0: float, t1: float) -> tuple[float, float]:
    """The part of [t0, t1] in which ``o + t d`` lies between low and high (empty: t0 > t1)."""
    if d == 0.0:
        return (t0, t1) if low <= o <= high else (1.0, 0.0)
    a, b = (low - o) / d, (high - o) / d
    return max(t0, min(a, b)), min(t1, max(a, b))


@njit(cache=True, nogil=True, error_model="numpy")
def hit(bodies: Floats, n: int, ox: float, oy: float, oz: float, dx: float, dy: float, dz: float) -> float:
    """Where the ray ``o + t d``, t >= 0, first meets a body; infinity if nowhere; 0 from inside."""
    fx, fy = bodies[n, BX] - ox, bodies[n, BY] - oy
    t0, t1 = 0.0, math.inf
    if bodies[n, SHAPE] == 1.0:
        c, s = bodies[n, COS], bodies[n, SIN]
        t0, t1 = slab(-(fx * c + fy * s), dx * c + dy * s, -bodies[n, HALF_X], bodies[n, HALF_X], t0, t1)
        t0, t1 = slab(-(fy * c - fx * s), dy * c - dx * s, -bodies[n, HALF_Y], bodies[n, HALF_Y], t0, t1)
        t0, t1 = slab(oz, dz, bodies[n, FOOT], bodies[n, TOP], t0, t1)
        return t0 if t0 <= t1 else math.inf
    a, b, c = dx * dx + dy * dy, fx * dx + fy * dy, fx * fx + fy * fy - bodies[n, HALF_X] * bodies[n, HALF_X]
    if bodies[n, SHAPE] == 2.0:
        fz = bodies[n, FOOT] + bodies[n, HALF_X] - oz
        a, b, c = a + dz * dz, b + fz * dz, c + fz * fz
    square = b * b - a * c
    if square < 0.0:
        return math.inf
    root = math.sqrt(square)
    t0, t1 = max((b - root) / a, 0.0), (b + root) / a
    if bodies[n, SHAPE] == 0.0:
        t0, t1 = slab(oz, dz, bodies[n, FOOT], bodies[n, TOP], t0, t1)
    return t0 if t0 <= t1 else math.inf


@njit(cache=True, nogil=True, error_model="numpy")
def robot_box(state: Floats, robots: Floats, other: int, box: Floats) -> None:
    """A robot as a box body (upright: its own tilt is left out)."""
    s, robot = state[other], robots[other]
    c, sn = math.cos(s[YAW]), math.sin(s[YAW])
    box[0, SHAPE], box[0, COS], box[0, SIN] = 1.0, c, sn
    box[0, BX], box[0, BY] = s[X] + robot[OFFSET] * c, s[Y] + robot[OFFSET] * sn
    box[0, FOOT], box[0, TOP] = s[Z], s[Z] + robot[HEIGHT]
    box[0, HALF_X], box[0, HALF_Y] = robot[HALF_LENGTH], robot[HALF_WIDTH]
    box[0, REACH] = math.sqrt(robot[HALF_LENGTH] ** 2 + robot[HALF_WIDTH] ** 2)
    box[0, ID] = -2.0 - other


@njit(cache=True, nogil=True, error_model="numpy")
def frame(s: Floats, x: float, z: float, f: Floats) -> None:
    """Sensor frame: origin f[0], axes ahead f[1], left f[2], up f[3]; mounted at x, z on a robot."""
    cr, sr, cp, sp = math.cos(s[ROLL]), math.sin(s[ROLL]), math.cos(s[PITCH]), math.sin(s[PITCH])
    cy, sy = math.cos(s[YAW]), math.sin(s[YAW])
    f[1, 0], f[1, 1], f[1, 2] = cp * cy, cp * sy, -sp
    f[2, 0], f[2, 1], f[2, 2] = sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp
    f[3, 0], f[3, 1], f[3, 2] = cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp
    for k in range(3):
        f[0, k] = s[k] + x * f[1, k] + z * f[3, k]


@njit(cache=True, nogil=True, error_model="numpy")
def quick_atan2(y: float, x: float) -> float:
    """Angle of (x, y) within ANGLE_SLACK (Abramowitz and Stegun 4.4.47): only used to choose rays, never to measure."""
    ax, ay = abs(x), abs(y)
    q = min(ax, ay) / max(ax, ay)
    q2 = q * q
    a = q * (0.9998660 + q2 * (-0.3302995 + q2 * (0.1801410 + q2 * (-0.0851330 + q2 * 0.0208351))))
    a = math.pi / 2.0 - a if ay > ax else a
    a = math.pi - a if x < 0.0 else a
    return -a if y < 0.0 else a


@njit(cache=True, nogil=True, error_model="numpy")
def scan_angle(f: Floats, x: float, y: float) -> float:
    """Angle of the ray whose shadow on the ground points along (x, y)."""
    return quick_atan2(f[1, 0] * y - f[1, 1] * x, f[2, 1] * x - f[2, 0] * y)


@njit(cache=True, nogil=True, error_model="numpy")
def box_span(f: Floats, bodies: Floats, n: int, fx: float, fy: float, middle: float) -> tuple[float, float]:
    """Least and greatest angle of a box's corners, relative to its middle; a whole turn from inside."""
    px, py = fx * bodies[n, COS] + fy * bodies[n, SIN], fy * bodies[n, COS] - fx * bodies[n, SIN]
    if abs(px) <= bodies[n, HALF_X] and abs(py) <= bodies[n, HALF_Y]:
        return -math.pi, math.pi
    ux, uy = bodies[n, COS] * bodies[n, HALF_X], bodies[n, SIN] * bodies[n, HALF_X]
    vx, vy = -bodies[n, SIN] * bodies[n, HALF_Y], bodies[n, COS] * bodies[n, HALF_Y]
    low, high = 0.0, 0.0
    for k in range(4):
        su, sv = 1.0 - 2.0 * (k & 1), 1.0 - (k & 2)
        a = scan_angle(f, fx + su * ux + sv * vx, fy + su * uy + sv * vy) - middle
        a = a - TURN if a > math.pi else (a + TURN if a < -math.pi else a)
        low, high = min(low, a), max(high, a)
    return low, high


@njit(cache=True, nogil=True, error_model="numpy")
def span(f: Floats, bodies: Floats, n: int, fx: float, fy: float, distance: float) -> tuple[float, float]:
    """Angles between which rays may hit a body at (fx, fy) from the sensor, rather too wide than too narrow."""
    middle = scan_angle(f, fx, fy)
    if bodies[n, SHAPE] == 1.0:
        low, high = box_span(f, bodies, n, fx, fy, middle)
        return middle + low - 2.0 * ANGLE_SLACK, middle + high + 2.0 * ANGLE_SLACK
    if distance <= bodies[n, HALF_X]:
        return middle - math.pi, middle + math.pi
    sine = bodies[n, HALF_X] / distance
    # asin(s) is at most 1.05 s up to 0.5, and 1.6 s up to 1; tilt stretches angles by at most 1 / up.z.
    half = (1.05 if sine < 0.5 else 1.6) * sine / f[3, 2] + ANGLE_SLACK
    return middle - half, middle + half


@njit(cache=True, nogil=True, error_model="numpy")
def hit_column(bodies: Floats, n: int, f: Floats, rays: Floats, i: int) -> float:
    """As ``hit`` for a cylinder, spared most divisions."""
    fx, fy = bodies[n, BX] - f[0, 0], bodies[n, BY] - f[0, 1]
    dx, dy, dz, a = rays[i, 0], rays[i, 1], rays[i, 2], rays[i, 3]
    b = fx * dx + fy * dy
    square = b * b - a * (fx * fx + fy * fy - bodies[n, HALF_X] * bodies[n, HALF_X])
    if square < 0.0 or b < 0.0:
        return hit(bodies, n, f[0, 0], f[0, 1], f[0, 2], dx, dy, dz) if square >= 0.0 else math.inf
    t: float = (b - math.sqrt(square)) / a
    z = f[0, 2] + t * dz
    if t >= 0.0 and bodies[n, FOOT] <= z <= bodies[n, TOP]:
        return t
    return hit(bodies, n, f[0, 0], f[0, 1], f[0, 2], dx, dy, dz)


@njit(cache=True, nogil=True, error_model="numpy")
def sweep(
    ranges: Floats, rays: Floats, f: Floats, bodies: Floats, n: int, near: float, first: float, last: float
) -> None:
    """Shorten the rays from index ``first`` to ``last`` that hit a body; ``near`` is the least distance it can have."""
    i0 = math.ceil(first) if first > 0.0 else 0
    i1 = min(math.floor(last), len(ranges) - 1) if last >= 0.0 else -1
    for i in range(i0, i1 + 1):
        if ranges[i] > near:
            if bodies[n, SHAPE] == 0.0:
                t = hit_column(bodies, n, f, rays, i)
            else:
                t = hit(bodies, n, f[0, 0], f[0, 1], f[0, 2], rays[i, 0], rays[i, 1], rays[i, 2])
            ranges[i] = min(ranges[i], t)


@njit(cache=True, nogil=True, error_model="numpy")
def look_at(
    ranges: Floats, rays: Floats, f: Floats, lidar: Floats, bodies: Floats, n: int, fx: float, fy: float
) -> None:
    """Shorten the rays that hit a body at (fx, fy) from the sensor."""
    distance = math.sqrt(fx * fx + fy * fy)
    near = distance - bodies[n, REACH]
    if near > lidar[5]:
        return
    low, high = span(f, bodies, n, fx, fy, distance)
    turn = TURN / lidar[3]
    first, last = (low - lidar[2]) / lidar[3], (high - lidar[2]) / lidar[3]
    sweep(ranges, rays, f, bodies, n, near, first, last)
    if first < 0.0:
        sweep(ranges, rays, f, bodies, n, near, first + turn, last + turn)
    if last > len(ranges) - 1:
        sweep(ranges, rays, f, bodies, n, near, first - turn, last - turn)


@njit(cache=True, nogil=True, error_model="numpy")
def look_among(ranges: Floats, rays: Floats, f: Floats, lidar: Floats, bodies: Floats, begin: int, end: int) -> None:
    """Look at some bodies. Rays lie in a plane, so those above or below it (weeds, mostly) are passed over at once."""
    x, y, z, slope_x, slope_y, slope = f[0, 0], f[0, 1], f[0, 2], f[4, 0], f[4, 1], f[4, 2]
    for n in range(begin, end):
        fx, fy = bodies[n, BX] - x, bodies[n, BY] - y
        plane = z + slope_x * fx + slope_y * fy
        spread = bodies[n, REACH] * slope
        if bodies[n, TOP] >= plane - spread and bodies[n, FOOT] <= plane + spread:
            look_at(ranges, rays, f, lidar, bodies, n, fx, fy)


@njit(cache=True, nogil=True, error_model="numpy")
def look_around(
    ranges: Floats,
    rays: Floats,
    f: Floats,
    lidar: Floats,
    bodies: Floats,
    start: Counts,
    grid: Floats,
    rings: Counts,
) -> None:
    """Shorten the rays that hit any body, nearest cells first: what hides behind others costs little."""
    columns, lines = int(grid[3]), int(grid[4])
    i0 = math.floor((f[0, 0] - grid[0]) / grid[2])
    j0 = math.floor((f[0, 1] - grid[1]) / grid[2])
    for r in range(len(rings)):
        i, j = i0 + rings[r, 0], j0 + rings[r, 1]
        if 0 <= i < columns and 0 <= j < lines:
            cell = j * columns + i
            look_among(ranges, rays, f, lidar, bodies, start[cell], start[cell + 1])
    look_among(ranges, rays, f, lidar, bodies, start[-1], len(bodies))


@njit(cache=True, nogil=True, error_model="numpy")
def cell_of(value: float, origin: float, cell: float, count: float) -> int:
    """Grid cell of a coordinate, clamped to the grid."""
    k = (value - origin) / cell
    return int(min(k, count - 1.0)) if k > 0.0 else 0


@njit(cache=True, nogil=True, error_model="numpy")
def trace_ground(heights: Floats, ground: Floats, f: Floats, rays: Floats, i: int, limit: float) -> float:
    """Where a ray meets the ground before ``limit``. The steepest slope tells how far a step is safe."""
    ox, oy, oz = f[0, 0], f[0, 1], f[0, 2]
    steep = ground[3] + abs(rays[i, 2])
    t, gap = 0.0, oz - height(heights, ground, ox, oy)
    if gap <= 0.0:
        return 0.0
    while t < limit:
        step = max(gap / steep, STEP_MIN_M)
        after = t + step
        beyond = oz + after * rays[i, 2] - height(heights, ground, ox + after * rays[i, 0], oy + after * rays[i, 1])
        if beyond <= 0.0:
            met: float = min(t + step * gap / (gap - beyond), limit)
            return met
        t, gap = after, beyond
    return limit


@njit(cache=True, nogil=True, error_model="numpy")
def highest(peaks: Floats, peak_grid: Floats, x: float, y: float, reach: float) -> float:
    """Greatest height of the ground around a point, from the highest points of blocks."""
    rows, columns = peaks.shape
    i0, i1 = (
        cell_of(x - reach, peak_grid[0], peak_grid[2], columns),
        cell_of(x + reach, peak_grid[0], peak_grid[2], columns),
    )
    j0, j1 = cell_of(y - reach, peak_grid[1], peak_grid[2], rows), cell_of(y + reach, peak_grid[1], peak_grid[2], rows)
    top: float = peaks[j0, i0]
    for j in range(j0, j1 + 1):
        for i in range(i0, i1 + 1):
            top = max(top, peaks[j, i])
    return top


@njit(cache=True, nogil=True, error_model="numpy")
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
    rings: Counts,
    heights: Floats,
    ground: Floats,
    peaks: Floats,
    peak_grid: Floats,
) -> None:
    """Free distance along every ray, at most the range of the lidar.

    ``lidar`` is x, z, first angle, angle step, least and greatest range; ``table`` holds cosines and sines.
    """
    f = np.empty((5, 3))
    frame(state[me], lidar[0], lidar[1], f)
    f[4, 0], f[4, 1] = -f[3, 0] / f[3, 2], -f[3, 1] / f[3, 2]  # slope of the plane of the rays
    f[4, 2] = math.sqrt(f[4, 0] ** 2 + f[4, 1] ** 2)
    for i in range(len(ranges)):
        ranges[i] = lidar[5]
        for k in range(3):
            rays[i, k] = f[1, k] * table[i, 0] + f[2, k] * table[i, 1]
        rays[i, 3] = rays[i, 0] * rays[i, 0] + rays[i, 1] * rays[i, 1]
    look_around(ranges, rays, f, lidar, bodies, start, grid, rings)
    if len(robots) > 1:
        box = np.empty((1, 12))
        for other in range(len(robots)):
            if other != me:
                robot_box(state, robots, other, box)
                look_among(ranges, rays, f, lidar, box, 0, 1)
    top = highest(peaks, peak_grid, f[0, 0], f[0, 1], lidar[5])
    for i in range(len(ranges)):
        if f[0, 2] + min(rays[i, 2], 0.0) * ranges[i] <= top:
            ranges[i] = trace_ground(heights, ground, f, rays, i, ranges[i])


@njit(cache=True, nogil=True, error_model="numpy")
def report(
    out: NDArray[np.float32],
    ranges: Floats,
    lidar: Floats,
    noise_m: float,
    normals: Floats,
    dropout: float,
    chances: Floats,
) -> None:
    """What the lidar says of its free distances: noise, dropouts, and infinity where nothing is in range."""
    for i in range(len(ranges)):
        value = ranges[i]
        if value >= lidar[5]:
            out[i] = np.inf
            continue
        if noise_m > 0.0:
            value += noise_m * normals[i]
        if value < lidar[4] or value >= lidar[5] or (dropout > 0.0 and chances[i] < dropout):
            value = np.inf
        out[i] = value


@njit(cache=True, nogil=True, error_model="numpy")
def hidden(
    f: Floats,
    markers: Floats,
    m: int,
    bodies: Floats,
    start: Counts,
    grid: Floats,
    state: Floats,
    robots: Floats,
    me: int,
) -> bool:
    """Whether a body other than the marker, or a robot, stands in the line of sight to it."""
    x, y, z = f[0, 0], f[0, 1], f[0, 2]
    dx, dy, dz = markers[m, 0] - x, markers[m, 1] - y, markers[m, 2] - z
    wide, columns = grid[5], int(grid[3])
    i0 = cell_of(min(x, x + dx) - wide, grid[0], grid[2], grid[3])
    i1 = cell_of(max(x, x + dx) + wide, grid[0], grid[2], grid[3])
    j0 = cell_of(min(y, y + dy) - wide, grid[1], grid[2], grid[4])
    j1 = cell_of(max(y, y + dy) + wide, grid[1], grid[2], grid[4])
    for j in range(j0, j1 + 2):  # one more round for the bodies too large for the grid
        first = start[j * columns + i0] if j <= j1 else start[-1]
        last = start[j * columns + i1 + 1] if j <= j1 else len(bodies)
        for k in range(first, last):
            if bodies[k, ID] != markers[m, 3] and hit(bodies, k, x, y, z, dx, dy, dz) < 1.0:
                return True
    box = np.empty((1, 12))
    for other in range(len(robots)):
        if other != me:
            robot_box(state, robots, other, box)
            if hit(box, 0, x, y, z, dx, dy, dz) < 1.0:
                return True
    return False


@njit(cache=True, nogil=True, error_model="numpy")
def sight(
    seen: Floats,
    markers: Floats,
    camera: Floats,
    state: Floats,
    me: int,
    robots: Floats,
    bodies: Floats,
    start: Counts,
    grid: Floats,
) -> int:
    """The markers in view: rows of index, distance, bearing in the robot's heading. Returns how many.

    ``camera`` is x, z, yaw, half the field of view, range; rows of ``markers`` are x, y, z of what must be visible, and
    the body's index.
    """
    f = np.empty((5, 3))
    frame(state[me], camera[0], camera[1], f)
    count = 0
    for m in range(len(markers)):
        dx, dy = markers[m, 0] - f[0, 0], markers[m, 1] - f[0, 1]
        distance = math.sqrt(dx * dx + dy * dy)
        if distance > camera[4]:
            continue
        bearing = math.atan2(dy, dx) - state[me, YAW]
        off = (bearing - camera[2] + math.pi) % TURN - math.pi
        if abs(off) > camera[3] or hidden(f, markers, m, bodies, start, grid, state, robots, me):
            continue
        seen[count, 0], seen[count, 1], seen[count, 2] = m, distance, bearing
        count += 1
    return count
