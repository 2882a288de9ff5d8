"""How sure a number is: intervals of shares, many tests at once, effect sizes, rank correlation."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from stressfield.errors import InputError
from stressfield.search.front import LARGE, MEDIUM, SMALL, a12


@dataclass(frozen=True, slots=True)
class Rate:
    """``count`` of ``total``, and the interval that holds the true share with ``confidence``.

    ``count`` may be a fraction where a world that fails in 2 of 5 runs counts as 0.4 of a failing world.
    """

    count: float
    total: int
    low: float
    high: float
    confidence: float

    @property
    def share(self) -> float | None:
        """None when there was nothing to count."""
        return self.count / self.total if self.total else None

    def __str__(self) -> str:
        if self.share is None:
            return "no runs"
        return f"{_percent(self.share)} % [{_percent(self.low)}, {_percent(self.high)}]"


def wilson(count: float, total: int, *, confidence: float = 0.95) -> Rate:
    """Wilson's score interval: near its nominal confidence also for few trials and for shares near 0 and 1."""
    _check(count, total, confidence)
    if total == 0:
        return Rate(0, 0, 0.0, 1.0, confidence)
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    share, spread = count / total, z * z / total
    centre = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * math.sqrt(share * (1 - share) / total + spread / (4 * total))
    low = 0.0 if count == 0 else max(0.0, centre - half)
    high = 1.0 if count == total else min(1.0, centre + half)
    return Rate(count, total, low, high, confidence)


def clopper_pearson(count: int, total: int, *, confidence: float = 0.95) -> Rate:
    """The exact interval: never below its nominal confidence, so somewhat wide."""
    from scipy.special import betaincinv  # noqa: PLC0415 - slow to import

    _check(count, total, confidence)
    tail = (1 - confidence) / 2
    low = 0.0 if count == 0 else float(betaincinv(count, total - count + 1, tail))
    high = 1.0 if count == total else float(betaincinv(count + 1, total - count, 1 - tail))
    return Rate(count, total, low, high, confidence)


def confidence_sequence(count: float, total: int, *, confidence: float = 0.95) -> Rate:
    """An interval that holds the true share at all times at once, however often one looks and whenever one stops.

    Robbins' mixture: the likelihood of a share that is drawn evenly from 0 to 1, relative to that of the true one, is a
    martingale, and so it ever exceeds ``1 / (1 - confidence)`` with that probability at most (Ville). Where worlds
    count as fractions it is a supermartingale, for the likelihood is convex in them, and the same holds. It is wider
    than an interval for one look: not quite twice as wide at a thousand worlds.
    """
    _check(count, total, confidence)
    if total == 0:
        return Rate(0, 0, 0.0, 1.0, confidence)
    failed, passed = float(count), float(total - count)
    mixed = math.lgamma(failed + 1) + math.lgamma(passed + 1) - math.lgamma(total + 2)
    least = mixed + math.log(1.0 - confidence)

    def held(share: float) -> bool:
        """Whether the share is not yet refuted."""
        told = (failed * math.log(share) if failed else 0.0) + (passed * math.log1p(-share) if passed else 0.0)
        return told > least

    middle = min(max(failed / total, 1e-12), 1.0 - 1e-12)
    low = 0.0 if not failed else _edge(0.0, middle, held)
    high = 1.0 if not passed else _edge(1.0, middle, held)
    return Rate(count, total, low, high, confidence)


def _edge(out: float, inside: float, held: Callable[[float], bool]) -> float:
    """Where a share begins to be held, between one that is not and one that is: rounded outwards."""
    for _ in range(60):
        middle = (out + inside) / 2
        if 0.0 < middle < 1.0 and held(middle):
            inside = middle
        else:
            out = middle
    return out


def _check(count: float, total: int, confidence: float) -> None:
    if not 0 <= count <= total:
        raise InputError(f"Cannot make a share of {count} out of {total}. Wanted 0 <= count <= total.")
    if not 0.0 < confidence < 1.0:
        raise InputError(f"Cannot use confidence {confidence}. Wanted a number between 0 and 1, such as 0.95.")


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjusted p-values, in the given order: calling those below 0.05 keeps the risk of any false call below 5 %."""
    for p_value in p_values:
        if not 0.0 <= p_value <= 1.0:
            raise InputError(f"{p_value} is not a p-value. Wanted numbers from 0 to 1.")
    adjusted, so_far = [0.0] * len(p_values), 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        so_far = max(so_far, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = so_far
    return tuple(adjusted)


@dataclass(frozen=True, slots=True)
class EffectSize:
    """``a12``: the chance that a value of the first is higher than one of the second (ties count half).

    ``p``: the chance of a difference as large either way if both are alike (Mann-Whitney, exact for small samples
    without ties).
    """

    a12: float
    p: float
    count: int
    other_count: int

    @property
    def magnitude(self) -> str:
        """``negligible``, ``small``, ``medium`` or ``large``."""
        return magnitude(self.a12)

    def __str__(self) -> str:
        return f"A = {self.a12:.2f} ({self.magnitude}), p = {self.p:.2g}"


def magnitude(value: float) -> str:
    """The word for a value of A."""
    far = max(value, 1.0 - value)
    words = ((LARGE, "large"), (MEDIUM, "medium"), (SMALL, "small"))
    return next((word for limit, word in words if far >= limit - 1e-12), "negligible")


def effect_size(first: Sequence[float], other: Sequence[float]) -> EffectSize:
    """Both figures at once."""
    from scipy.stats import mannwhitneyu  # noqa: PLC0415 - slow to import

    size = a12(first, other)
    alike = len({*first, *other}) == 1
    p = 1.0 if alike else float(mannwhitneyu(first, other, alternative="two-sided").pvalue)
    return EffectSize(size, p, len(first), len(other))


SAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class RankTest:
    """Spearman's ``rho``; the chance of one as large (``p_rising``) or as far from 0 (``p_two_sided``) by luck."""

    rho: float
    p_rising: float
    p_two_sided: float
    count: int


def spearman(
    first: NDArray[np.float64], other: NDArray[np.float64], rng: np.random.Generator, *, samples: int = SAMPLES
) -> RankTest:
    """Rank correlation of two measures of the same things. Without any variation: rho 0, p 1."""
    if len(first) != len(other):
        raise InputError(f"Cannot correlate {len(first)} values with {len(other)}. Wanted one pair for each thing.")
    count = len(first)
    a, b = _centred_ranks(np.asarray(first, np.float64)), _centred_ranks(np.asarray(other, np.float64))
    size = float(np.sqrt((a @ a) * (b @ b))) if count else 0.0
    if count < 3 or size == 0.0:
        return RankTest(0.0, 1.0, 1.0, count)
    rho = float(a @ b) / size
    shuffled = np.argsort(rng.random((samples, count)), axis=1)
    by_luck = (b[shuffled] @ a) / size
    return RankTest(rho, _share(by_luck >= rho - 1e-9), _share(np.abs(by_luck) >= abs(rho) - 1e-9), count)


def _share(hits: NDArray[np.bool_]) -> float:
    return float((hits.sum() + 1) / (len(hits) + 1))  # the seen order is one of the draws, so p is never 0


def _centred_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    if not len(values):
        return values
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2.0)[place]
    return np.asarray(ranks - ranks.mean())


def kendall(first: NDArray[np.float64], other: NDArray[np.float64]) -> tuple[int, float]:
    """Pairs that rise together less pairs that do not, and how likely so large a number is by luck (two-sided).

    Kendall's test with ties, by the normal approximation. SciPy gives the same number, but takes longer to import than
    everything that a summary computes.
    """
    count, score = len(first), 0
    steps, rank = np.unique(first, return_inverse=True)
    below = np.zeros(len(steps) + 1, np.int64)  # how many lower ones are before each step
    for value in np.unique(other):  # in rising order: each level is compared with all lower ones at once
        level = rank[other == value]
        score += int((below[level] - (below[-1] - below[level + 1])).sum())
        below[1:] += np.cumsum(np.bincount(level, minlength=len(steps)))
    ties_one, ties_other = _ties(first), _ties(other)
    pairs = count * (count - 1.0)
    variance = (pairs * (2 * count + 5) - ties_one[2] - ties_other[2]) / 18
    variance += 2 * ties_one[0] * ties_other[0] / pairs + ties_one[1] * ties_other[1] / (9 * pairs * (count - 2))
    return score, math.erfc(abs(score) / math.sqrt(2 * variance))


def kruskal(groups: Sequence[NDArray[np.float64]]) -> float:
    """How likely groups differ so much in rank by luck (Kruskal and Wallis, with ties)."""
    values = np.concatenate(groups)
    count = len(values)
    ranks = _centred_ranks(values)
    ends = np.cumsum([len(group) for group in groups])[:-1]
    # Ranks are centred, so the usual "- 3 (n + 1)" has gone.
    spread = sum(float(part.sum()) ** 2 / len(part) for part in np.split(ranks, ends))
    repeats = np.unique(values, return_counts=True)[1].astype(np.float64)
    untied = 1.0 - float((repeats**3 - repeats).sum()) / (count**3 - count)
    return chi_squared_tail(12.0 * spread / (count * (count + 1)) / untied, len(groups) - 1)


def chi_squared(table: Sequence[Sequence[int]]) -> float:
    """How likely counts depend so much on their column by luck (Pearson, without a correction for small tables)."""
    counts = np.array(table, dtype=np.float64)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / counts.sum()
    freedom = (counts.shape[0] - 1) * (counts.shape[1] - 1)
    return chi_squared_tail(float(((counts - expected) ** 2 / expected).sum()), freedom)


def chi_squared_tail(value: float, freedom: int) -> float:
    """The chance that a chi-squared number of so many degrees of freedom is larger; a finite sum, hence exact."""
    half = value / 2
    if half <= 0.0:
        return 1.0
    odd = freedom % 2
    total = math.erfc(math.sqrt(half)) if odd else 0.0
    steps = range(freedom // 2)
    # Summed as logarithms: powers and gammas of many degrees of freedom leave the range of floats.
    terms = (math.exp((k + odd / 2) * math.log(half) - half - math.lgamma(k + odd / 2 + 1)) for k in steps)
    return min(1.0, total + math.fsum(terms))


def _ties(values: NDArray[np.float64]) -> tuple[float, float, float]:
    """Sums over equal values, as the variance of Kendall's score needs them."""
    repeats = np.unique(values, return_counts=True)[1].astype(np.float64)
    pairs = repeats * (repeats - 1)
    return float(pairs.sum() / 2), float((pairs * (repeats - 2)).sum()), float((pairs * (2 * repeats + 5)).sum())
