"""``stressfield shrink``: the smallest world and disturbances that still fail."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from stressfield.analysis import Finding, Summary, summarise
from stressfield.campaign import load, study_of
from stressfield.campaign.case import Case, size_of
from stressfield.campaign.shrink import ShrunkFinding, shrink_finding
from stressfield.cli.echo import echo
from stressfield.cli.options import AgainTimeout, Folder, Jobs, NoReport, Overwrite, StudyPlace
from stressfield.errors import InputError
from stressfield.report import write_report

SHRUNK = "shrunk"


def shrink(
    folder: Folder,
    finding: Annotated[str, typer.Argument(metavar="FINDING", help="A finding of the campaign: F1.")],
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the result, a campaign of one world. Default: DIR/shrunk/FINDING.",
                     show_default=False),
    ] = None,
    world: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", show_default=False,
                     help="The world to begin with, as 'results --details' numbers them. Default: the one that shows "
                     "the finding most."),
    ] = None,
    repeats: Annotated[int, typer.Option(help="Runs of each smaller world.")] = 3,
    needed: Annotated[int, typer.Option(help="How many of these must fail in the same way.")] = 2,
    confirm: Annotated[int, typer.Option(help="Runs with other seeds that confirm the result.")] = 5,
    tests: Annotated[int, typer.Option(help="Smaller worlds to try at most.")] = 200,
    study: StudyPlace = None,
    overwrite: Overwrite = False,
    jobs: Jobs = None,
    run_timeout_s: AgainTimeout = None,
    no_report: NoReport = False,
) -> None:  # fmt: skip
    """Make a finding small: drop and simplify what it does not need, as long as the same property fails.

    Fewer items, values at their default or nearer to nothing, fewer disturbances in shorter windows.
    """
    results = load(folder, study=study)
    found_study = study_of(results)
    found = find_finding(summarise(results), finding)
    echo(f"{found}", err=True)
    done = shrink_finding(
        results,
        found,
        out or folder / SHRUNK / (found.id if world is None else f"{found.id}-{world}"),
        world=world,
        repeats=repeats,
        needed=needed,
        confirmations=confirm,
        most_tests=tests,
        jobs=jobs,
        run_timeout_s=run_timeout_s,
        overwrite=overwrite,
        watch=_show_step,
    )
    summary = summarise(done.results, found_study)
    _show(done, summary)
    if not no_report:
        echo(f" report:  {write_report(summary, found_study)}")


def find_finding(summary: Summary, name: str) -> Finding:
    """The finding of that name; InputError if there is none."""
    if not re.fullmatch(r"F\d+", name):
        raise InputError(f"Cannot shrink {name!r}. Wanted a finding such as F1; 'stressfield results' lists them.")
    return summary.finding(name)


def _show_step(tests: int, case: Case) -> None:
    echo(f" {tests:4d} tests   {size_of(case)}   {case.descriptor}", err=True)


def _show(done: ShrunkFinding, summary: Summary) -> None:
    first, last = done.shrunk.steps[0], done.shrunk.smallest
    echo(f"before:  {size_of(first)}\n {first.descriptor}")
    echo(f"after:   {size_of(last)}\n {last.descriptor}")
    for operation in last.disturbances:
        echo(f" {operation.name}: {type(operation).__name__.lower()} of {', '.join(operation.targets)}, "
                   f"{operation.when}")  # fmt: skip
    why = "the budget ended first" if done.shrunk.exhausted else "nothing smaller that was tried still fails"
    echo(f" {done.shrunk.tests} smaller tests, {done.runs} runs; {why}")
    echo(f" confirmed: fails in the same way in {done.confirmed} of {done.confirmations} runs with other seeds")
    folder = done.results.folder
    same = [
        finding.id
        for finding in summary.findings
        if (finding.property, finding.subcase) == (done.finding.property, done.finding.subcase)
    ]
    if same:
        echo(f" replay:  stressfield replay {shlex.quote(folder)} {same[0]}")
