"""Which lines of a study are the robot's: found by running the unmutated build in its worlds, and watching.

Whatever of the study's own files runs while robot software is made, started or called by the bus is the robot's. What
also runs elsewhere (in building worlds, in the simulator, in judging and measuring) is shared: a fault in it would
change the test, not the robot, so none is planted there.

The watched runs are done in a process of their own, ``python -m stressfield.mutation.robot_lines``: watching makes
everything slow, and the study must not have been imported before.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import msgspec

from stressfield.bus import Bus, Message
from stressfield.campaign import Plan, prepare
from stressfield.errors import InputError, RigError
from stressfield.oracle import Evidence
from stressfield.plugins import find_study
from stressfield.provenance import source_files
from stressfield.run.execute import execute
from stressfield.run.judgement import judge_all, measure
from stressfield.run.performance import built_scenario
from stressfield.run.task import Task
from stressfield.scenario import Scenario
from stressfield.sim import Session, Simulator
from stressfield.subject import Subject
from stressfield.trace import Metadata

SETTLED_CALLS = 200
"""A function that showed no new line in so many calls is watched no more: watching costs ten times what it watches."""


@dataclass(frozen=True, slots=True)
class RobotFile:
    """What of one file is the robot's: the lines that ran, and the first lines of functions that others run, too."""

    path: str
    lines: tuple[int, ...]
    shared: tuple[int, ...]
    compiled: tuple[int, ...] = ()
    """First lines of compiled functions that the robot calls: of these no lines are known, so all count."""


def robot_files(plan: Plan) -> tuple[RobotFile, ...]:
    """The robot's files in the worlds of a plan, in the order of their names."""
    words = [sys.executable, "-m", __name__, msgspec.json.encode(asdict(plan)).decode(), json.dumps(sys.path)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603  (own interpreter)
    if done.returncode:
        told = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise RigError(f"The robot's own lines could not be found: the watched runs ended with: {told}")
    found = msgspec.json.decode(done.stdout.splitlines()[-1], type=tuple[RobotFile, ...])
    if not found:
        raise InputError(
            f"No line of the robot software of study {plan.study!r} ran in this process: there is nothing to plant a "
            "fault in. Wanted a robot made of Python nodes, in the study's own files."
        )
    return found


@dataclass(slots=True)
class _Watch:
    """Notes every line and function of some files that runs, under who runs it."""

    files: frozenset[str]
    robot: bool = False
    lines: dict[str, set[int]] = field(default_factory=dict)
    codes: dict[bool, dict[CodeType, int]] = field(default_factory=lambda: {True: {}, False: {}})
    """Functions that ran, and in how many calls no new line was seen; of the robot, and of others."""

    def call(self, frame: FrameType, event: str, _: object) -> Any:
        """For ``sys.settrace``: decides whether a call is watched."""
        code = frame.f_code
        if event != "call" or code.co_filename not in self.files or code.co_name == "<module>":
            return None
        quiet = self.codes[self.robot]
        if not self.robot:
            quiet[code] = 0
            return None
        if quiet.setdefault(code, 0) > SETTLED_CALLS:
            return None
        quiet[code] += 1
        seen = self.lines.setdefault(code.co_filename, set())

        def line(frame: FrameType, event: str, _: object) -> Any:
            if event == "line" and frame.f_lineno not in seen:
                seen.add(frame.f_lineno)
                quiet[code] = 0
            return line

        return line

    @contextmanager
    def as_robot(self, *, robot: bool = True) -> Iterator[None]:
        """What runs meanwhile is the robot's, or is not."""
        before, self.robot = self.robot, robot
        try:
            yield
        finally:
            self.robot = before


class _WatchedSubject:
    """A subject; from its start on, what runs is the robot's, unless the simulator says otherwise."""

    def __init__(self, subject: Subject, watch: _Watch) -> None:
        self._subject, self._watch = subject, watch

    def start(self, scenario: Scenario, bus: Bus) -> None:
        self._watch.robot = True
        self._subject.start(scenario, bus)

    def stop(self) -> None:
        self._watch.robot = True
        self._subject.stop()
        self._watch.robot = False


class _WatchedSimulator:
    """A simulator whose own code does not count as the robot's."""

    def __init__(self, simulator: Simulator, watch: _Watch) -> None:
        self._simulator, self._watch = simulator, watch

    def open(self, scenario: Scenario, *, seed: int) -> Session:
        with self._watch.as_robot(robot=False):
            return _WatchedSession(self._simulator.open(scenario, seed=seed), self._watch)


class _WatchedSession:
    def __init__(self, session: Session, watch: _Watch) -> None:
        self._session, self._watch = session, watch

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._session, name)
        if not callable(found):
            return found
        called: Callable[..., Any] = found

        def outside(*given: Any, **named: Any) -> Any:
            with self._watch.as_robot(robot=False):
                return called(*given, **named)

        return outside


def _watched_run(task: Task, watch: _Watch) -> None:
    """One run, judged and measured. How it ends does not matter here: campaigns tell that."""
    study = find_study(task.study)
    scenario = built_scenario(task.study, task.scenario, task.options, task.limit_s)
    with watch.as_robot():
        subject = study.find_build(task.build).subject(scenario)
    executed = execute(
        scenario,
        _WatchedSubject(subject, watch),
        _WatchedSimulator(study.find_simulator(task.simulator)(), watch),
        seed=task.seed,
        timing=study.timing,
        ending=study.ending,
        metadata=Metadata(run_id=task.run_id, scenario_id=task.scenario.id, study=study.name, descriptor=""),
        fingerprinted=study.recording.fingerprinted,
    )
    if executed.status.judged:
        evidence = Evidence(executed.trace, scenario)
        judge_all(study.oracle, evidence)
        measure(study, evidence, task.measures)


def watched(plan: Plan) -> tuple[RobotFile, ...]:
    """Do all runs of a plan, watching. Only for a process of its own."""
    files = frozenset(str(path) for path in source_files(plan.study) if path.suffix == ".py")
    watch = _Watch(files)
    ready = prepare(plan)
    runs = ready.plan.runs_of(ready.ask())
    sys.settrace(watch.call)
    threading.settrace(watch.call)
    try:
        for task in ready.plan.tasks(runs, Path()):
            _watched_run(task, watch)
    finally:
        sys.settrace(None)
        threading.settrace(None)  # type: ignore[arg-type]
    return _told(watch)


def _told(watch: _Watch) -> tuple[RobotFile, ...]:
    compiled = _compiled(watch.files)
    robots, others = (_reached(watch.codes[robot], compiled) for robot in (True, False))
    messages = _of_messages(watch.files)
    shared = {(code.co_filename, code.co_firstlineno) for code in others} | messages
    found = []
    for path in sorted(watch.files):
        lines = watch.lines.get(path, set())
        kernels = {code.co_firstlineno for code in robots if code in compiled.values() and code.co_filename == path}
        if lines or kernels:
            found.append(
                RobotFile(
                    path,
                    tuple(sorted(lines)),
                    tuple(sorted(line for name, line in shared if name == path)),
                    tuple(sorted(kernels)),
                )
            )
    return tuple(found)


def _modules(files: Iterable[str]) -> list[Any]:
    return [module for module in list(sys.modules.values()) if getattr(module, "__file__", None) in files]


def _compiled(files: frozenset[str]) -> dict[str, CodeType]:
    """The compiled functions of these files, by name: their lines do not show when they run."""
    found = {}
    for module in _modules(files):
        for name, value in vars(module).items():
            python = getattr(value, "py_func", None)
            code = getattr(python, "__code__", None)
            if isinstance(code, CodeType) and code.co_filename in files:
                found[name] = code
    return found


def _reached(codes: Iterable[CodeType], compiled: dict[str, CodeType]) -> set[CodeType]:
    """Functions that ran, and the compiled ones that they name, and those that these name."""
    found, waiting = set[CodeType](), list(codes)
    while waiting:
        code = waiting.pop()
        if code not in found:
            found.add(code)
            waiting += [compiled[name] for name in code.co_names if name in compiled]
            waiting += [part for part in code.co_consts if isinstance(part, CodeType)]
    return found


def _of_messages(files: frozenset[str]) -> set[tuple[str, int]]:
    """What messages do themselves is no robot's: whoever reads them does it."""
    found = set()
    for module in _modules(files):
        for value in vars(module).values():
            if isinstance(value, type) and issubclass(value, Message):
                for part in vars(value).values():
                    function = part.fget if isinstance(part, property) else getattr(part, "__func__", part)
                    code = getattr(function, "__code__", None)
                    if isinstance(code, CodeType) and code.co_filename in files:
                        found.add((code.co_filename, code.co_firstlineno))
    return found


def main(arguments: Sequence[str]) -> None:
    """The process of its own: says what it found as the last line of its output."""
    sys.path[:] = json.loads(arguments[1])
    plan = msgspec.json.decode(arguments[0], type=Plan)
    print(msgspec.json.encode(watched(plan)).decode())  # noqa: T201  (read by robot_files)


if __name__ == "__main__":
    main(sys.argv[1:])
