"""What workers are told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from stressfield.campaign.files import TRACES
from stressfield.campaign.plan import PlannedRun
from stressfield.campaign.records import Plan
from stressfield.fuzz.search import Metric
from stressfield.provenance import rig_version
from stressfield.run import Task


def tasks_of(
    plan: Plan,
    runs: Iterable[PlannedRun],
    folder: Path,
    *,
    timed: bool = False,
    measures: tuple[Metric, ...] | None = None,
) -> Iterator[Task]:
    """A task for each run. ``measures``: metrics that a testing space reads from topics; None if nothing is fuzzed."""
    version, traces = rig_version(), str((folder / TRACES).absolute())
    for run in runs:
        yield Task(
            study=plan.study,
            build=plan.build,
            scenario=run.scenario,
            options=plan.options,
            run_id=run.id,
            repeat=run.repeat,
            seed=run.seed,
            version=version,
            keep=plan.keep,
            include=plan.include,
            exclude=plan.exclude,
            traces=traces,
            timed=timed,
            simulator=plan.simulator,
            limit_s=plan.limit_s,
            measures=measures,
        )
