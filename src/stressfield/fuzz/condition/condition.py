"""Conditions: checked text that is true, false or unknown of what was observed.

What is not known stays not known: None. ``false and x`` is false and ``true or x`` is true whatever x is; any other use
of an unknown value is unknown, and so is a division by zero.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import dist, isnan
from typing import Any, Literal, TypeAlias

from stressfield.errors import ConditionError, did_you_mean
from stressfield.fuzz.condition._parser import fault, parse_expression
from stressfield.fuzz.condition.expression import (
    COMPARISONS,
    LOGIC,
    Binary,
    BooleanLiteral,
    Call,
    Expression,
    Name,
    Number,
    Unary,
    text_of,
    walk,
)
from stressfield.fuzz.condition.vocabulary import FUNCTIONS, Vocabulary

Point: TypeAlias = tuple[float, float, float]
Observed: TypeAlias = Mapping[str, float | Point]
"""What is known now, by variable. What was never observed is not in it."""
Evaluated: TypeAlias = Callable[[Observed], Any]
ValueKind: TypeAlias = Literal["number", "truth", "place"]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition over a vocabulary. ``str(condition)`` is its text; parsing that gives the same condition."""

    tree: Expression

    def __str__(self) -> str:
        return text_of(self.tree)

    def compile(self) -> Evaluated:
        """A function of what was observed: True, False, or None while that is unknown."""
        return compiled(self.tree)

    @property
    def variables(self) -> frozenset[str]:
        """The variables and places it speaks of, as they are written."""
        return frozenset(_variables(self.tree))


def parse_condition(text: str, vocabulary: Vocabulary) -> Condition:
    """A checked condition, or a ConditionError that points at the fault."""
    return Condition(_parse(text, vocabulary, "truth", "a condition is true or false"))


def parse_term(text: str, vocabulary: Vocabulary) -> Expression:
    """A checked numeric expression, or a ConditionError that points at the fault."""
    return _parse(text, vocabulary, "number", "a term is a number")


def _parse(text: str, vocabulary: Vocabulary, wanted: str, told: str) -> Expression:
    tree = parse_expression(text)
    got = kind_of(tree, vocabulary, text)
    if got != wanted:
        raise fault(f"Type error: {told}, got a {got}.", text, tree.at, tree.end)
    return tree


def _variables(tree: Expression) -> set[str]:
    found: set[str] = set()
    inside: set[int] = set()
    for node in walk(tree):
        if isinstance(node, Call) and node.function not in FUNCTIONS:
            found.add(text_of(node))
            inside.update(id(argument) for argument in node.arguments)
        elif isinstance(node, Name) and id(node) not in inside:
            found.add(node.name)
    return found


# Does it make sense? Every name declared, numbers and truths where they belong.

_WORDS = {"number": "a number", "truth": "true or false", "place": "a place"}


def kind_of(node: Expression, vocabulary: Vocabulary, text: str) -> ValueKind:
    """What an expression gives, or a ConditionError at the part that does not fit."""
    return _Checker(vocabulary, text).kind(node)


class _Checker:
    def __init__(self, vocabulary: Vocabulary, text: str) -> None:
        self.vocabulary = vocabulary
        self.text = text

    def kind(self, node: Expression) -> ValueKind:
        if isinstance(node, Number):
            return "number"
        if isinstance(node, BooleanLiteral):
            return "truth"
        if isinstance(node, Name):
            return self._name(node)
        if isinstance(node, Call):
            return self._call(node)
        if isinstance(node, Unary):
            wanted: ValueKind = "truth" if node.operator == "not" else "number"
            self._want(node.operand, wanted, f"'{node.operator}'")
            return wanted
        return self._binary(node)

    def _binary(self, node: Binary) -> ValueKind:
        told = f"'{node.operator}'"
        if node.operator in LOGIC:
            for side in (node.left, node.right):
                self._want(side, "truth", told)
            return "truth"
        if node.operator in ("==", "!=") and self.kind(node.left) == "truth":
            self._want(node.right, "truth", told)
            return "truth"
        for side in (node.left, node.right):
            self._want(side, "number", told)
        return "truth" if node.operator in COMPARISONS else "number"

    def _name(self, node: Name) -> ValueKind:
        variable = self.vocabulary.variables.get(node.name)
        if variable is not None:
            return variable.kind
        if node.name in FUNCTIONS:
            raise self._fault(f"{node.name!r} is a function: wanted '{node.name}(' and its arguments.", node)
        raise self._fault(self.vocabulary.unknown(node.name), node)

    def _call(self, node: Call) -> ValueKind:
        if node.function not in FUNCTIONS:
            return self._variable_of(node)
        wanted = FUNCTIONS[node.function][0]
        if len(node.arguments) != len(wanted):
            told = ", ".join(wanted)
            raise self._fault(f"{node.function}({told}): got {len(node.arguments)} arguments.", node)
        for argument, kind in zip(node.arguments, wanted, strict=True):
            self._want(argument, "place" if kind == "place" else "number", f"{node.function!r}")
        return "number"

    def _variable_of(self, node: Call) -> ValueKind:
        names = [argument.name for argument in node.arguments if isinstance(argument, Name)]
        key = f"{node.function}({', '.join(names)})"
        if len(names) == len(node.arguments) == 1 and key in self.vocabulary.variables:
            return "number"
        if any(variable.name == node.function for variable in self.vocabulary.variables.values()):
            raise self._fault(self.vocabulary.unknown(key), node)
        known = [
            *FUNCTIONS,
            *sorted({variable.name for variable in self.vocabulary.variables.values() if variable.of is not None}),
        ]
        raise self._fault(
            f"Unknown function {node.function!r}. There are: {', '.join(known)}.{did_you_mean(node.function, known)}",
            node,
        )

    def _want(self, node: Expression, kind: ValueKind, by: str) -> None:
        got = self.kind(node)
        if got != kind:
            raise self._fault(f"Type error: {by} wants {_WORDS[kind]}, got {_WORDS[got]}.", node)

    def _fault(self, message: str, node: Expression) -> ConditionError:
        return fault(message, self.text, node.at, max(node.end, node.at + 1))


# Its value: a tree of closures, made once, because conditions are asked at every message.

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
    if isinstance(node, Number | BooleanLiteral):
        value = node.value
        return lambda _: value
    if isinstance(node, Name):
        return _look_up(node.name)
    if isinstance(node, Call):
        if node.function in FUNCTIONS:
            return _called(_CALLED[node.function], [compiled(argument) for argument in node.arguments])
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
