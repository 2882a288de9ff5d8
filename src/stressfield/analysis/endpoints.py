"""What two campaigns are compared by, one endpoint at a time: its values by world, and whether they differ by chance.

Campaigns that share worlds are compared in those: runs of one run seed pair by pair if all have a partner, otherwise
the runs of a world are dealt anew within it, as many as there are on either side. So a baseline that was run often
tells how much chance there is in each world, and a candidate that was run once is held against that. Campaigns of other
worlds are compared world by world, each the mean of as many repeats. Two campaigns of one build are exchangeable in
each of these ways, whatever noise there is, and so the tests are exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean

import numpy as np

from stressfield.analysis.exact_tests import (
    Shuffles,
    deals,
    fisher,
    mid_ranks,
    redeals,
    signed_ranks,
    smallest_p,
    stratified,
    swaps,
)
from stressfield.analysis.monitors import MONITOR
from stressfield.analysis.sides import Sides
from stressfield.arrays import Floats
from stressfield.oracle import Outcome
from stressfield.run import JudgedRun, Status
from stressfield.seeds import generator

OUTCOME_SHARE = 0.65
"""Of the level, for the outcome alone: five worlds that fail now and none the other way (p = 1/32) are then enough."""
SMALLEST_SIZE = 0.1
"""Changes in a world are relative to its own values, or to this part of the mean size of all if those are smaller."""
_SAME = 1e-9
"""Values that differ by less, absolutely or relatively, are the same: what is left is rounding."""


class Change(StrEnum):
    """What became of one endpoint. ``changed`` is a difference beyond noise that nobody can call good or bad."""

    WORSE = "worse"
    BETTER = "better"
    CHANGED = "changed"
    SAME = "same"


class EndpointKind(StrEnum):
    """What is compared."""

    OUTCOME = "outcome"
    STATUS = "status"
    TIME = "time"
    MARGIN = "margin"
    FAILS = "fails"
    METRIC = "metric"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldPair:
    """What one endpoint was in one world that both campaigns have, as the mean of its runs."""

    world: int
    """Its number in the baseline."""
    candidate_world: int
    """Its number in the candidate."""
    baseline: float
    candidate: float
    worse_by: float
    """How much worse, relative to the size of the two; negative is better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """One measure of both campaigns: means over worlds, and whether their difference may be chance.

    ``p`` is one-sided, of the difference in the direction seen; of a metric, which may be good or bad, two-sided.
    ``p_adjusted`` allows for all endpoints: called worse below the level, the risk of any false call is the level.
    ``effect`` is the change: of shares the difference, of others relative to their size; positive is worse where that
    is known, else higher.
    """

    name: str
    kind: EndpointKind
    unit: str
    worlds: int
    """Worlds that have it: those of both campaigns, or the sum of different ones."""
    baseline: float
    candidate: float
    method: str
    p: float
    p_adjusted: float
    effect: float
    verdict: Change
    pairs: tuple[WorldPair, ...] = ()
    """Worlds that both campaigns have, the one that got worst first."""


@dataclass(frozen=True, slots=True)
class Measure:
    """One endpoint before it is tested: how a run gives its value, and which way is worse (+1, -1; 0: unknown)."""

    name: str
    kind: EndpointKind
    unit: str
    bad: int
    value: Callable[[JudgedRun], float | None]


def crashed(judged: JudgedRun) -> bool:
    """A run that timed out with trouble to tell hung; one that used up its mission's time did not."""
    status = judged.run.status
    return status is Status.SUBJECT_CRASH or (status is Status.TIMEOUT and bool(judged.run.trouble))


def _outcome(judged: JudgedRun) -> float:
    return float(crashed(judged) or judged.run.outcome is Outcome.FAIL)


def _status(judged: JudgedRun) -> float:
    """A timeout is worse than an end, a crash worse than a timeout."""
    return 2.0 if crashed(judged) else float(judged.run.status is Status.TIMEOUT)


def _time(judged: JudgedRun) -> float | None:
    """A mission that used up its time took at least that long. A crash says nothing about the mission's time."""
    return None if crashed(judged) else judged.run.simulated_s


def _margin(name: str, unit: str) -> Measure:
    def value(judged: JudgedRun) -> float | None:
        return next((item.margin for item in judged.verdicts if item.property == name and item.unit == unit), None)

    return Measure(f"margin of {name}", EndpointKind.MARGIN, unit, -1, value)


def failing(name: str) -> Measure:
    def value(judged: JudgedRun) -> float | None:
        for verdict in judged.verdicts:
            if verdict.property == name and verdict.outcome is not Outcome.INCONCLUSIVE:
                return float(verdict.outcome is Outcome.FAIL)
        return None

    return Measure(name, EndpointKind.FAILS, "", 1, value)


def _metric(name: str) -> Measure:
    return Measure(name, EndpointKind.METRIC, "", 0, lambda judged: judged.metrics.get(name))


OUTCOME = Measure("outcome", EndpointKind.OUTCOME, "", 1, _outcome)


def properties_of(runs: Iterable[JudgedRun]) -> list[str]:
    return list(dict.fromkeys(verdict.property for run in runs for verdict in run.verdicts))


def _measures(runs: Sequence[JudgedRun]) -> list[Measure]:
    """All but the outcome. What is looked at must not depend on who did a run: shuffles must see the same."""
    verdicts = [verdict for run in runs for verdict in run.verdicts]
    units = dict.fromkeys((verdict.property, verdict.unit) for verdict in verdicts if verdict.margin is not None)
    bare = dict.fromkeys(
        verdict.property for verdict in verdicts if verdict.outcome is Outcome.FAIL and verdict.margin is None
    )
    metrics = sorted({name for run in runs for name in run.metrics if not name.startswith(MONITOR)})
    return [
        Measure("run status", EndpointKind.STATUS, "", 1, _status),
        Measure("mission time", EndpointKind.TIME, "s", 1, _time),
        *(_margin(name, unit) for name, unit in units),
        *map(failing, bare),
        *map(_metric, metrics),
    ]


@dataclass(frozen=True, slots=True)
class _Column:
    """One measure by world, NaN where a world has no value; ``scores`` are what shuffles add up, greater is worse.

    Each of the scores is a test by itself, and all are corrected together.
    """

    measure: Measure
    baseline: Floats
    candidate: Floats
    scores: tuple[Floats, ...]
    paired: bool

    @property
    def known(self) -> tuple[Floats, Floats]:
        return self.baseline[np.isfinite(self.baseline)], self.candidate[np.isfinite(self.candidate)]

    @property
    def effect(self) -> float:
        """How much changed; positive is worse, or higher where nobody knows.

        Of shares the difference of means. Of other values the relative change: of worlds that both campaigns have, the
        mean of what changed in each of them; of other worlds, that of the means.
        """
        before, after = self.known
        bad = self.measure.bad or 1
        if self.paired:
            return bad * float(((after - before) / self._sizes(before, after)).mean())
        return bad * float(after.mean() - before.mean()) / float(self._sizes(before, after)[0])

    def changes(self) -> Floats:
        """Of each pair of worlds, how much worse it got; NaN where a world has no value."""
        return (self.measure.bad or 1) * (self.candidate - self.baseline) / self._sizes(self.baseline, self.candidate)

    def _sizes(self, before: Floats, after: Floats) -> Floats:
        """What a change is relative to: how large the values are, whatever their sign."""
        if self.measure.kind in {EndpointKind.OUTCOME, EndpointKind.STATUS, EndpointKind.FAILS}:
            return np.ones(1)
        known = self.known
        mean = float(np.abs(known[0]).mean() + np.abs(known[1]).mean()) / 2 or 1.0
        if not self.paired:
            return np.array([mean])
        # A world whose values are next to nothing must not count as if all of it had changed.
        return np.maximum((np.abs(before) + np.abs(after)) / 2, SMALLEST_SIZE * mean)


def _column(measure: Measure, sides: Sides) -> _Column | None:
    """None if no world, or none of both sides, has a value."""
    before, after = (
        np.array([_mean(measure, world.runs) for world in side]) for side in (sides.baseline, sides.candidate)
    )
    if sides.paired:
        both = np.isfinite(before) & np.isfinite(after)
        before, after = np.where(both, before, np.nan), np.where(both, after, np.nan)
    if not np.isfinite(before).any() or not np.isfinite(after).any():
        return None
    sign = measure.bad or 1
    if not sides.paired:
        values = np.concatenate((before, after))
        known = np.isfinite(values)
        ranks = np.zeros(len(values))
        ranks[known] = mid_ranks(np.round(values[known], 9)) - (known.sum() + 1) / 2
        scores: tuple[Floats, ...] = (ranks,)
    elif sides.twins:
        scores = (_twin_ranks(measure, sides),)
    else:
        scores = _aligned(measure, sides)
    return _Column(measure, before, after, tuple(sign * score for score in scores), sides.paired)


def _twin_ranks(measure: Measure, sides: Sides) -> Floats:
    """Wilcoxon's signed ranks of the differences of pairs of runs."""
    first, second = (np.array([_value(measure, run) for run in runs]) for runs in sides.runs)
    change = second - first
    slack = _SAME * np.maximum(1.0, np.maximum(np.abs(first), np.abs(second)))
    return signed_ranks(np.where(np.isfinite(change) & (np.abs(change) > slack), change, 0.0))


def _aligned(measure: Measure, sides: Sides) -> tuple[Floats, Floats]:
    """Of every run, how far it is from the mean of its world: as a rank among all runs, and as a value.

    Ranks (those of Hodges and Lehmann) see what is worse everywhere; values, what is much worse in a few worlds. Both
    are zero for a run without a value, so that it does not count wherever it is dealt to.
    """
    worlds = [before.runs + after.runs for before, after in zip(sides.baseline, sides.candidate, strict=True)]
    values = np.array([_value(measure, run) for runs in worlds for run in runs])
    place = np.repeat(np.arange(len(worlds)), [len(runs) for runs in worlds])
    known = np.isfinite(values)

    def centred(given: Floats) -> Floats:
        counts = np.maximum(1, np.bincount(place[known], minlength=len(worlds)))
        means = np.bincount(place[known], weights=given[known], minlength=len(worlds)) / counts
        return np.where(known, given - means[place], 0.0)

    distances = centred(values)
    distances[np.abs(distances) <= _SAME * np.maximum(1.0, np.abs(np.where(known, values, 0.0)))] = 0.0
    ranks = np.zeros(len(values))
    size = float(np.abs(distances).max(initial=0.0)) or 1.0
    ranks[known] = mid_ranks(np.round(distances[known] / size, 9))
    share = np.repeat([1 / len(a.runs) + 1 / len(b.runs) for a, b in zip(sides.baseline, sides.candidate, strict=True)],
                      [len(runs) for runs in worlds])  # fmt: skip
    return share * centred(ranks), share * distances


def _value(measure: Measure, run: JudgedRun) -> float:
    value = measure.value(run)
    return np.nan if value is None else value


def _mean(measure: Measure, runs: Sequence[JudgedRun]) -> float:
    values = [value for run in runs if (value := measure.value(run)) is not None]
    return fmean(values) if values else np.nan


def endpoints_of(sides: Sides, alpha: float, effect: float) -> tuple[Endpoint, ...]:
    """The outcome at its share of the level; the others at the rest, or at all of it if the outcome is worse."""
    outcome = _column(OUTCOME, sides)
    if outcome is None:
        return ()
    tested = _tested_outcome(outcome, sides, alpha, effect)
    runs = [run for side in sides.runs for run in side]
    worse_at = tested.p_adjusted if tested.effect > 0.0 else 1.0
    others = endpoints_among(sides, _measures(runs), alpha, effect, gate=worse_at)
    order = {Change.WORSE: 0, Change.CHANGED: 1, Change.BETTER: 2, Change.SAME: 3}
    return (tested, *sorted(others, key=lambda endpoint: (order[endpoint.verdict], endpoint.p_adjusted)))


def _tested_outcome(column: _Column, sides: Sides, alpha: float, effect: float) -> Endpoint:
    before, after = column.known
    if sides.paired:
        greater, less = stratified(list(_failing(sides)))
        method = "McNemar's exact test" if sides.twins else "exact test of Mantel and Haenszel, by world"
    elif set(before.tolist()) | set(after.tolist()) <= {0.0, 1.0}:
        greater = fisher(int(before.sum()), len(before), int(after.sum()), len(after)).p_greater
        less = fisher(int(after.sum()), len(after), int(before.sum()), len(before)).p_greater
        method = "Fisher's exact test of worlds"
    else:
        shuffles = _shuffles(sides)
        values = np.concatenate((before, after))[:, None]
        greater, less = (smallest_p(shuffles, sign * values, two_sided=[False]).p[0] for sign in (1.0, -1.0))
        method = f"worlds dealt anew ({shuffles.words})"
    p = greater if column.effect >= 0.0 else less
    return _endpoint(column, sides, p, min(1.0, p / OUTCOME_SHARE), method, alpha, effect)


def _failing(sides: Sides) -> Iterator[tuple[int, int, int, int]]:
    """Failing runs and runs of both sides: of every pair of runs, or of every world."""
    for before, after in zip(sides.baseline, sides.candidate, strict=True):
        first, second = ([round(_outcome(run)) for run in world.runs] for world in (before, after))
        if sides.twins:
            yield from ((was, 1, now, 1) for was, now in zip(first, second, strict=True))
        else:
            yield sum(first), len(first), sum(second), len(second)


def _shuffles(sides: Sides) -> Shuffles:
    rng = generator("compare", len(sides.baseline), len(sides.candidate))
    if sides.twins:
        return swaps(sum(len(world.runs) for world in sides.baseline), rng)
    if sides.paired:
        counts = zip(sides.baseline, sides.candidate, strict=True)
        return redeals([(len(before.runs), len(after.runs)) for before, after in counts], rng)
    return deals(len(sides.baseline), len(sides.candidate), rng)


def endpoints_among(
    sides: Sides, measures: Sequence[Measure], alpha: float, effect: float, *, gate: float | None = None
) -> tuple[Endpoint, ...]:
    """Three families: worse, better, and changed where nobody knows which; only the first can raise an alarm.

    ``gate`` is the adjusted p-value of an endpoint tested before, whose share of the level the family inherits.
    """
    columns = [column for measure in measures if (column := _column(measure, sides)) is not None]
    if not columns:
        return ()
    shuffles = _shuffles(sides)
    within = "signed ranks of pairs" if sides.twins else "ranks and values within worlds"
    how = f"{within if sides.paired else 'ranks by world'} ({shuffles.words})"
    directed = [column for column in columns if column.measure.bad]
    others = [column for column in columns if not column.measure.bad]
    found: dict[str, Endpoint] = {}
    for family, sign, two_sided in ((directed, 1.0, False), (directed, -1.0, False), (others, 1.0, True)):
        if not family:
            continue
        owners = [place for place, column in enumerate(family) for _ in column.scores]
        scores = np.column_stack([sign * score for column in family for score in column.scores])
        tests = smallest_p(shuffles, scores, two_sided=[two_sided] * len(owners))
        for place, column in enumerate(family):
            ours = [test for test, owner in enumerate(owners) if owner == place]
            p, p_adjusted = (min(values[test] for test in ours) for values in (tests.p, tests.p_adjusted))
            if not two_sided and sign * column.effect < 0.0:
                continue  # the p-value shown is that of the direction seen
            alarm = not two_sided and sign > 0.0
            level = p_adjusted if gate is None or not alarm else _after(gate, p_adjusted)
            key = f"{column.measure.kind} {column.measure.name} {column.measure.unit}"
            found.setdefault(key, _endpoint(column, sides, p, level, how, alpha, effect))
    return tuple(found.values())


def _after(gate: float, p_adjusted: float) -> float:
    """With the share of the level that the first test left; all of it where that one was called, too (fallback)."""
    return min(1.0, p_adjusted / (1.0 - OUTCOME_SHARE), max(gate, p_adjusted))


def _endpoint(
    column: _Column, sides: Sides, p: float, p_adjusted: float, method: str, alpha: float, effect: float
) -> Endpoint:
    before, after = column.known
    measure, size = column.measure, column.effect
    verdict = Change.SAME
    if p_adjusted <= alpha and abs(size) >= effect and size != 0.0:
        if not measure.bad or (measure.kind is EndpointKind.TIME and size < 0.0):
            verdict = Change.CHANGED  # an early end may be a mission given up
        else:
            verdict = Change.WORSE if size > 0.0 else Change.BETTER
    return Endpoint(
        name=measure.name,
        kind=measure.kind,
        unit=measure.unit,
        worlds=len(before) if sides.paired else len(before) + len(after),
        baseline=float(before.mean()),
        candidate=float(after.mean()),
        method=method,
        p=p,
        p_adjusted=p_adjusted,
        effect=size,
        verdict=verdict,
        pairs=_pairs(column, sides),
    )


def _pairs(column: _Column, sides: Sides) -> tuple[WorldPair, ...]:
    if not sides.paired:
        return ()
    values = zip(sides.baseline, sides.candidate, column.baseline, column.candidate, column.changes(), strict=True)
    pairs = [
        WorldPair(
            world=world.number, candidate_world=other.number, baseline=float(before), candidate=float(after),
            worse_by=float(change),
        )
        for world, other, before, after, change in values
        if np.isfinite(before)
    ]  # fmt: skip
    return tuple(sorted(pairs, key=lambda pair: -pair.worse_by))
