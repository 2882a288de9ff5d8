"""What ``run`` and ``resume`` have in common once the runs are done."""

from __future__ import annotations

import shlex
from pathlib import Path

import typer

from stressfield.campaign import Campaigned, find_study
from stressfield.cli import reporting
from stressfield.cli.echo import echo
from stressfield.cli.report import show_known, sorted_findings
from stressfield.cli.screen import show_monitors, show_next, show_published, show_summary
from stressfield.cli.search_screen import show_search
from stressfield.cli.summary import summarise
from stressfield.report.known_issues import read_known_issues

CLEAN, FINDINGS, INFRASTRUCTURE, INTERRUPTED = 0, 1, 3, 130


def check_known_issues(path: Path | None) -> None:
    """A file that cannot be used is told before anything is run."""
    if path is not None:
        read_known_issues(path)


def conclude(done: Campaigned, *, no_report: bool, known_issues: Path | None = None) -> None:
    """Show the results, write the report and exit with the code that says what was found."""
    study = find_study(done.results.plan.study)
    folder = done.results.folder
    summary = summarise(done.results, study)
    show_summary(summary, {one.name: one for one in study.oracle.properties}, tables=True)
    show_published(done.results, study)
    show_monitors(done.results.runs)
    show_search(done.results, ended="" if done.interrupted else done.ended)
    if done.interrupted:
        echo(f" Stopped. What is done is kept. Go on with:  stressfield resume {shlex.quote(folder)}")
        raise typer.Exit(INTERRUPTED)
    found = sorted_findings(done.results, known_issues)
    report = None if no_report else reporting.write(done.results, known=found.reasons)
    show_next(summary, report)
    if known_issues is not None:
        show_known(found)
    if not found.clean:
        raise typer.Exit(FINDINGS)
    if summary.invalid:
        echo(f" Some runs are invalid. Try them again with:  stressfield resume {shlex.quote(folder)}")
        raise typer.Exit(INFRASTRUCTURE)
    raise typer.Exit(CLEAN)
