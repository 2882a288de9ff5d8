"""When an operation acts: in a window of time, or from a start condition to an end condition."""

from __future__ import annotations

from math import inf, isfinite
from typing import TypeAlias

import msgspec

from stressfield.errors import InputError
from stressfield.fuzz.condition import Condition, parse_condition
from stressfield.fuzz.vocabulary import Vocabulary


class Window(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="window", tag_field="kind"):
    """From ``start_s`` up to but not including ``end_s``; without an end, to the end of the run."""

    start_s: float = 0.0
    end_s: float | None = None

    @property
    def until_s(self) -> float:
        """The end; infinity if there is none."""
        return inf if self.end_s is None else self.end_s

    def holds(self, inner: Window) -> bool:
        """Whether the inner window lies inside."""
        return self.start_s <= inner.start_s and inner.until_s <= self.until_s

    def __str__(self) -> str:
        end = "the end" if self.end_s is None else f"{self.end_s:g} s"
        return f"{self.start_s:g} s to {end}"


class Conditional(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="condition", tag_field="kind"
):
    """From when ``start`` becomes true (and ``end`` is not) until ``end`` is; again whenever that happens again.

    Without an ``end`` it acts as long as ``start`` holds. ``within`` confines it to a window.
    """

    start: str
    end: str | None = None
    within: Window | None = None

    def __str__(self) -> str:
        until = f"as long as {self.start}" if self.end is None else f"from when {self.start}, until {self.end}"
        return until if self.within is None else f"{until}, within {self.within}"


class Generated(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="generated", tag_field="kind"
):
    """In a testing space only: tests get conditions made of the space's grammar, with at most ``parts`` comparisons."""

    parts: int = 2
    within: Window | None = None

    def __str__(self) -> str:
        text = f"between generated conditions of at most {self.parts} comparisons"
        return text if self.within is None else f"{text}, within {self.within}"


Activation: TypeAlias = Window | Conditional | Generated
ALWAYS = Window()


def check_activation(when: Activation, vocabulary: Vocabulary, *, what: str) -> None:
    """InputError unless windows are not crossed and conditions can be read."""
    window = when if isinstance(when, Window) else when.within
    if window is not None:
        if not (isfinite(window.start_s) and 0.0 <= window.start_s < window.until_s):
            got = f"{window.start_s:g} to {window.until_s:g}"
            raise InputError(f"{what}: a window from {got} s, wanted 0 <= start_s < end_s.")
        if window.end_s is not None and not isfinite(window.end_s):
            raise InputError(f"{what}: end_s is {window.end_s!r}. Wanted a time, or leave it out for the run's end.")
    if isinstance(when, Conditional):
        conditions_of(when, vocabulary)
    elif isinstance(when, Generated) and not 1 <= when.parts <= 8:
        raise InputError(f"{what}: conditions of {when.parts} comparisons, wanted 1 to 8.")


def conditions_of(when: Conditional, vocabulary: Vocabulary) -> tuple[Condition, Condition | None]:
    """Its start and end, checked; ConditionError where they are wrong."""
    start = parse_condition(when.start, vocabulary)
    return start, None if when.end is None else parse_condition(when.end, vocabulary)


def specialises(inner: Activation, outer: Activation) -> bool:
    """Whether an activation stays inside another one: windows inside windows, conditions as they were given."""
    if isinstance(outer, Window):
        window = inner if isinstance(inner, Window) else inner.within
        return outer == ALWAYS if window is None else outer.holds(window)
    if isinstance(outer, Conditional):
        return inner == outer
    if isinstance(inner, Window):
        return False
    return outer.within is None or (inner.within is not None and outer.within.holds(inner.within))
