"""``stressfield search``: begin a campaign of tests of a testing space."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield.calibration import calibrated_options
from stressfield.campaign import Plan, find_study, prepare
from stressfield.cli.conclusion import check_known_issues
from stressfield.cli.options import (
    HOW,
    KEEPING,
    WHAT,
    WHICH,
    BuildName,
    CalibrationPath,
    Details,
    ExecutorName,
    ExportWorlds,
    Jobs,
    KnownIssues,
    LedgerPlace,
    NoReport,
    Out,
    Overwrite,
    PlanOnly,
    ProfileName,
    Repeats,
    RunTimeout,
    Seed,
    Sim,
    Storage,
    StudyName,
    StudyOption,
    With,
    Without,
)
from stressfield.cli.verbs.campaigns.run import begin, refuse
from stressfield.errors import InputError
from stressfield.fuzz import TestingSpace, read_space
from stressfield.oracle import Profile
from stressfield.plugins import STRATEGIES, find_object
from stressfield.search import ListedTests, OfWorlds, OwnStrategy, SpaceSearch
from stressfield.search.space_search import APPROACHES, listed_names

ALL_TESTS = "all"


def search(
    study: StudyName,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="SEARCH",
            help="A search of the testing space. May be left out if it has only one.",
            show_default=False,
        ),
    ] = None,
    space: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Another testing space than the study's own.",
            show_default=False,
            rich_help_panel=WHAT,
        ),
    ] = None,
    tests: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,...",
            help="Run tests that the space lists instead of searching; 'all' for all of them.",
            show_default=False,
            rich_help_panel=WHAT,
        ),
    ] = None,
    repeats: Repeats = 1,
    seed: Seed = 0,
    build: BuildName = None,
    sim: Sim = "",
    template: Annotated[
        str | None,
        typer.Option(
            metavar="DESCRIPTOR",
            help="The world: what it leaves open is drawn once. Default: the study's.",
            show_default=False,
            rich_help_panel=WHICH,
        ),
    ] = None,
    vary_world: Annotated[
        bool, typer.Option("--vary-world", help="Vary what the template leaves open, too.", rich_help_panel=WHICH)
    ] = False,
    world_seed: Annotated[
        int | None,
        typer.Option(
            help="Seed of the world, so that searches with other seeds share it. Default: --seed.",
            show_default=False,
            rich_help_panel=WHICH,
        ),
    ] = None,
    option: StudyOption = None,
    calibration: CalibrationPath = None,
    strategy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What proposes tests: nsga2, steady-nsga2 (without generations, so that no worker waits), random, "
            "sweep, or your own: FILE.py:NAME, MODULE:NAME. "
            "Default: as the space says.",
            show_default=False,
            rich_help_panel=HOW,
        ),
    ] = None,
    evaluations: Annotated[
        int | None, typer.Option(help="Tests of the search.", show_default=False, rich_help_panel=HOW)
    ] = None,
    population: Annotated[
        int | None, typer.Option(help="Tests of a generation of nsga2.", show_default=False, rich_help_panel=HOW)
    ] = None,
    window: Annotated[
        int | None,
        typer.Option(
            help="Tests under way of steady-nsga2, at least as many as workers: part of the search, for a new test is "
            "made of all results but those of the window.",
            show_default=False,
            rich_help_panel=HOW,
        ),
    ] = None,
    stagnation: Annotated[
        int | None,
        typer.Option(help="End after so many generations without a better front.", rich_help_panel=HOW),
    ] = None,
    coverage: Annotated[
        float | None, typer.Option(help="End when this share of the space's cells is covered.", rich_help_panel=HOW)
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(
            help="End after so much wall time, between generations; a resumed search has this time again.",
            rich_help_panel=HOW,
        ),
    ] = None,
    out: Out = None,
    keep: Annotated[
        str | None,
        typer.Option(
            help="Traces to keep: front, all, failing, failing:10 (ten a finding), none. Default: front; of listed "
            "tests failing.",
            show_default=False,
            rich_help_panel=KEEPING,
        ),
    ] = None,
    storage: Storage = "",
    ledger: LedgerPlace = "",
    profile: ProfileName = Profile.STRICT.value,
    with_: With = None,
    without: Without = None,
    overwrite: Overwrite = False,
    no_report: NoReport = False,
    details: Details = False,
    known_issues: KnownIssues = None,
    export_worlds: ExportWorlds = None,
    jobs: Jobs = None,
    run_timeout_s: RunTimeout = 120.0,
    executor: ExecutorName = "local",
    plan_only: PlanOnly = False,
) -> None:
    """Disturb the robot as a testing space says, and search for the disturbances that hurt most."""
    check_known_issues(known_issues)
    found = find_study(study)
    wanted = found.testing_space() if space is None else read_space(space)
    budget = {"evaluations": evaluations, "population": population, "window": window, "stagnation": stagnation,
              "coverage": coverage, "seconds": seconds}  # fmt: skip
    kind: ListedTests | SpaceSearch
    if tests is not None:
        refuse("listed tests", {**budget, "strategy": strategy, "vary_world": vary_world or None})
        kind = ListedTests(search=name or "", tests=_tests(wanted, name or "", tests), world_seed=world_seed)
    else:
        kind = SpaceSearch.of(
            wanted, name or "", strategy=_strategy(strategy), evaluations=evaluations, population=population,
            window=window, stagnation=stagnation, coverage=coverage, seconds=seconds, vary_world=vary_world,
            world_seed=world_seed,
        )  # fmt: skip
    plan = Plan(
        study=study,
        build=build or found.builds[0].name,
        seed=seed,
        worlds=0,
        repeats=repeats,
        strategy=kind,
        template=found.template if template is None else template,
        profile=profile,
        include=tuple(with_ or ()),
        exclude=tuple(without or ()),
        keep=keep or ("failing" if tests is not None else "front"),
        options=calibrated_options(calibration, found, found.read_options(option or ())),
        simulator=sim,
        storage=storage.rstrip("/"),
        ledger=ledger,
    )
    begin(
        prepare(plan, space=wanted), out, jobs=jobs, run_timeout_s=run_timeout_s, overwrite=overwrite,
        export_worlds=export_worlds, no_report=no_report, known_issues=known_issues, details=details,
        plan_only=plan_only, executor=executor,
    )  # fmt: skip


def _strategy(name: str | None) -> str | OwnStrategy | None:
    """Another approach than the space's own, or a strategy of somebody else's."""
    if name is None or name in APPROACHES:
        return name
    found = find_object(name, group=STRATEGIES, kind="strategy")
    if isinstance(found, type) and issubclass(found, OfWorlds):
        raise InputError(f"The strategy {name} proposes worlds, not tests. Wanted one of {', '.join(APPROACHES)}.")
    return OwnStrategy.of(name)


def _tests(space: TestingSpace, search: str, names: str) -> tuple[str, ...]:
    if names.strip() != ALL_TESTS:
        return tuple(name.strip() for name in names.split(",") if name.strip())
    listed = listed_names(space, search)
    if not listed:
        raise InputError(f"The testing space {space.name!r} lists no tests. Leave --tests out to search it.")
    return listed
