"""What a terminal shows of a campaign: one screen, and all of it with details."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import ModuleType

from stressfield.analysis import gate, summarise
from stressfield.campaign import Results
from stressfield.report import report_html
from stressfield.report.markdown import markdown_summary
from stressfield.report.terminal import next_commands, screen

SCREEN_LINES, SCREEN_COLUMNS = 30, 100


def test_a_campaign_fits_one_screen(fake: ModuleType, results: Results) -> None:
    summary = summarise(results, fake.study)
    lines = [*screen(summary).splitlines(), "", *next_commands(summary, report=Path("report.html")).splitlines()]
    assert len(lines) <= SCREEN_LINES
    assert max(map(len, lines[:-3])) <= SCREEN_COLUMNS
    assert "pass ·" in lines[0]
    assert f" replay:   stressfield replay {results.folder} F1" in lines
    assert f" details:  stressfield results {results.folder} --details" in lines


def test_details_are_asked_for(fake: ModuleType, results: Results) -> None:
    summary = summarise(results, fake.study)
    short, long = screen(summary), screen(summary, details=True)
    for heading in ("inconclusive", "failing runs of a world", "descriptor", "Failing runs by property"):
        assert heading not in short
        assert heading in long


def test_what_runs_say_of_themselves_is_shown_once_and_their_pace_with_details(
    fake: ModuleType, results: Results
) -> None:
    note = "/scan is std_msgs/msg/String to /robot and sensor_msgs/msg/LaserScan here: they do not meet."
    said = [replace(judged, run=replace(judged.run, notes=f"paced: slowly\n{note}")) for judged in results.runs[:2]]
    summary = summarise(replace(results, runs=(*said, *results.runs[2:])), fake.study)
    assert f" 2 runs: {note}" in screen(summary)
    assert "paced: slowly" not in screen(summary)
    assert " 2 runs: paced: slowly" in screen(summary, details=True)


def test_half_done_campaigns_are_told_alike_on_terminal_and_page(fake: ModuleType, results: Results) -> None:
    """The last run is missing, so one world is incomplete: neither counts it as one that is steady or changes."""
    whole = summarise(results, fake.study)
    half = summarise(replace(results, runs=results.runs[:-1]), fake.study)
    complete, incomplete = half.repeatability.inconsistent, len(half.repeatability.incomplete)
    assert incomplete == len(whole.repeatability.incomplete) + 1
    assert complete.total == len(results.scenarios) - incomplete
    assert f"{complete.count:.0f} of {complete.total} worlds change their verdict" in screen(half)
    assert f"({incomplete} incomplete)" in screen(half)
    done = f"{half.done} of {half.planned} runs are done."
    assert done in screen(half)
    assert done in report_html(half, fake.study)


def test_published_figures_are_the_same_everywhere(fake: ModuleType, results: Results) -> None:
    summary = summarise(results, fake.study)
    terminal, page = screen(summary, details=True), report_html(summary, fake.study)
    markdown = markdown_summary(summary, gate(summary, today=fake.TODAY))
    for table in summary.published:
        for row in table.rows:
            label, published, ours, difference = row.texts()
            assert any(
                line.split() == [*label.split(), *published.split(), *ours.split(), *difference.split()]
                for line in terminal.splitlines()
            )
            assert f"<td>{label}</td>" in page
            assert ours in page
            assert f"| {label} | {published} |" in markdown
