"""``stressfield report``: one HTML file, and the formats of other tools."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import make_folder, write_file
from stressfield.campaign import Results, find_study, load
from stressfield.campaign.files import LEDGER
from stressfield.cli.echo import echo
from stressfield.cli.options import Folder
from stressfield.report import write_report
from stressfield.report.allure import write_allure
from stressfield.report.junit import junit_xml
from stressfield.report.known_issues import Sorted, read_known_issues, sort_findings
from stressfield.report.markdown import markdown_summary

FINDINGS = 1


def report(
    folder: Folder,
    out: Annotated[
        Path | None, typer.Option(help="File to write. Default: DIR/report.html.", show_default=False)
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write JUnit XML, a test case a run.", show_default=False)
    ] = None,
    allure: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Also write Allure results.", show_default=False)
    ] = None,
    summary: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also write a summary in Markdown.", show_default=False)
    ] = None,
    known_issues: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="TOML of known issues; then exits 1 if there are other findings.", show_default=False
        ),
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
) -> None:
    """Write the report of a campaign: one HTML file that needs no network, and files for other tools."""
    results = load(folder)
    found = sorted_findings(results, known_issues)
    path = write_report(results, find_study(results.plan.study), results.folder, out=out, known=found.reasons)
    echo(f"report:  {path}")
    _write_others(results, found, junit=junit, allure=allure, summary=summary)
    if open_:
        typer.launch(path.resolve().as_uri())
    if known_issues is not None:
        show_known(found)
        if not found.clean:
            raise typer.Exit(FINDINGS)


def show_known(found: Sorted) -> None:
    """Say what is known, what has expired and what is new."""
    for finding, issue in found.known:
        echo(f" known:    {finding.id} {issue.case()}, until {issue.expires}: {issue.reason}")
    if found.known_crashes:
        echo(f" known:    {found.known_crashes} crashes of the robot software")
    for issue in found.expired:
        echo(f" expired:  {issue.case()} on {issue.expires}: {issue.reason}. It counts again.")
    for issue in found.unseen:
        echo(f" unseen:   {issue.case()}: {issue.reason}. Perhaps it is mended: take it out of the file.")
    for finding in found.new:
        echo(f" new:      {finding}")
    if found.crashes:
        echo(f" new:      the robot software crashed or hung in {found.crashes} runs")


def sorted_findings(results: Results, path: Path | None) -> Sorted:
    """The findings of a campaign: those that a file of known issues names, and the others."""
    issues = () if path is None else read_known_issues(path)
    return sort_findings(results, find_study(results.plan.study), issues, today=datetime.now(UTC).date())


def _write_others(
    results: Results, found: Sorted, *, junit: Path | None, allure: Path | None, summary: Path | None
) -> None:
    study = find_study(results.plan.study)
    if junit is not None:
        make_folder(junit.parent)
        write_file(junit, junit_xml(results, study, found=found).encode())
        echo(f"junit:   {junit}")
    if allure is not None:
        finished_ms = round(1000 * (Path(results.folder) / LEDGER).stat().st_mtime)
        tests = write_allure(results, study, allure, finished_ms=finished_ms, found=found)
        echo(f"allure:  {tests} results in {allure}")
    if summary is not None:
        make_folder(summary.parent)
        write_file(summary, markdown_summary(results, study, found).encode())
        echo(f"summary: {summary}")
