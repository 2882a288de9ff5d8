"""``stressfield live``: one run, watched and meddled with."""

from __future__ import annotations

import json
import os
import shlex
import sys
import threading
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from stressfield.campaign import Plan, find_study
from stressfield.campaign.destination import new_folder
from stressfield.campaign.plan import prepare
from stressfield.cli.echo import echo
from stressfield.cli.options import KEEPING, WHAT, BuildName, Seed, Sim, StudyName, StudyOption
from stressfield.errors import InputError
from stressfield.report.run.view import world_data
from stressfield.run.live import Command, LiveControl, LiveState, Stop, command_of
from stressfield.run.live_record import DISTURBANCES, RECORDING, write_live
from stressfield.run.performance import built_scenario, perform_live
from stressfield.world import ReachMission

LINE_MAX = 65_536
HELP = """pause, resume, stop
step [SECONDS]                   one tick, or so long
rate N                           simulated seconds a second; 0: as fast as it goes
watch TOPIC ...                  show the messages of these topics
inject SECONDS OPERATION         such as: inject 5 {"do": "loss", "name": "x", "topics": ["/scan"], "probability": 1}
change NODE PARAMETER VALUE      set a public attribute of a node in this process"""


def live(
    study: StudyName,
    template: Annotated[
        str | None,
        typer.Option(
            metavar="DESCRIPTOR",
            help="The world: what it leaves open is drawn. Default: the study's.",
            show_default=False,
            rich_help_panel=WHAT,
        ),
    ] = None,
    seed: Seed = 0,
    build: BuildName = None,
    sim: Sim = "",
    option: StudyOption = None,
    rate: Annotated[
        float, typer.Option(help="Simulated seconds a second; 0: as fast as it goes.", rich_help_panel=WHAT)
    ] = 1.0,
    paused: Annotated[
        bool, typer.Option("--paused", help="Hold at time 0 until told to go on.", rich_help_panel=WHAT)
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder for its recording. Default: runs/live-STUDY, numbered.",
            show_default=False,
            rich_help_panel=KEEPING,
        ),
    ] = None,
    lines: Annotated[
        bool, typer.Option("--json", help="Speak JSON, a line each, for programs.", rich_help_panel=KEEPING)
    ] = False,
) -> None:
    """Run one world while you watch: pause it, step it, look at messages, inject disturbances, change parameters.

    Commands are read from standard input; 'help' lists them. The run is recorded, judged, and never part of a campaign.
    """
    if not 0.0 <= rate <= 1_000.0:
        raise InputError(f"Got --rate {rate:g}. Wanted 0 (as fast as it goes) to 1000.")
    found = find_study(study)
    plan = Plan(
        study=study, build=build or found.builds[0].name, seed=seed, worlds=1, repeats=1,
        template=found.template if template is None else template, options=found.read_options(option or ()),
        simulator=sim, keep="none",
    )  # fmt: skip
    task = prepare(plan).first_task()
    folder = new_folder(out, default=Path("runs") / f"live-{found.name}")
    speaker = _Json() if lines else _Words()
    scenario = built_scenario(task.study, task.scenario, task.options, task.limit_s)
    goal = scenario.mission.goal_m if isinstance(scenario.mission, ReachMission) else None
    speaker.begin(
        {
            "world": world_data(scenario.world), "descriptor": task.scenario.descriptor,
            "goal": None if goal is None else [round(1000 * value) for value in goal],
            "limit_s": scenario.mission.limit_s, "build": task.build, "seed": str(task.seed),
            "robots": [placed.robot.name for placed in scenario.world.robots],
            "actors": [placed.name for placed in scenario.world.actors],
        }
    )  # fmt: skip
    control = LiveControl(speaker.state, speaker.trouble, rate=rate, paused=paused)
    threading.Thread(target=_listen, args=(control, speaker), daemon=True).start()
    performed = perform_live(task, control)
    record = write_live(folder, task, performed, control)
    speaker.end(record, folder)


class _Json:
    """For programs: a line each, on the standard output that this process had: robot software may print what it likes.

    It finds standard error in its place, and nothing to read.
    """

    def __init__(self) -> None:
        sys.stdout.flush()
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        self.asked = os.fdopen(os.dup(0), encoding="utf-8", errors="replace")
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        self._lock = threading.Lock()

    def begin(self, world: dict[str, Any]) -> None:
        self._say("world", world)

    def state(self, state: LiveState) -> None:
        self._say("state", msgspec.to_builtins(state))

    def trouble(self, text: str) -> None:
        self._say("trouble", text)

    def end(self, record: dict[str, Any], folder: Path) -> None:
        self._say("ended", {**record, "folder": str(folder)})

    def help(self) -> None:
        self._say("trouble", HELP)

    def _say(self, kind: str, data: object) -> None:
        with self._lock:  # the run and who listens are two threads
            self._out.write(msgspec.json.encode({"kind": kind, "data": data}) + b"\n")
            self._out.flush()


class _Words:
    """For people: a line a second, and at once what they asked for."""

    def __init__(self) -> None:
        self._second = -1.0
        self._last = ""
        self._shown: dict[str, Any] = {}

    def begin(self, world: dict[str, Any]) -> None:
        echo(f"{world['descriptor']}\n{world['limit_s']:g} s at most. 'help' lists what can be done.")
        self._robots = world["robots"]

    def state(self, state: LiveState) -> None:
        if state.state == "ended" or (state.state == self._last == "running" and state.time_s < self._second + 1.0):
            return
        if state.state == self._last == "paused" and state.time_s == self._second and state.watched == self._shown:
            return
        self._second, self._last, self._shown = state.time_s, state.state, state.watched
        places = ", ".join(
            f"{name} ({x:.2f}, {y:.2f}) m"
            for name, (x, y, *_) in zip(self._robots, state.robots, strict=False)
            if x is not None and y is not None
        )
        echo(f"{state.time_s:8.2f} s  {state.state:8}{places}")
        for topic, message in state.watched.items():
            echo(f"            {topic} {json.dumps(message)[:300]}")

    def trouble(self, text: str) -> None:
        echo(text, err=True)

    def end(self, record: dict[str, Any], folder: Path) -> None:
        echo(f"{record['status']} after {record['simulated_s']:.2f} s. {record['trouble']}".rstrip())
        for verdict in record["verdicts"]:
            margin = "" if verdict["margin"] is None else f"  {verdict['margin']:.3f} {verdict['unit']}"
            echo(f"  {verdict['property']}  {verdict['outcome']}{margin}")
        echo(f" recording:  {folder / RECORDING}")
        if record["disturbances"]:
            echo(f" injected:   {folder / DISTURBANCES} (stressfield run ... --disturb)")
        echo(
            " done again it is the same, bit for bit"
            if record["repeatable"]
            else f" not repeatable: {record['why_not']}"
        )

    def help(self) -> None:
        echo(HELP)


def _listen(control: LiveControl, speaker: _Json | _Words) -> None:
    """Take commands until there are no more. A program that has gone, or Ctrl-D, leaves the run as it is."""
    source = speaker.asked if isinstance(speaker, _Json) else sys.stdin
    for line in iter(lambda: source.readline(LINE_MAX), ""):
        text = line.strip()
        if not text:
            continue
        if text == "help":
            speaker.help()
            continue
        try:
            control.ask(command_of(json.loads(text)) if text.startswith("{") else _typed(text))
        except (ValueError, RecursionError) as error:
            speaker.trouble(f"Cannot read {text!r:.80}: {error}. 'help' lists what can be done.")
        except InputError as error:
            speaker.trouble(str(error))
    if isinstance(speaker, _Json):
        control.ask(Stop())  # who asked for it is gone


def _typed(text: str) -> Command:
    """``step 0.5`` as a command."""
    verb, _, rest = text.partition(" ")
    if verb == "inject":
        seconds, _, operation = rest.strip().partition(" ")
        return command_of({"do": verb, "seconds": float(seconds), "operation": json.loads(operation)})
    words = shlex.split(rest)
    given: dict[str, Any] = {"do": verb}
    if verb == "step" and words:
        given["seconds"] = float(words[0])
    elif verb == "rate" and words:
        given["rate"] = float(words[0])
    elif verb == "watch":
        given["topics"] = words
    elif verb == "change" and len(words) == 3:
        given |= {"node": words[0], "parameter": words[1], "value": _value(words[2])}
    elif words:
        raise InputError(f"Cannot do {text!r:.80}.\n{HELP}")
    return command_of(given)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
