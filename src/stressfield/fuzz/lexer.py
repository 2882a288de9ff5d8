"""Words of the condition language, each with its place."""

from __future__ import annotations

import re
from math import isinf
from typing import Literal, NamedTuple, TypeAlias

from stressfield.errors import ConditionError

LONGEST_TEXT = 2000
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
