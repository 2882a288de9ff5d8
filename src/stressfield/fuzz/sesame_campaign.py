"""Campaigns of a SESAME model, their performed tests and result sets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from stressfield.errors import InputError
from stressfield.fuzz.activation import Conditional
from stressfield.fuzz.operations import AnyOperation
from stressfield.fuzz.search import FuzzTest, Nsga2, Objective, ResultSet, Search
from stressfield.fuzz.sesame_items import Item
from stressfield.fuzz.sesame_names import Names
from stressfield.fuzz.sesame_operations import read_operation
from stressfield.fuzz.space import TestingSpace

_REFERENCE = re.compile(r"//@campaigns\.([0-9]{1,9})/@performedTests\.([0-9]{1,9})")


def read_campaign(
    space: TestingSpace, item: Item, names: Names, templates: Mapping[str, AnyOperation], *, place: int
) -> TestingSpace:
    """The space with one search more. Tests that leave the space are left out, with a note why."""
    name = item.take("name") or f"search {place + 1}"
    included = [
        templates[one].name for one in _words(item, "includedOperations", "includedAttacks") if one in templates
    ]
    objectives = [Objective(metric=names.metrics[one]) for one in _words(item, "metrics") if one in names.metrics]
    performed = item.children("performedTests")
    labels = _labels(performed)
    tests = [_test(one, label, labels, names, templates) for one, label in zip(performed, labels, strict=True)]
    made = [test for test in tests if test is not None]
    conditional = any(isinstance(op.when, Conditional) for test in made for op in test.operations)
    search = Search(
        name=name,
        operations=tuple(included),
        activation="condition" if conditional and space.grammar else "as_given",
        objectives=tuple(objectives),
        approach=_approach(item, names),
        limit_s=_limit_s(item, names),
    )
    kept = tuple(test for test in made if _stays(space, test, search, names))
    known = {test.name for test in kept}
    results = tuple(_results(one, labels, known, names) for one in item.children("resultSets"))
    search = msgspec.structs.replace(search, tests=kept, result_sets=results)
    return msgspec.structs.replace(space, searches=(*space.searches, search))


def constants_of(item: Item, names: Names) -> tuple[list[float], set[str]]:
    """The numbers in all conditions of a campaign's tests, and the metrics that are compared."""
    constants: list[float] = []
    used: set[str] = set()
    for one in _below(item):
        if one.kind in ("ConditionInteger", "ConditionDouble", "ConditionReal"):
            constants.append(one.number("value") or 0.0)
        elif one.tag == "left" or one.kind == "ConditionVariable":
            metric = one.take("metric")
            used |= {names.metrics[metric]} if metric in names.metrics else set()
    return constants, used


def _below(item: Item) -> Iterator[Item]:
    waiting = [item]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(one.items)


def _words(item: Item, *attributes: str) -> list[str]:
    return (item.take(*attributes) or "").split()


def _labels(performed: list[Item]) -> list[str]:
    """Names of the tests, made different where they are not."""
    labels: list[str] = []
    for at, one in enumerate(performed):
        name = one.take("name") or f"test {at}"
        labels.append(f"{name} ({at})" if name in labels else name)
    return labels


def _test(
    item: Item, label: str, labels: list[str], names: Names, templates: Mapping[str, AnyOperation]
) -> FuzzTest | None:
    try:
        operations = tuple(_operation(one, names, templates) for one in item.children("operations", "attacks"))
    except InputError as error:
        names.notes.append(f"Test {label}: an operation {error}; the test is left out.")
        return None
    origins = [_named(one, labels, names) for one in _words(item, "developedFrom")]
    return FuzzTest(
        name=label,
        operations=_told_apart(operations),
        results=_measured(item, label, names),
        developed_from=tuple(one for one in origins if one is not None),
    )


def _told_apart(operations: tuple[AnyOperation, ...]) -> tuple[AnyOperation, ...]:
    """One operation of the space may be there more than once in a test."""
    made: list[AnyOperation] = []
    for one in operations:
        same = sum(other.template == one.name for other in made)
        made.append(msgspec.structs.replace(one, name=f"{one.name} ({same + 1})", of=one.name) if same else one)
    return tuple(made)


def _operation(item: Item, names: Names, templates: Mapping[str, AnyOperation]) -> AnyOperation:
    name = item.take("name") or ""
    template = templates.get(item.take("fromTemplate") or "")
    return read_operation(item, names, name=name if template is None else template.name)


def _measured(item: Item, label: str, names: Names) -> dict[str, float]:
    """Results; one without a value, or with the number that means 'nothing received', is missing."""
    results: dict[str, float] = {}
    for one in item.children("metrics"):
        metric, result = names.metrics.get(one.take("metric") or ""), one.child("result")
        value = None if result is None else result.number("value")
        told = None if result is None else result.take("name")
        if metric is None or value is None or value == names.nothing.get(metric):
            names.missing.setdefault(str(metric or told), []).append(label)
        else:
            results[metric] = value
    return results


def _named(reference: str, labels: list[str], names: Names) -> str | None:
    found = _REFERENCE.fullmatch(reference)
    if found is None or int(found[2]) >= len(labels):
        names.notes.append(f"Reference {reference[:80]!r} leads to no test; left out.")
        return None
    return labels[int(found[2])]


def _stays(space: TestingSpace, test: FuzzTest, search: Search, names: Names) -> bool:
    try:
        space.check_test(test, search)
    except InputError as error:
        names.notes.append(f"{error} The test is left out.")
        return False
    return True


def _results(item: Item, labels: list[str], known: set[str], names: Names) -> ResultSet:
    name, final = item.take("name") or "results", (item.take("status") or "FINAL") == "FINAL"
    tests = [found for one in _words(item, "results") if (found := _named(one, labels, names)) is not None]
    missing = [one for one in tests if one not in known]
    if missing:
        names.notes.append(f"Result set {name}: without {len(missing)} tests that were left out.")
    kept = tuple(one for one in tests if one in known)
    return ResultSet(name=name, status="final" if final else "intermediate", tests=kept)


def _approach(item: Item, names: Names) -> Nsga2 | None:
    approach = item.child("approach")
    if approach is None or approach.kind != "NSGAEvolutionaryAlgorithm":
        if approach is not None:
            names.notes.append(f"Approach {approach.kind!r} is unknown; left out.")
        return None
    population, iterations = approach.number("populationSize"), approach.number("iterations")
    given = {"population": population, "iterations": iterations}
    return Nsga2(
        **{key: max(2 if key == "population" else 1, int(value)) for key, value in given.items() if value is not None}
    )


def _limit_s(item: Item, names: Names) -> float | None:
    trigger = item.child("endTrigger")
    if trigger is None:
        return None
    if trigger.kind != "TimeBasedEnd":
        names.notes.append(f"End trigger {trigger.kind!r} cannot be expressed; left out.")
        return None
    return trigger.number("timeLimitSeconds")
