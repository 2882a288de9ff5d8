"""Artefacts of the published simulator are the kinematic one's alone: MuJoCo drives as if they were off."""

from __future__ import annotations

import numpy as np
import pytest
from tests.sim.scenes import drive, robot, scene, slope

from stressfield.sim.mujoco import MujocoSimulator


@pytest.mark.parametrize("artefact", ["late_stop", "downhill_overspeed"])
def test_an_artefact_of_another_simulator_changes_nothing(artefact: str) -> None:
    ends: list[object] = []
    for switched in ({}, {artefact: True}):
        session = MujocoSimulator().open(scene(robot(**switched), terrain=slope(-0.05)), seed=3)
        for _ in range(3):  # of three stops, half are late where there is the artefact
            drive(session, 1.0, 3.0, 3.0)  # type: ignore[arg-type]
            drive(session, 1.0, 0.0, 0.0)  # type: ignore[arg-type]
        ends.append(session.observe().rows.copy())
        session.close()
    assert np.array_equal(*ends)
