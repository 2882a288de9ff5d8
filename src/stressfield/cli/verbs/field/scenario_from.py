"""``stressfield scenario-from``: a moment of a recording as a test."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from stressfield.analysis import summarise
from stressfield.campaign import Results, find_run, find_study, load, study_of
from stressfield.campaign.folder import PLAN
from stressfield.cli.echo import echo
from stressfield.cli.options import WHAT
from stressfield.cli.verbs.field.judge import Mapping, WorldPlace
from stressfield.errors import InputError
from stressfield.field import FieldCase, Moment, write_field_case
from stressfield.field.case import DISTURBANCES, PLAYED, STUDY
from stressfield.run import JudgedRun
from stressfield.run.recorded import knowledge
from stressfield.trace.bags.field_knowledge import FieldKnowledge
from stressfield.trace.bags.field_topics import read_field_topics


def scenario_from(
    source: Annotated[
        Path,
        typer.Argument(metavar="SOURCE", help="A recording; or the folder that 'judge' wrote, with a finding of it."),
    ],
    name: Annotated[
        str | None,
        typer.Argument(metavar="FINDING", help="F1, or the id of a run, of the folder.", show_default=False),
    ] = None,
    study: Annotated[
        str | None,
        typer.Option(
            metavar="STUDY",
            help="Whose robot software and properties the test has. Default: that of the folder.",
            show_default=False,
            rich_help_panel=WHAT,
        ),
    ] = None,
    at: Annotated[
        str | None,
        typer.Option(
            metavar="TIME",
            help="The moment: seconds of the recording, or 12:31:05 in UTC. Default: where the finding failed.",
            show_default=False,
            rich_help_panel=WHAT,
        ),
    ] = None,
    before: Annotated[float, typer.Option(help="Begin so many seconds before.", rich_help_panel=WHAT)] = 20.0,
    after: Annotated[float, typer.Option(help="Keep so many seconds after.", rich_help_panel=WHAT)] = 10.0,
    map_topics: Mapping = None,
    world: WorldPlace = "",
    seed: Annotated[
        int, typer.Option(help="What the descriptor of --world leaves open follows from it.", rich_help_panel=WHAT)
    ] = 0,
    kind: Annotated[
        str,
        typer.Option(
            "--as",
            metavar="KIND",
            help="What the things in a map or in scans are called, for properties that ask for a kind.",
            rich_help_panel=WHAT,
        ),
    ] = "seen",
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the test. Default: field-tests/NAME.", show_default=False),
    ] = None,
) -> None:
    """Make a test that runs in the simulator from a moment of a recording: place, start, mission, disturbances.

    What the recording does not tell is said in the README.md of the folder.
    """
    prop = ""
    if (source / PLAN).exists():
        results = load(source, study=study)
        judged, at, prop = _failed(results, name, at)
        bag, known = _recording(results, judged)
        study = results.plan.study
        if map_topics is not None or world:
            raise InputError("The folder says how its recordings are read. Leave out --map-topics and --world.")
    else:
        bag, known, study = source, *_given(study, at, name, map_topics, world, seed)
    assert at is not None
    folder = Path("field-tests") / f"{bag.stem}-{at.replace(':', '')}" if out is None else out
    moment = Moment(at=at, before_s=before, after_s=after)
    _show(write_field_case(study, bag, folder, moment, known, kind=kind, prop=prop), folder)


def _given(
    study: str | None, at: str | None, name: str | None, map_topics: Path | None, world: str, seed: int
) -> tuple[FieldKnowledge, str]:
    if name is not None:
        raise InputError(f"{name!r} is a finding, and the source is no folder of 'judge'. Wanted --at TIME.")
    if study is None or at is None:
        raise InputError("A recording alone does not say what to test. Wanted --study STUDY and --at TIME.")
    found = find_study(study)
    topics = found.field_topics if map_topics is None else read_field_topics(map_topics, found.field_topics)
    return knowledge(found, topics=topics, world=world, seed=seed), study


def _failed(results: Results, name: str | None, at: str | None) -> tuple[JudgedRun, str, str]:
    """The run, the moment and the property that a name stands for."""
    if results.plan.recorded is None:
        raise InputError(f"{results.folder!r} is a campaign of simulated runs. Wanted a folder that 'judge' wrote.")
    study_of(results)
    if name is None:
        raise InputError("Which finding of the folder? Wanted F1, or the id of a run.")
    prop = ""
    if name.upper().startswith("F") and name[1:].isdecimal():
        finding = summarise(results).finding(name.upper())
        judged, prop = find_run(results, finding.example_run_id), finding.property
    else:
        judged = find_run(results, name)
    fails = [verdict for verdict in judged.failures if not prop or verdict.property == prop]
    when = next((verdict.at_s for verdict in fails if verdict.at_s is not None), None)
    if at is None and when is None:
        raise InputError(f"Run {judged.run.id} says no time at which it failed. Wanted --at TIME.")
    return judged, at or f"{when:.3f}", prop or (fails[0].property if fails else "")


def _recording(results: Results, judged: JudgedRun) -> tuple[Path, FieldKnowledge]:
    recorded = results.plan.recorded
    assert recorded is not None
    return Path(recorded.paths[results.scenario_of(judged.run).index]), recorded.known


def _show(case: FieldCase, folder: Path) -> None:
    place = shlex.quote(str(folder / STUDY))
    echo(f" {case.name}: {case.until_s - case.from_s:.1f} s of {Path(case.bag).name}, in {folder}")
    for note in case.notes:
        echo(f"  - {note}")
    echo(f"\n run it:    stressfield run {place} --worlds 1")
    echo(f" recorded:  stressfield run {place} --worlds 1 --build {PLAYED}")
    if (folder / DISTURBANCES).exists():
        silent = shlex.quote(str(folder / DISTURBANCES))
        echo(f" disturbed: stressfield run {place} --worlds 1 --disturb {silent}")
