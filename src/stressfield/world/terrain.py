"""The ground: a grid of heights with bilinear interpolation between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.errors import WorldError


@dataclass(frozen=True, slots=True, eq=False)
class Terrain:
    """Heights on a square grid. ``heights_m[j, i]`` stands at ``(x0_m + i * cell_m, y0_m + j * cell_m)``.

    Outside the grid the height of the nearest border point holds.
    """

    heights_m: NDArray[np.float64]
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

    def height_at(self, x_m: NDArray[np.float64], y_m: NDArray[np.float64]) -> NDArray[np.float64]:
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
        result: NDArray[np.float64] = low * (1 - fv) + high * fv
        return result
