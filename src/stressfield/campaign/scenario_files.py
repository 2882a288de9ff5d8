"""Scenarios as files: always the descriptor, and the world in forms that other tools open where that is wanted."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

from stressfield.campaign.files import SCENARIOS, advice, make_folder
from stressfield.campaign.lookup import find_study
from stressfield.campaign.records import Plan, Results, ScenarioRecord
from stressfield.errors import StoreError
from stressfield.world import export_world


def write_scenario_files(results: Results, *, every: bool | None, budget_s: float) -> None:
    """Files for the scenarios of kept traces.

    ``every`` True writes the worlds, False only descriptors; None writes the worlds if all of them together take
    about ``budget_s`` or less, judged by the first.
    """
    kept = {judged.run.scenario_id for judged in results.runs if judged.run.trace_file is not None}
    scenarios = [scenario for scenario in results.scenarios if scenario.id in kept]
    for scenario in scenarios:
        _write_descriptor(Path(results.folder), scenario)
    if every is False:
        return
    for number, scenario in enumerate(scenarios):
        begin = perf_counter()
        export_scenario(results.plan, scenario, Path(results.folder) / SCENARIOS / scenario.id)
        took = perf_counter() - begin
        if every is None and number == 0 and took * len(scenarios) > budget_s:
            return


def export_scenario(plan: Plan, scenario: ScenarioRecord, folder: Path) -> tuple[Path, ...]:
    """Write ``world.sdf``, ``terrain.png`` and ``mission.json``."""
    make_folder(folder)
    built = find_study(plan.study).scenario(scenario.descriptor, seed=scenario.seed, options=plan.options)
    return tuple(export_world(built.world, built.mission, folder))


def _write_descriptor(folder: Path, scenario: ScenarioRecord) -> None:
    """For people: the ledger holds the same, so nothing is lost if this file is."""
    path = folder / SCENARIOS / scenario.id / "descriptor.txt"
    make_folder(path.parent)
    try:
        path.write_text(f"{scenario.descriptor}\n")
    except OSError as error:
        raise StoreError(f"Cannot write {str(path)!r}: {error.strerror}. {advice(error)}") from None
