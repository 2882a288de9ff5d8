"""Which worlds of a campaign are run again one rung up: those that fail, and some of those that pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stressfield.campaign import Results
from stressfield.errors import InputError
from stressfield.run import ScenarioRecord, Status
from stressfield.search.listed import ChosenWorld
from stressfield.search.sequential_test import OUTCOME, vote
from stressfield.seeds import generator


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Worlds of a campaign by what the lower rung says of them, and those of each kind that go up.

    A world fails if any of its runs does; it passes if none does and one passes. What is neither says nothing.
    """

    failing: tuple[ScenarioRecord, ...]
    passing: tuple[ScenarioRecord, ...]
    neither: int
    """Worlds whose runs are all invalid, inconclusive or not done yet: they stay below."""
    failing_up: tuple[ScenarioRecord, ...]
    passing_up: tuple[ScenarioRecord, ...]

    @property
    def up(self) -> tuple[ScenarioRecord, ...]:
        """All that go up, by number."""
        return tuple(sorted((*self.failing_up, *self.passing_up), key=lambda scenario: scenario.index))


def draw_worlds(results: Results, *, failing: int | None, passing: int, seed: int) -> Drawn:
    """Draw at most so many failing worlds (None: all of them) and so many passing ones, at random.

    InputError if that leaves none.
    """
    for name, number in (("failing", failing), ("passing", passing)):
        if number is not None and number < 0:
            raise InputError(f"Cannot take {number} {name} worlds. Wanted 0 or more.")
    votes: dict[str, set[int]] = {scenario.id: set() for scenario in results.scenarios}
    for judged in results.runs:
        if judged.run.status is not Status.INVALID:
            votes[judged.run.scenario_id].add(vote(OUTCOME, judged))
    failed = tuple(scenario for scenario in results.scenarios if 1 in votes[scenario.id])
    passed = tuple(scenario for scenario in results.scenarios if votes[scenario.id] & {1, -1} == {-1})
    drawn = Drawn(
        failing=failed,
        passing=passed,
        neither=len(results.scenarios) - len(failed) - len(passed),
        failing_up=_some(failed, len(failed) if failing is None else failing, seed, "failing"),
        passing_up=_some(passed, passing, seed, "passing"),
    )
    if not drawn.up:
        have = f"It has {len(failed)} failing and {len(passed)} passing worlds"
        wanted = "Ask for some of these with --passing" if passed else "Run some that can be judged"
        raise InputError(
            f"The campaign {results.folder!r} has no finding to confirm, and no passing world was asked for. {have}. "
            f"{wanted}."
            if not failed
            else f"No world of the campaign {results.folder!r} was asked for. {have}. Ask for some with --failing."
        )
    return drawn


def _some(worlds: Sequence[ScenarioRecord], count: int, seed: int, kind: str) -> tuple[ScenarioRecord, ...]:
    """So many of them, every choice as likely; in the order of their numbers."""
    if count >= len(worlds):
        return tuple(worlds)
    places = generator(seed, "ladder", kind).choice(len(worlds), size=count, replace=False)
    return tuple(worlds[place] for place in sorted(places.tolist()))


def chosen(worlds: Sequence[ScenarioRecord], *, shared: int, least: Mapping[str, int]) -> tuple[ChosenWorld, ...]:
    """As a strategy proposes them. The first ``shared`` disturbances of each are those of the whole campaign.

    ``least``: how often each must be repeated at least, by its id; once if nothing is said.
    """
    return tuple(
        ChosenWorld(
            index=world.index,
            descriptor=world.descriptor,
            seed=str(world.seed),
            operations=world.disturbances[shared:],
            least_repeats=least.get(world.id, 1),
        )
        for world in worlds
    )
