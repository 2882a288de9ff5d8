"""``stressfield experiment``: run an experiment of a study and say what it shows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.json_text import dump_json
from stressfield.campaign import ExperimentContext, find_study
from stressfield.cli.echo import echo
from stressfield.cli.options import AsJson, Jobs, NoReport, RunTimeout, Sim, StudyName
from stressfield.cli.progress import Screen
from stressfield.errors import InputError
from stressfield.study import Experiment

INTERRUPTED = 130


def experiment(
    study: StudyName,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of one of the study's experiments.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the results. Default: runs/STUDY-experiments.", show_default=False)
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Do little, to see that it works.")] = False,
    seed: Annotated[int, typer.Option(help="Everything random follows from it.")] = 0,
    jobs: Jobs = None,
    keep: Annotated[
        str | None,
        typer.Option(
            help="Traces to keep: all, failing, failing:10 (ten a finding), none, front. Default: as it needs them.",
            show_default=False,
        ),
    ] = None,
    sim: Sim = "",
    evaluations: Annotated[
        int | None, typer.Option(help="Tests of each campaign of a search.", show_default=False)
    ] = None,
    seeds: Annotated[int | None, typer.Option(help="How many seeds of a search.", show_default=False)] = None,
    only: Annotated[
        list[str] | None, typer.Option(metavar="PART", help="Only this part, such as an issue; may be repeated.")
    ] = None,
    overwrite: Annotated[
        bool,
        typer.Option("--overwrite", help="Do campaigns again that the study, as it is now, would not make the same."),
    ] = False,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="strict or published. Default: as the experiment is meant.", show_default=False
        ),
    ] = None,
    run_timeout_s: RunTimeout = 120.0,
    no_report: NoReport = False,
    json: AsJson = False,
) -> None:
    """Run an experiment of a study: several campaigns and a page. Stopped and called again, it goes on."""
    found = find_study(study)
    wanted = found.find_experiment(name)
    _check_options(
        wanted, {"keep": keep, "sim": sim or None, "evaluations": evaluations, "seeds": seeds, "only": only or None}
    )
    folder = out
    if folder is None:
        folder = Path("runs") / f"{found.name}-experiments{'-quick' if quick else ''}"
        folder = folder if wanted.shared_folder else folder / name
    try:
        with ExperimentContext(
            study, folder, name=name, seed=seed, quick=quick, report=not no_report, keep=keep, sim=sim,
            evaluations=evaluations, seeds=seeds, only=only or (), profile=profile or wanted.profile, jobs=jobs,
            run_timeout_s=run_timeout_s, overwrite=overwrite, display=Screen(quiet=json),
        ) as context:  # fmt: skip
            wanted.run(context)
    except KeyboardInterrupt:
        echo(" Stopped. What is done is kept: the same command goes on.", err=True)
        raise typer.Exit(INTERRUPTED) from None
    if json:
        echo(dump_json(context.data))
        return
    for path in context.written:
        echo(f" {path}")


def _check_options(wanted: Experiment, given: dict[str, object]) -> None:
    for option, value in given.items():
        if value is not None and option not in wanted.takes:
            taken = ", ".join(f"--{name}" for name in sorted(wanted.takes)) or "none of these options"
            raise InputError(f"--{option} does not go with the experiment {wanted.name!r}. It takes {taken}.")
