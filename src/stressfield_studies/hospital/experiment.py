"""The published experiments: NSGA-II on the whole space, conditions against windows, and the example test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield.oracle import Profile
from stressfield.study import Experiment
from stressfield_studies.hospital.model import PLAIN

if TYPE_CHECKING:
    from stressfield.campaign import ExperimentContext

SOURCE = "SESAME D6.2, Simulation-based testing of multi-robot systems, section 5"

# The functions import what they need themselves: reports are slow to import, and workers load this file, too.


def nsga2(context: ExperimentContext) -> None:
    """NSGA-II with the published settings against random tests."""
    from stressfield_studies.hospital.strategies import Strategies, compare_strategies  # noqa: PLC0415

    asked = Strategies(
        search="firstExperiment",
        strategies=("nsga2", "random"),
        template=PLAIN.descriptor,
        published="tests that leave 3 to 9 of 9 rooms done, and robots up to 17.5 m from home",
        source=SOURCE,
    )
    compare_strategies(asked, context)


def conditions(context: ExperimentContext) -> None:
    """Tests with conditions against tests with windows."""
    from stressfield_studies.hospital.conditions import compare_conditions  # noqa: PLC0415

    compare_conditions(context)


def example(context: ExperimentContext) -> None:
    """The example test of the text."""
    from stressfield_studies.hospital.example import run_example  # noqa: PLC0415

    run_example(context)


EXPERIMENTS = (
    Experiment(
        name="nsga2",
        title="NSGA-II with the published settings against random tests",
        run=nsga2,
        source=SOURCE,
        takes=frozenset({"keep", "sim", "evaluations", "seeds"}),
        profile=Profile.PUBLISHED,
    ),
    Experiment(
        name="conditions",
        title="Disturbed between conditions, or in windows of time",
        run=conditions,
        source=SOURCE,
        profile=Profile.PUBLISHED,
    ),
    Experiment(
        name="example",
        title="The example test of the text",
        run=example,
        source=SOURCE,
        profile=Profile.PUBLISHED,
    ),
)
