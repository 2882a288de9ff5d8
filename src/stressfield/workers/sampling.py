"""Recordings of a few runs of each finding: those that are first in the plan, whoever finished them and when.

Which these are follows from the results alone, so it is the same for every number of workers, in shards and after a
resume. A worker is told of which findings there are enough that come before its run; what it records in vain, because
an earlier run was still under way, is deleted here.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from stressfield._files import store
from stressfield.run import Finished, JudgedRun, Task
from stressfield.trace.keep import FindingKey
from stressfield.workers.executor import Executor, Stop, never

Place = tuple[int, int]
"""Of a run in the plan: its world, and its repeat."""
TOLD_MAX = 64
"""Findings that workers are told of: a property may name a new sub-case in every run."""


def findings_of(judged: JudgedRun) -> tuple[FindingKey, ...]:
    """The findings that a run shows."""
    return tuple((verdict.property, verdict.subcase) for verdict in judged.failures)


class Sample:
    """The first ``most`` runs of each finding, by their places in the plan. They may come in any order."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._first: dict[FindingKey, list[tuple[Place, str]]] = {}

    def add(self, at: Place, judged: JudgedRun) -> bool:
        """Take a run into account; whether it is among the first of a finding by now."""
        wanted = False
        for finding in findings_of(judged):
            first = self._first.setdefault(finding, [])
            entry = (at, judged.run.id)
            if len(first) < self._most or entry <= first[-1]:
                if entry not in first:
                    insort(first, entry)
                    del first[self._most :]
                wanted = True
        return wanted

    def enough(self, at: Place) -> tuple[FindingKey, ...]:
        """Findings of which there are enough before that place."""
        full = (name for name, first in self._first.items() if len(first) == self._most and first[-1][0] < at)
        return tuple(islice(full, TOLD_MAX))

    @property
    def run_ids(self) -> set[str]:
        """All of them."""
        return {name for first in self._first.values() for _, name in first}


class SamplingExecutor:
    """Does runs with another executor, and lets go of recordings of which there are enough."""

    def __init__(self, executor: Executor, sample: Sample) -> None:
        self._executor, self._sample = executor, sample
        self._asked: dict[str, Task] = {}

    @property
    def status(self) -> str:
        """What the other says of its machines."""
        return str(getattr(self._executor, "status", ""))

    def run(self, tasks: Iterable[Task | None], stop: Stop = never) -> Iterator[list[Finished]]:
        """Batches as the other gives them."""
        try:
            for batch in self._executor.run(self._told(tasks), stop):
                yield [self._kept(finished) for finished in batch]
        finally:
            self._asked.clear()

    def close(self) -> None:
        """End the workers of the other."""
        self._executor.close()

    def _told(self, tasks: Iterable[Task | None]) -> Iterator[Task | None]:
        for task in tasks:
            if task is None:  # what comes next depends on runs under way
                yield None
                continue
            self._asked[task.run_id] = task
            yield replace(task, enough=self._sample.enough(_place(task)))

    def _kept(self, finished: Finished) -> Finished:
        judged = finished.judged
        task = self._asked.pop(judged.run.id, None)
        if task is None or not finished.recorded:
            return finished
        if self._sample.add(_place(task), judged) or judged.run.trace_file is None:
            return finished
        remove_trace(task.traces, judged.run.trace_file)
        return replace(finished, judged=replace(judged, run=replace(judged.run, trace_file=None)))


def _place(task: Task) -> Place:
    return task.scenario.index, task.repeat


def remove_trace(traces: str, trace_file: str) -> None:
    """Delete a recording, given where the campaign has them."""
    name = Path(trace_file).name
    if store.is_url(traces):
        store.remove(f"{traces}/{name}")
    else:
        (Path(traces) / name).unlink(missing_ok=True)
