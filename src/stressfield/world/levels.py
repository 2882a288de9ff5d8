"""Heights as the grey levels of a 16-bit image, without loss.

A height is ``z_min + level * step`` with a step that is a power of two, chosen from the range of the heights alone.
Heights that were snapped to such levels once stay as they are when snapped again, so what an image stores is exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.world.terrain import Terrain

LEVEL_MAX = 65535
STEP_MIN_M = 2.0**-40


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """Grey levels and their scale."""

    grey: NDArray[np.uint16]
    z_min_m: float
    step_m: float

    def heights_m(self) -> NDArray[np.float64]:
        """The heights that these levels stand for."""
        heights: NDArray[np.float64] = self.z_min_m + self.grey.astype(np.float64) * self.step_m
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
    from stressfield.world._terrain_kernels import extent  # noqa: PLC0415 (numba is slow to import, and who only reads results builds no world)

    low, high = extent(terrain.heights_m)
    step = level_step(high - low)
    grey = np.rint((terrain.heights_m - low) / step).astype(np.uint16)
    return Levels(grey, low, step)


def quantise(terrain: Terrain) -> Terrain:
    """The same ground with heights that a 16-bit terrain image stores exactly (off by half a level at most)."""
    return Terrain(levels_of(terrain).heights_m(), terrain.x0_m, terrain.y0_m, terrain.cell_m)
