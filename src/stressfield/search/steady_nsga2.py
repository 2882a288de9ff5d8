"""Evolution without generations: NSGA-II that proposes a new test as soon as the oldest one under way is evaluated."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.errors import InputError
from stressfield.fuzz import MutationRates, Search, TestingSpace
from stressfield.model import Element
from stressfield.search.genome import Genetics, Genome
from stressfield.search.nsga2 import ROUNDS, Evolution
from stressfield.search.objectives import Objectives
from stressfield.search.stop_rule import StopRule
from stressfield.search.strategy import Candidate, Evaluated
from stressfield.seeds import generator

PAIR = 2
"""Parents mate in pairs, and have two children; the second is proposed after the first."""


class SteadyNsga2Strategy:
    """NSGA-II over sets of disturbances, worlds, or both, with ``window`` tests under way at any time.

    Test ``i`` is made of what came of the tests up to ``i - window``, all of them and no others. So a search follows
    from its seed and its window alone: neither the number of workers nor the order in which they finish changes it.
    The first tests, as many as the population or the window, are drawn.

    ``tell`` wants every candidate, in any order: one without objectives (no valid run, or a metric that could not be
    measured) has no place in the population, but those behind it wait for it. An empty answer of ``ask`` means that
    nothing is to be proposed before more is told, or that the search has ended: then ``reason`` says why.
    """

    def __init__(
        self,
        space: TestingSpace,
        search: Search,
        *,
        model: type[Element],
        template: str = "r",
        seed: int,
        population: int = 10,
        evaluations: int = 2000,
        window: int = 20,
        rates: MutationRates | None = None,
    ) -> None:
        if population < 2 or evaluations < 1 or window < 1:
            raise InputError(
                f"Steady NSGA-II with a population of {population}, {evaluations} evaluations and a window of "
                f"{window}. Wanted at least 2, 1 and 1."
            )
        self.objectives = Objectives.of(space, search)
        if not self.objectives.names:
            raise InputError(f"Search {search.name!r} has no objectives. NSGA-II needs at least one metric.")
        self.window = window
        """How many tests may be under way at once."""
        self._population = population
        self._stop_rule = StopRule(space, search, evaluations=evaluations)
        genetics = Genetics(space, search, model=model, template=template, rates=rates)
        self._evolution = Evolution(genetics, population=population, rng=generator(seed, "search", "steady nsga2"))
        self._next = 0
        self._children: list[Genome] = []
        self._waiting: list[Candidate] = []
        self._open: dict[int, Genome] = {}
        """What was proposed and is not settled, by index."""
        self._told: dict[int, tuple[float, ...] | None] = {}
        """What was told of tests that wait for an earlier one."""
        self._settled = 0
        self._round: list[tuple[float, ...]] = []
        for _ in range(window):
            self._propose()

    @property
    def reason(self) -> str | None:
        """Why the search has ended; None while it goes on."""
        return self._stop_rule.reason

    def ask(self, n: int) -> list[Candidate]:
        """At most ``n`` candidates; none if all that may be under way are, or when the search has ended."""
        asked, self._waiting = self._waiting[: max(0, n)], self._waiting[max(0, n) :]
        return asked

    def tell(self, results: Sequence[Evaluated]) -> None:
        """What came of candidates, in any order; one of which nothing is known has no outcomes and no metrics."""
        for result in results:
            index = result.candidate.index
            if index not in self._open or index in self._told:
                raise InputError(
                    f"Candidate {index} is not under way. Wanted one that was asked for, and was not told before."
                )
            self._told[index] = self.objectives.vector(result.metrics)
        while self._settled in self._told:
            self._settle(self._settled)
            self._settled += 1

    def _settle(self, index: int) -> None:
        """The oldest test under way is done. Its successor is made now, before any later result is looked at."""
        genome, vector = self._open.pop(index), self._told.pop(index)
        if vector is not None:
            self._evolution.advance([(genome, vector)])
            self._round.append(vector)
        if (index + 1) % self._population == 0:  # as often as generations would end
            self._stop_rule.told(self._round)
            self._round = []
        self._propose()

    def _propose(self) -> None:
        if self._stop_rule.left <= 0:
            return
        genome = self._child()
        if genome is None:
            self._stop_rule.reason = "no new test was found"
            return
        candidate = Candidate(self._next, genome.template, genome.operations, self._next // self._population)
        self._stop_rule.proposed(candidate.operations)
        self._open[self._next] = genome
        self._waiting.append(candidate)
        self._next += 1

    def _child(self) -> Genome | None:
        """The next genome that was never proposed; None if none is found."""
        first = self._next < max(self._population, self.window)
        for _ in range(ROUNDS if not self._children else 0):
            self._children = self._evolution.drawn(1) if first else self._evolution.offspring(PAIR)
            if self._children:
                break
        return self._children.pop(0) if self._children else None
