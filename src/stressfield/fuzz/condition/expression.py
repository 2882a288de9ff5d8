"""Expressions of the condition language as trees, and their text.

Trees compare by meaning: where in a text a part stood (``at``, ``end``) does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Number:
    """A number that is not negative; ``-2`` is a Unary minus of it."""

    value: float
    at: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class BooleanLiteral:
    """``true`` or ``false``."""

    value: bool
    at: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Name:
    """A declared variable or place: ``completedRooms``, ``robot0``."""

    name: str
    at: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A listed function (``distance(robot0, human1)``) or a variable of something (``battery(robot0)``)."""

    function: str
    arguments: tuple[Expression, ...]
    at: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Unary:
    """``-x`` or ``not x``."""

    operator: str
    operand: Expression
    at: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


@dataclass(frozen=True, slots=True)
class Binary:
    """Arithmetic, a comparison, ``and`` or ``or``."""

    operator: str
    left: Expression
    right: Expression
    at: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)


Expression: TypeAlias = Number | BooleanLiteral | Name | Call | Unary | Binary

LOGIC = ("and", "or")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
STRENGTH = {"or": 1, "and": 2, "not": 3, **dict.fromkeys(COMPARISONS, 4), "+": 5, "-": 5, "*": 6, "/": 6}
NEGATION = 7
_ATOM = 8


def constant(value: float) -> Expression:
    """A number of any sign as an expression."""
    return Unary("-", Number(-value)) if value < 0.0 else Number(abs(value))


def children(node: Expression) -> tuple[Expression, ...]:
    """The direct parts of an expression."""
    if isinstance(node, Binary):
        return (node.left, node.right)
    if isinstance(node, Unary):
        return (node.operand,)
    return node.arguments if isinstance(node, Call) else ()


def walk(node: Expression) -> Iterator[Expression]:
    """The expression and all its parts, outside in, left to right."""
    waiting = [node]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(reversed(children(part)))


def text_of(node: Expression) -> str:
    """The text of an expression, with no more parentheses than needed; parsing it gives the same tree."""
    return _text(node, 0)


def _text(node: Expression, least: int) -> str:
    strength = _strength(node)
    if isinstance(node, Number):
        text = _number(node.value)
    elif isinstance(node, BooleanLiteral):
        text = "true" if node.value else "false"
    elif isinstance(node, Name):
        text = node.name
    elif isinstance(node, Call):
        text = f"{node.function}({', '.join(_text(argument, 0) for argument in node.arguments)})"
    elif isinstance(node, Unary):
        text = f"{'not ' if node.operator == 'not' else '-'}{_text(node.operand, strength)}"
    else:
        # comparisons do not chain; the others group to the left
        left = strength + 1 if node.operator in COMPARISONS else strength
        text = f"{_text(node.left, left)} {node.operator} {_text(node.right, strength + 1)}"
    return f"({text})" if strength < least else text


def _strength(node: Expression) -> int:
    if isinstance(node, Binary):
        return STRENGTH[node.operator]
    if isinstance(node, Unary):
        return STRENGTH["not"] if node.operator == "not" else NEGATION
    return _ATOM


def _number(value: float) -> str:
    return str(int(value)) if value.is_integer() and value < 1e15 else repr(value)
