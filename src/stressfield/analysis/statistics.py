"""How sure a number is: intervals of shares, many tests at once, effect sizes, rank correlation."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
            raise InputError(f"{p_value} is no p-value. Wanted numbers from 0 to 1.")
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


def effect_size(one: Sequence[float], other: Sequence[float]) -> EffectSize:
    """Both figures at once."""
    from scipy.stats import mannwhitneyu  # noqa: PLC0415 - slow to import

    size = a12(one, other)
    alike = len({*one, *other}) == 1
    p = 1.0 if alike else float(mannwhitneyu(one, other, alternative="two-sided").pvalue)
    return EffectSize(size, p, len(one), len(other))


SAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class RankTest:
    """Spearman's ``rho``; the chance of one as large (``p_rising``) or as far from 0 (``p_two_sided``) by luck."""

    rho: float
    p_rising: float
    p_two_sided: float
    count: int


def spearman(
    one: NDArray[np.float64], other: NDArray[np.float64], rng: np.random.Generator, *, samples: int = SAMPLES
) -> RankTest:
    """Rank correlation of two measures of the same things. Without any variation: rho 0, p 1."""
    if len(one) != len(other):
        raise InputError(f"Cannot correlate {len(one)} values with {len(other)}. Wanted one pair for each thing.")
    count = len(one)
    a, b = _centred_ranks(np.asarray(one, np.float64)), _centred_ranks(np.asarray(other, np.float64))
    size = float(np.sqrt((a @ a) * (b @ b))) if count else 0.0
    if count < 3 or size == 0.0:
        return RankTest(0.0, 1.0, 1.0, count)
    rho = float(a @ b) / size
    shuffled = np.argsort(rng.random((samples, count)), axis=1)
    by_luck = (b[shuffled] @ a) / size
    return RankTest(rho, _share(by_luck >= rho - 1e-9), _share(np.abs(by_luck) >= abs(rho) - 1e-9), count)


def sign_flips(differences: NDArray[np.float64], rng: np.random.Generator, *, samples: int = SAMPLES) -> float:
    """Chance of so large a mean difference if each could as well have the other sign (one-sided)."""
    if not len(differences):
        return 1.0
    signs = 2.0 * rng.integers(0, 2, (samples, len(differences))) - 1.0
    return _share(signs @ differences >= float(differences.sum()) - 1e-9)


def _share(hits: NDArray[np.bool_]) -> float:
    return float((hits.sum() + 1) / (len(hits) + 1))  # the seen order is one of the draws, so p is never 0


def _centred_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    if not len(values):
        return values
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2.0)[place]
    return np.asarray(ranks - ranks.mean())
