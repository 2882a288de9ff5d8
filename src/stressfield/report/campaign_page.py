"""The report of a campaign: its Summary, as a page of sections."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from stressfield._files import store
from stressfield.analysis import Summary
from stressfield.campaign.folder import REPORT
from stressfield.errors import StressfieldError
from stressfield.report.gallery import OpenTrace, Recordings, gallery
from stressfield.report.html import page_html, write_page
from stressfield.report.page import Page
from stressfield.report.pictures import write_pictures
from stressfield.report.sections import SECTIONS, PageMaterial
from stressfield.report.sections.evidence import FAULTS_FILE, fault_table
from stressfield.report.sections.overview import CARDS_MAX, headline, kicker, page_facts, reproduce
from stressfield.study import Study

FAILING_RUNS_MAX = 60
"""Failing runs that can be played on the page, the clearest of each finding: each takes some ten kilobytes."""


def write_report(
    summary: Summary,
    study: Study | None = None,
    *,
    out: Path | str | None = None,
    failing_runs_max: int = FAILING_RUNS_MAX,
    open_trace: OpenTrace | None = None,
    known: Mapping[str, str] | None = None,
    faults: Path | None = None,
) -> Path:
    """Write the report, whole or not at all, and return its path (``report.html`` of the campaign unless ``out``).

    Without the ``study`` all figures are there; worlds are drawn where the campaign kept them as files, and what the
    study's own code adds (series, pictures, published figures) is missing.
    ``known`` gives the reasons why findings are known issues, by their names (F1, F2, ...). ``faults`` is a file that
    the experiment ``faults`` wrote; without it ``faults.json`` of the campaign's folder is shown, if it is there.
    """
    results = summary.results
    why = ""
    try:
        write_pictures(results, study, [finding.example_run_id for finding in summary.findings[:CARDS_MAX]])
    except StressfieldError as error:
        why = str(error)
    page = campaign_page(
        summary,
        study,
        failing_runs_max=failing_runs_max,
        open_trace=open_trace,
        known=known,
        faults=faults,
        without_pictures=why,
    )
    path = write_page(page, Path(results.folder) / REPORT if out is None else out)
    if results.plan.storage and out is None:
        store.put(f"{results.plan.storage}/{REPORT}", path.read_bytes())
    return path


def report_html(
    summary: Summary,
    study: Study | None = None,
    *,
    failing_runs_max: int = FAILING_RUNS_MAX,
    open_trace: OpenTrace | None = None,
    known: Mapping[str, str] | None = None,
    faults: Path | None = None,
) -> str:
    """The page as text: the same results give the same bytes."""
    page = campaign_page(
        summary, study, failing_runs_max=failing_runs_max, open_trace=open_trace, known=known, faults=faults
    )
    return page_html(page)


def campaign_page(
    summary: Summary,
    study: Study | None = None,
    *,
    failing_runs_max: int = FAILING_RUNS_MAX,
    open_trace: OpenTrace | None = None,
    known: Mapping[str, str] | None = None,
    faults: Path | None = None,
    without_pictures: str = "",
) -> Page:
    """All that is told of a campaign. Recordings are read with ``open_trace``, one at a time, and let go."""
    recordings = Recordings(summary, study, open_trace=open_trace)
    material = PageMaterial(
        summary=summary,
        study=study,
        recordings=recordings,
        gallery=gallery(recordings, most=failing_runs_max, cards=CARDS_MAX),
        known=known or {},
        faults=fault_table(faults or recordings.folder / FAULTS_FILE),
        without_pictures=without_pictures,
    )
    sections = [section for make in SECTIONS if (section := make(material)) is not None]
    return Page(
        title=summary.title,
        window=f"{summary.title}: {headline(material)}",
        kicker=kicker(material),
        facts=page_facts(material),
        command=reproduce(summary.results.plan, summary.results.folder),
        folder=summary.results.folder,
        sections=sections,
        # After the sections are made: they read recordings, too.
        worlds=recordings.worlds,
        runs=recordings.played,
    )
