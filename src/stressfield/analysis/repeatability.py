"""Do repeats of the same world agree?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from stressfield.analysis.statistics import Rate, wilson
from stressfield.errors import InputError


@dataclass(frozen=True, slots=True)
class WorldRepeats:
    """The repeats of one world: how many failed, of how many judged, and how often the verdict changed."""

    world: str
    fails: int
    judged: int
    missing: int
    flips: int

    @property
    def inconsistent(self) -> bool:
        return 0 < self.fails < self.judged

    @property
    def disagreement(self) -> float | None:
        """Chance that two of its runs, drawn at random, disagree; None with fewer than two runs."""
        if self.judged < 2:
            return None
        return 2 * self.fails * (self.judged - self.fails) / (self.judged * (self.judged - 1))


@dataclass(frozen=True, slots=True)
class Consistency:
    """How repeatable verdicts are.

    ``histogram[k]`` is the number of worlds that failed in k of ``repeats`` runs. It and ``inconsistent``
    count complete worlds only; the others are listed in ``incomplete``.
    """

    repeats: int
    histogram: tuple[int, ...]
    inconsistent: Rate
    worlds: tuple[WorldRepeats, ...]
    incomplete: tuple[WorldRepeats, ...]

    @property
    def failing_runs(self) -> int:
        """Over all worlds, complete or not."""
        return sum(world.fails for world in self.worlds)

    @property
    def judged_runs(self) -> int:
        return sum(world.judged for world in self.worlds)

    @property
    def disagreement(self) -> float | None:
        """Chance that two runs of one world disagree, averaged over worlds with two runs or more."""
        chances = [world.disagreement for world in self.worlds if world.disagreement is not None]
        return sum(chances) / len(chances) if chances else None


def consistency(
    fails_per_world: Mapping[str, Sequence[bool | None]],
    *,
    repeats: int | None = None,
    enough: Mapping[str, int] | None = None,
    confidence: float = 0.95,
) -> Consistency:
    """Count how often repeats of a world agree.

    For each world, its runs in order: True failed, False did not, None has no verdict (invalid run,
    inconclusive). ``repeats`` is the number of runs that makes a world complete; without it, the most
    runs any world was given. ``enough`` says it of single worlds, where these are repeated until they are sure.
    """
    worlds = tuple(_world(name, runs) for name, runs in fails_per_world.items())
    wanted = max((w.judged + w.missing for w in worlds), default=0) if repeats is None else repeats
    for world in worlds:
        if world.judged > wanted:
            raise InputError(f"World '{world.world}' has {world.judged} runs, more than repeats={wanted}.")
    needed = {world.world: wanted for world in worlds} | dict(enough or {})
    complete = [world for world in worlds if world.judged >= needed[world.world]]
    histogram = [0] * (wanted + 1)
    for world in complete:
        histogram[world.fails] += 1
    return Consistency(
        repeats=wanted,
        histogram=tuple(histogram),
        inconsistent=wilson(sum(world.inconsistent for world in complete), len(complete), confidence=confidence),
        worlds=worlds,
        incomplete=tuple(world for world in worlds if world.judged < needed[world.world]),
    )


def _world(name: str, runs: Sequence[bool | None]) -> WorldRepeats:
    judged = [run for run in runs if run is not None]
    flips = sum(verdict != other for verdict, other in pairwise(judged))
    return WorldRepeats(name, sum(judged), len(judged), len(runs) - len(judged), flips)
