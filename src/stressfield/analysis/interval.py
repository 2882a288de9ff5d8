"""How sure a share is: binomial confidence intervals."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

from stressfield.errors import InputError


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
