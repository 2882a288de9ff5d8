"""How far apart runs of one world get: the largest distance at any time t between two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from stressfield.analysis import RankTest, spearman

Points = NDArray[np.floating]


@dataclass(frozen=True, slots=True, eq=False)
class TrackedRun:
    """One run of a world: where the robot was at every step of a clock that all runs share (``points`` is [n, 2])."""

    world: str
    success: bool
    points: Points


@dataclass(frozen=True, slots=True)
class Spread:
    """Largest distance at time t, averaged over worlds; None where no world has two such runs."""

    value: float
    successful_m: float | None
    successful_worlds: int
    unsuccessful_m: float | None
    unsuccessful_worlds: int


def distance_at(track: Points, other: Points) -> NDArray[np.float64]:
    """Distance between two runs at each step, as long as both last."""
    both = min(len(track), len(other))
    apart = np.asarray(track[:both], np.float64) - np.asarray(other[:both], np.float64)
    return np.asarray(np.hypot(apart[:, 0], apart[:, 1]))


def largest_at(tracks: Sequence[Points]) -> NDArray[np.float64]:
    """At each step, the largest distance between two runs that still last."""
    longest = sorted((len(track) for track in tracks), reverse=True)[1] if len(tracks) > 1 else 0
    largest = np.zeros(longest)
    for points, other in combinations(tracks, 2):
        apart = distance_at(points, other)
        largest[: len(apart)] = np.maximum(largest[: len(apart)], apart)
    return largest


def spread(value: float, runs: Sequence[TrackedRun]) -> Spread:
    """How far apart the runs of one configuration get, successful and unsuccessful ones apart."""
    good, good_worlds = _mean_largest([run for run in runs if run.success])
    bad, bad_worlds = _mean_largest([run for run in runs if not run.success])
    return Spread(value, good, good_worlds, bad, bad_worlds)


def relation(spreads: Sequence[tuple[float | None, float]], rng: np.random.Generator) -> RankTest:
    """Does the spread go with difficulty? Pairs of (spread, difficulty); those without a spread are left out."""
    known = [(apart, score) for apart, score in spreads if apart is not None]
    return spearman(np.array([apart for apart, _ in known]), np.array([score for _, score in known]), rng)


def _mean_largest(runs: Sequence[TrackedRun]) -> tuple[float | None, int]:
    worlds: dict[str, list[Points]] = {}
    for run in runs:
        worlds.setdefault(run.world, []).append(run.points)
    largest = _largest(worlds)
    return (float(np.mean(largest)), len(largest)) if largest else (None, 0)


def _largest(worlds: Mapping[str, Sequence[Points]]) -> list[float]:
    found = [largest_at(tracks) for tracks in worlds.values() if len(tracks) > 1]
    return [float(series.max()) for series in found if len(series)]
