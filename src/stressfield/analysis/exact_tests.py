"""Does one build fail more often than another? Exact tests.

Runs of the same world are alike, so they are not independent trials. `fisher` counts runs as if they
were, and suits one run per world; `mcnemar` pairs the same worlds; `paired_permutation` takes any number of
runs per world and treats each world as one unit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from stressfield.analysis.statistics import Rate, wilson
from stressfield.errors import InputError

_TIE = 1e-7
_MOST_ENUMERATED_WORLDS = 16


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
class PairedWorld:
    """The runs of one world under both builds: True is a failing run. The numbers of runs may differ."""

    world: str
    baseline: tuple[bool, ...]
    candidate: tuple[bool, ...]

    @property
    def difference(self) -> float:
        """Failing share of the candidate less that of the baseline."""
        return sum(self.candidate) / len(self.candidate) - sum(self.baseline) / len(self.baseline)


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


def mcnemar(pairs: Sequence[tuple[bool, bool]], *, confidence: float = 0.95) -> Comparison:
    """McNemar's exact test: one run per world and build; a pair is (baseline failed, candidate failed)."""
    baseline = wilson(sum(before for before, _ in pairs), len(pairs), confidence=confidence)
    candidate = wilson(sum(after for _, after in pairs), len(pairs), confidence=confidence)
    worse = sum(after and not before for before, after in pairs)
    better = sum(before and not after for before, after in pairs)
    either = min(1.0, 2 * _coin_tail(max(worse, better), worse + better))
    greater = _coin_tail(worse, worse + better)
    return _comparison("McNemar's exact test", baseline, candidate, greater, either)


def paired_permutation(
    worlds: Sequence[PairedWorld],
    rng: np.random.Generator,
    *,
    samples: int = 20_000,
    confidence: float = 0.95,
) -> Comparison:
    """Swap the builds within whole worlds: if they are equal, each world's difference could as well be reversed.

    The statistic is the mean over worlds of the difference in failing share. All swaps are tried when at most
    sixteen worlds differ; otherwise ``samples`` swaps drawn from ``rng``. Rates count each world once. Worlds that
    lack a run of either build cannot be compared and are refused: leave them out knowingly.
    """
    for world in worlds:
        if not world.baseline or not world.candidate:
            raise InputError(f"World '{world.world}' has no run of one of the builds. Leave it out of the comparison.")
    differences = np.array([world.difference for world in worlds])
    moving = differences[differences != 0.0]
    exact = len(moving) <= _MOST_ENUMERATED_WORLDS
    sums = _all_swaps(moving) if exact else _drawn_swaps(moving, rng, samples)
    seen, slack = float(moving.sum()), 1e-9
    extra = 0 if exact else 1  # the seen order is one of the draws, so p is never 0
    greater = (int((sums >= seen - slack).sum()) + extra) / (len(sums) + extra)
    either = (int((np.abs(sums) >= abs(seen) - slack).sum()) + extra) / (len(sums) + extra)
    baseline = _mean_rate([world.baseline for world in worlds], confidence)
    candidate = _mean_rate([world.candidate for world in worlds], confidence)
    how = "exact" if exact else f"{samples} draws"
    return _comparison(f"permutation within worlds ({how})", baseline, candidate, greater, either)


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


def _coin_tail(heads: int, tosses: int) -> float:
    """Chance of at least ``heads`` in ``tosses`` of a fair coin, in whole numbers until the last step."""
    return float(Fraction(sum(math.comb(tosses, k) for k in range(heads, tosses + 1)), 1 << tosses))


def _all_swaps(differences: np.ndarray) -> np.ndarray:
    sums = np.zeros(1)
    for difference in differences:
        sums = np.concatenate((sums + difference, sums - difference))
    return sums


def _drawn_swaps(differences: np.ndarray, rng: np.random.Generator, samples: int) -> np.ndarray:
    signs = rng.integers(0, 2, size=(samples, len(differences)), dtype=np.int8)
    return np.asarray((2.0 * signs - 1.0) @ differences)


def _mean_rate(runs_per_world: Sequence[tuple[bool, ...]], confidence: float) -> Rate:
    shares = [sum(runs) / len(runs) for runs in runs_per_world]
    return wilson(min(math.fsum(shares), len(shares)), len(shares), confidence=confidence)
