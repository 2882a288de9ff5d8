"""Judging recordings from the field: the same properties, ledger and report as those of simulated runs."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from stressfield._files.disk import make_folder
from stressfield._files.plain_text import keepable
from stressfield.campaign import Campaigned, Ledger, Plan, find_study, load, study_reference
from stressfield.campaign.destination import clear_campaign, occupied
from stressfield.campaign.folder import TRACES, locked, write_plan
from stressfield.campaign.plan import PlannedRun, check_active
from stressfield.errors import InputError, RigError, TraceError
from stressfield.oracle import Profile, overall
from stressfield.run import JudgedRun, RunRecord, ScenarioRecord, Status
from stressfield.run.judgement import measure, split
from stressfield.run.record import track_of
from stressfield.run.recorded import (
    field_robots,
    field_topics_of,
    judge_recorded,
    knowledge,
    recorded_evidence,
    recorded_goal,
    recorded_scenario,
)
from stressfield.scenario import Options, scenario_id
from stressfield.search import FieldRecordings
from stressfield.study import Study
from stressfield.trace import Metadata, Trace, write_trace
from stressfield.trace.bags.bag import Bag
from stressfield.trace.bags.field_knowledge import FieldKnowledge
from stressfield.trace.bags.field_topics import FieldTopics
from stressfield.trace.bags.field_trace import FieldTrace, field_trace

IN_THE_FIELD = "field"
"""The build of recordings, unless one says which software was on the robot."""
TRACK_STEP_S = 0.5
NOTES = "notes"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRecordings:
    """What came of it: a campaign like any other, and what was made of what was odd in each recording."""

    campaign: Campaigned
    notes: Mapping[str, tuple[str, ...]]
    """By path of the recording."""


def judge_recordings(
    study: str,
    paths: Sequence[Path | str],
    folder: Path | str,
    *,
    topics: FieldTopics | None = None,
    world: str = "",
    seed: int = 0,
    build: str = IN_THE_FIELD,
    options: Options | None = None,
    profile: str = Profile.STRICT.value,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    overwrite: bool = False,
    asked: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> JudgedRecordings:
    """Judge recordings by the properties of a study, and keep what came of it in ``folder`` like a campaign.

    ``topics`` says how to read them (default: as the study says), ``world`` where they were made: a descriptor of the
    study, an SDF file or a map. A recording that cannot be read is an ``invalid`` run that says why; if none can, or
    the only one, that is the TraceError itself. ``asked`` are the words that say so on the command line, to be shown.
    """
    begin = perf_counter()
    found, folder = find_study(study), Path(folder)
    known = knowledge(found, topics=found.field_topics if topics is None else topics, world=world, seed=seed)
    plan = Plan(
        study=study_reference(study), build=build, seed=seed, worlds=len(paths), repeats=1, keep="all",
        strategy=FieldRecordings(paths=_absolute(paths), known=known, asked=tuple(asked)), profile=profile,
        include=tuple(include), exclude=tuple(exclude), options=found.check_options(options or {}),
    )  # fmt: skip
    check_active(found, found.oracle.select(profile=profile, include=include, exclude=exclude))
    there = occupied(folder, plan)
    if there is not None and not there.same and not (overwrite and there.campaign):
        there.refuse()
    read = _Reader(found, plan, known)
    judged = []
    for number, path in enumerate(plan.recorded.paths if plan.recorded else ()):
        judged.append(read.judge(number, Path(path)))
        if progress is not None:
            progress(number + 1, len(paths))
    read.check()
    make_folder(folder)
    with locked(folder):
        clear_campaign(folder)
        write_plan(folder, plan, plan.versions(), plan.study_record())
        make_folder(folder / TRACES, below=folder)
        with Ledger(folder) as ledger:
            runs = [_kept(each, folder) for each in judged]
            ledger.add(scenarios=[each.scenario for each in judged], runs=runs)
    results = load(folder, study=plan.study)
    done = Campaigned(
        results=results, executed=len(judged), wall_s=perf_counter() - begin, interrupted=False,
        simulated_s=sum(judged.run.simulated_s for judged in results.runs),
    )  # fmt: skip
    return JudgedRecordings(campaign=done, notes=read.notes)


def _absolute(paths: Sequence[Path | str]) -> tuple[str, ...]:
    if not paths:
        raise InputError("There is no recording to judge. Wanted at least one bag.")
    found = [str(Path(path).absolute()) for path in paths]
    for path in found:
        if found.count(path) > 1:
            raise InputError(f"The recording {path!r} is given twice.")
    return tuple(found)


def _names(paths: Sequence[str]) -> list[str]:
    """What recordings are called: each has a name of its own, under which the ledger keeps what is known of it."""
    short = [Path(path).name for path in paths]
    if len(set(short)) == len(short):
        return short
    above = os.path.commonpath(paths)
    return [os.path.relpath(path, above) for path in paths]


@dataclass(frozen=True, slots=True)
class _Judged:
    scenario: ScenarioRecord
    run: JudgedRun
    trace: Trace | None


class _Reader:
    """Reads and judges one recording after the other."""

    def __init__(self, study: Study, plan: Plan, known: FieldKnowledge) -> None:
        self._study, self._plan, self._known = study, plan, known
        self.notes: dict[str, tuple[str, ...]] = {}
        self._seen: dict[str, Path] = {}
        self._names = _names(plan.recorded.paths if plan.recorded else ())
        self._broken: list[TraceError] = []
        self._readable = 0
        self._base = recorded_scenario(known, study, plan.options, {})
        self._robots = field_robots(self._base)
        unknown = [name for name in known.topics.poses if name not in {robot.name for robot in self._robots}]
        if unknown:
            names = ", ".join(robot.name for robot in self._robots)
            raise InputError(f"The mapping has the pose of a robot {unknown[0]!r}. The study has: {names or 'none'}.")

    def check(self) -> None:
        """The error itself if not a single recording could be read."""
        if not self._readable:
            raise self._broken[0]

    def judge(self, number: int, path: Path) -> _Judged:
        """One recording; ``invalid`` with the reason if it cannot be read."""
        begin = perf_counter()
        try:
            with Bag.open(path) as bag:
                wanted = field_topics_of(self._study, self._base)
                read = field_trace(bag, self._robots, wanted, self._known.topics, Metadata())
                return self._judged(number, path, read, begin)
        except TraceError as error:
            self._broken.append(error)
            return self._unread(number, str(error), perf_counter() - begin)

    def _judged(self, number: int, path: Path, read: FieldTrace, begin: float) -> _Judged:
        self._readable += 1
        digest = read.trace.digest()
        twin = self._seen.setdefault(f"{read.start_ns} {digest}", path)
        if twin != path:
            raise InputError(f"{str(twin)!r} and {str(path)!r} are the same recording. Give it once.")
        record = self._record(number, int(digest[:12], 16), read)
        planned = self._plan.run_of(record, 0)
        scenario = recorded_scenario(self._known, self._study, self._plan.options, record.parameters)
        evidence = recorded_evidence(self._known, self._study, scenario, read.trace, read.late)
        notes = (f"began {read.began}, by the clock: {self._known.topics.clock}", *read.notes)
        self.notes[str(path)] = notes
        run = _run(planned, self._plan.build, Status.COMPLETED, perf_counter() - begin)
        try:
            verdicts = judge_recorded(self._known, self._study, scenario, evidence)
        except RigError as error:  # a property gave what no ledger can hold
            return _Judged(
                record,
                JudgedRun(run=replace(run, status=Status.INVALID, trouble=keepable(str(error))), verdicts=()),
                None,
            )
        measured = measure(self._study, evidence)
        on, off = split(
            self._study.oracle, verdicts,
            profile=self._plan.profile, include=self._plan.include, exclude=self._plan.exclude,
        )  # fmt: skip
        # Properties may have asked for topics that nobody thought of: the trace has what they saw.
        trace = replace(
            read.trace, topics=dict(evidence.trace.topics), metadata=self._metadata(read, record, planned, notes)
        )
        first = next(iter(trace.robots.values()), None)
        run = replace(
            run, outcome=overall(on), simulated_s=trace.end_time_ns / 1e9, digest=trace.digest(),
            topics=" ".join(sorted(name for name, topic in trace.topics.items() if len(topic))),
            wall_s=perf_counter() - begin,
        )  # fmt: skip
        judged = JudgedRun(
            run=run, verdicts=on, others=off, metrics=measured.values, unmeasured=measured.missing,
            track=None if first is None else track_of(first, step_s=TRACK_STEP_S),
        )  # fmt: skip
        return _Judged(record, judged, trace)

    def _record(self, number: int, seed: int, read: FieldTrace | None) -> ScenarioRecord:
        told: dict[str, float | int | bool | str] = {}
        if read is not None:
            told["duration_s"] = round(read.trace.end_time_ns / 1e9, 3)
            told |= recorded_goal(read.trace, self._known.topics)
        name = self._names[number]
        return ScenarioRecord(
            id=scenario_id(self._study.name, name, seed, self._plan.options), index=number, descriptor=name,
            seed=seed, parameters=told,
        )  # fmt: skip

    def _unread(self, number: int, why: str, wall_s: float) -> _Judged:
        record = self._record(number, number, None)
        run = replace(
            _run(self._plan.run_of(record, 0), self._plan.build, Status.INVALID, wall_s), trouble=keepable(why)
        )
        return _Judged(record, JudgedRun(run=run, verdicts=()), None)

    def _metadata(
        self, read: FieldTrace, record: ScenarioRecord, planned: PlannedRun, notes: Sequence[str]
    ) -> Metadata:
        return replace(
            read.trace.metadata,
            run_id=planned.id,
            scenario_id=record.id,
            study=self._study.name,
            descriptor=record.descriptor,
            ending=Status.COMPLETED.value,
            options={**read.trace.metadata.options, "build": self._plan.build, NOTES: "; ".join(notes)},
        )


def _run(planned: PlannedRun, build: str, status: Status, wall_s: float) -> RunRecord:
    return RunRecord(
        id=planned.id, scenario_id=planned.scenario.id, repeat=0, seed=planned.seed, build=build, status=status,
        outcome=None, simulated_s=0.0, wall_s=wall_s, digest="", trace_file=None,
    )  # fmt: skip


def _kept(judged: _Judged, folder: Path) -> JudgedRun:
    """The run with its recording in the folder: what was read of it, which is all that judging it again takes."""
    if judged.trace is None:
        return judged.run
    path = folder / TRACES / f"{judged.run.run.id}.mcap"
    write_trace(judged.trace, path, below=folder)
    return replace(judged.run, run=replace(judged.run.run, trace_file=f"{TRACES}/{path.name}"))
