"""By how much something holds: `Margin` at one instant, `Robustness` at every instant of a record.

A margin is positive where the formula holds and negative where it is violated, in the unit of the
signal that decides it. Exactly zero counts as holding, because predicates are written ``>=`` and ``<=``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from stressfield.arrays import Flags, Floats
from stressfield.errors import OracleError


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """A stretch of simulated time, from the first to the last sample in it."""

    start_s: float
    end_s: float

    @property
    def length_s(self) -> float:
        return self.end_s - self.start_s


@dataclass(frozen=True, slots=True)
class Margin:
    """By how much a property holds (>= 0) or is violated (< 0); ``value`` None is inconclusive: no data.

    ``at_s`` is the instant that decides the value, ``violations`` the stretches of time to look at.
    """

    value: float | None
    unit: str = ""
    at_s: float | None = None
    violations: tuple[Interval, ...] = ()

    def __post_init__(self) -> None:
        if self.value is not None and np.isnan(self.value):
            raise OracleError("A margin cannot be NaN. Say Margin(None) when there was no data to judge.")

    @property
    def holds(self) -> bool | None:
        """True, False, or None when inconclusive."""
        return None if self.value is None else self.value >= 0.0

    @property
    def inconclusive(self) -> bool:
        return self.value is None


@dataclass(frozen=True, slots=True)
class Cause:
    """The instant that decides a margin, and the unit of the signal that does."""

    at_s: float
    unit: str


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Robustness(Margin):
    """The margin of a formula at every sample; as a `Margin`, it is the one at the first sample.

    So ``always(distance >= 0.3)`` is both what a property returns and what a larger formula contains.
    NaN is unknown. ``why(i)`` names the cause of ``values[i]``; ``breach`` marks the samples to look at
    when the formula is violated. Combine with ``~``, ``&``, ``|``. Pickled, only its `Margin` is kept.
    """

    times_s: Floats = field(repr=False)
    values: Floats = field(repr=False)
    why: Callable[[int], Cause] = field(repr=False)
    breach: Flags = field(repr=False)
    text: str

    def margin(self) -> Margin:
        """The plain margin at the first sample, without the arrays."""
        return Margin(self.value, self.unit, self.at_s, self.violations)

    def __reduce__(self) -> tuple[type[Margin], tuple[object, ...]]:
        return Margin, (self.value, self.unit, self.at_s, self.violations)

    def __bool__(self) -> bool:
        raise OracleError(
            f"'{self.text}' is a margin over time, not a truth. Combine formulas with & | ~ instead of "
            f"`and` `or` `not`, write (signal >= a) & (signal <= b) instead of a <= signal <= b, "
            f"and ask .holds for the outcome."
        )

    def __invert__(self) -> Robustness:
        return robustness(self.times_s, -self.values, self.why, text=f"not {self.text}")

    def __and__(self, other: Robustness) -> Robustness:
        same_times(self, other)
        lower, text = _either(self, other, least=True), f"({self.text} and {other.text})"
        breach = self.breach | other.breach
        return robustness(self.times_s, lower.values, lower.why, text=text, breach=breach)

    def __or__(self, other: Robustness) -> Robustness:
        same_times(self, other)
        upper, text = _either(self, other, least=False), f"({self.text} or {other.text})"
        both = self.breach & other.breach
        breach = both if bool(both.any()) else self.breach | other.breach
        return robustness(self.times_s, upper.values, upper.why, text=text, breach=breach)

    def implies(self, other: Robustness) -> Robustness:
        """Where this holds, ``other`` must hold too."""
        same_times(self, other)
        upper, text = _either(~self, other, least=False), f"({self.text} implies {other.text})"
        return robustness(self.times_s, upper.values, upper.why, text=text)


@dataclass(frozen=True, slots=True, eq=False)
class _Choice:
    values: Floats
    why: Callable[[int], Cause]


def _either(this: Robustness, other: Robustness, *, least: bool) -> _Choice:
    """Sample by sample the lower (and) or the upper (or) of two margins.

    Unknown with known is unknown, unless the known one settles it: false and ? is false, true or ? is true.
    """
    sign = 1.0 if least else -1.0
    first, second = sign * this.values, sign * other.values
    lower = np.fmin(first, second)
    lower[(np.isnan(first) | np.isnan(second)) & ((lower > 0.0) | ((lower == 0.0) & least))] = np.nan

    def why(index: int) -> Cause:
        from_this = bool(np.isnan(second[index]) or first[index] <= second[index])
        return (this if from_this else other).why(index)

    return _Choice(sign * lower, why)


def robustness(
    times_s: Floats,
    values: Floats,
    why: Callable[[int], Cause],
    *,
    text: str,
    breach: Flags | None = None,
) -> Robustness:
    """A `Robustness` with its reading at the first sample; ``breach`` defaults to the violated samples."""
    known = len(values) > 0 and not np.isnan(values[0])
    cause = why(0) if known else None
    marked = values < 0.0 if breach is None else breach
    failed = known and values[0] < 0.0
    return Robustness(
        value=float(values[0]) if known else None,
        unit="" if cause is None else cause.unit,
        at_s=None if cause is None else cause.at_s,
        violations=intervals(times_s, marked) if failed else (),
        times_s=times_s,
        values=values,
        why=why,
        breach=marked,
        text=text,
    )


def intervals(times_s: Floats, marked: Flags) -> tuple[Interval, ...]:
    """The stretches of consecutive marked samples."""
    edges = np.diff(np.concatenate(([0], marked.astype(np.int8), [0])))
    starts, ends = np.nonzero(edges == 1)[0], np.nonzero(edges == -1)[0] - 1
    return tuple(map(Interval, times_s[starts].tolist(), times_s[ends].tolist()))


def same_times(this: Robustness, other: Robustness) -> None:
    """Refuse to mix time bases silently."""
    if not time_base_equal(this.times_s, other.times_s):
        raise OracleError(mixed_times(this.text, this.times_s, other.text, other.times_s))


def time_base_equal(this: Floats, other: Floats) -> bool:
    return this is other or np.array_equal(this, other)


def mixed_times(this: str, this_s: Floats, other: str, other_s: Floats) -> str:
    """The sentence for two time bases that do not fit together."""
    return (
        f"'{this}' and '{other}' are sampled at different times ({_base(this_s)} against {_base(other_s)}). "
        f"Resample one signal at the times of the other first: signal.at(other.times_s)."
    )


def _base(times_s: Floats) -> str:
    if len(times_s) == 0:
        return "no samples"
    return f"{len(times_s)} samples from {times_s[0]:g} s to {times_s[-1]:g} s"
