"""When a search has seen enough."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.fuzz import Operation, Search, TestingSpace
from stressfield.search.cells import CellCoverage, Cells
from stressfield.search.front import front, hypervolume

ROOM = 0.1
"""How far the reference of the hypervolume lies beyond the worst values seen, as a share of their range."""

Vector = tuple[float, ...]


class StopRule:
    """Counts the tests of a search, and says when to stop and why."""

    def __init__(self, space: TestingSpace, search: Search, *, evaluations: int) -> None:
        wanted = search.termination
        self._most = evaluations if wanted.evaluations is None else min(evaluations, wanted.evaluations)
        self._stagnation, self._improvement, self._wanted = wanted.stagnation, wanted.improvement, wanted.coverage
        self._coverage = None
        if wanted.coverage is not None and space.templates(search):
            self._coverage = CellCoverage(Cells(space, search, steps=wanted.steps))
        self._stagnant = _Stagnation() if wanted.stagnation is not None else None
        self.asked = 0
        self.reason: str | None = None

    @property
    def left(self) -> int:
        """How many tests may still be asked for; 0 when the search has ended."""
        if self.reason is not None:
            return 0
        if self.asked >= self._most:
            self.reason = f"{self._most} tests"
        return self._most - self.asked

    def proposed(self, operations: Sequence[Operation]) -> None:
        """A test was proposed."""
        self.asked += 1
        if self._coverage is not None:
            self._coverage.add(operations)

    def told(self, vectors: Sequence[Vector]) -> None:
        """A generation was evaluated: the values of those of its tests that have any."""
        if self._coverage is not None and self._wanted is not None and self._coverage.share >= self._wanted:
            self.reason = self.reason or f"{self._coverage.share:.1%} of the cells covered"
        if self._stagnant is not None and self._stagnation is not None:
            self._stagnant.add(vectors, self._improvement)
            if self._stagnant.generations >= self._stagnation:
                self.reason = self.reason or f"no better front for {self._stagnation} generations"


class _Stagnation:
    """For how many generations the front has not improved."""

    def __init__(self) -> None:
        self.generations = 0
        self._front: list[Vector] = []
        self._low: list[float] = []
        self._high: list[float] = []

    def add(self, vectors: Sequence[Vector], improvement: float) -> None:
        if not self._front and not vectors:
            return  # nothing could be measured yet: that is trouble, not stagnation
        for vector in vectors:
            self._low = [min(pair) for pair in zip(self._low or vector, vector, strict=True)]
            self._high = [max(pair) for pair in zip(self._high or vector, vector, strict=True)]
        points = sorted({*self._front, *vectors})
        now = [points[at] for at in front(points)]
        better = now != self._front and self._grown(now) > improvement
        self._front = now
        self.generations = 0 if better else self.generations + 1

    def _grown(self, now: Sequence[Vector]) -> float:
        """By how much the front has grown, in units of the box of all values seen so far."""
        spans = [(high - low) or 1.0 for low, high in zip(self._low, self._high, strict=True)]
        reference = [1.0 + ROOM] * len(spans)

        def volume(points: Sequence[Vector]) -> float:
            scaled = [[(v - low) / span for v, low, span in zip(p, self._low, spans, strict=True)] for p in points]
            return hypervolume(scaled, reference, least=[0.0] * len(spans))

        return volume(now) - volume(self._front)
