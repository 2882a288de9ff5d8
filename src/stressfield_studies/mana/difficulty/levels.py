"""How difficult a configuration of worlds is: easy, challenging or very difficult, seen after the runs.

After Sotiropoulos, Guiochet, Ingrand and Waeselynck, "Virtual worlds for testing robot navigation" (EDCC 2016).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median

import numpy as np
from numpy.typing import NDArray

from stressfield.analysis import NavigationRun, Rate, wilson
from stressfield.arrays import Floats
from stressfield.errors import InputError

FEW_SUCCESSES = 0.25
WEIGHTS = (0.5, 0.25, 0.25)
MOST_STARTS = 800
_ROUNDS = 60
_QUICK_STARTS = 60
"""Resampled experiments are many, so 2-means tries fewer first centres in each."""


class Level(StrEnum):
    """From least to most difficult."""

    EASY = "easy"
    CHALLENGING = "challenging"
    VERY_DIFFICULT = "very difficult"


@dataclass(frozen=True, slots=True)
class ConfigurationRuns:
    """All runs with one value of the control; repeats share a world."""

    value: float
    runs: tuple[NavigationRun, ...]


@dataclass(frozen=True, slots=True)
class Difficulty:
    """One configuration: what was measured and its level.

    ``success`` counts runs; its interval takes each world as one unit, because repeats in a world are alike. Duration
    and tortuousness are medians over successful runs, None without any. ``score`` runs from 0 (as easy as it gets in
    this series) to 1; a measure that is None is left out of it, as it is left out of the distances that part easy from
    challenging. ``shares`` says how often resampled worlds and runs gave each level.
    """

    value: float
    runs: int
    success: Rate
    median_duration_s: float | None
    median_tortuousness_rad: float | None
    score: float
    level: Level
    shares: Mapping[Level, float]

    @property
    def confidence(self) -> float:
        """Share of the resampled experiments that give the same level."""
        return self.shares.get(self.level, 0.0)


@dataclass(frozen=True, slots=True)
class _Measured:
    success: float
    duration_s: float | None
    tortuousness_rad: float | None


def difficulty_levels(
    configurations: Sequence[ConfigurationRuns],
    rng: np.random.Generator,
    *,
    reference: int | None = 0,
    few_successes: float = FEW_SUCCESSES,
    weights: tuple[float, float, float] = WEIGHTS,
    resamples: int = 200,
) -> tuple[Difficulty, ...]:
    """The level of each configuration of one series.

    Fewer than ``few_successes`` of all runs: very difficult. The others are parted in two by 2-means on success rate,
    median duration and median tortuousness, each scaled to 0..1 over these configurations and weighted; a measure that
    a configuration lacks is left out of its distances. The cluster of configuration number ``reference`` (the flat
    empty world) is easy, the other challenging. Where the reference itself is very difficult, or None because it has
    no result, the cluster with more successes is easy.
    """
    for configuration in configurations:
        if not configuration.runs:
            raise InputError(f"The configuration {configuration.value:g} has no run with a result. Leave it out.")
    if configurations and reference is not None and not 0 <= reference < len(configurations):
        raise InputError(f"No configuration number {reference}: there are {len(configurations)}.")
    measured = [_measure(configuration.runs) for configuration in configurations]
    levels = _levels(measured, reference, few_successes, weights)
    shares = _resampled(configurations, rng, reference, few_successes, weights, resamples)
    scores = _scores(measured, weights)
    return tuple(
        Difficulty(
            value=configuration.value,
            runs=len(configuration.runs),
            success=_by_world(configuration.runs),
            median_duration_s=measures.duration_s,
            median_tortuousness_rad=measures.tortuousness_rad,
            score=score,
            level=level,
            shares=share,
        )
        for configuration, measures, score, level, share in zip(
            configurations, measured, scores, levels, shares, strict=True
        )
    )


def _by_world(runs: Sequence[NavigationRun]) -> Rate:
    worlds: dict[str, list[bool]] = {}
    for run in runs:
        worlds.setdefault(run.world, []).append(run.success)
    shares = [sum(world) / len(world) for world in worlds.values()]
    interval = wilson(min(sum(shares), len(shares)), len(shares))
    return Rate(sum(run.success for run in runs), len(runs), interval.low, interval.high, interval.confidence)


def _measure(runs: Sequence[NavigationRun]) -> _Measured:
    successes = [run for run in runs if run.success]
    winding = [run.tortuousness_rad for run in successes if run.tortuousness_rad is not None]
    return _Measured(
        success=len(successes) / len(runs),
        duration_s=median(run.duration_s for run in successes) if successes else None,
        tortuousness_rad=median(winding) if winding else None,
    )


def _levels(
    measured: Sequence[_Measured],
    reference: int | None,
    few_successes: float,
    weights: tuple[float, float, float],
    starts: int = MOST_STARTS,
) -> list[Level]:
    levels = [Level.VERY_DIFFICULT] * len(measured)
    rest = [place for place, measures in enumerate(measured) if measures.success >= few_successes]
    if not rest:
        return levels
    points = _scaled(np.array([_point(measured[i]) for i in rest]))
    second = two_means(points * np.sqrt(np.array(weights)), starts=starts)
    if reference is not None and reference in rest:
        easy = second[rest.index(reference)]
    else:
        easy = bool(second.any() and points[second, 0].mean() < points[~second, 0].mean())
    for place, cluster in zip(rest, second, strict=True):
        levels[place] = Level.EASY if cluster == easy else Level.CHALLENGING
    return levels


def _point(measures: _Measured) -> tuple[float, float, float]:
    """Failing share, duration and tortuousness; NaN where a measure is missing."""
    return (
        1.0 - measures.success,
        np.nan if measures.duration_s is None else measures.duration_s,
        np.nan if measures.tortuousness_rad is None else measures.tortuousness_rad,
    )


def _scaled(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each column to 0..1; what is missing stays missing."""
    low, spread = known_span(points)
    return np.asarray((points - low) / np.where(spread > 0.0, spread, 1.0))


def _scores(measured: Sequence[_Measured], weights: tuple[float, float, float]) -> list[float]:
    """Weighted mean of failing share, duration and tortuousness, the last two scaled; missing ones do not weigh."""
    if not measured:
        return []
    points = np.array([_point(measures) for measures in measured])
    points[:, 1:] = _scaled(points[:, 1:])
    known = ~np.isnan(points)
    weigh = known * np.array(weights)
    total, summed = weigh.sum(axis=1), (weigh * np.where(known, points, 0.0)).sum(axis=1)
    scores: list[float] = np.where(total > 0.0, summed / np.where(total > 0.0, total, 1.0), points[:, 0]).tolist()
    return scores


def _resampled(
    configurations: Sequence[ConfigurationRuns],
    rng: np.random.Generator,
    reference: int | None,
    few_successes: float,
    weights: tuple[float, float, float],
    resamples: int,
) -> list[dict[Level, float]]:
    """Draw worlds with replacement, then runs of each, and classify again."""
    worlds = [_worlds(configuration.runs) for configuration in configurations]
    counts: list[Counter[Level]] = [Counter() for _ in configurations]
    for _ in range(resamples):
        drawn = [_measure(_draw(groups, rng)) for groups in worlds]
        for count, level in zip(counts, _levels(drawn, reference, few_successes, weights, _QUICK_STARTS), strict=True):
            count[level] += 1
    return [{level: count[level] / max(1, resamples) for level in Level} for count in counts]


def _worlds(runs: Sequence[NavigationRun]) -> list[list[NavigationRun]]:
    groups: dict[str, list[NavigationRun]] = {}
    for run in runs:
        groups.setdefault(run.world, []).append(run)
    return list(groups.values())


def _draw(groups: list[list[NavigationRun]], rng: np.random.Generator) -> list[NavigationRun]:
    drawn = []
    for place in rng.integers(0, len(groups), len(groups)):
        group = groups[place]
        drawn += [group[i] for i in rng.integers(0, len(group), len(group))]
    return drawn


def two_means(points: Floats, *, starts: int = MOST_STARTS) -> NDArray[np.bool_]:
    """Which points are in the second cluster; the first point is always in the first one.

    All pairs of points are tried as first centres (an even choice of ``starts`` pairs when there are more), so
    nothing is left to chance. All False when the points do not differ. A coordinate that is NaN is missing: it is left
    out of the point's distances and of the means.
    """
    count = len(points)
    if count < 2 or known_span(points)[1].max() == 0.0:
        return np.zeros(count, dtype=np.bool_)
    known = (~np.isnan(points)).astype(np.float64)
    middle = np.nansum(points, axis=0) / np.maximum(known.sum(axis=0), 1.0)
    full = np.where(known > 0.0, points, middle)
    first, second = np.triu_indices(count, 1)
    chosen = np.unique(np.linspace(0, len(first) - 1, min(len(first), starts)).astype(np.int64))
    centres = np.stack([full[first[chosen]], full[second[chosen]]], axis=1)
    member = np.zeros((len(chosen), count), dtype=np.bool_)
    for _ in range(_ROUNDS):
        away = _away(full, known, centres)
        now = away[:, :, 1] < away[:, :, 0]
        if (now == member).all():
            break
        member = now
        centres = np.stack(
            [_means(full, known, ~member, centres[:, 0]), _means(full, known, member, centres[:, 1])], axis=1
        )
    away = _away(full, known, centres).min(axis=2).sum(axis=1)
    best = member[int(np.argmin(np.round(away, 12)))]
    return np.asarray(~best if best[0] else best)


def known_span(points: Floats) -> tuple[Floats, Floats]:
    """The least known value of each column and how far its known values spread; 0 and 0 where none is known."""
    known = ~np.isnan(points)
    low = np.where(known, points, np.inf).min(axis=0)
    high = np.where(known, points, -np.inf).max(axis=0)
    some = known.any(axis=0)
    low = np.where(some, low, 0.0)
    return low, np.where(some, high, 0.0) - low


def _away(full: Floats, known: Floats, centres: Floats) -> Floats:
    """Squared distance of every point from both centres of every start, over what is known of the point."""
    apart = (full[None, :, None, :] - centres[:, None, :, :]) ** 2
    return np.asarray((apart * known[None, :, None, :]).sum(axis=3))


def _means(full: Floats, known: Floats, member: NDArray[np.bool_], before: Floats) -> Floats:
    inside = member.astype(np.float64)
    sizes, sums = inside @ known, inside @ (full * known)
    return np.where(sizes > 0.0, sums / np.maximum(sizes, 1.0), before)
