"""What a campaign amounts to: counts, repeatability, findings; for the screen and as JSON."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

import msgspec

from stressfield.analysis import Consistency, Finding, consistency
from stressfield.campaign import Results, category, digest, searched
from stressfield.oracle import Outcome, Verdict
from stressfield.report.facts import findings_of
from stressfield.run import JudgedRun, ScenarioRecord, Status
from stressfield.study import Study


@dataclass(frozen=True, slots=True)
class PropertyCount:
    """How often one property passed and failed, and its failures by sub-case."""

    property: str
    title: str
    active: bool
    passed: int
    failed: int
    inconclusive: int
    subcases: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The figures of a campaign."""

    results: Results
    planned: int
    counts: Counter[str]
    statuses: Counter[str]
    properties: tuple[PropertyCount, ...]
    consistency: Consistency
    findings: tuple[Finding, ...]
    digest: str

    @property
    def troubled(self) -> tuple[JudgedRun, ...]:
        """Runs that crashed or hung the robot software, or broke the rig."""
        return tuple(judged for judged in self.results.runs if judged.run.trouble)

    @property
    def clean(self) -> bool:
        """Nothing was found: no failing, crashed or hanging run."""
        crashed = any(
            judged.run.status is Status.SUBJECT_CRASH or (judged.run.status is Status.TIMEOUT and judged.run.trouble)
            for judged in self.results.runs
        )
        return not crashed and not self.counts["fail"]

    @property
    def invalid(self) -> bool:
        """Whether the rig itself was in trouble in some run: such runs are neither clean nor findings."""
        return any(judged.run.status is Status.INVALID for judged in self.results.runs)


def summarise(results: Results, study: Study) -> Summary:
    """Count it all."""
    return Summary(
        results=results,
        planned=_planned(results),
        counts=Counter(category(judged.run) for judged in results.runs),
        statuses=Counter(judged.run.status.value for judged in results.runs),
        properties=property_counts(results, study),
        consistency=consistency(_fails_per_world(results), repeats=results.plan.repeats),
        findings=findings_of(results, study),
        digest=digest(results),
    )


def _planned(results: Results) -> int:
    """A search may end early, and the same test proposed twice is run once: what it asked for is the plan."""
    if results.plan.fuzzing is None:
        return results.plan.worlds * results.plan.repeats
    return len({test.scenario_id for test in results.tests}) * results.plan.repeats


def property_counts(results: Results, study: Study) -> tuple[PropertyCount, ...]:
    """One row per property of the oracle that has verdicts, those switched off included."""
    titles = {one.name: one.title for one in study.oracle.properties}
    verdicts: dict[str, list[Verdict]] = {name: [] for name in titles}
    active: set[str] = set()
    for judged in results.runs:
        active.update(verdict.property for verdict in judged.verdicts)
        for verdict in judged.verdicts + judged.others:
            verdicts.setdefault(verdict.property, []).append(verdict)
    return tuple(
        _property_count(name, titles.get(name, ""), name in active, found) for name, found in verdicts.items() if found
    )


def to_json(summary: Summary) -> dict[str, Any]:
    """Everything, as plain data for ``results --json``."""
    results = summary.results
    steady = summary.consistency
    return {
        "folder": results.folder,
        "digest": summary.digest,
        "plan": asdict(results.plan),
        "versions": results.versions,
        "planned_runs": summary.planned,
        "counts": dict(summary.counts),
        "statuses": dict(summary.statuses),
        "properties": [asdict(count) for count in summary.properties],
        "consistency": {
            "repeats": steady.repeats,
            "histogram": list(steady.histogram),
            "inconsistent": asdict(steady.inconsistent),
            "disagreement": steady.disagreement,
            "incomplete_worlds": len(steady.incomplete),
        },
        "findings": [asdict(finding) for finding in summary.findings],
        "scenarios": [_scenario_json(scenario) for scenario in results.scenarios],
        "runs": [_run_json(judged) for judged in results.runs],
        **_search_json(results),
    }


def _scenario_json(scenario: ScenarioRecord) -> dict[str, Any]:
    plain = {"id": scenario.id, "index": scenario.index, "descriptor": scenario.descriptor, "seed": scenario.seed}
    if not scenario.disturbances:
        return plain
    return {
        **plain,
        "disturbances": msgspec.to_builtins(scenario.disturbances),
        "variables": msgspec.to_builtins(scenario.variables),
    }


def _search_json(results: Results) -> dict[str, Any]:
    """Of a fuzzing campaign: its tests and its front."""
    if results.plan.fuzzing is None:
        return {}
    found = searched(results)
    values = {} if found is None else {one.test.index: one.values for one in found.scored}
    names = () if found is None else found.objectives.names
    return {
        "tests": [
            {**asdict(test), "objectives": dict(zip(names, values[test.index], strict=True))}
            if test.index in values
            else asdict(test)
            for test in results.tests
        ],
        "front": [] if found is None else [one.test.index for one in found.front],
    }


def _run_json(judged: JudgedRun) -> dict[str, Any]:
    on = [{**asdict(verdict), "active": True} for verdict in judged.verdicts]
    off = [{**asdict(verdict), "active": False} for verdict in judged.others]
    return {
        **asdict(judged.run),
        "verdicts": on + off,
        "metrics": dict(judged.metrics),
        "unmeasured": dict(judged.unmeasured),
    }


def _property_count(name: str, title: str, active: bool, verdicts: list[Verdict]) -> PropertyCount:
    outcomes = Counter(verdict.outcome for verdict in verdicts)
    subcases = Counter(v.subcase or "" for v in verdicts if v.outcome is Outcome.FAIL)
    return PropertyCount(
        property=name,
        title=title,
        active=active,
        passed=outcomes[Outcome.PASS],
        failed=outcomes[Outcome.FAIL],
        inconclusive=outcomes[Outcome.INCONCLUSIVE],
        subcases=dict(sorted(subcases.items())),
    )


def _fails_per_world(results: Results) -> dict[str, list[bool | None]]:
    worlds: dict[str, list[bool | None]] = {scenario.id: [] for scenario in results.scenarios}
    for judged in results.runs:
        outcome = judged.run.outcome if judged.run.status.judged else None
        known = outcome in {Outcome.PASS, Outcome.FAIL}
        worlds[judged.run.scenario_id].append(outcome is Outcome.FAIL if known else None)
    return worlds
