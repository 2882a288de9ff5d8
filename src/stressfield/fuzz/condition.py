"""Conditions: checked text that is true, false or unknown of what was observed."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.fuzz.checking import kind_of
from stressfield.fuzz.evaluating import Evaluated, compiled
from stressfield.fuzz.expression import Call, Expression, Name, text_of, walk
from stressfield.fuzz.lexer import fault
from stressfield.fuzz.parser import parse_expression
from stressfield.fuzz.vocabulary import FUNCTIONS, Vocabulary


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
            inside.update(id(one) for one in node.arguments)
        elif isinstance(node, Name) and id(node) not in inside:
            found.add(node.name)
    return found
