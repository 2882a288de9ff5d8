"""The Summary of a campaign as plain data, for ``results --json``. Scripts read it: keys stay as they are."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import msgspec

from stressfield.analysis import PropertySummary, Summary
from stressfield.run import JudgedRun, ScenarioRecord


def results_json(summary: Summary) -> dict[str, Any]:
    """Everything: plan, counts, properties, repeatability, findings, scenarios and runs."""
    results, steady = summary.results, summary.repeatability
    return {
        "folder": results.folder,
        "digest": summary.digest,
        "plan": msgspec.to_builtins(results.plan),
        "versions": results.versions,
        "planned_runs": summary.planned,
        "counts": dict(summary.counts),
        "judged_runs": summary.judged,
        "nothing_judged": summary.nothing_judged,
        "statuses": dict(summary.statuses),
        "properties": [
            _property_json(prop) for prop in summary.properties if prop.on or prop.judged or prop.inconclusive
        ],
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
        **_search_json(summary),
    }


def _property_json(prop: PropertySummary) -> dict[str, Any]:
    return {
        "property": prop.name,
        "title": prop.title,
        "active": prop.on,
        "passed": prop.passed,
        "failed": prop.failed,
        "inconclusive": prop.inconclusive,
        "vacuous": prop.vacuous,
        "encounters": prop.encounters,
        "subcases": dict(sorted((case.name, case.failed) for case in prop.subcases if case.failed)),
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


def _search_json(summary: Summary) -> dict[str, Any]:
    """Of a campaign with disturbances: its tests and its front."""
    results, found = summary.results, summary.search
    if not results.plan.disturbed:
        return {}
    values = {} if found is None else {scored.test.index: scored.values for scored in found.scored}
    names = () if found is None else found.objectives.names
    return {
        "tests": [
            {**asdict(test), "objectives": dict(zip(names, values[test.index], strict=True))}
            if test.index in values
            else asdict(test)
            for test in results.tests
        ],
        "front": [] if found is None else [scored.test.index for scored in found.front],
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
