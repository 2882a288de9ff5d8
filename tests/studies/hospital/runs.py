"""Runs of the hospital, for tests."""

from __future__ import annotations

from collections.abc import Sequence

from stressfield.fuzz import Operation, Variable
from stressfield.oracle import Evidence
from stressfield.run import Executed, execute
from stressfield.trace import Metadata
from stressfield_studies.hospital import study

SHORT = (
    "(5-1.3-1.4-1.8-0.6-middle)-(true-0)-(0.45-false)-1.0-"
    "[(0-5.0),(5-5.0),(1-5.0),(2-5.0),(6-5.0),(3-5.0),(4-5.0),(7-5.0),(8-5.0)]"
)
"""Ten rooms, nine of them visited: a mission of less than two minutes."""


def ran(
    descriptor: str,
    *,
    seed: int = 1,
    world: int = 1,
    build: str = "fixed",
    operations: Sequence[Operation] = (),
    variables: Sequence[Variable] = (),
) -> tuple[Executed, Evidence]:
    """One run and its evidence."""
    scenario = study.scenario(descriptor, seed=world).disturbed(operations, variables)
    done = execute(
        scenario, study.find_build(build).subject(scenario), study.find_simulator()(), seed=seed, timing=study.timing,
        ending=study.ending, metadata=Metadata(),
    )  # fmt: skip
    return done, Evidence(done.trace, scenario)
