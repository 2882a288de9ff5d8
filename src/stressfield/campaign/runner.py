"""Running a campaign: plan, workers, ledger. Stopped at any moment, it can be resumed: nothing is lost or doubled."""

from __future__ import annotations

import os
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter
from types import FrameType

from stressfield._files.disk import make_folder, remove_temporary
from stressfield.campaign.completeness import nothing_missing
from stressfield.campaign.files import (
    TRACES,
    clear_campaign,
    read_plan,
    refuse_existing,
    write_plan,
)
from stressfield.campaign.front_traces import keep_front
from stressfield.campaign.fuzzing import campaign_of, read_own_space, write_space
from stressfield.campaign.lock import locked
from stressfield.campaign.plan import checked, plan_runs, plan_scenarios
from stressfield.campaign.progress import Progress, Watch, category
from stressfield.campaign.records import Plan, Results
from stressfield.campaign.scenario_files import write_scenario_files
from stressfield.campaign.searching import Search, Tally
from stressfield.campaign.store import Ledger, load
from stressfield.campaign.targets import check_targets
from stressfield.campaign.tasks import tasks_of
from stressfield.errors import InputError
from stressfield.fuzz.space import TestingSpace
from stressfield.plugins import find_study, modules_of, study_reference
from stressfield.provenance import difference, rig_version, versions
from stressfield.run import Finished, Status
from stressfield.trace import Keep
from stressfield.workers import Executor, InProcessExecutor, LocalExecutor

__all__ = ["RUN_TIMEOUT_S", "Campaigned", "make_executor", "resume", "run_campaign", "tasks_of"]

RUN_TIMEOUT_S = 120.0
MOST_JOBS = 512


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
    outdated: bool = False
    """Whether the study or stressfield has changed since these results were made."""


def run_campaign(
    plan: Plan,
    folder: str | Path,
    *,
    jobs: int | None = None,
    run_timeout_s: float = RUN_TIMEOUT_S,
    overwrite: bool = False,
    in_process: bool = False,
    timed: bool = False,
    export_worlds: bool | None = None,
    progress: Watch | None = None,
    executor: Executor | None = None,
    space: TestingSpace | None = None,
) -> Campaigned:
    """Begin a campaign in a new folder and run it to its end, or until Ctrl-C.

    ``jobs`` worker processes (default: one a core) do the runs; results do not depend on how many. ``in_process``
    does without workers, for debugging. ``export_worlds`` writes world files for scenarios with kept traces; None
    does so if it is cheap. A given ``executor`` is used and left open, so that several campaigns can share its workers.
    A plan with ``fuzzing`` takes its tests from ``space``, by default the study's own.
    """
    folder = Path(folder)
    study = find_study(plan.study)
    if plan.fuzzing is not None and space is None:
        space = study.testing_space()
    plan = checked(replace(plan, study=study_reference(plan.study)), study, space)
    if not overwrite:
        refuse_existing(folder, plan)
    elif folder.is_dir() and any(folder.iterdir()) and not (folder / "campaign.toml").exists():
        raise InputError(
            f"The folder {str(folder)!r} is not empty and no campaign. --overwrite only replaces campaigns."
        )
    with _workers(executor, plan, jobs, run_timeout_s, in_process) as workers:
        if plan.fuzzing is not None and space is not None:
            check_targets(plan, study, space, workers)
        make_folder(folder)
        with locked(folder):
            if overwrite:
                clear_campaign(folder)
            if plan.fuzzing is not None and space is not None:
                write_space(folder, space)
            write_plan(folder, plan, versions(plan.study))
            return _go_on(plan, folder, workers, timed=timed, export_worlds=export_worlds, progress=progress)


def resume(
    folder: str | Path,
    *,
    jobs: int | None = None,
    run_timeout_s: float = RUN_TIMEOUT_S,
    in_process: bool = False,
    timed: bool = False,
    export_worlds: bool | None = None,
    progress: Watch | None = None,
    executor: Executor | None = None,
    reopen: bool = False,
) -> Campaigned:
    """Do what is missing of a campaign: runs without a row in the ledger, and ``invalid`` ones.

    If the study or stressfield has changed since, that is an InputError; with ``reopen`` a campaign of which nothing is
    missing is given as it is, and ``outdated`` says so.
    """
    folder = Path(folder)
    plan, began_with = read_plan(folder)
    changed = _changed(plan, folder, began_with)
    if changed:
        results = load(folder) if reopen else None
        if results is None or not nothing_missing(results):
            raise InputError(changed)
        return Campaigned(results=results, executed=0, wall_s=0.0, interrupted=False, outdated=True)
    make_folder(folder)
    with locked(folder), _workers(executor, plan, jobs, run_timeout_s, in_process) as workers:
        return _go_on(plan, folder, workers, timed=timed, export_worlds=export_worlds, progress=progress)


def _changed(plan: Plan, folder: Path, began_with: Mapping[str, str]) -> str:
    """Why old and new results must not be mixed; empty if they may."""
    changed = difference(began_with, versions(plan.study))
    if not changed:
        return ""
    return (
        f"Since the campaign {str(folder)!r} was begun, this has changed: {changed}. Old and new results must not be "
        "mixed. Go back to what it was, or run a new campaign."
    )


def _go_on(
    plan: Plan,
    folder: Path,
    executor: Executor,
    *,
    timed: bool,
    export_worlds: bool | None,
    progress: Watch | None,
) -> Campaigned:
    begin = perf_counter()
    _make_traces_folder(folder)
    do = _do_all if plan.fuzzing is None else _search
    with _until_ctrl_c() as stop:
        tally = do(plan, folder, executor, timed=timed, stop=stop, progress=progress)
    wall_s = perf_counter() - begin
    results = load(folder)
    if not tally.interrupted:
        write_scenario_files(results, every=export_worlds, budget_s=0.03 * wall_s)
    return Campaigned(
        results=results,
        executed=tally.executed,
        wall_s=wall_s,
        interrupted=tally.interrupted,
        simulated_s=tally.simulated_s,
        seconds=tally.seconds,
        ended=tally.ended,
    )


def _do_all(
    plan: Plan, folder: Path, executor: Executor, *, timed: bool, stop: threading.Event, progress: Watch | None
) -> Tally:
    """Every run that the plan lists and the ledger lacks."""
    tally = Tally()
    with Ledger(folder) as ledger:
        done = load(folder)
        counts = Counter(category(judged.run) for judged in done.runs if judged.run.status is not Status.INVALID)
        if done.runs and nothing_missing(done):
            if progress is not None:
                progress(Progress(len(done.runs), len(done.runs), len(done.runs), counts))
            return tally
        scenarios = plan_scenarios(plan, find_study(plan.study))
        planned = plan_runs(plan, scenarios, version=rig_version())
        ledger.add_scenarios(scenarios)
        settled = ledger.settled()
        missing = [run for run in planned if run.id not in settled]
        before = len(planned) - len(missing)
        if progress is not None:
            progress(Progress(before, len(planned), before, counts))
        for batch in executor.run(tasks_of(plan, missing, folder, timed=timed), stop.is_set):
            _commit(ledger, batch, tally.seconds)
            tally.executed += len(batch)
            tally.simulated_s += sum(finished.judged.run.simulated_s for finished in batch)
            counts.update(category(finished.judged.run) for finished in batch)
            if progress is not None:
                progress(Progress(before + tally.executed, len(planned), before, counts))
    tally.interrupted = tally.executed < len(missing)
    return tally


def _search(
    plan: Plan, folder: Path, executor: Executor, *, timed: bool, stop: threading.Event, progress: Watch | None
) -> Tally:
    """Ask and tell until the search ends, then keep the traces of its front if that is wanted."""
    assert plan.fuzzing is not None
    space = read_own_space(folder, plan)
    seconds = None if plan.fuzzing.tests else campaign_of(space, plan.fuzzing.campaign).termination.seconds
    with Ledger(folder) as ledger:
        search = Search(
            plan, space, find_study(plan.study), load(folder), ledger, executor,
            timed=timed, stop=stop, progress=progress,
        )  # fmt: skip
        tally = search.run(seconds)
        if plan.keep == Keep.FRONT and not tally.interrupted:
            tally.interrupted = not keep_front(plan, space, load(folder), ledger, executor, stop)
    return tally


def _commit(ledger: Ledger, batch: list[Finished], seconds: dict[str, float]) -> None:
    stored = [finished for finished in batch if finished.recorded]
    begin = perf_counter()
    if stored:
        ledger.add_runs(finished.judged for finished in stored)
    for finished in stored:
        for part, spent in finished.seconds.items():
            seconds[part] = seconds.get(part, 0.0) + spent
    if any(finished.seconds for finished in stored):
        seconds["store"] = seconds.get("store", 0.0) + perf_counter() - begin
    for finished in batch:
        finished.check()


def make_executor(
    study: str, *, jobs: int | None = None, run_timeout_s: float = RUN_TIMEOUT_S, in_process: bool = False
) -> Executor:
    """Workers for the runs of a study: ``jobs`` processes, by default one a core."""
    if jobs is not None and jobs < 1:
        raise InputError(f"A campaign needs at least one worker process, got jobs={jobs}.")
    if jobs is not None and jobs > MOST_JOBS:
        raise InputError(f"Too many worker processes, got jobs={jobs}, wanted at most {MOST_JOBS}: best is one a core.")
    if not run_timeout_s > 0.0:
        raise InputError(f"The time limit of a run must be positive, got {run_timeout_s!r} s.")
    if in_process:
        return InProcessExecutor()
    workers = jobs or len(os.sched_getaffinity(0))
    return LocalExecutor(jobs=workers, run_timeout_s=run_timeout_s, preload=modules_of(study))


def _make_traces_folder(folder: Path) -> None:
    make_folder(folder / TRACES)
    remove_temporary(folder / TRACES)  # left by a killed worker; the lock says that no one else writes here


@contextmanager
def _workers(
    shared: Executor | None, plan: Plan, jobs: int | None, run_timeout_s: float, in_process: bool
) -> Iterator[Executor]:
    """Workers of our own, ended afterwards, unless some are shared."""
    executor = shared or make_executor(plan.study, jobs=jobs, run_timeout_s=run_timeout_s, in_process=in_process)
    try:
        yield executor
    finally:
        if shared is None:
            executor.close()


@contextmanager
def _until_ctrl_c() -> Iterator[threading.Event]:
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
