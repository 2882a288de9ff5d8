"""A world as a grid of cells that are occupied, free or unknown: what a map server gives to a robot."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Counts, Flags, Floats
from stressfield.errors import WorldError
from stressfield.world.bodies import Body, Shape
from stressfield.world.world import World

OCCUPIED = 100
FREE = 0
UNKNOWN = -1
"""The numbers of nav_msgs/OccupancyGrid."""

CELLS_MAX = 100_000_000
"""Of one map: 500 m x 500 m at 5 cm. More is a mistake in the resolution, and would fill the memory."""

TOUCH_M = 1e-9
"""A wall that ends on the border of a cell does not occupy the next one, whatever rounding says."""


@dataclass(frozen=True, slots=True, eq=False)
class OccupancyMap:
    """``cells[j, i]`` is a square of ``resolution_m`` whose corner lies i cells along x and j along y from ``origin``.

    A cell is ``OCCUPIED`` (100), ``FREE`` (0) or ``UNKNOWN`` (-1), as in nav_msgs/OccupancyGrid. ``origin`` is where
    the corner of cell (0, 0) lies in the world, and how far the grid is turned there: x, y in metres, yaw in radians.
    """

    resolution_m: float
    origin: tuple[float, float, float]
    cells: NDArray[np.int8]

    def __post_init__(self) -> None:
        if not (self.resolution_m > 0.0 and math.isfinite(self.resolution_m)):
            raise WorldError(f"A map needs a resolution_m above zero, got {self.resolution_m!r}.")
        if len(self.origin) != 3 or not all(math.isfinite(number) for number in self.origin):
            raise WorldError(f"A map needs an origin of x, y (m) and yaw (rad), got {self.origin!r}.")
        if self.cells.ndim != 2 or self.cells.size == 0 or self.cells.dtype != np.int8:
            raise WorldError(
                f"A map needs rows and columns of int8, got {self.cells.dtype} of shape {self.cells.shape}."
            )
        self.cells.setflags(write=False)

    @classmethod
    def of(
        cls, world: World, *, resolution_m: float = 0.05, margin_m: float = 0.0, height_m: float | None = None
    ) -> Self:
        """What a perfect mapper would draw of a world: occupied where a solid body stands on any part of a cell.

        The map covers the world's limits (its terrain, if it has none) and ``margin_m`` around them, where cells are
        unknown unless a body stands there. ``height_m`` is that of the robot: bodies that hang higher above the ground
        are not in the map. Robots and whatever moves are never in it, nor are bodies that are not solid.
        """
        rows, columns, x0, y0 = _extent(world, resolution_m, margin_m)
        cells = np.full((rows, columns), FREE, dtype=np.int8)
        x_min, y_min, x_max, y_max = world.bounds
        middles_x: Floats = x0 + (np.arange(columns, dtype=np.float64) + 0.5) * resolution_m
        middles_y: Floats = y0 + (np.arange(rows, dtype=np.float64) + 0.5) * resolution_m
        half = resolution_m / 2.0 - TOUCH_M
        cells[:, (middles_x + half <= x_min) | (middles_x - half >= x_max)] = UNKNOWN
        cells[(middles_y + half <= y_min) | (middles_y - half >= y_max), :] = UNKNOWN
        for index in np.flatnonzero(_in_the_way(world, height_m)).tolist():
            _draw(cells, world.bodies[index], middles_x, middles_y, resolution_m)
        return cls(resolution_m, (x0, y0, 0.0), cells)

    @property
    def width_m(self) -> float:
        """Along its own x."""
        return float(self.cells.shape[1] * self.resolution_m)

    @property
    def depth_m(self) -> float:
        """Along its own y."""
        return float(self.cells.shape[0] * self.resolution_m)

    def at(self, x_m: Floats, y_m: Floats) -> NDArray[np.int8]:
        """The state of the cell under each point of the world; unknown outside the map."""
        x0, y0, yaw = self.origin
        dx, dy = np.asarray(x_m, dtype=np.float64) - x0, np.asarray(y_m, dtype=np.float64) - y0
        c, s = math.cos(yaw), math.sin(yaw)
        i = np.floor((c * dx + s * dy) / self.resolution_m)
        j = np.floor((c * dy - s * dx) / self.resolution_m)
        rows, columns = self.cells.shape
        inside = (i >= 0) & (i < columns) & (j >= 0) & (j < rows)
        column: Counts = np.where(inside, i, 0).astype(np.int64)
        row: Counts = np.where(inside, j, 0).astype(np.int64)
        found: NDArray[np.int8] = np.where(inside, self.cells[row, column], np.int8(UNKNOWN))
        return found


def _extent(world: World, resolution_m: float, margin_m: float) -> tuple[int, int, float, float]:
    """Rows, columns, and where the first cell has its corner."""
    if not (resolution_m > 0.0 and math.isfinite(resolution_m)):
        raise WorldError(f"A map needs a resolution_m above zero, got {resolution_m!r}.")
    if not (margin_m >= 0.0 and math.isfinite(margin_m)):
        raise WorldError(f"A map needs a margin_m of zero or more, got {margin_m!r}.")
    x0, y0, x1, y1 = world.bounds
    # A world of 10 m has 200 cells of 0.05 m, not 201: 10 / 0.05 may be a little more than 200.
    columns = math.ceil((x1 - x0 + 2.0 * margin_m) / resolution_m - 1e-6)
    rows = math.ceil((y1 - y0 + 2.0 * margin_m) / resolution_m - 1e-6)
    if min(rows, columns) < 1:
        raise WorldError(f"World {world.name!r} is {x1 - x0:g} m x {y1 - y0:g} m: there is nothing to map.")
    if rows * columns > CELLS_MAX:
        raise WorldError(
            f"A map of world {world.name!r} at {resolution_m:g} m would have {columns} x {rows} cells; wanted "
            f"{CELLS_MAX} at most. Give a resolution_m of {_coarser(resolution_m, rows * columns):g} or more."
        )
    return rows, columns, x0 - margin_m, y0 - margin_m


def _coarser(resolution_m: float, cells: int) -> float:
    return float(f"{1.01 * resolution_m * math.sqrt(cells / CELLS_MAX):.2g}")


def _in_the_way(world: World, height_m: float | None) -> Flags:
    """Which bodies are drawn."""
    bodies = world.bodies
    drawn: Flags = bodies.solid.copy()
    if height_m is not None:
        drawn &= bodies.z_m - world.terrain.height_at(bodies.x_m, bodies.y_m) < height_m
    return drawn


def _draw(cells: NDArray[np.int8], body: Body, middles_x: Floats, middles_y: Floats, resolution_m: float) -> None:
    """Mark every cell that the outline of a body covers in part."""
    c, s = math.cos(body.yaw_rad), math.sin(body.yaw_rad)
    half_x, half_y, half = body.size_x_m / 2.0, body.size_y_m / 2.0, resolution_m / 2.0 - TOUCH_M
    box = body.shape == Shape.BOX
    reach_x = abs(c) * half_x + abs(s) * half_y if box else half_x
    reach_y = abs(s) * half_x + abs(c) * half_y if box else half_x
    columns = slice(*np.searchsorted(middles_x, [body.x_m - reach_x - half, body.x_m + reach_x + half]).tolist())
    rows = slice(*np.searchsorted(middles_y, [body.y_m - reach_y - half, body.y_m + reach_y + half]).tolist())
    dx, dy = middles_x[columns][None, :] - body.x_m, middles_y[rows][:, None] - body.y_m
    if box:
        # Two rectangles overlap unless an axis of one of them separates them; the axes of the grid are seen to above.
        reach = (abs(c) + abs(s)) * half
        covered = (np.abs(c * dx + s * dy) < half_x + reach) & (np.abs(c * dy - s * dx) < half_y + reach)
    else:
        off_x, off_y = np.maximum(np.abs(dx) - half, 0.0), np.maximum(np.abs(dy) - half, 0.0)
        covered = off_x * off_x + off_y * off_y < half_x * half_x
    cells[rows, columns][covered] = OCCUPIED
