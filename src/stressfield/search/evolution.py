"""Our operators in pymoo's NSGA-II. Import it only where it is used: pymoo is an extra."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.duplicate import DuplicateElimination
from pymoo.core.individual import Individual
from pymoo.core.infill import InfillCriterion
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling
from pymoo.core.survival import Survival
from pymoo.core.termination import NoTermination

from stressfield.search.genome import Genetics, Genome
from stressfield.search.selection import survivors, tournaments
from stressfield.seeds import Rng

TRIES = 4
"""Mutations tried for something that was not proposed before."""
ROUNDS = 100
"""Matings tried before a generation is left smaller than wanted."""
CROSSED = 0.9
"""The share of pairs of parents that exchange anything."""


class Evolution:
    """A population of genomes. ``offspring()`` are the next to evaluate, ``advance()`` takes what came of them."""

    def __init__(self, genetics: Genetics, *, population: int, objectives: int, rng: Rng) -> None:
        unseen = _Unseen()
        self._algorithm = _Nsga2(
            pop_size=population,
            sampling=_Samples(genetics),
            mating=_Mating(genetics, unseen),
            survival=_Survival(),
            eliminate_duplicates=unseen,
            output=None,
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
        for one, place in zip(infills, places, strict=True):
            one.F = np.array(values[place], np.float64)
        self._algorithm.tell(infills=infills)

    @property
    def population(self) -> list[tuple[Genome, tuple[float, ...]]]:
        """Who lives, with their objectives."""
        living = self._algorithm.pop if self._algorithm.is_initialized else ()
        return [(one.X[0], tuple(one.F.tolist())) for one in living]


class _Nsga2(NSGA2):  # type: ignore[misc]
    def _post_advance(self) -> None:
        """Only counts: nobody looks at pymoo's own optimum, display or callback."""
        self.n_iter += 1


class _Samples(Sampling):  # type: ignore[misc]
    def __init__(self, genetics: Genetics) -> None:
        super().__init__()
        self._genetics = genetics

    def _do(self, _problem: object, n_samples: int, *_: object, random_state: Rng, **__: object) -> NDArray[np.object_]:
        made = np.empty((n_samples, 1), object)
        made[:, 0] = [self._genetics.sample(random_state) for _ in range(n_samples)]
        return made


class _Mating(InfillCriterion):  # type: ignore[misc]
    """Tournaments, crossover and mutation until there are enough that were never proposed."""

    def __init__(self, genetics: Genetics, unseen: _Unseen) -> None:
        super().__init__()
        self._genetics, self._unseen = genetics, unseen

    def do(self, _problem: object, pop: Any, n_offsprings: int, *_: object, random_state: Rng, **__: object) -> Any:
        parents = [one.X[0] for one in pop]
        vectors = [one.F.tolist() for one in pop]
        distances = [one.data["crowding"] for one in pop]
        made: list[Genome] = []
        for _round in range(ROUNDS):
            pairs = ceil((n_offsprings - len(made)) / 2)
            chosen = [parents[at] for at in tournaments(vectors, distances, 2 * pairs, random_state)]
            children = self._crossed(chosen[::2], chosen[1::2], random_state)
            mutated = [self._mutated(one, random_state) for one in children]
            made += [one for one in mutated if self._unseen.take(one)]
            if len(made) >= n_offsprings:
                break
        return Population([Individual(X=_single(one)) for one in made[:n_offsprings]])

    def _crossed(self, mothers: Sequence[Genome], fathers: Sequence[Genome], rng: Rng) -> list[Genome]:
        first, second = list(mothers), list(fathers)
        for at, chance in enumerate(rng.random(len(first)).tolist()):
            if chance < CROSSED:
                first[at], second[at] = self._genetics.crossover(first[at], second[at], rng)
        return first + second

    def _mutated(self, parent: Genome, rng: Rng) -> Genome:
        """Most often something new: mating all over again would cost more."""
        child = self._genetics.mutate(parent, rng)
        for _ in range(TRIES):
            if child.key not in self._unseen.seen:
                break
            child = self._genetics.mutate(parent, rng)
        return child


class _Survival(Survival):  # type: ignore[misc]
    def _do(self, _problem: object, pop: Any, *_: object, n_survive: int, random_state: Rng, **__: object) -> Any:
        kept = survivors([one.F.tolist() for one in pop], n_survive, random_state)
        for place, distance in kept:
            pop[place].data["crowding"] = distance
        return pop[[place for place, _distance in kept]]


class _Unseen(DuplicateElimination):  # type: ignore[misc]
    """Drops everything that was proposed before, at any time: a test is evaluated once."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[bytes] = set()

    def take(self, genome: Genome) -> bool:
        """Whether it is new; from now on it is not."""
        new = genome.key not in self.seen
        self.seen.add(genome.key)
        return new

    def do(self, pop: Any, *_: object, **__: object) -> Any:
        return pop[[at for at, one in enumerate(pop) if self.take(one.X[0])]]


def _single(genome: Genome) -> NDArray[np.object_]:
    made = np.empty(1, object)
    made[0] = genome
    return made
