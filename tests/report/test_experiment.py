"""The report of an experiment: figures, tables, trends; one file that trusts no text."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import pytest

from stressfield.analysis import Level
from stressfield.campaign import run_experiment
from stressfield.report import ExperimentFacts, experiment_facts, experiment_html, locate, write_experiment_report

PLAIN = str(Path(__file__).parent.parent / "cli" / "plain.py")


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> ExperimentFacts:
    folder = tmp_path_factory.mktemp("experiment")
    return experiment_facts(run_experiment(PLAIN, "both", folder, seed=3, in_process=True))


@pytest.fixture(scope="module")
def page(facts: ExperimentFacts) -> str:
    return experiment_html(facts, "runs/plain", located=locate(facts))


def test_levels_rise_with_bogs(facts: ExperimentFacts) -> None:
    bogs = facts.named("bogs")
    assert bogs is not None
    levels = [one.level for one in bogs.configurations]
    assert levels[0] is Level.EASY
    assert Level.VERY_DIFFICULT in levels[5:]
    assert bogs.very_difficult_from is not None
    assert all(len(one.runs) == 12 for one in bogs.configurations)
    assert bogs.configurations[1].spread.successful_m is not None
    assert facts.named("nothing") is None


def test_a_faulty_series_has_the_levels_of_the_right_build(facts: ExperimentFacts) -> None:
    right, wrong = facts.named("bogs"), facts.named("bogs-careless")
    assert right is not None
    assert wrong is not None
    assert [one.level for one in right.configurations] == [one.level for one in wrong.configurations]


def test_trends(facts: ExperimentFacts) -> None:
    seen = {trend.title: trend.seen for trend in facts.trends}
    assert seen["Bogs make it difficult"] is True
    assert seen["Bogs are worse than posts"] is True
    assert seen["Something else"] is None


def test_scores_beat_the_base_rate(facts: ExperimentFacts) -> None:
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


def test_published_stands_beside_ours(page: str, facts: ExperimentFacts) -> None:
    bogs = facts.named("bogs")
    assert bogs is not None
    assert "<td>99\N{NO-BREAK SPACE}/\N{NO-BREAK SPACE}120</td>" in page
    assert f"<td>6 / {bogs.very_difficult_from:g}</td>".replace(" ", "\N{NO-BREAK SPACE}") in page
    assert "published: very difficult from here" in page
    assert "Made up" in page


def test_divergence_is_told(page: str) -> None:
    assert "Where repeats part" in page
    assert "part first in the place at" in page


def test_same_results_same_bytes(facts: ExperimentFacts, page: str, tmp_path: Path) -> None:
    again = experiment_facts(facts.done)
    assert experiment_html(again, "runs/plain", located=locate(again)) == page
    written, table = write_experiment_report(again, tmp_path)
    assert written.name == "report.html"
    assert table.read_text().count("\n") == 31


def test_an_experiment_without_any_result(facts: ExperimentFacts) -> None:
    empty = tuple(replace(one, results=replace(one.results, runs=())) for one in facts.done.series)
    found = experiment_facts(replace(facts.done, series=empty))
    assert found.items is None
    assert "without a result" in experiment_html(found, "x", located=locate(found))
