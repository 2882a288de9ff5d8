"""Property tests with the real robot software and physics: few runs, because each takes seconds."""

from __future__ import annotations

import os
import struct
from dataclasses import replace
from pathlib import Path

import pytest

from stressfield.campaign import find_study, run_campaign
from stressfield.errors import InputError, RigError
from stressfield.oracle import Outcome
from stressfield.report.pictures import write_pictures
from stressfield_studies.tabletop.configuration.property_tests import run_once, smallest_failure
from stressfield_studies.tabletop.experiment.runs import configuration, plan_of
from stressfield_studies.tabletop.picture import picture


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


def test_a_failure_is_drawn_at_three_moments(tmp_path: Path) -> None:
    plan = replace(plan_of("grasp", "offset", runs=1, seed=1), keep="all")
    results = run_campaign(plan, tmp_path, in_process=True).results
    study = find_study("tabletop")
    try:
        (path,) = write_pictures(results, study, [results.runs[0].run.id], draw=picture)
    except RigError as error:
        if "OpenGL" not in str(error) or os.environ.get("CI") == "true":
            raise
        pytest.skip(str(error))
    data = path.read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", data[16:24])
    assert (width, height) == (1200, 340)
    assert len(data) > 20_000, "an empty scene would be smaller"
    assert write_pictures(results, study, [results.runs[0].run.id], draw=picture) == (), "it is there already"
