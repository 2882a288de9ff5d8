"""Constraint: a sentence that must be true of an element; and Rejections: which one rejects how many candidates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from stressfield.errors import GenerationError, ModelError

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


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What became of one element's candidates; ``rejected`` counts by constraint sentence."""

    element: str
    candidates: int
    accepted: int
    rejected: Mapping[str, int]

    @property
    def rate(self) -> float | None:
        """Share of candidates accepted; None when there were none."""
        return self.accepted / self.candidates if self.candidates else None


@dataclass(slots=True)
class Rejections:
    """Collects over any number of generations: pass it as ``stats=``, then read ``report()``."""

    _accepted: Counter[str] = field(default_factory=Counter)
    _rejected: dict[str, Counter[str]] = field(default_factory=dict)

    def record(self, element: str, rejected: Mapping[Constraint, int], *, accepted: bool) -> None:
        """One element was generated, or given up, after these rejections."""
        self._accepted[element] += accepted
        counts = self._rejected.setdefault(element, Counter())
        for constraint, times in rejected.items():
            counts[constraint.sentence] += times

    def report(self) -> tuple[Acceptance, ...]:
        """One line per element, in the order first met."""
        return tuple(
            Acceptance(name, self._accepted[name] + counts.total(), self._accepted[name], dict(counts))
            for name, counts in self._rejected.items()
        )


def exhausted(element: str, attempts: int, rejected: Mapping[Constraint, int], fixed: Iterable[str]) -> GenerationError:
    """The error that says who rejected how often, what the descriptor fixed, and what to relax."""
    ranking = sorted(rejected.items(), key=lambda entry: -entry[1])
    blame = ", ".join(f"'{c.sentence}' rejected {n} of {attempts} candidates" for c, n in ranking)
    given = ", ".join(fixed)
    relax = "; ".join(dict.fromkeys(c.relax for c, _ in ranking if c.relax))
    parts = [f"{element}: no valid candidate in {attempts} attempts: {blame}."]
    if given:
        parts.append(f"The descriptor fixed {given}.")
    if relax:
        parts.append(f"Relax {relax}.")
    elif given:
        parts.append("Put r in place of one of them.")
    else:
        parts.append("Widen the ranges of the parameters in that constraint.")
    return GenerationError(" ".join(parts))
