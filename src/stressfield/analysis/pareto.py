"""Fronts of tests that were run several times, and how a search's front grew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stressfield.errors import InputError
from stressfield.fronts import Point, dominates, front, hypervolume
from stressfield.noise import noise_aware_front

__all__ = ["Box", "Point", "front", "hypervolume", "hypervolume_history", "noise_aware_front"]

REFERENCE = 1.1
"""The reference point of scaled objectives: a little beyond the worst, so that the ends of a front count too."""


@dataclass(frozen=True, slots=True)
class Box:
    """The range of every objective. Fronts can only be compared inside the same box."""

    low: tuple[float, ...]
    high: tuple[float, ...]

    @classmethod
    def of(cls, points: Sequence[Point | None]) -> Box:
        """The smallest box that holds all points; those that were not measured (None) are passed over."""
        found = [point for point in points if point is not None]
        if not found:
            raise InputError("No point to make a box of: none of the tests has all of its objectives.")
        columns = list(zip(*found, strict=True))
        return cls(tuple(map(min, columns)), tuple(map(max, columns)))

    def scaled(self, point: Point) -> tuple[float, ...]:
        """From 0 (the best of the box) to 1 (the worst); 0 where all are equal."""
        return tuple(
            (value - low) / (high - low) if high > low else value - low
            for value, low, high in zip(point, self.low, self.high, strict=True)
        )

    def share(self, points: Sequence[Point]) -> float:
        """The hypervolume of points as a share of what can be dominated at all: 0 to 1."""
        wide = len(self.low)
        return hypervolume([self.scaled(point) for point in points], [REFERENCE] * wide) / REFERENCE**wide


def hypervolume_history(points: Sequence[Point | None], box: Box) -> list[float]:
    """The hypervolume of the front after each evaluation, as a share of the box. None is a test without values."""
    history: list[float] = []
    best: list[Point] = []
    for point in points:
        beaten = point is None or any(one == point or dominates(one, point) for one in best)
        if point is not None and not beaten:
            best = [one for one in best if not dominates(point, one)] + [point]
        history.append(history[-1] if beaten and history else box.share(best))
    return history
