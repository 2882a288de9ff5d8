"""Things placed at random without overlap until a wanted share of a square is obstructed.

Random placement saturates: long before the square is full there is no gap left that is wide enough. That is found by
counting rejections in a row, and said with the percentage reached.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats
from stressfield.errors import WorldError
from stressfield.world.world import Region

FAILURES_MAX = 100_000
"""Rejections in a row after which the square counts as saturated."""

BLOCK = 4096
"""Candidates drawn at a time: few enough for the cache, many enough that drawing costs nothing."""

COUNT_MAX = 200_000
"""Boxes in all: a limit on the memory and time that a mistaken request can take."""


@dataclass(frozen=True, slots=True)
class Scattered:
    """A kind of thing to place: a box of ``size_m`` square, each side varied by up to ``variation`` of it."""

    kind: str
    size_m: float
    percent: float
    variation: float = 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """What was placed: rows of centre x, y and half extents, and which kind (index of what was asked) each one is."""

    boxes: Floats
    kind: NDArray[np.int64]
    reached_percent: tuple[float, ...]
    """Obstruction reached by each kind."""
    tried: int

    @property
    def total_percent(self) -> float:
        """Obstruction by all kinds together."""
        return sum(self.reached_percent)


def scatter(
    things: Sequence[Scattered],
    *,
    size_m: float,
    free: Sequence[Region],
    rng: np.random.Generator,
    failures_max: int = FAILURES_MAX,
) -> Placement:
    """Place ``things``, largest first, on the square from (0, 0) to (size_m, size_m), outside the ``free`` regions.

    The obstruction of each kind comes as near to what is wanted as whole boxes allow. Raises WorldError with the
    percentage wanted and reached when the square is saturated before.
    """
    for thing in things:
        _check(thing, size_m)
    order = sorted(range(len(things)), key=lambda i: -things[i].size_m)
    widest = max((t.size_m * (1.0 + t.variation) for t in things if t.percent > 0.0), default=size_m)
    cells = max(1, math.floor(size_m / widest))
    forbidden = np.array([[r.x_min_m, r.y_min_m, r.x_max_m, r.y_max_m] for r in free]).reshape(-1, 4)
    table = _Table(size_m, cells, forbidden, failures_max)
    reached = [0.0] * len(things)
    kinds = np.zeros(0, dtype=np.int64)
    for i in order:
        before = table.count
        reached[i] = table.fill(things[i], rng)
        kinds = np.concatenate([kinds, np.full(table.count - before, i, dtype=np.int64)])
    return Placement(table.placed[: table.count].copy(), kinds, tuple(reached), table.tried)


class _Table:
    """Boxes placed so far, and lists of them per grid cell."""

    def __init__(self, size_m: float, cells: int, forbidden: Floats, failures_max: int) -> None:
        self.size_m, self.forbidden, self.failures_max = size_m, forbidden, failures_max
        self.placed = np.zeros((64, 4))
        self.nexts = np.zeros(64, dtype=np.int64)
        self.heads = np.full((cells, cells), -1, dtype=np.int64)
        self.cell = size_m / cells * (1.0 + 1e-12)  # so that a box at the very border is still in the last cell
        self.count = 0
        self.tried = 0

    def fill(self, thing: Scattered, rng: np.random.Generator) -> float:
        """Place one kind; the percentage reached."""
        # numba is slow to import, and who only reads results builds no world
        from stressfield.world._compiled._placement_kernels import place  # noqa: PLC0415

        wanted = thing.percent / 100.0 * self.size_m**2
        progress = np.zeros(3)
        while True:
            block = candidates(thing, self.size_m, rng)
            self._grow(self.count + len(block))
            used, before = progress[2], self.count
            self.count = place(
                block, self.placed, self.count, self.heads, self.nexts, self.cell, self.forbidden, progress, wanted,
                self.failures_max,
            )  # fmt: skip
            done = progress[2] - used < len(block)
            self.tried += int(progress[2] - used)
            reached = 100.0 * float(progress[0]) / self.size_m**2
            if progress[1] >= self.failures_max or (self.count >= COUNT_MAX and self.count > before):
                raise WorldError(
                    f"No room for more of kind {thing.kind!r}: {thing.percent:g} % of obstruction wanted, "
                    f"{reached:.2f} % reached when {self.failures_max} random places in a row were taken. "
                    "Ask for less, or for smaller things."
                )
            if done:
                return reached

    def _grow(self, need: int) -> None:
        if need > len(self.placed):
            more = max(need, 2 * len(self.placed)) - len(self.placed)
            self.placed = np.concatenate([self.placed, np.zeros((more, 4))])
            self.nexts = np.concatenate([self.nexts, np.zeros(more, dtype=np.int64)])


def candidates(thing: Scattered, size_m: float, rng: np.random.Generator) -> Floats:
    """A block of boxes inside the square: centre x, y, half x, half y."""
    share = rng.random((BLOCK, 4))
    half = thing.size_m / 2.0 * (1.0 + thing.variation * (2.0 * share[:, 2:] - 1.0))
    return np.concatenate([half + share[:, :2] * (size_m - 2.0 * half), half], axis=1)


def place_reference(boxes: Floats, forbidden: Floats, area_wanted: float) -> Floats:
    """The rule of placement, plainly: each box that fits, until the next would be too much."""
    placed: list[Floats] = []
    area = 0.0
    for box in boxes:
        x, y, hx, hy = box
        if area + 2.0 * hx * hy > area_wanted:
            break
        outside = all(x + hx <= a or x - hx >= c or y + hy <= b or y - hy >= d for a, b, c, d in forbidden)
        if outside and all(abs(p[0] - x) >= p[2] + hx or abs(p[1] - y) >= p[3] + hy for p in placed):
            placed.append(box)
            area += 4.0 * hx * hy
    return np.array(placed).reshape(-1, 4)


def _check(thing: Scattered, size_m: float) -> None:
    if not 0.0 <= thing.percent <= 100.0:
        raise WorldError(f"Obstruction by {thing.kind!r} is a percentage from 0 to 100, got {thing.percent!r}.")
    if not 0.0 <= thing.variation < 1.0:
        raise WorldError(f"The size of {thing.kind!r} varies by 0 to less than 1 of it, got {thing.variation!r}.")
    if not 0.0 < thing.size_m * (1.0 + thing.variation) <= size_m:
        raise WorldError(f"A {thing.kind!r} of {thing.size_m!r} m does not fit a square of {size_m:g} m.")
