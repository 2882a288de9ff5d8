"""The worlds of two campaigns, side by side: paired where both have them, run by run if run seeds are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from stressfield.analysis.summary import Summary
from stressfield.run import JudgedRun, Status
from stressfield.run.record import disturbances_json


@dataclass(frozen=True, slots=True)
class WorldRuns:
    """One world of one campaign: what makes it, its number, and the runs of it that count, in order."""

    place: str
    number: int
    runs: tuple[JudgedRun, ...]

    @property
    def seeds(self) -> list[int]:
        """Of its runs, in order."""
        return [judged.run.seed for judged in self.runs]


@dataclass(frozen=True, slots=True)
class Sides:
    """The worlds that are compared: pairs stand in the same order on both sides."""

    baseline: tuple[WorldRuns, ...]
    candidate: tuple[WorldRuns, ...]
    paired: bool
    repeats: tuple[int, int]
    """Runs of a world on either side, at most."""

    @property
    def twins(self) -> bool:
        """Whether worlds are paired, and every run has one partner of the same world and run seed, in the same place.

        One run on each side is a pair in any case.
        """
        pairs = list(zip(self.baseline, self.candidate, strict=False)) if self.paired else []
        return self.paired and (
            all(len(before.runs) == len(after.runs) == 1 for before, after in pairs)
            or all(before.seeds == after.seeds for before, after in pairs)
        )

    @property
    def runs(self) -> tuple[list[JudgedRun], list[JudgedRun]]:
        first, second = ([run for world in side for run in world.runs] for side in (self.baseline, self.candidate))
        return first, second


def sides_of(baseline: Summary, candidate: Summary) -> Sides:
    """Paired if at least half of the worlds of the smaller campaign are in both; by what is planned, not by results."""
    first, second = _worlds(baseline), _worlds(candidate)
    shared = [place for place in first if place in second]
    if 2 * len(shared) >= min(len(first), len(second)) and shared:
        kept = [pair for place in shared if all((pair := (first[place], second[place]))[side].runs for side in (0, 1))]
        left, right = tuple(before for before, _ in kept), tuple(after for _, after in kept)
        return Sides(left, right, True, (_most(left), _most(right)))
    # Worlds change sides as wholes: then both need as many runs, for a mean of three scatters more than one of five.
    repeats = min(summary.results.plan.repeats for summary in (baseline, candidate))
    left, right = (
        tuple(replace(world, runs=world.runs[:repeats]) for world in side.values() if world.runs)
        for side in (first, second)
    )
    return Sides(left, right, False, (repeats, repeats))


def _most(worlds: Sequence[WorldRuns]) -> int:
    return max((len(world.runs) for world in worlds), default=0)


def _worlds(summary: Summary) -> dict[str, WorldRuns]:
    """Worlds by what makes them, with their runs in the order of repeats; trouble of the rig is left out."""
    places = places_of(summary)
    runs: dict[str, list[JudgedRun]] = {place: [] for place in places.values()}
    for judged in summary.runs.values():
        if judged.run.status is not Status.INVALID:
            runs[places[judged.run.scenario_id]].append(judged)
    numbers = {places[scenario.id]: scenario.index for scenario in summary.scenarios.values()}
    return {place: WorldRuns(place, numbers[place], tuple(given)) for place, given in runs.items()}


def places_of(summary: Summary) -> dict[str, str]:
    """Scenario ids also contain the rig's options; the same world is one of the same descriptor, seed, disturbances.

    Disturbances of a whole campaign are no part of its worlds: these can be compared with what they are without.
    """
    fixed = summary.results.plan.disturbances
    return {
        scenario.id: f"{scenario.seed}:{scenario.descriptor}"
        + (f":{disturbances_json(scenario)!r}" if scenario.disturbances and scenario.disturbances != fixed else "")
        for scenario in summary.results.scenarios
    }
