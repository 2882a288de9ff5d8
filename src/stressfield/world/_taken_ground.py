"""Circles that are taken: is a point in any of them? The time of an answer does not depend on how many there are."""

from __future__ import annotations

import math

Circle = tuple[float, float, float]

ROUNDING = 1e-6
"""Share of a cell by which a circle is taken to reach further, so that rounding never puts a point beside its cell."""

SIDE_MIN_M = 2.0**-10
"""Least side of a cell: smaller circles are as rare as they are useless, and rounding would count."""


class TakenGround:
    """Circles in grids of square cells, a grid for every power of two of their radius.

    A circle is listed in every cell that it reaches, at most nine in its own grid; a point is compared with the circles
    of one cell in each grid. A few very large circles among many small ones cost no more than small ones.
    """

    def __init__(self) -> None:
        self._grids: dict[float, dict[tuple[int, int], list[Circle]]] = {}
        self._endless: list[Circle] = []

    def add(self, x_m: float, y_m: float, radius_m: float) -> None:
        """Take a circle; one without an extent takes nothing."""
        circle = (x_m, y_m, radius_m)
        if not all(map(math.isfinite, circle)):
            self._endless.append(circle)
            return
        if radius_m <= 0.0:
            return
        side = max(math.ldexp(1.0, math.frexp(radius_m)[1]), SIDE_MIN_M)  # the power of two above it
        cells, reach = self._grids.setdefault(side, {}), radius_m + ROUNDING * side
        columns = range(math.floor((x_m - reach) / side), math.floor((x_m + reach) / side) + 1)
        rows = range(math.floor((y_m - reach) / side), math.floor((y_m + reach) / side) + 1)
        for i in columns:
            for j in rows:
                cells.setdefault((i, j), []).append(circle)

    def free(self, x_m: float, y_m: float) -> bool:
        """Whether a point lies in no circle; on its border is free."""
        for side, cells in self._grids.items():
            near = cells.get((math.floor(x_m / side), math.floor(y_m / side)), ())
            if not free_of(near, x_m, y_m):
                return False
        return free_of(self._endless, x_m, y_m)


def free_of(circles: list[Circle] | tuple[()], x_m: float, y_m: float) -> bool:
    """The same, plainly: compared with every circle."""
    return all(math.hypot(x_m - x, y_m - y) >= radius for x, y, radius in circles)
