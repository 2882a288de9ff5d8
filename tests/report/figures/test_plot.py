"""Axes have round numbers, however small what they show is."""

from __future__ import annotations

import math

import pytest

from stressfield.report.figures.plot import ticks


@pytest.mark.parametrize(
    ("low", "high", "wanted"),
    [
        (0.0, 1.0, [0.0, 0.25, 0.5, 0.75, 1.0]),
        (-0.13, 0.02, [-0.1, -0.05, 0.0]),
        (-3.2e-11, -7.8e-12, [-3e-11, -2e-11, -1e-11]),
        (-8e-10, 1e-10, [-7.5e-10, -5e-10, -2.5e-10, 0.0]),
        (5.0, 5.0, [5.0]),
    ],
)
def test_ticks_are_round_and_none_is_minus_zero(low: float, high: float, wanted: list[float]) -> None:
    found = ticks(low, high, 4)
    assert found == pytest.approx(wanted, rel=1e-12, abs=0.0)
    assert not any(math.copysign(1.0, value) < 0.0 for value in found if value == 0.0)
