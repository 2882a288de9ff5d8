"""The worlds of two campaigns, side by side: paired where both have them, with as many runs on either side."""

from __future__ import annotations

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


@dataclass(frozen=True, slots=True)
class Sides:
    """The worlds that are compared: pairs stand in the same order on both sides."""

    baseline: tuple[WorldRuns, ...]
    candidate: tuple[WorldRuns, ...]
    paired: bool
    repeats: int

    @property
    def runs(self) -> tuple[list[JudgedRun], list[JudgedRun]]:
        first, second = ([run for world in side for run in world.runs] for side in (self.baseline, self.candidate))
        return first, second


def sides_of(baseline: Summary, candidate: Summary) -> Sides:
    """Paired if at least half of the worlds of the smaller campaign are in both; by what is planned, not by results."""
    first, second = _worlds(baseline), _worlds(candidate)
    shared = [place for place in first if place in second]
    if 2 * len(shared) >= min(len(first), len(second)) and shared:
        pairs = [(first[place], second[place]) for place in shared]
        # Equal numbers of runs, the first ones: a mean of three scatters more than one of five.
        counts = [min(len(before.runs), len(after.runs)) for before, after in pairs]
        kept = [(*pair, count) for pair, count in zip(pairs, counts, strict=True) if count]
        left = tuple(replace(before, runs=before.runs[:count]) for before, _, count in kept)
        right = tuple(replace(after, runs=after.runs[:count]) for _, after, count in kept)
        return Sides(left, right, True, max(counts, default=0))
    repeats = min(summary.results.plan.repeats for summary in (baseline, candidate))
    left, right = (
        tuple(replace(world, runs=world.runs[:repeats]) for world in side.values() if world.runs)
        for side in (first, second)
    )
    return Sides(left, right, False, repeats)


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
