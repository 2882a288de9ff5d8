"""Compiled avoidance: what is near a reactive actor, and the velocity that it takes in view of it."""

from __future__ import annotations

import math

from stressfield._kernels import kernel
from stressfield.arrays import Counts, Floats
from stressfield.sim.rig._crowd_kernels import HEADS, NEXTS, bucket
from stressfield.sim.rig._ground_kernels import cell_of
from stressfield.sim.rig._motion_kernels import BX, BY, FOOT, HALF_X, HALF_Y, REACH
from stressfield.sim.rig.actors._orca_kernels import PX, PY, forbid, velocity
from stressfield.sim.rig.actors._outline_kernels import (
    ACCEL,
    AROUND,
    AX,
    AY,
    AZ,
    CORNERS,
    LONG,
    MODE,
    ORCA,
    PACE,
    PUSHED,
    RFOOT,
    RLONG,
    RVX,
    RVY,
    RWIDE,
    SEES,
    TALL,
    VX,
    VY,
    WIDE,
    off_actor,
    off_body,
    off_robot,
)

NEAR_M = 4.0
"""From outline to outline: what is farther away does not count. Three seconds of walking."""
WALL_NEAR_M = 1.5
MOST_OTHERS = 10
MOST_WALLS = 6
"""The nearest so many count: a person does not watch more, and in a crowd the rest is hidden behind them."""

# Columns of what is near: how far from outline to outline, the direction from it to me, how it moves, how much of
# keeping clear is mine, who it is (to tell equally near ones apart, whatever the order they were met in), and the
# radius of the circle that it is taken for: behind the nearest point of its outline, as wide as its narrow side.
GAP, FROM_X, FROM_Y, MOVES_X, MOVES_Y, PART, WHO, BACK = 0, 1, 2, 3, 4, 5, 6, 7
NEAR_COLUMNS = 8

RELAX_S = 0.5
"""Time in which somebody reaches the wanted velocity."""
SOCIAL_M2PS2, SOCIAL_M, STEP_S = 2.1, 0.3, 2.0
WALL_M2PS2, WALL_M = 10.0, 0.2
BEHIND, VIEW_COS = 0.5, math.cos(math.radians(100.0))
"""Helbing and Molnar, Social force model for pedestrian dynamics (1995): strength and range of people and of walls, how
far ahead others are thought to step, and how much what is behind counts. Steps are relative to one's own, as in
Johansson, Helbing and Shukla (2007): with those of the other alone, two whose ways cross push each other along."""
BODY_M = 0.25
"""Their distances are between middles of people: so much is added to distances between outlines."""

HORIZON_S, WALL_HORIZON_S = 3.0, 0.8
MARGIN_M = 0.05
"""ORCA: within what time a collision is avoided, and how much room is left between outlines."""


@kernel
def note(near: Floats, begin: int, most: int, count: int, row: tuple[float, ...]) -> int:
    """Keep what is near, sorted by distance and then by who it is, up to ``most`` rows from ``begin`` on."""
    if count == most and row[GAP] >= near[begin + count - 1, GAP]:
        last = begin + count - 1
        if row[GAP] > near[last, GAP] or row[WHO] > near[last, WHO]:
            return count
    at = begin + (count if count < most else count - 1)
    while at > begin and (
        near[at - 1, GAP] > row[GAP] or (near[at - 1, GAP] == row[GAP] and near[at - 1, WHO] > row[WHO])
    ):
        for column in range(NEAR_COLUMNS):
            near[at, column] = near[at - 1, column]
        at -= 1
    for column in range(NEAR_COLUMNS):
        near[at, column] = row[column]
    return min(count + 1, most)


@kernel
def note_actor(near: Floats, count: int, state: Floats, actors: Floats, me: int, other: int) -> int:
    """Keep another actor if it is near."""
    x, y = state[me, AX], state[me, AY]
    wx, wy = state[other, AX] - x, state[other, AY] - y
    far = NEAR_M + actors[me, AROUND] + actors[other, AROUND]
    if wx * wx + wy * wy > far * far:
        return count
    gap, ux, uy = off_actor(state, actors, other, x, y)
    gap -= actors[me, AROUND]
    if gap > NEAR_M:
        return count
    # Whoever avoids me as well does its half; who stands, follows a script or is pushed by forces does not.
    part = 0.5 if actors[me, MODE] == ORCA and actors[other, MODE] == ORCA else 1.0
    back = min(actors[other, LONG], actors[other, WIDE]) if actors[other, CORNERS] > 0.0 else actors[other, AROUND]
    row = (gap, ux, uy, state[other, VX], state[other, VY], part, float(other), back)
    return note(near, MOST_WALLS, MOST_OTHERS, count, row)


@kernel
def others(near: Floats, state: Floats, actors: Floats, me: int, crowd: Counts, side: float, seen: Floats) -> int:
    """What moves near an actor: other actors, and robots if it sees them. Returns how many."""
    count = 0
    if crowd.shape[1] == 0:
        for other in range(len(state)):
            if other != me:
                count = note_actor(near, count, state, actors, me, other)
    else:
        i0, j0 = math.floor(state[me, AX] / side), math.floor(state[me, AY] / side)
        size = crowd.shape[1]
        for i in range(i0 - 1, i0 + 2):
            for j in range(j0 - 1, j0 + 2):
                other = crowd[HEADS, bucket(i, j, size)]
                while other >= 0:
                    # Cells may share a bucket: only those really in this cell, or some would be met twice.
                    here = math.floor(state[other, AX] / side) == i and math.floor(state[other, AY] / side) == j
                    if here and other != me:
                        count = note_actor(near, count, state, actors, me, other)
                    other = crowd[NEXTS, other]
    if actors[me, SEES] > 0.0:
        for n in range(len(seen)):
            if seen[n, RFOOT] >= state[me, AZ] + actors[me, TALL]:
                continue
            gap, ux, uy = off_robot(seen, n, state[me, AX], state[me, AY])
            gap -= actors[me, AROUND]
            if gap <= NEAR_M:
                back = min(seen[n, RLONG], seen[n, RWIDE])
                row = (gap, ux, uy, seen[n, RVX], seen[n, RVY], 1.0, -1.0 - n, back)
                count = note(near, MOST_WALLS, MOST_OTHERS, count, row)
    return count


@kernel
def walls(
    near: Floats, state: Floats, actors: Floats, me: int, bodies: Floats, start: Counts, grid: Floats, moving: int
) -> int:
    """The bodies near an actor. The last ``moving`` rows of ``bodies`` are the actors themselves."""
    x, y, count = state[me, AX], state[me, AY], 0
    overhead = state[me, AZ] + actors[me, TALL]
    margin = WALL_NEAR_M + actors[me, AROUND] + grid[5]
    i0, i1 = cell_of(x - margin, grid[0], grid[2], grid[3]), cell_of(x + margin, grid[0], grid[2], grid[3])
    j0, j1 = cell_of(y - margin, grid[1], grid[2], grid[4]), cell_of(y + margin, grid[1], grid[2], grid[4])
    columns = int(grid[3])
    for j in range(j0, j1 + 2):  # one more round for the bodies too large for the grid
        first = start[j * columns + i0] if j <= j1 else start[-1]
        last = start[j * columns + i1 + 1] if j <= j1 else len(bodies) - moving
        for n in range(first, last):
            wx, wy = bodies[n, BX] - x, bodies[n, BY] - y
            far = WALL_NEAR_M + actors[me, AROUND] + bodies[n, REACH]
            if wx * wx + wy * wy > far * far or bodies[n, FOOT] >= overhead:
                continue
            gap, ux, uy = off_body(bodies, n, x, y)
            gap -= actors[me, AROUND]
            if gap <= WALL_NEAR_M:
                back = min(bodies[n, HALF_X], bodies[n, HALF_Y])
                count = note(near, 0, MOST_WALLS, count, (gap, ux, uy, 0.0, 0.0, 1.0, float(n), back))
    return count


@kernel
def social_push(gap: float, ux: float, uy: float, vx: float, vy: float) -> tuple[float, float]:
    """How somebody at a distance pushes me away, who comes nearer by (vx, vy) within a second."""
    away = max(gap, 0.0) + 2.0 * BODY_M
    dx, dy = away * ux, away * uy
    sx, sy = vx * STEP_S, vy * STEP_S
    ex, ey = dx - sx, dy - sy
    rest = math.sqrt(ex * ex + ey * ey)
    if rest == 0.0:
        return SOCIAL_M2PS2 / SOCIAL_M * ux, SOCIAL_M2PS2 / SOCIAL_M * uy
    total = away + rest
    # The small half axis of an ellipse about where the other is and will be: lines of equal potential.
    b = 0.5 * math.sqrt(max(total * total - (sx * sx + sy * sy), 1e-12))
    force = SOCIAL_M2PS2 / SOCIAL_M * math.exp(-b / SOCIAL_M) * total / (4.0 * b)
    return force * (dx / away + ex / rest), force * (dy / away + ey / rest)


@kernel
def pushed_velocity(
    near: Floats, count: int, fixed: int, vx: float, vy: float, wx: float, wy: float, dt: float
) -> tuple[float, float]:
    """The next velocity by social forces, when (wx, wy) is wanted."""
    fx, fy = (wx - vx) / RELAX_S, (wy - vy) / RELAX_S
    wanted = math.sqrt(wx * wx + wy * wy)
    for n in range(MOST_WALLS, MOST_WALLS + count):
        nears_x, nears_y = near[n, MOVES_X] - vx, near[n, MOVES_Y] - vy
        px, py = social_push(near[n, GAP], near[n, FROM_X], near[n, FROM_Y], nears_x, nears_y)
        strength = math.sqrt(px * px + py * py)
        # Whatever pushes from behind is not seen: it counts half.
        share = 1.0 if wanted == 0.0 or -(px * wx + py * wy) >= VIEW_COS * strength * wanted else BEHIND
        fx += share * px
        fy += share * py
    for n in range(fixed):
        force = WALL_M2PS2 / WALL_M * math.exp(-(max(near[n, GAP], 0.0) + BODY_M) / WALL_M)
        fx += force * near[n, FROM_X]
        fy += force * near[n, FROM_Y]
    return vx + fx * dt, vy + fy * dt


@kernel
def orca_velocity(
    near: Floats, planes: Floats, spare: Floats, count: int, fixed: int, actor: Floats, vx: float, vy: float,
    wx: float, wy: float, dt: float,
) -> tuple[float, float]:  # fmt: skip
    """The next velocity by reciprocal avoidance, when (wx, wy) is wanted."""
    used = 0
    for n in range(fixed + count):
        k = n if n < fixed else MOST_WALLS + n - fixed
        radius = actor[AROUND] + near[k, BACK] + MARGIN_M
        reach = near[k, GAP] + actor[AROUND] + near[k, BACK]
        horizon = WALL_HORIZON_S if n < fixed else HORIZON_S
        forbid(
            planes, used, -reach * near[k, FROM_X], -reach * near[k, FROM_Y], vx - near[k, MOVES_X],
            vy - near[k, MOVES_Y], radius, horizon, dt, near[k, PART],
        )  # fmt: skip
        planes[used, PX] += vx
        planes[used, PY] += vy
        used += 1
    return velocity(planes, spare, fixed, used, actor[PACE], wx, wy)


@kernel
def limited(vx: float, vy: float, ax: float, ay: float, actor: Floats, dt: float) -> tuple[float, float]:
    """A velocity that an actor can have after ``dt`` when it has (vx, vy) and would have (ax, ay)."""
    dx, dy = ax - vx, ay - vy
    change, most = math.sqrt(dx * dx + dy * dy), actor[ACCEL] * dt
    if change > most:
        dx, dy = dx * most / change, dy * most / change
    nx, ny = vx + dx, vy + dy
    speed = math.sqrt(nx * nx + ny * ny)
    if speed > actor[PACE]:
        nx, ny = nx * actor[PACE] / speed, ny * actor[PACE] / speed
    return nx, ny


@kernel
def avoids(actor: Floats) -> bool:
    """Whether an actor is reactive."""
    return bool(actor[MODE] == PUSHED or actor[MODE] == ORCA)
