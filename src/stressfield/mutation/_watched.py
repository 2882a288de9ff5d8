"""A process that does runs and watches which lines of the study run, and for whom; see ``robot_lines``."""

from __future__ import annotations

import inspect
import json
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import msgspec

from stressfield.bus import Bus, Message
from stressfield.campaign import Plan, prepare
from stressfield.model import Element
from stressfield.mutation.robot_lines import RobotFile
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
from stressfield.world import Mission

SETTLED_CALLS = 200
"""A function that showed no new line in so many calls is watched no more: watching costs ten times what it watches."""


@dataclass(slots=True)
class Watch:
    """Notes every line and function of some files that runs, under who runs it."""

    files: frozenset[str]
    robot: bool = False
    lines: dict[str, set[int]] = field(default_factory=dict)
    """Of the robot."""
    quiet: dict[CodeType, int] = field(default_factory=dict)
    """Functions of the robot, and in how many calls nothing new was seen."""
    others: set[CodeType] = field(default_factory=set)
    """Functions that ran otherwise."""

    def call(self, frame: FrameType, event: str, _: object) -> Any:
        """For ``sys.settrace``: decides whether a call is watched."""
        code = frame.f_code
        if event != "call" or code.co_filename not in self.files or code.co_name == "<module>":
            return None
        if not self.robot:
            self.others.add(code)
            return None
        quiet = self.quiet
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


class WatchedSubject:
    """A subject; from its start on, what runs is the robot's, unless the simulator says otherwise."""

    def __init__(self, subject: Subject, watch: Watch) -> None:
        self._subject, self._watch = subject, watch

    def start(self, scenario: Scenario, bus: Bus) -> None:
        self._watch.robot = True
        self._subject.start(scenario, bus)

    def stop(self) -> None:
        try:
            self._subject.stop()
        finally:
            self._watch.robot = False


class WatchedSimulator:
    """A simulator whose own code does not count as the robot's."""

    def __init__(self, simulator: Simulator, watch: Watch) -> None:
        self._simulator, self._watch = simulator, watch

    def open(self, scenario: Scenario, *, seed: int) -> Session:
        with self._watch.as_robot(robot=False):
            session: Any = WatchedSession(self._simulator.open(scenario, seed=seed), self._watch)
        opened: Session = session
        return opened


class WatchedSession:
    """Whatever the session does is not the robot's."""

    def __init__(self, session: Session, watch: Watch) -> None:
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


def watched(plan: Plan) -> tuple[RobotFile, ...]:
    """Do all runs of a plan, watching. Only for a process of its own."""
    watch = Watch(frozenset(str(path) for path in source_files(plan.study) if path.suffix == ".py"))
    ready = prepare(plan)
    runs = ready.plan.runs_of(ready.ask())
    sys.settrace(watch.call)
    threading.settrace(watch.call)
    try:
        for task in ready.plan.tasks(runs, Path()):
            _watched_run(task, watch)
    finally:
        sys.settrace(None)
    return _told(watch)


def _watched_run(task: Task, watch: Watch) -> None:
    """One run, judged and measured. How it ends does not matter here: campaigns tell that."""
    study = find_study(task.study)
    scenario = built_scenario(task.study, task.scenario, task.options, task.limit_s)
    with watch.as_robot():
        subject = study.find_build(task.build).subject(scenario)
    executed = execute(
        scenario,
        WatchedSubject(subject, watch),
        WatchedSimulator(study.find_simulator(task.simulator)(), watch),
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


def _told(watch: Watch) -> tuple[RobotFile, ...]:
    compiled = _compiled(watch.files)
    robot, others = _reached(watch.quiet, compiled), _reached(watch.others, compiled)
    shared = {(code.co_filename, code.co_firstlineno) for code in others} | _of_data(watch.files)
    kernels = {(code.co_filename, code.co_firstlineno) for code in robot & set(compiled.values())}
    found = []
    for path in sorted(watch.files):
        lines = watch.lines.get(path, set())
        whole = {line for name, line in kernels if name == path}
        if lines or whole:
            others_here = sorted(line for name, line in shared if name == path)
            found.append(RobotFile(path, tuple(sorted(lines)), tuple(others_here), tuple(sorted(whole))))
    return tuple(found)


def _compiled(files: frozenset[str]) -> dict[str, CodeType]:
    """The functions of these files that numba compiles, by name: their lines do not show when they run."""
    found = {}
    for module in modules_of_files(files):
        for name, value in vars(module).items():
            code = getattr(getattr(value, "py_func", None), "__code__", None)
            if isinstance(code, CodeType) and code.co_filename in files:
                found[name] = code
    return found


def _reached(codes: Iterable[CodeType], compiled: Mapping[str, CodeType]) -> set[CodeType]:
    """Functions that ran, the compiled ones that they name, and those that these name."""
    found, waiting = set[CodeType](), list(codes)
    while waiting:
        code = waiting.pop()
        if code not in found:
            found.add(code)
            waiting += [compiled[name] for name in code.co_names if name in compiled]
    return found


def modules_of_files(files: frozenset[str]) -> list[ModuleType]:
    """Modules that were imported from these files."""
    return [module for module in list(sys.modules.values()) if str(getattr(module, "__file__", "")) in files]


def _of_data(files: frozenset[str]) -> set[tuple[str, int]]:
    """Where messages, elements and missions are defined: what they are and do is no robot's, for others read them."""
    found = set()
    for module in modules_of_files(files):
        for value in vars(module).values():
            if not (isinstance(value, type) and issubclass(value, Message | Element | Mission)):
                continue
            if value.__module__ != module.__name__:
                continue
            found.add((str(module.__file__), inspect.getsourcelines(value)[1]))
            for part in vars(value).values():
                function = part.fget if isinstance(part, property) else getattr(part, "__func__", part)
                code = getattr(function, "__code__", None)
                if isinstance(code, CodeType) and code.co_filename in files:
                    found.add((code.co_filename, code.co_firstlineno))
    return found


def main(arguments: Sequence[str]) -> None:
    """Says what was found as the last line of the output."""
    sys.path[:] = json.loads(arguments[1])
    plan = msgspec.json.decode(arguments[0], type=Plan)
    print(msgspec.json.encode(watched(plan)).decode())  # noqa: T201  (read by robot_files)


if __name__ == "__main__":
    main(sys.argv[1:])
