"""Tests that a testing space lists: how they ended, what was measured, and what the space tells of earlier runs."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from stressfield.campaign.front import samples
from stressfield.campaign.fuzzing import find_tests, read_own_space
from stressfield.campaign.records import Results
from stressfield.report.disturbances import brief
from stressfield.report.page import Table
from stressfield.report.words import DASH, figure
from stressfield.run import JudgedRun


def listed_tests(results: Results) -> Table | None:
    """One row for each test, values are medians of repeats; None if the campaign does not run listed tests."""
    fuzzing = results.plan.fuzzing
    if fuzzing is None or not fuzzing.tests:
        return None
    space = read_own_space(Path(results.folder), results.plan)
    earlier = {test.name: test.results for test in find_tests(space, fuzzing)}
    disturbed = {one.id: one.disturbances for one in results.scenarios}
    runs: dict[str, list[JudgedRun]] = {}
    for judged in results.runs:
        runs.setdefault(judged.run.scenario_id, []).append(judged)
    names = [one.name for one in space.metrics]
    rows = []
    for test in results.tests:
        of_test = sorted(runs.get(test.scenario_id, ()), key=lambda judged: judged.run.repeat)
        measured, before = samples(of_test), earlier.get(test.name, {})
        cells = []
        for name in names:
            ours = figure(median(measured[name]) if name in measured else None)
            cells.append(f"{ours} (was {figure(before[name])})" if name in before else ours)
        ended = ", ".join(judged.run.outcome or judged.run.status for judged in of_test) or "not run"
        words = "; ".join(map(brief, disturbed[test.scenario_id])) or DASH
        rows.append((test.name or str(test.index), ended, *cells, words))
    note = "Was: what the testing space tells of an earlier run of the test." if any(earlier.values()) else ""
    return Table("Tests of the space", ("test", "ended", *names, "disturbances"), tuple(rows), note)
