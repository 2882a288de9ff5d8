"""What the things of a SESAME model are called, here and there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from stressfield.errors import InputError
from stressfield.fuzz.field_path import type_named
from stressfield.fuzz.sesame_items import Item

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


@dataclass(slots=True)
class Names:
    """Topics with their types, and metrics, by the identifiers of the model; and what there is to say about them."""

    topics: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    nothing: dict[str, float] = field(default_factory=dict)
    """The number that stands for 'nothing received', by metric."""
    missing: dict[str, list[str]] = field(default_factory=dict)
    """Tests without a result, by metric."""

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
        names = {one.id: one.take("name") or "" for one in mrs.children("propertyType")}
        for one in mrs.children("variables", "topics"):
            name, ros_type = one.take("name") or "", names.get(one.take("type") or "")
            plain = _INBOUND.sub("", name)
            if plain != name:
                self.notes.append(f"Topic {name}: the man in the middle's inbound side; imported as {plain}.")
            if not name or one.id is None:
                self.notes.append(f"Topic {name!r} has no name or no identifier: left out.")
                continue
            self.topics[one.id] = plain
            if ros_type:
                self.types[plain] = canonical(ros_type)
        unknown = sorted({ros_type for ros_type in self.types.values() if type_named(ros_type) is None})
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
        parts = [self.condition(one) for one in item.children("left", "right", "c", "c1", "c2", "conditions")]
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
    known = type_named(ros_type) if "/" in ros_type else None
    return ros_type if known is None else known.ros_type.replace("/msg/", "/")
