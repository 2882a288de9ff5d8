"""RANSAC and clustering on clouds made by hand."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield.bus.messages import Header, PointCloud2, Time
from stressfield.seeds import generator
from stressfield_studies.tabletop.devices.camera import FIELDS
from stressfield_studies.tabletop.place.furniture import KINDS, TABLE_SHADE
from stressfield_studies.tabletop.subject.perception import perceive


def cloud(*parts: np.ndarray) -> PointCloud2:
    points = np.concatenate(parts).astype(np.float32)
    return PointCloud2(
        Header(Time(0, 0), "porter"), 1, len(points), FIELDS, False, 16, 16 * len(points),
        points.reshape(-1).view(np.uint8), False,
    )  # fmt: skip


def table(height_m: float, *, noise_m: float = 0.002) -> np.ndarray:
    rng = generator("table")
    n = 4000
    x, y = rng.uniform(0.35, 0.9, n), rng.uniform(-0.5, 0.5, n)
    return np.stack([x, y, height_m + rng.normal(0.0, noise_m, n), np.full(n, TABLE_SHADE)], axis=1)


def can(x: float, y: float, foot_m: float, *, radius_m: float = 0.033, height_m: float = 0.115) -> np.ndarray:
    rng = generator("can", round(1e3 * x), round(1e3 * y))
    angle, n = rng.uniform(-np.pi, np.pi, 300), 300
    side = np.stack(
        [x + radius_m * np.cos(angle), y + radius_m * np.sin(angle), foot_m + rng.uniform(0, height_m, n)], 1
    )
    r = radius_m * np.sqrt(rng.random(n))
    top = np.stack([x + r * np.cos(angle), y + r * np.sin(angle), np.full(n, foot_m + height_m)], 1)
    points = np.concatenate([side, top])
    return np.concatenate([points, np.full((len(points), 1), KINDS["can"].shade)], axis=1)


@pytest.mark.parametrize("height_m", [0.42, 0.58, 0.75])
def test_the_plane_is_found_at_its_height(height_m: float) -> None:
    seen = perceive(cloud(table(height_m)), generator("r"))
    assert seen is not None
    assert seen.height_m == pytest.approx(height_m, abs=0.002)
    assert seen.objects == ()


def test_objects_are_told_apart_and_measured() -> None:
    seen = perceive(cloud(table(0.5), can(0.5, -0.2, 0.5), can(0.6, 0.1, 0.5)), generator("r"))
    assert seen is not None
    found = sorted((one.kind, round(one.x, 2), round(one.y, 2)) for one in seen.objects)
    assert found == [("can", 0.5, -0.2), ("can", 0.6, 0.1)]
    assert seen.objects[0].height == pytest.approx(0.115, abs=0.006)
    assert seen.objects[0].length == pytest.approx(0.066, abs=0.006)


def test_a_wall_behind_the_table_is_no_object() -> None:
    rng = generator("wall")
    n = 800
    wall = np.stack([np.full(n, 1.2), rng.uniform(-0.8, 0.8, n), rng.uniform(0.3, 1.0, n), np.full(n, TABLE_SHADE)], 1)
    seen = perceive(cloud(table(0.5), wall), generator("r"))
    assert seen is not None
    assert seen.objects == ()


def test_a_cloud_without_a_plane_gives_nothing() -> None:
    rng = generator("fog")
    fog = rng.uniform([0.3, -0.5, 0.3, 0.0], [1.2, 0.5, 1.2, 1.0], (300, 4))
    assert perceive(cloud(fog), generator("r")) is None
    assert perceive(cloud(np.full((10, 4), np.nan)), generator("r")) is None


def test_a_bias_raises_the_plane() -> None:
    seen = perceive(cloud(table(0.5)), generator("r"), bias_m=0.05)
    assert seen is not None
    assert seen.height_m == pytest.approx(0.55, abs=0.002)
