"""What the results of a campaign say, computed once; every section of the report reads from here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from stressfield.analysis import (
    Association,
    Consistency,
    Finding,
    Rate,
    Run,
    VerdictRow,
    associations,
    consistency,
    explain,
    findings,
    wilson,
)
from stressfield.analysis.sensitivity import Value
from stressfield.campaign.records import Results
from stressfield.errors import StressfieldError
from stressfield.model import flat_values
from stressfield.oracle import Outcome, PropertyClass
from stressfield.run import JudgedRun, ScenarioRecord
from stressfield.seeds import generator
from stressfield.study import Study

GRAVITY = {
    PropertyClass.CRITICAL_EVENT: 0,
    PropertyClass.MISSION_PHASE: 1,
    PropertyClass.ERROR_REPORT: 2,
    PropertyClass.MOVEMENT_THRESHOLD: 3,
    PropertyClass.PERCEPTION: 4,
}
"""Which findings come first: 0 is the gravest."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Everything the sections need."""

    results: Results
    study: Study
    scenarios: Mapping[str, ScenarioRecord]
    runs: Mapping[str, JudgedRun]
    parameters: Mapping[str, Mapping[str, Value]]
    findings: tuple[Finding, ...]
    consistency: Consistency
    associations: tuple[Association, ...]

    @property
    def sampled(self) -> bool:
        """Whether its scenarios are a sample of something, so that shares have an interval. Chosen tests are not."""
        plan = self.results.plan
        return plan.fuzzing is None or plan.strategy == "random"

    def in_world(self, scenario_id: str) -> tuple[JudgedRun, ...]:
        """The runs of one world, by repeat."""
        runs = [judged for judged in self.results.runs if judged.run.scenario_id == scenario_id]
        return tuple(sorted(runs, key=lambda judged: judged.run.repeat))


def facts_of(results: Results, study: Study) -> Facts:
    """Compute them. The order of the runs in ``results`` does not matter."""
    scenarios = {scenario.id: scenario for scenario in sorted(results.scenarios, key=lambda one: one.index)}
    place = {scenario_id: i for i, scenario_id in enumerate(scenarios)}
    ordered = sorted(results.runs, key=lambda one: (place.get(one.run.scenario_id, -1), one.run.repeat, one.run.id))
    parameters = {one.id: _parameters(study, one) for one in scenarios.values()}
    verdicts: dict[str, list[bool | None]] = {scenario_id: [] for scenario_id in scenarios}
    for judged in ordered:
        verdicts.setdefault(judged.run.scenario_id, []).append(_failed(judged))
    return Facts(
        results=results,
        study=study,
        scenarios=scenarios,
        runs={judged.run.id: judged for judged in ordered},
        parameters=parameters,
        findings=_findings(ordered, scenarios, study, parameters),
        consistency=consistency(verdicts),
        associations=associations(_as_runs(ordered, parameters, {one.run.id for one in ordered if _failed(one)})),
    )


def findings_of(results: Results, study: Study) -> tuple[Finding, ...]:
    """The findings with the names (F1, F2, ...) that the report gives them."""
    return facts_of(results, study).findings


def rate_by_world(runs: Sequence[JudgedRun], failing: set[str]) -> Rate:
    """The share of failing runs with an interval that takes each world as one unit: its repeats are alike."""
    worlds: dict[str, list[bool]] = {}
    for judged in runs:
        if judged.run.status.judged:
            worlds.setdefault(judged.run.scenario_id, []).append(judged.run.id in failing)
    shares = [sum(world) / len(world) for world in worlds.values()]
    return wilson(min(sum(shares), len(shares)), len(shares))


def _failed(judged: JudgedRun) -> bool | None:
    outcome = judged.run.outcome if judged.run.status.judged else None
    return None if outcome in {None, Outcome.INCONCLUSIVE} else outcome is Outcome.FAIL


def _parameters(study: Study, scenario: ScenarioRecord) -> Mapping[str, Value]:
    """The parameters of a world by path; none where the descriptor no longer fits the model."""
    try:
        genotype = study.model.create_from_descriptor(scenario.descriptor, generator(scenario.seed, "genotype"))
    except StressfieldError:
        return {}
    return {path: value for path, value in flat_values(genotype).items() if value is not None}


def _as_runs(
    judged_runs: Sequence[JudgedRun], parameters: Mapping[str, Mapping[str, Value]], failing: set[str]
) -> list[Run]:
    return [
        Run(one.run.scenario_id, parameters.get(one.run.scenario_id, {}), one.run.id in failing)
        for one in judged_runs
        if one.run.status.judged
    ]


def _findings(
    runs: Sequence[JudgedRun],
    scenarios: Mapping[str, ScenarioRecord],
    study: Study,
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
        )
        for judged in runs
        for verdict in judged.verdicts
    ]
    showing: dict[tuple[str, str | None], set[str]] = {}
    for row in rows:
        if row.outcome == Outcome.FAIL.value:
            showing.setdefault((row.property, row.subcase), set()).add(row.run_id)
    rules = {key: explain(_as_runs(runs, parameters, ids)) for key, ids in showing.items()}
    severity = {one.name: GRAVITY[one.kind] for one in study.oracle.properties}
    return findings(rows, severity=severity, conditions={key: str(rule) for key, rule in rules.items() if rule})
