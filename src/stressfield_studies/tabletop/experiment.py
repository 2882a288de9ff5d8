"""The published experiments: grasping, and pick-and-place. Fifteen runs as published, and a hundred."""

from __future__ import annotations

from pathlib import Path

from stressfield.experiment import CustomExperiment, ExperimentContext

SOURCE = (
    "S. O. Sohail, A. Mitrevski, N. Hochgeschwender and P. G. Plöger, Property-Based Testing in Simulation for "
    "Verifying Robot Action Execution in Tabletop Manipulation"
)


def grasp(context: ExperimentContext) -> tuple[Path, ...]:
    """Use case 1: pick a glass off a coffee table."""
    from stressfield_studies.tabletop.experiment_runs import run  # noqa: PLC0415 (slow to import)

    return run("grasp", "Grasping an object", context)


def pick_and_place(context: ExperimentContext) -> tuple[Path, ...]:
    """Use case 2: drive to a table, look, pick an object, and put it elsewhere on the same table."""
    from stressfield_studies.tabletop.experiment_runs import run  # noqa: PLC0415 (slow to import)

    return run("pick-and-place", "Picking and placing an object", context)


EXPERIMENTS = (
    CustomExperiment(name="grasp", title="Use case 1: grasping an object", run=grasp, source=SOURCE),
    CustomExperiment(name="pick-and-place", title="Use case 2: pick and place", run=pick_and_place, source=SOURCE),
)
