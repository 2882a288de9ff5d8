"""Conditions as functions of what was observed. What is not known stays not known: None.

``false and x`` is false and ``true or x`` is true whatever x is; any other use of an unknown value is unknown, and so
is a division by zero.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from math import dist, isnan
from typing import Any, TypeAlias

from stressfield.fuzz.expression import Binary, Call, Expression, Name, Number, Truth, Unary, text_of
from stressfield.fuzz.vocabulary import FUNCTIONS

Point: TypeAlias = tuple[float, float, float]
Observed: TypeAlias = Mapping[str, float | Point]
"""What is known now, by variable. What was never observed is not in it."""
Evaluated: TypeAlias = Callable[[Observed], Any]

_NUMERIC: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_CALLED: dict[str, Callable[..., float]] = {"distance": dist, "abs": abs, "min": min, "max": max}


def compiled(node: Expression) -> Evaluated:
    """A function that gives the value of a checked expression, or None while it is unknown."""
    if isinstance(node, Number | Truth):
        value = node.value
        return lambda _: value
    if isinstance(node, Name):
        return _look_up(node.name)
    if isinstance(node, Call):
        if node.function in FUNCTIONS:
            return _called(_CALLED[node.function], [compiled(one) for one in node.arguments])
        return _look_up(text_of(node))
    if isinstance(node, Unary):
        return _unary(node.operator, compiled(node.operand))
    return _binary(node)


def _look_up(key: str) -> Evaluated:
    def value(observed: Observed) -> Any:
        found = observed.get(key)
        return None if isinstance(found, float) and isnan(found) else found

    return value


def _called(function: Callable[..., float], arguments: list[Evaluated]) -> Evaluated:
    def value(observed: Observed) -> Any:
        values = [argument(observed) for argument in arguments]
        return None if None in values else function(*values)

    return value


def _unary(sign: str, operand: Evaluated) -> Evaluated:
    def value(observed: Observed) -> Any:
        found = operand(observed)
        if found is None:
            return None
        return not found if sign == "not" else -found

    return value


def _binary(node: Binary) -> Evaluated:
    left, right = compiled(node.left), compiled(node.right)
    if node.operator in ("and", "or"):
        return _logic(decides=node.operator == "or", left=left, right=right)
    compute = _NUMERIC[node.operator]

    def value(observed: Observed) -> Any:
        a = left(observed)
        b = right(observed)
        if a is None or b is None:
            return None
        try:
            return compute(a, b)
        except ZeroDivisionError:
            return None

    return value


def _logic(*, decides: bool, left: Evaluated, right: Evaluated) -> Evaluated:
    def value(observed: Observed) -> Any:
        a = left(observed)
        if a is decides:
            return decides
        b = right(observed)
        if b is decides:
            return decides
        return None if a is None or b is None else not decides

    return value
