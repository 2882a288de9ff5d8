"""Operations of a SESAME model, with the values, times and conditions that they have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite
from typing import TypeAlias

import msgspec

from stressfield.fuzz.activation import Activation, Conditional, Window
from stressfield.fuzz.bound import Bound, FieldValues, Range
from stressfield.fuzz.operations import AnyOperation, Blackhole, Custom, Delay, Jitter, Loss, RandomOffset, RandomValue
from stressfield.fuzz.sesame._document import Item, shown
from stressfield.fuzz.sesame._system import IdleError, System, UnexpressedError

COMPARISONS: Mapping[str, str] = {
    "LESS_THAN": "<",
    "GREATER_THAN": ">",
    "LESS_THAN_OR_EQUAL": "<=",
    "LESS_THAN_OR_EQUAL_TO": "<=",
    "GREATER_THAN_OR_EQUAL": ">=",
    "GREATER_THAN_OR_EQUAL_TO": ">=",
    "EQUAL": "==",
    "EQUALS": "==",
    "NOT_EQUAL": "!=",
}
MOST_VALUES = 1000
"""So many whole numbers are imported one by one; more of them as a range."""
_LONGEST_FUNCTION = 200
_REASONS: Mapping[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "ComponentOperation": ("acts on a component as a whole", ()),
    "ComponentPropertyOperation": ("acts on properties of a component", (("propertyToAffect", "ComponentProperty"),)),
    "ComponentSubPropertyOperation": (
        "acts on parts of a component's property",
        (("propertyToAffect", "ComponentProperty"), ("subProperty", "Type")),
    ),
    "VariableOperation": ("acts on parameters of a variable", (("subParameters", "Parameter"),)),
}
"""What operations do that have no like here, and what they do it to."""


class Frequency(StrEnum):
    """What ``frequency`` of a PacketLossNetworkOperation means. D6.2 says one thing and does the other."""

    LOST = "lost"
    """The share of messages that is lost, as the text of D6.2 says (section 3.6: "loss probabilities")."""
    PASSED = "passed"
    """The share that comes through, as its generated code does (figure 15 discards if frequency <= a random number)."""


@dataclass(slots=True)
class OperationReader:
    """Makes operations of elements. ``metrics`` are the words of conditions."""

    system: System
    frequency: Frequency
    metrics: dict[Item, str] = field(default_factory=dict)

    def read(self, item: Item, *, name: str, concrete: bool) -> AnyOperation:
        """The operation of an element; UnexpressedError if it has no like here. One of a test is ``concrete``."""
        make = _MAKERS.get(item.kind)
        if make is None:
            raise UnexpressedError(f"is a {item.kind or 'operation without a type'!r}, which {_reason(item)}")
        topics = self._topics(item)
        made = make(self, item, name, topics, concrete)
        return msgspec.structs.replace(made, when=self._activation(item.part("activation")))

    def _topics(self, item: Item) -> tuple[str, ...]:
        variables: list[Item] = []
        for reference in ("variableToAffect", "publishingVars", "subscribingVars"):
            found, lost = item.targets(reference, of="Variable")
            if lost:
                where = "another file" if "#" in lost[0][1:] else "no topic of the model"
                raise UnexpressedError(f"refers to {where} (got {shown(lost[0])})")
            variables += found
        nodes, _ = item.targets("nodeToFuzz", of="Node")
        for flag, reference in (("allPublishingVars", "publisher"), ("allSubscribingVars", "subscriber")):
            if item.flag(flag):
                variables += [found for node in nodes for found in node.targets(reference, of="Variable")[0]]
        topics = tuple(
            dict.fromkeys(self.system.topics[variable] for variable in variables if variable in self.system.topics)
        )
        if topics:
            return topics
        if item.is_a("CustomFuzzingOperation") and not nodes and self.system.topics:
            self.system.notes.say_alike(
                f"Operation {item.text('name')!r} names no variable to affect: its code gets all topics' messages."
            )
            return tuple(dict.fromkeys(self.system.topics.values()))
        raise UnexpressedError("names no variable to affect, so it acts on no topic of the model")

    def _blackhole(self, _item: Item, name: str, topics: tuple[str, ...], _concrete: bool) -> AnyOperation:
        return Blackhole(name=name, topics=topics)

    def _loss(self, item: Item, name: str, topics: tuple[str, ...], concrete: bool) -> AnyOperation:
        given = self._bound(item, "frequency", concrete=concrete)
        if self.frequency is Frequency.PASSED:
            given = Range(1.0 - given.high, 1.0 - given.low) if isinstance(given, Range) else 1.0 - given
        return Loss(name=name, topics=topics, probability=given)

    def _delay(self, item: Item, name: str, topics: tuple[str, ...], concrete: bool) -> AnyOperation:
        given = self._bound(item, "latency", concrete=concrete)
        if item.flag("randomised"):
            return Jitter(name=name, topics=topics, spread_s=given)
        return Delay(name=name, topics=topics, delay_s=given)

    def _bound(self, item: Item, feature: str, *, concrete: bool) -> Bound:
        part = item.part(feature)
        if part is None:
            raise UnexpressedError(f"has no {feature}")
        span = self._range(part)
        if span.low == span.high:
            return span.low
        if not concrete:
            return span
        self.system.notes.say(
            f"A test's range of {feature}: what acts is its lower bound, as in the code that SESAME generates."
        )
        return span.low

    def _values(self, item: Item, name: str, topics: tuple[str, ...], _concrete: bool) -> AnyOperation:
        sets = item.parts("valueSet")
        relative = item.flag("isRelative")
        fields = [made for values in sets for made in self._fields(values, item, topics[0])]
        if not sets:
            raise IdleError("changes no field (it only listens)")
        if not fields:
            raise UnexpressedError("changes nothing that is a number")
        kind = RandomOffset if relative else RandomValue
        return kind(name=name, topics=topics, fields=tuple(fields))

    def _fields(self, values: Item, operation: Item, topic: str) -> list[FieldValues]:
        """What fields become; a note on those that are not numbers."""
        given = values.text("propertyName") or ""
        if not values.is_a("ValueRange"):
            self._skip(values, operation, given)
            return []
        if values.is_a("PointRange"):
            made = self._point(values)
            return [FieldValues(path=self.system.field(f"{given}.{axis}", topic), range=made[axis]) for axis in "xyz"]
        path = self.system.field(given, topic)
        span = self._range(values)
        if values.is_a("IntRange") and span.high - span.low < MOST_VALUES:
            whole = tuple(float(number) for number in range(int(span.low), int(span.high) + 1))
            return [FieldValues(path=path, values=whole)]
        return [FieldValues(path=path, range=span)]

    def _skip(self, values: Item, operation: Item, name: str) -> None:
        choices = [*values.texts("choices"), *filter(None, [values.text("location")])]
        values.told()
        self.system.notes.say_alike(
            f"Operation {operation.text('name')!r}, {shown(name)}: a {values.kind or 'set without a type'} is not of "
            f"numbers ({', '.join(map(shown, choices[:3])) or 'nothing'}); without it."
        )

    def _custom(self, item: Item, name: str, topics: tuple[str, ...], concrete: bool) -> AnyOperation:
        function = (item.text("customProcessClass") or name)[:_LONGEST_FUNCTION]
        arguments: dict[str, Bound] = {}
        for values in item.parts("params"):
            given = values.text("propertyName") or "value"
            if not values.is_a("ValueRange"):
                self._skip(values, item, given)
                continue
            points = values.is_a("PointRange")
            made = (
                {f"_{axis}": span for axis, span in self._point(values).items()}
                if points
                else {"": self._range(values)}
            )
            for suffix, span in made.items():
                self.system.notes.say(
                    f"Custom operation {function}: its parameter {given}{suffix} is a range; here it is two arguments, "
                    f"{given}{suffix}_low and {given}{suffix}_high."
                )
                whole: Bound = span if span.low != span.high else span.low
                arguments[f"{given}{suffix}_low"] = span.low if concrete else whole
                arguments[f"{given}{suffix}_high"] = span.high if concrete else whole
        self.system.notes.say(
            f"Custom operation {function}: its code is not in the model. It runs once you write it here, as a function "
            f'with @custom_operation("{function}").'
        )
        return Custom(name=name, topics=topics, function=function, arguments=arguments)

    def _range(self, item: Item) -> Range:
        return self._ordered(_finite(item, "lowerBound"), _finite(item, "upperBound"))

    def _point(self, item: Item) -> dict[str, Range]:
        least, most = item.part("minPoint"), item.part("maxPoint")
        if least is None or most is None:
            raise UnexpressedError("has a range of points without an end")
        return {axis: self._ordered(_finite(least, axis), _finite(most, axis)) for axis in "xyz"}

    def _ordered(self, low: float, high: float) -> Range:
        if low > high:
            self.system.notes.say_alike(f"A range from {low:g} to {high:g} is read as one from {high:g} to {low:g}.")
        return Range(min(low, high), max(low, high))

    def _activation(self, item: Item | None) -> Activation:
        if item is None:
            return Window()
        if item.is_a("FixedTimeActivation"):
            start_s, end_s = _finite(item, "startTime"), _finite(item, "endTime")
            if not 0.0 <= start_s < end_s:
                raise IdleError(f"is active from {start_s:g} s to {end_s:g} s, which is never")
            return Window(start_s=start_s, end_s=end_s)
        if not item.is_a("ConditionBasedActivation") and not item.is_a("ConditionBasedTimeLimited"):
            raise UnexpressedError(f"has an activation {item.kind!r} that cannot be expressed")
        times = item.whole("maximumActivations")
        if times < 1:
            raise IdleError(f"is active {times} times, which is never")
        starting = item.part("starting")
        if starting is None:
            raise UnexpressedError("has an activation without a start")
        start = self.condition(starting.part("c"))
        if item.is_a("ConditionBasedTimeLimited"):
            length_s = _finite(item, "length")
            if length_s <= 0.0:
                raise IdleError(f"is active for {length_s:g} s, which is never")
            return Conditional(start=start, length_s=length_s, times=times)
        ending = item.part("ending")
        if ending is None:
            self.system.notes.say("Conditions without an ending: an operation acts as long as its start holds.")
        end = None if ending is None else self.condition(ending.part("c"))
        if item.given("maximumActivations"):
            return Conditional(start=start, end=end, times=times)
        self.system.notes.say(
            "Conditions: files that do not say maximumActivations mean one; here an operation acts again whenever its "
            "conditions hold again. Write 'times: 1' for theirs."
        )
        return Conditional(start=start, end=end)

    def condition(self, item: Item | None) -> str:
        """The text of a condition."""
        if item is None:
            raise UnexpressedError("has an activation without a condition")
        if item.is_a("BasicCondition"):
            left, right, sign = item.part("left"), item.part("right"), COMPARISONS[item.word("bincomp")]
            if left is None or right is None:
                raise UnexpressedError("compares with nothing")
            return f"{self._metric(left)} {sign} {self._value(right)}"
        if not item.is_a("CompositeCondition"):
            raise UnexpressedError(f"has a condition of type {item.kind!r} that cannot be expressed")
        sides = [self.condition(item.part(side)) for side in ("left", "right")]
        return f" {item.word('binop').lower()} ".join(f"({side})" for side in sides)

    def _value(self, item: Item) -> str:
        if item.is_a("ConditionVariable"):
            return self._metric(item)
        if item.is_a("ConditionInteger"):
            return f"{_finite(item, 'value'):.17g}"
        raise UnexpressedError(f"compares with a {item.kind!r}, which cannot be expressed")

    def _metric(self, item: Item) -> str:
        found, lost = item.targets("metric", of="Metric")
        if not found or found[0] not in self.metrics:
            raise UnexpressedError(f"refers to no metric of the model (got {shown(lost[0]) if lost else None})")
        return self.metrics[found[0]]


def _reason(item: Item) -> str:
    """Why an operation cannot be done here; the end of a sentence."""
    if item.is_a("OfflineFuzzingOperation"):
        time = item.word("operationTime")
        return f"changes files {'before' if time == 'PRE' else 'after'} a run ({time}), and that is not done here"
    if item.kind not in _REASONS:
        return "cannot be expressed"
    told, references = _REASONS[item.kind]
    targets = [found for name, of in references for found in item.targets(name, of=of)[0]]
    names = ", ".join(shown(found.text("name") or found.place) for found in targets)
    return f"{told}{f' ({names})' if names else ''}, and what it does is not in the model"


def _finite(item: Item, name: str) -> float:
    value = item.number(name)
    if not isfinite(value):
        raise UnexpressedError(f"says {name} {value}: wanted a finite number")
    return value


_Maker: TypeAlias = Callable[[OperationReader, Item, str, tuple[str, ...], bool], AnyOperation]
_MAKERS: Mapping[str, _Maker] = {
    "BlackholeNetworkOperation": OperationReader._blackhole,
    "PacketLossNetworkOperation": OperationReader._loss,
    "LatencyNetworkOperation": OperationReader._delay,
    "RandomValueFromSetOperation": OperationReader._values,
    "CustomFuzzingOperation": OperationReader._custom,
}
