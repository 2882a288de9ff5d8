"""Two campaigns side by side: whether they can be compared at all, and their worlds, paired where both have them.

A test of differences says "no difference" of two campaigns that say nothing. So what must not be compared is refused.
Runs are paired if their run seeds are the same.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace

from stressfield.analysis.known_issues import ExitCode
from stressfield.analysis.summary import Summary
from stressfield.errors import InputError
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


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why two campaigns are not compared, and how the command ends."""

    reason: str
    exit_code: ExitCode


def refusal(baseline: Summary, candidate: Summary) -> Refusal | None:
    """None if the two can be compared. Different studies are an InputError.

    A candidate whose robot software crashes or hangs in every run is worse than any baseline. Where nothing was judged
    on a side, nobody knows whether anything has changed.
    """
    check_studies([(summary.results.folder, summary.study) for summary in (baseline, candidate)])
    if candidate.crashed and not candidate.judged:
        again = f"stressfield replay {shlex.quote(candidate.results.folder)} {candidate.findings[0].id}"
        return Refusal(
            f"Worse: no run of the second campaign was judged, and the robot software crashed or hung in "
            f"{candidate.crashed} of {candidate.done}; in the first in {baseline.crashed} of {baseline.done}. "
            f"Next: {again}",
            ExitCode.FINDINGS,
        )
    for which, summary in (("first", baseline), ("second", candidate)):
        if summary.nothing_judged:
            return Refusal(
                f"Cannot compare, the {which} campaign says nothing. {summary.nothing_judged}", ExitCode.INFRASTRUCTURE
            )
    return None


def check_studies(campaigns: Sequence[tuple[str, str]]) -> None:
    """InputError unless all of these campaigns, given by folder and study, are of one study."""
    first = campaigns[0]
    for other in campaigns[1:]:
        if other[1] != first[1]:
            raise InputError(
                f"Cannot compare two studies: {first[0]!r} is of {first[1]!r}, {other[0]!r} of {other[1]!r}. "
                "Wanted campaigns of one study, with two builds of its robot software or two versions of it."
            )
