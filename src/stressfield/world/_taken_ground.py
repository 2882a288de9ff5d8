"""Ground that is taken: is a point in it? The time of an answer does not depend on how many things take ground.

Where the middle of a new body may not stand is known exactly for every body that stands there already: two circles
keep the sum of their radii apart; with a box, it is the convex outline that both outlines sweep together (their
Minkowski sum), grown by the round one's radius and the gap.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Circle = tuple[float, float, float]
Corner = tuple[float, float]

SIDE_MIN_M = 2.0**-10
"""Least side of a cell: smaller circles are as rare as they are useless, and their cells would have no numbers."""

CELLS_ACROSS = 64
"""Into how many cells a long outline is divided at most."""

SLACK = 1e-9
"""Added to the cells of an outline, relative to its place: rounding must not put a point beside them."""


@dataclass(frozen=True, slots=True)
class FixedOutline:
    """A convex outline, counter-clockwise, and how far around it the ground is taken."""

    corners: tuple[Corner, ...]
    margin_m: float

    def seen_from(self, x_m: float, y_m: float) -> tuple[bool, float]:
        """Whether a point is inside, and its distance from the line."""
        inside, nearest = True, math.inf
        ax, ay = self.corners[-1]
        for bx, by in self.corners:
            ex, ey, px, py = bx - ax, by - ay, x_m - ax, y_m - ay
            inside = inside and ex * py - ey * px > 0.0
            length = ex * ex + ey * ey
            along = min(1.0, max(0.0, (px * ex + py * ey) / length)) if length > 0.0 else 0.0
            nearest = min(nearest, math.hypot(px - along * ex, py - along * ey))
            ax, ay = bx, by
        return inside, nearest

    def holds(self, x_m: float, y_m: float) -> bool:
        """Whether a point is in the taken ground; on its border it is not."""
        inside, away = self.seen_from(x_m, y_m)
        return inside or away < self.margin_m

    def thickness_m(self) -> float:
        """Its least width, with what is taken around it."""
        widths = []
        pairs = zip(self.corners, self.corners[1:] + self.corners[:1], strict=True)
        for (ax, ay), (bx, by) in pairs:
            length = math.hypot(bx - ax, by - ay)
            if length > 0.0:
                widths.append(max(((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / length for x, y in self.corners))
        return min(widths, default=0.0) + 2.0 * self.margin_m


def rectangle(half_x_m: float, half_y_m: float, yaw_rad: float) -> tuple[Corner, ...]:
    """The corners of a box around its middle."""
    c, s = math.cos(yaw_rad), math.sin(yaw_rad)
    return tuple(
        (c * a * half_x_m - s * b * half_y_m, s * a * half_x_m + c * b * half_y_m)
        for a, b in ((-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0))
    )


def swept(first: Sequence[Corner], second: Sequence[Corner]) -> tuple[Corner, ...]:
    """All sums of a point of one convex outline and a point of another: again a convex outline."""
    return _hull({(ax + bx, ay + by) for ax, ay in first for bx, by in second})


def _hull(points: Iterable[Corner]) -> tuple[Corner, ...]:
    """The convex hull, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(points)
    halves: list[list[Corner]] = []
    for chain in (ordered, ordered[::-1]):
        half: list[Corner] = []
        for x, y in chain:
            while len(half) > 1 and _turn(half[-2], half[-1], (x, y)) <= 0.0:
                half.pop()
            half.append((x, y))
        halves.append(half[:-1])
    return tuple(halves[0] + halves[1]) or tuple(ordered)


def _turn(a: Corner, b: Corner, c: Corner) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


class TakenGround:
    """Circles by the square cell of their centre, in a grid for every power of two of their radius; outlines by cells.

    A cell is wider than the radius of its circles, so those that hold a point are in its cell or in the eight around:
    a point is compared with few, and a few very large circles among many small ones cost no more than small ones. An
    outline is in every cell that it touches, about as wide as it is thick: a long wall is met along itself only.
    """

    def __init__(self) -> None:
        self._grids: dict[float, dict[tuple[int, int], list[Circle]]] = {}
        self._outlines: dict[float, dict[tuple[int, int], list[FixedOutline]]] = {}
        self._endless: list[Circle] = []
        self._endless_outlines: list[FixedOutline] = []

    def add(self, x_m: float, y_m: float, radius_m: float) -> None:
        """Take a circle; one without an extent takes nothing."""
        circle = (x_m, y_m, radius_m)
        if not (math.isfinite(x_m) and math.isfinite(y_m) and math.isfinite(radius_m)):
            self._endless.append(circle)
        elif radius_m > 0.0:
            side = _power_of_two(radius_m)
            cell = math.floor(x_m / side), math.floor(y_m / side)
            self._grids.setdefault(side, {}).setdefault(cell, []).append(circle)

    def add_outline(self, x_m: float, y_m: float, corners: Sequence[Corner], margin_m: float) -> None:
        """Take a convex outline around a place, and ``margin_m`` around it."""
        outline = FixedOutline(tuple((x_m + x, y_m + y) for x, y in corners), margin_m)
        xs, ys = zip(*outline.corners, strict=True)
        if not all(map(math.isfinite, (*xs, *ys, margin_m))):
            self._endless_outlines.append(outline)
            return
        x0, x1, y0, y1 = min(xs) - margin_m, max(xs) + margin_m, min(ys) - margin_m, max(ys) + margin_m
        side = _power_of_two(max(outline.thickness_m(), max(x1 - x0, y1 - y0) / CELLS_ACROSS))
        slack = SLACK * (side + max(map(abs, (x0, x1, y0, y1))))
        cells = self._outlines.setdefault(side, {})
        near = margin_m + side * math.sqrt(0.5) + slack
        for i in range(math.floor((x0 - slack) / side), math.floor((x1 + slack) / side) + 1):
            for j in range(math.floor((y0 - slack) / side), math.floor((y1 + slack) / side) + 1):
                inside, away = outline.seen_from((i + 0.5) * side, (j + 0.5) * side)
                if inside or away <= near:
                    cells.setdefault((i, j), []).append(outline)

    def add_pair(
        self,
        x_m: float,
        y_m: float,
        there: Sequence[Corner],
        there_radius_m: float,
        new: Sequence[Corner],
        new_radius_m: float,
        gap_m: float,
    ) -> None:
        """Take what a body that stands at a place leaves no room for. A round one has no corners, a box no radius."""
        if not there and not new:
            self.add(x_m, y_m, there_radius_m + new_radius_m + gap_m)
        else:
            corners = swept(there, new) if there and new else there or new
            self.add_outline(x_m, y_m, corners, there_radius_m + new_radius_m + gap_m)

    def free(self, x_m: float, y_m: float) -> bool:
        """Whether a point lies in nothing that is taken; on its border is free."""
        for side, cells in self._grids.items():
            i, j = math.floor(x_m / side), math.floor(y_m / side)
            for column in (i - 1, i, i + 1):
                for row in (j - 1, j, j + 1):
                    near = cells.get((column, row))
                    if near is not None and not free_of(near, x_m, y_m):
                        return False
        for side, here in self._outlines.items():
            outlines = here.get((math.floor(x_m / side), math.floor(y_m / side)), ())
            if any(outline.holds(x_m, y_m) for outline in outlines):
                return False
        endless = any(outline.holds(x_m, y_m) for outline in self._endless_outlines)
        return not endless and free_of(self._endless, x_m, y_m)


def _power_of_two(size_m: float) -> float:
    """Above the size, so that a division by it is exact: rounding never puts a point into another cell."""
    return max(math.ldexp(1.0, math.frexp(size_m)[1]), SIDE_MIN_M)


def free_of(circles: Sequence[Circle], x_m: float, y_m: float) -> bool:
    """The same, plainly: compared with every circle."""
    return all(math.hypot(x_m - x, y_m - y) >= radius for x, y, radius in circles)
