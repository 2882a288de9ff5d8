"""A quantity over simulated time, and the predicates made from it: ``distance >= 0.30``."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from stressfield.arrays import Floats
from stressfield.errors import OracleError
from stressfield.oracle._bounds import exactly
from stressfield.oracle._window import EDGE_S
from stressfield.oracle.margin import Robustness, check_scale, mixed_times, robustness, time_base_equal


@dataclass(frozen=True, slots=True, eq=False)
class Signal:
    """Samples of one quantity at strictly increasing times; a NaN value is a missing sample.

    ``signal >= 0.3`` and ``signal <= other`` give the margin at every sample (see `Robustness`).
    Signals combine only on the same time base and in the same unit; bring one to another's times with `at`, and to no
    unit with `scaled`. ``vacuous``: nothing of what it measures is in this world, such as people where nobody is.
    """

    __array_ufunc__ = None  # so that ``np.float64(0.3) <= signal`` asks Signal, not numpy

    times_s: Floats = field(repr=False)
    values: Floats = field(repr=False)
    name: str = "signal"
    unit: str = ""
    vacuous: bool = False

    def __post_init__(self) -> None:
        times_s, values = _frozen(self.times_s), _frozen(self.values)
        object.__setattr__(self, "times_s", times_s)
        object.__setattr__(self, "values", values)
        _check(self.name, times_s, values)

    def __len__(self) -> int:
        return len(self.times_s)

    def __ge__(self, bound: Signal | float) -> Robustness:
        return _predicate(self, self - bound, f"{self.name} >= {_shown(bound)}")

    def __le__(self, bound: Signal | float) -> Robustness:
        return _predicate(self, bound - self, f"{self.name} <= {_shown(bound)}")

    def __gt__(self, bound: Signal | float) -> Robustness:
        raise OracleError(_no_strict(self.name, ">", bound))

    def __lt__(self, bound: Signal | float) -> Robustness:
        raise OracleError(_no_strict(self.name, "<", bound))

    def __add__(self, other: Signal | float) -> Signal:
        return _combined(self, other, "+")

    def __radd__(self, other: float) -> Signal:
        return self + other

    def __sub__(self, other: Signal | float) -> Signal:
        return _combined(self, other, "-")

    def __rsub__(self, other: float) -> Signal:
        return -self + other

    def __mul__(self, other: Signal | float) -> Signal:
        return _combined(self, other, "*")

    def __rmul__(self, other: float) -> Signal:
        return self * other

    def __neg__(self) -> Signal:
        return replace(self, values=-self.values, name=f"-{self.name}")

    def __abs__(self) -> Signal:
        return replace(self, values=np.abs(self.values), name=f"|{self.name}|")

    def scaled(self, *, by: float) -> Signal:
        """The quantity in multiples of ``by``, without a unit, so that it can be held against another one."""
        check_scale(self.name, by)
        return replace(self, values=self.values / by, name=f"{self.name}/{by:g}", unit="")

    def rate(self, *, over_s: float | None = None) -> Signal:
        """Change per second since the sample before, or since the last one that is ``over_s`` or more seconds older.

        Samples before that are missing. ``run.count("/scan").rate(over_s=2.0)`` is messages per second.
        """
        if over_s is not None and not 0.0 < over_s < np.inf:
            raise OracleError(f"A rate over {over_s!r} s cannot be. Wanted a finite time above zero.")
        now = np.arange(len(self))
        before = now - 1
        if over_s is not None:
            before = np.searchsorted(self.times_s, self.times_s - over_s + EDGE_S, side="right") - 1
        there = before >= 0
        rates = np.full(len(self), np.nan)
        now, before = now[there], before[there]
        with np.errstate(invalid="ignore"):
            rates[there] = (self.values[now] - self.values[before]) / (self.times_s[now] - self.times_s[before])
        return replace(self, values=rates, name=f"rate of {self.name}", unit=_per_second(self.unit))

    def during(self, start_s: float, end_s: float) -> Signal:
        """The samples from ``start_s`` to ``end_s``, both included."""
        inside = (self.times_s >= start_s - EDGE_S) & (self.times_s <= end_s + EDGE_S)
        return replace(self, times_s=self.times_s[inside], values=self.values[inside])

    def at(
        self,
        times_s: ArrayLike,
        *,
        how: Literal["linear", "hold"] = "linear",
        max_gap_s: float | None = None,
    ) -> Signal:
        """This signal sampled at other times.

        ``linear`` joins the two neighbouring samples by a line; ``hold`` keeps the latest sample. Before
        the first sample, after the last, and next to a missing one, the result is missing: a topic that
        fell silent does not go on. ``max_gap_s`` also makes it missing where the neighbours (linear) lie
        further apart or the latest sample (hold) is older; with it, ``hold`` may reach that far beyond
        the last sample.
        """
        wanted_s = _frozen(times_s)
        if len(self) == 0:
            resampled = np.full(len(wanted_s), np.nan)
        elif how == "hold":
            resampled = _held(self, wanted_s, max_gap_s)
        elif how == "linear":
            resampled = _interpolated(self, wanted_s, max_gap_s)
        else:
            raise OracleError(f"Unknown way to resample '{self.name}': {how!r}. Wanted 'linear' or 'hold'.")
        return replace(self, times_s=wanted_s, values=resampled)


def _held(signal: Signal, wanted_s: Floats, max_gap_s: float | None) -> Floats:
    latest = np.searchsorted(signal.times_s, wanted_s + EDGE_S, side="right") - 1
    safe = np.maximum(latest, 0)
    held = signal.values[safe].copy()
    if max_gap_s is None:
        silent = wanted_s > signal.times_s[-1] + EDGE_S
    else:
        silent = wanted_s - signal.times_s[safe] > max_gap_s + EDGE_S
    held[silent | (latest < 0)] = np.nan
    return held


def _interpolated(signal: Signal, wanted_s: Floats, max_gap_s: float | None) -> Floats:
    after = np.searchsorted(signal.times_s, wanted_s, side="left")
    right = np.minimum(after, len(signal) - 1)
    left = np.maximum(right - 1, 0)
    times_s, values = signal.times_s, signal.values
    width_s = times_s[right] - times_s[left]
    with np.errstate(invalid="ignore", divide="ignore"):
        share = (wanted_s - times_s[left]) / width_s
        line = values[left] + share * (values[right] - values[left])
    line[(after == 0) | (after == len(signal))] = np.nan
    if max_gap_s is not None:
        line[width_s > max_gap_s + EDGE_S] = np.nan
    return _exact_where_sampled(signal, wanted_s, line)


def _exact_where_sampled(signal: Signal, wanted_s: Floats, line: Floats) -> Floats:
    """A wanted time that was sampled keeps its sample, even beside a missing one."""
    latest = np.maximum(np.searchsorted(signal.times_s, wanted_s + EDGE_S, side="right") - 1, 0)
    exact = np.abs(signal.times_s[latest] - wanted_s) <= EDGE_S
    return np.where(exact, signal.values[latest], line)


def _predicate(signal: Signal, difference: Signal, text: str) -> Robustness:
    def why(index: int) -> float:
        return float(difference.times_s[index])

    idle = np.ones(len(difference), dtype=np.bool_) if difference.vacuous else None
    return robustness(signal.times_s, exactly(difference.values), why, unit=difference.unit, text=text, idle=idle)


def _combined(this: Signal, other: Signal | float, operator: Literal["+", "-", "*"]) -> Signal:
    name = f"({this.name} {operator} {_shown(other)})"
    right = other.values if isinstance(other, Signal) else float(other)
    if isinstance(other, Signal) and not time_base_equal(this.times_s, other.times_s):
        raise OracleError(mixed_times(this.name, this.times_s, other.name, other.times_s))
    with np.errstate(invalid="ignore"):  # inf - inf: no number, so missing
        if operator == "*":
            values = this.values * right
        else:
            values = this.values + right if operator == "+" else this.values - right
    vacuous = this.vacuous and (other.vacuous if isinstance(other, Signal) else True)
    return Signal(this.times_s, values, name, _unit(this, other, operator), vacuous)


def _unit(this: Signal, other: Signal | float, operator: str) -> str:
    if not isinstance(other, Signal):
        return this.unit
    if operator == "*":
        return "*".join(unit for unit in (this.unit, other.unit) if unit)
    if this.unit != other.unit:
        raise OracleError(
            f"'{this.name}' is in {this.unit or 'no unit'} and '{other.name}' in {other.unit or 'no unit'}: "
            f"they cannot be added or compared. Bring both to the same unit first, or to none with .scaled(by=...)."
        )
    return this.unit


def _per_second(unit: str) -> str:
    if not unit:
        return "1/s"
    return f"{unit}\u00b2" if unit.endswith("/s") else f"{unit}/s"


def _shown(operand: Signal | float) -> str:
    return operand.name if isinstance(operand, Signal) else f"{float(operand):g}"


def _no_strict(name: str, operator: str, bound: Signal | float) -> str:
    return (
        f"'{name} {operator} {_shown(bound)}' cannot be judged: a margin of exactly 0 does not tell "
        f"'{operator}' from '{operator}='. Write {operator}= and, for counts, shift the bound "
        f"(count <= 0 instead of count < 1)."
    )


def _frozen(array: ArrayLike) -> Floats:
    given = np.asarray(array, dtype=np.float64)
    if given.flags.writeable:
        given = given.copy()
        given.flags.writeable = False
    return given


def _check(name: str, times_s: Floats, values: Floats) -> None:
    if times_s.ndim != 1 or times_s.shape != values.shape:
        raise OracleError(
            f"Signal '{name}' has times of shape {times_s.shape} and values of shape {values.shape}. "
            f"Wanted one value for each time, in one dimension."
        )
    if not bool(np.isfinite(times_s).all()):
        raise OracleError(f"Signal '{name}' has times that are not finite. Drop those samples.")
    steps_s = np.diff(times_s)
    if len(steps_s) and float(steps_s.min()) <= 0.0:
        place = int(np.argmax(steps_s <= 0.0))
        raise OracleError(
            f"The times of signal '{name}' do not increase: {times_s[place]:g} s is followed by "
            f"{times_s[place + 1]:g} s (samples {place} and {place + 1}). Sort them and drop repeats."
        )
