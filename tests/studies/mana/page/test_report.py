"""The report of an experiment: figures, tables, trends; one file that trusts no text."""

from __future__ import annotations

import csv
import io
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from tests.studies.mana.plain import PROGRAMMES

from stressfield.analysis import OutcomeClass
from stressfield.campaign import ExperimentContext
from stressfield.report.html import page_html
from stressfield.run import JudgedRun, Status
from stressfield_studies.mana.difficulty import Level
from stressfield_studies.mana.page.divergence import Located, locate
from stressfield_studies.mana.page.facts import ProgrammeFacts, programme_facts
from stressfield_studies.mana.page.report import programme_page
from stressfield_studies.mana.page.tables import LEVEL_HEADERS, level_rows, levels_csv
from stressfield_studies.mana.series import SeriesResults, run_series

BOTH = PROGRAMMES[0]
PLAIN = str(Path(__file__).parent.parent / "plain.py")


def html_of(facts: ProgrammeFacts, folder: str, *, located: Sequence[Located] = ()) -> str:
    return page_html(programme_page(facts, folder, located=located))


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> ProgrammeFacts:
    folder = tmp_path_factory.mktemp("experiment")
    return programme_facts(run_series(BOTH, ExperimentContext(PLAIN, folder, seed=3, in_process=True)))


@pytest.fixture(scope="module")
def page(facts: ProgrammeFacts) -> str:
    return html_of(facts, "runs/plain", located=locate(facts))


def test_levels_rise_with_bogs(facts: ProgrammeFacts) -> None:
    bogs = facts.named("bogs")
    assert bogs is not None
    levels = [one.level for one in bogs.configurations]
    assert levels[0] is Level.EASY
    assert Level.VERY_DIFFICULT in levels[5:]
    assert bogs.very_difficult_from is not None
    assert all(len(one.runs) == 12 for one in bogs.configurations)
    assert bogs.configurations[1].spread.successful_m is not None
    assert facts.named("nothing") is None


def test_a_faulty_series_has_the_levels_of_the_right_build(facts: ProgrammeFacts) -> None:
    right, wrong = facts.named("bogs"), facts.named("bogs-careless")
    assert right is not None
    assert wrong is not None
    assert [one.level for one in right.configurations] == [one.level for one in wrong.configurations]


def test_trends(facts: ProgrammeFacts) -> None:
    seen = {trend.title: trend.seen for trend in facts.trends}
    assert seen["Bogs make it difficult"] is True
    assert seen["Bogs are worse than posts"] is True
    assert seen["Something else"] is None


def test_scores_beat_the_base_rate(facts: ProgrammeFacts) -> None:
    assert facts.items is not None
    assert facts.items.held_out_runs is not None
    assert facts.items.held_out_runs.skill > 0.2
    assert len(facts.items.scores) == 2 * 10 * 4


def test_every_figure_is_well_formed_and_the_page_is_one_file(page: str) -> None:
    figures = re.findall(r"<svg.*?</svg>", page, re.S)
    assert len(figures) == 2 * 3 + 2 + 1 + 2
    for figure in figures:
        ET.fromstring(figure)
    assert not re.search(r'(?:src|href)="(?!data:|#)', page)
    assert "default-src &#39;none&#39;" in page
    assert "NaN" not in page


def test_texts_are_escaped(page: str) -> None:
    assert "Which is worse, &lt;bogs&gt; or posts?" in page
    assert "<bogs>" not in page


def test_published_stands_beside_ours(page: str, facts: ProgrammeFacts) -> None:
    bogs = facts.named("bogs")
    assert bogs is not None
    assert "<td>99\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}120</td>" in page
    assert f"<td>6 / {bogs.very_difficult_from:g}</td>".replace(" ", "\N{NO-BREAK SPACE}") in page
    assert "published: very difficult from here" in page
    assert "Made up" in page


def test_divergence_is_told(page: str) -> None:
    assert "Where repeats part" in page
    assert "part first in the place at" in page


def test_same_results_same_bytes(facts: ProgrammeFacts, page: str) -> None:
    again = programme_facts(facts.done)
    assert html_of(again, "runs/plain", located=locate(again)) == page
    assert levels_csv(again).count("\n") == 31


def changed(facts: ProgrammeFacts, change: Callable[[SeriesResults, JudgedRun], JudgedRun]) -> ProgrammeFacts:
    """The facts if other things had come of the runs."""
    series = tuple(
        replace(one, results=replace(one.results, runs=tuple(change(one, run) for run in one.results.runs)))
        for one in facts.done.series
    )
    return programme_facts(replace(facts.done, series=series))


def spoilt(judged: JudgedRun, status: Status) -> JudgedRun:
    run = replace(judged.run, status=status, outcome=None, trouble=f"It was {status.value}.")
    return replace(judged, run=run, verdicts=(), metrics={}, track=None)


def place(series: SeriesResults, judged: JudgedRun) -> int:
    worlds = {one.id: one.index for one in series.results.scenarios}
    return series.configuration_of(worlds[judged.run.scenario_id])


def test_a_crash_is_a_failure_and_an_invalid_run_is_none(facts: ProgrammeFacts) -> None:
    endings = {1: Status.SUBJECT_CRASH, 2: Status.INVALID}

    def change(series: SeriesResults, judged: JudgedRun) -> JudgedRun:
        ending = endings.get(place(series, judged)) if judged.run.repeat == 0 else None
        return judged if ending is None else spoilt(judged, ending)

    found = changed(facts, change)
    bogs = found.named("bogs")
    assert bogs is not None
    assert (bogs.crashed, bogs.unjudged, bogs.invalid, bogs.empty) == (4, 4, 4, ())
    crashed, invalid = bogs.configurations[1:3]
    assert (len(crashed.runs), len(invalid.runs)) == (12, 8)
    assert crashed.outcomes[OutcomeClass.ERROR] >= 4
    assert crashed.difficulty.success.count <= 8
    html = html_of(found, "x")
    assert "Bogs: the robot software crashed in 4 runs; that counts as Fail-Error." in html
    assert "The first says: It was subject_crash." in html
    assert "Bogs: 4 runs without a result are left out, 4 of them invalid. The first says: It was invalid." in html


def test_where_all_runs_of_a_configuration_crash_their_distance_is_unknown(facts: ProgrammeFacts) -> None:
    found = changed(
        facts, lambda series, judged: spoilt(judged, Status.SUBJECT_CRASH) if place(series, judged) == 9 else judged
    )
    bogs = found.named("bogs")
    assert bogs is not None
    assert bogs.configurations[9].level is Level.VERY_DIFFICULT
    assert bogs.configurations[9].difficulty.score == 1.0
    cells = level_rows(bogs)[9].cells
    assert cells[LEVEL_HEADERS.index("mean distance to goal (m)")] == "\N{EN DASH}"


def test_a_reference_without_a_result_is_said(facts: ProgrammeFacts) -> None:
    found = changed(
        facts, lambda series, judged: spoilt(judged, Status.INVALID) if place(series, judged) == 0 else judged
    )
    bogs = found.named("bogs")
    assert bogs is not None
    assert not bogs.reference
    assert bogs.empty == (0.0,)
    words = "Bogs: the flat empty world has no result, so the part with more successes is called easy."
    assert words in html_of(found, "x")
    assert words not in html_of(facts, "x")


def test_a_world_that_series_share_has_a_score_in_each(facts: ProgrammeFacts) -> None:
    assert facts.items is not None
    names = [one.world for one in facts.items.scores]
    shared = {name.removeprefix("bogs/") for name in names} & {name.removeprefix("posts/") for name in names}
    assert shared, "the flat worlds are part of both series"
    assert len(set(names)) == len(names)


def test_a_note_follows_the_answer(facts: ProgrammeFacts) -> None:
    noted = tuple(replace(one, note="Mind this.") for one in facts.done.programme.expectations)
    programme = replace(facts.done.programme, expectations=noted)
    found = programme_facts(replace(facts.done, programme=programme)).trends
    assert [one.sentence for one in found] == [
        one.sentence if one.seen is None else f"{one.sentence} Mind this." for one in facts.trends
    ]


def test_an_experiment_without_any_result(facts: ProgrammeFacts) -> None:
    empty = tuple(replace(one, results=replace(one.results, runs=())) for one in facts.done.series)
    found = programme_facts(replace(facts.done, series=empty))
    assert found.items is None
    assert "without a result" in html_of(found, "x", located=locate(found))


def test_the_levels_table_is_csv_that_other_programs_read(facts: ProgrammeFacts) -> None:
    rows = list(csv.reader(io.StringIO(levels_csv(facts))))
    assert {len(row) for row in rows} == {2 + len(LEVEL_HEADERS)}
    interval = rows[0].index("95 % CI")
    assert all(re.fullmatch(r"\d+-\d+ %", row[interval]) for row in rows[1:])
