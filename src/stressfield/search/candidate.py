"""What a strategy proposes, and what it may learn of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from stressfield.fuzz.operation import Operation
from stressfield.oracle import Outcome


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposal. ``template`` is a descriptor; its operators are carried out with the seed of ``index``.

    ``operations`` are the concrete disturbances of the run; none leave it undisturbed. ``generation`` counts the rounds
    of a strategy that learns, from 0.
    """

    index: int
    template: str
    operations: tuple[Operation, ...] = ()
    generation: int = 0


@dataclass(frozen=True, slots=True)
class Evaluated:
    """What came of a candidate: the outcome of each judged run, and the lowest margin of each property.

    ``metrics`` has one value for each judged repeat, by name; what could not be measured in a repeat is left out.

    Invalid runs are never told: the rig's own trouble says nothing about the world.
    """

    candidate: Candidate
    outcomes: tuple[Outcome, ...]
    margins: Mapping[str, float]
    metrics: Mapping[str, tuple[float, ...]] = field(default_factory=dict)


class Strategy(Protocol):
    """Proposes what to run next. It never runs anything itself, so it cannot depend on the number of workers."""

    def ask(self, n: int) -> list[Candidate]:
        """At most ``n`` new candidates; an empty list when there is nothing left to propose."""

    def tell(self, results: Sequence[Evaluated]) -> None:
        """Take note of what came of earlier candidates."""
