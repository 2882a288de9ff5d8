"""Operators: letters in a descriptor that say how to choose what stands in their place."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Protocol

from stressfield.errors import InputError
from stressfield.model.parameter import Integer, Parameter, Real, Value


class Chance(enum.Enum):
    """The answer of an operator that leaves a parameter to chance."""

    CHANCE = "chance"


CHANCE: Final = Chance.CHANCE


class Operator(Protocol):
    """Chooses a value for one leaf (real, integer, boolean, choice). Any plain function will do.

    Answers: a value; ``CHANCE`` for a random one; None for "does not apply to this kind", which is an
    error where the letter stands for the leaf itself, and chance where it stands for a whole element.
    A sequence of free length asks for its length as for an integer parameter.
    """

    def __call__(self, parameter: Parameter, /) -> Value: ...


def at_random(_parameter: Parameter, /) -> Value:
    """``r``: leave it to chance."""
    return CHANCE


def at_minimum(parameter: Parameter, /) -> Value:
    """``m``: the smallest number."""
    return parameter.low if isinstance(parameter, Real | Integer) else None


def at_maximum(parameter: Parameter, /) -> Value:
    """``M``: the largest number."""
    return parameter.high if isinstance(parameter, Real | Integer) else None


OPERATORS: Final[Mapping[str, Operator]] = MappingProxyType({"r": at_random, "m": at_minimum, "M": at_maximum})
"""The operators every descriptor knows. To add one: ``{**OPERATORS, "h": halfway}``."""


def check_names(operators: Mapping[str, Operator]) -> None:
    """Operators are single letters: longer words are values, so neither can hide the other."""
    for name in operators:
        if not (len(name) == 1 and name.isascii() and name.isalpha()):
            raise InputError(f"Operator {name!r}: wanted a name of one letter, a to z or A to Z.")


def choose(operator: Operator, letter: str, parameter: Parameter) -> Value:
    """The operator's answer for a leaf, checked against the leaf's range."""
    answer = operator(parameter)
    if answer is None or answer is CHANCE:
        return answer
    return parameter.accept(answer, where=f"Operator '{letter}' for '{parameter.name}'")
