"""``stressfield mutants``: how good are the tests? Plant faults in the robot's code, and count who sees them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated

import typer

from stressfield.analysis import ExitCode
from stressfield.campaign import Plan, Progress, find_study
from stressfield.cli.echo import echo
from stressfield.cli.options import (
    KEEPING,
    WHAT,
    BuildName,
    Jobs,
    Repeats,
    Seed,
    Sim,
    StudyName,
    StudyOption,
    With,
    Without,
)
from stressfield.cli.progress import campaign_progress, step_progress
from stressfield.mutation import Asked, Programme

WORLDS = 10


def mutants(
    study: StudyName,
    mutants: Annotated[
        int, typer.Option("--mutants", help="How many faults, each in a mutant of its own.", rich_help_panel=WHAT)
    ] = 20,
    worlds: Annotated[int, typer.Option(help="How many worlds each runs in.", rich_help_panel=WHAT)] = WORLDS,
    repeats: Repeats = 1,
    seed: Seed = 0,
    build: BuildName = None,
    sim: Sim = "",
    template: Annotated[
        str | None,
        typer.Option(
            metavar="DESCRIPTOR",
            help="Draw every world from this descriptor. Default: the study's.",
            show_default=False,
            rich_help_panel=WHAT,
        ),
    ] = None,
    option: StudyOption = None,
    with_: With = None,
    without: Without = None,
    controls: Annotated[
        int,
        typer.Option(
            help="Campaigns of the unmutated build with other run seeds, to count false alarms.", rich_help_panel=WHAT
        ),
    ] = 5,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for the results. Default: runs/STUDY-mutants.", show_default=False, rich_help_panel=KEEPING
        ),
    ] = None,
    jobs: Jobs = None,
) -> None:
    """Plant single faults in the robot's code, run each mutant in the same worlds, and count who sees them."""
    found = find_study(study)
    plan = Plan(
        study=study,
        build=build or found.builds[0].name,
        seed=seed,
        worlds=worlds,
        repeats=repeats,
        template=found.template if template is None else template,
        include=tuple(with_ or ()),
        exclude=tuple(without or ()),
        options=found.read_options(option or ()),
        simulator=sim,
    )
    asked = Asked(plan=plan, mutants=mutants, seed=seed, controls=controls)
    programme = Programme(asked, out or Path("runs") / f"{found.name}-mutants", jobs=jobs, display=_Screen())
    try:
        score = programme.run()
    except KeyboardInterrupt:
        echo(" Stopped. What is done is kept: the same command goes on.", err=True)
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    for r in score.results:
        ch = ", ".join(f"{c.name} {c.before:.3g}->{c.after:.3g}" for c in r.changes if c.matters)
        echo(
            f"{r.mutant.number:3d} {r.fate.value:20s} {'M' if r.meaningful else ' '} {'C' if r.compared else ' '} {r.mutant.operator:10s} {r.mutant.place:20s} {r.mutant.words[:60]} | {r.killers} {r.ends} {ch}"
        )
    echo(f"{score.by_verdict} {score.by_both} {len(score.meaningful)} {score.alarms} sites {programme.sites}")


class _Screen:
    def say(self, line: str, *, warning: bool = False) -> None:
        echo(line, err=warning)

    def campaigns(self, title: str) -> AbstractContextManager[Callable[[Progress], None]]:
        return campaign_progress(title)

    def steps(self, title: str) -> AbstractContextManager[Callable[[int, int], None]]:
        return step_progress(title)
