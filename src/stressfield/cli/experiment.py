"""``stressfield experiment``: run the series of an experiment and say what they show."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import make_folder
from stressfield._files.json_text import dump_json
from stressfield.analysis.searches import compare_searches
from stressfield.campaign import (
    SearchesExperimented,
    find_study,
    run_experiment,
    run_search_experiment,
    study_reference,
)
from stressfield.cli.compare import show_searches
from stressfield.cli.echo import echo
from stressfield.cli.options import AsJson, Jobs, NoReport, RunTimeout, Sim, StudyName
from stressfield.cli.progress import campaign_progress, step_progress
from stressfield.cli.table import columns
from stressfield.errors import InputError
from stressfield.experiment import CustomExperiment, ExperimentContext, SearchExperiment
from stressfield.report import ExperimentFacts, Located, experiment_facts, locate, write_experiment_report
from stressfield.report.level_figure import level_text
from stressfield.report.search_experiment_page import write_search_experiment

INTERRUPTED = 130


def experiment(
    study: StudyName,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of one of the study's experiments.")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the results. Default: runs/STUDY-experiments.", show_default=False)
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Few configurations, maps and runs.")] = False,
    seed: Annotated[int, typer.Option(help="Everything random follows from it.")] = 0,
    jobs: Jobs = None,
    keep: Annotated[
        str | None,
        typer.Option(
            help="Which traces to keep: all, failing, none or front. Default: none; of searches, the front.",
            show_default=False,
        ),
    ] = None,
    sim: Sim = "",
    evaluations: Annotated[
        int | None, typer.Option(help="Tests of each campaign of a search.", show_default=False)
    ] = None,
    seeds: Annotated[int | None, typer.Option(help="How many seeds of a search.", show_default=False)] = None,
    run_timeout_s: RunTimeout = 120.0,
    no_report: NoReport = False,
    json: AsJson = False,
) -> None:
    """Run an experiment of a study: series of worlds, or strategies of search. Stopped and called again, it goes on."""
    found = find_study(study)
    wanted = found.find_experiment(name)
    folder = out or Path("runs") / f"{found.name}-experiments{'-quick' if quick else ''}"
    if isinstance(wanted, SearchExperiment):
        place = folder if out is not None else folder / name
        with campaign_progress(f"{found.name} {name}") as progress:
            searches = run_search_experiment(
                study, name, place, seed=seed, quick=quick, keep=keep or "front", sim=sim, jobs=jobs,
                evaluations=evaluations, seeds=seeds, run_timeout_s=run_timeout_s, progress=progress,
            )  # fmt: skip
        _conclude_searches(searches, place, no_report=no_report, json=json)
        return
    if evaluations is not None or seeds is not None:
        raise InputError(f"--evaluations and --seeds go with searches, and the experiment {name!r} is none.")
    if sim:
        raise InputError(f"--sim does not go with the experiment {name!r}: it says itself where it runs.")
    if isinstance(wanted, CustomExperiment):
        _run_custom(
            wanted, study, folder if out is not None else folder / name, title=f"{found.name} {name}", seed=seed,
            quick=quick, jobs=jobs, run_timeout_s=run_timeout_s,
        )  # fmt: skip
        return
    with campaign_progress(f"{found.name} {name}") as progress:
        done = run_experiment(
            study,
            name,
            folder,
            seed=seed,
            quick=quick,
            keep=keep or "none",
            jobs=jobs,
            run_timeout_s=run_timeout_s,
            progress=progress,
        )
    if done.interrupted:
        echo(" Stopped. What is done is kept: the same command goes on.", err=True)
        raise typer.Exit(INTERRUPTED)
    facts = experiment_facts(done)
    located: tuple[Located, ...] = ()
    pages: tuple[Path, ...] = ()
    if not no_report:
        with step_progress("repeats compared") as step:
            located = locate(facts, progress=step)
        pages = write_experiment_report(facts, folder, located=located)
    if json:
        _show_json(facts, located)
        return
    _show(facts, located)
    for page in pages:
        echo(f" {page}")


def _conclude_searches(done: SearchesExperimented, folder: Path, *, no_report: bool, json: bool) -> None:
    if done.interrupted:
        echo(" Stopped. What is done is kept: the same command goes on.", err=True)
        raise typer.Exit(INTERRUPTED)
    if done.outdated:
        echo(
            f" Finished before the study or stressfield changed: {', '.join(done.outdated)}. To have them anew, choose "
            "another folder.",
            err=True,
        )
    compared = compare_searches(
        {
            strategy: [one.results for one in done.campaigns if one.strategy == strategy]
            for strategy in done.experiment.strategies
        }
    )
    pages = () if no_report else write_search_experiment(done, compared, folder)
    if json:
        echo(dump_json(asdict(compared)))
        return
    show_searches(compared)
    if done.experiment.published:
        echo(f" Published: {done.experiment.published}")
    if done.executed:
        speed = done.simulated_s / max(1e-9, done.wall_s)
        echo(f" {done.executed} runs in {done.wall_s:.0f} s, {speed:.0f} simulated seconds a second")
    for page in pages:
        echo(f" {page}")


def _run_custom(
    wanted: CustomExperiment,
    study: str,
    folder: Path,
    *,
    title: str,
    seed: int,
    quick: bool,
    jobs: int | None,
    run_timeout_s: float,
) -> None:
    make_folder(folder)
    with campaign_progress(title) as progress:
        pages = wanted.run(
            ExperimentContext(
                study=study_reference(study),
                folder=folder,
                seed=seed,
                quick=quick,
                jobs=jobs,
                run_timeout_s=run_timeout_s,
                say=echo,
                progress=progress,
            )
        )
    for page in pages:
        echo(f" {page}")


def _show(facts: ExperimentFacts, located: tuple[Located, ...]) -> None:
    rows = [["series", "levels", "easy until", "very difficult from", "runs", "success", "collisions"]]
    for one in facts.series:
        runs = [run for configuration in one.configurations for run in configuration.runs]
        share = f"{100 * sum(run.success for run in runs) / len(runs):.0f} %" if runs else "-"
        until, very = (_value(value, one.series.unit) for value in (one.easy_until, one.very_difficult_from))
        hits = f"{sum(run.collided for run in runs)}"
        rows.append([one.series.name, level_text(one), until, very, f"{len(runs)}", share, hits])
    echo(columns(rows, right=(2, 3, 4, 5, 6)))
    echo("  ● easy   ▲ challenging   ■ very difficult, from the least to the greatest control")
    for trend in facts.trends:
        word = {True: "seen", False: "NOT SEEN", None: "not tested"}[trend.seen]
        p = "" if trend.p_value is None else f" (p = {trend.p_value:.2g})"
        echo(f" {word}: {trend.title}.{p} {trend.sentence}")
    for place in located:
        echo(f" {place.title}: {place.sentence}")
    for one in facts.series:
        if one.crashed:
            echo(f" {one.series.title}: the robot software crashed in {one.crashed} runs: Fail-Error.")
        if one.unjudged:
            echo(
                f" {one.series.title}: {one.unjudged} runs have no result and are left out, {one.invalid} of them "
                "invalid."
            )
        if one.configurations and not one.reference:
            echo(f" {one.series.title}: the flat empty world has no result; more successes are called easy.")
    done = facts.done
    if done.executed:
        speed = done.simulated_s / max(1e-9, done.wall_s)
        echo(f" {done.executed} runs in {done.wall_s:.0f} s, {speed:.0f} simulated seconds a second")


def _value(value: float | None, unit: str) -> str:
    return "-" if value is None else f"{value:g} {unit}".strip()


def _show_json(facts: ExperimentFacts, located: tuple[Located, ...]) -> None:
    series = [
        {
            "name": one.series.name,
            "build": one.series.build,
            "easy_until": one.easy_until,
            "very_difficult_from": one.very_difficult_from,
            "crashed": one.crashed,
            "unjudged": one.unjudged,
            "invalid": one.invalid,
            "reference": one.reference,
            "configurations": [
                {
                    "value": c.value,
                    "level": c.level.value,
                    "confidence": c.difficulty.confidence,
                    "runs": len(c.runs),
                    "success": c.difficulty.success.share,
                    "median_duration_s": c.difficulty.median_duration_s,
                    "median_tortuousness_rad": c.difficulty.median_tortuousness_rad,
                    "outcomes": {kind.value: count for kind, count in c.outcomes.items()},
                    "spread": asdict(c.spread),
                }
                for c in one.configurations
            ],
        }
        for one in facts.series
    ]
    divergence = [{"series": one.series, "value": one.value, "sentence": one.sentence} for one in located]
    trends = [asdict(trend) for trend in facts.trends]
    echo(dump_json({"series": series, "trends": trends, "divergence": divergence}))
