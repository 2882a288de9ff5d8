"""The published results of the `oz` study, and the tables that set ours beside them."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.analysis import SideBySide, SideBySideRow, Summary
from stressfield.oracle import Outcome, Profile, Verdict

SOURCE = "Robert et al."
RUNS = 400
FAILING_RUNS = 192
FAILS_OVER_FIVE_RUNS = (32, 5, 4, 2, 12, 25)
FAILING_BY_PROPERTY = {"P1": 0, "P3": 70, "P5": 142, "P6": 57, "P8": 14}
SUBCASES = {
    "P3": {"1": 55, "2": 4, "3": 9, "4": 2},
    "P5": {"1": 91, "2": 18, "3": 11, "4": 22},
    "P6": {"1": 6, "2": 49, "3": 2},
    "P8": {"1": 7, "2": 1, "3": 6},
}
UTURN_SHARE = 0.75
"""Share of failing runs that involve the U-turn."""

_UTURN = {("P3", "1"), ("P3", "2"), ("P3", "3"), ("P5", "1"), ("P5", "2"), ("P6", "1"), ("P6", "2"), ("P1", None)}


def tables(summary: Summary) -> tuple[SideBySide, ...]:
    """Tables 3, 4 and 5 and Figure 9 of the publication, with our figures beside them.

    None where a run may fail for what the publication did not judge: that would compare two things.
    """
    if summary.results.plan.profile != Profile.PUBLISHED:
        return ()
    failing = [[v for v in judged.verdicts if v.outcome is Outcome.FAIL] for judged in summary.runs.values()]
    return (_verdicts(failing, summary.judged), _repeats(summary), _properties(summary))


def _verdicts(failing: Sequence[Sequence[Verdict]], judged: int) -> SideBySide:
    failed = [verdicts for verdicts in failing if verdicts]
    uturn = sum(any((v.property, v.subcase) in _UTURN for v in verdicts) for verdicts in failed)
    rows = (
        _count("failing runs", FAILING_RUNS, len(failed), of=RUNS, ours_of=judged),
        SideBySideRow("share of these that involve the U-turn", 100.0 * UTURN_SHARE, _percent(uturn, len(failed)), "%"),
    )
    return SideBySide("Verdicts (Table 4)", SOURCE, rows)


def _repeats(summary: Summary) -> SideBySide:
    found, worlds = summary.repeatability, sum(FAILS_OVER_FIVE_RUNS)
    complete = found.inconsistent.total
    same = found.repeats == 5
    rows = [
        _count(
            f"worlds with {fails} failing run{'' if fails == 1 else 's'}",
            FAILS_OVER_FIVE_RUNS[fails] if same else None,
            count,
            of=worlds,
            ours_of=complete,
        )
        for fails, count in enumerate(found.histogram)
    ]
    inconsistent = sum(FAILS_OVER_FIVE_RUNS[1:-1])
    rows.append(_count("inconsistent worlds", inconsistent, int(found.inconsistent.count), of=worlds, ours_of=complete))
    return SideBySide(f"Failing runs of {found.repeats} repeats (Table 3)", SOURCE, tuple(rows))


def _properties(summary: Summary) -> SideBySide:
    rows = []
    for name, published in FAILING_BY_PROPERTY.items():
        prop = summary.property_of(name)
        if prop is None:
            continue
        rows.append(_count(f"{name}: {prop.title}", published, prop.failed, of=RUNS, ours_of=summary.judged))
        for case in prop.subcases:
            before = SUBCASES.get(name, {}).get(case.name)
            if before is not None or case.failed:
                label = f"{name}_{case.name} {case.words}"
                rows.append(_count(label, before, case.failed, of=RUNS, ours_of=summary.judged))
    return SideBySide("Failing runs by property and sub-case (Table 5, Figure 9)", SOURCE, tuple(rows))


def _count(label: str, published: int | None, ours: int, *, of: int, ours_of: int) -> SideBySideRow:
    return SideBySideRow(label, published, ours, published_of=of, ours_of=ours_of)


def _percent(part: int, whole: int) -> float | None:
    return round(100.0 * part / whole, 1) if whole else None
