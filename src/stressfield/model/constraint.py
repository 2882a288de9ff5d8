"""Constraint: a sentence that must be true of an element."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from stressfield.errors import ModelError

_Method = TypeVar("_Method", bound=Callable[[Any], bool])
_MARK = "__constraint__"


@dataclass(frozen=True, slots=True)
class Constraint:
    """``sentence`` is for people, ``test`` for candidates, ``relax`` says what to loosen when it cannot hold."""

    sentence: str
    test: Callable[[Any], bool]
    relax: str = ""

    def holds(self, element: Any) -> bool:
        """Whether the sentence is true; a test that itself fails is a ModelError."""
        try:
            return bool(self.test(element))
        except ModelError:
            raise
        except Exception as error:
            raise ModelError(
                f"The constraint '{self.sentence}' of {type(element).__name__} failed on {element!r}: {error!r}."
            ) from error


def constraint(sentence: str, *, relax: str = "") -> Callable[[_Method], _Method]:
    """Declare a method of an Element as a constraint. Over several elements: at their closest common ancestor."""
    if not isinstance(sentence, str) or not sentence.strip():
        raise ModelError(f'@constraint: got {sentence!r}, wanted a sentence: @constraint("rows do not touch").')

    def mark(method: _Method) -> _Method:
        setattr(method, _MARK, Constraint(sentence, method, relax))
        return method

    return mark


def marked(attribute: object) -> Constraint | None:
    """The constraint a class attribute was declared as, if any."""
    found = getattr(attribute, _MARK, None)
    return found if isinstance(found, Constraint) else None
