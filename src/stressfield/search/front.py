"""Pareto fronts, the hypervolume they dominate, and fronts of tests that were measured a few times only.

All objectives are to be as low as possible here.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import isfinite
from statistics import median

import numpy as np
from numpy.typing import NDArray

from stressfield.errors import InputError
from stressfield.fuzz.space import MOST_OBJECTIVES
from stressfield.seeds import generator

Point = Sequence[float]
SMALL, MEDIUM, LARGE = 0.56, 0.64, 0.71
"""From which A on (or below one minus it) Vargha and Delaney call a difference so."""
MOST_EXACT = 6
"""Objectives up to which a hypervolume is exact. By slicing it gets slow beyond."""
SAMPLES = 8192
"""Places at which a larger one is looked at: the standard error of a share of the box is at most 0.6 %."""
REFERENCE = 1.1
"""The reference point of scaled objectives: a little beyond the worst, so that the ends of a front count too."""


def dominates(point: Point, other: Point) -> bool:
    """Whether ``one`` is nowhere higher and somewhere lower."""
    lower = False
    for a, b in zip(point, other, strict=True):
        if a > b:
            return False
        lower = lower or a < b
    return lower


def front(points: Sequence[Point]) -> tuple[int, ...]:
    """Places of the points that no other dominates. Equal points are on it together."""
    values = _table(points)
    if not len(values):
        return ()
    no_higher = (values[:, None, :] <= values[None, :, :]).all(axis=2)
    lower = (values[:, None, :] < values[None, :, :]).any(axis=2)
    return tuple(int(at) for at in np.flatnonzero(~(no_higher & lower).any(axis=0)))


def hypervolume(points: Sequence[Point], reference: Point, *, least: Point | None = None) -> float:
    """The volume between the points and the reference that some point dominates; 0.0 for no points.

    A point that is not below the reference in every objective adds nothing. It is exact for up to six objectives. For
    more it is estimated, at the same random places every time, between the reference and ``least`` (the lowest values
    there can be; by default those of the points): with a fixed ``least`` it never shrinks when a front grows.
    """
    values = _table(points, width=len(reference))
    if not (1 <= len(reference) <= MOST_OBJECTIVES and all(map(isfinite, reference))):
        raise InputError(
            f"A hypervolume needs a finite reference of 1 to {MOST_OBJECTIVES} objectives, got {list(reference)}."
        )
    inside = {tuple(row) for row in values.tolist() if all(a < b for a, b in zip(row, reference, strict=True))}
    if len(reference) > MOST_EXACT:
        return _estimate(np.array(sorted(inside)), np.array(reference, np.float64), least)
    return _volume(sorted(inside, key=lambda point: point[::-1]), tuple(map(float, reference)))


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
            raise InputError("Cannot make a box of no points: none of the tests has all of its objectives.")
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
        scaled = [self.scaled(point) for point in points]
        return hypervolume(scaled, [REFERENCE] * wide, least=[0.0] * wide) / REFERENCE**wide


def _table(points: Sequence[Point], width: int | None = None) -> NDArray[np.float64]:
    if not len(points):
        return np.empty((0, width or 0))
    widths = {len(point) for point in points} | ({width} if width is not None else set())
    values = np.asarray(points, np.float64) if len(widths) == 1 else None
    if values is None or values.ndim != 2 or not values.shape[1] or not np.isfinite(values).all():
        raise InputError(
            "Points of a front need the same number of finite objectives. Leave out what was not measured."
        )
    return values


def _volume(points: Sequence[tuple[float, ...]], reference: tuple[float, ...]) -> float:
    """By slices along the last objective; the points come in its order."""
    if not points:
        return 0.0
    if len(reference) == 1:
        return reference[0] - points[0][0]
    if len(reference) == 2:
        return _area(points, reference)
    total, layer = 0.0, _Layer(reference[:-1])
    for at, point in enumerate(points):
        layer.add(point[:-1])
        above = points[at + 1][-1] if at + 1 < len(points) else reference[-1]
        if above > point[-1]:
            total += layer.volume() * (above - point[-1])
    return total


def _area(points: Sequence[tuple[float, ...]], reference: tuple[float, ...]) -> float:
    total, right = 0.0, reference[0]
    for at, (x, y) in enumerate(points):
        right = min(right, x)
        above = points[at + 1][1] if at + 1 < len(points) else reference[1]
        total += (reference[0] - right) * (above - y)
    return total


def _estimate(points: NDArray[np.float64], reference: NDArray[np.float64], least: Point | None) -> float:
    """The share of random places that some point dominates, of the volume in which they are."""
    if not len(points):
        return 0.0
    low = points.min(axis=0) if least is None else np.minimum(points.min(axis=0), np.array(least, np.float64))
    free = low + (reference - low) * _places(len(reference))
    for point in points:
        free = free[~(free >= point).all(axis=1)]
    return float(np.prod(reference - low)) * (1.0 - len(free) / SAMPLES)


@cache
def _places(objectives: int) -> NDArray[np.float64]:
    return generator(0, "hypervolume", str(objectives)).random((SAMPLES, objectives))


class _Layer:
    """The points of a slice that none dominates, and their volume in one dimension less."""

    def __init__(self, reference: tuple[float, ...]) -> None:
        self._reference = reference
        self._points: list[tuple[float, ...]] = []
        self._known: float | None = 0.0

    def add(self, point: tuple[float, ...]) -> None:
        if any(all(a <= b for a, b in zip(known, point, strict=True)) for known in self._points):
            return
        self._points = [known for known in self._points if not all(a <= b for a, b in zip(point, known, strict=True))]
        place = bisect_left(self._points, point[::-1], key=lambda known: known[::-1])
        self._points.insert(place, point)
        self._known = None

    def volume(self) -> float:
        if self._known is None:
            self._known = _volume(self._points, self._reference)
        return self._known


def a12(values: Sequence[float], other: Sequence[float]) -> float:
    """The chance that a value of ``values`` is higher than a value of ``other``; 0.5 if neither tends to be."""
    if not len(values) or not len(other) or not all(map(isfinite, (*values, *other))):
        raise InputError(
            f"Cannot compare {len(values)} with {len(other)} values. "
            "Wanted finite numbers, at least one on either side."
        )
    wins = sum((a > b) + 0.5 * (a == b) for a in values for b in other)
    return wins / (len(values) * len(other))


def enough_repeats(repeats: int) -> int:
    """How often a test must have been measured to be on a front: at least half, and never once if there are more."""
    return max(min(2, repeats), (repeats + 1) // 2)


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
        if test and all(len(repeats) >= least_repeats and all(map(isfinite, repeats)) for repeats in test)
    ]
    if not able:
        return ()
    middles = np.array([[median(repeats) for repeats in samples[at]] for at in able])

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
