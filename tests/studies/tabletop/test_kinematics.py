"""The arm's kinematics against MuJoCo's, and the vendored model itself."""

from __future__ import annotations

from math import pi
from pathlib import Path

import mujoco
import numpy as np
import pytest

from stressfield.seeds import generator
from stressfield_studies.tabletop.devices.manipulator import MODEL
from stressfield_studies.tabletop.robot import ARM_JOINTS
from stressfield_studies.tabletop.subject.kernels import LIMITS, solve_square
from stressfield_studies.tabletop.subject.kinematics import HOME, ToolPose, downwards, forward, inverse, line, slanted


@pytest.fixture(scope="module")
def model() -> mujoco.MjModel:
    return mujoco.MjSpec.from_file(str(MODEL)).compile()


def test_forward_kinematics_are_those_of_the_model(model: mujoco.MjModel) -> None:
    data = mujoco.MjData(model)
    rng = generator("kinematics")
    at = [int(model.joint(name).qposadr[0]) for name in ARM_JOINTS]
    for _ in range(20):
        q = rng.uniform(LIMITS[:, 0], LIMITS[:, 1])
        data.qpos[at] = q
        mujoco.mj_kinematics(model, data)
        pose = forward(q)
        assert pose.position == pytest.approx(data.site("panda_tcp").xpos, abs=1e-9)
        assert pose.rotation.ravel() == pytest.approx(data.site("panda_tcp").xmat, abs=1e-5)


def test_the_limits_are_those_of_the_model(model: mujoco.MjModel) -> None:
    assert np.array([model.joint(name).range for name in ARM_JOINTS]) == pytest.approx(LIMITS)


@pytest.mark.parametrize("rotation", [downwards(-pi / 2), downwards(-pi / 4), slanted(0.1, 0.9)])
def test_inverse_kinematics_reach_the_pose(rotation: np.ndarray) -> None:
    wanted = ToolPose(np.array([0.5, 0.05, 0.25]), rotation)
    q = inverse(wanted, np.array([0.1, -0.2, 0.0, -2.2, 0.0, 2.2, 0.785]))
    assert q is not None
    got = forward(q)
    assert got.position == pytest.approx(wanted.position, abs=4e-3)
    assert got.rotation.ravel() == pytest.approx(rotation.ravel(), abs=6e-3)
    assert (q >= LIMITS[:, 0]).all()
    assert (q <= LIMITS[:, 1]).all()


def test_the_small_solver_is_numpys() -> None:
    rng = generator("solver")
    root = rng.normal(size=(6, 6))
    matrix, right = root @ root.T + np.eye(6), rng.normal(size=6)
    wanted = np.linalg.solve(matrix, right)
    solve_square(matrix, right)
    assert right == pytest.approx(wanted)


def test_what_is_out_of_reach_has_no_solution() -> None:
    assert inverse(ToolPose(np.array([1.5, 0.0, 0.3]), downwards(0.0)), HOME) is None


def test_a_line_is_straight() -> None:
    start = inverse(
        ToolPose(np.array([0.5, 0.0, 0.35]), downwards(-pi / 2)), np.array([0, -0.2, 0, -2.2, 0, 2.0, 0.785])
    )
    assert start is not None
    rows = line(start, forward(start).moved(np.array([0.0, 0.0, -0.15])))
    assert rows is not None
    places = np.array([forward(q).position for q in rows])
    assert places[:, :2] == pytest.approx(np.tile(places[0, :2], (len(places), 1)), abs=5e-3)
    assert (np.diff(places[:, 2]) < 0.0).all()


def test_vendored_assets_are_small_and_carry_their_licence() -> None:
    folder = Path(MODEL).parent
    assert sum(path.stat().st_size for path in folder.iterdir()) < 1_000_000
    assert "Apache License" in (folder / "LICENSE").read_text()
    assert "Franka Emika" in (folder / "NOTICE").read_text()
