"""Conditions that nobody wrote: generated from a grammar of terms, mutated, crossed over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from stressfield.errors import InputError
from stressfield.fuzz.condition import Condition, parse_condition, parse_term
from stressfield.fuzz.expression import COMPARISONS, LOGIC, Binary, Expression, Unary, children, constant
from stressfield.fuzz.lexer import LONGEST_TEXT
from stressfield.fuzz.parser import DEEPEST_NESTING, MOST_PARTS
from stressfield.fuzz.vocabulary import FUNCTIONS, Term, Vocabulary
from stressfield.seeds import Rng

COMPARED_BY = ("<", ">")
"""As in the grammar of the source; equality of measured numbers says nothing."""
_DIGITS = 4
_LONGEST_NUMBER = 24
_LONGEST_JOINT = 8
"""An operator with its spaces and a pair of parentheses."""


@dataclass(frozen=True, slots=True)
class Grammar:
    """What generated conditions are made of: a term against a number of its range or against another term."""

    vocabulary: Vocabulary
    terms: tuple[tuple[Expression, float, float], ...]
    _widest: int = field(init=False, repr=False, compare=False)
    """The most characters that a part adds to the text of a condition."""

    def __post_init__(self) -> None:
        words = [*self.vocabulary.variables, *FUNCTIONS]
        object.__setattr__(self, "_widest", max(_LONGEST_NUMBER, *map(len, words)) + _LONGEST_JOINT)

    @classmethod
    def of(cls, vocabulary: Vocabulary, terms: Iterable[Term]) -> Grammar:
        """A grammar of checked terms."""
        made = tuple((parse_term(one.term, vocabulary), one.low, one.high) for one in terms)
        if not made:
            raise InputError("Conditions cannot be generated: the grammar has no terms. Wanted at least one.")
        return cls(vocabulary, made)

    def condition(self, rng: Rng, *, parts: int = 2) -> Condition:
        """A condition of one to ``parts`` comparisons, joined by ``and`` and ``or``."""
        tree = self.comparison(rng)
        for _ in range(int(rng.integers(parts))):
            tree = Binary(_one(LOGIC, rng), tree, self.comparison(rng))
        return self._checked(tree)

    def comparison(self, rng: Rng) -> Expression:
        """A basic condition."""
        place = int(rng.integers(len(self.terms)))
        term, low, high = self.terms[place]
        others = [other for at, (other, _, _) in enumerate(self.terms) if at != place]
        if others and rng.random() < 0.3:
            return Binary(_one(COMPARED_BY, rng), term, others[int(rng.integers(len(others)))])
        return Binary(_one(COMPARED_BY, rng), term, constant(_rounded(rng.uniform(low, high), low, high)))

    def mutate(self, condition: Condition, rng: Rng, *, parts: int = 2) -> Condition:
        """One change: a comparison made anew or turned round, ``and`` for ``or``, a part added or taken away."""
        pieces = _comparisons(condition.tree)
        choice = int(rng.integers(4))
        if choice == 0 and len(pieces) < parts:
            return self._checked(Binary(_one(LOGIC, rng), condition.tree, self.comparison(rng)))
        if choice == 1 and len(pieces) > 1:
            return self._checked(pieces[int(rng.integers(len(pieces)))])
        chosen = pieces[int(rng.integers(len(pieces)))]
        if choice == 2 and isinstance(chosen, Binary) and chosen.operator in _TURNED:
            return self._checked(
                _replaced(condition.tree, chosen, Binary(_TURNED[chosen.operator], chosen.left, chosen.right))
            )
        joint = condition.tree
        if choice == 3 and isinstance(joint, Binary) and joint.operator in LOGIC:
            other = "or" if joint.operator == "and" else "and"
            return self._checked(Binary(other, joint.left, joint.right))
        return self._checked(_replaced(condition.tree, chosen, self.comparison(rng)))

    def crossover(self, one: Condition, other: Condition, rng: Rng) -> tuple[Condition, Condition]:
        """Two conditions that have exchanged a comparison."""
        mine, theirs = _comparisons(one.tree), _comparisons(other.tree)
        a, b = mine[int(rng.integers(len(mine)))], theirs[int(rng.integers(len(theirs)))]
        return self._checked(_replaced(one.tree, a, b)), self._checked(_replaced(other.tree, b, a))

    def _checked(self, tree: Expression) -> Condition:
        """What was generated is what a person could have written: one that might be too large is read to find out."""
        condition = Condition(tree)
        return condition if self._small(tree) else parse_condition(str(condition), self.vocabulary)

    def _small(self, tree: Expression) -> bool:
        """Whether the tree is surely inside all limits of the parser. What it is made of was checked before."""
        parts, level = 0, [tree]
        for _ in range(DEEPEST_NESTING // 2 - 1):  # a part may be in parentheses and negative
            parts += len(level)
            level = [child for node in level for child in children(node)]
            if not level:
                return parts <= MOST_PARTS and parts * self._widest <= LONGEST_TEXT
        return False


_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "!=", "!=": "=="}


def _one(choices: Sequence[str], rng: Rng) -> str:
    return choices[int(rng.integers(len(choices)))]


def _rounded(value: float, low: float, high: float) -> float:
    """Few digits are easier to read, and the bounds are kept."""
    return min(high, max(low, float(f"{value:.{_DIGITS}g}")))


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
