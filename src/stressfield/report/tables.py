"""Tables that the terminal and the page share. They know no figures: what a plain screen needs loads fast."""

from __future__ import annotations

from statistics import median

from stressfield.analysis import SideBySide, Summary
from stressfield.campaign.front import samples
from stressfield.campaign.results import Results
from stressfield.report.page import Cell, Column, Entry, Table
from stressfield.report.words import DASH, brief, figure
from stressfield.run import JudgedRun
from stressfield.search import ListedTests


def published_tables(summary: Summary) -> tuple[Table, ...]:
    """Each published table of the study, with the difference."""
    return tuple(_beside(table) for table in summary.published)


def _beside(table: SideBySide) -> Table:
    numbers = [Column(title, number=True) for title in ("published", "ours", "difference")]
    note = f"Published in: {table.source}"
    return Table(table.title, ("", *numbers), [row.texts() for row in table.rows], note)


def listed_tests(results: Results) -> Table | None:
    """One row for each test, values are medians of repeats; None if the campaign does not run listed tests."""
    kind, space = results.plan.strategy, results.space
    if not isinstance(kind, ListedTests) or space is None:
        return None
    earlier = {test.name: test.results for test in kind.chosen(space)}
    disturbed = {scenario.id: scenario.disturbances for scenario in results.scenarios}
    runs: dict[str, list[JudgedRun]] = {}
    for judged in results.runs:
        runs.setdefault(judged.run.scenario_id, []).append(judged)
    names = [metric.name for metric in space.metrics]
    rows: list[tuple[Cell, ...]] = []
    for test in results.tests:
        of_test = sorted(runs.get(test.scenario_id, ()), key=lambda judged: judged.run.repeat)
        measured, before = samples(of_test), earlier.get(test.name, {})
        cells = []
        for name in names:
            ours = figure(median(measured[name]) if name in measured else None)
            cells.append(f"{ours} (was {figure(before[name])})" if name in before else ours)
        ended = ", ".join(judged.run.outcome or judged.run.status for judged in of_test) or "not run"
        words = "; ".join(map(brief, disturbed[test.scenario_id])) or DASH
        rows.append((test.name or str(test.index), ended, *cells, Entry(words, look="small words")))
    note = "Was: what the testing space tells of an earlier run of the test." if any(earlier.values()) else ""
    numbers = [Column(name, number=True) for name in names]
    headers = (Column("test"), Column("ended"), *numbers, Column("disturbances", fixed=True))
    return Table("Tests of the space", headers, rows, note)
