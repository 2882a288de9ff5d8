"""Evolution towards several objectives at once: NSGA-II."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from stressfield.errors import InputError, NotInstalledError
from stressfield.fuzz import MutationRates, Search, TestingSpace
from stressfield.model import Element
from stressfield.search.candidate import Candidate, Evaluated
from stressfield.search.ending import Ending
from stressfield.search.genome import Genetics
from stressfield.search.objectives import Objectives
from stressfield.seeds import generator

if TYPE_CHECKING:
    from stressfield.search.evolution import Evolution


class Nsga2Strategy:
    """NSGA-II over sets of disturbances, worlds, or both.

    Ask, evaluate and tell one generation (``batch`` candidates) after the other. A call of ``ask`` never goes beyond a
    generation; the first one after its last candidate closes it. What was not told by then is missing: runs that were
    all invalid, or objectives that no repeat could measure. Such a test has no place in the population or on a front.
    Repeats of a test count with their median.

    Asks follow from the seed and from what was told, not from the order in which it was. An empty answer is the end;
    ``reason`` says why.
    """

    def __init__(
        self,
        space: TestingSpace,
        campaign: Search,
        *,
        model: type[Element],
        template: str = "r",
        seed: int,
        population: int = 10,
        evaluations: int = 2000,
        rates: MutationRates | None = None,
    ) -> None:
        if population < 2 or evaluations < 1:
            raise InputError(
                f"NSGA-II with a population of {population} and {evaluations} evaluations. "
                "Wanted at least 2 and at least 1."
            )
        self.objectives = Objectives.of(space, campaign)
        if not self.objectives.names:
            raise InputError(f"Search {campaign.name!r} has no objectives. NSGA-II needs at least one metric to go by.")
        self.batch = population
        self._ending = Ending(space, campaign, evaluations=evaluations)
        self._evolution = _evolution(
            Genetics(space, campaign, model=model, template=template, rates=rates),
            population,
            len(self.objectives.names),
            seed,
        )
        self._next = 0
        self._generation = -1
        self._waiting: list[Candidate] = []
        self._open: dict[int, int] = {}
        """Of the open generation: place in it by index."""
        self._values: dict[int, tuple[float, ...]] = {}

    @property
    def reason(self) -> str | None:
        """Why the search has ended; None while it goes on."""
        return self._ending.reason

    @property
    def generation(self) -> int:
        """The open generation, from 0; -1 before the first."""
        return self._generation

    def ask(self, n: int) -> list[Candidate]:
        """At most ``n`` candidates of one generation; none when the search has ended."""
        if n <= 0:
            return []
        if not self._waiting:
            self._close()
            if self._ending.left > 0:
                self._begin()
        asked, self._waiting = self._waiting[:n], self._waiting[n:]
        for one in asked:
            self._ending.proposed(one.operations)
        return asked

    def tell(self, results: Sequence[Evaluated]) -> None:
        """What came of candidates of the open generation, in any order."""
        for one in results:
            index = one.candidate.index
            if index not in self._open:
                raise InputError(
                    f"Candidate {index} is not of the open generation {self._generation}. "
                    "Wanted all results of a generation before the next is asked for."
                )
            vector = self.objectives.vector(one.metrics)
            if vector is not None:
                self._values[self._open[index]] = vector

    def _close(self) -> None:
        if self._open:
            self._evolution.advance(self._values)
            self._ending.told([self._values[place] for place in sorted(self._values)])
            self._open, self._values = {}, {}

    def _begin(self) -> None:
        made = self._evolution.offspring()[: self._ending.left]
        if not made:
            self._ending.reason = "no new test was found"
            return
        self._generation += 1
        places = range(self._next, self._next + len(made))
        self._waiting = [
            Candidate(index, one.template, one.operations, self._generation)
            for index, one in zip(places, made, strict=True)
        ]
        self._open = {index: place for place, index in enumerate(places)}
        self._next += len(made)


def _evolution(genetics: Genetics, population: int, objectives: int, seed: int) -> Evolution:
    try:
        from stressfield.search.evolution import Evolution  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "pymoo":
            raise
        raise NotInstalledError(
            "The strategy nsga2 needs pymoo, which is not installed. Get it with: pip install 'stressfield[search]'"
        ) from None
    rng = generator(seed, "search", "nsga2")
    return Evolution(genetics, population=population, objectives=objectives, rng=rng)
