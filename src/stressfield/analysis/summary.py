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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from statistics import median
from typing import TYPE_CHECKING, cast

from stressfield.analysis.findings import Finding, VerdictRow, findings
from stressfield.analysis.monitors import MONITOR, MonitorScore, from_metrics, pooled
from stressfield.analysis.published import SideBySide
from stressfield.analysis.repeatability import Consistency, consistency
from stressfield.analysis.rules import explain
from stressfield.analysis.sensitivity import Association, Run, Value, associations
from stressfield.analysis.statistics import Rate, wilson
from stressfield.campaign import Plan, Results, Searched, category, digest, searched
from stressfield.campaign.study_record import PropertyRecord, StudyRecord
from stressfield.errors import InputError, WorldError
from stressfield.oracle import Outcome, Profile, PropertyClass, Verdict
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

EXPLAINED_MAX = 50
"""Findings for which it is worked out when they happen: those that most runs show."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricSummary:
    """One number that the study measures, over all runs that have it."""

    name: str
    runs: int
    lowest: float
    median: float
    highest: float


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
    parameters: Mapping[str, Mapping[str, Value]]
    """Of each scenario by its id."""
    worlds: tuple[WorldSummary, ...]
    """In the order of the plan."""
    search: Searched | None
    """Objectives, scored tests and the front of a search; None if nothing was looked for."""
    published: tuple[SideBySide, ...]
    """Published figures of the study beside ours; none beside disturbed runs, which those were not."""
    monitors: tuple[MonitorScore, ...]
    """How runtime monitors did, over all runs; empty without monitors."""
    metrics: tuple[MetricSummary, ...]
    unmeasured: tuple[Unmeasured, ...]

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
        runs = [judged.run for judged in self.results.runs]
        return bool(runs) and all(
            run.status is Status.INVALID and run.crash is not None and run.crash.kind == WorldError.__name__
            for run in runs
        )

    def _why_not(self) -> str:
        """The most frequent reason, and what to do about it."""
        folder = shlex.quote(self.results.folder)
        invalid = Counter(
            (judged.run.trouble, judged.run.crash is not None and bool(judged.run.crash.place))
            for judged in self.results.runs
            if judged.run.status is Status.INVALID
        )
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
    def troubled(self) -> tuple[JudgedRun, ...]:
        """Runs that crashed or hung the robot software, or broke the rig."""
        return tuple(judged for judged in self.results.runs if judged.run.trouble)

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
    scenarios = {scenario.id: scenario for scenario in sorted(results.scenarios, key=lambda record: record.index)}
    runs = _ordered(results, scenarios)
    parameters = {scenario.id: scenario.parameters for scenario in scenarios.values()}
    found = _findings(runs, scenarios, kept, parameters)
    failing = {judged.run.id for judged in runs if _failed(judged)}
    summary = Summary(
        results=results,
        scenarios=scenarios,
        runs={judged.run.id: judged for judged in runs},
        study=kept.name,
        title=kept.title,
        build_title=kept.build_title(results.plan.build),
        digest=digest(results),
        planned=results.wanted_runs,
        counts=Counter(category(judged.run) for judged in runs),
        statuses=Counter(judged.run.status.value for judged in runs),
        crashed=sum(judged.run.broke is not None for judged in runs),
        rate=rate_by_world([judged for judged in runs if _failed(judged) is not None], failing),
        sampled=not results.plan.disturbed or results.plan.strategy_name == "random",
        repeatability=consistency(
            _verdicts_by_world(runs, scenarios),
            repeats=results.plan.repeats,
            enough={name: stands.wanted for name, stands in results.standings.items()},
        ),
        sureness=_sureness(results),
        findings=found,
        properties=_properties(runs, kept, results.plan),
        associations=by_finding(found, runs, parameters),
        parameters=parameters,
        worlds=_worlds(runs, scenarios, found),
        search=searched(results),
        published=(),
        monitors=pooled(score for judged in runs for score in from_metrics(judged.metrics)),
        metrics=_metrics(runs),
        unmeasured=_unmeasured(runs),
    )
    return summary if study is None else replace(summary, published=_published(summary, study))


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


def rate_by_world(runs: Sequence[JudgedRun], failing: set[str]) -> Rate:
    """The share of these runs that fail, with an interval that takes each world as one unit: its repeats are alike."""
    worlds: dict[str, list[bool]] = {}
    for judged in runs:
        worlds.setdefault(judged.run.scenario_id, []).append(judged.run.id in failing)
    shares = [sum(world) / len(world) for world in worlds.values()]
    return wilson(min(sum(shares), len(shares)), len(shares))


def _ordered(results: Results, scenarios: Mapping[str, ScenarioRecord]) -> list[JudgedRun]:
    """Runs in the order of the plan: workers finish them in any order, and what is shown must not depend on it."""
    place = {scenario_id: index for index, scenario_id in enumerate(scenarios)}
    return sorted(
        results.runs,
        key=lambda judged: (place.get(judged.run.scenario_id, -1), judged.run.repeat, judged.run.id),
    )


def _failed(judged: JudgedRun) -> bool | None:
    outcome = judged.run.outcome if judged.run.status.judged else None
    return None if outcome in {None, Outcome.INCONCLUSIVE} else outcome is Outcome.FAIL


def _verdicts_by_world(
    runs: Sequence[JudgedRun], scenarios: Mapping[str, ScenarioRecord]
) -> dict[str, list[bool | None]]:
    verdicts: dict[str, list[bool | None]] = {scenario_id: [] for scenario_id in scenarios}
    for judged in runs:
        verdicts.setdefault(judged.run.scenario_id, []).append(_failed(judged))
    return verdicts


def _as_runs(
    judged_runs: Sequence[JudgedRun],
    parameters: Mapping[str, Mapping[str, Value]],
    failing: set[str],
    *,
    broken: bool = False,
) -> list[Run]:
    """Runs that could be judged; where it is asked when the robot software breaks, those in which it did as well."""
    return [
        Run(judged.run.scenario_id, parameters.get(judged.run.scenario_id, {}), judged.run.id in failing)
        for judged in judged_runs
        if (judged.run.status is not Status.INVALID if broken else judged.run.status.judged)
    ]


def by_finding(
    found: Sequence[Finding], runs: Sequence[JudgedRun], parameters: Mapping[str, Mapping[str, Value]]
) -> dict[str, tuple[Association, ...]]:
    """Which parameters go with each finding: different failures have different causes, and pooled they hide them."""
    return {finding.id: associations(_as_runs(runs, parameters, set(finding.run_ids))) for finding in found}


def _findings(
    runs: Sequence[JudgedRun],
    scenarios: Mapping[str, ScenarioRecord],
    study: StudyRecord,
    parameters: Mapping[str, Mapping[str, Value]],
) -> tuple[Finding, ...]:
    rows = [
        VerdictRow(
            run_id=judged.run.id,
            scenario_id=judged.run.scenario_id,
            descriptor=scenarios[judged.run.scenario_id].descriptor if judged.run.scenario_id in scenarios else "",
            property=verdict.property,
            subcase=verdict.subcase,
            outcome=verdict.outcome.value,
            margin=verdict.margin,
            unit=verdict.unit,
            at_s=verdict.at_s,
            told=judged.run.trouble if verdict.property in BROKE else "",
        )
        for judged in runs
        for verdict in judged.failures
    ]
    showing: dict[tuple[str, str | None], set[str]] = {}
    for row in rows:
        if row.outcome == Outcome.FAIL.value:
            showing.setdefault((row.property, row.subcase), set()).add(row.run_id)
    # Each is compared with all worlds: were all explained, a property that names a new sub-case in every run would make
    # the time grow with the square of the runs. The sort is stable: of equally frequent ones the first seen counts.
    showing = dict(sorted(showing.items(), key=lambda item: -len(item[1]))[:EXPLAINED_MAX])
    rules = {key: explain(_as_runs(runs, parameters, ids, broken=key[0] in BROKE)) for key, ids in showing.items()}
    severity = {CRASH: -2, HANG: -1} | {prop.name: GRAVITY[prop.kind] for prop in study.properties}
    return findings(rows, severity=severity, conditions={key: str(rule) for key, rule in rules.items() if rule})


def _properties(runs: Sequence[JudgedRun], study: StudyRecord, plan: Plan) -> tuple[PropertySummary, ...]:
    known = {prop.name: prop for prop in study.properties}
    verdicts: dict[str, list[tuple[str, Verdict]]] = {name: [] for name in known}
    on: set[str] = set()
    for judged in runs:
        on.update(verdict.property for verdict in judged.verdicts)
        for verdict in judged.verdicts + judged.others:
            verdicts.setdefault(verdict.property, []).append((judged.run.id, verdict))
    # What no run was judged by, because all of them crashed, is on if the plan says so.
    on |= {
        name
        for name, prop in known.items()
        if not verdicts[name]
        and (prop.counts_in(Profile(plan.profile)) or name in plan.include)
        and name not in plan.exclude
    }
    return tuple(_property(name, known.get(name), name in on, given, runs) for name, given in verdicts.items())


def _property(
    name: str, prop: PropertyRecord | None, on: bool, verdicts: Sequence[tuple[str, Verdict]], runs: Sequence[JudgedRun]
) -> PropertySummary:
    outcomes = Counter(verdict.outcome for _, verdict in verdicts)
    failing = {run_id for run_id, verdict in verdicts if verdict.outcome is Outcome.FAIL}
    decided = {run_id for run_id, verdict in verdicts if verdict.outcome is not Outcome.INCONCLUSIVE}
    seen = Counter(verdict.subcase or "" for _, verdict in verdicts if verdict.outcome is Outcome.FAIL)
    listed: Mapping[str, str] = {} if prop is None else prop.subcases
    counted = [verdict.encounters for _, verdict in verdicts if verdict.encounters is not None]
    explained_first = sorted(listed, key=lambda case: not listed[case])
    cases = [*explained_first, *sorted(case for case in seen if case not in listed)]
    return PropertySummary(
        name=name,
        title="" if prop is None else prop.title,
        kind="" if prop is None else prop.kind.value,
        on=on,
        why_off="" if prop is None else prop.why_off,
        passed=outcomes[Outcome.PASS],
        failed=outcomes[Outcome.FAIL],
        inconclusive=outcomes[Outcome.INCONCLUSIVE],
        vacuous=sum(verdict.vacuous for _, verdict in verdicts),
        encounters=sum(counted) if counted else None,
        rate=rate_by_world([judged for judged in runs if judged.run.id in decided], failing),
        subcases=tuple(SubcaseSummary(name=case, words=listed.get(case, ""), failed=seen[case]) for case in cases),
    )


def _worlds(
    runs: Sequence[JudgedRun], scenarios: Mapping[str, ScenarioRecord], found: Sequence[Finding]
) -> tuple[WorldSummary, ...]:
    runs_of: dict[str, list[JudgedRun]] = {scenario_id: [] for scenario_id in scenarios}
    for judged in runs:
        runs_of.setdefault(judged.run.scenario_id, []).append(judged)
    shown: dict[str, list[str]] = {}
    for finding in found:
        for run_id in finding.run_ids:
            shown.setdefault(run_id, []).append(finding.id)
    order = {finding.id: place for place, finding in enumerate(found)}
    return tuple(
        WorldSummary(
            scenario_id=scenario.id,
            index=scenario.index,
            descriptor=scenario.descriptor,
            run_ids=tuple(judged.run.id for judged in runs_of[scenario.id]),
            failed=sum(bool(judged.failures) for judged in runs_of[scenario.id]),
            findings=tuple(
                sorted(
                    {name for judged in runs_of[scenario.id] for name in shown.get(judged.run.id, ())},
                    key=order.__getitem__,
                )
            ),
        )
        for scenario in scenarios.values()
    )


def _metrics(runs: Sequence[JudgedRun]) -> tuple[MetricSummary, ...]:
    """Those of monitors are left out: their scores are summed up on their own."""
    values: dict[str, list[float]] = {}
    for judged in runs:
        for name, value in judged.metrics.items():
            if not name.startswith(MONITOR):
                values.setdefault(name, []).append(value)
    return tuple(
        MetricSummary(name=name, runs=len(given), lowest=min(given), median=median(given), highest=max(given))
        for name, given in sorted(values.items())
    )


def _unmeasured(runs: Sequence[JudgedRun]) -> tuple[Unmeasured, ...]:
    reasons: dict[str, Counter[str]] = {}
    for judged in runs:
        for name, reason in judged.unmeasured.items():
            reasons.setdefault(name, Counter())[reason] += 1
    return tuple(
        Unmeasured(name=name, runs=given.total(), reasons=tuple(given.most_common()))
        for name, given in sorted(reasons.items())
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
