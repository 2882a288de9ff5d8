"""How much better is one strategy than another? Vargha and Delaney's A, with the Mann-Whitney test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from stressfield.noise import LARGE, MEDIUM, SMALL, a12

__all__ = ["LARGE", "MEDIUM", "SMALL", "EffectSize", "a12", "effect_size", "magnitude"]


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
