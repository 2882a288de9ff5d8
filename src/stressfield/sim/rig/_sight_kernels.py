"""Compiled sight: lidar rays and lines of sight against bodies and robots."""

from __future__ import annotations

import math

import numpy as np

from stressfield._kernels import kernel
from stressfield.arrays import Counts, Floats
from stressfield.sim.rig._ground_kernels import cell_of
from stressfield.sim.rig._motion_kernels import (
    BODY_COLUMNS,
    BX,
    BY,
    COS,
    FOOT,
    HALF_LENGTH,
    HALF_WIDTH,
    HALF_X,
    HALF_Y,
    HEIGHT,
    ID,
    OFFSET,
    PITCH,
    REACH,
    ROLL,
    ROUNDING_M,
    SHAPE,
    SIN,
    TOP,
    YAW,
    X,
    Y,
    Z,
    extent,
)

Numbers = tuple[float, ...]
Frame = tuple[Numbers, ...]

FULL_TURN = 2.0 * math.pi
ANGLE_SLACK = 3e-5
"""More than the error of ``quick_atan2``: a ray too many costs a little time, a ray too few would miss a body."""


@kernel
def slab(o: float, d: float, low: float, high: float, t0: float, t1: float) -> tuple[float, float]:
    """The part of [t0, t1] in which ``o + t d`` lies between low and high (empty: t0 > t1)."""
    if d == 0.0:
        return (t0, t1) if low <= o <= high else (1.0, 0.0)
    a, b = (low - o) / d, (high - o) / d
    return max(t0, min(a, b)), min(t1, max(a, b))


@kernel
def take(bodies: Floats, n: int) -> Numbers:
    """A body as plain numbers: unlike a view of an array, they cost nothing to hand on."""
    b = bodies
    return (b[n, 0], b[n, 1], b[n, 2], b[n, 3], b[n, 4], b[n, 5], b[n, 6], b[n, 7], b[n, 8], b[n, 9])


@kernel
def hit(body: Numbers, o: Numbers, d: Numbers) -> float:
    """Where the ray ``o + t d``, t >= 0, first meets a body; infinity if nowhere; 0 from inside."""
    fx, fy = body[BX] - o[0], body[BY] - o[1]
    t0, t1 = 0.0, math.inf
    if body[SHAPE] == 1.0:
        c, s = body[COS], body[SIN]
        t0, t1 = slab(-(fx * c + fy * s), d[0] * c + d[1] * s, -body[HALF_X], body[HALF_X], t0, t1)
        t0, t1 = slab(-(fy * c - fx * s), d[1] * c - d[0] * s, -body[HALF_Y], body[HALF_Y], t0, t1)
        t0, t1 = slab(o[2], d[2], body[FOOT], body[TOP], t0, t1)
        return t0 if t0 <= t1 else math.inf
    a, b = d[0] * d[0] + d[1] * d[1], fx * d[0] + fy * d[1]
    c = fx * fx + fy * fy - body[HALF_X] * body[HALF_X]
    if body[SHAPE] == 2.0:
        fz = body[FOOT] + body[HALF_X] - o[2]
        a, b, c = a + d[2] * d[2], b + fz * d[2], c + fz * fz
    square = b * b - a * c
    if square < 0.0:
        return math.inf
    root = math.sqrt(square)
    t0 = (b - root) / a
    z = o[2] + t0 * d[2]
    if t0 >= 0.0 and (body[SHAPE] == 2.0 or body[FOOT] <= z <= body[TOP]):
        return t0
    t1 = (b + root) / a
    if body[SHAPE] == 0.0:
        t0, t1 = slab(o[2], d[2], body[FOOT], body[TOP], t0, t1)
    t0 = max(t0, 0.0)
    return t0 if t0 <= t1 else math.inf


@kernel
def robot_box(state: Floats, robots: Floats, n: int, box: Floats) -> None:
    """A robot as the only row of ``box``, a box body (upright: its own tilt is left out)."""
    c, s = math.cos(state[n, YAW]), math.sin(state[n, YAW])
    box[0, SHAPE], box[0, COS], box[0, SIN] = 1.0, c, s
    box[0, BX], box[0, BY] = state[n, X] + robots[n, OFFSET] * c, state[n, Y] + robots[n, OFFSET] * s
    box[0, FOOT], box[0, TOP] = state[n, Z], state[n, Z] + robots[n, HEIGHT]
    box[0, HALF_X], box[0, HALF_Y] = robots[n, HALF_LENGTH], robots[n, HALF_WIDTH]
    box[0, REACH] = math.sqrt(robots[n, HALF_LENGTH] ** 2 + robots[n, HALF_WIDTH] ** 2)


@kernel
def beyond(state: Floats, robots: Floats, n: int, x: float, y: float, far: float) -> bool:
    """Whether all of a robot is surely further than ``far`` from a point, without a look at its heading."""
    wx, wy = state[n, X] - x, state[n, Y] - y
    away = far + extent(robots, n) + ROUNDING_M
    return bool(wx * wx + wy * wy > away * away)


@kernel
def frame(state: Floats, n: int, x: float, z: float) -> Frame:
    """Frame of a sensor at x, z on robot n: origin, axes ahead, left and up, and the slope of its plane."""
    roll, pitch, yaw = state[n, ROLL], state[n, PITCH], state[n, YAW]
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    ahead = (cp * cy, cp * sy, -sp)
    left = (sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp)
    up = (cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp)
    origin = (
        state[n, X] + x * ahead[0] + z * up[0],
        state[n, Y] + x * ahead[1] + z * up[1],
        state[n, Z] + x * ahead[2] + z * up[2],
    )
    slope_x, slope_y = -up[0] / up[2], -up[1] / up[2]
    return origin, ahead, left, up, (slope_x, slope_y, math.sqrt(slope_x * slope_x + slope_y * slope_y))


@kernel
def quick_atan2(y: float, x: float) -> float:
    """Angle of (x, y) within ANGLE_SLACK (Abramowitz and Stegun 4.4.47): only used to choose rays, never to measure."""
    ax, ay = abs(x), abs(y)
    q = min(ax, ay) / max(ax, ay)
    q2 = q * q
    a = q * (0.9998660 + q2 * (-0.3302995 + q2 * (0.1801410 + q2 * (-0.0851330 + q2 * 0.0208351))))
    a = math.pi / 2.0 - a if ay > ax else a
    a = math.pi - a if x < 0.0 else a
    return -a if y < 0.0 else a


@kernel
def scan_angle(f: Frame, x: float, y: float) -> float:
    """Angle of the ray whose shadow on the ground points along (x, y)."""
    return quick_atan2(f[1][0] * y - f[1][1] * x, f[2][1] * x - f[2][0] * y)


@kernel
def box_span(f: Frame, body: Numbers, fx: float, fy: float, middle: float) -> tuple[float, float]:
    """Least and greatest angle of a box's corners, relative to its middle; a whole turn from inside."""
    px, py = fx * body[COS] + fy * body[SIN], fy * body[COS] - fx * body[SIN]
    if abs(px) <= body[HALF_X] and abs(py) <= body[HALF_Y]:
        return -math.pi, math.pi
    ux, uy = body[COS] * body[HALF_X], body[SIN] * body[HALF_X]
    vx, vy = -body[SIN] * body[HALF_Y], body[COS] * body[HALF_Y]
    low, high = 0.0, 0.0
    for k in range(4):
        su, sv = 1.0 - 2.0 * (k & 1), 1.0 - (k & 2)
        a = scan_angle(f, fx + su * ux + sv * vx, fy + su * uy + sv * vy) - middle
        a = a - FULL_TURN if a > math.pi else (a + FULL_TURN if a < -math.pi else a)
        low, high = min(low, a), max(high, a)
    return low, high


@kernel
def span(f: Frame, body: Numbers, fx: float, fy: float, distance: float) -> tuple[float, float]:
    """Angles between which rays may hit a body at (fx, fy) from the sensor, rather too wide than too narrow."""
    middle = scan_angle(f, fx, fy)
    if body[SHAPE] == 1.0:
        low, high = box_span(f, body, fx, fy, middle)
        return middle + low - 2.0 * ANGLE_SLACK, middle + high + 2.0 * ANGLE_SLACK
    if distance <= body[HALF_X]:
        return middle - math.pi, middle + math.pi
    sine = body[HALF_X] / distance
    # asin(s) is at most 1.05 s up to 0.5, and 1.6 s up to 1; tilt stretches angles by at most 1 / up.z.
    half = (1.05 if sine < 0.5 else 1.6) * sine / f[3][2] + ANGLE_SLACK
    return middle - half, middle + half


@kernel
def sweep(ranges: Floats, rays: Floats, body: Numbers, o: Numbers, near: float, first: float, last: float) -> None:
    """Shorten the rays from index ``first`` to ``last`` that hit a body; ``near`` is the least distance it can have."""
    i0 = math.ceil(first) if first > 0.0 else 0
    i1 = min(math.floor(last), len(ranges) - 1) if last >= 0.0 else -1
    for i in range(i0, i1 + 1):
        # A ray that ends before the body begins cannot get any shorter: in a dense field that is most of them.
        if ranges[i] > near:
            t = hit(body, o, (rays[i, 0], rays[i, 1], rays[i, 2]))
            ranges[i] = min(ranges[i], t)


@kernel
def look_among(ranges: Floats, rays: Floats, f: Frame, lidar: Numbers, bodies: Floats, begin: int, end: int) -> None:
    """Shorten the rays that hit some bodies. Rays lie in a plane: bodies above or below it are passed over at once."""
    per_rad = 1.0 / lidar[3]
    turn = FULL_TURN * per_rad
    for n in range(begin, end):
        fx, fy = bodies[n, BX] - f[0][0], bodies[n, BY] - f[0][1]
        plane = f[0][2] + f[4][0] * fx + f[4][1] * fy
        spread = bodies[n, REACH] * f[4][2]
        if bodies[n, TOP] < plane - spread or bodies[n, FOOT] > plane + spread:
            continue
        distance = math.sqrt(fx * fx + fy * fy)
        near = distance - bodies[n, REACH]
        if near > lidar[5]:
            continue
        body = take(bodies, n)
        low, high = span(f, body, fx, fy, distance)
        first, last = (low - lidar[2]) * per_rad, (high - lidar[2]) * per_rad
        sweep(ranges, rays, body, f[0], near, first, last)
        # Angles wrap round: a body behind the robot may be seen at both ends of the scan.
        if first < 0.0:
            sweep(ranges, rays, body, f[0], near, first + turn, last + turn)
        if last > len(ranges) - 1:
            sweep(ranges, rays, body, f[0], near, first - turn, last - turn)


@kernel
def look_around(
    ranges: Floats,
    rays: Floats,
    f: Frame,
    lidar: Numbers,
    bodies: Floats,
    start: Counts,
    grid: Floats,
    rings: Counts,
) -> None:
    """Shorten the rays that hit any body, nearest cells first: what hides behind others costs little."""
    columns, lines = int(grid[3]), int(grid[4])
    i0 = math.floor((f[0][0] - grid[0]) / grid[2])
    j0 = math.floor((f[0][1] - grid[1]) / grid[2])
    for r in range(len(rings)):
        i, j = i0 + rings[r, 0], j0 + rings[r, 1]
        if 0 <= i < columns and 0 <= j < lines:
            cell = j * columns + i
            look_among(ranges, rays, f, lidar, bodies, start[cell], start[cell + 1])
    look_among(ranges, rays, f, lidar, bodies, start[-1], len(bodies))


@kernel
def cast(
    ranges: Floats,
    rays: Floats,
    origin: Floats,
    table: Floats,
    lidar: Floats,
    state: Floats,
    me: int,
    robots: Floats,
    bodies: Floats,
    start: Counts,
    grid: Floats,
    rings: Counts,
) -> None:
    """Free distance along every ray up to bodies and robots, at most the range of the lidar; the ground comes after.

    ``lidar`` is x, z, first angle, angle step, least and greatest range; ``table`` holds cosines and sines.
    Writes the rays and their origin too.
    """
    f = frame(state, me, lidar[0], lidar[1])
    spec = (lidar[0], lidar[1], lidar[2], lidar[3], lidar[4], lidar[5])
    for i in range(len(ranges)):
        ranges[i] = lidar[5]
        for k in range(3):
            rays[i, k] = f[1][k] * table[i, 0] + f[2][k] * table[i, 1]
    look_around(ranges, rays, f, spec, bodies, start, grid, rings)
    if len(robots) > 1:
        box = np.empty((1, BODY_COLUMNS))
        for other in range(len(robots)):
            if other != me and not beyond(state, robots, other, f[0][0], f[0][1], lidar[5]):
                robot_box(state, robots, other, box)
                look_among(ranges, rays, f, spec, box, 0, 1)
    for k in range(3):
        origin[k] = f[0][k]


@kernel
def hidden(
    f: Frame,
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
    x, y, z = f[0][0], f[0][1], f[0][2]
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
            if bodies[k, ID] != markers[m, 3] and hit(take(bodies, k), f[0], (dx, dy, dz)) < 1.0:
                return True
    box = np.empty((1, BODY_COLUMNS))
    away = math.sqrt(dx * dx + dy * dy)
    for other in range(len(robots)):
        if other != me and not beyond(state, robots, other, x, y, away):
            robot_box(state, robots, other, box)
            if hit(take(box, 0), f[0], (dx, dy, dz)) < 1.0:
                return True
    return False


@kernel
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
    f = frame(state, me, camera[0], camera[1])
    count = 0
    for m in range(len(markers)):
        dx, dy = markers[m, 0] - f[0][0], markers[m, 1] - f[0][1]
        distance = math.sqrt(dx * dx + dy * dy)
        if distance > camera[4]:
            continue
        bearing = math.atan2(dy, dx) - state[me, YAW]
        off = (bearing - camera[2] + math.pi) % FULL_TURN - math.pi
        if abs(off) > camera[3] or hidden(f, markers, m, bodies, start, grid, state, robots, me):
            continue
        seen[count, 0], seen[count, 1], seen[count, 2] = m, distance, bearing
        count += 1
    return count
