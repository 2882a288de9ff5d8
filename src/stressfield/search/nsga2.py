"""Evolution towards several objectives at once: NSGA-II."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from stressfield.errors import InputError
from stressfield.fuzz import MutationRates, Search, TestingSpace
from stressfield.model import Element
from stressfield.search.genome import Genetics, Genome
from stressfield.search.objectives import Objectives
from stressfield.search.selection import survivors, tournaments
from stressfield.search.stop_rule import StopRule
from stressfield.search.strategy import Candidate, Evaluated
from stressfield.seeds import Rng, generator

TRIES = 4
"""Mutations tried for something that was not proposed before."""
ROUNDS = 100
"""Matings tried before a generation is left smaller than wanted."""
CROSSED = 0.9
"""The share of pairs of parents that exchange anything."""


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
        search: Search,
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
        self.objectives = Objectives.of(space, search)
        if not self.objectives.names:
            raise InputError(f"Search {search.name!r} has no objectives. NSGA-II needs at least one metric.")
        self.batch = population
        self._stop_rule = StopRule(space, search, evaluations=evaluations)
        genetics = Genetics(space, search, model=model, template=template, rates=rates)
        self._evolution = Evolution(genetics, population=population, rng=generator(seed, "search", "nsga2"))
        self._next = 0
        self._generation = -1
        self._waiting: list[Candidate] = []
        self._open: dict[int, Genome] = {}
        """The open generation, by index."""
        self._values: dict[int, tuple[float, ...]] = {}

    @property
    def reason(self) -> str | None:
        """Why the search has ended; None while it goes on."""
        return self._stop_rule.reason

    @property
    def generation(self) -> int:
        """The open generation, from 0; -1 before the first."""
        return self._generation

    def ask(self, n: int) -> list[Candidate]:
        """At most ``n`` candidates of one generation; none when the search has ended."""
        if n <= 0:
            return []
        if not self._waiting:
            # Only now: a generation may be asked for in parts, and all of them have to be told before it is closed.
            self._close()
            if self._stop_rule.left > 0:
                self._begin()
        asked, self._waiting = self._waiting[:n], self._waiting[n:]
        for candidate in asked:
            self._stop_rule.proposed(candidate.operations)
        return asked

    def tell(self, results: Sequence[Evaluated]) -> None:
        """What came of candidates of the open generation, in any order."""
        for result in results:
            index = result.candidate.index
            if index not in self._open:
                raise InputError(
                    f"Candidate {index} is not of the open generation {self._generation}. "
                    "Wanted all results of a generation before the next is asked for."
                )
            vector = self.objectives.vector(result.metrics)
            if vector is not None:
                self._values[index] = vector

    def _close(self) -> None:
        if self._open:
            measured = sorted(self._values)  # by index, not as results came in
            self._evolution.advance([(self._open[index], self._values[index]) for index in measured])
            self._stop_rule.told([self._values[index] for index in measured])
            self._open, self._values = {}, {}

    def _begin(self) -> None:
        made = self._evolution.offspring(self.batch)[: self._stop_rule.left]
        if not made:
            self._stop_rule.reason = "no new test was found"
            return
        self._generation += 1
        places = range(self._next, self._next + len(made))
        self._waiting = [
            Candidate(index, genome.template, genome.operations, self._generation)
            for index, genome in zip(places, made, strict=True)
        ]
        self._open = dict(zip(places, made, strict=True))
        self._next += len(made)


class Evolution:
    """A population of genomes. ``offspring()`` are the next to evaluate, ``advance()`` takes what came of them."""

    def __init__(self, genetics: Genetics, *, population: int, rng: Rng) -> None:
        self._genetics, self._size, self._rng = genetics, population, rng
        self._seen: set[bytes] = set()
        """Keys of all that was proposed, at any time: a test is evaluated once."""
        self._living: list[_Individual] = []

    def offspring(self, count: int) -> list[Genome]:
        """New genomes, none of which was there before; fewer than ``count``, or none, where none can be found.

        As long as nobody lives, because nothing could be measured, they are drawn.
        """
        return self._mated(count) if self._living else self.drawn(count)

    def drawn(self, count: int) -> list[Genome]:
        """Random genomes, none of which was there before; fewer than ``count`` where some were."""
        made = [self._genetics.sample(self._rng) for _ in range(count)]
        return [genome for genome in made if self._new(genome)]

    def advance(self, evaluated: Sequence[tuple[Genome, Sequence[float]]]) -> None:
        """Selection among who lives and what was evaluated: offspring with their objectives.

        Offspring without values are not among them, so that nothing has to stand for what is missing. Their order
        counts: selection draws by chance, and must not depend on who was done first.
        """
        if not evaluated:
            return
        both = [*self._living, *(_Individual(genome, tuple(values), 0.0) for genome, values in evaluated)]
        kept = survivors([individual.vector for individual in both], min(self._size, len(both)), self._rng)
        self._living = [_Individual(both[at].genome, both[at].vector, distance) for at, distance in kept]

    @property
    def population(self) -> list[tuple[Genome, tuple[float, ...]]]:
        """Who lives, with their objectives."""
        return [(individual.genome, individual.vector) for individual in self._living]

    def _mated(self, count: int) -> list[Genome]:
        """Tournaments, crossover and mutation until there are enough that were never proposed."""
        vectors = [individual.vector for individual in self._living]
        distances = [individual.crowding for individual in self._living]
        made: list[Genome] = []
        for _round in range(ROUNDS):  # in a small space nearly all children were there before: it must end somewhere
            pairs = ceil((count - len(made)) / 2)
            winners = tournaments(vectors, distances, 2 * pairs, self._rng)
            chosen = [self._living[at].genome for at in winners]
            mutated = [self._mutated(child) for child in self._crossed(chosen[::2], chosen[1::2])]
            made += [child for child in mutated if self._new(child)]
            if len(made) >= count:
                break
        return made[:count]

    def _crossed(self, mothers: Sequence[Genome], fathers: Sequence[Genome]) -> list[Genome]:
        first, second = list(mothers), list(fathers)
        for at, chance in enumerate(self._rng.random(len(first)).tolist()):
            if chance < CROSSED:
                first[at], second[at] = self._genetics.crossover(first[at], second[at], self._rng)
        return first + second

    def _mutated(self, parent: Genome) -> Genome:
        """Most often something new: mating all over again would cost more."""
        child = self._genetics.mutate(parent, self._rng)
        for _ in range(TRIES):
            if child.key not in self._seen:
                break
            child = self._genetics.mutate(parent, self._rng)
        return child

    def _new(self, genome: Genome) -> bool:
        """Whether it is new; from now on it is not."""
        new = genome.key not in self._seen
        self._seen.add(genome.key)
        return new


@dataclass(frozen=True, slots=True)
class _Individual:
    genome: Genome
    vector: tuple[float, ...]
    crowding: float
    """How far its neighbours on its front are: the less crowded of two equals wins a tournament."""
