"""Circles that are taken: is a point in any of them? The time of an answer does not depend on how many there are."""

from __future__ import annotations

import math
from collections.abc import Sequence

Circle = tuple[float, float, float]

SIDE_MIN_M = 2.0**-10
"""Least side of a cell: smaller circles are as rare as they are useless, and their cells would have no numbers."""


class TakenGround:
    """Circles by the square cell of their centre, in a grid for every power of two of their radius.

    A cell is wider than the radius of its circles, so those that hold a point are in its cell or in the eight around:
    a point is compared with few, and a few very large circles among many small ones cost no more than small ones.
    """

    def __init__(self) -> None:
        self._grids: dict[float, dict[tuple[int, int], list[Circle]]] = {}
        self._endless: list[Circle] = []

    def add(self, x_m: float, y_m: float, radius_m: float) -> None:
        """Take a circle; one without an extent takes nothing."""
        circle = (x_m, y_m, radius_m)
        if not (math.isfinite(x_m) and math.isfinite(y_m) and math.isfinite(radius_m)):
            self._endless.append(circle)
        elif radius_m > 0.0:
            # A power of two, so that a division by it is exact: rounding never puts a point into another cell.
            side = max(math.ldexp(1.0, math.frexp(radius_m)[1]), SIDE_MIN_M)
            cell = math.floor(x_m / side), math.floor(y_m / side)
            self._grids.setdefault(side, {}).setdefault(cell, []).append(circle)

    def free(self, x_m: float, y_m: float) -> bool:
        """Whether a point lies in no circle; on its border is free."""
        for side, cells in self._grids.items():
            i, j = math.floor(x_m / side), math.floor(y_m / side)
            for column in (i - 1, i, i + 1):
                for row in (j - 1, j, j + 1):
                    near = cells.get((column, row))
                    if near is not None and not free_of(near, x_m, y_m):
                        return False
        return free_of(self._endless, x_m, y_m)


def free_of(circles: Sequence[Circle], x_m: float, y_m: float) -> bool:
    """The same, plainly: compared with every circle."""
    return all(math.hypot(x_m - x, y_m - y) >= radius for x, y, radius in circles)
