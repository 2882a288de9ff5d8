"""Two campaigns side by side: failing rates, property by property, with exact tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stressfield.analysis.exact_tests import Comparison, PairedWorld, fisher, mcnemar, paired_permutation
from stressfield.analysis.statistics import holm
from stressfield.analysis.summary import Summary
from stressfield.oracle import Outcome
from stressfield.run import JudgedRun, Status
from stressfield.run.record import disturbances_json
from stressfield.seeds import generator

SIGNIFICANT = 0.05
CRASH = "crash"
"""Not a property of the oracle, but compared like one: the robot software crashed."""

Worlds = Mapping[str, list[bool]]


@dataclass(frozen=True, slots=True)
class ComparedProperty:
    """One property in two campaigns; ``p_adjusted`` is two-sided, both p-values corrected for the number of them."""

    property: str
    comparison: Comparison
    p_adjusted: float
    p_greater_adjusted: float


def compare_properties(first: Summary, second: Summary) -> tuple[ComparedProperty, ...]:
    """Every property that is on in both campaigns, and crashes if there were any."""
    names = [name for name in _properties(first) if name in _properties(second)]
    if any(summary.statuses.get(Status.SUBJECT_CRASH.value) for summary in (first, second)):
        names.append(CRASH)
    tests = [_test(name, first, second) for name in names]
    adjusted = holm([test.p_two_sided for test in tests])
    greater = holm([test.p_greater for test in tests])
    return tuple(map(ComparedProperty, names, tests, adjusted, greater))


def worse_or_better(compared: ComparedProperty) -> str:
    """``worse`` or ``better`` of the second campaign; empty if the difference may be chance."""
    if compared.p_adjusted >= SIGNIFICANT or compared.comparison.difference is None:
        return ""
    return "worse" if compared.comparison.difference > 0 else "better"


def same_worlds(first: Summary, second: Summary) -> bool:
    """Whether both campaigns ran in the same worlds, so that they can be compared pair by pair."""
    return set(_places(first).values()) == set(_places(second).values())


def _test(name: str, first: Summary, second: Summary) -> Comparison:
    before, after = _fails(name, first), _fails(name, second)
    if not same_worlds(first, second):
        worlds_before, worlds_after = _flat(before), _flat(after)
        return fisher(sum(worlds_before), len(worlds_before), sum(worlds_after), len(worlds_after))
    both = [world for world in before if before[world] and after.get(world)]
    if all(len(before[world]) == len(after[world]) == 1 for world in both):
        return mcnemar([(before[world][0], after[world][0]) for world in both])
    pairs = [PairedWorld(world, tuple(before[world]), tuple(after[world])) for world in both]
    return paired_permutation(pairs, generator("compare", name))


def _flat(worlds: Worlds) -> list[bool]:
    return [fail for fails in worlds.values() for fail in fails]


def _places(summary: Summary) -> dict[str, str]:
    """Scenario ids also contain the rig's options; the same world is one of the same descriptor, seed, disturbances."""
    return {
        scenario.id: f"{scenario.seed}:{scenario.descriptor}"
        + (f":{disturbances_json(scenario)!r}" if scenario.disturbances else "")
        for scenario in summary.results.scenarios
    }


def _properties(summary: Summary) -> list[str]:
    return [prop.name for prop in summary.properties if prop.on]


def _fails(name: str, summary: Summary) -> dict[str, list[bool]]:
    places = _places(summary)
    worlds: dict[str, list[bool]] = {place: [] for place in places.values()}
    for judged in summary.runs.values():
        failed = _failed(name, judged)
        if failed is not None:
            worlds[places[judged.run.scenario_id]].append(failed)
    return worlds


def _failed(name: str, judged: JudgedRun) -> bool | None:
    if name == CRASH:
        return None if judged.run.status is Status.INVALID else judged.run.status is Status.SUBJECT_CRASH
    for verdict in judged.verdicts:
        if verdict.property == name:
            return None if verdict.outcome is Outcome.INCONCLUSIVE else verdict.outcome is Outcome.FAIL
    return None
