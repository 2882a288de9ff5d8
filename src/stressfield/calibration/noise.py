"""The noise floor of a simulator: how far runs drift apart in which nothing was changed, not even the seed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from stressfield.analysis.statistics import Rate, wilson
from stressfield.arrays import Floats
from stressfield.calibration.estimate import CONFIDENCE, DRAWS, ConfidenceInterval, few_rows
from stressfield.campaign import Plan, prepare
from stressfield.errors import InputError, RigError
from stressfield.run import JudgedRun, perform
from stressfield.seeds import generator
from stressfield.trace import Trace, read_trace
from stressfield.trace.truth import Truth

TRACES = "traces"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class NoiseFloor:
    """Of identical runs of each of some worlds. Intervals are over worlds, or over the runs of a single one."""

    study: str
    simulator: str
    worlds: int
    repeats: int
    invalid: int
    """Runs that had to be left out."""
    identical: bool
    """Whether all recordings of a world are the same, bit for bit."""
    apart_m: ConfidenceInterval
    """Largest distance of a robot from itself, at the same time of two runs."""
    apart_s: ConfidenceInterval
    """Between the ends of two runs."""
    verdicts: Rate
    """Verdicts that differ, of all that can be compared."""


@dataclass(frozen=True, slots=True)
class _Pair:
    world: int
    runs: tuple[int, int]
    """Which of the valid ones of this world, the earlier one first."""
    apart_m: float
    apart_s: float
    differing: int
    compared: int


def noise_floor(plan: Plan, *, progress: Callable[[int, int], None] | None = None) -> NoiseFloor:
    """Do every run of a plan as often as it has repeats, each time with the seed of the first.

    RigError if not even two runs of a world are valid.
    """
    if plan.repeats < 2:
        raise InputError(
            f"Identical runs are compared with each other, got {plan.repeats}. Wanted --repeats 2 or more."
        )
    prepared = prepare(plan)
    plan, pairs, invalid, same, trouble = prepared.plan, list[_Pair](), 0, True, ""
    scenarios = prepared.ask()
    total, done = len(scenarios) * plan.repeats, 0
    for world, scenario in enumerate(scenarios):
        with TemporaryDirectory(prefix="stressfield-noise-") as name:
            folder = Path(name) / TRACES
            folder.mkdir()
            valid: list[tuple[JudgedRun, Trace]] = []
            for _ in range(plan.repeats):
                (task,) = plan.tasks([plan.run_of(scenario, 0)], folder)
                finished = perform(task)
                finished.check()
                done += 1
                if progress is not None:
                    progress(done, total)
                judged = finished.judged
                if judged.run.trace_file is None or not judged.run.status.judged:
                    invalid, trouble = invalid + 1, judged.run.trouble or trouble
                    continue
                path = Path(name) / judged.run.trace_file
                valid.append((judged, read_trace(path)))
                path.unlink()
        same = same and len({judged.run.digest for judged, _ in valid}) <= 1
        pairs += [_compared(world, runs, *(valid[run] for run in runs)) for runs in combinations(range(len(valid)), 2)]
    if not pairs:
        raise RigError(f"Not even two runs of a world came to a valid end: {trouble or 'no reason is known'}")
    rng = generator(plan.seed, "noise floor")
    return NoiseFloor(
        study=prepared.study.name, simulator=plan.simulator or next(iter(prepared.study.simulators)),
        worlds=len(scenarios), repeats=plan.repeats, invalid=invalid, identical=same,
        apart_m=_mean(pairs, "apart_m", rng), apart_s=_mean(pairs, "apart_s", rng),
        verdicts=_differing(pairs),
    )  # fmt: skip


def _compared(world: int, runs: tuple[int, int], a: tuple[JudgedRun, Trace], b: tuple[JudgedRun, Trace]) -> _Pair:
    (first, trace), (second, again) = a, b
    far = max((_apart(truth, again.robots[name]) for name, truth in trace.robots.items() if name in again.robots),
              default=0.0)  # fmt: skip
    had = {verdict.property: verdict.outcome for verdict in first.verdicts}
    has = {verdict.property: verdict.outcome for verdict in second.verdicts}
    return _Pair(
        world, runs, far, abs(first.run.simulated_s - second.run.simulated_s),
        sum(had[name] is not has.get(name) for name in had), len(had),
    )  # fmt: skip


def _apart(truth: Truth, other: Truth) -> float:
    """The largest distance at the same time, for as long as both runs last."""
    if not len(truth) or not len(other):
        return 0.0
    end = min(truth.time_s[-1], other.time_s[-1])
    times = truth.time_s[truth.time_s <= end]
    off = [truth.values[: len(times), i] - np.interp(times, other.time_s, other.values[:, i]) for i in range(3)]
    far = np.sqrt(sum(each**2 for each in off))
    return float(np.max(far, initial=0.0))


def _mean(pairs: list[_Pair], field: str, rng: np.random.Generator) -> ConfidenceInterval:
    """The mean of worlds drawn anew; of a single world that of its runs, since pairs share them."""
    values: Floats = np.array([getattr(pair, field) for pair in pairs], np.float64)
    worlds, world = np.unique([pair.world for pair in pairs], return_inverse=True)
    ends = np.array([pair.runs for pair in pairs])
    if len(worlds) > 1:
        units = len(worlds)
        means = np.array([values[world == each].mean() for each in range(units)])
        value, draws = float(means.mean()), means[rng.integers(0, units, (DRAWS, units))].mean(axis=1)
    else:
        units = int(ends.max()) + 1
        times = rng.multinomial(units, np.full(units, 1.0 / units), size=DRAWS)
        weights = (times[:, ends[:, 0]] * times[:, ends[:, 1]]).astype(np.float64)
        weights = weights[weights.any(axis=1)]  # the same run again and again says nothing of a difference
        value, draws = float(values.mean()), weights @ values / weights.sum(axis=1)
        if units == 2 and value > 0.0:
            return ConfidenceInterval(value, 0.0, inf)  # one pair does not tell how much others would differ
    low, high = np.percentile(value + few_rows(units, 1, confidence=CONFIDENCE) * (draws - value), [2.5, 97.5]).tolist()
    return ConfidenceInterval(value, max(0.0, low), high)


def _differing(pairs: list[_Pair]) -> Rate:
    """Of all pairs; its interval is of as many as do not share runs with others: one less than runs of a world."""
    found = wilson(sum(pair.differing for pair in pairs), sum(pair.compared for pair in pairs))
    apart = {world: max(pair.runs[1] for pair in pairs if pair.world == world) for world in {p.world for p in pairs}}
    free = sum(count * next(pair.compared for pair in pairs if pair.world == world) for world, count in apart.items())
    if not free:
        return found
    wide = wilson(found.count / found.total * free, free)
    return replace(found, low=wide.low, high=wide.high)
