"""Compiled gradient noise. The plain version beside it is :func:`stressfield.world.perlin.perlin_reference`."""

from __future__ import annotations

import numba as nb
import numpy as np
from numpy.typing import NDArray

from stressfield._kernel_cache import prepare

prepare()


@nb.njit(cache=True)
def add_perlin_octave(
    heights: NDArray[np.float64],
    gradient_x: NDArray[np.float64],
    gradient_y: NDArray[np.float64],
    offset_x: float,
    offset_y: float,
    step: float,
    amplitude: float,
) -> None:
    """Add one octave to ``heights``; grid point (i, j) lies at lattice place ``offset + index * step``.

    Along one grid row the noise between two lattice columns is a blend of two straight lines, so each row first blends
    the gradients above and below it, once per lattice column, and each point then costs a few multiplications.
    """
    rows, columns = heights.shape
    lattice_columns = gradient_x.shape[1]
    slope = np.empty(lattice_columns)
    level = np.empty(lattice_columns)
    cell = np.empty(columns, dtype=np.int64)
    across = np.empty(columns)
    fade = np.empty(columns)
    for i in range(columns):
        x = offset_x + i * step
        cell[i] = int(x)
        u = x - cell[i]
        across[i] = u
        fade[i] = u * u * u * (u * (u * 6.0 - 15.0) + 10.0)
    for j in range(rows):
        y = offset_y + j * step
        q = int(y)
        v = y - q
        t = v * v * v * (v * (v * 6.0 - 15.0) + 10.0)
        for p in range(lattice_columns):
            slope[p] = amplitude * (gradient_x[q, p] * (1.0 - t) + gradient_x[q + 1, p] * t)
            level[p] = amplitude * (gradient_y[q, p] * v * (1.0 - t) + gradient_y[q + 1, p] * (v - 1.0) * t)
        for i in range(columns):
            p = cell[i]
            left = slope[p] * across[i] + level[p]
            right = slope[p + 1] * (across[i] - 1.0) + level[p + 1]
            heights[j, i] += left + fade[i] * (right - left)


@nb.njit(cache=True)
def scale_to_levels(heights: NDArray[np.float64], scale: float, step: float, level_max: float) -> None:
    """Multiply by ``scale`` and move to the nearest multiple of ``step``, at most ``level_max`` steps from zero."""
    rows, columns = heights.shape
    for j in range(rows):
        for i in range(columns):
            level = np.rint(heights[j, i] * scale / step)
            heights[j, i] = min(max(level, -level_max), level_max) * step


@nb.njit(cache=True)
def extent(heights: NDArray[np.float64]) -> tuple[float, float]:
    """The lowest and the highest of the heights."""
    low = high = heights[0, 0]
    rows, columns = heights.shape
    for j in range(rows):
        for i in range(columns):
            low = min(low, heights[j, i])
            high = max(high, heights[j, i])
    return low, high
