"""Doing one run: from a task to a judged record. What goes wrong on the way is told as its status, never raised."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from time import perf_counter

from stressfield._crash import Crash, crash_of, described, is_interrupt, said
from stressfield._files import store
from stressfield._files.plain_text import keepable
from stressfield.errors import (
    InputError,
    NotInstalledError,
    OracleError,
    RigError,
    StoreError,
    StressfieldError,
    SubjectError,
    WorldError,
)
from stressfield.oracle import Evidence, Outcome, overall
from stressfield.plugins import find_study
from stressfield.run.execute import Executed, Stopwatch, execute
from stressfield.run.judgement import judge_all, measure, split
from stressfield.run.live import LiveControl
from stressfield.run.record import JudgedRun, RunRecord, ScenarioRecord, Status, Track, track_of
from stressfield.run.task import Finished, Task
from stressfield.scenario import Option, Options, Scenario
from stressfield.sim import Paced
from stressfield.study import Study
from stressfield.subject.subject import Paceable, Subject
from stressfield.trace import KeepPolicy, Metadata, write_trace
from stressfield.trace.writer import encode_trace

NAME_MAX = 200
"""Characters of the kind and the place of a crash that are kept."""
WORLDS_KEPT = 4
"""Scenarios that a process remembers. Repeats follow each other, so an older one is seldom needed again."""

BAD_INPUT = (InputError, NotInstalledError, OracleError)
"""Errors in which every run would end. Other classes below them, such as WorldError, may be about one world only."""


def perform(task: Task, *, waits: Callable[[float], None] | None = None) -> Finished:
    """Do the run. Never raises for trouble of the subject or the rig: that is a result.

    ``waits`` is told how many seconds the run may spend waiting for the wall clock, as soon as that is known.
    """
    begin = perf_counter()
    stopwatch = Stopwatch() if task.timed else None
    missing_target = False
    try:
        judged, missing_target = _run_and_judge(task, begin, stopwatch, waits)
    except StoreError as error:
        failed = untraced(task, Status.INVALID, trouble=str(error), wall_s=perf_counter() - begin)
        return Finished(judged=failed, store_trouble=keepable(str(error)))
    except SubjectError as error:
        crash = crash_of(error)
        text = f"{error} ({crash.place})" if crash.place else str(error)
        judged = untraced(task, Status.SUBJECT_CRASH, trouble=text, wall_s=perf_counter() - begin, crash=crash)
    except Exception as error:
        wall_s = perf_counter() - begin
        if type(error) in BAD_INPUT:
            failed = untraced(task, Status.INVALID, trouble=str(error), wall_s=wall_s)
            return Finished(judged=failed, bad_input=keepable(str(error)))
        text = str(error) if isinstance(error, StressfieldError) else described(error)
        judged = untraced(task, Status.INVALID, trouble=text, wall_s=wall_s, crash=crash_of(error))
    return Finished(
        judged=judged,
        seconds={} if stopwatch is None else stopwatch.seconds,
        missing_target=judged.run.trouble if missing_target else "",
    )


def untraced(
    task: Task,
    status: Status,
    *,
    trouble: str,
    wall_s: float,
    outcome: Outcome | None = None,
    crash: Crash | None = None,
    output: str = "",
) -> JudgedRun:
    """A run without a trace."""
    run = RunRecord(
        id=task.run_id,
        scenario_id=task.scenario.id,
        repeat=task.repeat,
        seed=task.seed,
        build=task.build,
        status=status,
        outcome=outcome,
        simulated_s=0.0,
        wall_s=wall_s,
        digest="",
        trace_file=None,
        trouble=keepable(trouble),
        output=keepable(output),
        crash=None if crash is None else _keepable(crash),
    )
    return JudgedRun(run=run, verdicts=())


def _keepable(crash: Crash) -> Crash:
    """A crash as the ledger can hold it: who raises may call their exceptions and files what they like."""
    short = {name: keepable(getattr(crash, name), most=NAME_MAX) for name in ("kind", "place")}
    return Crash(**short, traceback=keepable(crash.traceback))


@lru_cache(maxsize=WORLDS_KEPT)
def built_world(study: str, descriptor: str, seed: int, options: tuple[tuple[str, Option], ...]) -> Scenario:
    """The undisturbed scenario, built once for all of its runs that come to this process."""
    try:
        return find_study(study).scenario(descriptor, seed=seed, options=dict(options))
    except StressfieldError:
        raise
    except BaseException as error:
        if is_interrupt(error):
            raise
        name = find_study(study).name
        raise WorldError(f"The build function of study {name!r} crashed: {described(error)}.") from error


def built_scenario(study: str, scenario: ScenarioRecord, options: Options, limit_s: float | None) -> Scenario:
    """The scenario of a record, with its disturbances."""
    built = built_world(study, scenario.descriptor, scenario.seed, tuple(options.items())).limited(limit_s)
    if built.disturbances:
        names = ", ".join(repr(operation.name) for operation in built.disturbances)
        raise RigError(
            f"The study's build() gives its scenario disturbances of its own ({names}). Wanted a world and a mission "
            "alone: list the disturbances in the study's testing space, and run them with 'stressfield search'."
        )
    return built.disturbed(scenario.disturbances, scenario.variables) if scenario.disturbances else built


def execute_task(
    task: Task,
    stopwatch: Stopwatch | None = None,
    waits: Callable[[float], None] | None = None,
    control: LiveControl | None = None,
) -> tuple[Scenario, Executed]:
    """Simulate, without judging."""
    study = find_study(task.study)
    scenario = built_scenario(task.study, task.scenario, task.options, task.limit_s)
    if scenario.id != task.scenario.id:
        raise RigError(
            f"World {task.scenario.id} came out as {scenario.id}: the study is not deterministic, or has changed."
        )
    return scenario, _executed(task, study, scenario, stopwatch, waits, control)


def _executed(
    task: Task,
    study: Study,
    scenario: Scenario,
    stopwatch: Stopwatch | None = None,
    waits: Callable[[float], None] | None = None,
    control: LiveControl | None = None,
) -> Executed:
    build = study.find_build(task.build)
    try:
        subject = build.subject(scenario)
    except (SubjectError, NotInstalledError):
        raise
    except BaseException as error:
        if is_interrupt(error):
            raise
        raise SubjectError(f"Build {task.build!r} could not be started: {said(error)}") from error
    if task.pace is not None:
        subject = _paced(subject, task.pace)
    simulator = study.find_simulator(task.simulator)()
    if waits is not None:
        paced = [part.waits_s(scenario) for part in (subject, simulator) if isinstance(part, Paced)]
        if paced:
            waits(max(paced))
    if control is not None and any(_on_the_wall_clock(part) for part in (subject, simulator)):
        control.let_go()
    process = os.getpid()
    executed = execute(
        scenario,
        subject,
        simulator,
        seed=task.seed,
        timing=study.timing_of(task.options),
        ending=study.ending,
        metadata=_metadata(task, study.name),
        stopwatch=stopwatch,
        fingerprinted=study.recording.fingerprinted,
        control=control,
    )
    if os.getpid() != process:  # the subject forked, and this is the copy: the original tells what came of the run
        os._exit(0)
    return executed


@dataclass(frozen=True, slots=True)
class LivePerformed:
    """What came of a run that somebody meddled with."""

    judged: JudgedRun
    scenario: Scenario
    """With the operations that were injected among its disturbances."""
    executed: Executed
    again: str
    """Whether it can be done again, as a run that was planned so: empty if it was, bit for bit; else why not."""


def perform_live(task: Task, control: LiveControl) -> LivePerformed:
    """Do a run that somebody watches and may meddle with, judge it, and try whether it can be done again.

    No trace is written: it is in what is given.
    """
    scenario, executed = execute_task(task, control=control)
    control.ended(round(executed.simulated_s * 1e9))
    if control.operations:
        scenario = scenario.disturbed((*scenario.disturbances, *control.operations), scenario.variables)
    judged = _judge(task, scenario, executed)
    judged = replace(judged, run=replace(judged.run, simulated_s=executed.simulated_s, digest=executed.trace.digest()))
    return LivePerformed(judged, scenario, executed, _done_again(task, scenario, executed, control))


def _done_again(task: Task, scenario: Scenario, executed: Executed, control: LiveControl) -> str:
    if control.changed:
        return "a parameter was changed by hand, which no plan can say"
    if not control.holdable:
        return "its robot software or its simulator goes with the wall clock"
    if not executed.status.judged:
        return "it did not end as a run should"
    limit_s = executed.simulated_s if control.stopped else None
    again = _executed(task, find_study(task.study), scenario.limited(limit_s))
    if again.trace.digest() != executed.trace.digest():
        return "done again with the same disturbances, it went otherwise"
    return ""


def _on_the_wall_clock(part: object) -> bool:
    return isinstance(part, Paced) and not getattr(part, "lockstep", False)


def _paced(subject: Subject, rate: float) -> Subject:
    if not isinstance(subject, Paceable):
        raise InputError(
            f"A pace of {rate:g} is asked for, but a {type(subject).__name__} has none: it computes in simulated time. "
            "Wanted robot software in a process of its own, or on a ROS graph."
        )
    return subject.at_pace(rate)


def _run_and_judge(
    task: Task, begin: float, stopwatch: Stopwatch | None, waits: Callable[[float], None] | None
) -> tuple[JudgedRun, bool]:
    """What came of it, and whether a disturbance had no target."""
    scenario, executed = execute_task(task, stopwatch, waits)
    watch = stopwatch or Stopwatch()
    with watch.time("judging"):
        judged = _judge(task, scenario, executed)
    with watch.time("recording"):
        digest = executed.trace.digest()
    with watch.time("store"):
        trace_file = _write_trace(task, executed, judged)
    wall_s = perf_counter() - begin
    run = replace(
        judged.run,
        simulated_s=executed.simulated_s,
        wall_s=wall_s,
        digest=digest,
        trace_file=trace_file,
        topics=" ".join(sorted(name for name, topic in executed.trace.topics.items() if len(topic))),
        ended_by=executed.ended_by,
        notes=keepable("\n".join(executed.notes)),
    )
    return replace(judged, run=run), executed.missing_target


def _judge(task: Task, scenario: Scenario, executed: Executed) -> JudgedRun:
    """The record of the run, with verdicts and metrics if it may be judged."""
    judged = untraced(
        task, executed.status, trouble=executed.trouble, output=executed.output, wall_s=0.0, crash=executed.crash
    )
    if not executed.status.judged:
        return judged
    study, evidence = find_study(task.study), Evidence(executed.trace, scenario)
    verdicts = judge_all(study.oracle, evidence)
    measured = measure(study, evidence, task.measures)
    on, off = split(study.oracle, verdicts, profile=task.profile, include=task.include, exclude=task.exclude)
    return replace(
        judged,
        run=replace(judged.run, outcome=overall(on)),
        verdicts=on,
        others=off,
        metrics=measured.values,
        unmeasured=measured.missing,
        track=_track(study, evidence),
    )


def _write_trace(task: Task, executed: Executed, judged: JudgedRun) -> str | None:
    """Where the recording is, from the campaign's folder; None if it is not wanted."""
    failed = judged.run.outcome is Outcome.FAIL or executed.status is Status.SUBJECT_CRASH
    findings = [(verdict.property, verdict.subcase) for verdict in judged.failures] if task.enough else []
    wanted = KeepPolicy.of(task.keep).wants(failed=failed, findings=findings, enough=task.enough)
    if executed.status is Status.INVALID or not wanted:
        return None
    if store.is_url(task.traces):
        store.put(f"{task.traces}/{task.run_id}.mcap", b"".join(encode_trace(executed.trace)))
        return f"{task.traces.rpartition('/')[2]}/{task.run_id}.mcap"
    path = Path(task.traces) / f"{task.run_id}.mcap"
    write_trace(executed.trace, path, below=path.parent.parent)
    return f"{path.parent.name}/{path.name}"


def _track(study: Study, evidence: Evidence) -> Track | None:
    """Where its first robot went, if the study keeps that."""
    if study.recording.track_step_s is None or not evidence.scenario.world.robots:
        return None
    robot = evidence.scenario.world.robots[0].robot.name
    return track_of(evidence.trace.truth(robot), step_s=study.recording.track_step_s)


def _metadata(task: Task, study: str) -> Metadata:
    """Who made the trace: only what makes the run what it is, so that a replay writes the same bytes."""
    options = {name: str(value) for name, value in task.options.items()}
    others = {"simulator": task.simulator} if task.simulator else {}
    return Metadata(
        run_id=task.run_id,
        scenario_id=task.scenario.id,
        study=study,
        descriptor=task.scenario.descriptor,
        seeds={"scenario": task.scenario.seed, "run": task.seed},
        versions={"stressfield": task.version},
        options={**options, **others, "build": task.build, "repeat": str(task.repeat)},
    )
