"""Compiled parts of DTM and P3D. Plain versions to compare with are in ``reference`` beside it."""

from __future__ import annotations

import math

import numpy as np
from numba import njit

from stressfield.arrays import Bytes, Floats, Singles

UNSEEN, FILLED, SEEN = 0, 1, 2
EDGE_M = 0.15
BLEND = 0.4
FILL_MAX_M = 1.3
FILL_SLOPE = 0.6


@njit(cache=True, nogil=True, error_model="numpy")
def note(elevation: Singles, known: Bytes, j: int, i: int, z: float, seen: int) -> None:
    """Put a height into a cell: what was seen replaces what was filled in; edges keep their top; the rest blends."""
    if known[j, i] < seen:
        elevation[j, i] = z
        known[j, i] = seen
    elif known[j, i] == seen == SEEN:
        old = elevation[j, i]
        if z > old + EDGE_M:
            elevation[j, i] = z
        elif z > old - EDGE_M:
            elevation[j, i] = old + BLEND * (z - old)


@njit(cache=True, nogil=True, error_model="numpy")
def fill(
    elevation: Singles,
    known: Bytes,
    x0: float,
    y0: float,
    cell: float,
    a: tuple[float, float, float],
    b: tuple[float, float, float],
) -> None:
    """Fill the cells between two neighbouring points if they are near each other and the slope is gentle."""
    rows, columns = elevation.shape
    dx, dy, dz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
    square = dx * dx + dy * dy
    if cell * cell < square <= FILL_MAX_M * FILL_MAX_M and dz * dz <= FILL_SLOPE * FILL_SLOPE * square:
        steps = math.ceil(math.sqrt(square) / (0.8 * cell))
        u, v, z = (a[0] - x0) / cell, (a[1] - y0) / cell, a[2]
        du, dv = dx / (cell * steps), dy / (cell * steps)
        dz /= steps
        for _ in range(1, steps):
            u, v, z = u + du, v + dv, z + dz
            if 0.0 <= u < columns and 0.0 <= v < rows and known[int(v), int(u)] == UNSEEN:
                elevation[int(v), int(u)] = z
                known[int(v), int(u)] = FILLED


@njit(cache=True, nogil=True, error_model="numpy")
def add_cloud(
    elevation: Singles,
    known: Bytes,
    x0: float,
    y0: float,
    cell: float,
    points: Singles,
    rings: int,
    pose: Floats,
    mount_x: float,
    mount_z: float,
) -> None:
    """Enter a cloud. Between neighbouring rings and neighbouring rays that show a gentle slope, cells are filled.

    ``pose`` is x, y, z, roll, pitch, yaw of the robot at the time of the cloud.
    """
    rows, columns = elevation.shape
    azimuths = len(points) // rings
    cr, sr, cp, sp = math.cos(pose[3]), math.sin(pose[3]), math.cos(pose[4]), math.sin(pose[4])
    cy, sy = math.cos(pose[5]), math.sin(pose[5])
    ax, ay, az = cp * cy, cp * sy, -sp
    lx, ly, lz = sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, sr * cp
    ux, uy, uz = cr * sp * cy + sr * sy, cr * sp * sy - sr * cy, cr * cp
    nothing = (np.nan, np.nan, np.nan)
    last = np.full((rings, 3), np.nan)
    for a in range(azimuths):
        before = nothing
        for ring in range(rings):
            n = ring * azimuths + a
            here = nothing
            if not math.isnan(points[n, 0]):
                px, py, pz = points[n, 0] + mount_x, points[n, 1], points[n, 2] + mount_z
                here = (
                    pose[0] + px * ax + py * lx + pz * ux,
                    pose[1] + px * ay + py * ly + pz * uy,
                    pose[2] + px * az + py * lz + pz * uz,
                )
                u, v = (here[0] - x0) / cell, (here[1] - y0) / cell
                if 0.0 <= u < columns and 0.0 <= v < rows:
                    note(elevation, known, int(v), int(u), here[2], SEEN)
                fill(elevation, known, x0, y0, cell, before, here)
                fill(elevation, known, x0, y0, cell, (last[ring, 0], last[ring, 1], last[ring, 2]), here)
            before = here
            last[ring, 0], last[ring, 1], last[ring, 2] = here


@njit(cache=True, nogil=True, error_model="numpy")
def add_stand(
    elevation: Singles, known: Bytes, x0: float, y0: float, cell: float, pose: Floats, half_x: float, half_y: float
) -> None:
    """The ground under the robot is known where nothing was seen: it stands on it."""
    rows, columns = elevation.shape
    c, s = math.cos(pose[5]), math.sin(pose[5])
    nu, nv = math.ceil(2.0 * half_x / cell), math.ceil(2.0 * half_y / cell)
    for a in range(nu + 1):
        for b in range(nv + 1):
            u, v = half_x * (2.0 * a / nu - 1.0), half_y * (2.0 * b / nv - 1.0)
            i = math.floor((pose[0] + u * c - v * s - x0) / cell)
            j = math.floor((pose[1] + u * s + v * c - y0) / cell)
            if 0 <= i < columns and 0 <= j < rows:
                note(elevation, known, j, i, pose[2] - u * math.tan(pose[4]) + v * math.tan(pose[3]), FILLED)


@njit(cache=True, nogil=True, error_model="numpy")
def look(elevation: Singles, u: float, v: float) -> float:
    """Height of the cell at (u, v), in cells from the corner of the map; NaN if unknown or off the map."""
    rows, columns = elevation.shape
    if 0.0 <= u < columns and 0.0 <= v < rows:
        z: float = elevation[int(v), int(u)]
        return z
    return math.nan


@njit(cache=True, nogil=True, error_model="numpy")
def stand(
    elevation: Singles,
    x0: float,
    y0: float,
    cell: float,
    x: float,
    y: float,
    yaw: float,
    u: Floats,
    v: Floats,
    unknown_max: float,
    scratch: Floats,
) -> tuple[float, float]:
    """Slope (rise over run) and roughness (farthest from the plane, in m) under a robot put somewhere.

    Infinite slope where too much of the ground is unknown. ``u`` and ``v`` are the places looked at, in the robot's
    frame; ``scratch`` has room for as many heights.
    """
    c, s = math.cos(yaw) / cell, math.sin(yaw) / cell
    px, py = (x - x0) / cell, (y - y0) / cell
    all_u = all_uu = all_v = all_vv = 0.0
    for a in range(len(u)):
        all_u += u[a]
        all_uu += u[a] * u[a]
    for b in range(len(v)):
        all_v += v[b]
        all_vv += v[b] * v[b]
    # Sums over all places, less those over the few that are unknown.
    n, m, place = len(u) * len(v), 0, 0
    su, sv, suv = all_u * len(v), all_v * len(u), all_u * all_v
    suu, svv = all_uu * len(v), all_vv * len(u)
    sz = suz = svz = 0.0
    allowed = unknown_max * n
    for a in range(len(u)):
        ax, ay = px + u[a] * c, py + u[a] * s
        row_z = row_vz = 0.0
        for b in range(len(v)):
            z = look(elevation, ax - v[b] * s, ay + v[b] * c)
            scratch[place] = z
            place += 1
            if math.isnan(z):
                m += 1
                if m > allowed:
                    return math.inf, 0.0
                su -= u[a]
                sv -= v[b]
                suu -= u[a] * u[a]
                svv -= v[b] * v[b]
                suv -= u[a] * v[b]
            else:
                row_z += z
                row_vz += v[b] * z
        sz += row_z
        suz += u[a] * row_z
        svz += row_vz
    n -= m
    mu, mv, mz = su / n, sv / n, sz / n
    uu, vv, uv = suu / n - mu * mu, svv / n - mv * mv, suv / n - mu * mv
    uz, vz = suz / n - mu * mz, svz / n - mv * mz
    det = uu * vv - uv * uv
    if det <= 1e-12:
        return math.inf, 0.0
    p, q = (uz * vv - vz * uv) / det, (vz * uu - uz * uv) / det
    worst, place = 0.0, 0
    for a in range(len(u)):
        level = mz + p * (u[a] - mu) - q * mv
        for b in range(len(v)):
            off = abs(scratch[place] - level - q * v[b])
            place += 1
            if off > worst:  # noqa: PLR1730 (never true of NaN)
                worst = off
    return math.sqrt(p * p + q * q), worst


@njit(cache=True, nogil=True, error_model="numpy")
def beside(
    elevation: Singles,
    x0: float,
    y0: float,
    cell: float,
    x: float,
    y: float,
    yaw: float,
    rim: Floats,
    edge: float,
    scratch: Floats,
) -> float:
    """Share of the places around a robot (rows of ``rim``, in its frame) that stand out from the ground there."""
    c, s = math.cos(yaw) / cell, math.sin(yaw) / cell
    px, py = (x - x0) / cell, (y - y0) / cell
    least, count = math.inf, 0
    for n in range(len(rim)):
        z = look(elevation, px + rim[n, 0] * c - rim[n, 1] * s, py + rim[n, 0] * s + rim[n, 1] * c)
        scratch[n] = z
        if z < least:  # noqa: PLR1730 (min and max would let NaN through)
            least = z
    for n in range(len(rim)):
        if scratch[n] > least + edge:
            count += 1
    return count / len(rim)


@njit(cache=True, nogil=True, error_model="numpy")
def been(x: float, y: float, trail: Floats, trail_m: float) -> float:
    """How much the robot was around a place before: a row of ``trail`` counts 1 there, and 0 from ``trail_m`` on."""
    total = 0.0
    for n in range(len(trail)):
        square = (trail[n, 0] - x) ** 2 + (trail[n, 1] - y) ** 2
        if square < trail_m * trail_m:
            total += 1.0 - math.sqrt(square) / trail_m
    return total


@njit(cache=True, nogil=True, error_model="numpy")
def arc_costs(
    costs: Floats,
    elevation: Singles,
    x0: float,
    y0: float,
    cell: float,
    x: float,
    y: float,
    yaw: float,
    goal_x: float,
    goal_y: float,
    curvatures: Floats,
    nodes: int,
    length: float,
    near_u: Floats,
    near_v: Floats,
    far_u: Floats,
    far_v: Floats,
    near_m: float,
    rim: Floats,
    limits: Floats,
    weights: Floats,
    curvature_now: float,
    trail: Floats,
    trail_m: float,
) -> int:
    """The cost of every arc (infinite if a node on it is) and the cheapest, or -1.

    Up to ``near_m`` the robot is looked at as it is, beyond with a margin: what was free from afar stays so when it
    is seen better. ``limits`` is slope, roughness in m, share of unknown ground, and what
    stands out in m; ``weights`` is terrain, change of curvature, what stands out around the robot (at ``rim``),
    and places where it was before (rows of ``trail``) within ``trail_m`` of the arc's end.
    """
    best = -1
    scratch = np.empty(max(len(near_u) * len(near_v), len(far_u) * len(far_v), len(rim)))
    for a in range(len(curvatures)):
        k = curvatures[a]
        terrain = 0.0
        px, py = x, y
        for node in range(1, nodes + 1):
            d = length * node / nodes
            turned = k * d
            if abs(turned) > 1e-9:
                ahead, left = math.sin(turned) / k, (1.0 - math.cos(turned)) / k
            else:
                ahead, left = d, 0.0
            px = x + ahead * math.cos(yaw) - left * math.sin(yaw)
            py = y + ahead * math.sin(yaw) + left * math.cos(yaw)
            if d <= near_m:
                slope, rough = stand(elevation, x0, y0, cell, px, py, yaw + turned, near_u, near_v, limits[2], scratch)
            else:
                slope, rough = stand(elevation, x0, y0, cell, px, py, yaw + turned, far_u, far_v, limits[2], scratch)
            if slope > limits[0] or rough > limits[1]:
                terrain = math.inf
                break
            terrain += (slope / limits[0]) ** 2 + (rough / limits[1]) ** 2
            terrain += weights[2] * beside(elevation, x0, y0, cell, px, py, yaw + turned, rim, limits[3], scratch)
        costs[a] = weights[0] * terrain / nodes + math.hypot(goal_x - px, goal_y - py)
        costs[a] += weights[1] * abs(k - curvature_now)
        if costs[a] < math.inf:
            costs[a] += weights[3] * been(px, py, trail, trail_m)
        if costs[a] < math.inf and (best < 0 or costs[a] < costs[best]):
            best = a
    return best
