"""Recordings of the tests on the front, made at the end of a search by running them again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from stressfield.campaign.front import searched
from stressfield.campaign.plan import PlannedRun
from stressfield.campaign.records import Plan, Results
from stressfield.campaign.searching import Stop
from stressfield.campaign.store import Ledger
from stressfield.campaign.tasks import tasks_of
from stressfield.errors import RigError, StoreError
from stressfield.fuzz.space import TestingSpace
from stressfield.run._judgement import readable
from stressfield.workers import Executor


def keep_front(
    plan: Plan, space: TestingSpace, results: Results, ledger: Ledger, executor: Executor, stop: Stop
) -> bool:
    """Run the tests on the front again to keep their traces; False if that was stopped.

    Runs are deterministic: one that comes out differently is trouble of the rig, and nothing is kept of it.
    """
    found = searched(results)
    tests: set[str] = set() if found is None else {one.test.scenario_id for one in found.front}
    scenarios = {one.id: one for one in results.scenarios}
    stored = {
        judged.run.id: judged.run
        for judged in results.runs
        if judged.run.scenario_id in tests and judged.run.trace_file is None and judged.run.status.judged
    }
    runs = [
        PlannedRun(id=run.id, scenario=scenarios[run.scenario_id], repeat=run.repeat, seed=run.seed)
        for run in stored.values()
    ]
    folder, differing, left = Path(results.folder), [], len(runs)
    tasks = tasks_of(replace(plan, keep="all"), runs, folder, measures=readable(space.metrics))
    for batch in executor.run(tasks, stop.is_set):
        for finished in batch:
            run, left = finished.judged.run, left - 1
            if finished.store_trouble:
                raise StoreError(finished.store_trouble)
            if run.trace_file is not None and run.digest == stored[run.id].digest:
                ledger.keep_trace(run.id, run.trace_file)
                continue
            differing.append(run.id)
            if run.trace_file is not None:
                (folder / run.trace_file).unlink(missing_ok=True)
    if differing:
        raise RigError(
            f"{len(differing)} runs of the front came out differently when they were done again to be recorded, for "
            f"instance {differing[0]}: the study is not deterministic. All results are kept, without these recordings."
        )
    return left == 0
