"""``stressfield twin``: the simulation beside the robot, while it drives."""

from __future__ import annotations

import json as json_module
import shlex
import sys
import time
from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Annotated

import typer

from stressfield._files.disk import make_folder, read_file, write_file
from stressfield._files.json_text import dump_json
from stressfield.analysis import ExitCode
from stressfield.calibration import calibrated_options
from stressfield.campaign import find_study
from stressfield.campaign.destination import new_folder
from stressfield.campaign.runner import until_ctrl_c
from stressfield.cli.echo import echo
from stressfield.cli.options import (
    KEEPING,
    WHAT,
    AsJson,
    CalibrationPath,
    NoReport,
    ProfileName,
    Sim,
    StudyName,
    StudyOption,
    With,
    Without,
)
from stressfield.cli.verbs.field.judge import Mapping, WorldPlace
from stressfield.errors import InputError, RigError, StoreError
from stressfield.oracle import Profile
from stressfield.report import write_page
from stressfield.report.fidelity.twin_page import twin_data, twin_page, twin_screen
from stressfield.trace.bags.field_topics import read_field_topics
from stressfield.twin import StreamSource, Twin, TwinWatch, accompany, open_source

STREAM, DATA, REPORT = "stream.mcap", "twin.json", "report.html"
LARGEST_BASELINE = 100_000_000
DRIFT = "Drift"
LINE_S = 10.0
"""A line about how it goes so often."""


def twin(
    study: StudyName,
    source: Annotated[
        str,
        typer.Option(
            metavar="WHERE",
            help="A recording to play, ws://HOST:9090 (rosbridge) or tcp/HOST:7447 (ROS 2 over zenoh).",
            rich_help_panel=WHAT,
        ),
    ],
    rate: Annotated[
        float,
        typer.Option(help="How fast a recording is played; 0 as fast as it goes.", rich_help_panel=WHAT),
    ] = 1.0,
    for_s: Annotated[
        float | None,
        typer.Option(help="End after so many seconds. Default: when the source ends, or at Ctrl-C.",
                     show_default=False, rich_help_panel=WHAT),
    ] = None,
    domain: Annotated[int, typer.Option(help="Domain of the ROS 2 graph.", rich_help_panel=WHAT)] = 0,
    map_topics: Mapping = None,
    world: WorldPlace = "",
    seed: Annotated[
        int, typer.Option(help="What the descriptor of --world leaves open follows from it.", rich_help_panel=WHAT)
    ] = 0,
    sim: Sim = "",
    option: StudyOption = None,
    calibration: CalibrationPath = None,
    window_s: Annotated[
        float, typer.Option(help="How long both motions are compared before a new start.", rich_help_panel=DRIFT)
    ] = 1.0,
    learn_s: Annotated[
        float, typer.Option(help="How long the robot is taken to be well at first.", rich_help_panel=DRIFT)
    ] = 60.0,
    baseline: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="twin.json of earlier days, instead of learning.", show_default=False,
                     rich_help_panel=DRIFT),
    ] = None,
    false_alarm_every_s: Annotated[
        float, typer.Option(help="Driving time between false alarms, on average, at least.", rich_help_panel=DRIFT)
    ] = 3600.0,
    look_s: Annotated[
        float, typer.Option(help="How often properties are judged; 0 at the end alone.", rich_help_panel=KEEPING)
    ] = 1.0,
    profile: ProfileName = Profile.STRICT.value,
    with_: With = None,
    without: Without = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for the stream and the page. Default: runs/STUDY-twin.", show_default=False,
                     rich_help_panel=KEEPING),
    ] = None,
    no_report: NoReport = False,
    json: AsJson = False,
) -> None:  # fmt: skip
    """Run the simulation beside a robot: how far they are apart, whether it drifts, which properties hold so far.

    All of it is published back as topics below /stressfield/twin, and kept with the stream as one MCAP file.
    """
    found = find_study(study)
    topics = found.field_topics if map_topics is None else read_field_topics(map_topics, found.field_topics)
    if rate < 0.0:
        raise InputError(f"A recording cannot be played at a rate of {rate:g}. Wanted 0 (as fast as it goes) or more.")
    watch = TwinWatch(
        window_s=window_s, learn_s=learn_s, baseline=_baseline(baseline or ()), look_s=look_s, profile=profile,
        false_alarm_every_s=false_alarm_every_s, include=tuple(with_ or ()), exclude=tuple(without or ()),
    )  # fmt: skip
    options = calibrated_options(calibration, found, found.read_options(option or ()))
    folder = new_folder(out, default=Path("runs") / f"{found.name}-twin")
    beside = Twin(
        found, source=source, topics=topics, world=world, seed=seed, options=options, simulator=sim, watch=watch,
        recording=folder / STREAM,
    )  # fmt: skip
    where = open_source(source, rate=rate or inf, domain=domain)
    lost = _listen(beside, where, for_s=inf if for_s is None else for_s)
    result = beside.finish()
    make_folder(folder)
    data = dump_json(twin_data(result))
    write_file(folder / DATA, data.encode() + b"\n")
    page = None
    if not no_report:
        again = shlex.join(["stressfield", *sys.argv[1:]])
        page = write_page(twin_page(result, command=again, folder=str(folder)), folder / REPORT)
    if json:
        echo(data)
    else:
        echo(twin_screen(result))
        echo(f"\n stream:  {folder / STREAM}")
        if page is not None:
            echo(f" report:  {page}")
    if lost is not None:
        raise lost
    if result.failed:
        raise typer.Exit(ExitCode.FINDINGS)
    raise typer.Exit(ExitCode.INFRASTRUCTURE if result.nothing_judged else ExitCode.CLEAN)


def _listen(beside: Twin, where: StreamSource, *, for_s: float) -> RigError | None:
    """Until it is over. The trouble, if the peer was lost on the way: what came until then is worth a page.

    Whatever else ends it, the recording is complete.
    """
    try:
        with until_ctrl_c() as stop:
            accompany(beside, where, for_s=for_s, stop=stop.is_set, watch=_Lines())
            if stop.is_set():
                echo(" Stopped: what came so far is judged.", err=True)
    except StoreError:
        beside.stream.recording.give_up()
        raise
    except RigError as error:
        if beside.stream.first_ns is None:
            raise
        return error
    except BaseException:
        beside.end_recording()
        raise
    return None


def _baseline(paths: Sequence[Path]) -> dict[str, list[float]]:
    """The residuals of earlier twins, by signal. InputError for a file that is none."""
    found: dict[str, list[float]] = {}
    for path in paths:
        try:
            content = json_module.loads(read_file(path, what="the baseline", bytes_max=LARGEST_BASELINE))
            for window in content["residuals"]:
                for name, value in window.items():
                    if name != "time_s":
                        found.setdefault(name, []).append(float(value))
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise InputError(
                f"{str(path)!r} is no baseline: {error!r}. Wanted a twin.json of 'stressfield twin'."
            ) from None
    if paths and not found:
        raise InputError(f"No baseline has a window in motion: {', '.join(map(str, paths))}. Let the robot drive.")
    return found


class _Lines:
    """Says every few seconds how it goes."""

    def __init__(self) -> None:
        self._told_s = time.monotonic()

    def __call__(self, now: Twin) -> None:
        if time.monotonic() - self._told_s < LINE_S or now.stream.first_ns is None:
            return
        self._told_s = time.monotonic()
        words = ", ".join(f"{name} {live.settled.value}" for name, live in list(now.judge.live.items())[:8])
        echo(f"twin   {now.stream.seconds:.0f} s   {words or now.judge.trouble or 'listening'}", err=True)
