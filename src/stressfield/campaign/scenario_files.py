"""Scenarios as files: always the descriptor, and the world in forms that other tools open where that is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter

from stressfield._files.disk import make_folder, write_file
from stressfield.campaign.folder import SCENARIOS
from stressfield.campaign.plan import Plan
from stressfield.oracle import Evidence, Verdict
from stressfield.plugins import find_study
from stressfield.run import ScenarioRecord
from stressfield.run.judgement import judge_all
from stressfield.run.performance import built_scenario
from stressfield.run.record import disturbances_json
from stressfield.run.recorded import judge_recorded, recorded_evidence, recorded_scenario
from stressfield.scenario import Scenario
from stressfield.study import Study
from stressfield.trace import Trace
from stressfield.world import export_world


def write_scenario_files(
    folder: Path, plan: Plan, scenarios: Sequence[ScenarioRecord], *, every: bool | None, budget_s: float
) -> None:
    """Files for the scenarios of kept traces.

    ``every`` True writes the worlds, False only descriptors; None writes the worlds if all of them together take
    about ``budget_s`` or less, judged by the first.
    """
    for scenario in scenarios:
        _write_descriptor(folder, scenario)
    if every is False:
        return
    for number, scenario in enumerate(scenarios):
        begin = perf_counter()
        export_scenario(plan, scenario, folder / SCENARIOS / scenario.id, below=folder)
        took = perf_counter() - begin
        if every is None and number == 0 and took * len(scenarios) > budget_s:
            return


def export_scenario(
    plan: Plan, scenario: ScenarioRecord, folder: Path, *, below: Path | None = None
) -> tuple[Path, ...]:
    """Write ``world.sdf``, ``terrain.png`` and ``mission.json``, and ``disturbances.json`` if there are any.

    No link is followed between ``below`` (a campaign's folder) and ``folder``.
    """
    make_folder(folder, below=below)
    built = scenario_of(plan, scenario)
    paths = tuple(export_world(built.world, built.mission, folder))
    return (*paths, _write_disturbances(folder, scenario)) if scenario.disturbances else paths


def scenario_of(plan: Plan, scenario: ScenarioRecord) -> Scenario:
    """The scenario of a record, built again; of a recording from the field, as far as it is known."""
    if plan.recorded is not None:
        return shown_scenario(find_study(plan.study), plan, scenario)
    return built_scenario(plan.study, scenario, plan.options, plan.limit_s)


def shown_scenario(study: Study, plan: Plan, scenario: ScenarioRecord) -> Scenario:
    """The scenario of a record as a picture shows it, undisturbed, with the study at hand."""
    if plan.recorded is not None:
        return recorded_scenario(plan.recorded.known, study, plan.options, scenario.parameters)
    return study.scenario(scenario.descriptor, seed=scenario.seed, options=plan.options)


def judge_again(plan: Plan, scenario: ScenarioRecord, trace: Trace) -> tuple[Verdict, ...]:
    """A verdict of every property on the trace of a run."""
    study, built = find_study(plan.study), scenario_of(plan, scenario)
    if plan.recorded is None:
        return judge_all(study.oracle, Evidence(trace, built))
    known = plan.recorded.known
    return judge_recorded(known, study, built, recorded_evidence(known, study, built, trace))


def _write_descriptor(folder: Path, scenario: ScenarioRecord) -> None:
    """For people: the ledger holds the same, so nothing is lost if this file is."""
    place = folder / SCENARIOS / scenario.id
    make_folder(place, below=folder)
    write_file(place / "descriptor.txt", f"{scenario.descriptor}\n".encode(), below=folder)
    if scenario.disturbances:
        _write_disturbances(place, scenario)


def _write_disturbances(folder: Path, scenario: ScenarioRecord) -> Path:
    return write_file(folder / "disturbances.json", disturbances_json(scenario))
