"""Every property of the oracle: on or off, how often violated, in which sub-cases."""

from __future__ import annotations

from dataclasses import dataclass

from stressfield.analysis import PropertySummary
from stressfield.report.facts import Facts
from stressfield.report.words import case_name, interval, percent, sentence


@dataclass(frozen=True, slots=True)
class Subcase:
    """One sub-case: its name, what it means, how many runs, and its share of the property's fails."""

    name: str
    words: str
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class PropertyRow:
    """One property as it is shown."""

    name: str
    title: str
    kind: str
    on: bool
    why_off: str
    fails: int
    judged: int
    would_fail: int
    """Runs that an unused property would have failed, where it was judged all the same."""
    inconclusive: int
    share: str
    interval: str
    subcases: tuple[Subcase, ...]


def property_rows(facts: Facts) -> tuple[PropertyRow, ...]:
    """In the order of the oracle."""
    return tuple(_row(summary, facts.sampled) for summary in facts.summary.properties if summary.listed)


def _row(summary: PropertySummary, sampled: bool) -> PropertyRow:
    counted = summary.on
    return PropertyRow(
        name=summary.name,
        title=sentence(summary.title),
        kind=summary.kind,
        on=summary.on,
        why_off=summary.why_off,
        fails=summary.failed if counted else 0,
        judged=summary.judged if counted else 0,
        would_fail=0 if counted else summary.failed,
        inconclusive=summary.inconclusive if counted else 0,
        share=percent(summary.failed / summary.judged if counted and summary.judged else None),
        interval=interval(summary.rate) if counted and sampled else "",
        subcases=tuple(
            Subcase(
                name=case_name(summary.name, case.name),
                words=case.words,
                count=case.failed if counted else 0,
                share=case.failed / max(1, summary.failed) if counted else 0.0,
            )
            for case in summary.subcases
            if case.name
        ),
    )
