"""Metrics of a SESAME model: what a search looks for, what conditions speak of, and the ranges of these."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from stressfield.errors import InputError
from stressfield.fuzz.condition.vocabulary import IDENTIFIER, Term, Variable, Vocabulary
from stressfield.fuzz.search import Direction, Metric
from stressfield.fuzz.sesame._document import Item, shown
from stressfield.fuzz.sesame._system import System, different

LIVE_METRIC = "/metric/"
"""Where a metric that conditions speak of is expected, as a Float64, if the model gives it no topic."""
_LONGEST_NAME = 90
_VALUE = "data"


@dataclass(slots=True)
class MetricReader:
    """The metrics by their elements, and what their numbers mean."""

    system: System
    metrics: dict[Item, Metric] = field(default_factory=dict)
    nothing: dict[str, float] = field(default_factory=dict)
    """The number that stands for 'nothing received', by metric."""
    _taken: set[str] = field(default_factory=set)
    optimised: set[str] = field(default_factory=set)
    """Those that a model marks for optimisation. Older models mark none, and mean all of a campaign."""

    @property
    def names(self) -> dict[Item, str]:
        """Their names by their elements."""
        return {item: metric.name for item, metric in self.metrics.items()}

    def read(self, items: Sequence[Item]) -> None:
        """The metrics of a testing space."""
        for item in items:
            name = self._name(item)
            if item.cls is None:
                self.system.notes.say(f"Metric {name}: type {item.kind!r} is unknown; imported as a stream metric.")
            self.metrics[item] = self._metric(item, name)

    def _name(self, item: Item) -> str:
        given = item.text("name") or f"metric_{item.index + 1}"
        plain = given if re.fullmatch(IDENTIFIER, given) else re.sub(r"\W", "_", given, flags=re.ASCII)
        # conditions speak of metrics by name, so it must be a word of theirs
        if not _is_word(plain):
            plain = f"metric_{plain}".rstrip("_")
        made = different(plain, self._taken, longest=_LONGEST_NAME, joint="_{}")
        self._taken.add(made)
        if made != item.text("name"):
            self.system.notes.say(f"Metric {shown(item.text('name') or '')} is called {made} here.")
        return made

    def _metric(self, item: Item, name: str) -> Metric:
        related = self._topics(item, "relatedVariables", name)
        chosen = self._topics(item, "chosenVariables", name)
        topics = (*chosen, *(topic for topic in related if topic not in chosen))
        if item.flag("useInOptimisation"):
            self.optimised.add(name)
        self._sentinel(item, name)
        direction: Direction = "lowest" if item.word("dir") == "LOWEST" else "highest"
        if item.is_a("FuzzingOperationTimesMetric"):
            return Metric(name=name, kind="static", direction=direction, topics=topics)
        if item.is_a("VariableMetric") and len(chosen) == 1 and chosen[0] in self.system.plain:
            return Metric(name=name, kind="variable", direction=direction, topics=chosen, path=_VALUE)
        if item.is_a("VariableMetric"):
            self.system.notes.say(f"Metric {name}: the model does not say which field it is; give it a 'path'.")
        elif item.is_a("PropertyMetric"):
            found, lost = item.targets("property", of="ComponentProperty")
            told = (found[0].text("name") or "") if found else (lost[0] if lost else "")
            self.system.notes.say(
                f"Metric {name}: properties of components ({shown(told)}) are not seen here; the study must compute it."
            )
        elif item.is_a("StartEndTimingMetric"):
            self.system.notes.say(f"Metric {name}: what it times is code; the study must compute it.")
        return Metric(name=name, kind="stream", direction=direction, topics=topics)

    def _topics(self, item: Item, reference: str, name: str) -> tuple[str, ...]:
        found, lost = item.targets(reference, of="Variable")
        topics = dict.fromkeys(self.system.topics[variable] for variable in found if variable in self.system.topics)
        if lost:
            self.system.notes.say(f"Metric {name}: refers to {len(lost)} topics that are not in the model.")
        return tuple(topics)

    def _sentinel(self, item: Item, name: str) -> None:
        default = item.part("valueIfNotReceived")
        if default is None:
            return
        value = default.number("defaultVal")
        if value == 0.0:
            self.system.notes.say_alike(
                f"Metric '{name}': 0 is given if nothing was received; that is a number like any other, and kept."
            )
            return
        self.nothing[name] = value
        self.system.notes.say(f"Metric {name}: {value} stands for 'nothing received' there; here it is missing.")

    def variable(self, metric: Metric) -> Variable:
        """What conditions read of a metric."""
        if metric.kind == "variable":
            return Variable(name=metric.name, topics=metric.topics, path=metric.path)
        if metric.topics:
            self.system.notes.say(
                f"Variable {metric.name}: how it is computed is not in the model; counted messages of its topics."
            )
            return Variable(name=metric.name, topics=metric.topics, take="count")
        topic = LIVE_METRIC + metric.name
        self.system.notes.say(
            f"Variable {metric.name}: the model gives no topic for it; read from {topic}, where the robots must tell "
            "it."
        )
        self.system.types[topic] = "std_msgs/Float64"
        return Variable(name=metric.name, topics=(topic,), path=_VALUE)

    def grammar(self, operations: Sequence[Item], campaigns: Sequence[Item]) -> tuple[tuple[Term, ...], set[str]]:
        """Terms of generated conditions, and all metrics that conditions speak of.

        A model gives no ranges. They are those of the numbers that conditions of the same campaign compare with, or of
        its operations' constraints.
        """
        terms: dict[str, Term | None] = {}
        for item in (*campaigns, None):
            inside = operations if item is None else [item]
            constants, used = self._compared(inside)
            listed: list[str] = []
            if item is not None:
                found, lost = item.targets("conditionMetrics", of="Metric")
                listed = [self.metrics[metric].name for metric in found if metric in self.metrics]
                if lost:
                    self.system.notes.say(
                        f"Campaign {item.text('name')}: {len(lost)} condition metrics are not in the model."
                    )
                included, _ = item.targets("includedOperations", of="FuzzingOperation")
                constants = constants or self._constrained(included or operations)
            for name in dict.fromkeys((*listed, *sorted(used))):
                if name not in terms:
                    terms[name] = self._term(
                        name, constants, "its campaign's tests" if item is not None else "operations"
                    )
        return tuple(term for term in terms.values() if term is not None), set(terms)

    def _term(self, name: str, constants: Sequence[float], source: str) -> Term | None:
        if not constants:
            self.system.notes.say(f"Condition metric {name}: no range is given; not part of the grammar.")
            return None
        low, high = min(constants), max(constants)
        self.system.notes.say(
            f"Condition metric {name}: no range is given; taken from the numbers in {source}, {low:g} to {high:g}."
        )
        return Term(term=name, low=low, high=high)

    def _compared(self, items: Sequence[Item]) -> tuple[list[float], set[str]]:
        """The numbers in all conditions, and the metrics that are compared."""
        constants: list[float] = []
        used: set[str] = set()
        for part in (below for item in items for below in item.below()):
            if part.is_a("ConditionInteger"):
                value = part.number("value")
                constants += [value] if abs(value) < float("inf") else []
            elif part.is_a("ConditionVariable"):
                found, _ = part.targets("metric", of="Metric")
                used |= {self.metrics[metric].name for metric in found if metric in self.metrics}
        return constants, used

    def _constrained(self, operations: Sequence[Item]) -> list[float]:
        found: list[float] = []
        for constraint in (part for item in operations for part in item.parts("conditionConstraints")):
            if constraint.is_a("ContainsInteger"):
                found += [float(constraint.whole("minValue")), float(constraint.whole("maxValue"))]
        return found


def _is_word(name: str) -> bool:
    """Whether conditions can speak of it: not if it is a word of their language already."""
    try:
        Vocabulary.of([Variable(name=name)])
    except InputError:
        return False
    return re.fullmatch(IDENTIFIER, name) is not None
