"""Running a campaign: plan, workers, ledger. Stopped at any moment, it can be resumed: nothing is lost or doubled."""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from types import FrameType

import msgspec

from stressfield._files import store
from stressfield._files.disk import make_folder, remove_temporary
from stressfield.campaign.command import begin_command
from stressfield.campaign.destination import clear_campaign, numbered, occupied, source_changes
from stressfield.campaign.disturbance import check_types
from stressfield.campaign.folder import (
    TRACES,
    locked,
    read_plan,
    read_space_copy,
    write_plan,
    write_space_copy,
)
from stressfield.campaign.front import keep_front
from stressfield.campaign.ledger import Ledger
from stressfield.campaign.ledgers.place import begin_ledger, drop_ledger, has_ledger, open_ledger
from stressfield.campaign.ledgers.rows import in_id_order
from stressfield.campaign.loop import Loop, Tally, nothing_missing
from stressfield.campaign.plan import RUN_TIMEOUT_S, AnyStrategy, Plan, PlannedRun, Prepared, prepare
from stressfield.campaign.results import Progress, Results, Watch, category, load, present_study
from stressfield.campaign.scenario_files import write_scenario_files
from stressfield.campaign.study_record import STUDY, read_study, write_study
from stressfield.errors import InputError, RigError, did_you_mean
from stressfield.fuzz import Operation, TestingSpace, Window
from stressfield.fuzz.bound import lowest
from stressfield.machine import write_machines
from stressfield.plugins import find_study, modules_of, study_reference
from stressfield.provenance import difference
from stressfield.run import Finished, ScenarioRecord, Status
from stressfield.scenario import scenario_id
from stressfield.search import ListedTests, OfSpace, SpaceSearch
from stressfield.search.recordings import refuse_again
from stressfield.trace.keep import Keep, KeepPolicy
from stressfield.workers import Executor, InProcessExecutor, LocalExecutor, RayExecutor
from stressfield.workers.sample import SamplingExecutor, TraceSample, remove_trace

MOST_JOBS = 512
LOCAL, RAY = "local", "ray"
"""Where runs may be done."""
RAY_COPIES = "working_dir_files"
"""The folder in which Ray unpacks what jobs bring along."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaigned:
    """What came of running or resuming a campaign."""

    results: Results
    executed: int
    wall_s: float
    interrupted: bool
    simulated_s: float = 0.0
    """Of the runs executed now, not of those that were there before."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Wall time of workers by part of the rig, if it was asked for."""
    ended: str = ""
    """Why a search ended."""


def run_campaign(
    plan: Plan | Prepared,
    folder: str | Path,
    *,
    strategy: AnyStrategy | Callable[..., object] | str | None = None,
    space: TestingSpace | None = None,
    jobs: int | None = None,
    run_timeout_s: float | None = None,
    overwrite: bool = False,
    in_process: bool = False,
    timed: bool = False,
    export_worlds: bool | None = None,
    progress: Watch | None = None,
    executor: Executor | str | None = None,
) -> Campaigned:
    """Begin a campaign in a new folder and run it to its end, or until Ctrl-C.

    ``strategy`` proposes what to run, instead of the plan's own: one of ours, or a class or function of yours. A plan
    of tests takes them from ``space``, by default the study's own. What :func:`prepare` has checked is taken as it is.

    ``jobs`` worker processes (default: one per core) do the runs; results do not depend on how many. ``in_process``
    does without workers, for debugging. ``export_worlds`` writes world files for scenarios with kept traces; None
    does so if it is cheap. ``run_timeout_s`` takes the place of the plan's own. A given ``executor`` is used and left
    open, so that several campaigns can share its workers; or it is named: ``local``, ``ray``, ``ray://HOST:PORT``.
    """
    folder = Path(folder)
    _check_lasting(folder)
    ready = plan if isinstance(plan, Prepared) else prepare(plan, space=space, strategy=strategy)
    if run_timeout_s is not None:
        ready = replace(ready, plan=replace(ready.plan, run_timeout_s=run_timeout_s))
    ready = _with_ledger(ready, folder)
    if (there := occupied(folder, ready.plan)) is not None and not (overwrite and there.campaign):
        there.refuse()
    with _workers(executor, ready.plan, jobs, in_process) as workers:
        _check_store(ready.plan, workers, empty=not overwrite)
        _check_start(ready, workers, replaces=there is not None)
        make_folder(folder)
        with locked(folder):
            _begin(ready, folder, overwrite=overwrite)
            try:
                return _go_on(ready, folder, workers, timed=timed, export_worlds=export_worlds, progress=progress)
            except InputError:
                _forget_unless_run(ready.plan, folder)
                raise


def _forget_unless_run(plan: Plan, folder: Path) -> None:
    """Make room for the next try, if what was asked for turned out to be impossible before a single run was done."""
    if load(folder, study=plan.study).runs:
        return
    clear_campaign(folder)
    if plan.ledger:
        drop_ledger(plan.ledger)


def _check_lasting(folder: Path) -> None:
    """InputError if the folder is deleted by others: a Ray job works in a copy of its working directory."""
    if RAY_COPIES in folder.absolute().parts:
        raise InputError(
            f"The folder {str(folder)!r} is in Ray's copy of the working directory of this job, which Ray deletes. "
            "Wanted a folder that stays, such as: --out /data/NAME"
        )


def _check_store(plan: Plan, executor: Executor | None, *, empty: bool) -> None:
    """StoreError if the store cannot be used, before anything is run; InputError if it must be ``empty`` and is not."""
    if not plan.storage:
        return
    if plan.storage.startswith("memory:") and not isinstance(executor, InProcessExecutor):
        raise InputError("A store at memory:// is of one process alone. Wanted in_process=True, or another store.")
    there = store.names(plan.traces_in(Path()))
    if there and empty:
        raise InputError(
            f"The store {plan.storage!r} is not empty: traces in it: {len(there)}, such as {there[0]!r}. Traces of two "
            "campaigns must not be mixed. Choose another prefix, or go on with the campaign that they are of."
        )
    # whether it can be written is found out now, not after the first run
    store.put(f"{plan.storage}/campaign.txt", f"{plan.study} {plan.build} {plan.seed}\n".encode())


def plan_campaign(prepared: Prepared, folder: str | Path, *, overwrite: bool = False) -> None:
    """Write what a campaign is to be into a new folder, and run nothing: for shards, or to go on with ``resume``."""
    folder = Path(folder)
    prepared = _with_ledger(prepared, folder)
    if (there := occupied(folder, prepared.plan)) is not None and not (overwrite and there.campaign):
        there.refuse()
    _check_store(prepared.plan, None, empty=not overwrite)
    make_folder(folder)
    with locked(folder):
        _begin(prepared, folder, overwrite=overwrite)


def _with_ledger(ready: Prepared, folder: Path) -> Prepared:
    """With a name for its ledger, if that is on a server."""
    return replace(ready, plan=replace(ready.plan, ledger=begin_ledger(ready.plan.ledger, folder)))


def _begin(ready: Prepared, folder: Path, *, overwrite: bool) -> None:
    """The plan in its folder, which this process holds."""
    if overwrite:
        clear_campaign(folder)
    elif (there := occupied(folder, ready.plan)) is not None:
        there.refuse()  # somebody else was quicker
    if ready.plan.ledger and has_ledger(folder, ready.plan.ledger):
        if not overwrite:
            raise InputError(
                f"The ledger {ready.plan.ledger!r} already holds a campaign. Go on with that one in its folder, choose "
                "another name (#NAME at the end of the URL), or replace it with --overwrite."
            )
        drop_ledger(ready.plan.ledger)
    if (space := ready.plan.fixed_space or ready.space) is not None:
        write_space_copy(folder, space)
    write_plan(folder, ready.plan, ready.plan.versions(), ready.plan.study_record())


def resume(
    folder: str | Path,
    *,
    study: str | None = None,
    strategy: str | None = None,
    jobs: int | None = None,
    run_timeout_s: float | None = None,
    in_process: bool = False,
    timed: bool = False,
    export_worlds: bool | None = None,
    progress: Watch | None = None,
    executor: Executor | str | None = None,
) -> Campaigned:
    """Do what is missing of a campaign: runs without a row in the ledger, and ``invalid`` ones.

    If the study, the strategy or stressfield has changed since, that is an InputError. ``study`` says where the study
    is now, if not where it was; ``strategy`` the same of a strategy of yours. ``run_timeout_s`` counts for what is done
    now, instead of the campaign's own.
    """
    folder = Path(folder)
    plan, began_with = read_plan(folder)
    if plan.recorded is not None:
        refuse_again()
    limit_s = plan.run_timeout_s if run_timeout_s is None else run_timeout_s
    if study is not None:
        plan = replace(plan, study=study_reference(study))
    plan = replace(plan, strategy=plan.with_source(strategy))
    kept = read_study(folder) if (folder / STUDY).exists() else None
    present_study(plan, folder, name=None if kept is None else kept.name)
    unchanged(folder, plan, began_with)
    make_folder(folder)
    with locked(folder), _workers(executor, replace(plan, run_timeout_s=limit_s), jobs, in_process) as workers:
        _check_store(plan, workers, empty=False)
        ready = prepare(plan, space=read_space_copy(folder, plan))
        if kept is None:
            write_study(folder, plan.study_record())
        return _go_on(ready, folder, workers, timed=timed, export_worlds=export_worlds, progress=progress)


def unchanged(folder: Path, plan: Plan, began_with: dict[str, str]) -> None:
    """InputError if something that results depend on is not what it was when the campaign was begun."""
    changed = difference(began_with, plan.versions(), files=source_changes(folder, plan))
    if changed:
        raise InputError(
            f"Since the campaign {str(folder)!r} was begun, this has changed: {changed}. Old and new results must not "
            f"be mixed. Go back to what it was, or {_begin_again(plan, folder)}"
        )


def _begin_again(plan: Plan, folder: Path) -> str:
    command = begin_command(plan, folder, out=folder)
    if command is None:
        return f"run it again in another folder, such as --out {numbered(folder)}"
    return f"begin again: {command} --overwrite"


def _go_on(
    ready: Prepared,
    folder: Path,
    executor: Executor,
    *,
    timed: bool,
    export_worlds: bool | None,
    progress: Watch | None,
) -> Campaigned:
    begin = perf_counter()
    make_folder(folder / TRACES, below=folder)
    remove_temporary(folder / TRACES)  # left by a killed worker; the lock says that no one else writes here
    with (
        until_ctrl_c() as stop,
        _noted_machines(folder, executor, progress) as watch,
        open_ledger(folder, ready.plan.ledger) as ledger,
    ):
        before = load(folder, study=ready.plan.study)
        if isinstance(executor, LocalExecutor) and watch is not None:
            executor.compiling = partial(_show_compiling, watch)
        if isinstance(executor, RayExecutor) and watch is not None:
            executor.waiting = partial(_show_waiting, watch)
        if before.runs and nothing_missing(before):
            tally = Tally(ended=f"{ready.plan.worlds} {ready.plan.noun}s")
            _show_done(before, watch)
        else:
            keeper = _keeper(before, executor)
            loop = Loop(ready, before, ledger, keeper, timed=timed, stop=stop.is_set, progress=watch)
            del before  # it may hold a snapshot of the ledger, which must not stay open while the ledger grows
            tally = loop.run()
            if keeper is not executor:
                drop_traces(load(folder, study=ready.plan.study), ledger)
            if ready.plan.keep == Keep.FRONT and not tally.interrupted:
                tally.interrupted = not keep_front(load(folder, study=ready.plan.study), ledger, executor, stop.is_set)
    wall_s = perf_counter() - begin
    results = load(folder, study=ready.plan.study)
    if not tally.interrupted:
        kept = {judged.run.scenario_id for judged in results.runs if judged.run.trace_file is not None}
        scenarios = [scenario for scenario in results.scenarios if scenario.id in kept]
        write_scenario_files(folder, ready.plan, scenarios, every=export_worlds, budget_s=0.03 * wall_s)
    return Campaigned(
        results=results,
        executed=tally.executed,
        wall_s=wall_s,
        interrupted=tally.interrupted,
        simulated_s=tally.simulated_s,
        seconds=tally.seconds,
        ended=tally.ended,
    )


MACHINES_S = 5.0
"""How often it is noted which machines did how many runs, so that others can see it meanwhile."""


def _keeper(before: Results, executor: Executor) -> Executor:
    """The executor; where recordings are sampled, one that lets go of those of which there are enough."""
    most = KeepPolicy.of(before.plan.keep).per_finding
    return executor if most is None else SamplingExecutor(executor, _sampled(before, most))


def _sampled(results: Results, most: int) -> TraceSample:
    """The runs whose recordings are kept, so far."""
    sample, places = TraceSample(most), {scenario.id: scenario.index for scenario in results.scenarios}
    for judged in in_id_order(results.runs):
        if judged.run.status is not Status.INVALID:
            sample.add((places[judged.run.scenario_id], judged.run.repeat), judged)
    return sample


def sampled_runs(results: Results) -> set[str] | None:
    """Ids of the runs whose recordings are to be kept; None if the plan does not sample them."""
    most = KeepPolicy.of(results.plan.keep).per_finding
    return None if most is None else _sampled(results, most).run_ids


def drop_traces(results: Results, ledger: Ledger) -> None:
    """Let go of recordings that are not among the first of a finding any more. The rows first, then the files."""
    wanted = sampled_runs(results)
    if wanted is None:
        return
    traces = results.plan.traces_in(Path(results.folder))
    kept = [judged.run for judged in in_id_order(results.runs) if judged.run.trace_file is not None]
    for run in kept:
        if run.id not in wanted and run.trace_file is not None:
            ledger.keep_trace(run.id, None)
            remove_trace(traces, run.trace_file)


@contextmanager
def _noted_machines(folder: Path, executor: Executor, progress: Watch | None) -> Iterator[Watch | None]:
    """Note in the folder which machines did how many runs, now and then, if the executor has several."""
    if not isinstance(executor, RayExecutor):
        yield progress
        return
    noted = {machine.name: machine.runs for machine in executor.machines}
    noted_s = perf_counter()

    def note() -> None:
        own = [replace(each, runs=each.runs - noted.get(each.name, 0)) for each in executor.machines]
        if any(machine.runs for machine in own):
            write_machines(folder, [machine for machine in own if machine.runs])
        noted.update({machine.name: machine.runs for machine in executor.machines})

    def watch(now: Progress) -> None:
        nonlocal noted_s
        if progress is not None:
            progress(now)
        if perf_counter() - noted_s >= MACHINES_S:
            note()
            noted_s = perf_counter()

    try:
        yield watch
    finally:
        note()


def _show_compiling(progress: Watch, count: int) -> None:
    _show_waiting(progress, f"compiling, once on this machine: function {count}")


def _show_waiting(progress: Watch, note: str) -> None:
    progress(Progress(0, 0, 0, Counter(), note))


def _show_done(results: Results, progress: Watch | None) -> None:
    if progress is not None:
        count = len(results.runs)
        progress(Progress(count, count, count, Counter(category(judged.run) for judged in results.runs)))


MOMENT_S = 1e-3
NEVER = Window(start_s=1e6)


def _check_start(ready: Prepared, executor: Executor, *, replaces: bool) -> None:
    """InputError if an operation is for a topic or node that the robot does not have, before anything is recorded.

    The robot is started once, in a worker like all runs, with all operations there and none acting. Any other trouble
    is left to the runs, which tell it themselves; but if the campaign ``replaces`` another, which is deleted when it is
    begun, a mistake must be found before. Worlds that vary may have different robots: tests in these are not checked.
    One disturbance for all worlds must fit all of them: the first is tried.
    """
    kind, space = ready.plan.strategy, ready.plan.fixed_space or ready.space
    varied = isinstance(kind, OfSpace) and kind.vary_world
    operations = () if space is None or varied else _waiting(kind, space)
    if not (operations or replaces) or (first := _first_world(ready)) is None:
        return
    tried = _try_start(ready, operations, first, executor)
    if tried is not None and replaces:
        tried.check()


def _try_start(
    ready: Prepared, operations: tuple[Operation, ...], world: tuple[str, int], executor: Executor
) -> Finished | None:
    """What came of a start of the robot with all operations there and none acting. InputError if a target is not."""
    plan = replace(ready.plan, keep="none", limit_s=MOMENT_S)
    descriptor, seed = world
    name = scenario_id(ready.study.name, descriptor, seed, plan.options, operations, (), limit_s=MOMENT_S)
    record = ScenarioRecord(id=name, index=0, descriptor=descriptor, seed=seed, disturbances=operations)
    run = PlannedRun(id="start", scenario=record, repeat=0, seed=seed)
    space = ready.plan.fixed_space or ready.space
    for batch in executor.run(plan.tasks([run], Path(), space=ready.space)):
        for finished in batch:
            if finished.missing_target and space is not None:
                raise InputError(f"The testing space {space.name!r} does not fit: {finished.missing_target}")
            return finished
    return None


def check_space(space: TestingSpace, study: str) -> None:
    """InputError if a testing space does not fit a study: a type, a topic or a node that its robot does not have.

    The robot is started once, in a process of its own, in a world of the study. RigError if it cannot be: then nothing
    is known of the space.
    """
    template = find_study(study).template
    ready = prepare(Plan(study=study, build="default", seed=0, worlds=1, repeats=1, template=template))
    check_types(space.check())
    operations = _waiting(None, space)
    world = _first_world(ready)
    if not operations or world is None:
        return
    with _workers(None, ready.plan, 1, False) as executor:
        tried = _try_start(replace(ready, space=space), operations, world, executor)
    if tried is not None:
        tried.check()
        if not tried.judged.run.status.judged:
            raise RigError(f"The robot of study {study!r} could not be started to try it: {tried.judged.run.told}")


def _first_world(ready: Prepared) -> tuple[str, int] | None:
    """The descriptor and the seed of the world that is the only one, or the first of those with one disturbance."""
    if isinstance(ready.plan.strategy, OfSpace):
        return ready.plan.template, ready.plan.world_seed(0)
    first = ready.first()
    return None if first is None else (first.descriptor, first.seed)


def _waiting(kind: object, space: TestingSpace) -> tuple[Operation, ...]:
    """The operations that tests may have, one of each name with all of its targets, none of them acting."""
    found: list[Operation] = []
    if isinstance(kind, ListedTests):
        found = [operation for test in kind.chosen(space) for operation in test.operations]
    elif isinstance(kind, SpaceSearch):
        found = list(space.templates(kind.part(space)))
    else:
        found = list(space.operations)
    waiting: dict[str, Operation] = {}
    for operation in found:
        before = waiting[operation.name].targets if operation.name in waiting else ()
        least = {name: lowest(scope) for name, scope in operation.parameters.items()}
        still = msgspec.structs.replace(operation.with_parameters(least), when=NEVER)
        waiting[operation.name] = still.with_targets(tuple(dict.fromkeys((*before, *operation.targets))))
    return tuple(waiting.values())


def make_executor(
    study: str,
    *,
    jobs: int | None = None,
    run_timeout_s: float = RUN_TIMEOUT_S,
    in_process: bool = False,
    quiet: bool = False,
    where: str = LOCAL,
) -> Executor:
    """Workers for the runs of a study: ``jobs`` processes, by default one per core.

    ``where``: ``local`` on this machine; ``ray`` on the cluster that we are in, or one of this machine's own;
    ``ray://HOST:PORT`` on that one.

    A run may take ``run_timeout_s`` of wall time, and what it has to wait for the wall clock on top of that. ``quiet``
    workers do not show what they write to their standard error.
    """
    if jobs is not None and jobs < 1:
        raise InputError(f"A campaign needs at least one worker process, got jobs={jobs}.")
    if jobs is not None and jobs > MOST_JOBS:
        raise InputError(
            f"Too many worker processes, got jobs={jobs}, wanted at most {MOST_JOBS}: best is one per core."
        )
    if not run_timeout_s > 0.0:
        raise InputError(f"The time limit of a run must be positive, got {run_timeout_s!r} s.")
    if in_process:
        return InProcessExecutor()
    if where == RAY or where.startswith(f"{RAY}://"):
        return RayExecutor(where if where != RAY else "", jobs=jobs, run_timeout_s=run_timeout_s)
    if where != LOCAL:
        known = [LOCAL, RAY, f"{RAY}://HOST:PORT"]
        raise InputError(f"Unknown executor {where!r}. There are: {', '.join(known)}.{did_you_mean(where, known)}")
    workers = jobs or len(os.sched_getaffinity(0))
    return LocalExecutor(jobs=workers, run_timeout_s=run_timeout_s, preload=modules_of(study), quiet=quiet)


@contextmanager
def _workers(given: Executor | str | None, plan: Plan, jobs: int | None, in_process: bool) -> Iterator[Executor]:
    """Workers of our own, ended afterwards, unless some are shared."""
    if given is not None and not isinstance(given, str):
        yield given
        return
    executor = make_executor(
        plan.study, jobs=jobs, run_timeout_s=plan.run_timeout_s, in_process=in_process, where=given or LOCAL
    )
    try:
        yield executor
    finally:
        executor.close()


@contextmanager
def until_ctrl_c() -> Iterator[threading.Event]:
    """The first Ctrl-C (or SIGTERM) asks for a clean stop; the second one does not wait."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def ask(_number: int, _frame: FrameType | None) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
