"""Compiled ground: its height, where rays of a flat lidar meet it, and what the lidar reports in the end."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stressfield._kernels import kernel
from stressfield.arrays import Floats

STEP_MIN_M = 0.01
"""A ray that grazes the ground advances at least so far in a step, else it would hardly move at all."""


@kernel
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


@kernel
def trace_ground(heights: Floats, ground: Floats, o: Floats, rays: Floats, i: int, limit: float) -> float:
    """Where a ray meets the ground before ``limit``. The steepest slope tells how far a step is safe."""
    ox, oy, oz = o[0], o[1], o[2]
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


@kernel
def cell_of(value: float, origin: float, cell: float, count: float) -> int:
    """Grid cell of a coordinate, clamped to the grid."""
    k = (value - origin) / cell
    return int(min(k, count - 1.0)) if k > 0.0 else 0


@kernel
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


@kernel
def meet_ground(
    ranges: Floats,
    rays: Floats,
    origin: Floats,
    range_max: float,
    heights: Floats,
    ground: Floats,
    peaks: Floats,
    peak_grid: Floats,
) -> None:
    """Shorten the rays that meet the ground; those that stay above its highest points around are passed over."""
    top = highest(peaks, peak_grid, origin[0], origin[1], range_max)
    for i in range(len(ranges)):
        if origin[2] + min(rays[i, 2], 0.0) * ranges[i] <= top:
            ranges[i] = trace_ground(heights, ground, origin, rays, i, ranges[i])


@kernel
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
        # Noise may carry a return out of the range: a real lidar then tells nothing, too.
        if value < lidar[4] or value >= lidar[5] or (dropout > 0.0 and chances[i] < dropout):
            value = np.inf
        out[i] = value


@kernel
def round_to(out: NDArray[np.float32], resolution: np.float32) -> None:
    """Round what the lidar says to multiples of its resolution, all in float32."""
    for i in range(len(out)):
        out[i] = np.rint(out[i] / resolution) * resolution
