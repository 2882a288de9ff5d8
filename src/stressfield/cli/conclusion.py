"""What ``run``, ``search`` and ``resume`` have in common once the runs are done."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime
from pathlib import Path

import typer

from stressfield.analysis import ExitCode, Summary, Triage, gate, read_known_issues, summarise
from stressfield.campaign import Campaigned, find_study
from stressfield.cli.echo import debugging, echo
from stressfield.report import write_report
from stressfield.report.terminal import gate_text, next_commands, screen


def check_known_issues(path: Path | None) -> None:
    """A file that cannot be used is told before anything is run."""
    if path is not None:
        read_known_issues(path)


def gate_of(summary: Summary, path: Path | None) -> Triage:
    """The findings of a campaign: those that a file of known issues names, and the others, as of today."""
    issues = () if path is None else read_known_issues(path)
    return gate(summary, issues, today=datetime.now(UTC).date())


def conclude(done: Campaigned, *, no_report: bool, known_issues: Path | None = None, details: bool = False) -> None:
    """Show the results, write the report and exit with the code that says what was found."""
    study, folder = find_study(done.results.plan.study), done.results.folder
    summary = summarise(done.results, study)
    echo(screen(summary, details=details, ended="" if done.interrupted else done.ended, debug=debugging()))
    if done.interrupted:
        echo(f"\n Stopped. What is done is kept. Continue with:  stressfield resume {shlex.quote(folder)}")
        raise typer.Exit(ExitCode.INTERRUPTED)
    found = gate_of(summary, known_issues)
    report = None if no_report else write_report(summary, study, known=found.reasons)
    if known_issues is not None:
        echo(f"\n{gate_text(found)}")
    if found.nothing_judged:
        echo(f"\n {found.nothing_judged}")
    elif found.invalid and done.results.plan.recorded is None:
        echo(f"\n Some runs are invalid. Try them again with:  stressfield resume {shlex.quote(folder)}")
    if following := next_commands(summary, report=report, details=details):
        echo(f"\n{following}")
    raise typer.Exit(found.exit_code)
