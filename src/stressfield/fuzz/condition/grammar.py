"""Conditions that nobody wrote: generated from a grammar of terms, mutated, crossed over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from stressfield.errors import InputError
from stressfield.fuzz.condition._parser import DEEPEST_NESTING, LONGEST_TEXT, MOST_PARTS
from stressfield.fuzz.condition.condition import Condition, parse_condition, parse_term
from stressfield.fuzz.condition.expression import (
    COMPARISONS,
    LOGIC,
    STRENGTH,
    Binary,
    Expression,
    Unary,
    children,
    constant,
    text_of,
)
from stressfield.fuzz.condition.vocabulary import FUNCTIONS, Term, Vocabulary
from stressfield.seeds import Rng

COMPARED_BY = ("<", ">")
"""As in the grammar of the source; equality of measured numbers says nothing."""
_DIGITS = 4  # of generated numbers: people read the conditions
_LONGEST_NUMBER = 24
_LONGEST_JOINT = 8
"""An operator with its spaces and a pair of parentheses."""
_SURE_LEVELS = DEEPEST_NESTING // 2 - 1
"""A part may be in parentheses and negative: two levels for the parser."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """What generated conditions are made of: a term against a number of its range or against another term."""

    vocabulary: Vocabulary
    terms: tuple[tuple[Expression, float, float], ...]
    _widest: int = field(init=False, repr=False, compare=False)
    """The most characters that a part adds to the text of a condition."""
    _room: int = field(init=False, repr=False, compare=False)
    """How many comparisons of its terms are surely inside all limits of the parser."""
    _texts: dict[int, str] = field(init=False, repr=False, compare=False)
    """Of terms, by the identity of their trees."""

    def __post_init__(self) -> None:
        words = [*self.vocabulary.variables, *FUNCTIONS]
        object.__setattr__(self, "_widest", max(_LONGEST_NUMBER, *map(len, words)) + _LONGEST_JOINT)
        object.__setattr__(self, "_texts", {id(tree): text_of(tree) for tree, _, _ in self.terms})
        object.__setattr__(self, "_room", min((_fitting(tree) for tree, _, _ in self.terms), default=0))

    @classmethod
    def of(cls, vocabulary: Vocabulary, terms: Iterable[Term]) -> Grammar:
        """A grammar of checked terms."""
        made = tuple((parse_term(term.term, vocabulary), term.low, term.high) for term in terms)
        if not made:
            raise InputError("Conditions cannot be generated: the grammar has no terms. Wanted at least one.")
        return cls(vocabulary, made)

    def condition(self, rng: Rng, *, parts: int = 2) -> Condition:
        """A condition of one to ``parts`` comparisons, joined by ``and`` and ``or``."""
        tree = self.comparison(rng)
        for _ in range(_below(parts, rng)):
            tree = Binary(_one(LOGIC, rng), tree, self.comparison(rng))
        return Condition(tree) if parts <= self._room else self._checked(tree)

    def text(self, condition: Condition) -> str:
        """What ``str(condition)`` is, faster: the texts of terms are known."""
        return self._text(condition.tree)

    def _text(self, node: Expression) -> str:
        if not isinstance(node, Binary):
            return text_of(node)
        if node.operator not in LOGIC:
            term = self._texts.get(id(node.left))  # then the other side is another term or a number
            right = None if term is None else self._texts.get(id(node.right)) or text_of(node.right)
            return text_of(node) if term is None else f"{term} {node.operator} {right}"
        left, right, own = self._text(node.left), self._text(node.right), STRENGTH[node.operator]
        left = f"({left})" if _logic(node.left) < own else left
        right = f"({right})" if _logic(node.right) <= own else right
        return f"{left} {node.operator} {right}"

    def sentence(self, rng: Rng, *, parts: int = 2) -> str:
        """The text of what :meth:`condition` gives for the same random numbers, without making it."""
        if parts > self._room:
            return self.text(self.condition(rng, parts=parts))
        text, before = self._phrase(rng), ""
        for _ in range(_below(parts, rng)):
            joint = _one(LOGIC, rng)
            text = f"({text})" if before == "or" and joint == "and" else text
            text, before = f"{text} {joint} {self._phrase(rng)}", joint
        return text

    def comparison(self, rng: Rng) -> Expression:
        """A basic condition."""
        term, other, value = self._sides(rng)
        return Binary(_one(COMPARED_BY, rng), term, constant(value) if other is None else other)

    def _phrase(self, rng: Rng) -> str:
        term, other, value = self._sides(rng)
        right = _told(value) if other is None else self._texts[id(other)]
        return f"{self._texts[id(term)]} {_one(COMPARED_BY, rng)} {right}"

    def _sides(self, rng: Rng) -> tuple[Expression, Expression | None, float]:
        """A term, and another term or a number to compare it with."""
        count = len(self.terms)
        place = _below(count, rng)
        term, low, high = self.terms[place]
        if count > 1 and rng.random() < 0.3:
            return term, self.terms[(place + 1 + _below(count - 1, rng)) % count][0], 0.0
        return term, None, _rounded(low + (high - low) * rng.random(), low, high)

    def mutate(self, condition: Condition, rng: Rng, *, parts: int = 2) -> Condition:
        """One change: a comparison made again or turned round, ``and`` for ``or``, a part added or taken away."""
        pieces = _comparisons(condition.tree)
        choice = _below(4, rng)
        if choice == 0 and len(pieces) < parts:
            return self._checked(Binary(_one(LOGIC, rng), condition.tree, self.comparison(rng)))
        if choice == 1 and len(pieces) > 1:
            return self._checked(pieces[_below(len(pieces), rng)])
        chosen = pieces[_below(len(pieces), rng)]
        if choice == 2 and isinstance(chosen, Binary) and chosen.operator in _TURNED:
            return self._checked(
                _replaced(condition.tree, chosen, Binary(_TURNED[chosen.operator], chosen.left, chosen.right))
            )
        joint = condition.tree
        if choice == 3 and isinstance(joint, Binary) and joint.operator in LOGIC:
            other = "or" if joint.operator == "and" else "and"
            return self._checked(Binary(other, joint.left, joint.right))
        return self._checked(_replaced(condition.tree, chosen, self.comparison(rng)))

    def crossover(self, mother: Condition, father: Condition, rng: Rng) -> tuple[Condition, Condition]:
        """Two conditions that have exchanged a comparison."""
        mine, theirs = _comparisons(mother.tree), _comparisons(father.tree)
        a, b = mine[_below(len(mine), rng)], theirs[_below(len(theirs), rng)]
        return self._checked(_replaced(mother.tree, a, b)), self._checked(_replaced(father.tree, b, a))

    def _checked(self, tree: Expression) -> Condition:
        """What was generated is what a person could have written: one that might be too large is read to find out."""
        condition = Condition(tree)
        return condition if self._small(tree) else parse_condition(str(condition), self.vocabulary)

    def _small(self, tree: Expression) -> bool:
        """Whether the tree is surely inside all limits of the parser. What it is made of was checked before."""
        sizes = [len(level) for level in _levels(tree)]
        parts = sum(sizes)
        return len(sizes) <= _SURE_LEVELS and parts <= MOST_PARTS and parts * self._widest <= LONGEST_TEXT


_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "=="}


def _below(count: int, rng: Rng) -> int:
    """A whole number from 0, below ``count``; for so few, faster than ``rng.integers`` and as even."""
    return int(rng.random() * count)


def _one(choices: Sequence[str], rng: Rng) -> str:
    return choices[_below(len(choices), rng)]


def _rounded(value: float, low: float, high: float) -> float:
    """Few digits are easier to read, and the bounds are kept."""
    return min(high, max(low, float(f"{value:.{_DIGITS}g}")))


def _logic(node: Expression) -> int:
    """How strongly ``and`` or ``or`` binds; more than both if it is neither."""
    return STRENGTH[node.operator] if isinstance(node, Binary) else STRENGTH["not"]


def _fitting(term: Expression) -> int:
    """How many comparisons of a term with itself surely fit into a condition."""
    sizes = [len(level) for level in _levels(term)]
    length = max(len(text_of(term)), _LONGEST_NUMBER) + _LONGEST_JOINT
    return min(LONGEST_TEXT // (2 * length), MOST_PARTS // (2 * sum(sizes) + 4), _SURE_LEVELS - len(sizes) - 2)


def _levels(tree: Expression) -> list[list[Expression]]:
    """The parts of a tree by their depth."""
    level, found = [tree], []
    while level:
        found.append(level)
        level = [child for node in level for child in children(node)]
    return found


def _told(value: float) -> str:
    """As ``text_of(constant(value))``."""
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def _comparisons(tree: Expression) -> list[Expression]:
    """The parts that ``and``, ``or`` and ``not`` join."""
    waiting, found = [tree], []
    while waiting:
        node = waiting.pop()
        if isinstance(node, Binary) and node.operator in LOGIC:
            waiting.extend((node.right, node.left))
        elif isinstance(node, Unary) and node.operator == "not":
            waiting.append(node.operand)
        else:
            found.append(node)
    return found


def _replaced(tree: Expression, part: Expression, by: Expression) -> Expression:
    """The tree with one of its parts (that very one, not its like) replaced."""
    if tree is part:
        return by
    if isinstance(tree, Binary) and tree.operator not in COMPARISONS:
        left = _replaced(tree.left, part, by)
        right = _replaced(tree.right, part, by) if left is tree.left else tree.right
        return tree if left is tree.left and right is tree.right else Binary(tree.operator, left, right)
    if isinstance(tree, Unary):
        return Unary(tree.operator, _replaced(tree.operand, part, by))
    return tree
