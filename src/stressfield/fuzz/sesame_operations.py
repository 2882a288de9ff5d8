"""Operations of a SESAME model, in a testing space or in a test."""

from __future__ import annotations

from stressfield.errors import InputError
from stressfield.fuzz.activation import Activation, Conditional, Window
from stressfield.fuzz.bound import Bound, Range
from stressfield.fuzz.field_path import FieldPath
from stressfield.fuzz.operations import AnyOperation, Blackhole, FieldValues, Loss, RandomValue
from stressfield.fuzz.sesame_items import Item
from stressfield.fuzz.sesame_names import Names, canonical


def read_operation(item: Item, names: Names, *, name: str) -> AnyOperation:
    """The operation of an element; InputError (the end of a sentence) if it cannot be expressed."""
    kind = item.kind.removesuffix("Attack").removesuffix("Operation")
    topic = names.topic(item.take("variableToAffect", "topicToAttack"))
    when = _activation(item.child("activation", "attackActivation"), names)
    if kind == "BlackholeNetwork":
        return Blackhole(name=name, topics=(topic,), when=when)
    if kind == "PacketLossNetwork":
        return Loss(name=name, topics=(topic,), when=when, probability=_probability(item.child("frequency")))
    if kind != "RandomValueFromSet":
        raise InputError(f"is a {item.kind!r}, which cannot be expressed")
    return RandomValue(name=name, topics=(topic,), when=when, fields=tuple(map(_field, item.children("valueSet"))))


def _activation(item: Item | None, names: Names) -> Activation:
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


def _probability(item: Item | None) -> Bound:
    if item is None:
        raise InputError("has no probability of loss")
    given = _range(item)
    return given.low if given.low == given.high else given


def _field(item: Item) -> FieldValues:
    if item.kind != "DoubleRange":
        raise InputError(f"has values of type {item.kind!r} that cannot be expressed")
    path = FieldPath.parse(item.take("propertyName") or "")
    prefix = "" if path.ros_type is None else f"{canonical(path.ros_type.replace('/msg/', '/'))}."
    return FieldValues(path=f"{prefix}{path}", range=_range(item))
