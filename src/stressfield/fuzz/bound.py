"""What a parameter of an operation may be: a number, a range of numbers, or values of a field.

Everything that a search does with a parameter (check, draw, step, count, cut into cells, tell) is here, for all three
kinds: an operation that has parameters of these kinds can be searched without code of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, isfinite
from typing import Annotated, TypeAlias

import msgspec

from stressfield.errors import InputError
from stressfield.seeds import Rng

Limits: TypeAlias = tuple[float, float]
SHARE: Limits = (0.0, 1.0)
POSITIVE: Limits = (0.0, inf)
ANY: Limits = (-inf, inf)
STEP = 0.1
"""The size of a small mutation, as a share of the range: most children stay near their parents, few stay the same."""


class Range(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """From ``low`` to ``high``, written ``[low, high]``."""

    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.low:g} to {self.high:g}"


Bound: TypeAlias = float | Range
"""A value, or a range from which tests take one."""


class FieldValues(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a field may become: any number of a ``range``, or one of some ``values``."""

    path: str
    range: Range | None = None
    values: Annotated[tuple[float, ...], msgspec.Meta(max_length=1000)] = ()

    def __str__(self) -> str:
        return (
            str(self.range) if self.range is not None else f"one of {', '.join(f'{value:g}' for value in self.values)}"
        )

    def check(self, what: str) -> None:
        """InputError unless there is either a range or values, all of them finite."""
        if (self.range is None) == (not self.values):
            raise InputError(f"{what}: wanted either 'range' or 'values'.")
        if self.range is not None:
            check_bound(self.range, low=ANY[0], high=ANY[1], what=what)
        elif not all(isfinite(value) for value in self.values):
            raise InputError(f"{what}: got {self.values}, wanted finite numbers.")

    def holds(self, inner: FieldValues) -> bool:
        """Whether the inner values are all among these."""
        if self.path != inner.path:
            return False
        if self.range is None:
            return inner.range is None and set(inner.values) <= set(self.values)
        low, high = (
            (min(inner.values), max(inner.values)) if inner.range is None else (inner.range.low, inner.range.high)
        )
        return self.range.low <= low and high <= self.range.high


Scope: TypeAlias = Bound | FieldValues
"""What a parameter may be. In a test numbers are chosen; values of a field stay a range or a set, but a smaller one,
because they are drawn again for each message."""


def ends(bound: Bound) -> tuple[float, float]:
    """Lowest and highest value."""
    return (bound.low, bound.high) if isinstance(bound, Range) else (bound, bound)


def value_of(bound: Bound) -> float:
    """The value of a concrete parameter."""
    if isinstance(bound, Range):
        raise InputError(f"Got the range {bound}, wanted one value: specialise the operation first.")
    return float(bound)


def lowest(scope: Scope) -> Scope:
    """The least that a test can choose; values of a field stay as they are."""
    return scope if isinstance(scope, FieldValues) else ends(scope)[0]


def told(scope: Scope) -> str:
    """In words: ``0.3``, ``0 to 1``, ``one of 0.5, 2``."""
    return f"{scope:g}" if isinstance(scope, int | float) else str(scope)


def check_scope(scope: Scope, limits: Limits, *, what: str) -> None:
    """InputError unless the scope makes sense."""
    if isinstance(scope, FieldValues):
        scope.check(what)
    else:
        check_bound(scope, low=limits[0], high=limits[1], what=what)


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


def inside(inner: Scope, outer: Scope) -> bool:
    """Whether every value of ``inner`` is one of ``outer``."""
    if isinstance(inner, FieldValues) or isinstance(outer, FieldValues):
        return isinstance(inner, FieldValues) and isinstance(outer, FieldValues) and outer.holds(inner)
    least, most = ends(outer)
    low, high = ends(inner)
    return least <= low and high <= most


# What a search draws. The order of the random numbers is part of every published result: it never changes.


def draw(scope: Scope, rng: Rng) -> Scope:
    """One choice: of numbers each as likely as any other, of a field a smaller range or fewer values."""
    if not isinstance(scope, FieldValues):
        return _draw(scope, rng)
    if scope.range is not None:
        first, second = _draw(scope.range, rng), _draw(scope.range, rng)
        return msgspec.structs.replace(scope, range=Range(min(first, second), max(first, second)))
    kept = tuple(value for value in scope.values if rng.random() < 0.5)
    # nothing kept would be no disturbance at all
    return msgspec.structs.replace(scope, values=kept or (scope.values[int(rng.integers(len(scope.values)))],))


def _draw(bound: Bound, rng: Rng) -> float:
    low, high = ends(bound)
    return low if low == high else low + (high - low) * rng.random()


def step(scope: Scope, whole: Scope, rng: Rng) -> Scope:
    """A small step away, inside the whole; of a set of values, one value more or one less."""
    if not isinstance(scope, FieldValues):
        assert not isinstance(whole, FieldValues)
        return step_value(value_of(scope), *ends(whole), rng)
    assert isinstance(whole, FieldValues)
    if scope.range is not None and whole.range is not None:
        low, high = (
            step_value(end, whole.range.low, whole.range.high, rng) for end in (scope.range.low, scope.range.high)
        )
        return msgspec.structs.replace(scope, range=Range(min(low, high), max(low, high)))
    changed = whole.values[int(rng.integers(len(whole.values)))]
    kept = tuple(value for value in whole.values if (value in scope.values) != (value == changed))
    return msgspec.structs.replace(scope, values=kept or scope.values)


def step_value(value: float, low: float, high: float, rng: Rng) -> float:
    """A normal step of ``STEP`` ranges; what would leave the range stays at its end."""
    moved = value + float(rng.standard_normal()) * STEP * (high - low)
    return min(high, max(low, moved))


# How many choices there are, and cells: a range cut into equal parts.


def combinations(scope: Scope, steps: int) -> int:
    """In how many ways it can be chosen; of a field all ranges inside the range, or all selections of the values."""
    if not isinstance(scope, FieldValues):
        return parts(scope, steps)
    return int(2 ** len(scope.values) - 1) if scope.range is None else pairs(parts(scope.range, steps))


def pairs(steps: int) -> int:
    """From a step to the same or a later one."""
    return steps * (steps + 1) // 2


def parts(scope: Scope, steps: int) -> int:
    """How many cells it has: the steps of a range, or the values."""
    if isinstance(scope, FieldValues):
        return len(scope.values) if scope.range is None else parts(scope.range, steps)
    low, high = ends(scope)
    return 1 if low == high else steps


def parts_entered(scope: Scope, whole: Scope, count: int) -> Sequence[int]:
    """In which of ``count`` cells of the whole a choice lies: a range where its middle is, values each with its own."""
    if isinstance(scope, FieldValues):
        assert isinstance(whole, FieldValues)
        if scope.range is not None and whole.range is not None:
            return parts_entered(scope.range, whole.range, count)
        return [whole.values.index(value) for value in scope.values]
    assert not isinstance(whole, FieldValues)
    return (place(sum(ends(scope)) / 2, *ends(whole), count),)


def place(value: float, low: float, high: float, count: int) -> int:
    """In which of ``count`` equal parts of a range a value lies; beyond an end, in the part at that end."""
    return 0 if count == 1 else min(count - 1, max(0, int((value - low) / (high - low) * count)))


def part(whole: Scope, at: int, of: int) -> Scope:
    """A cell of the whole: the middle of that part, or for a field the part itself."""
    if not isinstance(whole, FieldValues):
        return sum(_part(whole, at, of)) / 2
    if whole.range is None:
        return msgspec.structs.replace(whole, values=(whole.values[at],))
    return msgspec.structs.replace(whole, range=Range(*_part(whole.range, at, of)))


def _part(bound: Bound, at: int, of: int) -> tuple[float, float]:
    low, high = ends(bound)
    return low + (high - low) * at / of, low + (high - low) * (at + 1) / of
