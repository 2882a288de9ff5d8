"""Grid planning: where a robot of a given radius can be, and the shortest way there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import cos, hypot, sin

import numpy as np

from stressfield.arrays import Floats
from stressfield_studies.tabletop.mission import Wall

CELL_M = 0.1
_NEIGHBOURS = tuple((dx, dy, hypot(dx, dy)) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0))


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The distance from the middle of every cell to the nearest thing, in metres: ``free_m[row (y), column (x)]``."""

    x0_m: float
    y0_m: float
    free_m: Floats

    @classmethod
    def of(cls, *, x0_m: float, y0_m: float, width_m: float, depth_m: float, walls: Sequence[Wall]) -> Grid:
        """A map of these boxes."""
        columns, rows = round(width_m / CELL_M), round(depth_m / CELL_M)
        x = x0_m + (np.arange(columns) + 0.5) * CELL_M
        y = y0_m + (np.arange(rows) + 0.5) * CELL_M
        free = np.full((rows, columns), 10.0)
        gx, gy = np.meshgrid(x, y)
        for wall in walls:
            free = np.minimum(free, box_distance(wall, gx, gy))
        return cls(x0_m, y0_m, free)

    def with_points(self, points: Floats) -> Grid:
        """The same with points that were seen."""
        if not len(points):
            return self
        rows, columns = self.free_m.shape
        x = self.x0_m + (np.arange(columns) + 0.5) * CELL_M
        y = self.y0_m + (np.arange(rows) + 0.5) * CELL_M
        dx, dy = x[None, :] - points[:, 0, None], y[None, :] - points[:, 1, None]
        square = (dx * dx)[:, None, :] + (dy * dy)[:, :, None]
        return Grid(self.x0_m, self.y0_m, np.minimum(self.free_m, np.sqrt(square.min(axis=0))))

    def cell(self, x_m: float, y_m: float) -> tuple[int, int]:
        """Column and row of a point, on the grid."""
        rows, columns = self.free_m.shape
        i = int((x_m - self.x0_m) // CELL_M)
        j = int((y_m - self.y0_m) // CELL_M)
        return min(max(i, 0), columns - 1), min(max(j, 0), rows - 1)

    def middle(self, i: int, j: int) -> tuple[float, float]:
        """The middle of a cell."""
        return self.x0_m + (i + 0.5) * CELL_M, self.y0_m + (j + 0.5) * CELL_M


def box_distance(wall: Wall, x: Floats, y: Floats) -> Floats:
    """How far points are from a box; zero inside."""
    c, s = cos(wall.yaw_rad), sin(wall.yaw_rad)
    dx, dy = x - wall.x_m, y - wall.y_m
    along = np.maximum(np.abs(dx * c + dy * s) - wall.length_m / 2.0, 0.0)
    across = np.maximum(np.abs(dy * c - dx * s) - wall.width_m / 2.0, 0.0)
    return np.hypot(along, across)


def plan(
    grid: Grid, start: tuple[float, float], goal: tuple[float, float], *, radius_m: float, wish_m: float = 0.3
) -> list[tuple[float, float]] | None:
    """Points of the shortest way for a robot of this radius, ending at the goal; None where there is none.

    Cells with less than ``wish_m`` of room to spare cost up to three times as much. The robot may leave a start that is
    too near to something, but it must get farther from it.
    """
    first, last = grid.cell(*start), grid.cell(*goal)
    free = grid.free_m
    if free[last[1], last[0]] < radius_m:
        return None
    rows, columns = free.shape
    price = 1.0 + 2.0 * np.clip((radius_m + wish_m - free) / wish_m, 0.0, 1.0)
    cost = {first: 0.0}
    came: dict[tuple[int, int], tuple[int, int]] = {}
    heap = [(hypot(last[0] - first[0], last[1] - first[1]), 0.0, first)]
    while heap:
        _, far, here = heappop(heap)
        if here == last:
            return _points(grid, came, here, goal)
        if far > cost[here]:
            continue
        room = free[here[1], here[0]]
        for dx, dy, length in _NEIGHBOURS:
            i, j = here[0] + dx, here[1] + dy
            if not (0 <= i < columns and 0 <= j < rows):
                continue
            space = free[j, i]
            if space < radius_m and (room >= radius_m or space <= room):
                continue
            there = far + length * price[j, i]
            if there < cost.get((i, j), np.inf):
                cost[i, j] = there
                came[i, j] = here
                heappush(heap, (there + hypot(last[0] - i, last[1] - j), there, (i, j)))
    return None


def _points(
    grid: Grid, came: dict[tuple[int, int], tuple[int, int]], end: tuple[int, int], goal: tuple[float, float]
) -> list[tuple[float, float]]:
    cells = [end]
    while cells[-1] in came:
        cells.append(came[cells[-1]])
    points = [grid.middle(i, j) for i, j in reversed(cells[1:])]
    return [*points, goal]
