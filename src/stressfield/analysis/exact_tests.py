"""Is one campaign worse than another, or is it chance? Tests that shuffle whole worlds.

Runs of the same world are alike, so they are not independent trials: nothing ever leaves its world here. If two builds
behave alike, nothing tells which campaign a world's runs came from. So what was seen is held against what comes out
when runs change sides:

* runs of one world with one run seed change sides as pairs (`swaps`): each difference may as well have the other sign;
* runs of a world that both campaigns have, in other numbers or with other seeds, are dealt anew within it (`redeals`);
* worlds of one campaign only are dealt anew between the two, as wholes (`deals`).

All shuffles are tried if these are few, and the p-value is exact; otherwise some are drawn, and the result says so.
`smallest_p` tests many measures at once (Westfall and Young's step-down procedure). `stratified` tests how many runs
fail, exactly for any number of worlds: McNemar's test of pairs, that of Mantel and Haenszel of more runs. `fisher`
counts runs as if they were independent: it is for one run per world.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from stressfield.analysis.statistics import Rate, wilson
from stressfield.arrays import Floats

_TIE = 1e-7
MOST_SWAPPED = 16
"""Worlds of which all swaps are tried: 65,536 of them."""
DRAWS = 20_000
"""Shuffles that are drawn where there are too many to try: p-values near 0.05 are then known to 0.002."""
LEAST_DRAWS, MOST_WEIGHTS = 2_000, 10_000_000
MOST_MARGINALS = 30
"""Different values up to which it is quicker to draw how many fall to a side value by value than world by world."""
_SLACK = 1e-9
"""Sums of ranks that differ by less are equal."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Failing rates of two builds, and how likely so large a difference is if the builds are equal.

    ``p_greater`` speaks of the candidate failing more often, ``p_two_sided`` of a difference either way.
    ``difference`` is candidate less baseline, with its confidence interval; None when a build has no run.
    """

    method: str
    baseline: Rate
    candidate: Rate
    difference: float | None
    difference_low: float
    difference_high: float
    p_greater: float
    p_two_sided: float


@dataclass(frozen=True, slots=True)
class Shuffles:
    """Ways in which runs or worlds could have changed sides: one a row, the way it was seen first.

    ``weights`` [shuffles, runs or worlds]: what each one's value counts with. ``exact``: all ways are there.
    """

    weights: Floats
    exact: bool

    @property
    def words(self) -> str:
        """``exact`` or ``20,000 draws``."""
        return "exact" if self.exact else f"{len(self.weights) - 1:,} draws"


def swaps(pairs: int, rng: np.random.Generator, *, draws: int = DRAWS) -> Shuffles:
    """The two sides of each pair swapped or not: weights of +1 and -1."""
    if pairs <= MOST_SWAPPED:
        number = np.arange(1 << pairs)[:, None]
        return Shuffles(np.asarray(1.0 - 2.0 * (number >> np.arange(pairs) & 1), np.float64), True)
    signs = np.asarray(1.0 - 2.0 * rng.integers(0, 2, (_affordable(draws, pairs) + 1, pairs)), np.float64)
    signs[0] = 1.0
    return Shuffles(signs, False)


def redeals(runs: Sequence[tuple[int, int]], rng: np.random.Generator, *, draws: int = DRAWS) -> Shuffles:
    """The runs of each world dealt anew within it: weight 1 for those that fall to the candidate.

    ``runs``: of each world, how many are the baseline's and how many the candidate's; weights are in that order.
    """
    starts = np.concatenate(([0], np.cumsum([sum(counts) for counts in runs]))).astype(int)
    rows = _affordable(draws, int(starts[-1])) + 1
    weights = np.zeros((rows, int(starts[-1])))
    for baseline, candidate in sorted(set(runs)):
        worlds = [start for start, counts in zip(starts, runs, strict=False) if counts == (baseline, candidate)]
        columns = np.array(worlds)[:, None] + np.arange(baseline + candidate)
        for first in range(0, rows, LEAST_DRAWS):  # a part at a time: keys need as much memory as weights
            # those with the smallest of random keys: every choice of as many is as likely
            keys = rng.random((min(LEAST_DRAWS, rows - first), *columns.shape))
            if not first:
                keys[0] = np.where(np.arange(baseline + candidate) < baseline, 1.0, 0.0)
            last = np.partition(keys, candidate - 1, axis=2)[:, :, candidate - 1 : candidate]
            weights[first : first + len(keys), columns.ravel()] = (keys <= last).reshape(len(keys), -1)
    return Shuffles(weights, False)


def _affordable(draws: int, columns: int) -> int:
    """Fewer draws of very many runs, so that they fit into memory; whoever reads the result is told how many."""
    return min(draws, max(LEAST_DRAWS, MOST_WEIGHTS // max(1, columns)))


def deals(baseline: int, candidate: int, rng: np.random.Generator, *, draws: int = DRAWS) -> Shuffles:
    """All worlds dealt anew: weight 1 for those that fall to the candidate, which were last in the way it was seen."""
    worlds = baseline + candidate
    if math.comb(worlds, candidate) <= 1 << MOST_SWAPPED:
        chosen = list(combinations(range(worlds - 1, -1, -1), candidate))
        weights = np.zeros((len(chosen), worlds))
        np.put_along_axis(weights, np.array(chosen, dtype=np.int64).reshape(len(chosen), candidate), 1.0, axis=1)
        return Shuffles(weights, True)
    weights = (np.argsort(rng.random((draws + 1, worlds)), axis=1) < candidate).astype(np.float64)
    weights[0] = np.arange(worlds) >= baseline
    return Shuffles(weights, False)


def chance_of_sum(less: Floats, more: Floats, rng: np.random.Generator, *, draws: int = DRAWS) -> float:
    """The chance that the sum of ``more`` is so great when all worlds are dealt anew between ``less`` and ``more``.

    As `smallest_p` of `deals`, of one measure. Worlds with the same value are alike, so it is drawn how many of each
    value fall to ``more``: of ten repeats there are eleven values, whatever the number of worlds.
    """
    every = np.concatenate((less, more))
    if math.comb(len(every), len(more)) <= 1 << MOST_SWAPPED:
        return smallest_p(deals(len(less), len(more), rng), every[:, None], two_sided=[False]).p[0]
    values, counts = np.unique(every, return_counts=True)
    method: Literal["marginals", "count"] = "marginals" if len(values) <= MOST_MARGINALS else "count"
    drawn = rng.multivariate_hypergeometric(counts, len(more), size=draws, method=method)
    return (1 + int((drawn @ values >= more.sum() - _SLACK).sum())) / (1 + draws)


@dataclass(frozen=True, slots=True)
class ManyTests:
    """One p-value for each measure: by itself, and with the chance taken into account that any of them is as small."""

    p: tuple[float, ...]
    p_adjusted: tuple[float, ...]


def smallest_p(shuffles: Shuffles, values: Floats, *, two_sided: Sequence[bool]) -> ManyTests:
    """Test many measures of the same worlds at once. ``values`` [worlds, measures]: greater sums are more striking."""
    sums = shuffles.weights @ values
    return step_down(np.where(np.asarray(two_sided, bool), np.abs(sums), sums))


def step_down(statistics: Floats) -> ManyTests:
    """p-values of [shuffles, measures], what was seen in the first row; greater is more striking.

    Westfall and Young (1993), step-down by the smallest p-value: every shuffle moves all measures of a world together,
    so measures that say the same count once, and those that could never be striking do not count. The chance of any
    false call is at most the level, for which Holm's correction of as many measures would pay much more.
    """
    count, measures = statistics.shape
    if not measures:
        return ManyTests((), ())
    chances = np.ones_like(statistics)
    for column in np.flatnonzero(np.ptp(statistics, axis=0) > _SLACK):  # what no shuffle changes has p = 1
        places = np.argsort(statistics[:, column])
        ordered = statistics[places, column]  # looked up in order, which is several times as fast
        chances[places, column] = (count - np.searchsorted(ordered, ordered - _SLACK)) / count
    seen = chances[0]
    order = np.argsort(seen, kind="stable")
    # the smallest of this measure's p-value and of all that are less striking, in every shuffle
    least = np.minimum.accumulate(chances[:, order[::-1]], axis=1)[:, ::-1]
    stepped = np.maximum.accumulate((least <= seen[order] + _SLACK).mean(axis=0))
    adjusted = np.empty(measures)
    adjusted[order] = stepped
    return ManyTests(tuple(seen.tolist()), tuple(np.maximum(adjusted, seen).tolist()))


def stratified(worlds: Sequence[tuple[int, int, int, int]]) -> tuple[float, float]:
    """The chances of so many failing runs of the candidate, and of so few, if runs change sides within their worlds.

    Of each world: failing runs and runs of the baseline, failing runs and runs of the candidate. This is the exact
    test of Mantel and Haenszel; of one run on each side, McNemar's; of one world, Fisher's.
    """
    chances, seen = np.ones(1), 0
    for baseline_fails, baseline_runs, fails, runs in worlds:
        total = baseline_fails + fails
        least = max(0, total - baseline_runs)
        # a world whose runs all fail or all pass tells nothing: its one possibility shifts the sum
        chances = np.convolve(chances, _hypergeometric(baseline_runs, runs, total))
        seen += fails - least
    greater, less = math.fsum(chances[seen:]), math.fsum(chances[: seen + 1])
    return min(1.0, greater), min(1.0, less)


def signed_ranks(differences: Floats) -> Floats:
    """Wilcoxon's ranks: 1 for the smallest difference, with its sign; ties share theirs; 0 for no difference."""
    moving = differences != 0.0
    ranks = np.zeros(len(differences))
    ranks[moving] = np.sign(differences[moving]) * mid_ranks(np.abs(differences[moving]))
    return ranks


def mid_ranks(values: Floats) -> Floats:
    """1 for the smallest; equal values share the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2.0)[place])


def fisher(
    baseline_fails: int,
    baseline_runs: int,
    candidate_fails: int,
    candidate_runs: int,
    *,
    confidence: float = 0.95,
) -> Comparison:
    """Fisher's exact test: independent runs of two builds."""
    baseline = wilson(baseline_fails, baseline_runs, confidence=confidence)
    candidate = wilson(candidate_fails, candidate_runs, confidence=confidence)
    least = max(0, baseline_fails + candidate_fails - baseline_runs)
    chances = _hypergeometric(baseline_runs, candidate_runs, baseline_fails + candidate_fails)
    seen = chances[candidate_fails - least]
    greater = float(chances[candidate_fails - least :].sum())
    either = float(chances[chances <= seen * (1 + _TIE)].sum())
    return _comparison("Fisher's exact test", baseline, candidate, greater, either)


def _comparison(method: str, baseline: Rate, candidate: Rate, greater: float, either: float) -> Comparison:
    """Newcombe's interval of a difference, from the intervals of both shares."""
    before, after = baseline.share, candidate.share
    p_greater, p_two_sided = min(1.0, greater), min(1.0, either)
    if before is None or after is None:
        return Comparison(method, baseline, candidate, None, -1.0, 1.0, p_greater, p_two_sided)
    difference = after - before
    low = difference - math.hypot(after - candidate.low, baseline.high - before)
    high = difference + math.hypot(candidate.high - after, before - baseline.low)
    return Comparison(method, baseline, candidate, difference, low, high, p_greater, p_two_sided)


def _hypergeometric(baseline_runs: int, candidate_runs: int, fails: int) -> np.ndarray:
    """Chance of each possible number of candidate fails when ``fails`` fall on the runs at random."""
    # Logarithms of the factorials 0! to n!: SciPy's gamma function would take half a second to import.
    largest = max(baseline_runs, candidate_runs)
    logs = np.array([math.lgamma(number + 1) for number in range(largest + 1)])

    def log_choose(total: int, chosen: np.ndarray) -> np.ndarray:
        return np.asarray(logs[total] - logs[chosen] - logs[total - chosen])

    possible = np.arange(max(0, fails - baseline_runs), min(fails, candidate_runs) + 1)
    weight = log_choose(candidate_runs, possible) + log_choose(baseline_runs, fails - possible)
    chances = np.exp(weight - weight.max())
    return np.asarray(chances / chances.sum())
