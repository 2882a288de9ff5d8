"""The published experiments: grasping, and pick-and-place. Fifteen runs as published, and a hundred."""

from __future__ import annotations

from stressfield.campaign import ExperimentContext
from stressfield.oracle import Profile
from stressfield.study import Experiment

SOURCE = (
    "S. O. Sohail, A. Mitrevski, N. Hochgeschwender and P. G. Plöger, Property-Based Testing in Simulation for "
    "Verifying Robot Action Execution in Tabletop Manipulation"
)


def grasp(context: ExperimentContext) -> None:
    """Use case 1: pick a glass off a coffee table."""
    from stressfield_studies.tabletop.experiment.runs import run  # noqa: PLC0415 (slow to import)

    run("grasp", "Grasping an object", context)


def pick_and_place(context: ExperimentContext) -> None:
    """Use case 2: drive to a table, look, pick an object, and put it elsewhere on the same table."""
    from stressfield_studies.tabletop.experiment.runs import run  # noqa: PLC0415 (slow to import)

    run("pick-and-place", "Picking and placing an object", context)


EXPERIMENTS = (
    Experiment(
        name="grasp", title="Use case 1: grasping an object", run=grasp, source=SOURCE, profile=Profile.PUBLISHED
    ),
    Experiment(
        name="pick-and-place",
        title="Use case 2: pick and place",
        run=pick_and_place,
        source=SOURCE,
        profile=Profile.PUBLISHED,
    ),
)
