"""The report of a search: its front, whose points open their tests, with series and a replay of each."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from stressfield.analysis import summarise
from stressfield.campaign import Plan, Results, evidence_of, find_study, run_campaign, searched
from stressfield.fuzz import Loss, Window
from stressfield.report import campaign_page, page_html, replay_html, run_series
from stressfield.report.page import Fold, Pairs, Paragraph, Replay, Section, Side, Words, plain_words
from stressfield.report.sections.search import DRAWN_MAX
from stressfield.report.tables import listed_tests
from stressfield.report.text import cell_words
from stressfield.report.words import DASH, MINUS
from stressfield.search import ListedTests, RandomWorlds, SpaceSearch
from stressfield.study import Study

FUZZED = str(Path(__file__).parents[2] / "campaign" / "fuzzed.py")
STUDY = find_study(FUZZED)


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Results:
    plan = Plan(
        study=FUZZED, build="good", seed=3, worlds=0, repeats=2, keep="front", template="3.0-2-dry",
        strategy=SpaceSearch(search="search"),
    )  # fmt: skip
    return run_campaign(plan, tmp_path_factory.mktemp("search") / "c", in_process=True).results


def report_html(results: Results, study: Study = STUDY) -> str:
    return page_html(campaign_page(summarise(results, study), study))


def section(results: Results, study: Study = STUDY) -> Section:
    page = campaign_page(summarise(results, study), study)
    return next(one for one in page.sections if one.name == "search")


def shown_tests(made: Section) -> list[Fold]:
    return [block for block in made.blocks if isinstance(block, Fold)]


def details(test: Fold) -> dict[str, object]:
    (pairs,) = (block for block in test.blocks if isinstance(block, Pairs))
    return dict(pairs.items)


def stage(test: Fold) -> str:
    return next((block.run for block in test.blocks if isinstance(block, Replay)), "")


def why_blank(test: Fold) -> str:
    first = test.blocks[0]
    return plain_words(first.words) if isinstance(first, Paragraph) else ""


@pytest.fixture(scope="module")
def page(found: Results) -> str:
    return report_html(found)


def test_points_of_the_front_open_their_tests(page: str) -> None:
    targets = set(re.findall(r'href="#(test-\d+)"', page))
    assert targets
    assert targets <= set(re.findall(r'id="(test-\d+)"', page))
    figure = page[page.index('<section id="search">') :].split("</svg>", maxsplit=1)[0]
    assert set(re.findall(r'<a href="#(test-\d+)"><circle', figure)) == targets


def test_the_front_is_that_of_the_ledger(found: Results) -> None:
    ledger = searched(found)
    assert ledger is not None
    assert {one.name for one in shown_tests(section(found))} == {f"test-{one.test.index}" for one in ledger.front}


def test_each_test_tells_what_was_done_and_measured(found: Results) -> None:
    told = details(shown_tests(section(found))[0])
    assert told["Disturbances"] != "none"
    measured = str(told["Measured"]).split(" · ")
    assert [text.partition(":")[0] for text in measured] == ["closest", "fuzzingTimeLength"]
    assert all(text.count(",") == 1 for text in measured), "two repeats"
    command = told["Replay"]
    assert isinstance(command, Words)
    assert command.text.startswith("stressfield replay ")


def test_drawn_tests_have_series_and_a_replay(page: str, found: Results) -> None:
    drawn = [test for test in shown_tests(section(found))[:DRAWN_MAX] if stage(test)]
    assert drawn
    for test in drawn:
        (figures,) = (block for block in test.blocks if isinstance(block, Side))
        assert any("position (m)" in str(figure) for figure in figures.blocks)
        assert f'data-replay="{stage(test)}"' in page
    data = json.loads(html.unescape(page.split('id="data">')[1].split("</script>", maxsplit=1)[0]))
    assert {stage(test) for test in drawn} <= set(data["runs"])
    assert all(run["world"] in data["worlds"] for run in data["runs"].values())


def test_coverage_and_history_are_there(page: str, found: Results) -> None:
    assert "Hypervolume of the front" in page
    assert "Cells of the testing space entered" in page
    notes = " ".join(plain_words(one.words) for one in section(found).blocks if isinstance(one, Paragraph))
    assert re.search(r"\d+ of 21 cells were entered", notes)
    assert "at least 2 times" in notes


def test_names_of_operations_are_never_markup(found: Results) -> None:
    evil = Loss(name="<b onload=x>", of="lost", topics=("/gap",), probability=0.5, when=Window(start_s=0.0, end_s=1.0))
    poisoned = replace(found, scenarios=tuple(replace(one, disturbances=(evil,)) for one in found.scenarios))
    page = report_html(poisoned)
    assert "<b onload" not in page
    assert "&lt;b onload=x&gt;" in page


def test_recordings_that_are_gone_are_explained(found: Results) -> None:
    lost = replace(found, runs=tuple(replace(one, run=replace(one.run, trace_file=None)) for one in found.runs))
    for test in shown_tests(section(lost)):
        assert not stage(test)
        assert why_blank(test)
        assert not any(isinstance(block, Side) for block in test.blocks)


def test_a_search_that_measured_nothing_says_so(found: Results) -> None:
    blind = replace(found, runs=tuple(replace(one, metrics={}) for one in found.runs))
    made = section(blind)
    assert made.blocks == ()
    assert plain_words(made.lead).startswith(
        "None of the 24 tests could be measured in every objective (closest, fuzzingTimeLength)"
    )
    assert html.escape(plain_words(made.lead)) in report_html(blind)


def test_a_study_whose_series_raise_says_so(found: Results) -> None:
    def broken(_: object) -> dict[str, object]:
        raise ValueError("no rooms")

    made = section(found, replace(STUDY, series=broken))  # type: ignore[arg-type]
    assert "The study's series could not be made: ValueError: no rooms" in {
        why_blank(test) for test in shown_tests(made)
    }


def test_a_campaign_without_a_search_has_no_section(found: Results) -> None:
    plain = replace(found, plan=replace(found.plan, strategy=RandomWorlds()), tests=())
    assert '<section id="search">' not in report_html(plain)


def test_a_replayed_test_shows_its_series_and_disturbances(found: Results) -> None:
    judged = next(one for one in found.runs if one.run.trace_file is not None)
    evidence = evidence_of(found, judged)
    page = replay_html(
        evidence.scenario,
        evidence.trace,
        judged.verdicts,
        metrics=STUDY.testing_space().metrics,
        series=run_series(STUDY, evidence),
    )
    assert evidence.scenario.disturbances
    assert all(html.escape(one.name) in page for one in evidence.scenario.disturbances)
    assert "position (m) over" in page
    assert "topSpeed over" in page


BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)


def test_tests_are_called_tests(page: str) -> None:
    text = re.sub(r"<[^>]+>", "", page[page.index("<main>") : page.index('<section id="glossary">')])
    assert "24 tests" in text
    assert "Every test was run 2 times" in text
    assert "The tests were chosen, not drawn" in text
    assert " CI " not in text[: text.index("What the search found")]
    assert not re.search(r"\bworlds\b", text)


def test_only_a_disturbed_run_has_a_caption_for_disturbances(found: Results) -> None:
    judged = next(one for one in found.runs if one.run.trace_file is not None)
    evidence = evidence_of(found, judged)
    series = run_series(STUDY, evidence)
    caption = "Shaded: an operation acts."
    assert caption in replay_html(evidence.scenario, evidence.trace, judged.verdicts, series=series)
    plain = evidence.scenario.disturbed(())
    assert caption not in replay_html(plain, evidence.trace, judged.verdicts, series=series)


def test_listed_tests_are_shown_beside_what_the_space_tells_of_them(tmp_path: Path) -> None:
    plan = Plan(
        study=FUZZED, build="good", seed=3, worlds=0, repeats=1, keep="none", template="3.0-2-dry",
        strategy=ListedTests(tests=("deaf", "racing", "nothing")),
    )  # fmt: skip
    results = run_campaign(plan, tmp_path / "c", in_process=True).results
    table = listed_tests(results)
    assert table is not None
    heads = [column.title for column in table.columns]
    assert heads == ["test", "ended", "closest", "fuzzingTimeLength", "topSpeed", "disturbances"]
    rows = [[cell_words(cell) for cell in row] for row in table.rows]
    assert [row[0] for row in rows] == ["deaf", "racing", "nothing"]
    assert rows[0][1] == "fail"
    assert rows[0][2].endswith(f"(was {MINUS}1.5)")
    assert rows[2][-1] == DASH
    page = report_html(results)
    assert '<section id="listed">' in page
    assert "What the search found" not in page
    assert "--tests all" in page


@pytest.mark.skipif(
    BROWSER is None and os.environ.get("CI") != "true", reason="no chromium found; install it to test the page"
)
def test_the_address_of_a_test_opens_it(page: str, tmp_path: Path) -> None:
    assert BROWSER is not None, "CI must have chromium to test the report in a browser"
    path = tmp_path / "page.html"
    path.write_text(page, encoding="utf-8")
    (stage, *_) = re.findall(r'<details class="run" id="(test-\d+)"', page)
    done = subprocess.run(
        [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path / 'profile'}",
         "--virtual-time-budget=2000", "--dump-dom", f"file://{path}#{stage}"],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert re.search(rf'<details class="run" id="{stage}" open=""', done.stdout)
    assert done.stdout.count('<canvas class="view"') == 1
