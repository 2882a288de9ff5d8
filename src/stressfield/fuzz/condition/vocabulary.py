"""The words conditions may use: variables and places, each read from topics, and terms to make conditions of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

import msgspec

from stressfield.errors import InputError, did_you_mean
from stressfield.fuzz.condition._parser import KEYWORDS
from stressfield.fuzz.condition.expression import Call, Expression, Name

IDENTIFIER = "^[A-Za-z][A-Za-z0-9_]*$"
Identifier = Annotated[str, msgspec.Meta(pattern=IDENTIFIER, max_length=100)]
TopicName = Annotated[str, msgspec.Meta(min_length=1, max_length=255)]

FUNCTIONS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "distance": (("place", "place"), "the distance in metres between two places"),
    "abs": (("number",), "a number without its sign"),
    "min": (("number", "number"), "the smaller of two numbers"),
    "max": (("number", "number"), "the larger of two numbers"),
}
"""The only functions there are: the kinds of their arguments, and what they give (always a number)."""


class Variable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Something a condition can speak of, read from messages as their publishers sent them.

    A ``number`` is written ``name``, or ``name(of)`` if it is of something: ``battery(robot0)``. A ``place`` is a point
    (fields x, y and, if there, z at ``path``) for ``distance``. ``take`` says what becomes of many messages. A variable
    without topics is declared but not bound: a condition that uses it cannot be run.
    """

    name: Identifier
    of: Identifier | None = None
    kind: Literal["number", "place"] = "number"
    topics: tuple[TopicName, ...] = ()
    path: str = ""
    take: Literal["last", "count", "sum", "min", "max"] = "last"

    @property
    def key(self) -> str:
        """How it is written in a condition."""
        return self.name if self.of is None else f"{self.name}({self.of})"

    @property
    def expression(self) -> Expression:
        """How it is written in a condition, as a tree."""
        return Name(self.name) if self.of is None else Call(self.name, (Name(self.of),))


class Term(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A number that generated conditions may compare, and the range of what it is compared with."""

    term: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Variables and places by how they are written."""

    variables: Mapping[str, Variable] = field(default_factory=dict)

    @classmethod
    def of(cls, variables: Iterable[Variable]) -> Vocabulary:
        """A vocabulary of declared variables; what cannot be told apart is an InputError."""
        known: dict[str, Variable] = {}
        for variable in variables:
            taken = variable.name in KEYWORDS or variable.name in FUNCTIONS
            if taken:
                raise InputError(
                    f"A variable cannot be called {variable.name!r}: that is a word of the condition language."
                )
            if variable.key in known:
                raise InputError(f"Two variables are called {variable.key!r}. Wanted different names.")
            if variable.kind == "place" and (variable.of is not None or variable.take != "last"):
                raise InputError(
                    f"The place {variable.key!r} has 'of' or 'take'. Wanted a name, topics and a path alone."
                )
            if variable.topics and not variable.path and variable.take != "count":
                raise InputError(f"The variable {variable.key!r} has topics but no path. Wanted the field to read.")
            known[variable.key] = variable
        return cls(known)

    def things(self) -> set[str]:
        """What numbers can be of: ``robot0`` in ``battery(robot0)``."""
        return {variable.of for variable in self.variables.values() if variable.of is not None}

    def unknown(self, word: str) -> str:
        """A sentence on a word that is not declared."""
        known = sorted(self.variables)
        more = ", ..." if len(known) > 12 else ""
        told = f"Declared: {', '.join(known[:12])}{more}." if known else "None is declared."
        return f"Unknown variable {word!r}. {told}{did_you_mean(word, known)}"
