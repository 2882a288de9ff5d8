"""When an operation acts, decided while a run goes on."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from stressfield.errors import InputError
from stressfield.fuzz.activation import Activation, Conditional, Generated, Window, conditions_of
from stressfield.fuzz.evaluating import Observed
from stressfield.fuzz.vocabulary import Vocabulary

Edge = Callable[[int, bool], None]
"""Called as ``edge(time_ns, begins)`` when an operation begins or ceases to act."""


class Trigger:
    """Whether an operation acts at a time. ``edges`` are told when that changes."""

    def __init__(self, window: Window | None) -> None:
        self.start_ns = 0 if window is None else round(window.start_s * 1e9)
        self.end_ns: float = inf if window is None or window.end_s is None else round(window.end_s * 1e9)
        self.edges: list[Edge] = []
        self.on = False

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

    @property
    def variables(self) -> frozenset[str]:
        """The variables of its conditions."""
        return self._variables

    def acts(self, time_ns: int) -> bool:
        """Whether it acts on what is sent at this time."""
        return self.on and self.start_ns <= time_ns < self.end_ns

    def update(self, time_ns: int, observed: Observed) -> None:
        """A variable may have changed, or the window begins or ends."""
        if not self.start_ns <= time_ns < self.end_ns:
            self._switch(time_ns, False)
        elif self._end is None:
            self._switch(time_ns, self._start(observed) is True)
        elif self._end(observed) is True:
            self._switch(time_ns, False)
        elif not self.on:
            self._switch(time_ns, self._start(observed) is True)


def trigger_of(when: Activation, vocabulary: Vocabulary, *, name: str) -> Trigger:
    """The trigger of a concrete operation."""
    if isinstance(when, Generated):
        raise InputError(f"Operation {name!r} has conditions that are yet to be generated. Wanted a test of the space.")
    if isinstance(when, Window):
        return Trigger(when)
    trigger = ConditionTrigger(when, vocabulary)
    for key in sorted(trigger.variables):
        if not vocabulary.variables[key].topics:
            raise InputError(f"Operation {name!r}: the variable {key!r} is read from no topic. Give it 'topics'.")
    return trigger
