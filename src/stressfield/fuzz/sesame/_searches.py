"""Campaigns of a SESAME model: our searches, their performed tests and result sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite

import msgspec

from stressfield.errors import InputError
from stressfield.fuzz.activation import Conditional
from stressfield.fuzz.operations import AnyOperation
from stressfield.fuzz.search import Approach, FuzzTest, Nsga2, Objective, RandomTests, ResultSet, Search, Termination
from stressfield.fuzz.sesame._document import Item, shown
from stressfield.fuzz.sesame._metrics import MetricReader
from stressfield.fuzz.sesame._operations import OperationReader
from stressfield.fuzz.sesame._system import IdleError, Notes, UnexpressedError, different
from stressfield.fuzz.space import MOST_OBJECTIVES, TestingSpace

MOST_ADDED = 200
"""Operations of hand-made tests that a space gets at most."""
_LONGEST_LABEL = 200
_LONGEST_OPERATION = 90
_MOST_STEPS = 1000


@dataclass(slots=True)
class SearchReader:
    """Makes searches of campaigns. ``templates`` are the operations of the space by their elements."""

    operations: OperationReader
    metrics: MetricReader
    templates: Mapping[Item, AnyOperation]
    lost: Mapping[Item, UnexpressedError]
    """Operations of the space that are not in it, and why."""
    notes: Notes
    labels: dict[Item, str] = field(default_factory=dict)
    """The names of tests, by their elements."""
    missing: dict[str, list[str]] = field(default_factory=dict)
    """Tests without a result, by metric."""

    def read(self, space: TestingSpace, campaigns: Sequence[Item]) -> TestingSpace:
        """The space with a search for each campaign. Tests that leave the space are left out, with a note why."""
        for campaign in campaigns:
            self._name_tests(campaign)
        _check_ancestry(self.labels)
        given = tuple(operation.name for operation in space.operations)
        for campaign in campaigns:
            space = self._read(space, campaign)
        if len(space.operations) == len(given):
            return space
        # to name no operation is to mean all: those of hand-made tests are not for the others
        searches = tuple(
            search
            if search.operations or search.approach is None
            else msgspec.structs.replace(search, operations=given)
            for search in space.searches
        )
        return msgspec.structs.replace(space, searches=searches)

    def _name_tests(self, campaign: Item) -> None:
        taken: set[str] = set()
        for at, test in enumerate(campaign.parts("performedTests")):
            name = test.text("name") or f"test {at}"
            label = f"{name} ({at})" if name in taken else name
            label = different(label, taken, longest=_LONGEST_LABEL)
            taken.add(label)
            self.labels[test] = label

    def _read(self, space: TestingSpace, campaign: Item) -> TestingSpace:
        name = campaign.text("name") or f"search {campaign.index + 1}"
        name = different(name, {search.name for search in space.searches}, longest=_LONGEST_LABEL)
        performed = campaign.parts("performedTests")
        made = [test for item in performed if (test := self._test(item)) is not None]
        approach, termination = self._approach(campaign, name)
        search = Search(
            name=name,
            operations=self._included(campaign, name),
            activation="condition" if self._conditional(space, campaign, made) else "as_given",
            objectives=self._objectives(campaign, name),
            approach=approach,
            termination=termination,
            limit_s=self._limit_s(campaign),
        )
        if approach is None:
            space, search, made = self._listed(space, search, made)
        kept = tuple(test for test in made if self._stays(space, test, search))
        known = {test.name for test in kept}
        sets = tuple(self._results(item, known) for item in campaign.parts("resultSets"))
        if campaign.given("finalResults"):
            sets += (self._results(campaign, known, name="finalResults", feature="finalResults"),)
        search = msgspec.structs.replace(search, tests=kept, result_sets=sets)
        return msgspec.structs.replace(space, searches=(*space.searches, search))

    def _listed(
        self, space: TestingSpace, search: Search, tests: Sequence[FuzzTest]
    ) -> tuple[TestingSpace, Search, list[FuzzTest]]:
        """Tests that nobody searched for were made by hand, and may leave the space: then it gets their operations."""
        search = msgspec.structs.replace(search, activation="as_given")
        added: dict[bytes, AnyOperation] = {}
        made: list[FuzzTest] = []
        taken = {operation.name for operation in space.operations}
        for test in tests:
            if self._fault(space, test, search) is None:
                made.append(test)
                continue
            own: list[AnyOperation] = []
            for operation in test.operations:
                key = msgspec.json.encode(msgspec.structs.replace(operation, name="-", of=None))
                if key not in added and len(added) < MOST_ADDED:
                    name = different(operation.template, taken, longest=_LONGEST_OPERATION)
                    taken.add(name)
                    added[key] = msgspec.structs.replace(operation, name=name, of=None)
                own.append(added.get(key, operation))
            made.append(msgspec.structs.replace(test, operations=_told_apart(own)))
        if not added:
            return space, search, made
        operations = (*space.operations, *added.values())
        used = dict.fromkeys(operation.template for test in made for operation in test.operations)
        names = tuple(name for name in dict.fromkeys((*search.operations, *used)) if name in taken)
        self.notes.say(
            f"Search {search.name}: some of its tests were made by hand and leave the space, which gets {len(added)} "
            f"operations more for them: {', '.join(operation.name for operation in [*added.values()][:3])}"
            + (", ..." if len(added) > 3 else ".")
        )
        larger = msgspec.structs.replace(space, operations=operations)
        return larger, msgspec.structs.replace(search, operations=names), made

    def _conditional(self, space: TestingSpace, campaign: Item, made: Sequence[FuzzTest]) -> bool:
        """Whether the search generates conditions: as its tests show, or without tests, as the campaign says."""
        method = campaign.part("activationGeneration")
        if any(isinstance(operation.when, Conditional) for test in made for operation in test.operations):
            wanted = True
        else:
            acts = any(test.operations for test in made)
            wanted = not acts and method is not None and method.is_a("ConditionBasedActivationGenerationMethod")
        if wanted and not space.grammar:
            self.notes.say(
                f"Search {campaign.text('name')}: conditions cannot be generated, because no metric has a range; "
                "operations act in the windows that the space gives."
            )
        if method is not None and method.cls is None:
            self.notes.say(f"Activation {method.kind!r} is unknown; left out.")
            method.told()
        return wanted and bool(space.grammar)

    def _included(self, campaign: Item, name: str) -> tuple[str, ...]:
        found, lost = campaign.targets("includedOperations", of="FuzzingOperation")
        absent = len(lost) + sum(item not in self.templates for item in found)
        if absent:
            self.notes.say(f"Search {name}: without {absent} operations that are not in the space.")
        return tuple(dict.fromkeys(self.templates[item].name for item in found if item in self.templates))

    def _objectives(self, campaign: Item, name: str) -> tuple[Objective, ...]:
        found, lost = campaign.targets("metrics", of="Metric")
        names = list(dict.fromkeys(self.metrics.metrics[item].name for item in found if item in self.metrics.metrics))
        if lost:
            self.notes.say(f"Search {name}: {len(lost)} of its metrics are not in the model.")
        if self.metrics.optimised:
            measured = [metric for metric in names if metric not in self.metrics.optimised]
            names = [metric for metric in names if metric in self.metrics.optimised]
            if measured:
                self.notes.say(f"Search {name}: measured, but not to be optimised: {', '.join(measured)}.")
        if len(names) > MOST_OBJECTIVES:
            self.notes.say(
                f"Search {name}: {len(names)} objectives, wanted at most {MOST_OBJECTIVES}; without "
                f"{', '.join(names[MOST_OBJECTIVES:])}."
            )
        return tuple(Objective(metric=metric) for metric in names[:MOST_OBJECTIVES])

    def _approach(self, campaign: Item, name: str) -> tuple[Approach | None, Termination]:
        approach = campaign.part("approach")
        if approach is None:
            return None, Termination()
        if approach.is_a("NSGAEvolutionaryAlgorithm"):
            return self._nsga(approach, name), self._coverage(approach, name)
        if approach.is_a("RandomTestGeneration"):
            return RandomTests(), Termination()
        if approach.is_a("RepeatedExecution"):
            found, _ = approach.targets("testToRepeat", of="Test")
            test = self.labels.get(found[0]) if found else None
            count = approach.whole("repeatCount")
            command = f"run STUDY --space SPACE --tests '{test}' --repeats {count}"
            self.notes.say(
                f"Search {name} repeats the test {test} {count} times. A search here does not, but this does: "
                f"stressfield {command}"
            )
        else:
            self.notes.say(f"Approach {approach.kind!r} is unknown; left out.")
            approach.told()
        return None, Termination()

    def _nsga(self, approach: Item, name: str) -> Nsga2:
        population, iterations = approach.whole("populationSize"), approach.whole("iterations")
        made = Nsga2(population=max(2, population), iterations=max(1, iterations))
        if (made.population, made.iterations) != (population, iterations):
            self.notes.say(
                f"Search {name}: a population of {population} and {iterations} iterations cannot be; imported as "
                f"{made.population} and {made.iterations}."
            )
        return made

    def _coverage(self, approach: Item, name: str) -> Termination:
        if not approach.is_a("NSGAWithCoverageCells"):
            return Termination()
        target = approach.number("targetCoverageProportion")
        counts = [record.whole("count") for record in approach.parts("dimensionRecords")]
        steps = min(max([*counts, 1]), _MOST_STEPS) if counts else Termination().steps
        if not 0.0 < target <= 1.0:
            self.notes.say(
                f"Search {name}: a target of coverage of {target:g} (wanted more than 0, at most 1) does not end it."
            )
            return Termination()
        self.notes.say(
            f"Search {name} ends at a coverage of {target:g}. Its cells are cut along {len(counts)} means or counts of "
            f"a test's operations; here along each operation's ranges and windows, into {steps} steps."
        )
        return Termination(coverage=target, steps=steps)

    def _limit_s(self, campaign: Item) -> float | None:
        trigger = campaign.part("endTrigger")
        if trigger is None:
            return None
        limit_s = float(trigger.whole("timeLimitSeconds")) if trigger.is_a("TimeBasedEnd") else 0.0
        if limit_s <= 0.0:
            told = f"at {limit_s:g} s" if trigger.is_a("TimeBasedEnd") else f"by a {trigger.kind!r}"
            self.notes.say(f"Campaign {campaign.text('name')}: its tests cannot end {told}; left out.")
            trigger.told()
            return None
        return limit_s

    def _test(self, item: Item) -> FuzzTest | None:
        label = self.labels[item]
        results = self._measured(item, label)
        operations = self._operations(item, label)
        if operations is None:
            for part in item.parts("operations"):
                part.told()
            return None
        found, lost = item.targets("developedFrom", of="Test")
        if lost:
            self.notes.say_alike(f"Reference {shown(lost[0])} leads to no test; left out.")
        origins = tuple(self.labels[test] for test in found if test in self.labels)
        return FuzzTest(name=label, operations=_told_apart(operations), results=results, developed_from=origins)

    def _operations(self, item: Item, label: str) -> list[AnyOperation] | None:
        flags = item.parts("debugFlags")
        made: list[AnyOperation] = []
        for part in item.parts("operations"):
            name = part.text("name") or f"operation {part.index + 1}"
            try:
                made.append(self._operation(part, name))
            except IdleError as reason:
                self.notes.say_alike(f"Test {label!r}: the operation {name!r} {reason}; the test is without it.")
                part.told()
            except UnexpressedError as reason:
                self.notes.say_alike(f"Test {label!r}: an operation, {name!r}, {reason}; the test is left out.")
                return None
        if any(flag.is_a("PassiveMonitorOnly") for flag in flags):
            self.notes.say_alike(
                f"Test {label!r} only watched (PassiveMonitorOnly): what its {len(made)} operations did never arrived. "
                "Imported without operations."
            )
            return []
        return made

    def _operation(self, item: Item, name: str) -> AnyOperation:
        found, lost = item.targets("fromTemplate", of="FuzzingOperation")
        if not found:
            if lost:
                raise UnexpressedError(f"is made from a template that is not in the model ({shown(lost[0])})")
            return self.operations.read(item, name=name, concrete=True)
        template = self.templates.get(found[0])
        if template is None:
            reason = self.lost.get(found[0], UnexpressedError("is made from no operation of the space"))
            raise type(reason)(str(reason))
        own = name[:_LONGEST_OPERATION]
        made = self.operations.read(item, name=template.name, concrete=True)
        named = bool(item.text("name")) and own != template.name
        return msgspec.structs.replace(made, name=own, of=template.name) if named else made

    def _measured(self, item: Item, label: str) -> dict[str, float]:
        """Results; one without a value, or with the number that means 'nothing received', is missing."""
        results: dict[str, float] = {}
        by_name = {metric.name: metric for metric in self.metrics.metrics.values()}
        acted = item.given("operations")
        for measured in item.parts("metrics"):
            found, _ = measured.targets("metric", of="Metric")
            result = measured.part("result")
            told = "" if result is None else result.text("name") or ""
            metric = self.metrics.metrics.get(found[0]) if found else by_name.get(told)
            # zero is the default of a value, so it is not written; but operations that acted took some time
            silent = result is None or (
                not result.given("value") and acted and metric is not None and metric.kind == "static"
            )
            value = float("nan") if result is None or silent else result.number("value")
            if metric is None or not isfinite(value) or value == self.metrics.nothing.get(metric.name):
                self.missing.setdefault(told if metric is None else metric.name, []).append(label)
            else:
                results[metric.name] = value
        return results

    def _stays(self, space: TestingSpace, test: FuzzTest, search: Search) -> bool:
        fault = self._fault(space, test, search)
        if fault is not None:
            self.notes.say_alike(f"{fault} The test is left out.")
        return fault is None

    def _fault(self, space: TestingSpace, test: FuzzTest, search: Search) -> InputError | None:
        known = search.operations or tuple(operation.name for operation in space.operations)
        strange = [operation.template for operation in test.operations if operation.template not in known]
        if strange:
            # nobody misspelt it, so what it might have meant is not looked for: there may be many such tests
            return InputError(f"Test {test.name!r} has the operation {strange[0]!r}, which the search does not have.")
        try:
            space.check_test(test, search)
        except InputError as error:
            return error
        return None

    def _results(self, item: Item, known: set[str], *, name: str = "", feature: str = "results") -> ResultSet:
        name = different(name or item.text("name") or "results", (), longest=_LONGEST_LABEL)
        found, lost = item.targets(feature, of="Test")
        tests = [self.labels[test] for test in found if test in self.labels]
        kept = tuple(test for test in tests if test in known)
        absent = len(found) - len(kept) + len(lost)
        if absent:
            self.notes.say_alike(f"Result set {name}: without {absent} tests that were left out.")
        final = feature != "results" or item.word("status") == "FINAL"
        return ResultSet(name=name, status="final" if final else "intermediate", tests=kept)


def _told_apart(operations: Sequence[AnyOperation]) -> tuple[AnyOperation, ...]:
    """One operation of the space may be there more than once in a test."""
    made: dict[str, AnyOperation] = {}
    count: dict[str, int] = {}
    for operation in operations:
        number = count[operation.name] = count.get(operation.name, 0) + 1
        name = operation.name if number == 1 else f"{operation.name} ({number})"
        name = different(name, made, longest=_LONGEST_OPERATION + 10)
        named = name == operation.name
        made[name] = operation if named else msgspec.structs.replace(operation, name=name, of=operation.template)
    return tuple(made.values())


def _check_ancestry(tests: Mapping[Item, str]) -> None:
    """InputError if a test is developed from itself."""
    check_acyclic(
        {test: test.targets("developedFrom", of="Test")[0] for test in tests}, "Test", "developed from", tests
    )


def check_acyclic(leads: Mapping[Item, Sequence[Item]], what: str, how: str, names: Mapping[Item, str]) -> None:
    """InputError if references lead from an element back to it."""
    done: set[Item] = set()
    for first in leads:
        path: list[Item] = []
        open_: set[Item] = set()
        # without recursion: a chain may be as long as there are tests
        waiting: list[tuple[Item, bool]] = [(first, False)]
        while waiting:
            item, left = waiting.pop()
            if left:
                path.pop()
                open_.discard(item)
                done.add(item)
            elif item in open_:
                told = names.get(item, item.place)
                raise InputError(f"{what} {told!r} is {how} itself, through {len(path) - path.index(item)} references.")
            elif item not in done:
                path.append(item)
                open_.add(item)
                waiting.append((item, True))
                waiting.extend((target, False) for target in leads.get(item, ()))
