"""What became of each mutant, and the score of the tests: of the faults that matter, how many they see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import isfinite
from statistics import fmean
from types import MappingProxyType

from stressfield.analysis import Summary, compare
from stressfield.campaign import Plan, Results
from stressfield.mutation.mutant import Mutant
from stressfield.oracle import Outcome
from stressfield.oracle.oracle import HANG
from stressfield.run import JudgedRun, Status

TENTH = 0.10
"""A mean that changed by at least this share of itself is a change that matters."""
SMALLEST = 0.01
"""Means are compared with at least so much (in their own unit), so that a margin near zero does not change by a
thousand percent when it changes by a millimetre."""
MISSION_TIME = "mission time"
REFUSED = "refused"


class Fate(StrEnum):
    """What became of a mutant."""

    KILLED = "killed by verdict"
    COMPARED = "seen by comparison"
    UNSEEN = "changed but unseen"
    EQUIVALENT = "equivalent"


@dataclass(frozen=True, slots=True)
class MeanChange:
    """A margin or the mission time, as mean over the worlds."""

    name: str
    before: float
    after: float
    unit: str
    usual: tuple[float, float] = (0.0, 0.0)
    """Between these shares it changes when only the run seed is another one: see :func:`usual_changes`."""

    @property
    def share(self) -> float:
        """How much it changed, as a share of what it was."""
        return (self.after - self.before) / max(abs(self.before), SMALLEST)

    @property
    def matters(self) -> bool:
        """Whether it changed by a tenth or more, and by more than chance alone changed it in any control."""
        return self.large and not self.usual[0] <= self.share <= self.usual[1]

    @property
    def large(self) -> bool:
        """Whether it changed by a tenth or more, by chance or not."""
        return abs(self.share) >= TENTH

    @property
    def worse(self) -> bool:
        """Whether it did so for the worse: a smaller margin, or another mission time.

        A mission that is shorter may have been given up: nobody should take it for a better one.
        """
        return self.matters and (self.share < 0.0 or self.name == MISSION_TIME)


@dataclass(frozen=True, slots=True, kw_only=True)
class MutantResult:
    """One mutant beside the unmutated build, in the same runs."""

    mutant: Mutant
    fate: Fate
    compared: bool
    """Whether ``compare`` says that it is worse beyond noise."""
    killers: dict[str, int]
    """Runs that failed and had passed before, by property; ``crash``, ``hang`` and ``refused`` beside them."""
    changes: tuple[MeanChange, ...]
    """Margins and mission time, the greatest change first."""
    ends: dict[str, int]
    """Runs that ended otherwise than before: ``completed -> timeout``."""
    ended_worse: int
    """Those of them that did not complete any more."""
    changed_runs: int
    runs: int
    example: str = ""
    """The run that changed most; empty if none changed."""

    @property
    def meaningful(self) -> bool:
        """Whether a margin or the mission time changed by a tenth and beyond chance, or a run ended otherwise."""
        return bool(self.ends) or any(change.matters for change in self.changes)

    @property
    def large(self) -> bool:
        """The same, whether other run seeds change as much or not."""
        return bool(self.ends) or any(change.large for change in self.changes)

    @property
    def harmful(self) -> bool:
        """Whether it changed for the worse in one of them."""
        return bool(self.ended_worse) or any(change.worse for change in self.changes)

    @property
    def seen(self) -> bool:
        """By verdict or by comparison."""
        return self.fate in {Fate.KILLED, Fate.COMPARED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarms:
    """The unmutated build against itself, with other run seeds: whatever is seen there is false."""

    runs: int
    """Runs in worlds that the build passed."""
    failed: int
    campaigns: int
    worse: int
    """Campaigns that ``compare`` calls worse."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Everything that a programme of mutants says."""

    study: str
    plan: Plan
    """Of the unmutated build."""
    seed: int
    """Of the faults."""
    folder: str
    places: int
    """Where a fault could have been planted."""
    left_out: int
    """Runs that the unmutated build fails: verdicts on them say nothing of a mutant."""
    results: tuple[MutantResult, ...]
    alarms: Alarms

    @property
    def meaningful(self) -> tuple[MutantResult, ...]:
        """Mutants whose behaviour changed so that it matters."""
        return tuple(result for result in self.results if result.meaningful)

    @property
    def by_verdict(self) -> float | None:
        """Of the meaningful ones, the share that verdicts alone see; None if there is none."""
        return _share(result.fate is Fate.KILLED for result in self.meaningful)

    @property
    def by_both(self) -> float | None:
        """Of the meaningful ones, the share that verdicts or the comparison see."""
        return _share(result.seen for result in self.meaningful)

    @property
    def large(self) -> tuple[MutantResult, ...]:
        """Those, and such as changed no more than other run seeds change the unmutated build."""
        return tuple(result for result in self.results if result.large)

    @property
    def large_by_verdict(self) -> float | None:
        """Of all that changed by a tenth, by chance or not, the share that verdicts alone see."""
        return _share(result.fate is Fate.KILLED for result in self.large)

    @property
    def large_by_both(self) -> float | None:
        """Of all that changed by a tenth, by chance or not, the share that verdicts or the comparison see."""
        return _share(result.seen for result in self.large)

    @property
    def harmful(self) -> tuple[MutantResult, ...]:
        """Those of them that changed for the worse."""
        return tuple(result for result in self.results if result.harmful)

    @property
    def harmful_by_verdict(self) -> float | None:
        """Of the harmful ones, the share that verdicts alone see."""
        return _share(result.fate is Fate.KILLED for result in self.harmful)

    @property
    def harmful_by_both(self) -> float | None:
        """Of the harmful ones, the share that verdicts or the comparison see."""
        return _share(result.seen for result in self.harmful)

    @property
    def survivors(self) -> tuple[MutantResult, ...]:
        """Changed but unseen: first those that are worse, then others that matter."""
        unseen = [result for result in self.results if result.fate is Fate.UNSEEN]
        return tuple(
            sorted(unseen, key=lambda result: (not result.harmful, not result.meaningful, result.mutant.number))
        )

    @property
    def killers(self) -> tuple[Killer, ...]:
        """What kills mutants, those first that kill most."""
        most = Counter(name for result in self.results for name in result.killers)
        alone = Counter(next(iter(result.killers)) for result in self.results if len(result.killers) == 1)
        return tuple(Killer(name, count, alone[name]) for name, count in most.most_common())

    def groups(self, key: Callable[[Mutant], str]) -> tuple[MutantGroup, ...]:
        """Mutants of one kind together, the largest group first."""
        found: dict[str, list[MutantResult]] = {}
        for result in self.results:
            found.setdefault(key(result.mutant), []).append(result)
        ordered = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
        return tuple(MutantGroup(name, tuple(results)) for name, results in ordered)


@dataclass(frozen=True, slots=True)
class Killer:
    """A property (or ``crash``, ``hang``), the mutants that it kills, and those that nothing else kills."""

    name: str
    mutants: int
    alone: int


@dataclass(frozen=True, slots=True)
class MutantGroup:
    """Mutants of one kind."""

    name: str
    results: tuple[MutantResult, ...]

    @property
    def meaningful(self) -> int:
        """Those that matter."""
        return sum(result.meaningful for result in self.results)

    @property
    def killed(self) -> int:
        """Of those that matter, the ones that verdicts see."""
        return sum(result.meaningful and result.fate is Fate.KILLED for result in self.results)

    @property
    def seen(self) -> int:
        """Of those that matter, the ones that verdicts or the comparison see."""
        return sum(result.meaningful and result.seen for result in self.results)


def _share(flags: Iterable[bool]) -> float | None:
    given = list(flags)
    return sum(given) / len(given) if given else None


Usual = Mapping[str, tuple[float, float]]
"""By how much of itself each margin and the mission time change by chance: least and greatest share."""


def result_of(
    mutant: Mutant, baseline: Summary, summary: Summary, usual: Usual, *, whole: Summary | None = None
) -> MutantResult:
    """What became of a mutant, from its campaign and that of the unmutated build.

    The comparison is with the ``whole`` of the unmutated build, controls included: these tell it what is chance.
    """
    before = {(judged.run.scenario_id, judged.run.seed): judged for judged in baseline.results.runs}
    pairs = [
        (before[key], judged)
        for judged in summary.results.runs
        if (key := (judged.run.scenario_id, judged.run.seed)) in before
    ]
    return classified(mutant, pairs, compared=worse(whole or baseline, summary), usual=usual)


def usual_changes(baseline: Summary, controls: Sequence[Summary]) -> Usual:
    """How far other run seeds move the means of the unmutated build: a mutant that moves them no farther did not."""
    before = {(judged.run.scenario_id, judged.run.repeat): judged for judged in baseline.results.runs}
    found: dict[str, tuple[float, float]] = {}
    for control in controls:
        pairs = [
            (before[key], judged)
            for judged in control.results.runs
            if (key := (judged.run.scenario_id, judged.run.repeat)) in before
        ]
        for change in _changes(pairs):
            low, high = found.get(change.name, (0.0, 0.0))
            found[change.name] = min(low, change.share), max(high, change.share)
    return found


Pair = tuple[JudgedRun, JudgedRun]
"""The same run of the unmutated build and of a mutant."""


def classified(
    mutant: Mutant, pairs: Sequence[Pair], *, compared: bool, usual: Usual = MappingProxyType({})
) -> MutantResult:
    """What became of a mutant. Runs that the unmutated build fails say nothing of it, and are left out of verdicts."""
    killers: Counter[str] = Counter()
    ends: Counter[str] = Counter()
    for was, now in pairs:
        if not _killers(was):
            killers.update(_killers(now))
        if _end(was) != _end(now):
            ends[f"{_end(was)} -> {_end(now)}"] += 1
    changed_runs = sum(map(_differ, pairs))
    compared = compared and bool(changed_runs)
    return MutantResult(
        mutant=mutant,
        fate=_fate(killed=bool(killers), compared=compared, changed=bool(changed_runs)),
        compared=compared,
        killers=dict(killers.most_common()),
        changes=tuple(sorted(_changes(pairs, usual), key=lambda change: -abs(change.share))),
        ends=dict(ends.most_common()),
        ended_worse=sum(_end(was) == Status.COMPLETED.value != _end(now) for was, now in pairs),
        changed_runs=changed_runs,
        runs=len(pairs),
        example=_example(pairs),
    )


def _differ(pair: Pair) -> bool:
    was, now = pair
    return was.run.digest != now.run.digest or _end(was) != _end(now)


def _example(pairs: Sequence[Pair]) -> str:
    """The run to look at: one that ends otherwise, or else the one with the greatest change."""

    def much(pair: Pair) -> tuple[bool, bool, float]:
        was, now = pair
        greatest = max((abs(change.share) for change in _changes([pair])), default=0.0)
        return bool(_killers(now)) and not _killers(was), _end(was) != _end(now), greatest

    changed = [pair for pair in pairs if _differ(pair)]
    return max(changed, key=much)[1].run.id if changed else ""


def refused(mutant: Mutant, why: str, runs: int) -> MutantResult:
    """A mutant whose campaign could not be run at all: whoever runs it is told so."""
    return MutantResult(
        mutant=mutant,
        fate=Fate.KILLED,
        compared=False,
        killers={REFUSED: runs},
        changes=(),
        ends={f"all -> refused: {why}"[:200]: runs},
        ended_worse=runs,
        changed_runs=runs,
        runs=runs,
    )


def _fate(*, killed: bool, compared: bool, changed: bool) -> Fate:
    if killed:
        return Fate.KILLED
    if compared:
        return Fate.COMPARED
    return Fate.UNSEEN if changed else Fate.EQUIVALENT


def worse(baseline: Summary, summary: Summary) -> bool:
    """What ``stressfield compare`` says: worse beyond noise."""
    return compare(baseline, summary).worse


def failing_runs(baseline: Summary) -> int:
    """Runs that the unmutated build fails, crashes or hangs in."""
    return sum(bool(_killers(judged)) for judged in baseline.results.runs)


def alarms(baseline: Summary, controls: Sequence[Summary], others: Sequence[Summary]) -> Alarms:
    """How often the unmutated build is said to be worse than itself: each control against all ``others`` but itself."""
    passed = {judged.run.scenario_id for judged in baseline.results.runs if not _killers(judged)}
    runs = [judged for control in controls for judged in control.results.runs if judged.run.scenario_id in passed]
    return Alarms(
        runs=len(runs),
        failed=sum(bool(_killers(judged)) for judged in runs),
        campaigns=len(controls),
        worse=sum(worse(other, control) for other, control in zip(others, controls, strict=True)),
    )


def repeats_of(results: Results, first: int, count: int) -> Results:
    """The results of some repeats alone, as if they had been a campaign; repeats are counted from zero again."""
    runs = tuple(
        replace(judged, run=replace(judged.run, repeat=judged.run.repeat - first))
        for judged in results.runs
        if first <= judged.run.repeat < first + count
    )
    return replace(results, runs=runs, plan=replace(results.plan, repeats=count))


def without_repeats(results: Results, first: int, count: int) -> Results:
    """The results of all other repeats, likewise."""
    kept = [judged for judged in results.runs if not first <= judged.run.repeat < first + count]
    late = {judged.run.id: judged.run.repeat - count for judged in kept if judged.run.repeat >= first}
    runs = tuple(
        replace(judged, run=replace(judged.run, repeat=late.get(judged.run.id, judged.run.repeat))) for judged in kept
    )
    return replace(results, runs=runs, plan=replace(results.plan, repeats=results.plan.repeats - count))


def _end(judged: JudgedRun) -> str:
    return HANG if judged.run.broke == HANG else judged.run.status.value


def _killers(judged: JudgedRun) -> set[str]:
    """What condemns a run: the properties that fail, or its end."""
    if judged.run.broke is not None:
        return {judged.run.broke}
    return {verdict.property for verdict in judged.verdicts if verdict.outcome is Outcome.FAIL}


def _changes(pairs: Sequence[Pair], usual: Usual = MappingProxyType({})) -> Iterator[MeanChange]:
    judged = [(was, now) for was, now in pairs if was.run.status.judged and now.run.status.judged and not now.run.broke]
    if not judged:
        return
    yield MeanChange(
        MISSION_TIME,
        fmean(was.run.simulated_s for was, _ in judged),
        fmean(now.run.simulated_s for _, now in judged),
        "s",
        usual.get(MISSION_TIME, (0.0, 0.0)),
    )
    margins: dict[str, list[tuple[float, float]]] = {}
    units: dict[str, str] = {}
    for was, now in judged:
        others = {verdict.property: verdict for verdict in now.verdicts}
        for verdict in was.verdicts:
            other = others.get(verdict.property)
            if other is None or verdict.margin is None or other.margin is None:
                continue
            if isfinite(verdict.margin) and isfinite(other.margin):
                margins.setdefault(verdict.property, []).append((verdict.margin, other.margin))
                units[verdict.property] = verdict.unit
    for name, values in margins.items():
        before, after = fmean(a for a, _ in values), fmean(b for _, b in values)
        yield MeanChange(name, before, after, units[name], usual.get(name, (0.0, 0.0)))
