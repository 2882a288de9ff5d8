"""The testing space: everything that may go wrong, and the searches that look there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import isfinite
from typing import ClassVar

import msgspec

from stressfield.bus import Message, find_type
from stressfield.errors import ConditionError, InputError, did_you_mean
from stressfield.fuzz.activation import Activation, Generated, check_activation
from stressfield.fuzz.condition import Term, Variable, Vocabulary, parse_term
from stressfield.fuzz.field_path import FieldPath
from stressfield.fuzz.operation import NodeOperation, Operation
from stressfield.fuzz.operations import AnyOperation
from stressfield.fuzz.search import FuzzTest, Label, Metric, Search

MOST_OBJECTIVES = 20
"""Of one search. With more, hardly a test is worse than another, and a front says nothing."""


class TestingSpace(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Possible operations, metrics, and the variables and grammar of conditions.

    ``topics`` gives the ROS type of each topic; if there are any, operations and variables may use no others, and the
    fields they name are checked. ``nodes`` does the same for nodes.
    """

    __test__: ClassVar[bool] = False

    name: Label
    topics: dict[str, str] = msgspec.field(default_factory=dict)
    nodes: tuple[str, ...] = ()
    variables: tuple[Variable, ...] = ()
    grammar: tuple[Term, ...] = ()
    operations: tuple[AnyOperation, ...] = ()
    metrics: tuple[Metric, ...] = ()
    searches: tuple[Search, ...] = ()

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of its conditions."""
        return Vocabulary.of(self.variables)

    def search(self, name: str) -> Search:
        """The search of that name."""
        for search in self.searches:
            if search.name == name:
                return search
        raise _unknown("search", name, [search.name for search in self.searches])

    @property
    def unknown_types(self) -> dict[str, str]:
        """Its topics with a type that no module imported so far defines: their fields cannot be checked."""
        return {
            topic: ros_type for topic, ros_type in self.topics.items() if find_type(ros_type, any_case=True) is None
        }

    def templates(self, search: Search | None = None) -> tuple[Operation, ...]:
        """The operations from which tests are made: those of a search, or all."""
        if search is None:
            return self.operations
        narrowed: dict[str, Operation] = {operation.name: operation for operation in search.narrowed}
        chosen = set(search.operations or (operation.name for operation in self.operations))
        found = [narrowed.get(operation.name, operation) for operation in self.operations if operation.name in chosen]
        if search.activation == "as_given":
            return tuple(found)
        return tuple(msgspec.structs.replace(operation, when=_generated(operation.when)) for operation in found)

    def check(self) -> TestingSpace:
        """The space itself, or an InputError that says what is wrong with it and where."""
        try:
            msgspec.convert(msgspec.to_builtins(self), TestingSpace)
        except (msgspec.ValidationError, TypeError) as error:
            raise InputError(f"The testing space {self.name!r} does not fit: {error}.") from None
        _different("operation", [operation.name for operation in self.operations])
        _different("metric", [metric.name for metric in self.metrics])
        _different("search", [search.name for search in self.searches])
        self._check_topics()
        vocabulary = self.vocabulary
        for variable in self.variables:
            self._check_variable(variable)
        for term in self.grammar:
            _check_term(term, vocabulary)
        for metric in self.metrics:
            self._check_fields(metric.topics, [metric.path] if metric.path else [], f"Metric {metric.name!r}")
        for operation in self.operations:
            self._check_operation(operation, vocabulary)
        for search in self.searches:
            self._check_search(search, vocabulary)
        return self

    def check_operation(self, operation: Operation) -> None:
        """InputError unless the operation could be one of the space."""
        try:
            msgspec.convert(msgspec.to_builtins(operation), AnyOperation)
        except (msgspec.ValidationError, TypeError) as error:
            raise InputError(f"Operation {operation.name!r} does not fit: {error}.") from None
        self._check_operation(operation, self.vocabulary)

    def check_test(self, test: FuzzTest, search: Search | None = None) -> None:
        """InputError unless the test stays inside the space."""
        what = f"Test {test.name!r}"
        templates = {template.name: template for template in self.templates(search)}
        _different(f"{what}: operation", [operation.name for operation in test.operations])
        for operation in test.operations:
            if operation.template not in templates:
                raise _unknown(f"operation of {what}", operation.template, templates)
            self._check_operation(operation, self.vocabulary, what=what)
            if not operation.is_concrete or isinstance(operation.when, Generated):
                raise InputError(f"{what}, operation {operation.name!r} is not concrete. Wanted values, not ranges.")
            operation.check_inside(templates[operation.template], what=what)

    def _check_topics(self) -> None:
        for topic, ros_type in self.topics.items():
            if ros_type.count("/") not in (1, 2):
                raise InputError(f"Topic {topic!r} has the type {ros_type!r}. Wanted for instance geometry_msgs/Twist.")

    def _check_variable(self, variable: Variable) -> None:
        what = f"Variable {variable.key!r}"
        path = f"{variable.path}.x" if variable.kind == "place" else variable.path
        self._check_fields(variable.topics, [path] if variable.take != "count" and variable.topics else [], what)

    def _check_operation(self, operation: Operation, vocabulary: Vocabulary, what: str = "") -> None:
        what = f"{what}, operation {operation.name!r}" if what else f"Operation {operation.name!r}"
        operation.check()
        try:
            check_activation(operation.when, vocabulary, what=what)
        except ConditionError as error:
            raise ConditionError(
                f"{what}: {error.reason}", condition=error.condition, position=error.position, length=error.length
            ) from None
        if isinstance(operation.when, Generated) and not self.grammar:
            raise InputError(f"{what} has generated conditions, but the space has no 'grammar' to make them of.")
        if not isinstance(operation, NodeOperation):
            self._check_fields(operation.targets, operation.paths, what)
            return
        for node in operation.targets if self.nodes else ():
            if node not in self.nodes:
                raise _unknown(f"node of {what}", node, self.nodes)

    def _check_fields(self, topics: Iterable[str], paths: Sequence[str], what: str) -> None:
        for topic in topics if self.topics else ():
            if topic not in self.topics:
                raise _unknown(f"topic of {what}", topic, self.topics)
            message_type = find_type(self.topics[topic], any_case=True)
            for path in paths:
                try:
                    _check_path(FieldPath.parse(path), message_type, self.topics[topic])
                except InputError as error:
                    raise InputError(f"{what}, topic {topic!r}: {error}") from None

    def _check_search(self, search: Search, vocabulary: Vocabulary) -> None:
        what = f"Search {search.name!r}"
        known = {operation.name: operation for operation in self.operations}
        for name in (*search.operations, *(operation.name for operation in search.narrowed)):
            if name not in known:
                raise _unknown(f"operation of {what}", name, known)
        for operation in search.narrowed:
            if operation.of is not None:
                raise InputError(f"{what}, operation {operation.name!r} has 'of'. Wanted the name of the space's own.")
            self._check_operation(operation, vocabulary, what)
            operation.check_inside(known[operation.name], what=what)
        self._check_objectives(search, what)
        if search.activation == "condition" and not self.grammar:
            raise InputError(f"{what} is condition-based, but the space has no 'grammar' to make conditions of.")
        if search.limit_s is not None and not (isfinite(search.limit_s) and search.limit_s > 0.0):
            raise InputError(f"{what}: limit_s is {search.limit_s!r}. Wanted more than 0.")
        tests = [test.name for test in search.tests]
        _different(f"test of {what}", tests)
        for test in search.tests:
            self.check_test(test, search)
        there = set(tests)
        for results in search.result_sets:
            for name in results.tests:
                if name not in there:
                    raise _unknown(f"test of result set {results.name!r}", name, tests)

    def _check_objectives(self, search: Search, what: str) -> None:
        metrics = [metric.name for metric in self.metrics]
        _different(f"objective of {what}", [objective.metric for objective in search.objectives])
        if len(search.objectives) > MOST_OBJECTIVES:
            raise InputError(f"{what} has {len(search.objectives)} objectives. Wanted at most {MOST_OBJECTIVES}.")
        for objective in search.objectives:
            if objective.metric not in metrics:
                raise _unknown(f"metric of {what}", objective.metric, metrics)


def _check_path(path: FieldPath, message_type: type[Message] | None, ros_type: str) -> None:
    """InputError unless messages have a number there; of a type that is not known here, only its name is checked."""
    if message_type is not None:
        path.check(message_type)
    elif path.ros_type is not None and path.ros_type.replace("/msg/", "/") != ros_type.replace("/msg/", "/"):
        raise InputError(f"The path is for {path.ros_type}, the messages are {ros_type}.")


def _generated(when: Activation) -> Activation:
    return when if isinstance(when, Generated) else Generated()


def _check_term(term: Term, vocabulary: Vocabulary) -> None:
    parse_term(term.term, vocabulary)
    if not (isfinite(term.low) and isfinite(term.high) and term.low <= term.high):
        raise InputError(
            f"Grammar, {term.term!r}: the bounds are crossed or not finite, got [{term.low:g}, {term.high:g}]."
        )


def _different(what: str, names: Sequence[str]) -> None:
    twice = next((name for name in names if names.count(name) > 1), None) if len(set(names)) < len(names) else None
    if twice is not None:
        raise InputError(f"The {what} {twice!r} occurs twice. Wanted different names.")


def _unknown(what: str, name: str, known: Iterable[str]) -> InputError:
    names = list(known)
    told = f"There are: {', '.join(names[:12])}{', ...' if len(names) > 12 else ''}." if names else "There is none."
    return InputError(f"Unknown {what}: {name!r}. {told}{did_you_mean(name, names)}")
