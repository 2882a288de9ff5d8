"""Kernels of DTM and P3D against their plain versions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stressfield_studies.mana.mission import ManaMission
from stressfield_studies.mana.subject import P3d, RobotSize, kernels, p3d, reference

CELL = 0.15
POSE = np.array([0.3, -0.2, 0.1, 0.05, -0.08, 0.7])


def cloud(rng: np.random.Generator, rings: int = 6, azimuths: int = 40) -> np.ndarray:
    """Ground points around a sensor 1.4 m up, some missing, some on something tall."""
    radius = np.linspace(1.5, 6.0, rings)[:, None] + rng.normal(0.0, 0.05, (rings, azimuths))
    angle = np.linspace(0.0, 2.0 * math.pi, azimuths, endpoint=False) + 0.001
    z = -1.4 + rng.normal(0.0, 0.1, (rings, azimuths)) + (rng.random((rings, azimuths)) < 0.1)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle), z], axis=2)
    points[rng.random((rings, azimuths)) < 0.1] = np.nan
    return points.astype(np.float32)


@pytest.mark.parametrize("seed", range(5))
def test_clouds_are_entered_as_in_the_plain_version(seed: int) -> None:
    rng = np.random.default_rng(seed)
    elevation = np.full((90, 80), np.nan, dtype=np.float32)
    known = np.zeros((90, 80), dtype=np.uint8)
    plain = reference.PlainMap(-6.0, -7.0, CELL, 90, 80)
    for _ in range(3):
        points = cloud(rng)
        kernels.add_cloud(elevation, known, -6.0, -7.0, CELL, points.reshape(-1, 3), 6, POSE, 0.1, 1.4)
        plain.add_cloud(points.astype(np.float64), POSE, np.array([0.1, 0.0, 1.4]))
    wanted, what = np.full((90, 80), np.nan), np.zeros((90, 80))
    for place, (seen, z) in plain.cells.items():
        wanted[place], what[place] = z, seen
    assert (known == what).mean() > 0.999  # a place on the border of two cells may fall into either
    same = known == what
    np.testing.assert_allclose(elevation[same], wanted[same], atol=2e-2)
    assert np.nanmedian(np.abs(elevation - wanted)) < 1e-6
    assert 0.05 < (known > 0).mean() < 0.9


@pytest.mark.parametrize("seed", range(20))
def test_slope_and_roughness_agree_with_a_least_squares_plane(seed: int) -> None:
    rng = np.random.default_rng(seed)
    plain = reference.PlainMap(-2.0, -2.0, CELL, 30, 30)
    elevation = np.full((30, 30), np.nan, dtype=np.float32)
    for j in range(30):
        for i in range(30):
            if rng.random() > 0.08:
                elevation[j, i] = 0.2 * i * CELL - 0.1 * j * CELL + rng.normal(0.0, 0.02)
                plain.cells[j, i] = 2, float(elevation[j, i])
    u, v = p3d.places(RobotSize(), 0.05)
    x, y, yaw = rng.uniform(-0.5, 1.0, 3)
    got = kernels.stand(elevation, -2.0, -2.0, CELL, x, y, yaw, u, v, 0.15, np.empty(len(u) * len(v)))
    assert got == pytest.approx(reference.stand(plain, x, y, yaw, u, v, 0.15), abs=1e-6)


def costs_in(
    elevation: np.ndarray, *, size: RobotSize | None = None, trail: np.ndarray | None = None
) -> tuple[int, np.ndarray]:
    """All arcs from the middle of a 12 x 12 m map, the goal far ahead along x."""
    planner = P3d(ManaMission(limit_s=1.0, goal_x_m=50.0, goal_y_m=0.0), size or RobotSize())
    costs = np.empty(p3d.ARCS)
    best = kernels.arc_costs(
        costs, elevation, -6.0, -6.0, CELL, -2.0, 0.0, 0.0, 50.0, 0.0, planner.curvatures, p3d.NODES,
        p3d.ARC_LENGTH_M, *planner._near, *planner._far, p3d.NEAR_M, planner._rim, planner._limits, planner._weights,
        0.0, np.empty((0, 2)) if trail is None else trail, p3d.BEEN_WITHIN_M,
    )  # fmt: skip
    return best, costs


def level() -> np.ndarray:
    return np.zeros((80, 80), dtype=np.float32)


def test_arcs_end_where_small_steps_lead() -> None:
    planner = P3d(ManaMission(limit_s=1.0, goal_x_m=50.0, goal_y_m=0.0), RobotSize())
    _, costs = costs_in(level())
    for curvature, cost in zip(planner.curvatures, costs, strict=True):
        x, y, _ = reference.node_on_arc(-2.0, 0.0, 0.0, float(curvature), p3d.ARC_LENGTH_M)
        wanted = math.hypot(50.0 - x, y) + p3d.TURN_WEIGHT_M * abs(curvature)
        assert cost == pytest.approx(wanted, abs=1e-4)


def test_on_level_ground_it_elects_straight_on() -> None:
    best, costs = costs_in(level())
    assert best in {9, 10}
    assert np.isfinite(costs).all()


def test_unknown_ground_is_infinite() -> None:
    unseen = level()
    unseen[:, 40:] = np.nan
    best, costs = costs_in(unseen)
    assert best < 0 or abs(costs[best]) < math.inf
    assert np.isinf(costs[9:11]).all()


def test_a_wall_ahead_leaves_no_arc_and_a_tree_some() -> None:
    wall = level()
    wall[:, 44] = 1.0
    wall[15, :], wall[65, :] = 1.0, 1.0
    assert np.isinf(costs_in(wall)[1][5:15]).all()
    tree = level()
    tree[37:44, 44:51] = 1.0
    best, costs = costs_in(tree)
    assert np.isinf(costs[9:11]).all()
    assert best >= 0
    assert best not in {9, 10}


def test_a_small_robot_fits_where_the_real_one_does_not() -> None:
    gap = level()
    gap[:, 44] = 1.0
    gap[37:42, 44] = 0.0  # 0.75 m, cells that are free: from y = -0.45 to 0.30
    ahead = slice(6, 14)
    assert np.isinf(costs_in(gap)[1][ahead]).all()
    assert np.isfinite(costs_in(gap, size=RobotSize(0.84, 0.40))[1][ahead]).any()


def test_steeper_ground_costs_more_until_it_is_infinite() -> None:
    tilt = np.tile(np.arange(80, dtype=np.float32) * CELL, (80, 1))
    costs = [costs_in((tilt * s).astype(np.float32))[1][9] for s in (0.0, 0.1, 0.2, 0.4)]
    assert costs[0] < costs[1] < costs[2]
    assert costs[3] == math.inf


def test_where_it_was_before_agrees_with_the_plain_version() -> None:
    rng = np.random.default_rng(4)
    trail = rng.uniform(-6.0, 6.0, (60, 2))
    for x, y in rng.uniform(-6.0, 6.0, (20, 2)):
        assert kernels.been(x, y, trail, 3.0) == pytest.approx(reference.been(x, y, trail, 3.0))
    assert kernels.been(0.0, 0.0, np.empty((0, 2)), 3.0) == 0.0


def test_it_shuns_places_where_it_was_before() -> None:
    """Straight on is cheapest, but it was there more than once; more to the left than to the right."""
    fresh, _ = costs_in(level())
    trail = np.array([(3.5, 0.5)] * 6)
    best, costs = costs_in(level(), trail=trail)
    planner = P3d(ManaMission(limit_s=1.0, goal_x_m=50.0, goal_y_m=0.0), RobotSize())
    assert abs(planner.curvatures[fresh]) < 0.01
    assert planner.curvatures[best] < -0.05
    assert np.isfinite(costs).all()
