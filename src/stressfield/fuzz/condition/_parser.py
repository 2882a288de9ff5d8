"""The condition language's grammar, read by recursive descent within a budget.

::

    condition  = disjunct , { "or" , disjunct } ;
    disjunct   = negation , { "and" , negation } ;
    negation   = "not" , negation | comparison ;
    comparison = sum , [ ( "<" | "<=" | ">" | ">=" | "==" | "!=" ) , sum ] ;
    sum        = product , { ( "+" | "-" ) , product } ;
    product    = factor , { ( "*" | "/" ) , factor } ;
    factor     = "-" , factor | number | "true" | "false" | name , [ arguments ] | "(" , condition , ")" ;
    arguments  = "(" , [ condition , { "," , condition } ] , ")" ;
"""

from __future__ import annotations

import re
from math import isinf
from typing import Literal, NamedTuple, TypeAlias

from stressfield.errors import ConditionError
from stressfield.fuzz.condition.expression import (
    COMPARISONS,
    Binary,
    BooleanLiteral,
    Call,
    Expression,
    Name,
    Number,
    Unary,
)

LONGEST_TEXT = 2000
"""Characters: more than a person would write, few enough to read in no time whatever they are."""
KEYWORDS = ("and", "or", "not", "true", "false")

Kind: TypeAlias = Literal["number", "name", "keyword", "mark", "end"]

_TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<mark>\*\*|<=|>=|==|!=|&&|\|\||[-+*/<>(),])"
)
_SPACE = re.compile(r"\s*")
_INSTEAD = {
    "**": "There are no powers: wanted + - * /.",
    "&&": "Wanted 'and'.",
    "||": "Wanted 'or'.",
    "=": "Wanted '==' to compare.",
    "!": "Wanted 'not'.",
    ".": "Parts of things cannot be reached into: declare a variable with the topic and the field.",
}


class Token(NamedTuple):
    """A word and where it stands."""

    kind: Kind
    text: str
    at: int
    end: int


def fault(message: str, text: str, at: int, end: int) -> ConditionError:
    """A ConditionError at that place; line breaks are shown as spaces so that the caret stands below it."""
    shown = "".join(" " if char.isspace() or not char.isprintable() else char for char in text)
    return ConditionError(message, condition=shown, position=at, length=end - at)


def tokens(text: object) -> list[Token]:
    """All words of a condition and an ``end``, or a ConditionError at the first that is none."""
    if not isinstance(text, str):
        shown = repr(text)[:60]
        message = f"A condition is text: got {type(text).__name__}, wanted str."
        raise ConditionError(message, condition=shown, position=0, length=len(shown))
    if len(text) > LONGEST_TEXT:
        message = f"The condition is too long: got {len(text)} characters, wanted at most {LONGEST_TEXT}."
        raise fault(message, f"{text[:40]}...", 0, 1)
    found: list[Token] = []
    at = _skip(text, 0)
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None or match[0] in _INSTEAD:
            got = text[at] if match is None else match[0]
            raise fault(f"Unexpected {got!r}. {_INSTEAD.get(got, _WANTED)}", text, at, at + len(got))
        found.append(_token(match, text))
        at = _skip(text, match.end())
    found.append(Token("end", "", len(text), len(text) + 1))
    return found


_WANTED = "Wanted numbers, names, + - * /, comparisons, and, or, not, parentheses."


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return space.end() if space else at


def _token(match: re.Match[str], text: str) -> Token:
    word, at, end = match[0], match.start(), match.end()
    if match["number"] is not None:
        if isinf(float(word)):
            raise fault(f"The number {word} is too large: wanted a finite one.", text, at, end)
        return Token("number", word, at, end)
    if match["name"] is not None:
        return Token("keyword" if word in KEYWORDS else "name", word, at, end)
    return Token("mark", word, at, end)


DEEPEST_NESTING = 32
"""Far below the recursion limit of Python: a hostile text is a ConditionError, never a crash."""
MOST_PARTS = 200
"""Every part is computed again at each message that may change it."""


def parse_expression(text: str) -> Expression:
    """The tree of a text, or a ConditionError at the first place that is not grammatical or beyond the budget."""
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.words = tokens(text)
        self.place = 0
        self.depth = 0
        self.parts = 0

    @property
    def word(self) -> Token:
        return self.words[self.place]

    def whole(self) -> Expression:
        node = self._or()
        if self.word.kind != "end":
            raise self._unexpected("an operator or the end")
        return node

    def _or(self) -> Expression:
        self._enter()
        node = self._and()
        while self._take("or"):
            node = self._binary("or", node, self._and())
        self.depth -= 1
        return node

    def _and(self) -> Expression:
        node = self._not()
        while self._take("and"):
            node = self._binary("and", node, self._not())
        return node

    def _not(self) -> Expression:
        at = self.word.at
        if not self._take("not"):
            return self._comparison()
        self._enter()
        operand = self._not()
        self.depth -= 1
        return self._count(Unary("not", operand, at, operand.end))

    def _comparison(self) -> Expression:
        left = self._sum()
        if self.word.text not in COMPARISONS:
            return left
        operator = self._next().text
        node = self._binary(operator, left, self._sum())
        if self.word.text in COMPARISONS:
            raise self._fault("Comparisons do not chain: write 'a < b and b < c'.", self.word)
        return node

    def _sum(self) -> Expression:
        node = self._product()
        while self.word.text in ("+", "-"):
            node = self._binary(self._next().text, node, self._product())
        return node

    def _product(self) -> Expression:
        node = self._factor()
        while self.word.text in ("*", "/"):
            node = self._binary(self._next().text, node, self._factor())
        return node

    def _factor(self) -> Expression:
        word = self.word
        if word.text == "-":
            self._next()
            self._enter()
            operand = self._factor()
            self.depth -= 1
            return self._count(Unary("-", operand, word.at, operand.end))
        if word.text == "(":
            self._next()
            node = self._or()
            self._expect(")")
            return node
        if word.kind == "number":
            self._next()
            return self._count(Number(float(word.text), word.at, word.end))
        if word.text in ("true", "false"):
            self._next()
            return self._count(BooleanLiteral(word.text == "true", word.at, word.end))
        if word.kind == "name":
            self._next()
            return self._call(word) if self.word.text == "(" else self._count(Name(word.text, word.at, word.end))
        raise self._unexpected("a number, a name, '-', 'not' or '('")

    def _call(self, name: Token) -> Expression:
        self._next()
        arguments: list[Expression] = []
        if self.word.text != ")":
            arguments.append(self._or())
            while self._take(","):
                arguments.append(self._or())
        end = self._expect(")").end
        return self._count(Call(name.text, tuple(arguments), name.at, end))

    def _binary(self, operator: str, left: Expression, right: Expression) -> Expression:
        return self._count(Binary(operator, left, right, left.at, right.end))

    def _count(self, node: Expression) -> Expression:
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise fault(f"The condition has too many parts: wanted at most {MOST_PARTS}.", self.text, node.at, node.end)
        return node

    def _enter(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            raise self._fault(f"Nested too deeply: wanted at most {DEEPEST_NESTING} levels.", self.word)

    def _next(self) -> Token:
        self.place += 1
        return self.words[self.place - 1]

    def _take(self, text: str) -> bool:
        if self.word.text != text:
            return False
        self.place += 1
        return True

    def _expect(self, text: str) -> Token:
        if self.word.text != text:
            raise self._unexpected(f"'{text}'")
        return self._next()

    def _unexpected(self, wanted: str) -> ConditionError:
        got = repr(self.word.text) if self.word.text else "the end"
        return self._fault(f"Unexpected text: got {got}, wanted {wanted}.", self.word)

    def _fault(self, message: str, word: Token) -> ConditionError:
        return fault(message, self.text, word.at, word.end)
