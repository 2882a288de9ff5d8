"""What a campaign says, computed once: counts, findings, repeatability, and the figures that are shown of it.

``summarise(results)`` gives a :class:`Summary`: plain frozen data without functions. Terminal, HTML,
Markdown, JSON, JUnit, Allure, the exit code, known issues and ``compare`` only render it or decide by it; none of them
counts runs on its own. A command calls ``summarise`` once for each campaign and hands the Summary on. All that it says
of the study is kept in the campaign's folder; only published figures, which the study's own code sets beside ours, take
the study itself.

There is one definition of each figure:

* A run counts under its outcome, or under its status if it has none (``subject_crash``, ``hang``, ``invalid``).
* A run is judged if it has passed or failed. One that is inconclusive, crashed, hung or invalid is not: a campaign in
  which no run was judged is not clean, and says so (:attr:`Summary.nothing_judged`).
* Repeatability: a world is complete when all repeats *of the plan* have a verdict. The histogram and the share of
  worlds whose verdict changes between repeats are of complete worlds; a half-done campaign says how many are not.
  A run that is inconclusive, crashed or invalid has no verdict and makes its world incomplete.
* A failing rate takes each world as one unit, because its repeats are alike.
* Findings are numbered F1, F2, ... here and nowhere else: crashes and hangs first, then the gravest property, then
  the most runs.
"""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, takewhile
from typing import TYPE_CHECKING, cast, overload

import numpy as np

from stressfield.analysis._run_columns import FAILED, INCONCLUSIVE, PASSED, PropertyColumn, RunColumns
from stressfield.analysis.findings import Finding
from stressfield.analysis.monitors import MonitorScore
from stressfield.analysis.published import SideBySide
from stressfield.analysis.repeatability import Consistency, consistency
from stressfield.analysis.rules import explain
from stressfield.analysis.sensitivity import Association, Value, Worlds, WorldTable, associations
from stressfield.analysis.statistics import Rate
from stressfield.arrays import Floats
from stressfield.campaign import Plan, Results, Searched, searched
from stressfield.campaign.ledgers.rows import StoredScenarios, by_id
from stressfield.campaign.study_record import PropertyRecord, StudyRecord
from stressfield.errors import InputError
from stressfield.oracle import Profile, PropertyClass
from stressfield.oracle.oracle import CRASH, HANG
from stressfield.run import JudgedRun, ScenarioRecord, Status

if TYPE_CHECKING:
    from stressfield.study import Study

GRAVITY = {
    PropertyClass.CRITICAL_EVENT: 0,
    PropertyClass.MISSION_PHASE: 1,
    PropertyClass.ERROR_REPORT: 2,
    PropertyClass.MOVEMENT_THRESHOLD: 3,
    PropertyClass.PERCEPTION: 4,
}
"""Which findings come first: 0 is the gravest."""
BROKE = {CRASH: "The robot software crashed", HANG: "The robot software hung"}
"""What is said of findings that are no violation of a property."""
UNJUDGED = {"subject_crash": "crashed", "hang": "hung"}
"""Words for how runs ended."""

EXPLAINED_MAX, EXPLAINED_LEAST, EXPLAINED_WORLDS = 50, 8, 5_000_000
"""Findings for which it is worked out when they happen, those that most runs show: fewer where worlds are very many, so
that no more than so many worlds are compared in all, but at least eight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SubcaseSummary:
    """One sub-case of a property: what it means, and the runs that fail in it. The name may be empty."""

    name: str
    words: str
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PropertySummary:
    """How often one property of the oracle passed and failed; one that is switched off would have failed so often."""

    name: str
    title: str
    kind: str
    """Its class, such as ``critical event``; empty if the oracle no longer has it."""
    on: bool
    why_off: str
    passed: int
    failed: int
    inconclusive: int
    vacuous: int
    """Runs in which what it speaks of never occurred; they count as passed or inconclusive, as the property says."""
    encounters: int | None
    """How often in all runs together what it speaks of occurred; None if it does not count that."""
    rate: Rate
    """The failing rate, each world counted once."""
    subcases: tuple[SubcaseSummary, ...]
    """Those that the property explains in words, then others that it lists, then others that were seen."""

    @property
    def listed(self) -> bool:
        """Whether the oracle has it: a campaign may have verdicts of a property that was taken out since."""
        return bool(self.kind)

    @property
    def judged(self) -> int:
        """Runs with a verdict of it."""
        return self.passed + self.failed

    def words(self, subcase: str | None) -> str:
        """What a sub-case means in plain words, or an empty text."""
        names = {subcase, f"{self.name}_{subcase}"}  # judges may spell sub-case 1 of P5 as "1" or as "P5_1"
        explained = takewhile(lambda case: case.words, self.subcases)  # of those seen there may be thousands
        return next((case.words for case in explained if case.name in names), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class WorldSummary:
    """One scenario of the campaign: its runs by repeat, how many failed or crashed, and the findings they show."""

    scenario_id: str
    index: int
    descriptor: str
    run_ids: tuple[str, ...]
    failed: int
    findings: tuple[str, ...]
    repeats: tuple[tuple[int, str], ...] = ()
    """Of each run its repeat and how it ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSummary:
    """One number that the study measures, over all runs that have it."""

    name: str
    runs: int
    lowest: float
    median: float
    highest: float
    median_passed: float | None
    """Over runs that passed; None if it was measured in none of them."""
    median_failed: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmeasured:
    """A metric that is missing in some runs, and why: the most frequent reason first. ``*`` stands for all metrics."""

    name: str
    runs: int
    reasons: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sureness:
    """Worlds that were repeated until their verdict was sure, and the runs that this took and spared."""

    confidence: float
    sure: int
    undecided: int
    """As often repeated as the plan allows, and still not sure: these fail at times."""
    spared: int
    """Runs that the plan had room for and that were not needed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Everything that a campaign says. See the module for what each figure means."""

    results: Results
    """What was summarised."""
    scenarios: Mapping[str, ScenarioRecord]
    """By id, in the order of the plan."""
    runs: Mapping[str, JudgedRun]
    """By id, in the order of the plan: by scenario, then by repeat."""
    study: str
    title: str
    """Of the study."""
    build_title: str
    digest: str
    planned: int
    """Runs that the plan asks for; of a search, those of the tests proposed so far."""
    counts: Mapping[str, int]
    """Runs by outcome, or by status if they have none: pass, fail, inconclusive, subject_crash, hang, invalid."""
    statuses: Mapping[str, int]
    crashed: int
    """Runs in which the robot software crashed or hung."""
    rate: Rate
    """The failing rate of runs that were judged, each world counted once."""
    sampled: bool
    """Whether its scenarios are a sample of something, so that shares have an interval. Chosen tests are not."""
    repeatability: Consistency
    sureness: Sureness | None
    """What repeating until sure came to; None if the plan does not ask for that."""
    findings: tuple[Finding, ...]
    properties: tuple[PropertySummary, ...]
    """In the order of the oracle, those without a verdict included."""
    associations: Mapping[str, tuple[Association, ...]]
    """Which parameters go with each finding, by its number; the most telling first."""
    parameters: Parameters
    """Of each scenario by its id, and of all of them as columns."""
    worlds: Sequence[WorldSummary]
    """In the order of the plan."""
    search: Searched | None
    """Objectives, scored tests and the front of a search; None if nothing was looked for."""
    published: tuple[SideBySide, ...]
    """Published figures of the study beside ours; none beside disturbed runs, which those were not."""
    monitors: tuple[MonitorScore, ...]
    """How runtime monitors did, over all runs; empty without monitors."""
    metrics: tuple[MetricSummary, ...]
    unmeasured: tuple[Unmeasured, ...]
    columns: RunColumns = field(compare=False)
    """What the figures are computed from: a few bytes of every run."""

    @property
    def done(self) -> int:
        """Runs in the ledger."""
        return len(self.results.runs)

    @property
    def judged(self) -> int:
        """Runs that passed or failed."""
        return self.counts.get("pass", 0) + self.counts.get("fail", 0)

    @property
    def nothing_judged(self) -> str:
        """Why a campaign says nothing of its properties, in a sentence, with what to do next; empty if it does."""
        if self.judged:
            return ""
        how = ", ".join(f"{count} {UNJUDGED.get(name, name)}" for name, count in sorted(self.counts.items()) if count)
        if not how:
            return f"Nothing was judged: no run is done. Next: stressfield resume {shlex.quote(self.results.folder)}"
        runs = f"{self.done} run{'s' * (self.done != 1)}"
        whole = len([count for count in self.counts.values() if count]) == 1
        told = f"all {how.partition(' ')[2]}" if whole and self.done > 1 else how
        return f"Nothing was judged: {runs}, {told}{self._why_not()}"

    @property
    def no_world(self) -> bool:
        """Whether every run is invalid because its world cannot be: that is what was given, not trouble of the rig."""
        return len(self.columns) > 0 and self.columns.no_world

    def _why_not(self) -> str:
        """The most frequent reason, and what to do about it."""
        folder = shlex.quote(self.results.folder)
        invalid = self.columns.invalid
        if invalid:
            trouble, own = invalid.most_common(1)[0][0]
            # What the study did wrong is mended in the study; then it is another one, which must not be resumed.
            recorded = self.results.plan.recorded is not None
            again = (
                "mend it, then the same command with --overwrite" if own or recorded else f"stressfield resume {folder}"
            )
            return f". {trouble + ' ' if trouble else ''}Next: {again}"
        if self.crashed:
            return f". Next: stressfield {self.results.plan.again_verb} {folder} {self.findings[0].id}"
        silent = sorted((-prop.inconclusive, prop.name) for prop in self.properties if prop.on and prop.inconclusive)
        names = ", ".join(f"{name} in {-count}" for count, name in silent[:3])
        because = f" ({names} of them)" if names else ""
        return f"{because}. Next: stressfield results {folder} --details"

    @property
    def troubled(self) -> tuple[str, ...]:
        """Ids of runs that crashed or hung the robot software, or broke the rig."""
        return tuple(self.columns.ids[place] for place in self.columns.troubled.tolist())

    @property
    def notes(self) -> Mapping[str, int]:
        """Lines that runs said of themselves, and in how many."""
        return self.columns.notes

    @property
    def simulated_s(self) -> float:
        """Of all runs together."""
        return self.columns.simulated_s

    @property
    def failing_worlds(self) -> int:
        """Worlds with a run that failed, crashed or hung."""
        return len(set(self.columns.world[self.columns.failing].tolist()))

    def clearest(self, finding: Finding) -> list[str]:
        """The runs that show it, the clearest first, and another world before the same world again."""
        return self.columns.clearest(finding)

    @property
    def clean(self) -> bool:
        """Nothing was found, though something was judged: no failing, crashed or hanging run."""
        return not self.crashed and not self.counts.get("fail") and self.judged > 0

    def finding(self, name: str) -> Finding:
        """The finding of that name (F1, F2, ...); InputError if there is none."""
        found = {finding.id: finding for finding in self.findings}
        if name not in found:
            known = f"It has {', '.join(found)}." if found else "It has none."
            raise InputError(f"The campaign {self.results.folder!r} has no finding {name!r}. {known}")
        return found[name]

    def property_of(self, name: str) -> PropertySummary | None:
        """The property of that name, if the oracle still has it."""
        return next((summary for summary in self.properties if summary.name == name), None)


def summarise(results: Results, study: Study | None = None) -> Summary:
    """Compute it all. The order of the runs in ``results`` does not matter.

    ``study`` adds its published figures; everything else is in the campaign's folder.
    """
    kept = results.study
    ordered: Sequence[ScenarioRecord] = results.scenarios
    if not isinstance(ordered, StoredScenarios):
        ordered = sorted(ordered, key=lambda record: record.index)
    scenarios, columns = by_id(ordered), RunColumns(results, ordered)
    parameters = Parameters(columns, scenarios)
    found = _findings(columns, scenarios, kept, parameters)
    summary = Summary(
        results=results,
        scenarios=scenarios,
        runs=_runs_by_id(results, columns),
        study=kept.name,
        title=kept.title,
        build_title=kept.build_title(results.plan.build),
        digest=columns.digest,
        planned=results.wanted_runs,
        counts=columns.counts,
        statuses=columns.statuses,
        crashed=columns.crashed,
        rate=columns.rate(columns.failed >= 0, columns.failed > 0),
        sampled=not results.plan.disturbed or results.plan.strategy_name == "random",
        repeatability=consistency(
            columns.verdicts_by_world(),
            repeats=results.plan.repeats,
            enough={name: stands.wanted for name, stands in results.standings.items()},
        ),
        sureness=_sureness(results),
        findings=found,
        properties=_properties(columns, kept, results.plan),
        associations=Associations(found, parameters),
        parameters=parameters,
        worlds=WorldSummaries(columns, ordered, found),
        search=searched(results),
        published=(),
        monitors=columns.monitors,
        metrics=_metrics(columns),
        unmeasured=_unmeasured(columns),
        columns=columns,
    )
    return summary if study is None else replace(summary, published=_published(summary, study))


def _runs_by_id(results: Results, columns: RunColumns) -> Mapping[str, JudgedRun]:
    """In the order of the plan."""
    found = by_id(results.runs)
    return {name: found[name] for name in columns.ids} if isinstance(found, dict) else found


def _sureness(results: Results) -> Sureness | None:
    plan, stand = results.plan, results.standings
    if plan.until_sure is None:
        return None
    done = Counter(judged.run.scenario_id for judged in results.runs if judged.run.status is not Status.INVALID)
    return Sureness(
        confidence=plan.until_sure,
        sure=sum(stands.sure for stands in stand.values()),
        undecided=sum(not stands.sure and done[name] >= plan.repeats for name, stands in stand.items()),
        spared=sum(plan.repeats - stands.wanted for stands in stand.values() if stands.sure),
    )


def _findings(
    columns: RunColumns, scenarios: Mapping[str, ScenarioRecord], study: StudyRecord, parameters: Parameters
) -> tuple[Finding, ...]:
    # Each is compared with all worlds: were all explained, a property that names a new sub-case in every run would make
    # the time grow with the square of the runs.
    most = min(EXPLAINED_MAX, max(EXPLAINED_LEAST, EXPLAINED_WORLDS // max(1, len(columns.scenarios))))
    rules = {
        key: explain(parameters.worlds(*key, broken=key[0] in BROKE)) for key in columns.groups.most_frequent(most)
    }
    severity = {CRASH: -2, HANG: -1} | {prop.name: GRAVITY[prop.kind] for prop in study.properties}
    conditions = {key: str(rule) for key, rule in rules.items() if rule}
    found = []
    for finding in columns.groups.findings(severity=severity, conditions=conditions):
        example = columns.groups.example(finding.property, finding.subcase)
        record = scenarios.get(example.scenario_id)
        run_ids = columns.run_ids(finding.property, finding.subcase)
        descriptor = "" if record is None else record.descriptor
        found.append(replace(finding, run_ids=run_ids, example_descriptor=descriptor))
    return tuple(found)


class Parameters(Mapping[str, Mapping[str, Value]]):
    """What varies from world to world: of each world by its id, and of all of them as columns."""

    def __init__(self, columns: RunColumns, scenarios: Mapping[str, ScenarioRecord]) -> None:
        self._columns, self._scenarios = columns, scenarios

    def __getitem__(self, scenario_id: str) -> Mapping[str, Value]:
        return self._scenarios[scenario_id].parameters

    def __iter__(self) -> Iterator[str]:
        return iter(self._scenarios)

    def __len__(self) -> int:
        return len(self._scenarios)

    @cached_property
    def table(self) -> WorldTable:
        """All worlds."""
        told = ((name, record.parameters) for name, record in self._scenarios.items())
        unknown = self._columns.scenarios[len(self._scenarios) :]
        return WorldTable(chain(told, ((name, {}) for name in unknown)))

    def worlds(self, property_: str, subcase: str | None, *, broken: bool = False) -> Worlds:
        """Worlds with runs that could be judged, and the share of these that show a finding.

        Where it is asked when the robot software breaks, runs in which it did count as well.
        """
        columns = self._columns
        among = columns.valid if broken else columns.judged
        there, shares = columns.shares(among, columns.showing(property_, subcase))
        return Worlds(self.table, there, shares)


class Associations(Mapping[str, tuple[Association, ...]]):
    """Which parameters go with each finding: different failures have different causes, and pooled they hide them.

    Worked out for the findings that are asked for, once.
    """

    def __init__(self, found: Sequence[Finding], parameters: Parameters) -> None:
        self._findings, self._parameters = {finding.id: finding for finding in found}, parameters
        self._made: dict[str, tuple[Association, ...]] = {}

    def __getitem__(self, name: str) -> tuple[Association, ...]:
        if name not in self._made:
            finding = self._findings[name]
            self._made[name] = associations(self._parameters.worlds(finding.property, finding.subcase))
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._findings)

    def __len__(self) -> int:
        return len(self._findings)


def _properties(columns: RunColumns, study: StudyRecord, plan: Plan) -> tuple[PropertySummary, ...]:
    known = {prop.name: prop for prop in study.properties}
    # What no run was judged by, because all of them crashed, is on if the plan says so.
    on = columns.on | {
        name
        for name, prop in known.items()
        if name not in columns.properties
        and (prop.counts_in(Profile(plan.profile)) or name in plan.include)
        and name not in plan.exclude
    }
    names = dict.fromkeys((*known, *columns.properties))
    return tuple(_property(name, known.get(name), name in on, columns) for name in names)


def _property(name: str, prop: PropertyRecord | None, on: bool, columns: RunColumns) -> PropertySummary:
    found, outcomes = columns.properties.get(name, PropertyColumn()), columns.outcomes(name)
    seen, failing = found.subcases, outcomes == FAILED
    listed: Mapping[str, str] = {} if prop is None else prop.subcases
    explained_first = sorted(listed, key=lambda case: not listed[case])
    cases = [*explained_first, *sorted(case for case in seen if case not in listed)]
    return PropertySummary(
        name=name,
        title="" if prop is None else prop.title,
        kind="" if prop is None else prop.kind.value,
        on=on,
        why_off="" if prop is None else prop.why_off,
        passed=int((outcomes == PASSED).sum()),
        failed=int(failing.sum()),
        inconclusive=int((outcomes == INCONCLUSIVE).sum()),
        vacuous=found.vacuous,
        encounters=found.encounters,
        rate=columns.rate((outcomes == PASSED) | failing, failing),
        subcases=tuple(SubcaseSummary(name=case, words=listed.get(case, ""), failed=seen[case]) for case in cases),
    )


class WorldSummaries(Sequence[WorldSummary]):
    """The worlds of a campaign, each made when it is looked at."""

    def __init__(self, columns: RunColumns, scenarios: Sequence[ScenarioRecord], found: Sequence[Finding]) -> None:
        self._columns, self._scenarios = columns, scenarios
        self._names = [finding.id for finding in found]
        shown = [np.unique(columns.worlds_showing(finding.property, finding.subcase)) for finding in found]
        numbers = np.repeat(np.arange(len(found)), [len(worlds) for worlds in shown])
        worlds = np.concatenate([*shown, np.empty(0, np.int64)])
        order = np.argsort(worlds, kind="stable")
        self._finding, self._world = numbers[order], worlds[order]

    def __len__(self) -> int:
        return len(self._scenarios)

    @overload
    def __getitem__(self, at: int) -> WorldSummary: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[WorldSummary, ...]: ...
    def __getitem__(self, at: int | slice) -> WorldSummary | tuple[WorldSummary, ...]:
        if isinstance(at, slice):
            return tuple(self[place] for place in range(*at.indices(len(self))))
        if not -len(self) <= at < len(self):
            raise IndexError(f"There are {len(self)} worlds, got {at}.")
        place = at % len(self)
        return self._made(place, self._scenarios[place])

    def __iter__(self) -> Iterator[WorldSummary]:
        for place, scenario in enumerate(self._scenarios):
            yield self._made(place, scenario)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def _made(self, place: int, scenario: ScenarioRecord) -> WorldSummary:
        columns = self._columns
        runs = columns.runs_of(place)
        first, last = np.searchsorted(self._world, (place, place + 1)).tolist()
        return WorldSummary(
            scenario_id=scenario.id,
            index=scenario.index,
            descriptor=scenario.descriptor,
            run_ids=tuple(columns.ids[run] for run in runs.tolist()),
            failed=int(columns.failing[runs].sum()),
            findings=tuple(self._names[number] for number in self._finding[first:last].tolist()),
            repeats=tuple(zip(columns.repeat[runs].tolist(), columns.endings(runs), strict=True)),
        )


def _metrics(columns: RunColumns) -> tuple[MetricSummary, ...]:
    """Those of monitors are left out: their scores are summed up on their own."""
    found = []
    for name, column in sorted(columns.metrics.items()):
        ordered = np.sort(np.asarray(column.values, np.float64))
        passed, failed = (column.of_kind(columns.kinds.get(kind, -1)) for kind in ("pass", "fail"))
        found.append(
            MetricSummary(
                name=name,
                runs=len(ordered),
                lowest=float(ordered[0]),
                median=_median(ordered),
                highest=float(ordered[-1]),
                median_passed=_median(np.sort(passed)) if len(passed) else None,
                median_failed=_median(np.sort(failed)) if len(failed) else None,
            )
        )
    return tuple(found)


def _median(ordered: Floats) -> float:
    """Of numbers by rising value; not that of numpy, which is not a number if any of them is none."""
    low, high = float(ordered[(len(ordered) - 1) // 2]), float(ordered[len(ordered) // 2])
    return high if len(ordered) % 2 else (low + high) / 2


def _unmeasured(columns: RunColumns) -> tuple[Unmeasured, ...]:
    return tuple(
        Unmeasured(name=name, runs=given.total(), reasons=tuple(given.most_common()))
        for name, given in sorted(columns.unmeasured.items())
    )


def _published(summary: Summary, study: Study) -> tuple[SideBySide, ...]:
    """``study.published["tables"]``: a sequence of SideBySide, or a function of the Summary that gives one.

    None beside disturbed runs: those of the publication were not disturbed.
    """
    if summary.results.plan.disturbed:
        return ()
    given = study.published.get("tables", ())
    tables = cast("Callable[[Summary], Sequence[SideBySide]]", given)(summary) if callable(given) else given
    return tuple(cast("Sequence[SideBySide]", tables))
