"""Compiled outlines of actors: how far they are from robots and bodies. The columns are those of all kernels here."""

from __future__ import annotations

import math

from stressfield._kernels import kernel
from stressfield.arrays import Floats
from stressfield.sim.rig._motion_kernels import (
    BX,
    BY,
    COS,
    HALF_LENGTH,
    HALF_WIDTH,
    HALF_X,
    HALF_Y,
    OFFSET,
    PITCH,
    ROLL,
    SHAPE,
    SIN,
    YAW,
    box_gap,
    point_gap,
)
from stressfield.sim.rig._motion_kernels import X as ROBOT_X
from stressfield.sim.rig._motion_kernels import Y as ROBOT_Y
from stressfield.sim.rig._motion_kernels import Z as ROBOT_Z

# Columns of the state of an actor.
AX, AY, AZ, AYAW, VX, VY = 0, 1, 2, 3, 4, 5  # as in ACTOR_COLUMNS
NEXT, WAIT, FIRED = 6, 7, 8  # the point it goes to; how long it still waits; whether it was told to go (or to open)
RATE, SHARE, SINCE = 9, 10, 11  # speed along its way; how far a door is open; since when a door has no cause to be
ACTOR_STATE_COLUMNS = 12

# Columns of the constants of an actor.
MODE, BOX, LONG, WIDE, AROUND = 0, 1, 2, 3, 4  # LONG and WIDE are half extents, AROUND the circle around them
PACE, ACCEL, TURN_RATE, SEES, PUSHES, GROUP = 5, 6, 7, 8, 9, 10
LOOP, PAUSE, START, FIRST, COUNT, ASIDE = 11, 12, 13, 14, 15, 16
SLIDE, SWING, HOLD, EVERY, HOME_X, HOME_Y, HOME_YAW, TALL = 17, 18, 19, 20, 21, 22, 23, 24
TRIGGERED = 25
CORNERS = 26  # whether others see its corners: a reactive box may turn at any time, so it is seen as the circle around
ACTOR_COLUMN_COUNT = 27
STANDS, FOLLOWS, PUSHED, ORCA, OPENS = 0.0, 1.0, 2.0, 3.0, 4.0  # values of MODE; PUSHED: by social forces

# Columns of a robot as actors see it: the middle of its footprint, its heading, half extents, velocity, underside.
RX, RY, RC, RS, RLONG, RWIDE, RVX, RVY, RFOOT = 0, 1, 2, 3, 4, 5, 6, 7, 8
SEEN_ROBOT_COLUMNS = 9

# Columns of the box of a robot in its own frame: whether it has one that tilts and flies (1; a vehicle does not: 0; no
# shape at all: -1), its middle, half extents.
FLIES, MID, HALF, BOX_COLUMNS = 0, 1, 4, 7


@kernel
def see_robots(state: Floats, robots: Floats, boxes: Floats, seen: Floats, dt: float) -> None:
    """Where the robots are now; their velocities are from where they were when last seen (none if dt is zero).

    Vehicles stand on the ground. Of a body of a model (``FLIES``), the upright box around it is seen: who is shorter
    than its underside is high may pass below.
    """
    for n in range(len(state)):
        c, s = math.cos(state[n, YAW]), math.sin(state[n, YAW])
        ahead, left, foot = robots[n, OFFSET], 0.0, -math.inf
        long, wide = robots[n, HALF_LENGTH], robots[n, HALF_WIDTH]
        if boxes[n, FLIES] > 0.0:
            ahead, left, foot, long, wide = tilted(boxes[n], state[n, ROLL], state[n, PITCH])
            foot += state[n, ROBOT_Z]
        elif boxes[n, FLIES] < 0.0:
            foot = math.inf
        x, y = state[n, ROBOT_X] + ahead * c - left * s, state[n, ROBOT_Y] + ahead * s + left * c
        seen[n, RFOOT] = foot
        seen[n, RVX] = (x - seen[n, RX]) / dt if dt > 0.0 else 0.0
        seen[n, RVY] = (y - seen[n, RY]) / dt if dt > 0.0 else 0.0
        seen[n, RX], seen[n, RY], seen[n, RC], seen[n, RS] = x, y, c, s
        seen[n, RLONG], seen[n, RWIDE] = long, wide


@kernel
def tilted(box: Floats, roll: float, pitch: float) -> tuple[float, float, float, float, float]:
    """The upright box around a tilted one: its middle ahead and to the left, its underside, half extents."""
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    mx, my, mz, hx, hy, hz = box[MID], box[MID + 1], box[MID + 2], box[HALF], box[HALF + 1], box[HALF + 2]
    ahead = cp * mx + sp * sr * my + sp * cr * mz
    left = cr * my - sr * mz
    up = -sp * mx + cp * sr * my + cp * cr * mz
    long = abs(cp) * hx + abs(sp * sr) * hy + abs(sp * cr) * hz
    wide = abs(cr) * hy + abs(sr) * hz
    tall = abs(sp) * hx + abs(cp * sr) * hy + abs(cp * cr) * hz
    return ahead, left, up - tall, long, wide


@kernel
def off_box(dx: float, dy: float, c: float, s: float, hx: float, hy: float) -> tuple[float, float, float]:
    """Signed distance of a point from a box at the origin, and the direction straight away from it."""
    px, py = dx * c + dy * s, dy * c - dx * s
    qx, qy = abs(px) - hx, abs(py) - hy
    sx, sy = math.copysign(1.0, px), math.copysign(1.0, py)
    if qx > 0.0 and qy > 0.0:
        gap = math.sqrt(qx * qx + qy * qy)
        ux, uy = sx * qx / gap, sy * qy / gap
    elif qx > qy:
        gap, ux, uy = qx, sx, 0.0
    else:
        gap, ux, uy = qy, 0.0, sy
    return gap, ux * c - uy * s, ux * s + uy * c


@kernel
def off_circle(dx: float, dy: float, radius: float) -> tuple[float, float, float]:
    """The same for a circle; from its middle it is away along x."""
    away = math.sqrt(dx * dx + dy * dy)
    if away == 0.0:
        return -radius, 1.0, 0.0
    return away - radius, dx / away, dy / away


@kernel
def off_body(bodies: Floats, n: int, x: float, y: float) -> tuple[float, float, float]:
    """The same for a body of the world."""
    dx, dy = x - bodies[n, BX], y - bodies[n, BY]
    if bodies[n, SHAPE] != 1.0:
        return off_circle(dx, dy, bodies[n, HALF_X])
    return off_box(dx, dy, bodies[n, COS], bodies[n, SIN], bodies[n, HALF_X], bodies[n, HALF_Y])


@kernel
def off_robot(seen: Floats, n: int, x: float, y: float) -> tuple[float, float, float]:
    """The same for the footprint of a robot."""
    return off_box(x - seen[n, RX], y - seen[n, RY], seen[n, RC], seen[n, RS], seen[n, RLONG], seen[n, RWIDE])


@kernel
def off_actor(state: Floats, actors: Floats, n: int, x: float, y: float) -> tuple[float, float, float]:
    """The same for another actor."""
    dx, dy = x - state[n, AX], y - state[n, AY]
    if actors[n, CORNERS] == 0.0:
        return off_circle(dx, dy, actors[n, AROUND])
    c, s = math.cos(state[n, AYAW]), math.sin(state[n, AYAW])
    return off_box(dx, dy, c, s, actors[n, LONG], actors[n, WIDE])


@kernel
def robot_gap(actor: Floats, seen: Floats, n: int, x: float, y: float, yaw: float) -> float:
    """Signed distance between the outline of an actor at a pose and the footprint of a robot."""
    wx, wy = x - seen[n, RX], y - seen[n, RY]
    far = actor[AROUND] + seen[n, RLONG] + seen[n, RWIDE] + 1.0
    if wx * wx + wy * wy > far * far:
        return 1.0
    c, s = seen[n, RC], seen[n, RS]
    dx, dy = wx * c + wy * s, wy * c - wx * s
    if actor[BOX] == 0.0:
        gap: float = point_gap(dx, dy, seen[n, RLONG], seen[n, RWIDE]) - actor[LONG]
        return gap
    ac, as_ = math.cos(yaw), math.sin(yaw)
    turned_c, turned_s = ac * c + as_ * s, as_ * c - ac * s
    return box_gap(dx, dy, turned_c, turned_s, seen[n, RLONG], seen[n, RWIDE], actor[LONG], actor[WIDE])


@kernel
def nearest_robot(actor: Floats, seen: Floats, x: float, y: float, yaw: float, overhead: float) -> float:
    """Least signed distance of an actor's outline from any robot that is not over its head; 1 where all are a metre
    away or more."""
    best = 1.0
    for n in range(len(seen)):
        if seen[n, RFOOT] >= overhead:
            continue
        best = min(best, robot_gap(actor, seen, n, x, y, yaw))
    return best
