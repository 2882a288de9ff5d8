"""A quantity over simulated time, and the predicates made from it: ``distance >= 0.30``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from stressfield.arrays import Floats
from stressfield.errors import OracleError
from stressfield.oracle._window import EDGE_S
from stressfield.oracle.margin import Cause, Robustness, mixed_times, robustness, time_base_equal


@dataclass(frozen=True, slots=True, eq=False)
class Signal:
    """Samples of one quantity at strictly increasing times; a NaN value is a missing sample.

    ``signal >= 0.3`` and ``signal <= other`` give the margin at every sample (see `Robustness`).
    Signals combine only on the same time base; bring one to another's with `at`.
    """

    __array_ufunc__ = None  # so that ``np.float64(0.3) <= signal`` asks Signal, not numpy

    times_s: Floats = field(repr=False)
    values: Floats = field(repr=False)
    name: str = "signal"
    unit: str = ""

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
        return Signal(self.times_s, -self.values, f"-{self.name}", self.unit)

    def __abs__(self) -> Signal:
        return Signal(self.times_s, np.abs(self.values), f"|{self.name}|", self.unit)

    def rate(self) -> Signal:
        """Change per second since the sample before; the first sample has none and is missing."""
        rates = np.full(len(self), np.nan)
        with np.errstate(invalid="ignore"):
            rates[1:] = np.diff(self.values) / np.diff(self.times_s)
        return Signal(self.times_s, rates, f"rate of {self.name}", f"{self.unit}/s" if self.unit else "1/s")

    def during(self, start_s: float, end_s: float) -> Signal:
        """The samples from ``start_s`` to ``end_s``, both included."""
        inside = (self.times_s >= start_s - EDGE_S) & (self.times_s <= end_s + EDGE_S)
        return Signal(self.times_s[inside], self.values[inside], self.name, self.unit)

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
        return Signal(wanted_s, resampled, self.name, self.unit)


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
    def why(index: int) -> Cause:
        return Cause(float(difference.times_s[index]), difference.unit)

    return robustness(signal.times_s, difference.values, why, text=text)


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
    return Signal(this.times_s, values, name, _unit(this, other, operator))


def _unit(this: Signal, other: Signal | float, operator: str) -> str:
    if not isinstance(other, Signal):
        return this.unit
    if operator == "*":
        return "*".join(unit for unit in (this.unit, other.unit) if unit)
    if this.unit != other.unit:
        raise OracleError(
            f"'{this.name}' is in {this.unit or 'no unit'} and '{other.name}' in {other.unit or 'no unit'}: "
            f"they cannot be added or compared. Bring both to the same unit first."
        )
    return this.unit


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
