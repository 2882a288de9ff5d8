"""Grid: the finitely many real numbers a parameter draws from, each with a short exact decimal text."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Grid:
    """Values ``(start + k * step) / scale`` for ``0 <= k < count``.

    Integers divided once at the end give the float nearest to the decimal: 0.3, never 0.30000000000000004.
    """

    start: int
    step: int
    scale: int
    count: int

    @classmethod
    def over(cls, low: float, high: float, step: float | None = None) -> Grid:
        """The grid of an interval.

        A given ``step`` counts from ``low``. Without one the step is the power of ten nearest to a
        thousandth of the range, and the grid holds its multiples.
        """
        bottom, top = Fraction(repr(low)), Fraction(repr(high))
        if bottom == top:
            return cls(bottom.numerator, 1, bottom.denominator, 1)
        if step is None:
            pace = _power_of_ten(top - bottom)
            bottom = math.ceil(bottom / pace) * pace
        else:
            pace = Fraction(repr(step))
        scale = math.lcm(bottom.denominator, pace.denominator)
        count = math.floor((top - bottom) / pace) + 1
        return cls(int(bottom * scale), int(pace * scale), scale, count)

    @property
    def spacing(self) -> float:
        """Distance between neighbours."""
        return self.step / self.scale

    def value(self, index: int) -> float:
        """The grid's value number ``index``."""
        return (self.start + self.step * index) / self.scale

    def index(self, value: float) -> int:
        """The number of the grid value nearest to ``value``."""
        nearest = round((Fraction(value) * self.scale - self.start) / self.step)
        return min(max(nearest, 0), self.count - 1)

    def snap(self, value: float) -> float:
        """The grid value nearest to ``value``."""
        return self.value(self.index(value))


def _power_of_ten(width: Fraction) -> Fraction:
    exponent = math.log10(width.numerator) - math.log10(width.denominator) - 3
    return Fraction(10) ** round(exponent)
