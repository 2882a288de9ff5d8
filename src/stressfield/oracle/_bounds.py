"""What a margin can be: its least and its greatest value at every sample, given what was recorded.

A sample that was recorded has one value: ``low`` and ``high`` are the same. A window that the end of the record cuts
off may hold anything in its unseen part, so that the two drift apart. A missing sample is NaN in both: there is nothing
to judge, and windows leave it out. The formula holds where ``low >= 0``, is violated where ``high < 0``, and is open
elsewhere; so bounds are the three values of the logic, with margins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stressfield.arrays import Flags, Floats
from stressfield.oracle._window import Windows, least, until_in

#: What holds with a margin of exactly zero must not hold when it is negated: it fails by the least number there is.
LEAST_BREACH = -float(np.nextafter(0.0, 1.0))


@dataclass(frozen=True, slots=True, eq=False)
class Bounds:
    """The least and the greatest margin that each sample can have; NaN in both where it is missing."""

    low: Floats
    high: Floats

    @property
    def exact(self) -> bool:
        """Whether there is one array only, because nothing is open."""
        return self.low is self.high

    @property
    def missing(self) -> Flags:
        """The samples at which there is nothing to judge."""
        return np.isnan(self.low)

    @property
    def open(self) -> Flags:
        """The samples that what was recorded does not settle; none of them is missing."""
        return np.asarray((self.low < 0.0) & (self.high >= 0.0))

    def settled(self) -> Floats:
        """The margin that decides each sample: the least if that holds, the greatest if that fails; NaN if neither."""
        if self.exact:
            return self.low
        return np.where(self.low >= 0.0, self.low, np.where(self.high < 0.0, self.high, np.nan))

    def deciding(self, value: float) -> Floats:
        """The side that a decided margin was taken from."""
        return self.low if value >= 0.0 else self.high

    def without_open(self) -> Bounds:
        """The same with open samples left out, as if they were missing."""
        if self.exact or not bool(self.open.any()):
            return self
        settled = ~self.open
        return Bounds(np.where(settled, self.low, np.nan), np.where(settled, self.high, np.nan))

    def open_where_missing(self, judged: Bounds) -> Bounds:
        """The same, but open where it is missing and ``judged`` is not."""
        lost = self.missing & ~judged.missing
        if not bool(lost.any()):
            return self
        return Bounds(np.where(lost, -np.inf, self.low), np.where(lost, np.inf, self.high))

    def negated(self) -> Bounds:
        """Logical not: what holds by exactly zero fails, and the other way round."""
        low = _not(self.high)
        return Bounds(low, low if self.exact else _not(self.low))

    def scaled(self, by: float) -> Bounds:
        """Both divided by a positive number."""
        low = _divided(self.low, by)
        return Bounds(low, low if self.exact else _divided(self.high, by))


def exactly(values: Floats) -> Bounds:
    """The bounds of samples as they were recorded."""
    return Bounds(values, values)


def lower(this: Bounds, other: Bounds) -> Bounds:
    """And: the lower of both, sample by sample. A missing one could be anything, unless both are missing."""
    lost, gone = this.missing, other.missing
    if not bool(lost.any() or gone.any()):
        low = np.minimum(this.low, other.low)
        return Bounds(low, low if this.exact and other.exact else np.minimum(this.high, other.high))
    low = np.fmin(np.where(lost, -np.inf, this.low), np.where(gone, -np.inf, other.low))
    high = np.fmin(np.where(lost, np.inf, this.high), np.where(gone, np.inf, other.high))
    both = lost & gone
    low[both] = high[both] = np.nan
    return Bounds(low, high)


def upper(this: Bounds, other: Bounds) -> Bounds:
    """Or: the upper of both, sample by sample."""
    if not bool(this.missing.any() or other.missing.any()):
        low = np.maximum(this.low, other.low)
        return Bounds(low, low if this.exact and other.exact else np.maximum(this.high, other.high))
    return _mirrored(lower(_mirrored(this), _mirrored(other)))


def least_in(given: Bounds, over: Windows) -> Bounds:
    """Always: the least in each window. The unseen part of a window that is cut off may hold anything lower."""
    low = least(given.low, over)
    high = low if given.exact else least(given.high, over)
    if not bool(over.cut.any()):
        return Bounds(low, high)
    return Bounds(np.where(over.cut, -np.inf, low), np.where(over.cut & np.isnan(high), np.inf, high))


def greatest_in(given: Bounds, over: Windows) -> Bounds:
    """Eventually: the greatest in each window."""
    return _mirrored(least_in(_mirrored(given), over))


def until_within(hold: Bounds, reach: Bounds, over: Windows) -> Bounds:
    """``hold`` until ``reach``. What is not seen may be the moment of reaching, if all that was seen was held."""
    low = until_in(hold.low, reach.low, over)
    high = low if hold.exact and reach.exact else until_in(hold.high, reach.high, over)
    if not bool(over.cut.any()):
        return Bounds(low, high)
    held = held_to_the_end(hold.high)
    return Bounds(
        np.where(over.cut & np.isnan(low), -np.inf, low),
        np.where(over.cut, np.fmax(high, held), high),
    )


def held_to_the_end(values: Floats) -> Floats:
    """The least of ``values[i:]`` for every i; infinite where nothing is left."""
    return np.asarray(np.fmin.accumulate(np.append(values, np.inf)[::-1])[::-1][:-1])


def _mirrored(given: Bounds) -> Bounds:
    """Upside down: greatest for least. No logic in it: zero stays zero."""
    low = -given.high
    return Bounds(low, low if given.exact else -given.low)


def _not(values: Floats) -> Floats:
    negated = -values
    negated[values == 0.0] = LEAST_BREACH
    negated[values == LEAST_BREACH] = 0.0
    return negated


def _divided(values: Floats, by: float) -> Floats:
    divided = values / by
    divided[(values < 0.0) & (divided == 0.0)] = LEAST_BREACH  # too small for a number, but still a violation
    return divided
