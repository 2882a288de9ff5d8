from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stressfield.errors import WorldError
from stressfield.world import Terrain, perlin_terrain, quantise
from stressfield.world._compiled._terrain_kernels import add_perlin_octave
from stressfield.world.perlin import draw_octaves, perlin_reference


def ground(roughness_m: float, seed: int = 1, points: int = 65) -> Terrain:
    rng = np.random.default_rng(seed)
    return perlin_terrain(roughness_m=roughness_m, x0_m=-3.0, y0_m=-4.0, size_m=20.0, points=points, rng=rng)


@pytest.mark.parametrize("step", [0.01, 0.05, 0.3, 1.0, 2.7])
def test_the_kernel_agrees_with_the_plain_reference(step: float) -> None:
    layers = draw_octaves(33, step, 4, np.random.default_rng(5))
    compiled = np.zeros((33, 33))
    for layer in layers:
        add_perlin_octave(
            compiled,
            layer.gradient_x,
            layer.gradient_y,
            layer.offset_x,
            layer.offset_y,
            layer.step,
            layer.amplitude,
        )
    np.testing.assert_allclose(compiled, perlin_reference(33, layers), rtol=0.0, atol=1e-13)


@settings(deadline=None, max_examples=60)
@given(roughness_m=st.floats(0.0, 3.0), seed=st.integers(0, 2**32))
def test_heights_stay_within_the_amplitude_and_reach_it(roughness_m: float, seed: int) -> None:
    heights = ground(roughness_m, seed, 33).heights_m
    peak = float(np.abs(heights).max())
    assert peak <= roughness_m
    assert peak == pytest.approx(roughness_m, abs=max(1e-12, roughness_m * 1e-4))


@settings(deadline=None, max_examples=60)
@given(roughness_m=st.floats(0.0, 3.0), seed=st.integers(0, 2**32))
def test_generated_ground_is_made_of_grey_levels(roughness_m: float, seed: int) -> None:
    terrain = ground(roughness_m, seed, 33)
    np.testing.assert_array_equal(quantise(terrain).heights_m, terrain.heights_m)


@settings(deadline=None, max_examples=60)
@given(seed=st.integers(0, 2**32), scale=st.floats(1e-9, 1e6), shift=st.floats(-1e3, 1e3))
def test_quantising_twice_is_quantising_once(seed: int, scale: float, shift: float) -> None:
    heights = np.random.default_rng(seed).normal(0.0, scale, (9, 9)) + shift
    once = quantise(Terrain(heights, 0.0, 0.0, 1.0))
    np.testing.assert_array_equal(quantise(once).heights_m, once.heights_m)
    slack = 1e-12 + 1e-12 * abs(shift)
    assert np.abs(once.heights_m - heights).max() <= np.ptp(heights) / 32767.0 / 2.0 + slack


def test_no_roughness_is_exactly_flat() -> None:
    assert not ground(0.0).heights_m.any()


def test_the_seed_decides() -> None:
    np.testing.assert_array_equal(ground(0.1, 7).heights_m, ground(0.1, 7).heights_m)
    assert (ground(0.1, 7).heights_m != ground(0.1, 8).heights_m).any()


def test_what_is_drawn_afterwards_does_not_depend_on_roughness() -> None:
    after = []
    for roughness_m in (0.0, 0.1):
        rng = np.random.default_rng(4)
        perlin_terrain(roughness_m=roughness_m, x0_m=0.0, y0_m=0.0, size_m=9.0, points=9, rng=rng)
        after.append(rng.random())
    assert after[0] == after[1]


def test_a_negative_roughness_is_refused() -> None:
    with pytest.raises(WorldError) as caught:
        ground(-0.1)
    assert str(caught.value) == "A terrain's roughness_m is an amplitude in metres, at least 0.0; got -0.1."
