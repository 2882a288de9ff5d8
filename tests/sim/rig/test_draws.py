"""Noise drawn in blocks is the noise drawn number by number."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from stressfield.scenario import generator
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.rig._draws import NoiseRows, chances, normals, plain_normals


@pytest.mark.parametrize("width", [1, 3, 360, 2048, 3000])
@pytest.mark.parametrize(("make", "draw"), [(normals, "standard_normal"), (chances, "random")])
def test_rows_follow_each_other_as_in_the_generator(
    make: Callable[[np.random.Generator, int], NoiseRows], draw: str, width: int
) -> None:
    noise = make(generator(1, "noise"), width)
    one_by_one = generator(1, "noise")
    rows = 2 * max(1, 2048 // width) + 1
    for _ in range(rows):
        np.testing.assert_array_equal(noise.next(), getattr(one_by_one, draw)(width))


def test_rows_stay_as_they_were_when_more_are_drawn() -> None:
    noise = normals(generator(2, "noise"), 1500)
    rows = [noise.next() for _ in range(4)]
    kept = [row.copy() for row in rows]
    noise.next()
    assert all((row == copy).all() for row, copy in zip(rows, kept, strict=True))
    assert all((a != b).any() for a, b in pairwise(rows))


def test_a_sensor_without_anything_to_measure_has_empty_rows() -> None:
    assert normals(generator(1, "noise"), 0).next().shape == (0,)


def test_plain_rows_are_the_same_numbers() -> None:
    plain, rows = plain_normals(generator(3, "noise"), 3), normals(generator(3, "noise"), 3)
    assert [plain() for _ in range(1500)] == [rows.next().tolist() for _ in range(1500)]


def test_robots_said_to_be_far_off_are() -> None:
    rng = generator(4, "robots")
    skipped = 0
    for _ in range(2000):
        state = np.zeros((2, k.STATE_COLUMNS))
        state[:, [k.X, k.Y, k.YAW]] = rng.uniform(-3.0, 3.0, (2, 3))
        robots = np.zeros((2, k.ROBOT_COLUMNS))
        robots[:, [k.HALF_LENGTH, k.HALF_WIDTH]] = rng.uniform(0.05, 0.8, (2, 2))
        robots[:, k.OFFSET] = rng.uniform(-0.5, 0.5, 2)
        gap = float(rng.choice([-0.1, 0.0, 0.7]))
        if k.far_off(state, robots, 0, 1, gap):
            skipped += 1
            assert k.robot_gap(state, robots, 0, 1) > gap
    assert 200 < skipped < 1900
