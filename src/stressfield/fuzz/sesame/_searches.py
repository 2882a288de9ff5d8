"""Operations of a SESAME model, its campaigns (our searches), their performed tests and result sets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import msgspec

from stressfield.errors import InputError
from stressfield.fuzz.activation import Activation, Conditional, Window
from stressfield.fuzz.bound import Bound, FieldValues, Range
from stressfield.fuzz.field_path import FieldPath
from stressfield.fuzz.operations import AnyOperation, Blackhole, Loss, RandomValue
from stressfield.fuzz.search import FuzzTest, Nsga2, Objective, ResultSet, Search
from stressfield.fuzz.sesame._elements import Frequency, Item, ModelNames, canonical
from stressfield.fuzz.space import TestingSpace

_REFERENCE = re.compile(r"//@campaigns\.([0-9]{1,9})/@performedTests\.([0-9]{1,9})")


def read_search(
    space: TestingSpace, item: Item, names: ModelNames, templates: Mapping[str, AnyOperation], *, place: int
) -> TestingSpace:
    """The space with one search more. Tests that leave the space are left out, with a note why."""
    name = item.take("name") or f"search {place + 1}"
    included = [
        templates[identifier].name
        for identifier in _words(item, "includedOperations", "includedAttacks")
        if identifier in templates
    ]
    objectives = [
        Objective(metric=names.metrics[identifier])
        for identifier in _words(item, "metrics")
        if identifier in names.metrics
    ]
    performed = item.children("performedTests")
    labels = _labels(performed)
    tests = [_test(test, label, labels, names, templates) for test, label in zip(performed, labels, strict=True)]
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
    results = tuple(_results(results_item, labels, known, names) for results_item in item.children("resultSets"))
    search = msgspec.structs.replace(search, tests=kept, result_sets=results)
    return msgspec.structs.replace(space, searches=(*space.searches, search))


def constants_of(item: Item, names: ModelNames) -> tuple[list[float], set[str]]:
    """The numbers in all conditions of a campaign's tests, and the metrics that are compared."""
    constants: list[float] = []
    used: set[str] = set()
    for part in _below(item):
        if part.kind in ("ConditionInteger", "ConditionDouble", "ConditionReal"):
            constants.append(part.number("value") or 0.0)
        elif part.tag == "left" or part.kind == "ConditionVariable":
            metric = part.take("metric")
            used |= {names.metrics[metric]} if metric in names.metrics else set()
    return constants, used


def _below(item: Item) -> Iterator[Item]:
    waiting = [item]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(part.items)


def _words(item: Item, *attributes: str) -> list[str]:
    return (item.take(*attributes) or "").split()


def _labels(performed: list[Item]) -> list[str]:
    """ModelNames of the tests, made different where they are not."""
    labels: list[str] = []
    for at, test in enumerate(performed):
        name = test.take("name") or f"test {at}"
        labels.append(f"{name} ({at})" if name in labels else name)
    return labels


def _test(
    item: Item, label: str, labels: list[str], names: ModelNames, templates: Mapping[str, AnyOperation]
) -> FuzzTest | None:
    try:
        operations = tuple(
            _operation(operation, names, templates) for operation in item.children("operations", "attacks")
        )
    except InputError as error:
        names.notes.append(f"Test {label}: an operation {error}; the test is left out.")
        return None
    origins = [_named(reference, labels, names) for reference in _words(item, "developedFrom")]
    return FuzzTest(
        name=label,
        operations=_told_apart(operations),
        results=_measured(item, label, names),
        developed_from=tuple(origin for origin in origins if origin is not None),
    )


def _told_apart(operations: tuple[AnyOperation, ...]) -> tuple[AnyOperation, ...]:
    """One operation of the space may be there more than once in a test."""
    made: list[AnyOperation] = []
    for operation in operations:
        same = sum(other.template == operation.name for other in made)
        made.append(
            msgspec.structs.replace(operation, name=f"{operation.name} ({same + 1})", of=operation.name)
            if same
            else operation
        )
    return tuple(made)


def _operation(item: Item, names: ModelNames, templates: Mapping[str, AnyOperation]) -> AnyOperation:
    name = item.take("name") or ""
    template = templates.get(item.take("fromTemplate") or "")
    return read_operation(item, names, name=name if template is None else template.name)


def _measured(item: Item, label: str, names: ModelNames) -> dict[str, float]:
    """Results; one without a value, or with the number that means 'nothing received', is missing."""
    results: dict[str, float] = {}
    for measured in item.children("metrics"):
        metric, result = names.metrics.get(measured.take("metric") or ""), measured.child("result")
        value = None if result is None else result.number("value")
        told = None if result is None else result.take("name")
        if metric is None or value is None or value == names.nothing.get(metric):
            names.missing.setdefault(str(metric or told), []).append(label)
        else:
            results[metric] = value
    return results


def _named(reference: str, labels: list[str], names: ModelNames) -> str | None:
    found = _REFERENCE.fullmatch(reference)
    if found is None or int(found[2]) >= len(labels):
        names.notes.append(f"Reference {reference[:80]!r} leads to no test; left out.")
        return None
    return labels[int(found[2])]


def _stays(space: TestingSpace, test: FuzzTest, search: Search, names: ModelNames) -> bool:
    try:
        space.check_test(test, search)
    except InputError as error:
        names.notes.append(f"{error} The test is left out.")
        return False
    return True


def _results(item: Item, labels: list[str], known: set[str], names: ModelNames) -> ResultSet:
    name, final = item.take("name") or "results", (item.take("status") or "FINAL") == "FINAL"
    tests = [found for reference in _words(item, "results") if (found := _named(reference, labels, names)) is not None]
    missing = [test for test in tests if test not in known]
    if missing:
        names.notes.append(f"Result set {name}: without {len(missing)} tests that were left out.")
    kept = tuple(test for test in tests if test in known)
    return ResultSet(name=name, status="final" if final else "intermediate", tests=kept)


def _approach(item: Item, names: ModelNames) -> Nsga2 | None:
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


def _limit_s(item: Item, names: ModelNames) -> float | None:
    trigger = item.child("endTrigger")
    if trigger is None:
        return None
    if trigger.kind != "TimeBasedEnd":
        names.notes.append(f"End trigger {trigger.kind!r} cannot be expressed; left out.")
        return None
    return trigger.number("timeLimitSeconds")


def read_operation(item: Item, names: ModelNames, *, name: str) -> AnyOperation:
    """The operation of an element; InputError (the end of a sentence) if it cannot be expressed."""
    kind = item.kind.removesuffix("Attack").removesuffix("Operation")
    topic = names.topic(item.take("variableToAffect", "topicToAttack"))
    when = _activation(item.child("activation", "attackActivation"), names)
    if kind == "BlackholeNetwork":
        return Blackhole(name=name, topics=(topic,), when=when)
    if kind == "PacketLossNetwork":
        return Loss(
            name=name, topics=(topic,), when=when, probability=_probability(item.child("frequency"), names.frequency)
        )
    if kind != "RandomValueFromSet":
        raise InputError(f"is a {item.kind!r}, which cannot be expressed")
    return RandomValue(name=name, topics=(topic,), when=when, fields=tuple(map(_field, item.children("valueSet"))))


def _activation(item: Item | None, names: ModelNames) -> Activation:
    if item is None:
        return Window()
    if item.kind in ("FixedTimeActivation", "AttackFixedTime"):
        # the model leaves out what is zero, its default
        start_s, end_s = item.number("startTime") or 0.0, item.number("endTime") or 0.0
        if not 0.0 <= start_s < end_s:
            raise InputError(f"is active from {start_s:g} s to {end_s:g} s, which is never")
        return Window(start_s=start_s, end_s=end_s)
    if item.kind != "ConditionBasedActivation":
        raise InputError(f"has an activation {item.kind!r} that cannot be expressed")
    starting, ending = item.child("starting"), item.child("ending")
    if starting is None:
        raise InputError("has an activation without a start")
    end = None if ending is None else names.condition(ending.child("c"))
    return Conditional(start=names.condition(starting.child("c")), end=end)


def _range(item: Item) -> Range:
    return Range(item.number("lowerBound") or 0.0, item.number("upperBound") or 0.0)


def _probability(item: Item | None, meaning: Frequency) -> Bound:
    if item is None:
        raise InputError("has no probability of loss")
    given = _range(item)
    if meaning is Frequency.PASSED:
        given = Range(1.0 - given.high, 1.0 - given.low)
    return given.low if given.low == given.high else given


def _field(item: Item) -> FieldValues:
    if item.kind != "DoubleRange":
        raise InputError(f"has values of type {item.kind!r} that cannot be expressed")
    path = FieldPath.parse(item.take("propertyName") or "")
    prefix = "" if path.ros_type is None else f"{canonical(path.ros_type.replace('/msg/', '/'))}."
    return FieldValues(path=f"{prefix}{path}", range=_range(item))
