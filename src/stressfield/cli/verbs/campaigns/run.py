"""``stressfield run``: begin a campaign of worlds."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, cast, get_args

import typer

from stressfield.calibration import calibrated_options
from stressfield.campaign import Plan, Prepared, find_study, plan_campaign, prepare, run_campaign
from stressfield.campaign.destination import free_folder
from stressfield.campaign.disturbance import FixedDisturbance
from stressfield.campaign.plan import AnyStrategy
from stressfield.cli.conclusion import check_known_issues, conclude
from stressfield.cli.echo import echo
from stressfield.cli.options import (
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
    Template,
    With,
    Without,
)
from stressfield.cli.progress import campaign_progress
from stressfield.errors import InputError
from stressfield.oracle import Profile
from stressfield.plugins import STRATEGIES, find_object
from stressfield.report.terminal import title_of
from stressfield.search import ListedWorlds, OfWorlds, OwnStrategy, RandomWorlds, SweepWorlds, VaryingWorlds

WORLDS = 20


def run(
    study: StudyName,
    worlds: Annotated[
        int | None,
        typer.Option(
            help="How many worlds. Default: 20, or all combinations.", show_default=False, rich_help_panel=WHICH
        ),
    ] = None,
    repeats: Repeats = 1,
    until_sure: Annotated[
        float | None,
        typer.Option(
            metavar="CONFIDENCE",
            help="Repeat each world until its verdict is sure, such as 0.95; --repeats is then the most.",
            show_default=False,
            rich_help_panel=WHAT,
        ),
    ] = None,
    seed: Seed = 0,
    build: BuildName = None,
    sim: Sim = "",
    strategy: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What proposes worlds: random, sweep, pairwise, or your own: FILE.py:NAME, MODULE:NAME.",
            show_default=False,
            rich_help_panel=WHICH,
        ),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            metavar="PATH=VALUES",
            help="What to vary: field.rows=1,2,3 or terrain.roughness_m=0:0.12:5.",
            rich_help_panel=WHICH,
        ),
    ] = None,
    template: Template = None,
    config: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Run the scenarios that a configuration file asks for, where a study reads such files (tabletop).",
            show_default=False,
            rich_help_panel=WHICH,
        ),
    ] = None,
    option: StudyOption = None,
    calibration: CalibrationPath = None,
    disturb: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The same disturbance in every world: FILE.yaml, FILE.yaml:TEST, or a test of the study.",
            show_default=False,
            rich_help_panel=WHAT,
        ),
    ] = None,
    out: Out = None,
    keep: Annotated[
        str,
        typer.Option(
            help="Which traces to keep: all, failing, failing:10 (ten of each finding) or none.",
            rich_help_panel=KEEPING,
        ),
    ] = "failing",
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
    """Generate worlds, run the robot software in them, judge what happened.

    'stressfield search' disturbs the robot as well, and looks for the disturbances that hurt most.
    """
    check_known_issues(known_issues)
    found = find_study(study)
    if config is not None:
        refuse("a configuration file", {"worlds": worlds, "strategy": strategy, "vary": vary, "template": template})
        asked = found.configured(config, seed=seed)
        build, worlds = build or asked.build, len(asked.descriptors)
        kind: AnyStrategy = ListedWorlds(templates=asked.descriptors)
    else:
        kind = _strategy(strategy, vary or ())
    fixed = FixedDisturbance(()) if disturb is None else FixedDisturbance.of(disturb, found)
    own_templates = isinstance(kind, OfWorlds) and kind.own_templates
    plan = Plan(
        study=study,
        build=build or found.builds[0].name,
        seed=seed,
        worlds=_count(worlds, 0 if own_templates else WORLDS),
        repeats=repeats,
        strategy=kind,
        template=("r" if own_templates else found.template) if template is None else template,
        profile=profile,
        include=tuple(with_ or ()),
        exclude=tuple(without or ()),
        keep=keep,
        options=calibrated_options(calibration, found, found.read_options(option or ())),
        disturbances=fixed.operations,
        variables=fixed.variables,
        simulator=sim,
        storage=storage.rstrip("/"),
        ledger=ledger,
        until_sure=until_sure,
    )
    begin(
        prepare(plan), out, jobs=jobs, run_timeout_s=run_timeout_s, overwrite=overwrite, export_worlds=export_worlds,
        no_report=no_report, known_issues=known_issues, details=details, plan_only=plan_only, executor=executor,
    )  # fmt: skip


def begin(
    prepared: Prepared,
    out: Path | None,
    *,
    jobs: int | None,
    run_timeout_s: float,
    overwrite: bool,
    export_worlds: bool | None,
    no_report: bool,
    known_issues: Path | None,
    details: bool,
    plan_only: bool,
    executor: str,
) -> None:
    """Run a campaign from its beginning to its end, and exit with what came of it."""
    study = prepared.study
    # one that cannot be had (a missing package, a model file it rejects) says so at once
    study.find_simulator(prepared.plan.simulator)()
    folder = _destination(prepared, overwrite=overwrite) if out is None else out
    if plan_only:
        prepared = replace(prepared, plan=replace(prepared.plan, run_timeout_s=run_timeout_s))
        plan_campaign(prepared, folder, overwrite=overwrite)
        place = shlex.quote(str(folder))
        echo(f"Planned in {place}: {prepared.plan.worlds} {prepared.plan.noun}s x {prepared.plan.repeats}.")
        echo(f"Run it here:  stressfield resume {place}\nIn pieces:    stressfield shard {place} --into N")
        return
    with campaign_progress(title_of(prepared.plan, study.name)) as progress:
        done = run_campaign(
            prepared,
            folder,
            jobs=jobs,
            run_timeout_s=run_timeout_s,
            overwrite=overwrite,
            export_worlds=export_worlds,
            progress=progress,
            executor=executor,
        )
    conclude(done, no_report=no_report, known_issues=known_issues, details=details)


def _destination(prepared: Prepared, *, overwrite: bool) -> Path:
    """Where a campaign goes if nobody says where: beside what is there."""
    usual = Path("runs") / prepared.study.name
    if overwrite:
        return usual
    folder, taken = free_folder(usual, prepared.plan)
    if taken:
        echo(f"{taken} This campaign goes to {str(folder)!r}.", err=True)
    return folder


def refuse(what: str, options: Mapping[str, object]) -> None:
    """InputError for an option that was given beside something that it does not go with."""
    for name, value in options.items():
        if value is not None:
            raise InputError(f"--{name.replace('_', '-')} does not go with {what}. Leave it out.")


def _strategy(name: str | None, vary: Sequence[str]) -> AnyStrategy:
    """What proposes worlds: ours are found as anybody's are, as entry points."""
    if name is None:
        return SweepWorlds(vary=tuple(vary)) if vary else RandomWorlds()
    found = find_object(name, group=STRATEGIES, kind="strategy")
    ours = found in get_args(AnyStrategy)
    if ours and issubclass(cast("type", found), VaryingWorlds):
        return cast("AnyStrategy", cast("type", found)(vary=tuple(vary)))
    if vary:
        raise InputError(f"The strategy {name} varies what it likes, got {vary[0]!r}. Wanted sweep or pairwise.")
    return cast("AnyStrategy", cast("type", found)()) if ours else OwnStrategy.of(name)


def _count(worlds: int | None, default: int) -> int:
    """0 leaves the number to the strategy; who asks for none is told that this is too few."""
    if worlds == 0:
        raise InputError("A campaign needs at least one world, got --worlds 0. Leave it out for the default.")
    return default if worlds is None else worlds
