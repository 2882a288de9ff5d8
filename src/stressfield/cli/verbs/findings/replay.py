"""``stressfield replay``: see a run again."""

from __future__ import annotations

import re
import shlex
from math import inf
from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import make_folder, write_file
from stressfield._files.plain_text import columns
from stressfield.analysis import ExitCode, summarise
from stressfield.analysis.monitors import MONITOR, from_metrics
from stressfield.campaign import Replayed, Results, export_scenario, find_run, load, replay_all, searched, study_of
from stressfield.campaign import replay as run_again
from stressfield.campaign.folder import SCENARIOS
from stressfield.campaign.replay import REPLAYS
from stressfield.campaign.scenario_files import scenario_of
from stressfield.cli.echo import echo
from stressfield.cli.options import AgainTimeout, Folder, StudyPlace
from stressfield.cli.progress import step_progress
from stressfield.errors import InputError, did_you_mean
from stressfield.fuzz import Metric
from stressfield.oracle import Evidence, Outcome
from stressfield.report import replay_html, run_series
from stressfield.report.run.page import met_words, touched_table
from stressfield.report.terminal import monitors_text
from stressfield.report.text import cell_words
from stressfield.report.words import brief, counted, plain
from stressfield.run import JudgedRun, Status
from stressfield.study import Study
from stressfield.trace import read_trace

EXPORTS = ("mcap", "sdf")
FRONT, ALL = "front", "all"
MANY = (FRONT, ALL)
MOST_SHOWN = 10
"""Runs that differ of many."""


def replay(
    folder: Folder,
    run: Annotated[
        str,
        typer.Argument(
            metavar="RUN",
            help="A run (or the beginning of its id); a finding: F1; 'front': every test on the front of a search; "
            "'all': every run.",
        ),
    ],
    export: Annotated[
        str | None,
        typer.Option(metavar="mcap|sdf", help="Write the recording, or the world as SDF.", show_default=False),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where to write it. Default: in DIR.", show_default=False)] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open the animated replay in a browser.")] = False,
    study: StudyPlace = None,
    jobs: Annotated[
        int | None,
        typer.Option(help="Worker processes for 'front' and 'all'. Default: one per core.", show_default=False),
    ] = None,
    pace: Annotated[
        float | None,
        typer.Option(
            metavar="RATE",
            help="Let time go with the wall clock, RATE simulated seconds a second, instead of waiting for the robot: "
            "tells what a gate has caused. Exits 1 if the run fails, and compares no bits.",
            show_default=False,
        ),
    ] = None,
    run_timeout_s: AgainTimeout = None,
) -> None:
    """Do a run again, compare it with what was stored, bit for bit, and show its verdicts. Exits 3 if it differs.

    The run is done with the study as it is now. If that was edited since, a difference is no trouble: it is said what
    changed, and the exit code is 1 if the run fails now, else 0.
    """
    if export is not None and export not in EXPORTS:
        raise InputError(f"Cannot export {export!r}. Wanted mcap or sdf." + did_you_mean(export, EXPORTS))
    if pace is not None and not 0.0 < pace < inf:
        raise InputError(f"--pace {pace:g} cannot be. Wanted simulated seconds a second, such as 1.")
    results = load(folder, study=study)
    if run in MANY:
        if export is not None or out is not None or open_ or pace is not None:
            raise InputError(f"{run!r} is many runs: --export, --out, --open and --pace are for one of them.")
        raise typer.Exit(_replay_many(results, run, jobs=jobs, run_timeout_s=run_timeout_s))
    judged = _find(results, run)
    recording = out if out is not None and export == "mcap" else folder / REPLAYS / f"{judged.run.id}.mcap"
    replayed = run_again(
        results,
        judged,
        recording=recording,
        below=folder if recording != out else None,
        run_timeout_s=run_timeout_s,
        pace=pace,
    )
    _show(results, replayed, pace)
    _show_touched(results, replayed)
    if (evidence := _evidence(results, replayed)) is not None:
        if met := met_words(evidence):
            echo("\n   ".join([" met:", *met]))
        page = _write_page(results, replayed, evidence)
        echo(f" see it:  {page}")
        if open_:
            typer.launch(page.resolve().as_uri())
    if export == "sdf":
        _export_world(results, judged, out)
    if replayed.recording is not None:
        if export == "mcap":
            echo(f" recording:  {replayed.recording}")
        else:
            replayed.recording.unlink(missing_ok=True)
    raise typer.Exit(_exit_code(replayed, paced=pace is not None))


def _replay_many(results: Results, which: str, *, jobs: int | None, run_timeout_s: float | None) -> ExitCode:
    """Do them again and say which differ; the exit code."""
    runs = _front(results) if which == FRONT else results.runs
    if not runs:
        raise InputError(f"The campaign {results.folder!r} has no runs yet.")
    differing, identical, compared, changed, worst = [], 0, 0, "", ExitCode.CLEAN
    with step_progress("replay") as progress:
        for done, replayed in enumerate(replay_all(results, runs, jobs=jobs, run_timeout_s=run_timeout_s), start=1):
            compared += replayed.bytes_compared is not None
            changed, worst = replayed.study_changed, max(worst, _exit_code(replayed))
            if replayed.identical:
                identical += 1
            else:
                differing.append(replayed)
            progress(done, len(runs))
    for replayed in differing[:MOST_SHOWN]:
        echo(f" run {replayed.again.run.id} differs: {'; '.join(replayed.differences)}")
    if len(differing) > MOST_SHOWN:
        echo(f" and {len(differing) - MOST_SHOWN} more")
    what = f"{len(runs)} run{'s' * (len(runs) != 1)}" + (" on the front" if which == FRONT else "")
    how = f"digests, verdicts and metrics compared, and the bytes of {compared} recordings"
    echo(f" {what} done again, {identical} identical, bit for bit ({how}).")
    if changed:
        echo(f" The study has changed since the campaign was run: {changed}.")
    return worst


def _exit_code(replayed: Replayed, *, paced: bool = False) -> ExitCode:
    """What came of it. After an edit, or at another pace, the question is not whether the rig repeats itself, but
    whether the run fails.
    """
    if paced and replayed.again.run.status is Status.INVALID:
        return ExitCode.INFRASTRUCTURE
    if not (replayed.study_changed or paced) or replayed.again.run.status is Status.INVALID:
        return ExitCode.CLEAN if replayed.identical else ExitCode.INFRASTRUCTURE
    failed = replayed.again.run.outcome is Outcome.FAIL or replayed.again.run.status is Status.SUBJECT_CRASH
    return ExitCode.FINDINGS if failed else ExitCode.CLEAN


def _front(results: Results) -> list[JudgedRun]:
    found = searched(results)
    if found is None:
        raise InputError(
            f"The campaign {results.folder!r} is not a search, so it has no front. Wanted a run, a finding "
            "(F1), or 'all'."
        )
    tests = {scored.test.scenario_id for scored in found.front}
    return [judged for judged in results.runs if judged.run.scenario_id in tests]


def _find(results: Results, name: str) -> JudgedRun:
    if not re.fullmatch(r"F\d+", name):
        return find_run(results, name)
    summary = summarise(results)
    return find_run(results, summary.finding(name).example_run_id)


def _show(results: Results, replayed: Replayed, pace: float | None) -> None:
    run = replayed.again.run
    scenario = next(s for s in results.scenarios if s.id == run.scenario_id)
    place = f"{results.plan.noun} {scenario.index}, repeat {run.repeat}"
    echo(f"run {run.id}   {place}   build {run.build}   seed {run.seed}")
    echo(f" {scenario.descriptor}")
    for operation in scenario.disturbances:
        echo(f" disturbed: {plain(brief(operation))}")
    outcome = "" if run.outcome is None else f", {run.outcome}"
    echo(f" {run.status}{outcome} after {run.simulated_s:.1f} simulated seconds in {run.wall_s:.2f} s")
    if run.ended_by:
        echo(f" ended by {run.ended_by}")
    for note in run.notes.splitlines():
        echo(f" {note}")
    if run.told:
        echo(f" {run.told}")
    if run.crash is not None and run.crash.traceback:
        echo("\n".join(f"   {line}" for line in run.crash.traceback.splitlines()))
    rows = [
        [
            verdict.property,
            verdict.outcome.value,
            verdict.subcase or "",
            "" if verdict.margin is None else f"{verdict.margin + 0.0:.3f} {verdict.unit}".rstrip(),
            "" if verdict.at_s is None else f"at {verdict.at_s:.1f} s",
            "" if verdict.encounters is None else counted(verdict.encounters, "encounter"),
            "" if verdict in replayed.again.verdicts else "(off)",
        ]
        for verdict in replayed.again.verdicts + replayed.again.others
    ]
    if rows:
        echo(columns(rows))
    metrics = {name: value for name, value in replayed.again.metrics.items() if not name.startswith(MONITOR)}
    if metrics:
        echo(" " + "   ".join(f"{name} {value:.6g}" for name, value in sorted(metrics.items())))
    for name, reason in sorted(replayed.again.unmeasured.items()):
        echo(f" metric {name} is missing: {reason}")
    if monitors := monitors_text(from_metrics(replayed.again.metrics)):
        echo(f"\n{monitors}")
    _show_comparison(replayed, pace)


def _show_comparison(replayed: Replayed, pace: float | None) -> None:
    """What differs from what was stored; at another pace only whether it fails can be compared."""
    if replayed.study_changed:
        echo(f" the study has changed since the campaign was run: {replayed.study_changed}")
    if pace is not None:
        echo("\n".join(f" {line}" for line in _at_pace(replayed, pace)))
    elif replayed.identical:
        size = "" if replayed.bytes_compared is None else f" ({replayed.bytes_compared} bytes of recording compared)"
        echo(f" identical, bit for bit{size}")
    else:
        echo(" differs from what was stored:")
        echo("\n".join(f"   {difference}" for difference in replayed.differences))


def _at_pace(replayed: Replayed, pace: float) -> list[str]:
    """Of each property that failed then or fails now: whether it does at this pace."""
    if replayed.again.run.status is Status.INVALID:
        return [f"at a pace of {pace:g}: the run says nothing"]
    then, now = ({verdict.property for verdict in judged.failures} for judged in (replayed.stored, replayed.again))
    words = {
        (True, True): "fails at this pace, too",
        (True, False): "does not fail at this pace: the gate caused it, or chance",
        (False, True): "fails at this pace only",
    }
    lines = [f"at a pace of {pace:g}: {name} {words[name in then, name in now]}" for name in sorted(then | now)]
    return lines or [f"at a pace of {pace:g}: nothing fails, and nothing failed before"]


def _show_touched(results: Results, replayed: Replayed) -> None:
    """What the operations did to messages, counted in the recording."""
    scenario = next(s for s in results.scenarios if s.id == replayed.again.run.scenario_id)
    if replayed.recording is None or not scenario.disturbances:
        return
    table = touched_table(read_trace(replayed.recording), scenario.disturbances)
    if table is not None:
        heads = [column.title for column in table.columns]
        rows = [heads, *([plain(cell_words(cell)) for cell in row] for row in table.rows)]
        echo(f" {table.title.lower()}:\n{columns(rows, right=range(2, len(table.headers)))}")
        if table.note:
            echo(f" {table.note}")


def _evidence(results: Results, replayed: Replayed) -> Evidence | None:
    """What there is to see; None if the run left no recording."""
    if replayed.recording is None:
        return None
    record = next(s for s in results.scenarios if s.id == replayed.again.run.scenario_id)
    scenario = scenario_of(results.plan, record)
    return Evidence(read_trace(replayed.recording), scenario)


def _write_page(results: Results, replayed: Replayed, evidence: Evidence) -> Path:
    """The animated replay."""
    run = replayed.again.run
    study = study_of(results)
    command = f"stressfield replay {shlex.quote(results.folder)} {run.id}"
    html = replay_html(
        evidence.scenario,
        evidence.trace,
        replayed.again.verdicts,
        oracle=study.oracle,
        command=command,
        metrics=_metrics(results, study),
        series=run_series(study, evidence),
    )
    campaign = Path(results.folder)
    path = campaign / REPLAYS / f"{run.id}.html"
    make_folder(path.parent, below=campaign)
    write_file(path, html.encode(), below=campaign)
    return path


def _metrics(results: Results, study: Study) -> tuple[Metric, ...]:
    """What the campaign measured on topics; of an undisturbed run what the study's own testing space would."""
    if results.space is not None:
        return results.space.metrics
    return study.testing_space().metrics if study.space is not None else ()


def _export_world(results: Results, judged: JudgedRun, out: Path | None) -> None:
    scenario = next(s for s in results.scenarios if s.id == judged.run.scenario_id)
    campaign = Path(results.folder)
    below = campaign if out is None else None
    for path in export_scenario(results.plan, scenario, out or campaign / SCENARIOS / scenario.id, below=below):
        echo(f" world:  {path}")
