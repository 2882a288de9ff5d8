"""Our operators in pymoo's NSGA-II. Import it only where it is used: pymoo is an extra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.crossover import Crossover
from pymoo.core.duplicate import DuplicateElimination
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling
from pymoo.core.termination import NoTermination

from stressfield.search.genome import Genetics, Genome
from stressfield.seeds import Rng

TRIES = 4
"""Mutations tried for something that was not proposed before."""
CROSSED = 0.9
"""The share of pairs of parents that exchange anything."""


class Evolution:
    """A population of genomes. ``offspring()`` are the next to evaluate, ``advance()`` takes what came of them."""

    def __init__(self, genetics: Genetics, *, population: int, objectives: int, rng: Rng) -> None:
        unseen = _Unseen()
        self._algorithm = NSGA2(
            pop_size=population,
            sampling=_Samples(genetics),
            crossover=_Crossing(genetics),
            mutation=_Mutating(genetics, unseen.seen),
            eliminate_duplicates=unseen,
        )
        problem = Problem(n_var=1, n_obj=objectives, vtype=object)
        self._algorithm.setup(problem, termination=NoTermination())
        self._algorithm.random_state = rng
        self._waiting: Any = None

    def offspring(self) -> list[Genome]:
        """New genomes, none of which was there before; fewer than the population, or none, where none can be found."""
        self._waiting = self._algorithm.ask()
        return [] if self._waiting is None else [one.X[0] for one in self._waiting]

    def advance(self, values: Mapping[int, Sequence[float]]) -> None:
        """Selection. ``values`` are the objectives of the last offspring, by place.

        Offspring without values do not enter the population at all, so that nothing has to stand for what is missing.
        """
        places = sorted(values)
        if self._waiting is None or not places:
            return
        infills = self._waiting[places]
        infills.set("F", np.array([values[place] for place in places], np.float64))
        self._algorithm.tell(infills=infills)

    @property
    def population(self) -> list[tuple[Genome, tuple[float, ...]]]:
        """Who lives, with their objectives."""
        living = self._algorithm.pop if self._algorithm.is_initialized else ()
        return [(one.X[0], tuple(one.F.tolist())) for one in living]


def _column(genomes: Sequence[Genome]) -> NDArray[np.object_]:
    made = np.empty((len(genomes), 1), object)
    made[:, 0] = genomes
    return made


class _Samples(Sampling):  # type: ignore[misc]
    def __init__(self, genetics: Genetics) -> None:
        super().__init__()
        self._genetics = genetics

    def _do(self, _problem: object, n_samples: int, *_: object, random_state: Rng, **__: object) -> NDArray[np.object_]:
        return _column([self._genetics.sample(random_state) for _ in range(n_samples)])


class _Crossing(Crossover):  # type: ignore[misc]
    def __init__(self, genetics: Genetics) -> None:
        super().__init__(2, 2, prob=CROSSED)
        self._genetics = genetics

    def _do(
        self, _problem: object, x: NDArray[np.object_], *_: object, random_state: Rng, **__: object
    ) -> NDArray[np.object_]:
        made = np.empty_like(x)
        for at in range(x.shape[1]):
            made[:, at, 0] = self._genetics.crossover(x[0, at, 0], x[1, at, 0], random_state)
        return made


class _Mutating(Mutation):  # type: ignore[misc]
    def __init__(self, genetics: Genetics, seen: Set[bytes]) -> None:
        super().__init__(prob=1.0)
        self._genetics = genetics
        self._seen = seen

    def _do(
        self, _problem: object, x: NDArray[np.object_], *_: object, random_state: Rng, **__: object
    ) -> NDArray[np.object_]:
        return _column([self._mutated(one, random_state) for one in x[:, 0]])

    def _mutated(self, parent: Genome, rng: Rng) -> Genome:
        """Most often something new; pymoo would mate all over again for each that is not."""
        child = self._genetics.mutate(parent, rng)
        for _ in range(TRIES):
            if child.key not in self._seen:
                break
            child = self._genetics.mutate(parent, rng)
        return child


class _Unseen(DuplicateElimination):  # type: ignore[misc]
    """Drops everything that was proposed before, at any time: a test is evaluated once."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[bytes] = set()

    def do(self, pop: Any, *_: object, **__: object) -> Any:
        fresh = []
        for at, one in enumerate(pop):
            key = one.X[0].key
            if key not in self.seen:
                self.seen.add(key)
                fresh.append(at)
        return pop[fresh] if fresh else Population.empty()
