"""Elements of a SESAME model file (XMI), and what the things that they describe are called here.

An Item remembers what was asked of it, so that nothing is dropped silently.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import isfinite

from stressfield._files.xml_text import XmlElement
from stressfield.bus import find_type
from stressfield.errors import InputError

_ID = "{http://www.omg.org/XMI}id"
_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"
_VERSION = "{http://www.omg.org/XMI}version"


class Item:
    """An element. ``take`` and ``children`` accept the older names of an attribute or element as alternatives."""

    def __init__(self, element: XmlElement, path: str) -> None:
        self._element = element
        self._path = path
        self._taken = {_ID, _TYPE, _VERSION}
        self.items = [Item(child, f"{path}/{local(child.tag)}") for child in element.children]
        self._used = False

    @property
    def kind(self) -> str:
        """Its type without package: ``RandomValueFromSetOperation``."""
        return self._element.attributes.get(_TYPE, "").rpartition(":")[2]

    @property
    def id(self) -> str | None:
        """Its identifier."""
        return self._element.attributes.get(_ID)

    @property
    def tag(self) -> str:
        """Its name without namespace."""
        return local(self._element.tag)

    def take(self, *names: str) -> str | None:
        """An attribute, or None if it is not there."""
        for name in names:
            if name in self._element.attributes:
                self._taken.add(name)
                return self._element.attributes[name]
        return None

    def number(self, name: str) -> float | None:
        """A numeric attribute, or None if it is not there."""
        text = self.take(name)
        if text is None:
            return None
        try:
            value = float(text)
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            raise InputError(f"{self._path}, {name}: got {text[:40]!r}, wanted a finite number.")
        return value

    def children(self, *names: str) -> list[Item]:
        """The elements inside of that name."""
        found = [item for item in self.items if item.tag in names]
        for item in found:
            item._used = True
        return found

    def child(self, *names: str) -> Item | None:
        """The first element inside of that name."""
        return next(iter(self.children(*names)), None)

    def leftovers(self) -> Iterator[tuple[str, str]]:
        """Everything below that nobody asked for: where, and an example of what."""
        for name, value in self._element.attributes.items():
            if name not in self._taken:
                yield f"{self._path}@{local(name)}", value
        if self._element.text:
            yield f"{self._path} (text)", self._element.text
        for item in self.items:
            if item._used:
                yield from item.leftovers()
            else:
                yield item._path, " ".join(item._element.attributes.values()) or item.kind


def local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition("}")[2]


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
"""Of a basic condition; a model leaves out its default, the first."""
_INBOUND = re.compile(r"(?<=[a-z0-9])_?IN$")
JOINTS: Mapping[str, str] = {"AND": "and", "OR": "or"}


class Frequency(StrEnum):
    """What ``frequency`` of a PacketLossNetworkOperation means. D6.2 says one thing and does the other."""

    LOST = "lost"
    """The share of messages that is lost, as the text of D6.2 says (section 3.6: "loss probabilities")."""
    PASSED = "passed"
    """The share that comes through, as its generated code does (figure 15 discards if frequency <= a random number)."""


@dataclass(slots=True)
class ModelNames:
    """Topics with their types, and metrics, by the identifiers of the model; and what there is to say about them."""

    topics: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    nothing: dict[str, float] = field(default_factory=dict)
    """The number that stands for 'nothing received', by metric."""
    missing: dict[str, list[str]] = field(default_factory=dict)
    """Tests without a result, by metric."""
    frequency: Frequency = Frequency.LOST
    """What the number of a packet loss means."""

    def topic(self, identifier: str | None) -> str:
        """The topic that an attribute refers to."""
        if identifier not in self.topics:
            raise InputError(f"refers to no topic of the model (got {identifier!r})")
        return self.topics[identifier]

    def metric(self, identifier: str | None) -> str:
        """The metric that an attribute refers to."""
        if identifier not in self.metrics:
            raise InputError(f"refers to no metric of the model (got {identifier!r})")
        return self.metrics[identifier]

    def read_topics(self, mrs: Item | None) -> None:
        """The topics of the robots' description."""
        if mrs is None:
            return
        names = {element.id: element.take("name") or "" for element in mrs.children("propertyType")}
        for element in mrs.children("variables", "topics"):
            name, ros_type = element.take("name") or "", names.get(element.take("type") or "")
            plain = _INBOUND.sub("", name)
            if plain != name:
                self.notes.append(f"Topic {name}: the man in the middle's inbound side; imported as {plain}.")
            if not name or element.id is None:
                self.notes.append(f"Topic {name!r} has no name or no identifier: left out.")
                continue
            self.topics[element.id] = plain
            if ros_type:
                self.types[plain] = canonical(ros_type)
        unknown = sorted({ros_type for ros_type in self.types.values() if find_type(ros_type, any_case=True) is None})
        self.notes += [
            f"Type {name}: no message here has it, so fields of its topics are not checked." for name in unknown
        ]

    def condition(self, item: Item | None) -> str:
        """The text of a condition; InputError for what the language has no words for."""
        if item is None:
            raise InputError("has an activation without a condition")
        if item.kind == "BasicCondition":
            left, right = item.child("left"), item.child("right")
            sign = item.take("bincomp") or "LESS_THAN"
            if left is None or right is None or sign not in COMPARISONS:
                raise InputError(f"has a comparison {sign!r} that cannot be expressed")
            return f"{self.metric(left.take('metric'))} {COMPARISONS[sign]} {self._value(right)}"
        joint = JOINTS.get((item.take("binop", "op", "operator") or "AND").upper())
        parts = [self.condition(part) for part in item.children("left", "right", "c", "c1", "c2", "conditions")]
        if joint is None or len(parts) < 2:
            raise InputError(f"has a condition of type {item.kind!r} that cannot be expressed")
        return f" {joint} ".join(f"({part})" for part in parts)

    def _value(self, item: Item) -> str:
        if item.kind == "ConditionVariable":
            return self.metric(item.take("metric"))
        if item.kind in ("ConditionInteger", "ConditionDouble", "ConditionReal"):
            return f"{item.number('value') or 0.0:.17g}"
        raise InputError(f"compares with a {item.kind!r}, which cannot be expressed")


def canonical(ros_type: str) -> str:
    """The name of a type as our messages write it: ``geometry_msgs/twist`` is ``geometry_msgs/Twist``."""
    known = find_type(ros_type, any_case=True) if "/" in ros_type else None
    return ros_type if known is None else known.ros_type.replace("/msg/", "/")
