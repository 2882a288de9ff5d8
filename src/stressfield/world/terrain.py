"""The ground: a grid of heights with bilinear interpolation between them, and heights as grey levels without loss.

A level stands for ``z_min + level * step`` with a step that is a power of two, chosen from the range of the heights
alone. Heights that were snapped to such levels once stay as they are when snapped again, so what a 16-bit image stores
is exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats
from stressfield.errors import WorldError

LEVEL_MAX = 65535
STEP_MIN_M = 2.0**-40
"""About a picometre: ground that is level but for rounding still gets a step that can be divided by."""


@dataclass(frozen=True, slots=True, eq=False)
class Terrain:
    """Heights on a square grid. ``heights_m[j, i]`` stands at ``(x0_m + i * cell_m, y0_m + j * cell_m)``.

    Outside the grid the height of the nearest border point holds.
    """

    heights_m: Floats
    x0_m: float
    y0_m: float
    cell_m: float

    def __post_init__(self) -> None:
        if self.heights_m.ndim != 2 or min(self.heights_m.shape) < 2:
            raise WorldError(f"A terrain needs a grid of at least 2 x 2 heights, got shape {self.heights_m.shape}.")
        if not self.cell_m > 0.0:
            raise WorldError(f"A terrain needs a positive cell_m, got {self.cell_m!r}.")
        if not np.isfinite(self.heights_m).all():
            raise WorldError("A terrain needs finite heights, got NaN or infinity.")
        self.heights_m.setflags(write=False)

    @classmethod
    def flat(cls, *, x0_m: float, y0_m: float, size_m: float, points: int = 2) -> Terrain:
        """Level ground of ``size_m`` x ``size_m``."""
        return cls(np.zeros((points, points)), x0_m, y0_m, size_m / (points - 1))

    @property
    def width_m(self) -> float:
        """Extent along x."""
        return float((self.heights_m.shape[1] - 1) * self.cell_m)

    @property
    def depth_m(self) -> float:
        """Extent along y."""
        return float((self.heights_m.shape[0] - 1) * self.cell_m)

    def height_at(self, x_m: Floats, y_m: Floats) -> Floats:
        """Ground height under each point (bilinear)."""
        rows, columns = self.heights_m.shape
        u = np.clip((np.asarray(x_m) - self.x0_m) / self.cell_m, 0.0, columns - 1.0)
        v = np.clip((np.asarray(y_m) - self.y0_m) / self.cell_m, 0.0, rows - 1.0)
        i = np.minimum(u.astype(np.int64), columns - 2)
        j = np.minimum(v.astype(np.int64), rows - 2)
        fu, fv = u - i, v - j
        h = self.heights_m
        low = h[j, i] * (1 - fu) + h[j, i + 1] * fu
        high = h[j + 1, i] * (1 - fu) + h[j + 1, i + 1] * fu
        result: Floats = low * (1 - fv) + high * fv
        return result


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Grey levels and their scale."""

    grey: NDArray[np.uint16]
    z_min_m: float
    step_m: float

    def heights_m(self) -> Floats:
        """The heights that these levels stand for."""
        heights: Floats = self.z_min_m + self.grey.astype(np.float64) * self.step_m
        return heights


def level_step(range_m: float) -> float:
    """The smallest power of two by which 16 bits span ``range_m`` (1.0 for flat ground)."""
    if range_m <= 0.0:
        return 1.0
    # The quarter level of slack keeps the step stable when the range itself was rounded to levels.
    mantissa, exponent = math.frexp(range_m / (LEVEL_MAX + 0.25))
    return max(STEP_MIN_M, math.ldexp(1.0, exponent - 1 if mantissa == 0.5 else exponent))


def levels_of(terrain: Terrain) -> Levels:
    """The nearest grey level of every height."""
    from stressfield.world._compiled._terrain_kernels import extent  # noqa: PLC0415 (numba is slow to import, and who only reads results builds no world)

    low, high = extent(terrain.heights_m)
    step = level_step(high - low)
    grey = np.rint((terrain.heights_m - low) / step).astype(np.uint16)
    return Levels(grey, low, step)


def quantise(terrain: Terrain) -> Terrain:
    """The same ground with heights that a 16-bit terrain image stores exactly (off by half a level at most)."""
    return Terrain(levels_of(terrain).heights_m(), terrain.x0_m, terrain.y0_m, terrain.cell_m)
