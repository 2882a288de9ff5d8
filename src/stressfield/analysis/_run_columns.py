"""What a summary needs of every run, gathered in one pass over the ledger: a few bytes a run, whatever its verdicts."""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from stressfield.analysis.findings import Finding, Groups, VerdictRow
from stressfield.analysis.monitors import MONITOR, MonitorScore, from_metrics, pooled
from stressfield.analysis.statistics import Rate, wilson
from stressfield.arrays import Bytes, Counts, Flags, Floats, Indices
from stressfield.campaign import Results, category, digest
from stressfield.campaign.ledgers.rows import StoredRuns
from stressfield.campaign.results import digested
from stressfield.errors import WorldError
from stressfield.oracle import Outcome, Verdict
from stressfield.oracle.oracle import CRASH, HANG
from stressfield.run import JudgedRun, RunRecord, ScenarioRecord, Status

NO_VERDICT, PASSED, FAILED, INCONCLUSIVE = range(4)
_CODES = {Outcome.PASS: PASSED, Outcome.FAIL: FAILED, Outcome.INCONCLUSIVE: INCONCLUSIVE}
BREAKDOWNS = (CRASH, HANG)


@dataclass(slots=True)
class PropertyColumn:
    """One property over all runs."""

    outcomes: bytearray = field(default_factory=bytearray)
    vacuous: int = 0
    encounters: int | None = None
    """How often what it speaks of occurred; None if it does not count that."""
    subcases: Counter[str] = field(default_factory=Counter)
    """Of failing runs."""


@dataclass(slots=True)
class MetricColumn:
    """One metric over the runs that have it, and how each of these ended."""

    values: array[float] = field(default_factory=lambda: array("d"))
    kinds: bytearray = field(default_factory=bytearray)

    def of_kind(self, kind: int) -> Floats:
        """Its finite values in runs that ended so: a place in ``RunColumns.kinds``."""
        values = np.asarray(self.values, np.float64)
        found: Floats = values[(np.frombuffer(bytes(self.kinds), np.uint8) == kind) & np.isfinite(values)]
        return found


class RunColumns:
    """The runs of a campaign, column by column, in the order of the plan."""

    def __init__(self, results: Results, scenarios: Iterable[ScenarioRecord]) -> None:
        """``scenarios`` are those of the results in the order of the plan."""
        self.scenarios: list[str] = []
        """Ids of the worlds, in the order of the plan."""
        self._lengths = array("q")
        for scenario in scenarios:
            self.scenarios.append(scenario.id)
            self._lengths.append(len(scenario.descriptor))
        self.counts: Counter[str] = Counter()
        self.statuses: Counter[str] = Counter()
        self.crashed = 0
        self.properties: dict[str, PropertyColumn] = {}
        self.on: set[str] = set()
        """Properties that made the outcome of some run."""
        self.metrics: dict[str, MetricColumn] = {}
        self.unmeasured: dict[str, Counter[str]] = {}
        self.monitors: tuple[MonitorScore, ...] = ()
        self.notes: Counter[str] = Counter()
        """Lines that runs said of themselves, and in how many."""
        self._troubled = array("q")
        self.kinds: dict[str, int] = {}
        self._kinds_of_runs = bytearray()
        self._scores: list[MonitorScore] = []
        self.invalid: Counter[tuple[str, bool]] = Counter()
        """Why runs are invalid, and whether a place in the study's code is to blame."""
        self.no_world = True
        """Whether every run is invalid because its world cannot be."""
        self.groups = Groups()
        self._fill(results)

    def _fill(self, results: Results) -> None:
        """One pass: runs in memory in the order of the plan, those of a ledger as they lie there, by rising id."""
        self._known = {name: place for place, name in enumerate(self.scenarios)}
        named, total = len(self.scenarios), hashlib.sha256()
        ids: list[str] = []
        world, repeat, simulated = array("i"), array("i"), array("d")
        failed, flags = array("b"), array("b")
        runs = results.runs
        stored = isinstance(runs, StoredRuns)
        for at, judged in enumerate(runs.by_id() if isinstance(runs, StoredRuns) else self._ordered(runs)):
            if stored:
                total.update(digested(judged))
            run = judged.run
            ids.append(run.id)
            place = self._known.get(run.scenario_id)
            if place is None:  # of a world that nobody told of: it counts as one of its own
                place = self._known[run.scenario_id] = len(self.scenarios)
                self.scenarios.append(run.scenario_id)
                self._lengths.append(0)
            world.append(place)
            repeat.append(run.repeat)
            simulated.append(run.simulated_s)
            failed.append(_failed(judged))
            failing = self._take_verdicts(at, judged, place)
            flags.append(run.status.judged | (run.status is not Status.INVALID) << 1 | failing << 2)
            self._take_words(at, judged)
            if judged.metrics:
                self._take_metrics(judged.metrics)
        self.monitors = pooled(self._scores)
        self.digest = total.hexdigest() if stored else digest(results)
        # Workers finish runs in any order, and what is shown must not depend on it.
        worlds = np.array(world, np.int64)
        first = np.where(worlds < named, worlds, -1)
        self._order: Indices = np.lexsort((np.arange(len(ids)), np.array(repeat, np.int64), first))
        self._planned = np.empty(len(ids), np.int64)
        self._planned[self._order] = np.arange(len(ids))
        self.ids = [ids[place] for place in self._order.tolist()]
        self.world: Counts = worlds[self._order]
        self.failed: NDArray[np.int8] = np.array(failed, np.int8)[self._order]
        """1: it failed, 0: it passed, -1: it has no verdict."""
        marks = np.array(flags, np.int8)[self._order]
        self.judged: Flags = (marks & 1) > 0
        """Whether the oracle may speak of it."""
        self.valid: Flags = (marks & 2) > 0
        self.failing: Flags = (marks & 4) > 0
        """Whether something fails it, a crash included."""
        self.simulated_s = float(sum(np.array(simulated, np.float64)[self._order].tolist()))
        self.repeat: Counts = np.array(repeat, np.int64)[self._order]
        self.kind: Bytes = np.frombuffer(bytes(self._kinds_of_runs), np.uint8)[self._order]
        """How each ended: a place in ``kinds``."""
        self.troubled: Counts = self.places(self._troubled)
        """Places of runs that have a trouble to tell."""

    def _ordered(self, runs: Sequence[JudgedRun]) -> list[JudgedRun]:
        place = self._known
        return sorted(
            runs, key=lambda judged: (place.get(judged.run.scenario_id, -1), judged.run.repeat, judged.run.id)
        )

    def _take_verdicts(self, at: int, judged: JudgedRun, world: int) -> bool:
        """Take in its verdicts; whether it fails."""
        broken = judged.run.broke is not None
        fails = broken
        for verdict in judged.verdicts:
            self.on.add(verdict.property)
            fails |= self._take_verdict(at, verdict)
        for verdict in judged.others:
            self._take_verdict(at, verdict)
        if not fails:
            return False
        self.crashed += broken
        for verdict in judged.failures:
            told = judged.run.trouble if verdict.property in BREAKDOWNS else ""
            row = row_of(judged.run, verdict, told=told)
            self.groups.add(row, at=at, world=world, length=self._lengths[world])
        return True

    def _take_verdict(self, at: int, verdict: Verdict) -> bool:
        column = self.properties.get(verdict.property)
        if column is None:
            column = self.properties[verdict.property] = PropertyColumn()
        outcomes = column.outcomes
        if len(outcomes) < at:
            outcomes.extend(bytes(at - len(outcomes)))
        outcomes.append(_CODES[verdict.outcome])
        if verdict.vacuous:
            column.vacuous += 1
        if verdict.encounters is not None:
            column.encounters = (column.encounters or 0) + verdict.encounters
        if verdict.outcome is not Outcome.FAIL:
            return False
        column.subcases[verdict.subcase or ""] += 1
        return True

    def _take_metrics(self, metrics: Mapping[str, float]) -> None:
        if any(name.startswith(MONITOR) for name in metrics):
            self._scores += from_metrics(metrics)
        ended = self._kinds_of_runs[-1]
        for name, value in metrics.items():
            if not name.startswith(MONITOR):
                column = self.metrics.get(name)
                if column is None:
                    column = self.metrics[name] = MetricColumn()
                column.values.append(value)
                column.kinds.append(ended)

    def _take_words(self, at: int, judged: JudgedRun) -> None:
        """Counts, and what it says of itself."""
        run, kind = judged.run, category(judged.run)
        self.counts[kind] += 1
        self._kinds_of_runs.append(self.kinds.setdefault(kind, len(self.kinds)))
        self.statuses[run.status.value] += 1
        if run.notes:
            self.notes.update(run.notes.splitlines())
        for name, reason in judged.unmeasured.items():
            self.unmeasured.setdefault(name, Counter())[reason] += 1
        if run.trouble:
            self._troubled.append(at)
        if run.status is Status.INVALID:
            self.invalid[run.trouble, run.crash is not None and bool(run.crash.place)] += 1
            self.no_world &= run.crash is not None and run.crash.kind == WorldError.__name__
        else:
            self.no_world = False

    def __len__(self) -> int:
        return len(self.ids)

    def places(self, at: Sequence[int]) -> Counts:
        """Where runs are in the order of the plan, given when they came."""
        found: Counts = np.sort(self._planned[np.asarray(at, np.int64)])
        return found

    def outcomes(self, name: str) -> Bytes:
        """Of a property, for every run; see ``NO_VERDICT`` and the others."""
        column = self.properties.get(name)
        codes = b"" if column is None else bytes(column.outcomes)
        return np.frombuffer(codes.ljust(len(self), b"\0"), np.uint8)[self._order]

    def shares(self, among: Flags, failing: Flags) -> tuple[Indices, Floats]:
        """Worlds that have runs ``among`` these, and the share of them that are ``failing``."""
        runs = np.bincount(self.world[among], minlength=len(self.scenarios))
        fails = np.bincount(self.world[among & failing], minlength=len(self.scenarios))
        there = np.flatnonzero(runs)
        return there, fails[there] / runs[there]

    def rate(self, among: Flags, failing: Flags) -> Rate:
        """The failing share, with an interval that takes each world as one unit: its repeats are alike."""
        shares = self.shares(among, failing)[1].tolist()
        return wilson(min(sum(shares), len(shares)), len(shares))

    def endings(self, places: Indices | Counts) -> list[str]:
        """How runs ended: pass, fail, inconclusive, subject_crash, hang, invalid."""
        words = list(self.kinds)
        return [words[code] for code in self.kind[places].tolist()]

    @cached_property
    def by_world(self) -> Indices:
        """Places of runs, world by world."""
        return np.argsort(self.world, kind="stable")

    @cached_property
    def bounds(self) -> Counts:
        """Where the runs of each world begin in ``by_world``, and, one further, where they end."""
        return np.searchsorted(self.world[self.by_world], np.arange(len(self.scenarios) + 1))

    def runs_of(self, world: int) -> Indices:
        """Places of the runs of a world."""
        return self.by_world[self.bounds[world] : self.bounds[world + 1]]

    def verdicts_by_world(self) -> dict[str, list[bool | None]]:
        """Of every world its runs in the order of repeats: True failed, False passed, None has no verdict."""
        told = [(None, False, True)[code + 1] for code in self.failed[self.by_world].tolist()]
        bounds = self.bounds.tolist()
        return {name: told[bounds[at] : bounds[at + 1]] for at, name in enumerate(self.scenarios)}

    def showing(self, property_: str, subcase: str | None) -> Flags:
        """Which runs show a finding."""
        found = np.zeros(len(self), bool)
        found[self.places(self.groups.at(property_, subcase))] = True
        return found

    def run_ids(self, property_: str, subcase: str | None) -> tuple[str, ...]:
        """The runs that show a finding, in the order of the plan."""
        return tuple(self.ids[place] for place in self.places(self.groups.at(property_, subcase)).tolist())

    def worlds_showing(self, property_: str, subcase: str | None) -> Counts:
        """The numbers of their worlds."""
        found: Counts = self.world[self.places(self.groups.at(property_, subcase))]
        return found

    def clearest(self, finding: Finding) -> list[str]:
        """The runs that show it: the example first, then by margin, and another world before the same world again."""
        places = self._planned[np.asarray(self.groups.at(finding.property, finding.subcase), np.int64)]
        margins = np.asarray(self.groups.margins(finding.property, finding.subcase), np.float64)
        names = np.array([self.ids[place] for place in places.tolist()])
        missing = np.isnan(margins)
        others = names != finding.example_run_id
        ranked = places[np.lexsort((names, np.where(missing, 0.0, margins), missing, others))]
        order = np.argsort(self.world[ranked], kind="stable")
        worlds = self.world[ranked][order]
        turn = np.empty(len(ranked), np.int64)
        turn[order] = np.arange(len(ranked)) - np.searchsorted(worlds, worlds, "left")
        return [self.ids[place] for place in ranked[np.argsort(turn, kind="stable")].tolist()]


def row_of(run: RunRecord, verdict: Verdict, *, told: str) -> VerdictRow:
    """A failing verdict of a run; the descriptor of its world is looked up for examples alone."""
    return VerdictRow(
        run_id=run.id,
        scenario_id=run.scenario_id,
        descriptor="",
        property=verdict.property,
        subcase=verdict.subcase,
        outcome=verdict.outcome.value,
        margin=verdict.margin,
        unit=verdict.unit,
        at_s=verdict.at_s,
        told=told,
    )


def _failed(judged: JudgedRun) -> int:
    outcome = judged.run.outcome if judged.run.status.judged else None
    return -1 if outcome is None or outcome is Outcome.INCONCLUSIVE else int(outcome is Outcome.FAIL)
