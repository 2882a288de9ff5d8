"""The stack's kernels against their plain versions, and against what they are for."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stressfield.seeds import generator
from stressfield_studies.hospital.floor import build
from stressfield_studies.hospital.mission import HospitalMission
from stressfield_studies.hospital.model import PLAIN
from stressfield_studies.hospital.robot import CENTRE_M
from stressfield_studies.hospital.subject import kernels, reference
from stressfield_studies.hospital.subject.floor_map import CELL_M, floor_map, ways_to
from stressfield_studies.hospital.subject.move_base import SETTINGS, SPEEDS, TURNS

MISSION = build(PLAIN, generator(0, "test")).mission
assert isinstance(MISSION, HospitalMission)
MAP = floor_map(MISSION)
HELD = np.array([0.05, 0.05, 0.08])


def outline_points(pose: np.ndarray, rng: np.random.Generator, count: int = 80) -> np.ndarray:
    """Points on the map's outlines around a pose, in the robot's frame, found by walking along rays."""
    found = []
    for angle in np.linspace(0.0, 2.0 * math.pi, count, endpoint=False):
        c, s = math.cos(pose[2] + angle), math.sin(pose[2] + angle)
        for r in np.arange(0.1, 3.5, 0.002):
            if kernels.look_up(MAP.distance, MAP.grid, pose[0] + r * c, pose[1] + r * s)[0] <= 0.0:
                noisy = r + rng.normal(0.0, 0.005)
                found.append((noisy * math.cos(angle), noisy * math.sin(angle)))
                break
    return np.array(found)


def test_fields_agree() -> None:
    rng = generator(1, "fields")
    boxes = np.column_stack([rng.uniform(-2, 2, (7, 2)), rng.uniform(0.05, 0.6, (7, 2))])
    grid = np.array([-2.5, -2.0, 0.1])
    assert np.allclose(kernels.distance_field(boxes, grid, 40, 50), reference.distance_field(boxes, grid, 40, 50))
    points = rng.uniform(-3, 3, (9, 2))
    made = kernels.distance_to_points(points, grid, 40, 50, 0.3)
    assert np.allclose(made, reference.distance_to_points(points, grid, 40, 50, 0.3))


def test_potentials_agree() -> None:
    cost = generator(2, "cost").uniform(1.0, 30.0, (17, 23))
    assert np.allclose(kernels.potential(cost, 0.05, 4, 9), reference.potential(cost, 0.05, 4, 9))
    assert np.allclose(kernels.potential(MAP.cost, CELL_M, 60, 30), reference.potential(MAP.cost, CELL_M, 60, 30))


def test_potentials_of_steps_that_end_at_the_edge_of_a_bucket() -> None:
    even = np.ones((9, 200))
    assert np.allclose(kernels.potential(even, 0.1, 4, 0)[4], 0.1 * np.arange(200))
    steep = np.where(generator(5, "steep").random((40, 40)) < 0.3, 1e4, 1.0)
    assert np.allclose(kernels.potential(steep, 0.05, 0, 0), reference.potential(steep, 0.05, 0, 0))


@pytest.mark.parametrize("at", [(3.0, 0.2, 0.3), (9.1, -0.4, -2.0), (0.8, 0.0, 1.0)])
def test_matching_agrees_and_finds_the_pose(at: tuple[float, float, float]) -> None:
    rng = generator(3, *map(str, at))
    truth = np.array(at)
    points = outline_points(truth, rng)
    begin = truth + np.array([0.04, -0.05, 0.06])
    pose = begin.copy()
    share = kernels.match(pose, points, len(points), MAP.distance, MAP.grid, HELD)
    plain, plain_share = reference.match(begin, points, MAP.distance, MAP.grid, HELD)
    assert np.allclose(pose, plain, atol=1e-9)
    assert share == plain_share
    assert np.hypot(*(pose - truth)[:2]) < 0.03
    assert abs(pose[2] - truth[2]) < 0.02


def test_the_search_finds_a_robot_that_was_turned_and_moved() -> None:
    truth = np.array([1.2, 0.3, 0.4])
    points = outline_points(truth, generator(4, "search"))
    pose = truth + np.array([0.32, -0.24, 0.4])
    kernels.search(pose, points, len(points), MAP.distance, MAP.grid, np.array([0.4, 0.5]), 5)
    kernels.match(pose, points, len(points), MAP.distance, MAP.grid, HELD)
    assert np.hypot(*(pose - truth)[:2]) < 0.05


def test_local_distances_are_near_the_true_ones() -> None:
    rng = generator(5, "local")
    points = rng.uniform(-0.5, 0.5, (12, 2))
    grid = np.array([-0.6, -0.6, 0.05])
    near = np.empty((25, 25))
    kernels.local_grid(near, grid, points, len(points))
    exact = reference.distance_to_points(points, grid, 25, 25, 9.0)
    assert np.abs(near - exact).max() < 0.05 + 0.085 * exact.max()


def test_the_chosen_motion_is_the_best_of_all() -> None:
    rng = generator(6, "choose")
    away = ways_to(MISSION, 6.0, 0.0)
    near_grid = np.array([-0.6, -0.6, CELL_M])
    chosen = 0
    for _ in range(12):
        pose = np.array([rng.uniform(2.0, 10.0), rng.uniform(-0.7, 0.7), rng.uniform(-3.1, 3.1)])
        near = np.empty((25, 25))
        points = rng.uniform(-0.6, 0.6, (3, 2))
        kernels.local_grid(near, near_grid, points, len(points))
        others = np.array([[pose[0] + 0.5, pose[1] + rng.uniform(-0.3, 0.3), -0.1, 0.0]])
        costs = {
            (v, w): reference.motion_cost(pose, v, w, away, MAP.distance, MAP.grid, near, near_grid, others, SETTINGS)
            for v in SPEEDS.tolist()
            for w in TURNS.tolist()
            if (v, w) != (0.0, 0.0)
        }
        best = np.empty(2)
        least = kernels.choose(
            best, pose, SPEEDS, TURNS, away, MAP.distance, MAP.grid, near, near_grid, others, SETTINGS
        )
        assert least == pytest.approx(min(costs.values()), abs=1e-9)
        if math.isfinite(least):
            assert costs[tuple(best.tolist())] == pytest.approx(least, abs=1e-9)
            chosen += 1
    assert chosen > 3


def test_scan_points_leave_out_what_did_not_return() -> None:
    angles = 2.0 * math.pi * np.arange(4) / 4
    table = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points = np.empty((4, 2))
    count = kernels.scan_points(points, np.array([1.0, np.inf, 2.0, np.nan], dtype=np.float32), table, 1, CENTRE_M)
    assert count == 2
    assert np.allclose(points[:2], [[CENTRE_M + 1.0, 0.0], [CENTRE_M - 2.0, 0.0]])


def test_ways_lead_through_doors_and_around_what_is_seen() -> None:
    task = MISSION.duties[0].tasks[0]
    away = ways_to(MISSION, task.place.x_m, task.place.y_m)
    corridor = kernels.look_up(away, MAP.grid, task.place.x_m, 0.0)[0]
    beside = kernels.look_up(away, MAP.grid, task.place.x_m + 1.6, task.place.y_m)[0]
    assert corridor < 3.0
    assert beside > corridor + 1.0
    door = np.array([[task.place.x_m, 0.94]])
    blocked = ways_to(MISSION, task.place.x_m, task.place.y_m, door)
    assert kernels.look_up(blocked, MAP.grid, task.place.x_m, 0.0)[0] > corridor + 0.5
