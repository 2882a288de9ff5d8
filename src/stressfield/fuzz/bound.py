"""Bounds of a parameter: a range in a testing space, one value in a test."""

from __future__ import annotations

from math import isfinite
from typing import TypeAlias

import msgspec

from stressfield.errors import InputError
from stressfield.seeds import Rng


class Range(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """From ``low`` to ``high``, written ``[low, high]``."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g}"


Bound: TypeAlias = float | Range
"""A value, or a range from which tests take one."""


def ends(bound: Bound) -> tuple[float, float]:
    """Lowest and highest value."""
    return (bound.low, bound.high) if isinstance(bound, Range) else (bound, bound)


def value_of(bound: Bound) -> float:
    """The value of a concrete parameter."""
    if isinstance(bound, Range):
        raise InputError(f"Got the range {bound}, wanted one value: specialise the operation first.")
    return float(bound)


def check_bound(bound: Bound, *, low: float, high: float, what: str) -> None:
    """InputError unless the bounds are finite, not crossed and inside ``low`` to ``high``."""
    least, most = ends(bound)
    if not (isfinite(least) and isfinite(most)):
        raise InputError(f"{what}: got {told(bound)}, wanted finite numbers.")
    if least > most:
        raise InputError(f"{what}: the bounds are crossed, got [{least:g}, {most:g}], wanted [low, high].")
    if least < low or most > high:
        wanted = f"at least {low:g}" if not isfinite(high) else f"from {low:g} to {high:g}"
        raise InputError(f"{what}: got {told(bound)}, wanted {wanted}.")


def inside(inner: Bound, outer: Bound) -> bool:
    """Whether every value of ``inner`` is one of ``outer``."""
    least, most = ends(outer)
    low, high = ends(inner)
    return least <= low and high <= most


def draw(bound: Bound, rng: Rng) -> float:
    """One value, each as likely as any other."""
    low, high = ends(bound)
    return low if low == high else low + (high - low) * rng.random()


def draw_range(bound: Range, rng: Rng) -> Range:
    """A range inside the range."""
    one, other = draw(bound, rng), draw(bound, rng)
    return Range(min(one, other), max(one, other))


def told(bound: Bound) -> str:
    """In words: ``0.3``, ``0 to 1``."""
    return str(bound) if isinstance(bound, Range) else f"{bound:g}"
