"""Property tests with the real robot software and physics: few runs, because each takes seconds."""

from __future__ import annotations

import pytest

from stressfield.errors import InputError
from stressfield.oracle import Outcome
from stressfield.studies.tabletop.experiment_runs import configuration
from stressfield.studies.tabletop.property_tests import run_once, smallest_failure

pytest.importorskip("mujoco")


def test_a_grasp_beside_the_object_is_found_and_shrunk() -> None:
    grasp = configuration("grasp")
    found = smallest_failure(
        grasp, grasp.tests[0], seed=1, build="offset", property_="Pick.ObjectInGripper", examples=1, most_scenarios=2
    )
    assert found is not None
    assert found.fails == found.repeats == 1
    judged = run_once(found.scenario, build="offset", seed=1)
    violated = {one.property for one in judged.verdicts if one.outcome is Outcome.FAIL}
    assert "Pick.ObjectInGripper" in violated
    assert judged.metrics["S"] < 1.0


def test_an_unknown_build_is_refused() -> None:
    grasp = configuration("grasp")
    with pytest.raises(InputError, match="Unknown build 'fxed'"):
        smallest_failure(grasp, grasp.tests[0], seed=1, build="fxed", examples=1)
