"""Reactive actors once more, plainly: everybody looks at everybody, no grid, no compiler. Slow, for tests.

Written from the definitions: the velocity that ORCA takes is found here by trying every corner of what is allowed,
while the kernels solve a linear programme step by step. A test holds both together on random crowds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from stressfield.arrays import Floats
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.rig.actors import _avoidance_kernels as avoidance
from stressfield.sim.rig.actors import _outline_kernels as a


@dataclass(frozen=True, slots=True, eq=False)
class Near:
    """Something near an actor, from outline to outline: how far, from where, how it moves, what it is taken for."""

    gap_m: float
    away: Floats
    velocity: Floats
    part: float
    radius_m: float
    is_robot: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class HalfPlane:
    """Velocities to the left of a border are allowed."""

    point: Floats
    direction: Floats

    def allowed(self, velocity: Floats) -> float:
        """How far inside a velocity is; negative outside."""
        d, v = self.direction, velocity - self.point
        return float(d[0] * v[1] - d[1] * v[0])


def off_box(x: Floats, centre: Floats, yaw: float, half: Floats) -> tuple[float, Floats]:
    """Signed distance of a point from a box, and the direction away from it."""
    axes = np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]])
    local = axes @ (x - centre)
    over = np.abs(local) - half
    sign = np.where(np.signbit(local), -1.0, 1.0)
    if (over > 0.0).all():
        gap = float(np.hypot(*over))
        return gap, axes.T @ (sign * over / gap)
    side = 0 if over[0] > over[1] else 1
    return float(over[side]), axes.T @ (sign * np.eye(2)[side])


def off_circle(x: Floats, centre: Floats, radius_m: float) -> tuple[float, Floats]:
    """The same for a circle."""
    d = x - centre
    away = float(np.hypot(*d))
    return away - radius_m, d / away if away else np.array([1.0, 0.0])


def others(state: Floats, actors: Floats, me: int, seen: Floats) -> list[Near]:
    """Actors and robots near an actor, the nearest first."""
    x, mine = state[me, :2], actors[me]
    found = []
    for n, (row, actor) in enumerate(zip(state, actors, strict=True)):
        if n == me:
            continue
        half = actor[[a.LONG, a.WIDE]]
        if actor[a.CORNERS] == 0.0:
            half = actor[[a.AROUND, a.AROUND]]
        box = actor[a.CORNERS] > 0.0
        gap, away = off_box(x, row[:2], row[a.AYAW], half) if box else off_circle(x, row[:2], half[0])
        part = 0.5 if actor[a.MODE] == mine[a.MODE] == a.ORCA else 1.0
        found.append(Near(gap - mine[a.AROUND], away, row[[a.VX, a.VY]], part, float(half.min())))
    for row in seen if mine[a.SEES] > 0.0 else ():
        half = row[[a.RLONG, a.RWIDE]]
        gap, away = off_box(x, row[:2], math.atan2(row[a.RS], row[a.RC]), half)
        if row[a.RFOOT] < state[me, a.AZ] + mine[a.TALL]:
            found.append(Near(gap - mine[a.AROUND], away, row[[a.RVX, a.RVY]], 1.0, float(half.min()), is_robot=True))
    return _nearest(found, avoidance.NEAR_M, avoidance.MOST_OTHERS)


def walls(state: Floats, actors: Floats, me: int, bodies: Floats) -> list[Near]:
    """Bodies near an actor, the nearest first."""
    x, mine = state[me, :2], actors[me]
    found = []
    for row in bodies:
        half = row[[k.HALF_X, k.HALF_Y]]
        box = row[k.SHAPE] == 1.0
        yaw = math.atan2(row[k.SIN], row[k.COS])
        gap, away = off_box(x, row[[k.BX, k.BY]], yaw, half) if box else off_circle(x, row[[k.BX, k.BY]], half[0])
        if row[k.FOOT] < state[me, a.AZ] + mine[a.TALL]:
            found.append(Near(gap - mine[a.AROUND], away, np.zeros(2), 1.0, float(half.min())))
    return _nearest(found, avoidance.WALL_NEAR_M, avoidance.MOST_WALLS)


def _nearest(found: list[Near], within_m: float, most: int) -> list[Near]:
    return sorted((near for near in found if near.gap_m <= within_m), key=lambda near: near.gap_m)[:most]


def social_velocity(velocity: Floats, wanted: Floats, met: Sequence[Near], fixed: Sequence[Near], dt: float) -> Floats:
    """The next velocity by the forces of Helbing and Molnar (1995), with relative steps."""
    force = (wanted - velocity) / avoidance.RELAX_S
    for near in met:
        d = (max(near.gap_m, 0.0) + 2.0 * avoidance.BODY_M) * near.away
        step = (near.velocity - velocity) * avoidance.STEP_S
        e = d - step
        long, rest = np.hypot(*d), np.hypot(*e)
        b = 0.5 * math.sqrt(max((long + rest) ** 2 - float(step @ step), 1e-12))
        push = avoidance.SOCIAL_M2PS2 / avoidance.SOCIAL_M * math.exp(-b / avoidance.SOCIAL_M)
        push = push * (long + rest) / (4.0 * b) * (d / long + e / rest)
        in_view = -push @ wanted >= avoidance.VIEW_COS * np.hypot(*push) * np.hypot(*wanted)
        force = force + push * (1.0 if in_view or not wanted.any() else avoidance.BEHIND)
    for near in fixed:
        away = max(near.gap_m, 0.0) + avoidance.BODY_M
        force = force + avoidance.WALL_M2PS2 / avoidance.WALL_M * math.exp(-away / avoidance.WALL_M) * near.away
    return np.asarray(velocity + force * dt)


def half_plane(velocity: Floats, near: Near, radius_m: float, *, horizon_s: float, dt: float) -> HalfPlane:
    """What somebody forbids: the smallest change of the relative velocity out of its velocity obstacle, or my part."""
    gap = -(near.gap_m + radius_m + near.radius_m) * near.away
    both = radius_m + near.radius_m + avoidance.MARGIN_M
    relative = velocity - near.velocity
    if np.hypot(*gap) <= both:
        horizon_s = dt
    middle, radius = gap / horizon_s, both / horizon_s
    w = relative - middle
    out = (radius - np.hypot(*w)) * w / np.hypot(*w)
    normal = w / np.hypot(*w)
    if np.hypot(*gap) > both:
        # The nearest point of the cut-off circle counts only on the arc between the legs; else that of a leg does.
        lean = math.asin(both / float(np.hypot(*gap)))
        if math.acos(max(-1.0, min(1.0, float(-normal @ gap / np.hypot(*gap))))) > math.pi / 2.0 - lean:
            side = 1.0 if gap[0] * w[1] - gap[1] * w[0] > 0.0 else -1.0
            bearing = math.atan2(gap[1], gap[0]) + side * lean
            leg = np.array([math.cos(bearing), math.sin(bearing)])
            normal = side * np.array([-leg[1], leg[0]])
            out = -(relative @ normal) * normal
    return HalfPlane(velocity + near.part * out, np.array([normal[1], -normal[0]]))


def orca_velocity(planes: Sequence[HalfPlane], limit: float, wanted: Floats) -> Floats | None:
    """The allowed velocity nearest to the wanted one, up to a speed; None if nothing is allowed."""
    speed = float(np.hypot(*wanted))
    tried = [wanted, wanted * (limit / speed) if speed > 0.0 else wanted]
    for plane in planes:
        tried.append(plane.point + ((wanted - plane.point) @ plane.direction) * plane.direction)
        along = float(plane.point @ plane.direction)
        square = along**2 + limit**2 - float(plane.point @ plane.point)
        if square >= 0.0:
            tried += [plane.point + (sign * math.sqrt(square) - along) * plane.direction for sign in (1.0, -1.0)]
    for first, second in combinations(planes, 2):
        matrix = np.stack([first.direction, -second.direction], axis=1)
        if abs(np.linalg.det(matrix)) > 1e-9:
            t = np.linalg.solve(matrix, second.point - first.point)[0]
            tried.append(first.point + t * first.direction)
    fits = [v for v in tried if np.hypot(*v) <= limit + 1e-9 and all(plane.allowed(v) >= -1e-9 for plane in planes)]
    return min(fits, key=lambda v: float(np.hypot(*(v - wanted)))) if fits else None
