"""The navigator's kernels against their plain versions, and against what they are for."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield_studies.oz.subject import kernels, reference

ANGLES = np.radians(np.linspace(-135.0, 135.0, 361))
COSINES, SINES = np.cos(ANGLES), np.sin(ANGLES)
LIDAR_X = 0.33
ROWS = np.array([0.0, 0.7, 1.5])


def scan(pose: np.ndarray, rng: np.random.Generator, *, rows: np.ndarray = ROWS, share: float = 0.5) -> np.ndarray:
    """Ranges from a pose to thin walls along the rows from x = 0 to 8; some rays meet nothing or weeds."""
    x0 = pose[0] + LIDAR_X * np.cos(pose[2])
    y0 = pose[1] + LIDAR_X * np.sin(pose[2])
    heading = pose[2] + ANGLES
    with np.errstate(divide="ignore"):
        to_rows = (rows - y0) / np.sin(heading)[:, None]
    hit = x0 + np.cos(heading)[:, None] * to_rows
    to_rows[(to_rows <= 0) | (hit < 0) | (hit > 8.0) | (to_rows > 4.0)] = np.inf
    ranges = to_rows.min(axis=1)
    ranges[rng.random(len(ranges)) > share] = np.inf
    weeds = rng.random(len(ranges)) < 0.05
    ranges[weeds] = rng.uniform(0.2, 3.0, weeds.sum())
    return (ranges + rng.normal(0.0, 0.01, len(ranges))).astype(np.float32)


def fit(module: object, ranges: np.ndarray, pose: np.ndarray, *, depth: float = 0.0, gate: float = 0.24) -> tuple:
    return module.fit_rows(ranges, COSINES, SINES, LIDAR_X, pose, ROWS, depth, gate, -2.2, 10.2, 1.0)


def random_filter(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    root = rng.normal(0.0, 0.1, (3, 3))
    return rng.uniform(-3.0, 3.0, 3), root @ root.T + 1e-4 * np.eye(3)


@pytest.mark.parametrize("seed", range(20))
def test_fitting_rows_agrees_with_its_plain_version(seed: int) -> None:
    rng = np.random.default_rng(seed)
    true = np.array([rng.uniform(-1.0, 9.0), rng.uniform(-0.5, 2.0), rng.choice([0.0, np.pi]) + rng.normal(0.0, 0.1)])
    believed = true + rng.normal(0.0, [0.05, 0.08, 0.05])
    ranges = scan(true, rng)
    got = fit(kernels, ranges, believed, depth=0.02)
    wanted = fit(reference, ranges, believed, depth=0.02)
    assert got[:4] == pytest.approx(wanted[:4], rel=1e-9, abs=1e-12)
    assert got[4:6] == wanted[4:6]
    assert got[6] == pytest.approx(wanted[6])
    assert got[4] > 0


@pytest.mark.parametrize("module", [kernels, reference])
def test_fitting_rows_finds_the_true_sideways_position_and_heading(module: object) -> None:
    rng = np.random.default_rng(1)
    true, believed = np.array([3.0, 0.35, 0.0]), np.array([3.0, 0.28, 0.06])
    dy, dyaw, var_y, var_yaw, used, ahead, farthest = fit(module, scan(true, rng), believed)
    assert (believed[1] + dy, believed[2] + dyaw) == pytest.approx((0.35, 0.0), abs=0.01)
    assert 0.0 < var_y < 0.001
    assert 0.0 < var_yaw < 0.001
    assert used > 100
    assert 0 < ahead < used
    assert 2.0 < farthest < 4.5


@pytest.mark.parametrize("module", [kernels, reference])
def test_an_empty_scan_changes_nothing_and_is_sure_of_nothing(module: object) -> None:
    nothing = np.full(len(ANGLES), np.inf, dtype=np.float32)
    dy, dyaw, var_y, var_yaw, used, ahead, farthest = fit(module, nothing, np.array([3.0, 0.3, 0.1]))
    assert (dy, dyaw, used, ahead, farthest) == (0.0, 0.0, 0, 0, 0.0)
    assert var_y >= 0.05
    assert var_yaw >= 0.005


@pytest.mark.parametrize("module", [kernels, reference])
def test_points_beyond_the_ends_of_the_rows_and_the_gate_do_not_count(module: object) -> None:
    rng = np.random.default_rng(2)
    outside = np.array([14.0, 0.35, 0.0])
    assert fit(module, scan(outside - [11.0, 0.0, 0.0], rng), outside)[4] == 0
    between = np.full(len(ANGLES), np.inf, dtype=np.float32)
    between[180] = 2.0
    assert fit(module, between, np.array([3.0, 0.35, 0.0]))[4] == 0


@pytest.mark.parametrize("seed", range(20))
def test_prediction_agrees_with_its_plain_version(seed: int) -> None:
    rng = np.random.default_rng(seed)
    state, cov = random_filter(rng)
    step = (rng.normal(0.0, 0.3), rng.normal(0.0, 1.0), 0.001, 0.002)
    wanted_state, wanted_cov = reference.predict(state, cov, *step)
    kernels.predict(state, cov, *step)
    assert state == pytest.approx(wanted_state, abs=1e-12)
    assert cov == pytest.approx(wanted_cov, abs=1e-12)


def test_prediction_drives_a_circle_home() -> None:
    state, cov = np.array([1.0, 2.0, 0.5]), np.zeros((3, 3))
    for _ in range(360):
        kernels.predict(state, cov, 0.01, 2.0 * np.pi / 360, 1e-6, 1e-6)
    assert state == pytest.approx([1.0, 2.0, 0.5], abs=1e-9)
    assert np.linalg.eigvalsh(cov).min() > 0.0


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("gate", [1e9, 2.0])
def test_the_update_agrees_with_its_plain_version(seed: int, gate: float) -> None:
    rng = np.random.default_rng(seed)
    state, cov = random_filter(rng)
    root = rng.normal(0.0, 0.1, (2, 2))
    measured = (rng.normal(0.0, 1.0, (2, 3)), rng.normal(0.0, 0.2, 2), root @ root.T + 0.001 * np.eye(2), gate)
    wanted_state, wanted_cov, wanted_used = reference.update(state, cov, *measured)
    assert kernels.update(state, cov, *measured) == wanted_used
    assert state == pytest.approx(wanted_state, abs=1e-8)
    assert cov == pytest.approx(wanted_cov, abs=1e-8)


def test_a_measurement_beyond_the_gate_changes_nothing() -> None:
    state, cov = random_filter(np.random.default_rng(1))
    before = state.copy(), cov.copy()
    assert not kernels.update_rows(state, cov, state[1] + 50.0, state[2], 0.001, 0.001, 25.0)
    assert np.array_equal(state, before[0])
    assert np.array_equal(cov, before[1])


@pytest.mark.parametrize("seed", range(20))
def test_correction_by_rows_agrees_with_its_plain_version(seed: int) -> None:
    rng = np.random.default_rng(seed)
    state, cov = random_filter(rng)
    seen = (state[1] + rng.normal(0.0, 0.1), state[2] + rng.normal(0.0, 0.1) + 2 * np.pi * rng.integers(-1, 2))
    wanted_state, wanted_cov, used = reference.update_rows(state, cov, *seen, 0.01, 0.02, 1e9)
    assert kernels.update_rows(state, cov, *seen, 0.01, 0.02, 1e9) == used
    assert state == pytest.approx(wanted_state, abs=1e-9)
    assert cov == pytest.approx(wanted_cov, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_correction_by_a_stake_agrees_with_its_plain_version(seed: int) -> None:
    rng = np.random.default_rng(seed)
    state, cov = random_filter(rng)
    sight = (*rng.uniform(-3.0, 3.0, 4), 0.01, 0.03, 0.012, 1e9)
    wanted_state, wanted_cov, used = reference.update_stake(state, cov, *sight)
    assert kernels.update_stake(state, cov, *sight) == used
    assert state == pytest.approx(wanted_state, abs=1e-8)
    assert cov == pytest.approx(wanted_cov, abs=1e-8)


def test_a_stake_in_the_right_place_pulls_the_pose_to_where_it_is_seen_from() -> None:
    true, stake = np.array([1.0, 0.4, 0.2]), np.array([2.5, 0.0])
    c, s = np.cos(true[2]), np.sin(true[2])
    dx, dy = stake - true[:2]
    state, cov = np.array([1.2, 0.3, 0.2]), np.diag([0.1, 0.1, 1e-6])
    for _ in range(50):
        cov += np.diag([0.01, 0.01, 0.0])
        assert kernels.update_stake(state, cov, c * dx + s * dy, -s * dx + c * dy, *stake, 0.0, 0.03, 0.012, 25.0)
    assert state[:2] == pytest.approx(true[:2], abs=0.01)


@pytest.mark.parametrize(("angle", "wanted"), [(0.5, 0.5), (3.5, 3.5 - 2 * np.pi), (-7.0, -7.0 + 2 * np.pi)])
def test_angles_are_wrapped(angle: float, wanted: float) -> None:
    assert kernels.wrap(angle) == pytest.approx(wanted)
