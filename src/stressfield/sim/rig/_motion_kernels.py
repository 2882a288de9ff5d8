"""Compiled motion: the ground under the robots, and how close their footprints come to things.

The columns of bodies in the arrays of all kernels are those of this file. Plain versions to compare with are in
:mod:`stressfield.sim.rig._reference`. The columns of robots are those of :mod:`stressfield.sim.rig._drive_kernels` and
can be had here as well, so that who looks at a place needs one module.
"""
# ruff: noqa: PLC0414 (names that are also had from here)

from __future__ import annotations

import math

import numpy as np

from stressfield._kernels import kernel
from stressfield.arrays import Counts, Floats
from stressfield.sim.rig._crowd_kernels import HEADS, NEXTS, bucket, gathered, moved
from stressfield.sim.rig._drive_kernels import (
    ASKED_ACCELERATION as ASKED_ACCELERATION,
)
from stressfield.sim.rig._drive_kernels import (
    ASKED_JERK as ASKED_JERK,
)
from stressfield.sim.rig._drive_kernels import (
    ASKED_STEER_RATE as ASKED_STEER_RATE,
)
from stressfield.sim.rig._drive_kernels import (
    AXLES as AXLES,
)
from stressfield.sim.rig._drive_kernels import (
    CAR as CAR,
)
from stressfield.sim.rig._drive_kernels import (
    CLIMB_MAX as CLIMB_MAX,
)
from stressfield.sim.rig._drive_kernels import (
    EXCESS as EXCESS,
)
from stressfield.sim.rig._drive_kernels import (
    FREE as FREE,
)
from stressfield.sim.rig._drive_kernels import (
    GRAVITY_MPS2 as GRAVITY_MPS2,
)
from stressfield.sim.rig._drive_kernels import (
    HALF_LENGTH as HALF_LENGTH,
)
from stressfield.sim.rig._drive_kernels import (
    HALF_WIDTH as HALF_WIDTH,
)
from stressfield.sim.rig._drive_kernels import (
    HEIGHT as HEIGHT,
)
from stressfield.sim.rig._drive_kernels import (
    JERK_STEP as JERK_STEP,
)
from stressfield.sim.rig._drive_kernels import (
    KIND as KIND,
)
from stressfield.sim.rig._drive_kernels import (
    LAG_SHARE as LAG_SHARE,
)
from stressfield.sim.rig._drive_kernels import (
    LAGGED_SIDE as LAGGED_SIDE,
)
from stressfield.sim.rig._drive_kernels import (
    LAGGED_SPEED as LAGGED_SPEED,
)
from stressfield.sim.rig._drive_kernels import (
    LAGGED_STEER as LAGGED_STEER,
)
from stressfield.sim.rig._drive_kernels import (
    LAGGED_TURN as LAGGED_TURN,
)
from stressfield.sim.rig._drive_kernels import (
    MOBILITY as MOBILITY,
)
from stressfield.sim.rig._drive_kernels import (
    OFFSET as OFFSET,
)
from stressfield.sim.rig._drive_kernels import (
    OMNI as OMNI,
)
from stressfield.sim.rig._drive_kernels import (
    ORDER_COLUMNS as ORDER_COLUMNS,
)
from stressfield.sim.rig._drive_kernels import (
    OVERSPEED as OVERSPEED,
)
from stressfield.sim.rig._drive_kernels import (
    PITCH as PITCH,
)
from stressfield.sim.rig._drive_kernels import (
    RISE_MAX as RISE_MAX,
)
from stressfield.sim.rig._drive_kernels import (
    ROBOT_COLUMNS as ROBOT_COLUMNS,
)
from stressfield.sim.rig._drive_kernels import (
    ROLL as ROLL,
)
from stressfield.sim.rig._drive_kernels import (
    SIDE as SIDE,
)
from stressfield.sim.rig._drive_kernels import (
    SIDE_RATE as SIDE_RATE,
)
from stressfield.sim.rig._drive_kernels import (
    SILENT_STEPS as SILENT_STEPS,
)
from stressfield.sim.rig._drive_kernels import (
    SLIP as SLIP,
)
from stressfield.sim.rig._drive_kernels import (
    SLIP_MAX as SLIP_MAX,
)
from stressfield.sim.rig._drive_kernels import (
    SPEED as SPEED,
)
from stressfield.sim.rig._drive_kernels import (
    SPEED_MAX as SPEED_MAX,
)
from stressfield.sim.rig._drive_kernels import (
    SPEED_RATE as SPEED_RATE,
)
from stressfield.sim.rig._drive_kernels import (
    SPEED_STEP as SPEED_STEP,
)
from stressfield.sim.rig._drive_kernels import (
    STATE_COLUMNS as STATE_COLUMNS,
)
from stressfield.sim.rig._drive_kernels import (
    STEER as STEER,
)
from stressfield.sim.rig._drive_kernels import (
    STEER_MAX as STEER_MAX,
)
from stressfield.sim.rig._drive_kernels import (
    STEER_STEP as STEER_STEP,
)
from stressfield.sim.rig._drive_kernels import (
    STUCK as STUCK,
)
from stressfield.sim.rig._drive_kernels import (
    TARGET_SIDE as TARGET_SIDE,
)
from stressfield.sim.rig._drive_kernels import (
    TARGET_SPEED as TARGET_SPEED,
)
from stressfield.sim.rig._drive_kernels import (
    TARGET_STEER as TARGET_STEER,
)
from stressfield.sim.rig._drive_kernels import (
    TARGET_TURN as TARGET_TURN,
)
from stressfield.sim.rig._drive_kernels import (
    TIP_MAX as TIP_MAX,
)
from stressfield.sim.rig._drive_kernels import (
    TIPPED as TIPPED,
)
from stressfield.sim.rig._drive_kernels import (
    TRUE_ANGLE as TRUE_ANGLE,
)
from stressfield.sim.rig._drive_kernels import (
    TRUE_DRIFT as TRUE_DRIFT,
)
from stressfield.sim.rig._drive_kernels import (
    TRUE_PATH as TRUE_PATH,
)
from stressfield.sim.rig._drive_kernels import (
    TRUE_SIDE as TRUE_SIDE,
)
from stressfield.sim.rig._drive_kernels import (
    TRUE_SPEED as TRUE_SPEED,
)
from stressfield.sim.rig._drive_kernels import (
    TRUE_TURN as TRUE_TURN,
)
from stressfield.sim.rig._drive_kernels import (
    TURN as TURN,
)
from stressfield.sim.rig._drive_kernels import (
    TURN_JERK_STEP as TURN_JERK_STEP,
)
from stressfield.sim.rig._drive_kernels import (
    TURN_MAX as TURN_MAX,
)
from stressfield.sim.rig._drive_kernels import (
    TURN_RATE as TURN_RATE,
)
from stressfield.sim.rig._drive_kernels import (
    TURN_SHARE as TURN_SHARE,
)
from stressfield.sim.rig._drive_kernels import (
    TURN_STEP as TURN_STEP,
)
from stressfield.sim.rig._drive_kernels import (
    TWO_WHEELS as TWO_WHEELS,
)
from stressfield.sim.rig._drive_kernels import (
    WATCHDOG_STEPS as WATCHDOG_STEPS,
)
from stressfield.sim.rig._drive_kernels import (
    WHEEL_ANGLE as WHEEL_ANGLE,
)
from stressfield.sim.rig._drive_kernels import (
    WHEEL_BASE as WHEEL_BASE,
)
from stressfield.sim.rig._drive_kernels import (
    WHEEL_PATH as WHEEL_PATH,
)
from stressfield.sim.rig._drive_kernels import (
    WHEEL_RADIUS as WHEEL_RADIUS,
)
from stressfield.sim.rig._drive_kernels import (
    WHEEL_SIDE as WHEEL_SIDE,
)
from stressfield.sim.rig._drive_kernels import (
    YAW as YAW,
)
from stressfield.sim.rig._drive_kernels import (
    X as X,
)
from stressfield.sim.rig._drive_kernels import (
    Y as Y,
)
from stressfield.sim.rig._drive_kernels import (
    Z as Z,
)
from stressfield.sim.rig._drive_kernels import (
    command as command,
)
from stressfield.sim.rig._drive_kernels import (
    roll_wheels as roll_wheels,
)
from stressfield.sim.rig._drive_kernels import (
    slip_at as slip_at,
)
from stressfield.sim.rig._drive_kernels import (
    turn_wheels as turn_wheels,
)
from stressfield.sim.rig._ground_kernels import cell_of, height

# Columns of a body, rows sorted by grid cell; ``ID`` is its index in the world.
SHAPE, BX, BY, FOOT, TOP, REACH, HALF_X, HALF_Y, COS, SIN, ID, BLOCKS = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
BODY_COLUMNS = 12

CLEARANCE_MAX_M = 2.0
"""Clearance is measured up to here: a wider look at every tick would cost more than it tells."""
ROUNDING_M = 1e-3
"""Added to a bound before something is passed over for being too far, so that rounding never hides what is near."""


@kernel
def settle(s: Floats, robot: Floats, heights: Floats, ground: Floats) -> None:
    """Lay a robot on the plane through the ground at the four middles of its footprint's sides."""
    c, sn = math.cos(s[YAW]), math.sin(s[YAW])
    a, b, offset = robot[HALF_LENGTH], robot[HALF_WIDTH], robot[OFFSET]
    x, y = s[X] + offset * c, s[Y] + offset * sn
    front = height(heights, ground, x + a * c, y + a * sn)
    rear = height(heights, ground, x - a * c, y - a * sn)
    left = height(heights, ground, x - b * sn, y + b * c)
    right = height(heights, ground, x + b * sn, y - b * c)
    ahead = (front - rear) / (2.0 * a)
    s[PITCH] = -math.atan(ahead)
    s[ROLL] = math.atan((left - right) / (2.0 * b) * math.cos(s[PITCH]))
    s[Z] = 0.25 * (front + rear + left + right) - offset * ahead


@kernel
def point_gap(px: float, py: float, hx: float, hy: float) -> float:
    """Signed distance of a point from a rectangle about the origin."""
    qx, qy = abs(px) - hx, abs(py) - hy
    if qx > 0.0 and qy > 0.0:
        return math.sqrt(qx * qx + qy * qy)
    return max(qx, qy)


@kernel
def corner_gap(dx: float, dy: float, c: float, s: float, hx: float, hy: float, ox: float, oy: float) -> float:
    """Least distance of a rectangle's corners (centre dx dy, turned by c s, half ox oy) from a rectangle about zero."""
    ux, uy, vx, vy = c * ox, s * ox, -s * oy, c * oy
    return min(
        point_gap(dx + ux + vx, dy + uy + vy, hx, hy),
        point_gap(dx + ux - vx, dy + uy - vy, hx, hy),
        point_gap(dx - ux + vx, dy - uy + vy, hx, hy),
        point_gap(dx - ux - vx, dy - uy - vy, hx, hy),
    )


@kernel
def box_gap(dx: float, dy: float, c: float, s: float, hx: float, hy: float, ox: float, oy: float) -> float:
    """Signed distance of two rectangles; the other one in the frame of the first. Negative: depth of overlap."""
    ac, as_ = abs(c), abs(s)
    ex, ey = dx * c + dy * s, -dx * s + dy * c
    apart = max(
        abs(dx) - (hx + ac * ox + as_ * oy),
        abs(dy) - (hy + as_ * ox + ac * oy),
        abs(ex) - (ox + ac * hx + as_ * hy),
        abs(ey) - (oy + as_ * hx + ac * hy),
    )
    if apart <= 0.0:
        return apart
    return min(corner_gap(dx, dy, c, s, hx, hy, ox, oy), corner_gap(-ex, -ey, c, -s, ox, oy, hx, hy))


@kernel
def body_gap(bodies: Floats, n: int, x: float, y: float, c: float, s: float, hx: float, hy: float) -> float:
    """Signed distance of a footprint (centre x y, turned by c s) from a body's outline on the ground."""
    wx, wy = bodies[n, BX] - x, bodies[n, BY] - y
    dx, dy = wx * c + wy * s, -wx * s + wy * c
    if bodies[n, SHAPE] != 1.0:
        gap: float = point_gap(dx, dy, hx, hy) - bodies[n, HALF_X]
        return gap
    cc, ss = bodies[n, COS] * c + bodies[n, SIN] * s, bodies[n, SIN] * c - bodies[n, COS] * s
    return box_gap(dx, dy, cc, ss, hx, hy, bodies[n, HALF_X], bodies[n, HALF_Y])


@kernel
def robot_gap(state: Floats, robots: Floats, me: int, other: int) -> float:
    """Signed distance of the footprints of two robots."""
    c, s = math.cos(state[me, YAW]), math.sin(state[me, YAW])
    cc, ss = math.cos(state[other, YAW]), math.sin(state[other, YAW])
    wx = state[other, X] + robots[other, OFFSET] * cc - state[me, X] - robots[me, OFFSET] * c
    wy = state[other, Y] + robots[other, OFFSET] * ss - state[me, Y] - robots[me, OFFSET] * s
    dx, dy = wx * c + wy * s, -wx * s + wy * c
    r, o = robots[me], robots[other]
    turned_c, turned_s = cc * c + ss * s, ss * c - cc * s
    return box_gap(dx, dy, turned_c, turned_s, r[HALF_LENGTH], r[HALF_WIDTH], o[HALF_LENGTH], o[HALF_WIDTH])


@kernel
def far_off(state: Floats, robots: Floats, me: int, other: int, gap: float) -> bool:
    """Whether two robots are surely further apart than ``gap``, without a look at their headings."""
    wx, wy = state[other, X] - state[me, X], state[other, Y] - state[me, Y]
    far = max(gap, 0.0) + ROUNDING_M
    for r in (me, other):
        far += abs(robots[r, OFFSET]) + robots[r, HALF_LENGTH] + robots[r, HALF_WIDTH]
    return bool(wx * wx + wy * wy > far * far)


@kernel
def extent(robots: Floats, n: int) -> float:
    """How far a robot reaches from its axle, whatever its heading: rather too far than too near."""
    return float(abs(robots[n, OFFSET]) + robots[n, HALF_LENGTH] + robots[n, HALF_WIDTH])


@kernel
def crowd_of(state: Floats, robots: Floats) -> tuple[Counts, float]:
    """The table of all robots where they are now, and the side of its cells: as wide as what counts as near."""
    most = 0.0
    for n in range(len(robots)):
        most = max(most, extent(robots, n))
    # Somewhat more than needed, so that rounding never puts a robot that counts two cells away.
    side = 1.01 * (CLEARANCE_MAX_M + 2.0 * most) + ROUNDING_M
    return gathered(state, side), side


@kernel
def nearest_robot(
    state: Floats, robots: Floats, me: int, crowd: Counts, side: float, best: float, whose: int
) -> tuple[float, int]:
    """What is nearest after a look at the other robots: they, or what it was. Of equally near ones the first counts."""
    if crowd.shape[1] == 0:
        for other in range(len(robots)):
            if other != me and not far_off(state, robots, me, other, best):
                gap = robot_gap(state, robots, me, other)
                if gap < best:
                    best, whose = gap, -2 - other
        return best, whose
    # What is near enough to count is in the cells around (see ``crowd_of``).
    i0, j0 = math.floor(state[me, X] / side), math.floor(state[me, Y] / side)
    for i in range(i0 - 1, i0 + 2):
        for j in range(j0 - 1, j0 + 2):
            other = crowd[HEADS, bucket(i, j, crowd.shape[1])]
            while other >= 0:
                if other != me and not far_off(state, robots, me, other, best):
                    gap = robot_gap(state, robots, me, other)
                    if gap < best or (gap == best and -2 - other > whose and whose < -1):
                        best, whose = gap, -2 - other
                other = crowd[NEXTS, other]
    return best, whose


@kernel
def nearest(
    state: Floats,
    robots: Floats,
    me: int,
    bodies: Floats,
    start: Counts,
    grid: Floats,
    crowd: Counts,
    side: float,
    reach: float,
    blocking: bool,
) -> tuple[float, int]:
    """Least signed distance up to ``reach``, and whose it is: a body's index, -2 - robot, or -1 for nobody's."""
    c, s = math.cos(state[me, YAW]), math.sin(state[me, YAW])
    x, y = state[me, X] + robots[me, OFFSET] * c, state[me, Y] + robots[me, OFFSET] * s
    hx, hy = robots[me, HALF_LENGTH], robots[me, HALF_WIDTH]
    overhead = state[me, Z] + robots[me, HEIGHT]
    best, whose = reach, -1
    around = math.sqrt(hx * hx + hy * hy)
    margin = around + reach + grid[5]
    i0, i1 = cell_of(x - margin, grid[0], grid[2], grid[3]), cell_of(x + margin, grid[0], grid[2], grid[3])
    j0, j1 = cell_of(y - margin, grid[1], grid[2], grid[4]), cell_of(y + margin, grid[1], grid[2], grid[4])
    columns = int(grid[3])
    for j in range(j0, j1 + 2):  # one more round for the bodies too large for the grid
        first = start[j * columns + i0] if j <= j1 else start[-1]
        last = start[j * columns + i1 + 1] if j <= j1 else len(bodies)
        for n in range(first, last):
            # By circles first: nearly all bodies are passed over here, and ever more of them as ``best`` shrinks.
            wx, wy, far = bodies[n, BX] - x, bodies[n, BY] - y, around + bodies[n, REACH] + best
            if far <= 0.0 or wx * wx + wy * wy > far * far:
                continue
            if (blocking and bodies[n, BLOCKS] == 0.0) or bodies[n, FOOT] >= overhead:
                continue
            gap = body_gap(bodies, n, x, y, c, s, hx, hy)
            if gap < best:
                best, whose = gap, int(bodies[n, ID])
    return nearest_robot(state, robots, me, crowd, side, best, whose)


@kernel
def move(s: Floats, robot: Floats, dt: float, heights: Floats, ground: Floats) -> None:
    """Displace a robot along its heading (one with rollers, sideways, too) and lay it on the ground again."""
    # The heading halfway through the substep: with the one at its start every curve would come out too wide.
    middle = s[YAW] + s[TRUE_TURN] * dt / 2.0
    path = s[TRUE_SPEED] * dt * math.cos(s[PITCH])
    s[X] += path * math.cos(middle)
    s[Y] += path * math.sin(middle)
    if robot[KIND] == OMNI:
        drift = s[TRUE_SIDE] * dt * math.cos(s[ROLL])
        s[X] -= drift * math.sin(middle)
        s[Y] += drift * math.cos(middle)
    s[YAW] += s[TRUE_TURN] * dt
    settle(s, robot, heights, ground)


@kernel
def rise(s: Floats, robot: Floats, heights: Floats, ground: Floats) -> float:
    """How much the ground rises within a wheel's radius ahead of the leading edge, at its two corners."""
    way = 1.0 if s[TRUE_SPEED] >= 0.0 else -1.0
    c, sn = math.cos(s[YAW]), math.sin(s[YAW])
    edge, b = robot[OFFSET] + way * robot[HALF_LENGTH], robot[HALF_WIDTH]
    most = -math.inf
    for side in (-b, b):
        x, y = s[X] + edge * c - side * sn, s[Y] + edge * sn + side * c
        beyond = way * robot[WHEEL_RADIUS]
        up = height(heights, ground, x + beyond * c, y + beyond * sn) - height(heights, ground, x, y)
        most = max(most, up)
    return most


@kernel
def rise_aside(s: Floats, robot: Floats, heights: Floats, ground: Floats) -> float:
    """As :func:`rise`, beside the edge that leads in a motion sideways."""
    way = 1.0 if s[TRUE_SIDE] >= 0.0 else -1.0
    c, sn = math.cos(s[YAW]), math.sin(s[YAW])
    edge, a = way * robot[HALF_WIDTH], robot[HALF_LENGTH]
    most = -math.inf
    for end in (robot[OFFSET] - a, robot[OFFSET] + a):
        x, y = s[X] + end * c - edge * sn, s[Y] + end * sn + edge * c
        beyond = way * robot[WHEEL_RADIUS]
        up = height(heights, ground, x - beyond * sn, y + beyond * c) - height(heights, ground, x, y)
        most = max(most, up)
    return most


@kernel
def too_steep(s: Floats, robot: Floats, rising: bool, heights: Floats, ground: Floats) -> bool:
    """Whether a robot with rollers cannot get up what it moves towards, ahead and sideways taken together."""
    ahead, aside = s[TRUE_SPEED], s[TRUE_SIDE]
    upwards = (aside * math.tan(s[ROLL]) / math.cos(s[PITCH]) - ahead * math.tan(s[PITCH])) / math.hypot(ahead, aside)
    if rising and math.atan(upwards) > robot[CLIMB_MAX]:
        return True
    if robot[RISE_MAX] == math.inf:
        return False
    if ahead != 0.0 and rise(s, robot, heights, ground) > robot[RISE_MAX]:
        return True
    return bool(aside != 0.0 and rise_aside(s, robot, heights, ground) > robot[RISE_MAX])


@kernel
def yield_to_ground(s: Floats, robot: Floats, before: Floats, heights: Floats, ground: Floats) -> None:
    """After a move: a robot that tilts too much falls over; one on too steep or too high a rise does not get up it."""
    tilt = math.acos(math.cos(s[PITCH]) * math.cos(s[ROLL]))
    if tilt > robot[TIP_MAX]:
        s[MOBILITY] = TIPPED
        return
    if (s[TRUE_SPEED] == 0.0 and s[TRUE_SIDE] == 0.0) or s[MOBILITY] == TIPPED:
        return
    if robot[KIND] == OMNI:
        held = too_steep(s, robot, s[Z] > before[Z], heights, ground)
    else:
        climb = -s[PITCH] if s[TRUE_SPEED] > 0.0 else s[PITCH]
        steeper = climb > robot[CLIMB_MAX] and s[Z] > before[Z]
        held = steeper or (robot[RISE_MAX] < math.inf and rise(s, robot, heights, ground) > robot[RISE_MAX])
    if held:
        yaw = s[YAW]
        s[:6] = before
        s[YAW] = yaw
        settle(s, robot, heights, ground)
        s[TRUE_SPEED] = 0.0
        s[TRUE_SIDE] = 0.0
        s[MOBILITY] = STUCK


@kernel
def row_sum(row: Floats) -> float:
    """The sum of a state. In four parts, which do not wait for each other."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for n in range(0, STATE_COLUMNS, 4):
        a, b, c, d = a + row[n], b + row[n + 1], c + row[n + 2], d + row[n + 3]
    return a + b + c + d


@kernel
def tell(s: Floats, truth: Floats) -> None:
    """Pose and speed of a robot, as in TRUTH_COLUMNS."""
    cr, sr = math.cos(s[ROLL] / 2.0), math.sin(s[ROLL] / 2.0)
    cp, sp = math.cos(s[PITCH] / 2.0), math.sin(s[PITCH] / 2.0)
    cy, sy = math.cos(s[YAW] / 2.0), math.sin(s[YAW] / 2.0)
    truth[0], truth[1], truth[2] = s[X], s[Y], s[Z]
    truth[3] = sr * cp * cy - cr * sp * sy
    truth[4] = cr * sp * cy + sr * cp * sy
    truth[5] = cr * cp * sy - sr * sp * cy
    truth[6] = cr * cp * cy + sr * sp * sy
    truth[7], truth[8] = s[TRUE_SPEED], s[TRUE_TURN]


@kernel
def drive(
    state: Floats,
    truth: Floats,
    robots: Floats,
    orders: Floats,
    heights: Floats,
    ground: Floats,
    bodies: Floats,
    start: Counts,
    grid: Floats,
    settings: Floats,
    waves: Floats,
) -> bool:
    """Move all robots through the substeps of one tick (as many as ``orders`` has); False if a state is not finite.

    ``settings`` is substep in s, and whether anything blocks.
    """
    dt = settings[0]
    count = len(state)
    pressed = np.full(count, -1, dtype=np.int64)
    before = np.empty(6)
    after = np.empty(6)
    crowd, side = crowd_of(state, robots)
    for r in range(count):
        # Being stuck is told tick by tick; the substeps below find it again as long as it lasts.
        if state[r, MOBILITY] == STUCK:
            state[r, MOBILITY] = FREE
    for k in range(orders.shape[1]):
        for r in range(count):
            s = state[r]
            command(s, robots[r], orders[r, k])
            turn_wheels(s, robots[r], dt)
            roll_wheels(s, robots[r], dt, waves)
            before[:] = s[:6]
            if s[MOBILITY] == TIPPED:
                s[TRUE_SPEED] = 0.0
                s[TRUE_SIDE] = 0.0
                s[TRUE_TURN] = 0.0
            move(s, robots[r], dt, heights, ground)
            # Most robots have no such limits: for them this costs three comparisons and no look at the ground.
            if robots[r, CLIMB_MAX] < math.inf or robots[r, TIP_MAX] < math.inf or robots[r, RISE_MAX] < math.inf:
                yield_to_ground(s, robots[r], before, heights, ground)
            if settings[1] > 0.0:
                depth, whose = nearest(state, robots, r, bodies, start, grid, crowd, side, 0.0, True)
                if depth < 0.0:
                    # Only a move that goes deeper is taken back: a robot that overlaps something can still get out.
                    after[:] = s[:6]
                    s[:6] = before
                    if depth < nearest(state, robots, r, bodies, start, grid, crowd, side, 0.0, True)[0]:
                        s[TRUE_SPEED] = 0.0
                        s[TRUE_SIDE] = 0.0
                        s[TRUE_TURN] = 0.0
                        pressed[r] = whose
                    else:
                        s[:6] = after
            moved(crowd, r, s[X], s[Y], side)
            s[TRUE_PATH] += s[TRUE_SPEED] * dt
            s[TRUE_DRIFT] += s[TRUE_SIDE] * dt
            s[TRUE_ANGLE] += s[TRUE_TURN] * dt
    finite = True
    for r in range(count):
        finite = finite and math.isfinite(row_sum(state[r]))  # a NaN or infinity anywhere shows in the sum
        tell(state[r], truth[r])
        if robots[r, KIND] == OMNI:
            # Which way it goes is not which way it looks: its speed has no sign.
            truth[r, 7] = math.hypot(state[r, TRUE_SPEED], state[r, TRUE_SIDE])
        gap, whose = nearest(state, robots, r, bodies, start, grid, crowd, side, CLEARANCE_MAX_M, False)
        # A robot that was held back stands just short of what blocks it: it touches it all the same.
        if pressed[r] != -1 and gap >= 0.0:
            truth[r, 9], truth[r, 10] = 0.0, pressed[r]
        else:
            truth[r, 9], truth[r, 10] = gap, whose if gap < 0.0 else -1
    return finite
