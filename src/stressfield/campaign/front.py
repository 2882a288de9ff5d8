"""The tests of a search that no other is better than: what was measured of them, and recordings of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from stressfield.campaign.ledger import Ledger, TestRecord
from stressfield.campaign.results import Results
from stressfield.errors import RigError, StoreError
from stressfield.run import JudgedRun
from stressfield.search import Candidate, Evaluated, Objectives, OfSpace, front
from stressfield.search.front import Box, enough_repeats, noise_aware_front

if TYPE_CHECKING:  # whoever only reads a front needs no workers
    from stressfield.workers import Executor

CHUNK = 500
"""Points that are compared each with each at once."""
WATCHING = 20.0
"""After the hypervolume was computed for whoever watches, so many times as long nothing is computed for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A test and its objectives: medians over repeats, ``vector`` turned so that low is wanted."""

    test: TestRecord
    values: tuple[float, ...]
    vector: tuple[float, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """What a search was after and what it found."""

    objectives: Objectives
    scored: tuple[Scored, ...]
    """Every test whose objectives were all measured in enough repeats, in the order of evaluation."""
    unscored: tuple[TestRecord, ...]
    """Tests that were evaluated without giving all objectives: invalid, crashed, or measured too seldom."""
    front: tuple[Scored, ...]
    """Those that no other beats beyond noise; of the same test proposed twice, the first."""


def searched(results: Results) -> Searched | None:
    """The front of a search; None if it looked for nothing."""
    kind, space = results.plan.strategy, results.space
    objectives = kind.objectives(space) if isinstance(kind, OfSpace) and space is not None else None
    if objectives is None:
        return None
    runs: dict[str, list[JudgedRun]] = {}
    for judged in results.runs:
        runs.setdefault(judged.run.scenario_id, []).append(judged)
    enough = enough_repeats(results.plan.repeats)
    measured = {name: samples(found) for name, found in runs.items()}
    scored, unscored = [], []
    for test in results.tests:
        values = measured.get(test.scenario_id, {})
        vector = objectives.vector(values)
        if vector is None or objectives.measured(values) < enough:
            unscored.append(test)
        else:
            scored.append(Scored(test=test, values=objectives.shown(vector), vector=vector))
    first: dict[str, Scored] = {}
    for found in scored:
        first.setdefault(found.test.scenario_id, found)
    different = list(first.values())
    if results.plan.repeats == 1:
        best: Sequence[int] = front_of([found.vector for found in different])
    else:
        turned = [_turned(objectives, measured[found.test.scenario_id]) for found in different]
        best = noise_aware_front(turned, least_repeats=enough)
    return Searched(
        objectives=objectives,
        scored=tuple(scored),
        unscored=tuple(unscored),
        front=tuple(different[at] for at in best),
    )


def _turned(objectives: Objectives, measured: Mapping[str, Sequence[float]]) -> list[list[float]]:
    pairs = zip(objectives.names, objectives.highest, strict=True)
    return [[-value if high else value for value in measured[name]] for name, high in pairs]


def front_of(vectors: Sequence[tuple[float, ...]]) -> list[int]:
    """Places of those that no other dominates; many are compared in chunks, which gives the same."""
    kept: list[int] = []
    for start in range(0, len(vectors), CHUNK):
        places = [*kept, *range(start, min(start + CHUNK, len(vectors)))]
        kept = [places[at] for at in front([vectors[place] for place in places])]
    return kept


def joined(before: NDArray[np.float64] | None, vectors: Sequence[tuple[float, ...]]) -> NDArray[np.float64] | None:
    """The front of an earlier front and a few new vectors. Equal ones are on it together."""
    if not vectors:
        return before
    new = np.array(vectors)[list(front(vectors))]
    if before is None:
        return new
    no_higher: NDArray[np.bool_] = np.all(before[:, None, :] <= new[None, :, :], axis=2)
    no_lower: NDArray[np.bool_] = np.all(before[:, None, :] >= new[None, :, :], axis=2)
    kept, added = ~np.any(no_lower & ~no_higher, axis=1), ~np.any(no_higher & ~no_lower, axis=0)
    return np.concatenate((before[kept], new[added]))


class GrowingFront:
    """What is on the front so far, for whoever watches."""

    def __init__(self) -> None:
        self._vectors: NDArray[np.float64] | None = None
        self._box: Box | None = None
        self._volume = 0.0
        self._stale = False
        self._again_s = 0.0
        self.note = ""

    def grow(self, found: Sequence[tuple[float, ...] | None]) -> None:
        """The front with what was found, and its hypervolume: a share of the box of all values so far."""
        vectors = [vector for vector in found if vector is not None]
        if not vectors:
            return
        before, box = self._vectors, self._box
        self._vectors = now = joined(before, vectors)
        self._box = Box.of(vectors if box is None else [*vectors, box.low, box.high])
        assert now is not None
        self._stale |= self._box != box or before is None or not np.array_equal(before, now)
        # A volume costs the square of the front's size. To watch a search may cost a twentieth of it: the front is
        # always the latest, its volume may be that of some generations ago.
        begin_s = perf_counter()
        if self._stale and begin_s >= self._again_s:
            self._volume, self._stale = self._box.share([tuple(row) for row in now.tolist()]), False
            end_s = perf_counter()
            self._again_s = end_s + WATCHING * (end_s - begin_s)
        self.note = f", front {len(now)}, hypervolume {self._volume:.2f}"


def samples(runs: Sequence[JudgedRun]) -> Mapping[str, tuple[float, ...]]:
    """What was measured in the judged repeats of a test, by name; names in order, so that it is told alike always."""
    if len(runs) == 1:
        metrics = runs[0].metrics
        return {name: (metrics[name],) for name in sorted(metrics)}
    found: dict[str, list[float]] = {}
    for judged in sorted(runs, key=lambda judged: judged.run.repeat):
        for name, value in judged.metrics.items():
            found.setdefault(name, []).append(value)
    return {name: tuple(found[name]) for name in sorted(found)}


def evaluated(candidate: Candidate, runs: Sequence[JudgedRun]) -> Evaluated:
    """What a strategy is told of a candidate. The caller has left out invalid runs."""
    ordered = sorted(runs, key=lambda judged: judged.run.repeat)
    margins: dict[str, float] = {}
    for judged in ordered:
        for verdict in judged.verdicts:
            if verdict.margin is not None:
                margins[verdict.property] = min(verdict.margin, margins.get(verdict.property, verdict.margin))
    outcomes = tuple(judged.run.outcome for judged in ordered if judged.run.outcome is not None)
    return Evaluated(candidate, outcomes, margins, samples(ordered))


def keep_front(results: Results, ledger: Ledger, executor: Executor, stop: Callable[[], bool]) -> bool:
    """Run the tests on the front again to keep their traces; False if that was stopped.

    Runs are deterministic: one that comes out differently is trouble of the rig, and nothing is kept of it.
    """
    found = searched(results)
    tests: set[str] = set() if found is None else {scored.test.scenario_id for scored in found.front}
    stored = {
        judged.run.id: judged.run
        for judged in results.runs
        if judged.run.scenario_id in tests and judged.run.trace_file is None and judged.run.status.judged
    }
    plan = replace(results.plan, keep="all")
    runs = [results.planned_of(run) for run in stored.values()]
    folder, differing, left = Path(results.folder), [], len(runs)
    for batch in executor.run(plan.tasks(runs, plan.traces_in(folder), space=results.space), stop):
        for finished in batch:
            run, left = finished.judged.run, left - 1
            if finished.store_trouble:
                raise StoreError(finished.store_trouble)
            if run.trace_file is not None and run.digest == stored[run.id].digest:
                ledger.keep_trace(run.id, run.trace_file)
                continue
            differing.append(run.id)
            if run.trace_file is not None and not plan.storage:
                (folder / run.trace_file).unlink(missing_ok=True)
    if differing:
        raise RigError(
            f"{len(differing)} runs of the front came out differently when they were done again to be recorded, for "
            f"instance {differing[0]}: the study is not deterministic. All results are kept, without these recordings."
        )
    return left == 0
