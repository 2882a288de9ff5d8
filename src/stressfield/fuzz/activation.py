"""When an operation acts: in a window of time, or from a start condition to an end condition.

Window, Conditional and Generated are the data; a Trigger decides while a run goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf, isfinite
from typing import TypeAlias

import msgspec

from stressfield.errors import InputError
from stressfield.fuzz.condition import Condition, Observed, Vocabulary, parse_condition

SHORTEST_S = 0.1
"""Shrinking makes windows no shorter: about a period of most sensors."""


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

    def narrower(self, run_s: float) -> Iterator[Window]:
        """Its halves, then without its first or last quarter. ``run_s`` is where an open window ends."""
        start_s, end_s = self.start_s, min(self.until_s, run_s)
        length_s = end_s - start_s
        if length_s <= SHORTEST_S:
            return
        # milliseconds: a person reads the result
        middle_s = round(start_s + length_s / 2, 3)
        yield Window(start_s=start_s, end_s=middle_s)
        yield Window(start_s=middle_s, end_s=round(end_s, 3))
        quarter_s = length_s / 4
        yield Window(start_s=round(start_s + quarter_s, 3), end_s=round(end_s, 3))
        yield Window(start_s=start_s, end_s=round(end_s - quarter_s, 3))

    def __str__(self) -> str:
        end = "the end" if self.end_s is None else f"{self.end_s:g} s"
        return f"{self.start_s:g} s to {end}"


class Conditional(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="condition", tag_field="kind"
):
    """From when ``start`` becomes true (and ``end`` is not) until ``end`` is; again whenever that happens again.

    With a ``length_s`` it acts that long at most. With neither it acts as long as ``start`` holds. ``times`` is how
    often it may begin. ``within`` confines it to a window.
    """

    start: str
    end: str | None = None
    within: Window | None = None
    # unset, not None: an activation without them is written, and so names its scenario, as if they did not exist
    length_s: float | msgspec.UnsetType = msgspec.UNSET
    times: int | msgspec.UnsetType = msgspec.UNSET

    def __str__(self) -> str:
        if self.end is None and self.length_s is msgspec.UNSET:
            text = f"as long as {self.start}"
        else:
            text = f"from when {self.start}"
            text += "" if self.length_s is msgspec.UNSET else f", for {self.length_s:g} s"
            text += "" if self.end is None else f", until {self.end}"
        text += "" if self.times is msgspec.UNSET else f", {self.times} times at most"
        return text if self.within is None else f"{text}, within {self.within}"


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


def window_of(when: Activation) -> Window:
    """The window in which it may act at all."""
    return when if isinstance(when, Window) else when.within or ALWAYS


def confined(when: Activation, window: Window) -> Activation:
    """The same in another window."""
    return window if isinstance(when, Window) else msgspec.structs.replace(when, within=window)


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
        if when.length_s is not msgspec.UNSET and not (isfinite(when.length_s) and when.length_s > 0.0):
            raise InputError(f"{what}: length_s is {when.length_s!r}. Wanted a time of more than 0.")
        if when.times is not msgspec.UNSET and when.times < 1:
            raise InputError(f"{what}: times is {when.times!r}. Wanted at least 1.")
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


Edge = Callable[[int, bool], None]
"""Called as ``edge(time_ns, begins)`` when an operation begins or ceases to act."""


class Trigger:
    """Whether an operation acts at a time. ``edges`` are told when that changes."""

    def __init__(self, window: Window | None) -> None:
        self.start_ns = 0 if window is None else round(window.start_s * 1e9)
        self.end_ns: float = inf if window is None or window.end_s is None else round(window.end_s * 1e9)
        self.edges: list[Edge] = []
        self.on = False
        self.wake: Callable[[int], None] = lambda _time_ns: None
        """Called with a time at which it wants to be updated, beside the ends of its window."""

    def acts(self, time_ns: int) -> bool:
        """Whether it acts on what is sent at this time."""
        return self.start_ns <= time_ns < self.end_ns

    def update(self, time_ns: int, observed: Observed) -> None:  # noqa: ARG002
        """Time has come to the beginning or end of the window, or a variable has changed."""
        self._switch(time_ns, self.acts(time_ns))

    @property
    def variables(self) -> frozenset[str]:
        """What it depends on."""
        return frozenset()

    def _switch(self, time_ns: int, on: bool) -> None:
        if on != self.on:
            self.on = on
            for edge in self.edges:
                edge(time_ns, on)


class ConditionTrigger(Trigger):
    """From when the start condition holds until the end condition does; unknown is not true."""

    def __init__(self, when: Conditional, vocabulary: Vocabulary) -> None:
        super().__init__(when.within)
        start, end = conditions_of(when, vocabulary)
        self._variables = start.variables | (frozenset() if end is None else end.variables)
        self._start = start.compile()
        self._end = None if end is None else end.compile()
        self._length_ns = None if when.length_s is msgspec.UNSET else round(when.length_s * 1e9)
        self._left: float = inf if when.times is msgspec.UNSET else when.times
        """How often it may still begin."""
        self._until_ns: float = inf
        """When it ceases to act, if its conditions do not end it before."""

    @property
    def variables(self) -> frozenset[str]:
        """The variables of its conditions."""
        return self._variables

    def acts(self, time_ns: int) -> bool:
        """Whether it acts on what is sent at this time."""
        return self.on and self.start_ns <= time_ns < min(self.end_ns, self._until_ns)

    def update(self, time_ns: int, observed: Observed) -> None:
        """A variable may have changed, or the window, or the time for which it acts, begins or ends."""
        over = not self.start_ns <= time_ns < self.end_ns or (self.on and time_ns >= self._until_ns)
        if over or (self._end is not None and self._end(observed) is True):
            self._switch(time_ns, False)
        elif self.on:
            # neither an end nor a length: only its start keeps it going
            if self._end is None and self._length_ns is None:
                self._switch(time_ns, self._start(observed) is True)
        elif self._left > 0 and self._start(observed) is True:
            self._begin(time_ns)

    def _begin(self, time_ns: int) -> None:
        self._left -= 1
        if self._length_ns is not None:
            self._until_ns = time_ns + self._length_ns
            self.wake(time_ns + self._length_ns)
        self._switch(time_ns, True)


def trigger_of(when: Activation, vocabulary: Vocabulary, *, name: str) -> Trigger:
    """The trigger of a concrete operation."""
    if isinstance(when, Generated):
        raise InputError(f"Operation {name!r} has conditions that are yet to be generated. Wanted a test of the space.")
    if isinstance(when, Window):
        return Trigger(when)
    trigger = ConditionTrigger(when, vocabulary)
    for key in sorted(trigger.variables):
        if not vocabulary.variables[key].topics:
            raise InputError(f"Operation {name!r}: the variable {key!r} is not read from any topic. Give it 'topics'.")
    return trigger
