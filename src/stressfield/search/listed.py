"""Worlds that are known from the start: given templates in order, or worlds of another campaign as they were there."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from stressfield.errors import InputError
from stressfield.fuzz.operations import AnyOperation
from stressfield.search.strategy import Candidate, OfWorlds, Setting


class Listed:
    """Proposes the given templates in order, round and round. It learns nothing."""

    def __init__(self, templates: Sequence[str]) -> None:
        self._templates = tuple(templates)
        self._next = 0

    @property
    def combinations(self) -> int:
        """How many different templates there are."""
        return len(self._templates)

    def ask(self, n: int) -> list[Candidate]:
        """The next ``n`` candidates."""
        places = range(self._next, self._next + n)
        self._next += n
        return [Candidate(index, self._templates[index % len(self._templates)]) for index in places]


class ListedWorlds(OfWorlds, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="listed", tag_field="kind"):
    """Worlds are drawn from these templates in turn, round and round."""

    own_templates = True
    templates: tuple[str, ...]

    def make(self, setting: Setting) -> Listed:
        """The strategy; InputError for a template that is none of the model's."""
        if not self.templates:
            raise InputError("The strategy listed has no templates. Wanted at least one descriptor.")
        for template in self.templates:
            setting.model.check_descriptor(template)
        return Listed(self.templates)


class ChosenWorld(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One world as a campaign has it; ``descriptor`` is complete."""

    index: int
    descriptor: str
    seed: str
    """A whole number as text: seeds have 64 bits without a sign, which TOML cannot be trusted to keep."""
    operations: tuple[AnyOperation, ...] = ()
    """Its own disturbances, beside those that the plan has for every world."""
    least_repeats: int = 1
    """So many at least, however sure its verdict is before."""


class Chosen:
    """Proposes the chosen worlds in order, each once. It learns nothing."""

    def __init__(self, worlds: tuple[ChosenWorld, ...]) -> None:
        self._worlds = worlds
        self._next = 0

    @property
    def combinations(self) -> int:
        """How many worlds were chosen."""
        return len(self._worlds)

    def ask(self, n: int) -> list[Candidate]:
        """The next ``n`` of them, or as many as are left."""
        asked = self._worlds[self._next : self._next + n]
        self._next += len(asked)
        return [Candidate(world.index, world.descriptor, operations=world.operations) for world in asked]


class ChosenWorlds(OfWorlds, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="chosen", tag_field="kind"):
    """Worlds of another campaign under the numbers and with the seeds that they have there."""

    own_templates = True
    worlds: tuple[ChosenWorld, ...]

    def __post_init__(self) -> None:
        numbers = [world.index for world in self.worlds]
        if len(set(numbers)) < len(numbers):
            raise ValueError("two chosen worlds have one number")
        for world in self.worlds:
            if not world.seed.isdecimal():
                raise ValueError(f"the seed of world {world.index} is {world.seed!r:.40}, wanted a whole number")

    def seed_of_world(self, _campaign_seed: int, index: int) -> int:
        """The seed that the world of that number has."""
        return next(int(world.seed) for world in self.worlds if world.index == index)

    def least_repeats(self, index: int) -> int:
        """How often the world of that number is repeated at least."""
        return next(world.least_repeats for world in self.worlds if world.index == index)

    def make(self, setting: Setting) -> Chosen:
        """The strategy; InputError for a descriptor that is none of the model's."""
        if not self.worlds:
            raise InputError("The strategy chosen has no worlds. Wanted at least one.")
        for world in self.worlds:
            setting.model.check_descriptor(world.descriptor)
        return Chosen(self.worlds)
