"""Fronts of tests that were run several times, and how a search's front grew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from statistics import median

import numpy as np

from stressfield.analysis.effect_size import LARGE, a12
from stressfield.errors import InputError
from stressfield.fronts import Point, dominates, front, hypervolume

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


def noise_aware_front(
    samples: Sequence[Sequence[Sequence[float]]], *, least_repeats: int = 1, sure: float = LARGE
) -> tuple[int, ...]:
    """Places of the tests that no other beats beyond noise.

    ``samples[test][objective]`` are the values of its repeats; low is wanted.
    A test with fewer than ``least_repeats`` values of an objective cannot be on the front, nor beat another: no lucky
    single run survives. A test beats another if its median is nowhere higher and, in at least one objective, its median
    is lower *and* a run of it is lower than a run of the other with a probability of at least ``sure`` (Vargha and
    Delaney's A; 0.71 is their "large"). Tests that cannot be told apart are on the front together. With one repeat of
    each this is the usual front.
    """
    if least_repeats < 1 or not 0.5 < sure <= 1.0:
        raise InputError(
            f"A front with least_repeats={least_repeats} and sure={sure}. Wanted at least 1, and more than 0.5 up to 1."
        )
    able = [
        at
        for at, test in enumerate(samples)
        if test and all(len(one) >= least_repeats and all(map(isfinite, one)) for one in test)
    ]
    if not able:
        return ()
    middles = np.array([[median(one) for one in samples[at]] for at in able])

    def beaten(place: int) -> bool:
        lower = middles < middles[place]
        better = np.flatnonzero((middles <= middles[place]).all(axis=1) & lower.any(axis=1))
        best_first = better[np.argsort(lower[better].sum(axis=1), kind="stable")[::-1]]
        theirs = samples[able[place]]
        return any(
            lower[at, objective] and a12(theirs[objective], values) >= sure
            for at in best_first.tolist()
            for objective, values in enumerate(samples[able[at]])
        )

    return tuple(able[place] for place in range(len(able)) if not beaten(place))


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
