"""``stressfield report``: one HTML file, and the formats of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import make_folder, write_file
from stressfield.analysis import ExitCode, Summary, Triage, summarise
from stressfield.campaign import load
from stressfield.campaign.folder import PLAN
from stressfield.campaign.ledger import LEDGER
from stressfield.cli.conclusion import gate_of
from stressfield.cli.echo import echo
from stressfield.cli.options import Folder, StudyPlace
from stressfield.cli.study_at_hand import study_at_hand
from stressfield.report import write_report
from stressfield.report.allure import write_allure
from stressfield.report.junit import junit_xml
from stressfield.report.markdown import markdown_summary
from stressfield.report.terminal import gate_text
from stressfield.study import Study


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
    faults: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also show this faults.json of an experiment.", show_default=False),
    ] = None,
    study: StudyPlace = None,
    open_: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
) -> None:
    """Write the report of a campaign: one HTML file that needs no network, and files for other tools."""
    results = load(folder, study=study)
    found_study = study_at_hand(
        results,
        given=study,
        without="runs are drawn only where their world was kept as a file, and series, the study's own pictures and "
        "published figures are missing",
    )
    figures = summarise(results, found_study)
    found = gate_of(figures, known_issues)
    path = write_report(figures, found_study, out=out, known=found.reasons, faults=faults)
    echo(f"report:  {path}")
    _write_others(figures, found_study, found, junit=junit, allure=allure, summary=summary)
    if open_:
        typer.launch(path.resolve().as_uri())
    if known_issues is not None:
        echo(gate_text(found))
    if found.nothing_judged:
        echo(found.nothing_judged)
    if known_issues is not None:
        raise typer.Exit(found.exit_code)
    if found.nothing_judged:
        raise typer.Exit(ExitCode.INFRASTRUCTURE)


def _write_others(
    figures: Summary,
    study: Study | None,
    found: Triage,
    *,
    junit: Path | None,
    allure: Path | None,
    summary: Path | None,
) -> None:
    if junit is not None:
        make_folder(junit.parent)
        write_file(junit, junit_xml(figures, found=found).encode())
        echo(f"junit:   {junit}")
    if allure is not None:
        place = Path(figures.results.folder)
        # a ledger on a server has no file of its own here
        latest = place / (PLAN if figures.results.plan.ledger else LEDGER)
        finished_ms = round(1000 * latest.stat().st_mtime)
        tests = write_allure(figures, study, allure, finished_ms=finished_ms, found=found)
        echo(f"allure:  {tests} results in {allure}")
    if summary is not None:
        make_folder(summary.parent)
        write_file(summary, markdown_summary(figures, found).encode())
        echo(f"summary: {summary}")
