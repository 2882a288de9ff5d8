"""Every property of the oracle: on or off, how often violated, in which sub-cases."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from stressfield.oracle import Outcome, Property, Verdict
from stressfield.report.facts import Facts, rate_by_world
from stressfield.report.figures.tracks import explanation_of
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
    verdicts: dict[str, list[tuple[str, Verdict]]] = {}
    would_fail: Counter[str] = Counter()
    for judged in facts.results.runs:
        for verdict in judged.verdicts:
            verdicts.setdefault(verdict.property, []).append((judged.run.id, verdict))
        would_fail.update(verdict.property for verdict in judged.others if verdict.outcome is Outcome.FAIL)
    return tuple(
        _row(facts, one, verdicts.get(one.name, []), would_fail[one.name]) for one in facts.study.oracle.properties
    )


def _row(facts: Facts, prop: Property, verdicts: list[tuple[str, Verdict]], would_fail: int) -> PropertyRow:
    failing = {run_id for run_id, verdict in verdicts if verdict.outcome is Outcome.FAIL}
    conclusive = sum(verdict.outcome is not Outcome.INCONCLUSIVE for _, verdict in verdicts)
    counts = Counter(verdict.subcase for _, verdict in verdicts if verdict.outcome is Outcome.FAIL and verdict.subcase)
    known = [*prop.subcases, *sorted(name for name in counts if name and name not in prop.subcases)]
    return PropertyRow(
        name=prop.name,
        title=sentence(prop.title),
        kind=prop.kind.value,
        on=bool(verdicts),
        why_off=prop.why_off,
        fails=len(failing),
        judged=conclusive,
        would_fail=would_fail,
        inconclusive=len(verdicts) - conclusive,
        share=percent(len(failing) / conclusive if conclusive else None),
        interval=interval(rate_by_world(facts.results.runs, failing)) if verdicts and facts.sampled else "",
        subcases=tuple(
            Subcase(
                name=case_name(prop.name, name),
                words=explanation_of(prop, name),
                count=counts[name],
                share=counts[name] / max(1, len(failing)),
            )
            for name in known
            if name
        ),
    )
