"""What a search varies: the disturbances of a run, the world it happens in, or both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec

from stressfield.errors import InputError
from stressfield.fuzz import FuzzTest, MutationRates, Operation, Sampler, Search, TestingSpace
from stressfield.model import Element, WorldGenes
from stressfield.seeds import Rng

_encode = msgspec.msgpack.Encoder(enc_hook=repr).encode


@dataclass(frozen=True, eq=False)
class Genome:
    """One individual. ``world`` is None where worlds do not vary, and ``given`` is the world of all."""

    world: Element | None
    test: FuzzTest | None
    given: str

    @cached_property
    def template(self) -> str:
        """The descriptor of its world."""
        return self.given if self.world is None else self.world.descriptor

    @cached_property
    def key(self) -> bytes:
        """Equal for equal individuals."""
        return _encode((self.template, self.operations))

    @property
    def operations(self) -> tuple[Operation, ...]:
        """Its disturbances."""
        return () if self.test is None else self.test.operations


class Genetics:
    """Makes, mutates and crosses individuals of a testing space and a world template. They never leave either."""

    def __init__(
        self,
        space: TestingSpace,
        search: Search,
        *,
        model: type[Element],
        template: str = "r",
        rates: MutationRates | None = None,
    ) -> None:
        self._worlds = WorldGenes(model, template)
        self._sampler = Sampler(space, search)
        self._disturbs = bool(space.templates(search))
        self._rates = rates or MutationRates()
        if not (self._disturbs or self._worlds.varies):
            raise InputError(
                f"Search {search.name!r} has nothing to vary: the testing space {space.name!r} has no operations "
                f"and the template {template!r} no 'r'."
            )

    @property
    def varies_worlds(self) -> bool:
        """Whether the template leaves anything open."""
        return self._worlds.varies

    def sample(self, rng: Rng) -> Genome:
        """A random selection of the operations, with random choices, in a random world."""
        return self._genome(
            self._worlds.sample(rng) if self._worlds.varies else None,
            self._sampler.sample(rng) if self._disturbs else None,
        )

    def test(self, rng: Rng) -> FuzzTest | None:
        """The disturbances alone; None if the space has none."""
        return self._sampler.sample(rng) if self._disturbs else None

    def mutate(self, genome: Genome, rng: Rng) -> Genome:
        """Near another one: each dimension of each operation, and each parameter of the world, by its own chance."""
        return self._genome(
            None if genome.world is None else self._worlds.mutate(genome.world, rng),
            None if genome.test is None else self._sampler.mutate(genome.test, rng, rates=self._rates),
        )

    def crossover(self, parent: Genome, other: Genome, rng: Rng) -> tuple[Genome, Genome]:
        """Operations exchanged after one point; parameters of the world taken from either."""
        worlds: Sequence[Element | None] = (None, None)
        tests: Sequence[FuzzTest | None] = (None, None)
        if parent.world is not None and other.world is not None:
            worlds = self._worlds.crossover(parent.world, other.world, rng)
        if parent.test is not None and other.test is not None:
            tests = self._sampler.crossover(parent.test, other.test, rng)
        return self._genome(worlds[0], tests[0]), self._genome(worlds[1], tests[1])

    def _genome(self, world: Element | None, test: FuzzTest | None) -> Genome:
        return Genome(world, test, self._worlds.template)
