"""Distance: how different two genotypes are, from 0 (equal) to 1."""

from __future__ import annotations

from stressfield.errors import InputError
from stressfield.model.element import Element
from stressfield.model.parameter import Integer, Nested, Parameter, Real, Sequence, Value


def distance(a: Element, b: Element) -> float:
    """The mean over all leaf parameters of their differences, each scaled to its range.

    Numbers differ by their share of the range, words and booleans by 0 or 1. Sequences are compared item by
    item; an item without a partner counts 1, and the sum is divided by the longer length.
    """
    if type(a) is not type(b):
        raise InputError(f"distance: got {type(a).__name__} and {type(b).__name__}, wanted two of one model.")
    total, leaves = _sum(a, b)
    return total / leaves


def _sum(a: Element, b: Element) -> tuple[float, int]:
    total, leaves = 0.0, 0
    for parameter in type(a).__blueprint__.parameters:
        left, right = getattr(a, parameter.name), getattr(b, parameter.name)
        if isinstance(parameter, Nested):
            part, count = _sum(left, right)
        else:
            part, count = _leaf(parameter, left, right), 1
        total, leaves = total + part, leaves + count
    return total, leaves


def _leaf(parameter: Parameter, left: Value, right: Value) -> float:
    if left == right:
        return 0.0
    match parameter:
        case Real(low=low, high=high) | Integer(low=low, high=high):
            # Halves, because a range such as [-1e308, 1e308] is wider than the largest float.
            return float(abs(left / 2 - right / 2) / (high / 2 - low / 2))
        case Nested():
            total, leaves = _sum(left, right)
            return total / leaves
        case Sequence(item=item):
            paired = sum(_leaf(item, x, y) for x, y in zip(left, right, strict=False))
            return (paired + abs(len(left) - len(right))) / max(len(left), len(right))
    return 1.0
