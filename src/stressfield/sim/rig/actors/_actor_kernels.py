"""Compiled actors: one step of all of them. A plain version to compare with is in ``_reference.py`` beside it."""

from __future__ import annotations

import math

import numpy as np

from stressfield._kernels import kernel
from stressfield.arrays import Counts, Floats
from stressfield.sim.rig._crowd_kernels import gathered
from stressfield.sim.rig._ground_kernels import height
from stressfield.sim.rig._motion_kernels import BX, BY, COS, FOOT, SIN, TOP
from stressfield.sim.rig.actors._avoidance_kernels import (
    FROM_X,
    FROM_Y,
    GAP,
    MOST_OTHERS,
    MOST_WALLS,
    NEAR_COLUMNS,
    NEAR_M,
    WHO,
    avoids,
    limited,
    orca_velocity,
    others,
    pushed_velocity,
    walls,
)
from stressfield.sim.rig.actors._orca_kernels import HALF_PLANE_COLUMNS
from stressfield.sim.rig.actors._outline_kernels import (
    ACCEL,
    AROUND,
    ASIDE,
    AX,
    AY,
    AYAW,
    AZ,
    COUNT,
    FIRST,
    FOLLOWS,
    GROUP,
    MODE,
    NEXT,
    OPENS,
    ORCA,
    PACE,
    SINCE,
    STANDS,
    TALL,
    TURN_RATE,
    VX,
    VY,
    WAIT,
)
from stressfield.sim.rig.actors._script_kernels import (
    arrive,
    follow,
    goes_on,
    held_back,
    is_active,
    must_stop,
    open_door,
    plain_angle,
    turned_to,
)

ARRIVED_M, PASSED_M = 0.3, 0.8
"""A reactive actor has reached a point when it is so near: others may stand on it. Points on the way are passed by."""
TOGETHER_M = 0.8
"""Members of a group farther than this from its middle turn towards it."""
TOGETHER_PER_S = 0.7


@kernel
def groups(state: Floats, actors: Floats, time: float) -> Floats:
    """For every group: how many of it are on their way, the sum of their places, and the pace of the slowest."""
    count = 0
    for n in range(len(actors)):
        count = max(count, int(actors[n, GROUP]) + 1)
    found = np.zeros((count, 4))
    found[:, 3] = np.inf
    for n in range(len(actors)):
        g = int(actors[n, GROUP])
        if g >= 0 and avoids(actors[n]) and state[n, NEXT] < actors[n, COUNT] and is_active(state[n], actors[n], time):
            found[g, 0] += 1.0
            found[g, 1] += state[n, AX]
            found[g, 2] += state[n, AY]
            found[g, 3] = min(found[g, 3], actors[n, PACE])
    return found


@kernel
def wanted(s: Floats, actor: Floats, points: Floats, together: Floats) -> tuple[float, float]:
    """The velocity that a reactive actor would have if it were alone: to its point, near its group."""
    k = int(actor[FIRST] + s[NEXT])
    dx, dy = points[k, 0] - s[AX], points[k, 1] - s[AY]
    away = math.sqrt(dx * dx + dy * dy)
    pace = actor[PACE]
    wx, wy = 0.0, 0.0
    g = int(actor[GROUP])
    if g >= 0 and together[g, 0] > 1.0:
        pace = together[g, 3]
        mx, my = together[g, 1] / together[g, 0] - s[AX], together[g, 2] / together[g, 0] - s[AY]
        apart = math.sqrt(mx * mx + my * my)
        if apart > TOGETHER_M:
            pull = TOGETHER_PER_S * (apart - TOGETHER_M) / apart
            wx, wy = pull * mx, pull * my
    if must_stop(s, actor):
        pace = min(pace, math.sqrt(2.0 * actor[ACCEL] * away))
    if away > 0.0:
        wx, wy = wx + pace * dx / away, wy + pace * dy / away
    speed = math.sqrt(wx * wx + wy * wy)
    if speed > actor[PACE]:
        wx, wy = wx * actor[PACE] / speed, wy * actor[PACE] / speed
    return wx, wy


@kernel
def too_far(near: Floats, k: int, dx: float, dy: float) -> float:
    """By how much a move would enter what is near (row ``k``), if it is more than rounding; else zero.

    Of the room between two actors each may take its half: both move at once. Robots hold who walks into them
    (see ``held_back``), which is another matter.
    """
    if k >= MOST_WALLS and near[k, WHO] < 0.0:
        return 0.0
    room = max(near[k, GAP], 0.0) * (0.5 if k >= MOST_WALLS else 1.0)
    over = -(dx * near[k, FROM_X] + dy * near[k, FROM_Y]) - room
    return over if over > 1e-12 else 0.0


@kernel
def stays_out(near: Floats, count: int, fixed: int, dx: float, dy: float) -> tuple[float, float]:
    """A move without what of it would enter a body or another actor: along them, not into them."""
    for _ in range(4):  # in a corner of two walls the second round finds nothing more
        clear = True
        for n in range(fixed + count):
            k = n if n < fixed else MOST_WALLS + n - fixed
            over = too_far(near, k, dx, dy)
            if over > 0.0:
                clear = False
                dx, dy = dx + over * near[k, FROM_X], dy + over * near[k, FROM_Y]
        if clear:
            return dx, dy
    return 0.0, 0.0


@kernel
def step(
    state: Floats,
    actors: Floats,
    points: Floats,
    seen: Floats,
    bodies: Floats,
    start: Counts,
    grid: Floats,
    heights: Floats,
    ground: Floats,
    time: float,
    dt: float,
) -> bool:
    """Move all actors by ``dt`` from ``time`` on; False if a state is not finite. ``bodies`` ends with the actors."""
    count = len(state)
    reactive = False
    for n in range(count):
        reactive = reactive or avoids(actors[n])
    before = state.copy()
    if reactive:
        widest = 0.0
        for n in range(count):
            widest = max(widest, actors[n, AROUND])
        side = 1.01 * (NEAR_M + 2.0 * widest)
        crowd = gathered(before, side)
        together = groups(before, actors, time)
        near = np.empty((MOST_WALLS + MOST_OTHERS, NEAR_COLUMNS))
        planes = np.empty((MOST_WALLS + MOST_OTHERS, HALF_PLANE_COLUMNS))
        spare = np.empty((MOST_WALLS + MOST_OTHERS, HALF_PLANE_COLUMNS))
    finite = True
    for n in range(count):
        s, actor = state[n], actors[n]
        if actor[MODE] == FOLLOWS:
            follow(s, actor, points, time, dt, seen)
        elif actor[MODE] == OPENS:
            open_door(s, actor, time, dt, seen)
        elif actor[MODE] != STANDS:
            if s[WAIT] > 0.0:
                s[WAIT] -= dt
            if not (is_active(s, actor, time) and goes_on(s, actor)):
                s[VX], s[VY] = 0.0, 0.0
                continue
            wx, wy = wanted(s, actor, points, together)
            fixed = walls(near, before, actors, n, bodies, start, grid, count)
            met = others(near, before, actors, n, crowd, side, seen)
            if met > 0:
                # A little to one side, each to its own: two who meet head on would otherwise both stop.
                c, sn = math.cos(actor[ASIDE]), math.sin(actor[ASIDE])
                wx, wy = wx * c - wy * sn, wx * sn + wy * c
            if actor[MODE] == ORCA:
                vx, vy = orca_velocity(near, planes, spare, met, fixed, actor, s[VX], s[VY], wx, wy, dt)
            else:
                vx, vy = pushed_velocity(near, met, fixed, s[VX], s[VY], wx, wy, dt)
            vx, vy = limited(s[VX], s[VY], vx, vy, actor, dt)
            dx, dy = stays_out(near, met, fixed, vx * dt, vy * dt)
            yaw = s[AYAW]
            if vx * vx + vy * vy > 0.01:
                yaw = turned_to(yaw, math.atan2(vy, vx), actor[TURN_RATE] * dt)
            share, held = held_back(s, actor, s[AX] + dx, s[AY] + dy, yaw, seen)
            yaw = s[AYAW] if held else yaw
            s[AX], s[AY], s[AYAW] = s[AX] + share * dx, s[AY] + share * dy, plain_angle(yaw)
            s[VX], s[VY] = share * dx / dt, share * dy / dt
            k = int(actor[FIRST] + s[NEXT])
            gx, gy = points[k, 0] - s[AX], points[k, 1] - s[AY]
            close = ARRIVED_M if must_stop(s, actor) else PASSED_M
            if gx * gx + gy * gy < close * close:
                arrive(s, actor)
        s[AZ] = height(heights, ground, s[AX], s[AY])
        finite = finite and math.isfinite(s.sum() if s[SINCE] > -math.inf else s[:SINCE].sum())
    return finite


@kernel
def show(rows: Floats, state: Floats, actors: Floats) -> None:
    """Put the rows of actors among the bodies to where the actors are."""
    for n in range(len(rows)):
        rows[n, BX], rows[n, BY], rows[n, FOOT] = state[n, AX], state[n, AY], state[n, AZ]
        rows[n, TOP] = state[n, AZ] + actors[n, TALL]
        rows[n, COS], rows[n, SIN] = math.cos(state[n, AYAW]), math.sin(state[n, AYAW])
