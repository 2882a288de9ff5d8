"""Tests drawn independently of each other: what a cleverer search has to beat."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.fuzz import Search, TestingSpace
from stressfield.model import Element
from stressfield.search.genome import Genetics
from stressfield.search.objectives import Objectives
from stressfield.search.stop_rule import StopRule
from stressfield.search.strategy import Candidate, Evaluated
from stressfield.seeds import generator

BATCH = 100


class RandomTestStrategy:
    """Every test is a random selection of the operations with random choices, in a random world of the template.

    It draws as NSGA-II draws its first generation. It learns nothing, but ends as its search's termination says;
    ``batch`` tests count as a generation for that.
    """

    def __init__(
        self,
        space: TestingSpace,
        search: Search,
        *,
        model: type[Element],
        template: str = "r",
        seed: int,
        evaluations: int = 100,
        batch: int = BATCH,
    ) -> None:
        self.objectives = Objectives.of(space, search)
        self.batch = batch
        self._stop_rule = StopRule(space, search, evaluations=evaluations)
        self._genetics = Genetics(space, search, model=model, template=template)
        self._seed = seed
        self._told: dict[int, tuple[float, ...]] = {}

    @property
    def reason(self) -> str | None:
        """Why the search has ended; None while it goes on."""
        return self._stop_rule.reason

    def ask(self, n: int) -> list[Candidate]:
        """The next candidates, at most to the end of a batch; none when the budget is spent."""
        first = self._stop_rule.asked
        generation = first // self.batch
        if first and first % self.batch == 0:
            self._stop_rule.told([self._told[index] for index in sorted(self._told)])
            self._told = {}
        asked = []
        for index in range(first, first + max(0, min(n, self._stop_rule.left, self.batch - first % self.batch))):
            genome = self._genetics.sample(generator(self._seed, "search", "random", index))
            asked.append(Candidate(index, genome.template, genome.operations, generation))
            self._stop_rule.proposed(genome.operations)
        return asked

    def tell(self, results: Sequence[Evaluated]) -> None:
        """Takes note of values for the sake of ``stagnation`` alone."""
        for result in results:
            vector = self.objectives.vector(result.metrics) if self.objectives.names else None
            if vector is not None:
                self._told[result.candidate.index] = vector
