"""``stressfield run``: begin a campaign."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from stressfield.campaign import Fuzzing, Plan, find_study, run_campaign
from stressfield.campaign.fuzzing import listed_names, with_budget
from stressfield.campaign.plan import LISTED, checked
from stressfield.cli.ending import check_known_issues, conclude
from stressfield.cli.options import (
    Details,
    ExportWorlds,
    Jobs,
    KnownIssues,
    NoReport,
    RunTimeout,
    Sim,
    StudyName,
    StudyOption,
    With,
    Without,
)
from stressfield.cli.progress import campaign_progress
from stressfield.errors import InputError
from stressfield.fuzz import TestingSpace, read_space
from stressfield.report.terminal import title_of
from stressfield.study import Configured, Study

WORLDS = 20
FUZZING = "Fuzzing: disturb the robot as a testing space says"
ALL_TESTS = "all"


def run(
    study: StudyName,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the results. Default: runs/STUDY.", show_default=False)
    ] = None,
    worlds: Annotated[
        int | None, typer.Option(help="How many worlds. Default: 20, or all combinations.", show_default=False)
    ] = None,
    repeats: Annotated[int, typer.Option(help="Runs of each world, or of each test.")] = 1,
    seed: Annotated[int, typer.Option(help="Everything random follows from it.")] = 0,
    build: Annotated[
        str | None, typer.Option(help="Build of the robot software. Default: the first.", show_default=False)
    ] = None,
    sim: Sim = "",
    jobs: Jobs = None,
    strategy: Annotated[
        str | None,
        typer.Option(help="random, sweep or pairwise; when fuzzing nsga2, random or sweep.", show_default=False),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH=VALUES", help="What to vary: field.rows=1,2,3 or terrain.roughness_m=0:0.12:5."),
    ] = None,
    template: Annotated[
        str | None,
        typer.Option(
            metavar="DESCRIPTOR",
            help="Draw every world from this descriptor. Default: the study's.",
            show_default=False,
        ),
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Run the scenarios that a configuration file asks for, where a study reads such files (tabletop).",
            show_default=False,
        ),
    ] = None,
    keep: Annotated[
        str | None,
        typer.Option(
            help="Which traces to keep: all, failing, none or front. Default: failing, or the front of a search.",
            show_default=False,
        ),
    ] = None,
    with_: With = None,
    without: Without = None,
    option: StudyOption = None,
    run_timeout_s: RunTimeout = 120.0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the campaign in the folder.")] = False,
    no_report: NoReport = False,
    known_issues: KnownIssues = None,
    details: Details = False,
    export_worlds: ExportWorlds = None,
    fuzz: Annotated[
        bool, typer.Option("--fuzz", help="Search the study's own testing space.", rich_help_panel=FUZZING)
    ] = False,
    space: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Search this testing space.", show_default=False, rich_help_panel=FUZZING),
    ] = None,
    campaign: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Which campaign of the space.", show_default=False, rich_help_panel=FUZZING),
    ] = None,
    tests: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,...",
            help="Run tests that the space lists instead of searching; 'all' for all of them.",
            show_default=False,
            rich_help_panel=FUZZING,
        ),
    ] = None,
    evaluations: Annotated[
        int | None, typer.Option(help="Tests of a search.", show_default=False, rich_help_panel=FUZZING)
    ] = None,
    population: Annotated[
        int | None, typer.Option(help="Tests of a generation of nsga2.", show_default=False, rich_help_panel=FUZZING)
    ] = None,
    stagnation: Annotated[
        int | None,
        typer.Option(help="End after so many generations without a better front.", rich_help_panel=FUZZING),
    ] = None,
    coverage: Annotated[
        float | None,
        typer.Option(help="End when this share of the space's cells is covered.", rich_help_panel=FUZZING),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            help="End after so much wall time, between generations; a resumed search has it anew.",
            rich_help_panel=FUZZING,
        ),
    ] = None,
    vary_world: Annotated[
        bool,
        typer.Option("--vary-world", help="Vary what the template leaves open, too.", rich_help_panel=FUZZING),
    ] = False,
    world_seed: Annotated[
        int | None,
        typer.Option(
            help="Seed of the world, so that searches with other seeds share it. Default: --seed.",
            show_default=False,
            rich_help_panel=FUZZING,
        ),
    ] = None,
) -> None:
    """Generate worlds, run the robot software in them, judge what happened.

    With --fuzz or --space, disturb the robot in one world and search for the disturbances that hurt most.
    """
    check_known_issues(known_issues)
    found = find_study(study)
    fuzzing: Fuzzing | None = None
    searched: TestingSpace | None = None
    budget = {"evaluations": evaluations, "population": population, "stagnation": stagnation, "coverage": coverage,
              "seconds": seconds}  # fmt: skip
    if fuzz or space is not None or campaign is not None or tests is not None:
        _refuse("fuzzing", {"worlds": worlds, "vary": vary, "config": config})
        searched = _space(found, space)
        fuzzing = Fuzzing(
            campaign=campaign or "", tests=_tests(searched, campaign, tests), vary_world=vary_world,
            world_seed=world_seed,
        )  # fmt: skip
        if tests is not None:
            _refuse("listed tests", {**budget, "strategy": strategy, "vary_world": vary_world or None})
        else:
            searched = with_budget(
                searched, fuzzing.campaign, strategy=strategy, evaluations=evaluations, population=population,
                stagnation=stagnation, coverage=coverage, seconds=seconds,
            )  # fmt: skip
    else:
        not_here = {**budget, "vary_world": vary_world or None, "world_seed": world_seed}
        _refuse("worlds without disturbances", not_here, " Add --fuzz or --space.")
    asked: Configured | None = None
    if config is not None:
        _refuse("a configuration file", {"worlds": worlds, "strategy": strategy, "vary": vary, "template": template})
        asked = found.configured(config, seed=seed)
        worlds, strategy = len(asked.descriptors), LISTED
    strategy = strategy or ("sweep" if vary else "random")
    plan = Plan(
        study=study,
        build=build or (asked.build if asked else found.builds[0].name),
        seed=seed,
        worlds=0 if fuzzing else _worlds(worlds, strategy),
        repeats=repeats,
        strategy=strategy,
        template=_template(template, found, strategy if fuzzing is None else ""),
        templates=asked.descriptors if asked else (),
        sweep=tuple(vary or ()),
        include=tuple(with_ or ()),
        exclude=tuple(without or ()),
        keep=keep or ("front" if fuzzing and not fuzzing.tests else "failing"),
        options=found.read_options(option or ()),
        simulator=sim,
        fuzzing=fuzzing,
    )
    plan = checked(plan, found, searched)
    found.find_simulator(sim)()  # one that cannot be had (a missing package, a model file it rejects) says so at once
    with campaign_progress(title_of(plan, found.name)) as progress:
        done = run_campaign(
            plan,
            out or Path("runs") / found.name,
            jobs=jobs,
            run_timeout_s=run_timeout_s,
            overwrite=overwrite,
            export_worlds=export_worlds,
            progress=progress,
            space=searched,
        )
    conclude(done, no_report=no_report, known_issues=known_issues, details=details)


def _space(study: Study, path: Path | None) -> TestingSpace:
    return study.testing_space() if path is None else read_space(path)


def _tests(space: TestingSpace, campaign: str | None, names: str | None) -> tuple[str, ...]:
    if names is None:
        return ()
    if names.strip() != ALL_TESTS:
        return tuple(name.strip() for name in names.split(",") if name.strip())
    listed = listed_names(space, campaign or "")
    if not listed:
        raise InputError(f"The testing space {space.name!r} lists no tests. Leave --tests out to search it.")
    return listed


def _template(given: str | None, study: Study, strategy: str) -> str:
    """Sweeps make their own templates from the varied values."""
    if given is not None:
        return given
    return "r" if strategy in {"sweep", "pairwise"} else study.template


def _refuse(what: str, options: Mapping[str, object], advice: str = "") -> None:
    for name, value in options.items():
        if value is not None:
            raise InputError(f"--{name.replace('_', '-')} does not go with {what}.{advice or ' Leave it out.'}")


def _worlds(worlds: int | None, strategy: str) -> int:
    if worlds is None:
        return WORLDS if strategy == "random" else 0
    return worlds if worlds != 0 else -1
