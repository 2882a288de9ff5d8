"""Ground by subdivision and displacement."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from stressfield.errors import WorldError
from stressfield.world import Terrain, fractal_terrain, read_terrain_png, terrain_png
from stressfield.world.fractal import displaced, displaced_reference, draw_displacements


def ground(s: int = 4, d: float = 2.0, seed: int = 1, size_m: float = 100.0) -> Terrain:
    return fractal_terrain(subdivisions=s, amplitude_m=d, size_m=size_m, rng=np.random.default_rng(seed))


def steepness(terrain: Terrain) -> float:
    slopes = np.hypot(*np.gradient(terrain.heights_m, terrain.cell_m))
    return float(np.percentile(slopes, 90))


def test_heights_agree_with_the_plain_version() -> None:
    shares = draw_displacements(3, 3, np.random.default_rng(4))
    np.testing.assert_allclose(displaced(shares, 1.7, 0.4), displaced_reference(shares, 1.7, 0.4), atol=1e-12)


def test_zero_amplitude_is_exactly_flat_and_uses_the_generator_alike() -> None:
    first, second = np.random.default_rng(3), np.random.default_rng(3)
    flat = fractal_terrain(subdivisions=2, amplitude_m=0.0, size_m=100.0, rng=first)
    fractal_terrain(subdivisions=2, amplitude_m=5.0, size_m=100.0, rng=second)
    assert (flat.heights_m == 0.0).all()
    assert first.random() == second.random()


def test_same_seed_same_ground_and_corners_stay() -> None:
    terrain = ground()
    assert (terrain.heights_m == ground().heights_m).all()
    assert not (terrain.heights_m == ground(seed=2).heights_m).all()
    assert np.abs(terrain.heights_m[np.ix_([0, -1], [0, -1])]).max() < 1e-3


@pytest.mark.parametrize("s", [2, 4, 6])
def test_size_and_cell(s: int) -> None:
    terrain = ground(s)
    assert terrain.width_m == pytest.approx(100.0)
    assert terrain.cell_m <= 0.7


def test_finer_subdivision_and_larger_amplitude_are_steeper() -> None:
    assert steepness(ground(2)) < steepness(ground(4)) < steepness(ground(6))
    assert steepness(ground(4, 1.0)) < steepness(ground(4, 2.0)) < steepness(ground(4, 4.0))


def test_published_thresholds_have_the_same_slopes() -> None:
    slopes = [np.mean([steepness(ground(s, d, seed)) for seed in range(8)]) for s, d in ((2, 5.5), (4, 3.5), (6, 2.5))]
    assert max(slopes) / min(slopes) < 1.15


def test_a_terrain_image_stores_it_exactly(tmp_path: Path) -> None:
    terrain = ground(6, 3.3)
    path = tmp_path / "terrain.png"
    path.write_bytes(terrain_png(terrain))
    assert (read_terrain_png(path).heights_m == terrain.heights_m).all()


@pytest.mark.parametrize(
    ("s", "d", "text"),
    [
        (-1, 1.0, "Fractal ground takes 0 to 64 subdivisions, got -1."),
        (4, -0.1, "Fractal ground needs an amplitude_m of at least 0.0 metres, got -0.1."),
        (4, math.nan, "Fractal ground needs an amplitude_m of at least 0.0 metres, got nan."),
    ],
)
def test_bad_parameters_are_named(s: int, d: float, text: str) -> None:
    with pytest.raises(WorldError) as caught:
        ground(s, d)
    assert str(caught.value) == text
