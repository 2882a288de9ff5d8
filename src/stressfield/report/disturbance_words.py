"""Disturbances in few words, for tables."""

from __future__ import annotations

from stressfield.fuzz import FieldValues, Operation, RandomValue, Window
from stressfield.fuzz.bound import Bound, ends
from stressfield.report.words import figure


def brief(operation: Operation) -> str:
    """An operation in a few words: ``lost (probability 0.74) on /gap, 1 s to 1.7 s``."""
    if isinstance(operation, RandomValue):
        parts = [f"{one.path.rpartition('/')[2]} {_values(one)}" for one in operation.fields]
    else:
        parts = [f"{name} {value_words(bound)}" for name, bound in operation.parameters.items()]
    when = operation.when
    if isinstance(when, Window):
        end = "the end" if when.end_s is None else f"{when.end_s:.3g} s"
        told = f"{when.start_s:.3g} s to {end}"
    else:
        told = str(when)
    with_ = f" ({', '.join(parts)})" if parts else ""
    return f"{operation.name}{with_} on {', '.join(operation.targets)}, {told}"


def value_words(bound: Bound) -> str:
    """``0.74`` or ``0.9 to 0.95``."""
    low, high = ends(bound)
    return figure(low) if low == high else f"{figure(low)} to {figure(high)}"


def _values(one: FieldValues) -> str:
    return value_words(one.range) if one.range is not None else f"one of {', '.join(map(figure, one.values))}"
