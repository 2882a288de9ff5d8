"""The violations of a run as numbered marks: where, when, what, how bad."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from stressfield.oracle import Outcome, Property, Verdict
from stressfield.report.words import case_name, figure, seconds

MARKS_MAX = 12
GAP_S = 1.5
"""Violations of one kind closer than this are one mark."""


@dataclass(frozen=True, slots=True)
class Mark:
    """One violation as it is shown. ``at_s`` is its worst instant if known, otherwise its start."""

    name: str
    explanation: str
    start_s: float
    end_s: float
    at_s: float
    margin: str
    note: str = ""
    """What the verdict says beside it, such as which robots it is about."""

    @property
    def label(self) -> str:
        """``P5_1 collision after the U-turn, 41.2 s, -0.03 m``."""
        head = f"{self.name} {self.explanation}".strip()
        return ", ".join(part for part in (head, seconds(self.at_s), self.margin) if part)


def marks_of(verdicts: Sequence[Verdict], properties: Mapping[str, Property] | None = None) -> tuple[Mark, ...]:
    """The violations of all failing verdicts in order of time, near ones of a kind joined."""
    marks: list[Mark] = []
    for verdict in verdicts:
        if verdict.outcome is Outcome.FAIL:
            marks += _joined(_marks(verdict, (properties or {}).get(verdict.property)))
    marks.sort(key=lambda mark: (mark.at_s, mark.name))
    return tuple(marks[:MARKS_MAX])


def bad_intervals(verdicts: Sequence[Verdict]) -> list[tuple[float, float]]:
    """All intervals in which any property is violated, joined where they overlap."""
    spans = sorted((v.start_s, v.end_s) for verdict in verdicts for v in verdict.violations)
    joined: list[tuple[float, float]] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def explanation_of(prop: Property | None, subcase: str | None) -> str:
    """What a sub-case means in plain words, or an empty text."""
    if prop is None or subcase is None:
        return ""
    return prop.subcases.get(subcase) or prop.subcases.get(case_name(prop.name, subcase), "")


def _marks(verdict: Verdict, prop: Property | None) -> list[Mark]:
    marks = []
    for violation in verdict.violations:
        at = verdict.at_s
        worst = at is not None and violation.start_s <= at <= violation.end_s
        marks.append(
            Mark(
                name=case_name(verdict.property, violation.subcase),
                explanation=explanation_of(prop, violation.subcase),
                start_s=violation.start_s,
                end_s=violation.end_s,
                at_s=at if at is not None and worst else violation.start_s,
                margin=figure(verdict.margin, verdict.unit) if worst and verdict.margin is not None else "",
                note=verdict.note,
            )
        )
    return marks


def _joined(marks: list[Mark]) -> list[Mark]:
    joined: list[Mark] = []
    for mark in marks:
        before = joined[-1] if joined else None
        if before is not None and before.name == mark.name and mark.start_s - before.end_s < GAP_S:
            worse = mark if mark.margin and not before.margin else before
            joined[-1] = replace(worse, start_s=before.start_s, end_s=max(before.end_s, mark.end_s))
        else:
            joined.append(mark)
    return joined
