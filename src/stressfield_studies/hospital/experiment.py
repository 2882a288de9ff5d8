"""The published experiments: NSGA-II on the whole space, conditions against windows, and the example test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from stressfield.experiment import AnyExperiment, CustomExperiment, ExperimentContext, SearchExperiment
from stressfield_studies.hospital.model import PLAIN

SOURCE = "SESAME D6.2, Simulation-based testing of multi-robot systems, section 5"


def _example(context: ExperimentContext) -> Sequence[Path]:
    from stressfield_studies.hospital.example import example  # noqa: PLC0415 (reports are slow to import)

    return example(context)


def _conditions(context: ExperimentContext) -> Sequence[Path]:
    from stressfield_studies.hospital.conditions import conditions  # noqa: PLC0415 (the same)

    return conditions(context)


EXPERIMENTS: tuple[AnyExperiment, ...] = (
    SearchExperiment(
        name="nsga2",
        title="NSGA-II with the published settings against random tests",
        campaign="firstExperiment",
        strategies=("nsga2", "random"),
        template=PLAIN.descriptor,
        published="tests that leave 3 to 9 of 9 rooms done, and robots up to 17.5 m from home",
        source=SOURCE,
    ),
    CustomExperiment(
        name="conditions", title="Disturbed between conditions, or in windows of time", run=_conditions, source=SOURCE
    ),
    CustomExperiment(name="example", title="The example test of the text", run=_example, source=SOURCE),
)
