"""Compiled reciprocal avoidance (ORCA): the velocity nearest to the wanted one that no other forbids.

Van den Berg, Guy, Lin, Manocha: Reciprocal n-body collision avoidance (2011). Every other forbids a half plane of
velocities; the best of what is left is found by adding them one by one, as a linear programme in two dimensions.
"""

from __future__ import annotations

import math

from stressfield._kernels import kernel
from stressfield.arrays import Floats

# Columns of a half plane: a point of its border, and the border's direction; what is allowed lies to the left.
PX, PY, DX, DY = 0, 1, 2, 3
HALF_PLANE_COLUMNS = 4

PARALLEL = 1e-9
"""Two borders whose directions differ by less are parallel."""


@kernel
def forbid(
    planes: Floats, n: int, px: float, py: float, vx: float, vy: float, radius: float, horizon: float, dt: float,
    part: float,
) -> None:  # fmt: skip
    """Half plane ``n``: what somebody at (px, py) from me forbids, against whom I move by (vx, vy).

    ``radius`` is the sum of both, ``part`` how much of the way out of a collision within ``horizon`` is mine. The
    point of the border is a displacement of my velocity.
    """
    square = px * px + py * py
    if square > radius * radius:
        # The forbidden velocities are a cone cut off by a circle: towards whichever border is nearest.
        wx, wy = vx - px / horizon, vy - py / horizon
        length = wx * wx + wy * wy
        along = wx * px + wy * py
        if along < 0.0 and along * along > radius * radius * length:
            width = math.sqrt(length)
            ux, uy = wx / width, wy / width
            dx, dy = uy, -ux
            out = radius / horizon - width
            outx, outy = out * ux, out * uy
        else:
            leg = math.sqrt(square - radius * radius)
            if px * wy - py * wx > 0.0:
                dx, dy = (px * leg - py * radius) / square, (px * radius + py * leg) / square
            else:
                dx, dy = -(px * leg + py * radius) / square, -(-px * radius + py * leg) / square
            on = vx * dx + vy * dy
            outx, outy = on * dx - vx, on * dy - vy
    else:
        # Too near already: out of it within this step.
        wx, wy = vx - px / dt, vy - py / dt
        width = math.sqrt(wx * wx + wy * wy)
        ux, uy = (wx / width, wy / width) if width > 0.0 else (1.0, 0.0)
        dx, dy = uy, -ux
        out = radius / dt - width
        outx, outy = out * ux, out * uy
    planes[n, PX], planes[n, PY] = part * outx, part * outy
    planes[n, DX], planes[n, DY] = dx, dy


@kernel
def on_border(planes: Floats, n: int, limit: float, wx: float, wy: float, far: bool) -> tuple[bool, float, float]:
    """The best velocity on the border of half plane ``n`` that all before it allow, up to a speed of ``limit``.

    Best is nearest to the wanted one or, if ``far``, farthest in its direction.
    """
    px, py, dx, dy = planes[n, PX], planes[n, PY], planes[n, DX], planes[n, DY]
    along = px * dx + py * dy
    square = along * along + limit * limit - (px * px + py * py)
    if square < 0.0:
        return False, 0.0, 0.0
    root = math.sqrt(square)
    low, high = -along - root, -along + root
    for k in range(n):
        denominator = dx * planes[k, DY] - dy * planes[k, DX]
        numerator = planes[k, DX] * (py - planes[k, PY]) - planes[k, DY] * (px - planes[k, PX])
        if abs(denominator) <= PARALLEL:
            if numerator < 0.0:
                return False, 0.0, 0.0
            continue
        t = numerator / denominator
        if denominator >= 0.0:
            high = min(high, t)
        else:
            low = max(low, t)
        if low > high:
            return False, 0.0, 0.0
    t = min(max(dx * (wx - px) + dy * (wy - py), low), high)
    if far:
        t = high if wx * dx + wy * dy > 0.0 else low
    return True, px + t * dx, py + t * dy


@kernel
def allowed(planes: Floats, n: int, vx: float, vy: float) -> float:
    """How far a velocity is from being forbidden by half plane ``n``; negative if it is."""
    return float(planes[n, DX] * (vy - planes[n, PY]) - planes[n, DY] * (vx - planes[n, PX]))


@kernel
def best(planes: Floats, count: int, limit: float, wx: float, wy: float, far: bool) -> tuple[int, float, float]:
    """The best velocity that all half planes allow; the number of the first that cannot be met, or ``count``."""
    speed = math.sqrt(wx * wx + wy * wy)
    vx, vy = wx, wy
    if far or speed > limit:
        vx, vy = (limit * wx / speed, limit * wy / speed) if speed > 0.0 else (0.0, 0.0)
    for n in range(count):
        if allowed(planes, n, vx, vy) < 0.0:
            found, x, y = on_border(planes, n, limit, wx, wy, far)
            if not found:
                return n, vx, vy
            vx, vy = x, y
    return count, vx, vy


@kernel
def least_wrong(
    planes: Floats, spare: Floats, fixed: int, count: int, begin: int, limit: float, vx: float, vy: float
) -> tuple[float, float]:
    """Where not all half planes can be met: the velocity that enters the worst of them least.

    The first ``fixed`` ones (walls) are met before all others.
    """
    distance = 0.0
    for n in range(begin, count):
        if -allowed(planes, n, vx, vy) <= distance:
            continue
        for k in range(fixed):
            for column in range(HALF_PLANE_COLUMNS):
                spare[k, column] = planes[k, column]
        used = fixed
        for k in range(fixed, n):
            cross = planes[n, DX] * planes[k, DY] - planes[n, DY] * planes[k, DX]
            if abs(cross) <= PARALLEL:
                if planes[n, DX] * planes[k, DX] + planes[n, DY] * planes[k, DY] > 0.0:
                    continue
                spare[used, PX] = 0.5 * (planes[n, PX] + planes[k, PX])
                spare[used, PY] = 0.5 * (planes[n, PY] + planes[k, PY])
            else:
                dx, dy = planes[n, PX] - planes[k, PX], planes[n, PY] - planes[k, PY]
                t = (planes[k, DX] * dy - planes[k, DY] * dx) / cross
                spare[used, PX] = planes[n, PX] + t * planes[n, DX]
                spare[used, PY] = planes[n, PY] + t * planes[n, DY]
            ux, uy = planes[k, DX] - planes[n, DX], planes[k, DY] - planes[n, DY]
            length = math.sqrt(ux * ux + uy * uy)
            spare[used, DX], spare[used, DY] = ux / length, uy / length
            used += 1
        failed, x, y = best(spare, used, limit, -planes[n, DY], planes[n, DX], True)
        # Failing here can only be rounding: the velocity so far is as good.
        if failed == used:
            vx, vy = x, y
        distance = -allowed(planes, n, vx, vy)
    return vx, vy


@kernel
def velocity(
    planes: Floats, spare: Floats, fixed: int, count: int, limit: float, wx: float, wy: float
) -> tuple[float, float]:
    """The velocity to take, of at most ``limit``, when (wx, wy) is wanted."""
    failed, vx, vy = best(planes, count, limit, wx, wy, False)
    if failed < count:
        return least_wrong(planes, spare, fixed, count, failed, limit, vx, vy)
    return vx, vy
