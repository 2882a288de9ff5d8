"""What the oracle says of a run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """``inconclusive`` means that the property saw no data: never a pass, never a fail."""

    PASS = "pass"
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"


@dataclass(frozen=True, slots=True)
class Violation:
    """An interval during which a property did not hold, and what kind of violation it was."""

    start_s: float
    end_s: float
    subcase: str | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a property's judge returns: how far from violation the run stayed, and where it did not.

    ``margin`` is positive while the property holds, in ``unit``; None where there is nothing to measure (a property of
    error reports in a run without errors). ``seen=False`` says that the data the property needs is missing.
    """

    margin: float | None
    unit: str
    at_s: float | None = None
    violations: tuple[Violation, ...] = ()
    note: str = ""
    seen: bool = True


@dataclass(frozen=True, slots=True)
class Verdict:
    """A property's judgement of one run."""

    property: str
    outcome: Outcome
    margin: float | None
    unit: str
    at_s: float | None = None
    subcase: str | None = None
    violations: tuple[Violation, ...] = ()
    note: str = ""


def overall(verdicts: tuple[Verdict, ...]) -> Outcome:
    """The verdict on a run: a fail anywhere fails it; otherwise anything inconclusive leaves it open."""
    outcomes = {verdict.outcome for verdict in verdicts}
    if Outcome.FAIL in outcomes:
        return Outcome.FAIL
    if Outcome.INCONCLUSIVE in outcomes or not outcomes:
        return Outcome.INCONCLUSIVE
    return Outcome.PASS
