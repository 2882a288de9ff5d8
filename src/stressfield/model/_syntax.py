"""Syntax: a descriptor's text as a tree of atoms, groups and lists, before any model is asked.

::

    descriptor = value , { "-" , value } ;
    value      = atom | "(" , value , { "-" , value } , ")" | "[" , [ value , { "," , value } ] , "]" ;
    atom       = number | word | quoted ;

Spaces may stand around any of these. A minus is a sign where a value is due and a separator elsewhere.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, TypeAlias

from stressfield.errors import DescriptorError
from stressfield.model._draft import Span

# descriptors come from files and command lines of strangers: no text may exhaust memory or the stack
LONGEST_TEXT = 100_000
DEEPEST_NESTING = 64
LONGEST_NUMBER = 64

_ATOM = re.compile(
    r"(?P<number>-?[0-9]+(?:\.[0-9]*)?(?:[eE][-+]?[0-9]+)?)"
    r"|(?P<word>[^\W\d]\w*)"
    r'|(?P<quoted>"(?:[^"\\]|\\.)*")'
)
_SPACE = re.compile(r"\s*")
_CHUNK = re.compile(r"[^\s\-(),\[\]]+|.", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Atom:
    """A number, a bare word or a quoted word, as written."""

    kind: Literal["number", "word", "quoted"]
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Bracket:
    """Parts in parentheses, separated by ``-``: an element."""

    parts: tuple[Node, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Listing:
    """Items in brackets: a sequence."""

    items: tuple[Node, ...]
    span: Span


Node: TypeAlias = Atom | Bracket | Listing


def fault(message: str, text: str, span: Span) -> DescriptorError:
    """A DescriptorError at that place; line breaks are shown as spaces so that the caret stands below it."""
    shown = "".join(" " if char.isspace() or not char.isprintable() else char for char in text)
    return DescriptorError(message, descriptor=shown, position=span.start, length=span.end - span.start)


def parse(text: object) -> Bracket:
    """The tree of a descriptor, or a DescriptorError at the first place that is not grammatical."""
    if not isinstance(text, str):
        shown = repr(text)[:60]
        message = f"A descriptor is text: got {type(text).__name__}, wanted str."
        raise DescriptorError(message, descriptor=shown, position=0, length=len(shown))
    if len(text) > LONGEST_TEXT:
        message = f"The descriptor is too long: got {len(text)} characters, wanted at most {LONGEST_TEXT}."
        raise DescriptorError(message, descriptor=f"{text[:40]}...", position=0)
    return _Parser(text).whole()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.depth = 0

    def whole(self) -> Bracket:
        start = self._skip()
        parts = [self._value()]
        while self._take("-"):
            parts.append(self._value())
        if self.at < len(self.text):
            raise self._unexpected("'-' or the end")
        return Bracket(tuple(parts), Span(start, max(start + 1, len(self.text.rstrip()))))

    def _value(self) -> Node:
        start = self._skip()
        if self._take("("):
            return Bracket(*self._enclosed(start, "-", ")"))
        if self._take("["):
            return Listing(*self._enclosed(start, ",", "]"))
        return self._atom()

    def _enclosed(self, start: int, separator: str, close: str) -> tuple[tuple[Node, ...], Span]:
        self.depth += 1
        if self.depth > DEEPEST_NESTING:
            message = f"Nested too deeply: wanted at most {DEEPEST_NESTING} levels of brackets."
            raise fault(message, self.text, Span(start, start + 1))
        nodes: list[Node] = []
        if not (close == "]" and self._take(close)):
            nodes.append(self._value())
            while self._take(separator):
                nodes.append(self._value())
            if not self._take(close):
                raise self._unexpected(f"'{separator}' or '{close}'")
        self.depth -= 1
        end = len(self.text[start : self.at].rstrip()) + start
        return tuple(nodes), Span(start, end)

    def _atom(self) -> Atom:
        found = _ATOM.match(self.text, self.at)
        if found is None:
            raise self._unexpected("a value, an operator, '(' or '['")
        span = Span(found.start(), found.end())
        self.at = found.end()
        self._skip()
        if found["number"] is not None:
            if len(found[0]) > LONGEST_NUMBER:
                raise fault(f"A number is too long: wanted at most {LONGEST_NUMBER} digits.", self.text, span)
            return Atom("number", found[0], span)
        return Atom("word" if found["word"] is not None else "quoted", found[0], span)

    def _take(self, mark: str) -> bool:
        if not self.text.startswith(mark, self.at):
            return False
        self.at += 1
        self._skip()
        return True

    def _skip(self) -> int:
        space = _SPACE.match(self.text, self.at)
        self.at = space.end() if space else self.at
        return self.at

    def _unexpected(self, wanted: str) -> DescriptorError:
        chunk = _CHUNK.match(self.text, self.at)
        got = repr(chunk[0]) if chunk else "the end"
        end = chunk.end() if chunk else self.at + 1
        return fault(f"Unexpected text: got {got}, wanted {wanted}.", self.text, Span(self.at, end))
