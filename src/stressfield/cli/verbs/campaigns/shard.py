"""``stressfield shard``, ``run-shard`` and ``merge``: a campaign in pieces, without any cluster."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from stressfield.analysis import ExitCode
from stressfield.campaign import category, merge_shards, write_shards
from stressfield.campaign import run_shard as run_piece
from stressfield.campaign.folder import read_plan
from stressfield.cli.conclusion import check_known_issues, conclude
from stressfield.cli.echo import echo
from stressfield.cli.options import AgainTimeout, Details, ExportWorlds, Folder, Jobs, KnownIssues, NoReport, StudyPlace
from stressfield.cli.progress import campaign_progress, step_progress
from stressfield.run import Status

Piece = Annotated[Path, typer.Argument(metavar="SHARD", help="Folder of a shard, such as runs/oz/shards/7.")]


def shard(
    folder: Folder,
    into: Annotated[int, typer.Option(metavar="N", help="How many shards.", show_default=False)],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the shards. Default: DIR/shards.", show_default=False)
    ] = None,
    study: StudyPlace = None,
) -> None:
    """Divide a planned campaign into self-contained shards, to be run anywhere and merged.

    Plan it with 'stressfield run ... --plan-only'. Each shard has the plan and the study's code.
    """
    pieces = write_shards(folder, into=into, out=out, study=study)
    place = shlex.quote(str(pieces[0].parent))
    echo(f"{len(pieces)} shards in {place}, numbered from 0. Run each:  stressfield run-shard {place}/0")
    named = "" if out is None else f" {place}/*"
    echo(f"Then join them:  stressfield merge {shlex.quote(str(folder))}{named}")


def run_shard(piece: Piece, jobs: Jobs = None, run_timeout_s: AgainTimeout = None) -> None:
    """Do what is missing of a shard, with the code that is in it. What it found is told when all are merged.

    Exit code 0: all of its runs are done, whatever came of them; 3: some are invalid.
    """
    plan, _ = read_plan(piece)
    number = "" if plan.share is None else f" {plan.share.number} of {plan.share.of}"
    with campaign_progress(f"shard{number}") as progress:
        done = run_piece(piece, jobs=jobs, run_timeout_s=run_timeout_s, progress=progress)
    runs = done.results.runs
    if done.interrupted:
        echo(f"Stopped. What is done is kept. Continue with:  stressfield run-shard {shlex.quote(str(piece))}")
        raise typer.Exit(ExitCode.INTERRUPTED)
    invalid = sum(category(judged.run) == Status.INVALID.value for judged in runs)
    echo(f"Shard{number}: {len(runs)} runs are done" + (f", {invalid} of them invalid." if invalid else "."))
    if invalid:
        trouble = next(judged.run.trouble for judged in runs if judged.run.status is Status.INVALID)
        echo(f"{trouble}\nTry again with:  stressfield run-shard {shlex.quote(str(piece))}", err=True)
        raise typer.Exit(3)


def merge(
    folder: Folder,
    shards: Annotated[
        list[Path] | None,
        typer.Argument(metavar="SHARD...", help="Folders of its shards. Default: DIR/shards/*.", show_default=False),
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="Merge what there is; shards may be missing or unfinished.")
    ] = False,
    study: StudyPlace = None,
    no_report: NoReport = False,
    known_issues: KnownIssues = None,
    details: Details = False,
    export_worlds: ExportWorlds = None,
) -> None:
    """Join the ledgers and traces of shards in their campaign, as if one machine had done it; show what was found.

    Every trace is compared with the digest of its run. Shards of another campaign or other versions are refused.
    """
    check_known_issues(known_issues)
    with step_progress("merge") as progress:
        done = merge_shards(
            folder, shards or (), study=study, partial=partial, export_worlds=export_worlds, progress=progress
        )
    missing = done.results.wanted_runs - len(done.results.runs)
    if missing > 0:
        echo(f"{missing} runs are missing. Merge further shards, or:  stressfield resume {shlex.quote(str(folder))}")
    conclude(done, no_report=no_report, known_issues=known_issues, details=details)
