"""The report of a campaign: one HTML file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from markupsafe import Markup

from stressfield._files.disk import write_file
from stressfield.analysis import Summary
from stressfield.campaign.files import REPORT
from stressfield.errors import StressfieldError
from stressfield.report.extra_tables import fault_table, monitor_table, published_tables
from stressfield.report.facts import Facts
from stressfield.report.figures.bars import repeat_histogram
from stressfield.report.finding_rows import finding_rows
from stressfield.report.gallery import OpenTrace, gallery
from stressfield.report.glossary import GLOSSARY
from stressfield.report.header import header
from stressfield.report.html import render
from stressfield.report.listed_tests import listed_tests
from stressfield.report.parameter_rows import parameter_rows
from stressfield.report.pictures import stored_pictures, write_pictures
from stressfield.report.property_rows import property_rows
from stressfield.report.search_section import search_section
from stressfield.report.shown_run import ShownRun, shown_run
from stressfield.report.summary import summary as headline
from stressfield.report.words import interval, percent
from stressfield.report.world_rows import world_rows
from stressfield.study import Study

CARDS_MAX = 6
UNJUDGED_MAX = 50


def write_report(
    summary: Summary,
    study: Study,
    folder: Path | str,
    *,
    out: Path | str | None = None,
    max_failing_runs: int = 60,
    open_trace: OpenTrace | None = None,
    known: Mapping[str, str] | None = None,
) -> Path:
    """Write the report, whole or not at all, and return its path (``folder/report.html`` unless ``out`` is given).

    ``known`` gives the reasons why findings are known issues, by their names (F1, F2, ...).
    """
    path = Path(folder) / REPORT if out is None else Path(out)
    without_pictures = ""
    try:
        write_pictures(summary.results, study, [finding.example_run_id for finding in summary.findings[:CARDS_MAX]])
    except StressfieldError as error:
        without_pictures = str(error)
    page = report_html(
        summary,
        study,
        folder,
        max_failing_runs=max_failing_runs,
        open_trace=open_trace,
        known=known,
        without_pictures=without_pictures,
    )
    write_file(path, page.encode())
    return path


def report_html(
    summary: Summary,
    study: Study,
    folder: Path | str,
    *,
    max_failing_runs: int = 60,
    open_trace: OpenTrace | None = None,
    known: Mapping[str, str] | None = None,
    without_pictures: str = "",
) -> str:
    """The page as text: the same results give the same bytes. ``without_pictures`` says why runs were not drawn.

    Recordings are read with ``open_trace``, one at a time, and let go.
    """
    facts, results = Facts(summary, study), summary.results
    rows = finding_rows(facts, folder=str(folder))
    shown = gallery(facts, Path(folder), most=max_failing_runs, cards=CARDS_MAX, open_trace=open_trace)
    search = search_section(facts, Path(folder), open_trace=open_trace)
    parameters, parameters_left_out = parameter_rows(facts)
    unjudged = _unjudged(facts, str(folder))
    return render(
        "report.html.j2",
        data={
            "worlds": {**shown.data["worlds"], **(search.worlds if search else {})},
            "runs": {**shown.data["runs"], **(search.runs if search else {})},
        },
        scripts=("replay.js", "page.js"),
        header=header(facts, folder=str(folder)),
        summary=headline(facts, rows),
        search=search,
        listed=listed_tests(results),
        findings=rows,
        known=known or {},
        without_pictures=without_pictures,
        cards=rows[:CARDS_MAX],
        pictures={**shown.pictures, **stored_pictures(facts.findings[:CARDS_MAX], Path(folder))},
        properties=property_rows(facts),
        consistency=facts.consistency,
        histogram=Markup(repeat_histogram(facts.consistency.histogram)),  # noqa: S704  made of numbers
        inconsistent=f"{percent(facts.consistency.inconsistent.share)} ({interval(facts.consistency.inconsistent)})",
        published=published_tables(summary),
        monitors=monitor_table(summary),
        parameters=parameters,
        parameters_left_out=parameters_left_out,
        faults=fault_table(Path(folder), study.name),
        worlds=world_rows(facts, shown.shown),
        gallery=shown,
        names={row.id: row for row in rows},
        unjudged=unjudged[:UNJUDGED_MAX],
        unjudged_left_out=len(unjudged) - UNJUDGED_MAX,
        glossary=GLOSSARY,
        folder=str(folder),
        noun=results.plan.noun,
        sampled=facts.sampled,
    )


def _unjudged(facts: Facts, folder: str) -> tuple[ShownRun, ...]:
    return tuple(
        shown_run(facts, judged, folder=folder) for judged in facts.runs.values() if not judged.run.status.judged
    )
