"""``stressfield twin``: the simulation beside the robot, while it drives."""

from __future__ import annotations

import json as json_module
import shlex
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
    PORT,
    WHAT,
    AsJson,
    CalibrationPath,
    NoReport,
    Port,
    ProfileName,
    Sim,
    StudyName,
    StudyOption,
    With,
    Without,
)
from stressfield.cli.verbs.field.judge import Mapping, WorldPlace
from stressfield.errors import InputError, RigError, StoreError, StressfieldError
from stressfield.oracle import Profile
from stressfield.report import write_page
from stressfield.report.fidelity.twin_live import twin_record, twin_state, twin_world
from stressfield.report.fidelity.twin_page import twin_data, twin_headline, twin_page, twin_screen
from stressfield.trace.bags.field_topics import read_field_topics
from stressfield.twin import Playback, StreamSource, Twin, TwinResult, TwinWatch, accompany, open_source

if TYPE_CHECKING:
    from stressfield.serve.live_runs import LiveRun

STREAM, DATA, REPORT = "stream.mcap", "twin.json", "report.html"
LARGEST_BASELINE = 100_000_000
DRIFT = "Drift"
LOOKING = "Looking at it"
SHOW_S = 0.2
"""The page is told so often how it stands."""
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
    serve: Annotated[
        bool, typer.Option("--serve", help="Show it live in the browser, too.", rich_help_panel=LOOKING)
    ] = False,
    port: Port = PORT,
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
    with until_ctrl_c() as stop, _page(beside, folder, port=port if serve else None, stop=stop.set) as page:
        try:
            lost = _listen(beside, where, for_s=inf if for_s is None else for_s, stop=stop.is_set, page=page)
            result = beside.finish()
        except InputError:
            if isinstance(where, Playback):  # what was played is on the disk already; what a robot said is not
                beside.stream.recording.discard()
            raise
        _write(result, folder, report=not no_report, json=json)
        page.end(result, folder)
    if lost is not None:
        raise lost
    if result.failed:
        raise typer.Exit(ExitCode.FINDINGS)
    raise typer.Exit(ExitCode.INFRASTRUCTURE if result.nothing_judged else ExitCode.CLEAN)


def _write(result: TwinResult, folder: Path, *, report: bool, json: bool) -> None:
    """Keep what came of it beside the stream, and say it."""
    make_folder(folder)
    data = dump_json(twin_data(result))
    write_file(folder / DATA, data.encode() + b"\n")
    page = None
    if report:
        again = shlex.join(["stressfield", *sys.argv[1:]])
        page = write_page(twin_page(result, command=again, folder=str(folder)), folder / REPORT)
    if json:
        echo(data)
        return
    echo(twin_screen(result))
    echo(f"\n stream:  {folder / STREAM}")
    if page is not None:
        echo(f" report:  {page}")


def _listen(
    beside: Twin, where: StreamSource, *, for_s: float, stop: Callable[[], bool], page: _Page
) -> RigError | None:
    """Until it is over. The trouble, if the peer was lost on the way: what came until then is worth a report.

    Whatever else ends it, the recording is completed.
    """
    try:
        accompany(beside, where, for_s=for_s, stop=stop, watch=page)
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
    if stop():
        echo(" Stopped: what came so far is judged.", err=True)
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


@contextmanager
def _page(beside: Twin, folder: Path, *, port: int | None, stop: Callable[[], None]) -> Iterator[_Page]:
    """Who is told how it goes: the terminal, and a page if there is a port for it."""
    if port is None:
        yield _Page(None)
        return
    app = import_module("stressfield.cli.verbs.findings.serve")  # says what to install if that is missing
    there = folder.is_dir()
    make_folder(folder)
    try:
        with app.serving_twin(folder, port=port, study=beside.study.name, recording=STREAM, stop=stop) as (run, link):
            run.tell("world", twin_world(beside))
            echo(f"The twin of {beside.study.name}:  {link}\nCtrl-C ends it.", err=True)
            try:
                yield _Page(run)
            except StressfieldError as error:
                run.said = str(error)
                raise
    finally:
        if not there:
            with suppress(OSError):  # it is not empty: something came
                folder.rmdir()


class _Page:
    """Says every few seconds how it goes; and the page, if there is one, some times a second."""

    def __init__(self, run: LiveRun | None) -> None:
        self._run = run
        self._told_s = time.monotonic()
        self._shown_s = 0.0

    def __call__(self, now: Twin) -> None:
        if now.stream.first_ns is None:
            return
        if self._run is not None and time.monotonic() - self._shown_s >= SHOW_S:
            self._run.tell("state", twin_state(now))
            self._shown_s = time.monotonic()
        if time.monotonic() - self._told_s >= LINE_S:
            self._told_s = time.monotonic()
            words = ", ".join(f"{name} {live.settled.value}" for name, live in list(now.judge.live.items())[:8])
            echo(f"twin   {now.stream.seconds:.0f} s   {words or now.judge.trouble or 'listening'}", err=True)

    def end(self, result: TwinResult, folder: Path) -> None:
        """It is over: the page is told what came of it."""
        if self._run is not None:
            self._run.tell("ended", twin_record(result, folder, headline=twin_headline(result)))
