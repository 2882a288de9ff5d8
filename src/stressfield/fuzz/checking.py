"""Whether an expression makes sense: every name declared, numbers and truths where they belong."""

from __future__ import annotations

from typing import Literal, TypeAlias

from stressfield.errors import ConditionError, did_you_mean
from stressfield.fuzz.expression import COMPARISONS, LOGIC, Binary, Call, Expression, Name, Number, Truth, Unary
from stressfield.fuzz.lexer import fault
from stressfield.fuzz.vocabulary import FUNCTIONS, Vocabulary

ValueKind: TypeAlias = Literal["number", "truth", "place"]
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
        if isinstance(node, Truth):
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
        names = [one.name for one in node.arguments if isinstance(one, Name)]
        key = f"{node.function}({', '.join(names)})"
        if len(names) == len(node.arguments) == 1 and key in self.vocabulary.variables:
            return "number"
        if any(one.name == node.function for one in self.vocabulary.variables.values()):
            raise self._fault(self.vocabulary.unknown(key), node)
        known = [*FUNCTIONS, *sorted({one.name for one in self.vocabulary.variables.values() if one.of is not None})]
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
