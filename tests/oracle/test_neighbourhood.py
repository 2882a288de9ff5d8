"""Clearance is the same to the last bit whether far bodies are measured or left out."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from stressfield.oracle import _neighbourhood
from stressfield.oracle._clearance import footprint_clearance, plain_clearance
from stressfield.seeds import Rng, generator
from stressfield.trace import Truth
from stressfield.trace.truth import COLUMNS
from stressfield.world import Bodies, Body, Shape, robots


def way(rng: Rng, samples: int, *, jumps: bool) -> Truth:
    """Of a robot that wanders, or of one that is set down elsewhere now and then."""
    values = np.zeros((samples, len(COLUMNS)))
    values[:, :2] = np.cumsum(rng.normal(0.0, 0.1, (samples, 2)), axis=0)
    if jumps:
        values[:, :2] += rng.choice([0.0, 40.0], (samples, 1), p=[0.9, 0.1])
    yaw = rng.uniform(-np.pi, np.pi, samples)
    values[:, 5], values[:, 6] = np.sin(yaw / 2.0), np.cos(yaw / 2.0)
    return Truth(np.arange(samples) * 50_000_000, values)


def many(rng: Rng, count: int, extent_m: float) -> Bodies:
    sizes, at = rng.uniform(0.01, 3.0, (count, 2)), rng.uniform(-extent_m, extent_m, (count, 2))
    return Bodies.of(
        [
            Body("b", "b", Shape(int(shape)), x, y, 0.0, a, a if shape == 0 else b, 1.0, yaw_rad=float(yaw))
            for shape, (x, y), (a, b), yaw in zip(
                rng.integers(0, 2, count), at.tolist(), sizes.tolist(), rng.uniform(-4.0, 4.0, count), strict=True
            )
        ]
    )


@settings(deadline=None)
@given(
    seed=st.integers(0, 10_000), count=st.integers(0, 300), extent_m=st.sampled_from([0.5, 5.0, 60.0]),
    samples=st.integers(0, 200), jumps=st.booleans(),
)  # fmt: skip
def test_nothing_near_is_left_out(seed: int, count: int, extent_m: float, samples: int, jumps: bool) -> None:
    rng = generator(seed, "clearance")
    truth, bodies, robot = way(rng, samples, jumps=jumps), many(rng, count, extent_m), robots.diff_drive()
    which = np.flatnonzero(rng.random(count) < 0.8)
    assert np.array_equal(
        footprint_clearance(truth, robot, bodies, which), plain_clearance(truth, robot, bodies, which)
    )


def test_a_place_that_is_not_a_number_stays_one() -> None:
    rng = generator(1, "clearance")
    truth, bodies = way(rng, 100, jumps=False), many(rng, 200, 30.0)
    truth.values[70, 0] = np.nan
    found = footprint_clearance(truth, robots.diff_drive(), bodies, np.arange(200))
    assert np.array_equal(found, plain_clearance(truth, robots.diff_drive(), bodies, np.arange(200)), equal_nan=True)
    assert np.flatnonzero(np.isnan(found)).tolist() == [70]


def test_most_bodies_are_left_out() -> None:
    rng = generator(2, "clearance")
    truth, bodies = way(rng, 64, jumps=False), many(rng, 5_000, 300.0)
    found = _neighbourhood.neighbourhoods(truth, robots.diff_drive(), bodies, np.arange(5_000))
    assert all(len(near) < 50 for _, _, near in found)
