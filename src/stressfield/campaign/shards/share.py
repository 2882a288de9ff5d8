"""Which of a plan's runs one shard does. It follows from the numbers alone: nobody has to coordinate."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.errors import InputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """One of ``of`` equal parts of a plan, counted from 0.

    Worlds go round: 0, 20, 40, ... to the first of twenty shards. A sweep makes worlds larger and larger, so that
    blocks of neighbours would take very different times. Of a few worlds with many repeats, single runs go round.
    """

    number: int
    of: int
    whole_worlds: bool = True
    """Whether all repeats of a world are in one shard."""

    def __post_init__(self) -> None:
        if not 0 <= self.number < self.of:
            raise InputError(f"A campaign in {self.of} shards has shards 0 to {self.of - 1}, got {self.number}.")

    def repeats(self, index: int, repeats: int) -> range:
        """The repeats of the candidate ``index`` that are in this share, of ``repeats``."""
        if self.whole_worlds:
            return range(repeats if index % self.of == self.number else 0)
        return range((self.number - index * repeats) % self.of, repeats, self.of)

    def worlds(self, worlds: int, repeats: int) -> int:
        """How many of the first ``worlds`` candidates it has runs of."""
        if self.whole_worlds:
            return len(range(self.number, worlds, self.of))
        return sum(len(self.repeats(index, repeats)) > 0 for index in range(worlds))

    def runs(self, worlds: int, repeats: int) -> int:
        """How many runs it has of the first ``worlds`` candidates."""
        if self.whole_worlds:
            return repeats * self.worlds(worlds, repeats)
        return len(range(self.number, worlds * repeats, self.of))


def shares(*, into: int, worlds: int, repeats: int, whole_worlds: bool) -> tuple[Share, ...]:
    """A plan in equal parts: by worlds where there are enough of them, else by runs unless that must not be."""
    whole = whole_worlds or worlds >= into
    units, word = (worlds, "worlds or tests") if whole else (worlds * repeats, "runs")
    if not 1 <= into <= units:
        raise InputError(f"The campaign has {units} {word}, got --into {into}. Wanted 1 to {units} shards.")
    return tuple(Share(number=number, of=into, whole_worlds=whole) for number in range(into))
