"""What an experiment says of its builds: scores, bars, and which property tells which fault; on made-up runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stressfield.campaign import Plan, Results
from stressfield.campaign.study_record import StudyRecord
from stressfield.oracle import Outcome, Verdict
from stressfield.report.figures.bars import Bar, stacked_bars
from stressfield.report.html import page_html
from stressfield.run import JudgedRun, RunRecord, ScenarioRecord, Status
from stressfield_studies.tabletop.experiment import EXPERIMENTS
from stressfield_studies.tabletop.experiment.page import page
from stressfield_studies.tabletop.experiment.runs import configuration, listed, plan_of
from stressfield_studies.tabletop.experiment.tables import (
    SeriesScores,
    confusion,
    said,
    series_scores,
    summary_table,
    table_iv,
    telling,
    told_apart,
)
from stressfield_studies.tabletop.scores import ActionScore, metrics_of

NAMES = ("MoveTo.MoveCompleted", "Pick.ObjectGrasped", "Pick.ObjectInGripper")


def verdict(name: str, answer: str) -> Verdict:
    """``ok``, ``no`` or ``lost``."""
    outcome = Outcome.PASS if answer == "ok" else Outcome.FAIL
    subcase = {"ok": None, "no": "it did not", "lost": "not executed"}[answer]
    return Verdict(name, outcome, None, "", subcase=subcase)


def results_of(build: str, runs: list[str], folder: str = "") -> Results:
    """Runs as texts: the answers of the three properties, separated by spaces."""
    scenarios, judged = [], []
    for place, answers in enumerate(answer.split() for answer in runs):
        scenarios.append(ScenarioRecord(id=f"s{place}", index=place, descriptor="d", seed=place))
        run = RunRecord(
            id=f"r{place}", scenario_id=f"s{place}", repeat=0, seed=0, build=build, status=Status.COMPLETED,
            outcome=Outcome.PASS, simulated_s=1.0, wall_s=0.1, digest="", trace_file=None,
        )  # fmt: skip
        move = ActionScore("MoveTo", int(answers[0] == "ok"), 1, lost=answers[0] == "lost")
        pick = ActionScore(
            "Pick", sum(one == "ok" for one in answers[1:]), 2, lost=answers[0] == "ok" and "lost" in answers
        )
        verdicts = tuple(verdict(name, answer) for name, answer in zip(NAMES, answers, strict=True))
        vacuous = (verdict("Place.OnSurface", "ok"),)
        judged.append(JudgedRun(run=run, verdicts=verdicts + vacuous, metrics=metrics_of([move, pick])))
    plan = Plan(study="tabletop", build=build, seed=0, worlds=len(runs), repeats=1)
    kept = StudyRecord(name="tabletop", title="")
    return Results(folder=folder, plan=plan, versions={}, study=kept, scenarios=tuple(scenarios), runs=tuple(judged))


RUNS = {
    "fixed": ["ok ok ok"] * 16,
    "offset": ["ok ok no"] * 12 + ["ok ok ok"] * 4,
    "clip": ["ok no no"] * 16,
    "lost": ["lost lost lost", "ok lost lost", "ok ok ok", "ok ok ok"] * 4,
    "silent": ["ok ok no"] + ["ok ok ok"] * 15,
}


@pytest.fixture
def series() -> list[SeriesScores]:
    return [series_scores(build, results_of(build, runs)) for build, runs in RUNS.items()]


def test_counts_tell_violated_from_not_executed_and_leave_other_actions_out(series: list[SeriesScores]) -> None:
    lost = series[3]
    assert [(one.action, one.name, one.satisfied, one.violated, one.not_executed) for one in lost.counts] == [
        ("MoveTo", "MoveCompleted", 12, 0, 4),
        ("Pick", "ObjectGrasped", 8, 0, 8),
        ("Pick", "ObjectInGripper", 8, 0, 8),
    ]
    assert lost.lost == 8


def test_the_faults_are_told_apart_by_their_properties(series: list[SeriesScores]) -> None:
    signs = telling(series)
    assert signs == {
        "offset": ("Pick.ObjectInGripper",),
        "clip": ("Pick.ObjectGrasped", "Pick.ObjectInGripper"),
        "lost": ("not executed",),
        "silent": (),
    }
    lines = told_apart([*series, series_scores("other", results_of("other", RUNS["lost"]))])
    assert "silent does not show." in lines
    assert "offset and clip differ most in Pick.ObjectGrasped: 0 % and 100 %." in lines
    assert [line for line in lines if "do not tell" in line] == ["The properties do not tell lost from other."]


def test_the_confusion_table(series: list[SeriesScores]) -> None:
    table = confusion(series)
    assert table.headers == ("property", *RUNS)
    rows = {row[0]: row[1:] for row in table.rows}
    dot = "\N{MIDDLE DOT}"
    assert list(rows) == [*NAMES, "not executed"]
    assert rows["Pick.ObjectInGripper"] == (dot, "75", "100", dot, "6")
    assert rows["not executed"] == (dot, dot, dot, "50", dot)


def test_the_tables_of_scores(series: list[SeriesScores]) -> None:
    table = table_iv(series[3], runs=3, compare=True)
    assert table.headers == ("run", "A1 MoveTo", "A2 Pick", "S", "published S")
    assert table.rows[0] == ("1", "0.00", "0.00", "0.00 (lost message)", "0.67")
    assert table.rows[1] == ("2", "1.00", "0.00", "0.50 (lost message)", "0.42")
    assert table.rows[-1] == ("T", "", "", "0.50", "0.37")
    summary = summary_table(series, runs=3, published_t=0.37)
    assert summary.rows[3] == ("lost", "0.50", "0.62", "8", "1.00", "16")
    assert summary.rows[-1] == ("published", "0.37", "", "6", "0.94", "15")
    (line,) = said(series[1], published_runs=3)
    assert line == (
        " offset   T = 0.75 in the first 3 runs, 0.81 in all 16; most often violated: Pick.ObjectInGripper (12 of 16)"
    )
    assert said(SeriesScores("none", (), (), 0), published_runs=3) == [" none: no run could be judged"]


def test_the_page(series: list[SeriesScores], tmp_path: Path) -> None:
    campaigns = [results_of(build, runs, str(tmp_path)) for build, runs in RUNS.items()]
    made = page(series, campaigns, title="T & <b>", command="stressfield x", name="pick-and-place", published_runs=3)
    html = page_html(made)
    assert "T &amp; &lt;b&gt;" in html
    assert "<b>" not in html.replace("T &amp; &lt;b&gt;", "").split("<script")[0].replace("<body>", "")
    for text in ("fixed: T = 1.00 in 16 runs", "published S", "Which property tells which fault", 'class="figure"'):
        assert text in html
    assert not re.search(r'(src|href)="http', html)


def test_bars_are_as_long_as_their_counts() -> None:
    svg = stacked_bars(
        [Bar("a<b", (3, 1, 0), "x"), Bar("c", (0, 0, 2), "y")], words=("held", "broken", "open"), title="t"
    )
    widths = [float(one) for one in re.findall(r'height="15"[^>]*|width="([\d.]+)" height="15"', svg) if one]
    assert widths == [270.0, 90.0, 180.0]
    assert "a&lt;b" in svg
    assert "3 of 4" in svg
    assert stacked_bars([], words=("a", "b", "c"), title="none").startswith("<svg")


def test_fifteen_runs_are_the_first_of_a_hundred() -> None:
    given = configuration("pick-and-place")
    assert listed(given, 20, seed=0)[:15] == listed(given, 15, seed=0)
    plan = plan_of("grasp", "release", runs=15, seed=3)
    assert (plan.worlds, plan.repeats, len(plan.strategy.templates)) == (15, 1, 15)
    assert [one.name for one in EXPERIMENTS] == ["grasp", "pick-and-place"]
