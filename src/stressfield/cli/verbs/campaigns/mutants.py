"""``stressfield mutants``: how good are the tests? Plant faults in the robot's code, and count who sees them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import write_file
from stressfield._files.json_text import dump_json
from stressfield._files.plain_text import columns, visible
from stressfield.analysis import ExitCode
from stressfield.campaign import Plan, find_study
from stressfield.cli.echo import echo
from stressfield.cli.options import (
    KEEPING,
    WHAT,
    AsJson,
    BuildName,
    Jobs,
    NoReport,
    ProfileName,
    Repeats,
    RunTimeout,
    Seed,
    Sim,
    StudyName,
    StudyOption,
    Template,
    With,
    Without,
)
from stressfield.cli.progress import Screen
from stressfield.mutation import Asked, Programme, Score
from stressfield.oracle import Profile
from stressfield.report import page_markdown, write_page
from stressfield.report.mutants_page import mutant_screen, mutants_data, mutants_page, mutants_screen

MUTANTS, WORLDS, CONTROLS = 20, 10, 5
REPORT = "report.html"
GATE = "What is demanded"


def mutants(
    study: StudyName,
    mutants: Annotated[
        int, typer.Option("--mutants", help="How many faults, each in a mutant of its own.", rich_help_panel=WHAT)
    ] = MUTANTS,
    worlds: Annotated[int, typer.Option(help="How many worlds each runs in.", rich_help_panel=WHAT)] = WORLDS,
    repeats: Repeats = 1,
    seed: Seed = 0,
    build: BuildName = None,
    sim: Sim = "",
    template: Template = None,
    option: StudyOption = None,
    controls: Annotated[
        int,
        typer.Option(
            help="Campaigns of the unmutated build with other run seeds: what is seen there is a false alarm.",
            rich_help_panel=WHAT,
        ),
    ] = CONTROLS,
    profile: ProfileName = Profile.STRICT.value,
    with_: With = None,
    without: Without = None,
    at_least: Annotated[
        float | None,
        typer.Option(
            metavar="PERCENT",
            help="Exit 1 if verdicts and comparison see less of the mutants that matter.",
            show_default=False,
            rich_help_panel=GATE,
        ),
    ] = None,
    verdicts_at_least: Annotated[
        float | None,
        typer.Option(
            metavar="PERCENT",
            help="Exit 1 if verdicts alone see less of the mutants that matter.",
            show_default=False,
            rich_help_panel=GATE,
        ),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the faults; run nothing.")] = False,
    show: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Show one mutant: the fault, and what became of it.", show_default=False),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the results. Default: runs/STUDY-mutants.", show_default=False, rich_help_panel=KEEPING
        ),
    ] = None,
    no_report: NoReport = False,
    markdown: Annotated[
        Path | None,
        typer.Option(help="Also write the page as Markdown.", show_default=False, rich_help_panel=KEEPING),
    ] = None,
    jobs: Jobs = None,
    run_timeout_s: RunTimeout = 120.0,
    json: AsJson = False,
) -> None:
    """Plant single faults in the robot's code, run each mutant in the same worlds, and count who sees them.

    Nothing of the study's files is changed. Stopped and called again, it goes on; asked for more, it keeps what it has.
    """
    found = find_study(study)
    plan = Plan(
        study=study,
        build=build or found.builds[0].name,
        seed=seed,
        worlds=worlds,
        repeats=repeats,
        template=found.template if template is None else template,
        profile=profile,
        include=tuple(with_ or ()),
        exclude=tuple(without or ()),
        options=found.read_options(option or ()),
        simulator=sim,
    )
    asked = Asked(plan=plan, mutants=mutants, seed=seed, controls=controls)
    folder = out or Path("runs") / f"{found.name}-mutants"
    programme = Programme(asked, folder, jobs=jobs, run_timeout_s=run_timeout_s, display=Screen())
    try:
        if list_:
            _list(programme)
            return
        score = programme.run() if show is None else programme.run(only=show)
    except KeyboardInterrupt:
        echo(" Stopped. What is done is kept: the same command goes on.", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    if show is not None:
        echo(mutant_screen(score, score.results[0]))
        return
    told = mutants_page(score)
    page = None if no_report else write_page(told, folder / REPORT)
    if markdown is not None:
        write_file(markdown, page_markdown(told).encode())
    if json:
        echo(dump_json(mutants_data(score)))
    else:
        echo(mutants_screen(score))
        if page is not None:
            echo(f" report:      {page}")
    _gate(score, at_least, verdicts_at_least)


def _list(programme: Programme) -> None:
    faults = programme.mutants()
    rows = [["", "where", "fault", "instead"]]
    rows += [[str(fault.number), fault.place, fault.operator, visible(fault.words)] for fault in faults]
    echo(columns(rows, right=(0,)))
    echo(f"\n {len(faults)} of {programme.places} places of the robot's code.")


def _gate(score: Score, at_least: float | None, verdicts_at_least: float | None) -> None:
    """Exit 1 if less is seen than was demanded; without a mutant that matters, nothing was shown."""
    missed = False
    for wanted, share, who in (
        (at_least, score.by_both, "verdicts and comparison"),
        (verdicts_at_least, score.by_verdict, "verdicts"),
    ):
        if wanted is None:
            continue
        if share is None:
            echo(" No mutant changed behaviour so that it matters: there is no score. Ask for more mutants.", err=True)
            missed = True
        elif 100.0 * share < wanted:
            echo(f" {who} see {100 * share:.1f} % of the mutants that matter, wanted {wanted:g} %.", err=True)
            missed = True
    if missed:
        raise typer.Exit(ExitCode.FINDINGS)
