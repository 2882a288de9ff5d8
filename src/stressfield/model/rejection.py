"""Rejections: how often which constraint rejected a candidate, and what to say when all were."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from stressfield.errors import GenerationError
from stressfield.model.constraint import Constraint


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
