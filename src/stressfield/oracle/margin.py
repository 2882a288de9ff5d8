"""By how much something holds: `Margin` at one instant, `Robustness` at every instant of a record.

A margin is positive where the formula holds and negative where it is violated, in the unit of the
formula. Exactly zero holds (see `holds`), because predicates are written ``>=`` and ``<=``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import isfinite

import numpy as np

from stressfield.arrays import Flags, Floats, Times
from stressfield.errors import OracleError
from stressfield.oracle._bounds import Bounds, lower, upper


def holds(margin: float) -> bool:
    """The rule of zero, for everybody: a margin of zero or more holds, one below zero is a violation."""
    return margin >= 0.0


TOUCH_M = 0.001
"""By how much things that touch are too near, at least.

Simulators stop a robot where its clearance is zero, which would hold: a property that forbids contact signs its margin
with this.
"""


@dataclass(frozen=True, slots=True, order=True)
class Interval:
    """A stretch of simulated time, from the first to the last sample in it."""

    start_s: float
    end_s: float

    @property
    def length_s(self) -> float:
        return self.end_s - self.start_s


@dataclass(frozen=True, slots=True, eq=False)
class Curve:
    """The margin at each instant, which the margin of the run is the ``least`` of, or else the greatest.

    For people who look at a run, not for verdicts. NaN where nothing is known, or nothing is asked.
    """

    times_s: Floats = field(repr=False)
    values: Floats = field(repr=False)
    least: bool = True

    def joined(self, other: Curve) -> Curve:
        """The less of two curves at every instant of either; each holds its value until its next sample."""
        if time_base_equal(self.times_s, other.times_s):
            return Curve(self.times_s, np.fmin(self.values, other.values))
        times_s = np.union1d(self.times_s, other.times_s)
        return Curve(times_s, np.fmin(self._held(times_s), other._held(times_s)))

    def _held(self, times_s: Floats) -> Floats:
        place = np.searchsorted(self.times_s, times_s, side="right") - 1
        inside = (place >= 0) & (times_s <= (self.times_s[-1] if len(self.times_s) else -np.inf))
        held = np.full(len(times_s), np.nan)
        held[inside] = self.values[place[inside]]
        return held


@dataclass(frozen=True, slots=True)
class Margin:
    """By how much a property holds (>= 0) or is violated (< 0); ``value`` None is inconclusive.

    ``at_s`` is the instant that decides the value, ``violations`` the stretches of time to look at. ``vacuous``: what
    the property speaks of never occurred. ``unsettled``: there is data, but it does not decide, because windows were
    cut off by the end of the recording or samples are missing. ``encounters``: how often what the property speaks of
    occurred, where that can be counted. ``curve`` is the margin over time, where there is one.
    """

    value: float | None
    unit: str = ""
    at_s: float | None = None
    violations: tuple[Interval, ...] = ()
    vacuous: bool = False
    unsettled: bool = False
    encounters: int | None = None
    curve: Curve | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.value is not None and np.isnan(self.value):
            raise OracleError("A margin cannot be NaN. Say Margin(None) when there was no data to judge.")

    @property
    def holds(self) -> bool | None:
        """True, False, or None when inconclusive."""
        return None if self.value is None else holds(self.value)

    @property
    def inconclusive(self) -> bool:
        return self.value is None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Robustness(Margin):
    """The margin of a formula at every sample; as a `Margin`, it is the one at the first sample.

    So ``always(distance >= 0.3)`` is both what a property returns and what a larger formula contains.
    ``values`` are NaN where the formula is unknown. ``why(i)`` is the instant that decides ``values[i]``; ``breach``
    marks the samples to look at when the formula is violated. ``strict`` bounds the margin whatever follows the record,
    ``record`` as far as the record settles it (see :mod:`stressfield.oracle.stl`). ``idle`` marks the samples at which
    what the formula speaks of does not occur. Combine with ``~``, ``&``, ``|``; all parts must have one unit. Pickled,
    only its `Margin` is kept.
    """

    times_s: Floats = field(repr=False)
    values: Floats = field(repr=False)
    why: Callable[[int], float] = field(repr=False)
    breach: Flags = field(repr=False)
    strict: Bounds = field(repr=False)
    record: Bounds = field(repr=False)
    idle: Flags | None = field(repr=False)
    text: str
    over_time: bool
    """Whether it says when: always, eventually, until. A bare comparison speaks of one instant, and judges no run."""

    def margin(self) -> Margin:
        """The plain margin at the first sample, without the arrays."""
        return Margin(self.value, self.unit, self.at_s, self.violations, self.vacuous, self.unsettled, self.encounters)

    def __reduce__(self) -> tuple[type[Margin], tuple[object, ...]]:
        plain = self.margin()
        return Margin, (
            plain.value, plain.unit, plain.at_s, plain.violations, plain.vacuous, plain.unsettled, plain.encounters,
        )  # fmt: skip

    def __bool__(self) -> bool:
        raise OracleError(
            f"'{self.text}' is a margin over time, not a truth. Combine formulas with & | ~ instead of "
            f"`and` `or` `not`, write (signal >= a) & (signal <= b) instead of a <= signal <= b, "
            f"and ask .holds for the outcome."
        )

    def __invert__(self) -> Robustness:
        strict = self.strict.negated()
        return robustness(
            self.times_s,
            strict,
            self.why,
            record=strict if self.record is self.strict else self.record.negated(),
            unit=self.unit,
            text=f"not {self.text}",
            idle=self.idle,
            over_time=self.over_time,
            curve=self.curve and Curve(self.times_s, -self.curve.values, least=not self.curve.least),
        )

    def __and__(self, other: Robustness) -> Robustness:
        check_together(self, other)
        return _combined(self, other, lower, text=f"({self.text} and {other.text})", breach=self.breach | other.breach)

    def __or__(self, other: Robustness) -> Robustness:
        check_together(self, other)
        both = self.breach & other.breach
        breach = both if bool(both.any()) else self.breach | other.breach
        return _combined(self, other, upper, text=f"({self.text} or {other.text})", breach=breach)

    def implies(self, other: Robustness) -> Robustness:
        """Where this holds, ``other`` must hold too. If this never holds, the formula is vacuous."""
        check_together(self, other)
        not_this = ~self
        idle = not_this.record.low >= 0.0
        if other.idle is not None:
            idle |= other.idle
        text = f"({self.text} implies {other.text})"
        return _combined(not_this, other, upper, text=text, idle=idle)

    def scaled(self, *, by: float) -> Robustness:
        """The margin in multiples of ``by``, without a unit.

        Margins of different units combine only so, because only you know how much of one is as bad as how much of the
        other: ``(speed <= 0.5).scaled(by=0.5) & (gap >= 0.3).scaled(by=0.3)``.
        """
        check_scale(self.text, by)
        strict = self.strict.scaled(by)
        return robustness(
            self.times_s,
            strict,
            self.why,
            record=strict if self.record is self.strict else self.record.scaled(by),
            unit="",
            text=f"({self.text})/{by:g}",
            breach=self.breach,
            idle=self.idle,
            over_time=self.over_time,
            curve=self.curve and Curve(self.times_s, self.curve.values / by, least=self.curve.least),
        )


def check_scale(name: str, by: float) -> None:
    """Refuse what cannot be divided by without turning the sign."""
    if not (isfinite(by) and by > 0.0):
        raise OracleError(f"'{name}' cannot be scaled by {by!r}. Wanted a finite number above zero.")


def _combined(
    this: Robustness,
    other: Robustness,
    combine: Callable[[Bounds, Bounds], Bounds],
    *,
    text: str,
    breach: Flags | None = None,
    idle: Flags | None = None,
) -> Robustness:
    """And, or: ``lower`` or ``upper`` of two formulas."""
    strict = combine(this.strict, other.strict)
    plain = this.record is this.strict and other.record is other.strict
    record = strict if plain else combine(this.record, other.record)
    values = record.settled()
    if idle is None and this.idle is not None and other.idle is not None:
        idle = this.idle & other.idle

    def why(index: int) -> float:
        value = float(values[index])
        first, second = (float(part.record.deciding(value)[index]) for part in (this, other))
        from_this = first <= second if combine is lower else first >= second
        return (this if from_this or np.isnan(second) else other).why(index)

    return robustness(
        this.times_s,
        strict,
        why,
        record=record,
        unit=this.unit,
        text=text,
        breach=breach,
        idle=idle,
        values=values,
        over_time=this.over_time and other.over_time,
        curve=_curve_of_both(this, other, least=combine is lower),
    )


def _curve_of_both(this: Robustness, other: Robustness, *, least: bool) -> Curve | None:
    """Of the two together where that says the same as the margin; else of the one that decides."""
    first, second = this.curve, other.curve
    if first is None or second is None:
        return None
    if first.least is second.least is least:
        both = np.fmin if least else np.fmax
        return Curve(first.times_s, both(first.values, second.values), least=least)
    if this.value is None or other.value is None:
        return None
    return first if (this.value <= other.value) is least else second


def robustness(
    times_s: Floats,
    strict: Bounds,
    why: Callable[[int], float],
    *,
    record: Bounds | None = None,
    unit: str,
    text: str,
    breach: Flags | None = None,
    idle: Flags | None = None,
    values: Floats | None = None,
    over_time: bool = False,
    curve: Curve | None = None,
) -> Robustness:
    """A `Robustness` with its reading at the first sample; ``breach`` defaults to the violated samples.

    What the record settles holds or fails. But a failure that only stands because open samples were left out is none:
    had the recording gone on, it might have been healed.
    """
    record = strict if record is None else record
    values = record.settled() if values is None else values
    some = len(values) > 0
    settled = some and not np.isnan(values[0]) and (bool(values[0] >= 0.0) or bool(strict.high[0] < 0.0))
    failed = settled and not holds(values[0])
    marked = values < 0.0 if breach is None else breach
    return Robustness(
        value=float(values[0]) if settled else None,
        unit=unit,
        at_s=why(0) if settled else None,
        violations=intervals(times_s, marked) if failed else (),
        vacuous=some and idle is not None and bool(idle[0]) and not failed,
        unsettled=some and not settled and not np.isnan(strict.low[0]),
        curve=curve,
        times_s=times_s,
        values=values,
        why=why,
        breach=marked,
        strict=strict,
        record=record,
        idle=idle,
        text=text,
        over_time=over_time,
    )


def intervals(times_s: Floats, marked: Flags) -> tuple[Interval, ...]:
    """The stretches of consecutive marked samples."""
    padded = np.concatenate(([False], marked, [False]))
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    starts, ends = edges[::2], edges[1::2] - 1
    return tuple(map(Interval, times_s[starts].tolist(), times_s[ends].tolist()))


def check_together(this: Robustness, other: Robustness) -> None:
    """Refuse to mix time bases or units silently."""
    if not time_base_equal(this.times_s, other.times_s):
        raise OracleError(mixed_times(this.text, this.times_s, other.text, other.times_s))
    if this.unit != other.unit:
        raise OracleError(
            f"The margin of '{this.text}' is in {this.unit or 'no unit'}, that of '{other.text}' in "
            f"{other.unit or 'no unit'}: neither is more or less than the other. Say how much of each counts as much: "
            f"({this.text}).scaled(by=...) and ({other.text}).scaled(by=...) have no unit."
        )


def time_base_equal(this: Floats | Times, other: Floats | Times) -> bool:
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
