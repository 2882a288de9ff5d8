"""Failing rates of two campaigns, property by property, with exact tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stressfield.analysis import Comparison, PairedWorld, fisher, holm, mcnemar, paired_permutation
from stressfield.campaign import Results
from stressfield.campaign.scenario_files import disturbances_json
from stressfield.oracle import Outcome
from stressfield.run import JudgedRun, Status
from stressfield.seeds import generator

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


def compare_properties(first: Results, second: Results) -> tuple[ComparedProperty, ...]:
    """Every property that is on in both campaigns, and crashes if there were any."""
    names = [name for name in _properties(first) if name in _properties(second)]
    if any(judged.run.status is Status.SUBJECT_CRASH for judged in first.runs + second.runs):
        names.append(CRASH)
    tests = [_test(name, first, second) for name in names]
    adjusted = holm([test.p_two_sided for test in tests])
    greater = holm([test.p_greater for test in tests])
    return tuple(map(ComparedProperty, names, tests, adjusted, greater))


def same_worlds(first: Results, second: Results) -> bool:
    """Whether both campaigns ran in the same worlds, so that they can be compared pair by pair."""
    return _places(first).values() == _places(second).values() or set(_places(first).values()) == set(
        _places(second).values()
    )


def _test(name: str, first: Results, second: Results) -> Comparison:
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


def _places(results: Results) -> dict[str, str]:
    """Scenario ids also contain the rig's options; the same world is one of the same descriptor, seed, disturbances."""
    return {
        one.id: f"{one.seed}:{one.descriptor}" + (f":{disturbances_json(one)!r}" if one.disturbances else "")
        for one in results.scenarios
    }


def _properties(results: Results) -> list[str]:
    return list(dict.fromkeys(verdict.property for judged in results.runs for verdict in judged.verdicts))


def _fails(name: str, results: Results) -> dict[str, list[bool]]:
    places = _places(results)
    worlds: dict[str, list[bool]] = {place: [] for place in places.values()}
    for judged in results.runs:
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
