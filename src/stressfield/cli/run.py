"""``stressfield run``: begin a campaign."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield.cli.options import ExportWorlds, Jobs, NoReport, RigOption, RunTimeout, StudyName, With, Without

WORLDS = 20


def run(
    study: StudyName,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the results. Default: runs/STUDY.", show_default=False)
    ] = None,
    worlds: Annotated[
        int | None, typer.Option(help="How many worlds. Default: 20, or all combinations.", show_default=False)
    ] = None,
    repeats: Annotated[int, typer.Option(help="Runs of each world.")] = 1,
    seed: Annotated[int, typer.Option(help="Everything random follows from it.")] = 0,
    build: Annotated[
        str | None, typer.Option(help="Build of the robot software. Default: the first.", show_default=False)
    ] = None,
    jobs: Jobs = None,
    strategy: Annotated[str | None, typer.Option(help="random, sweep or pairwise.", show_default=False)] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH=VALUES", help="What to vary: field.rows=1,2,3 or terrain.roughness_m=0:0.12:5."),
    ] = None,
    template: Annotated[str, typer.Option(metavar="DESCRIPTOR", help="Draw every world from this descriptor.")] = "r",
    keep: Annotated[str, typer.Option(help="Which traces to keep: all, failing or none.")] = "failing",
    with_: With = None,
    without: Without = None,
    option: RigOption = None,
    run_timeout_s: RunTimeout = 120.0,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace the campaign in the folder.")] = False,
    no_report: NoReport = False,
    export_worlds: ExportWorlds = None,
) -> None:
    """Generate worlds, run the robot software in them, judge what happened."""
    from stressfield.campaign import Plan, find_study, run_campaign  # noqa: PLC0415
    from stressfield.campaign.plan import checked  # noqa: PLC0415
    from stressfield.cli.ending import conclude, title_of  # noqa: PLC0415
    from stressfield.cli.options import read_rig_options  # noqa: PLC0415
    from stressfield.cli.progress import campaign_progress  # noqa: PLC0415

    found = find_study(study)
    strategy = strategy or ("sweep" if vary else "random")
    plan = Plan(
        study=study,
        build=build or found.builds[0].name,
        seed=seed,
        worlds=_worlds(worlds, strategy),
        repeats=repeats,
        strategy=strategy,
        template=template,
        sweep=tuple(vary or ()),
        include=tuple(with_ or ()),
        exclude=tuple(without or ()),
        keep=keep,
        options=read_rig_options(option or ()),
    )
    plan = checked(plan, found)
    with campaign_progress(title_of(plan, found.name)) as progress:
        done = run_campaign(
            plan,
            out or Path("runs") / found.name,
            jobs=jobs,
            run_timeout_s=run_timeout_s,
            overwrite=overwrite,
            export_worlds=export_worlds,
            progress=progress,
        )
    conclude(done, no_report=no_report)


def _worlds(worlds: int | None, strategy: str) -> int:
    if worlds is None:
        return WORLDS if strategy == "random" else 0
    return worlds if worlds != 0 else -1
