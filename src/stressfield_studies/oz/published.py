"""The published results of the `oz` study, and the tables that set ours beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from stressfield.analysis import SideBySide, SideBySideRow, consistency
from stressfield.campaign import Results
from stressfield.oracle import Outcome, Verdict
from stressfield_studies.oz.oracle import oracle

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


def tables(results: Results) -> tuple[SideBySide, ...]:
    """Tables 3, 4 and 5 and Figure 9 of the publication, with our figures beside them."""
    failing = [[v for v in judged.verdicts if v.outcome is Outcome.FAIL] for judged in results.runs]
    judged = sum(one.run.outcome is not None for one in results.runs)
    return (_verdicts(failing, judged), _repeats(results), _properties(failing))


def _verdicts(failing: Sequence[Sequence[Verdict]], judged: int) -> SideBySide:
    failed = [verdicts for verdicts in failing if verdicts]
    uturn = sum(any((v.property, v.subcase) in _UTURN for v in verdicts) for verdicts in failed)
    rows = (
        SideBySideRow("runs", RUNS, judged),
        SideBySideRow("failing runs", FAILING_RUNS, len(failed)),
        SideBySideRow("share of failing runs", 48.0, _percent(len(failed), judged), "%"),
        SideBySideRow("share of these that involve the U-turn", 100.0 * UTURN_SHARE, _percent(uturn, len(failed)), "%"),
    )
    return SideBySide("Verdicts (Table 4)", SOURCE, rows)


def _repeats(results: Results) -> SideBySide:
    worlds: dict[str, list[bool | None]] = {}
    for one in results.runs:
        failed = None if one.run.outcome is None else one.run.outcome is Outcome.FAIL
        worlds.setdefault(one.run.scenario_id, []).append(failed)
    found = consistency(worlds, repeats=results.plan.repeats)
    same = results.plan.repeats == 5
    rows = [
        SideBySideRow(f"worlds with {n} failing runs", FAILS_OVER_FIVE_RUNS[n] if same else None, count)
        for n, count in enumerate(found.histogram)
    ]
    rows.append(
        SideBySideRow("inconsistent worlds", 28.75, _percent(sum(found.histogram[1:-1]), sum(found.histogram)), "%")
    )
    return SideBySide(f"Failing runs of {results.plan.repeats} repeats (Table 3)", SOURCE, tuple(rows))


def _properties(failing: Sequence[Sequence[Verdict]]) -> SideBySide:
    count = Counter(v.property for verdicts in failing for v in verdicts)
    cases = Counter((v.property, v.subcase) for verdicts in failing for v in verdicts)
    rows = []
    for name, published in FAILING_BY_PROPERTY.items():
        rows.append(SideBySideRow(f"{name}: {oracle[name].title}", published, count[name]))
        told: Mapping[str, str] = oracle[name].subcases
        for case, text in told.items():
            before = SUBCASES[name].get(case)
            if before is not None or cases[name, case]:
                rows.append(SideBySideRow(f"{name}_{case} {text}", before, cases[name, case]))
    return SideBySide("Failing runs by property and sub-case (Table 5, Figure 9)", SOURCE, tuple(rows))


def _percent(part: int, whole: int) -> float | None:
    return round(100.0 * part / whole, 1) if whole else None
