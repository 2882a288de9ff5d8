"""What every strategy is: something that proposes candidates, and may learn from what came of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol, runtime_checkable

import msgspec

if TYPE_CHECKING:
    from stressfield.fuzz import Operation, TestingSpace
    from stressfield.model import Element
    from stressfield.oracle import Outcome
    from stressfield.study import Study


@dataclass(frozen=True, slots=True)
class Candidate:
    """One proposal. ``template`` is a descriptor; its operators are carried out with the seed of ``index``.

    ``index`` counts the candidates of a campaign from 0. ``operations`` are the concrete disturbances of the run; none
    leave it undisturbed. ``generation`` counts the rounds of a strategy that learns, from 0. ``name`` is for tests that
    have one.
    """

    index: int
    template: str
    operations: tuple[Operation, ...] = ()
    generation: int = 0
    name: str = ""


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


class OfWorlds(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What all strategies that propose worlds have in common: each is described by one struct that can make it."""

    own_templates: ClassVar[bool] = False
    """Whether it makes templates itself, as many as it needs, instead of drawing all worlds from the plan's."""


class Strategy(Protocol):
    """Proposes what to run next. It never runs anything itself, so it cannot depend on the number of workers.

    One that learns has a ``tell(results: Sequence[Evaluated])`` as well: it is called with what came of all candidates
    of an ``ask`` before the next. It may say in ``reason`` why it has ended.
    """

    def ask(self, n: int) -> Sequence[Candidate]:
        """At most ``n`` new candidates; an empty list when there is nothing left to propose.

        ``n`` is all that the campaign has room for. Give as many as can be said now: all of them if nothing is learned
        from results, else one generation.
        """


class Learner(Strategy, Protocol):
    """A strategy that is told what came of its candidates."""

    def tell(self, results: Sequence[Evaluated]) -> None:
        """Take note of what came of the candidates of the last ``ask``, in any order."""


@runtime_checkable
class WindowedLearner(Learner, Protocol):
    """A learner without generations, told of each candidate as soon as it is done.

    It proposes a candidate when the one ``window`` places before it was told, and so were all before that; what it then
    knows of later ones it must not use. So it proposes the same for any number of workers. It is told of every
    candidate: of one without a valid run with no outcomes. An empty ``ask`` means that it waits, or that it has ended
    if nothing is under way.
    """

    window: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a strategy is made for: a model, a seed, and, for disturbances, a testing space."""

    model: type[Element]
    seed: int
    template: str = "r"
    """A descriptor with operators: where worlds are drawn from."""
    size: int = 0
    """At most so many candidates are asked for; 0 leaves that to the strategy."""
    space: TestingSpace | None = None
    study: Study | None = None
