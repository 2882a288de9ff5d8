"""The scores A, S and T, and the published table recomputed with them."""

from __future__ import annotations

from dataclasses import replace
from statistics import fmean

import pytest

from stressfield.analysis import summarise
from stressfield.campaign import Plan, Results
from stressfield.campaign.study_record import StudyRecord
from stressfield.errors import InputError
from stressfield.oracle import Outcome
from stressfield.run import JudgedRun, RunRecord, Status
from stressfield_studies.tabletop import study
from stressfield_studies.tabletop.experiment.published import (
    ACTIONS,
    LOST_RUNS,
    PUBLISHED_S,
    PUBLISHED_T,
    TABLE_IV,
    tables,
)
from stressfield_studies.tabletop.scores import (
    ActionScore,
    ScenarioScore,
    metrics_of,
    scenario_score,
    scores_of,
    suite_score,
)


def judged(status: Status, metrics: dict[str, float]) -> JudgedRun:
    run = RunRecord(
        id="r", scenario_id="s", repeat=0, seed=0, build="b", status=status, outcome=Outcome.FAIL, simulated_s=1.0,
        wall_s=0.1, digest="", trace_file=None,
    )  # fmt: skip
    return JudgedRun(run=run, verdicts=(), metrics=metrics)


def test_the_published_table_follows_from_its_shares() -> None:
    runs = [ScenarioScore(str(i), tuple(zip(ACTIONS, row, strict=True))) for i, row in enumerate(TABLE_IV)]
    for run, published in zip(runs, PUBLISHED_S, strict=True):
        assert run.score == pytest.approx(published, abs=0.0076)
    assert fmean(PUBLISHED_S) == pytest.approx(PUBLISHED_T, abs=0.005)
    assert suite_score(runs) == pytest.approx(PUBLISHED_T, abs=0.007)  # S was rounded up before T was taken
    assert sum(run.score == 0.0 for run in runs) == LOST_RUNS
    assert max(run.score for run in runs) == pytest.approx(0.94, abs=0.005)


def test_an_action_that_was_not_executed_counts_nothing() -> None:
    score = scenario_score("r", [ActionScore("MoveTo", 5, 5), ActionScore("Pick", 0, 5, lost=True)])
    assert score.shares == (("MoveTo", 1.0), ("Pick", 0.0))
    assert score.score == 0.5
    assert score.lost


def test_metrics_and_back() -> None:
    metrics = metrics_of([ActionScore("MoveTo", 4, 5), ActionScore("Pick", 1, 5), ActionScore("MoveTo", 5, 5)])
    assert metrics == {"A1.MoveTo": 0.8, "A2.Pick": 0.2, "A3.MoveTo": 1.0, "S": pytest.approx(2 / 3), "lost": 0.0}
    (score,) = scores_of([judged(Status.COMPLETED, {"other": 1.0, **metrics})])
    assert score.shares == (("MoveTo", 0.8), ("Pick", 0.2), ("MoveTo", 1.0))


def test_trouble_of_the_rig_is_left_out_and_a_crash_scores_nothing() -> None:
    runs = [
        judged(Status.INVALID, {}),
        judged(Status.SUBJECT_CRASH, {}),
        judged(Status.TIMEOUT, {"A1.Pick": 1.0, "S": 1.0, "lost": 1.0}),
    ]
    found = scores_of(runs)
    assert [one.score for one in found] == [0.0, 1.0]
    assert [one.lost for one in found] == [False, True]
    assert suite_score(found) == 0.5
    assert suite_score([]) is None


def test_scores_that_cannot_be() -> None:
    with pytest.raises(InputError, match="satisfies 6 of 5 properties"):
        ActionScore("Pick", 6, 5)
    with pytest.raises(InputError, match="has no actions"):
        scenario_score("r", [])


def test_published_figures_stand_beside_those_of_a_campaign() -> None:
    good = {"A1.MoveTo": 1.0, "A2.PerceivePlane": 1.0, "A3.Pick": 1.0, "A4.Place": 0.5, "S": 0.875, "lost": 0.0}
    lost = {**dict.fromkeys(good, 0.0), "lost": 1.0}
    plan = Plan(study="tabletop", build="b", seed=0, worlds=1, repeats=3)
    runs = tuple(judged(Status.COMPLETED, one) for one in (good, lost, {"A1.Pick": 1.0, "S": 1.0}))
    results = Results(folder="", plan=plan, versions={}, study=StudyRecord.of(study), scenarios=(), runs=runs)
    (table,) = tables(summarise(results))
    rows = {row.label: (row.published, row.ours) for row in table.rows}
    assert rows["T"] == (0.37, 0.4375)
    assert rows["A4 Place, mean"] == (pytest.approx(2.0 / 15), 0.25)
    assert rows["runs with S = 0"] == (6, 1)
    lost = next(row for row in table.rows if row.label == "runs with S = 0")
    assert lost.texts()[1:] == ("6 of 15 (40.0 %)", "1 of 2 (50.0 %)", "+10.0 points")
    assert tables(summarise(replace(results, runs=runs[2:]))) == ()
