"""Arithmetic that is the same on every processor gives what numpy's does, but for the last bit."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stressfield.arrays import cosines, directions, sines, turned

ANGLES = np.linspace(-20.0, 20.0, 401).reshape(1, 401)


def test_sines_and_directions_are_those_of_the_c_library() -> None:
    assert sines(ANGLES).tolist() == [[math.sin(angle) for angle in ANGLES[0].tolist()]]
    assert cosines(ANGLES).tolist() == [[math.cos(angle) for angle in ANGLES[0].tolist()]]
    assert directions([[1.0], [-1.0]], [0.0, -1.0]).tolist() == [
        [math.atan2(1.0, 0.0), math.atan2(1.0, -1.0)],
        [math.atan2(-1.0, 0.0), math.atan2(-1.0, -1.0)],
    ]


def test_missing_and_infinite_values_are_missing_as_in_numpy() -> None:
    given = np.array([0.0, np.nan, np.inf, -np.inf])
    assert np.isnan(sines(given)).tolist() == [False, True, True, True]
    assert np.isnan(cosines(given)).tolist() == [False, True, True, True]
    assert np.isnan(directions(np.nan, 1.0))
    assert len(sines([])) == 0


def test_a_matrix_turns_every_vector() -> None:
    vectors, rotation = np.random.default_rng(1).random((5, 3)), np.random.default_rng(2).random((3, 3))
    assert turned(vectors, rotation) == pytest.approx(vectors @ rotation.T)
    assert turned(vectors[0], rotation) == pytest.approx(rotation @ vectors[0])
    out = np.empty((5, 3))
    assert turned(vectors, rotation, out=out) is out
