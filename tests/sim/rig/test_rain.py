"""Returns of drops in the rays of lidars: how many, from where, and never from behind what is there."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from stressfield.errors import InputError
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.world import Lidar3D

from ..scenes import box, lidar, opened, robot, scene

RINGS = Lidar3D("/points", 20.0, 0.0, 1.0, (0.1, 0.3), 90, 0.05, 5.0)


@pytest.mark.parametrize("simulator", [KinematicSimulator(), MujocoSimulator()])
def test_drops_come_as_often_and_from_as_far_as_said(simulator: Any) -> None:
    spec = replace(lidar(), rain=0.2, rain_range_m=0.5)
    session = simulator.open(scene(robot(spec)), seed=1)
    ranges = np.concatenate([session.step(())[0].message.ranges for _ in range(300)])
    drops = ranges[np.isfinite(ranges)]
    assert len(drops) / len(ranges) == pytest.approx(0.2, abs=0.01)
    assert drops.min() >= 0.05
    assert (drops - 0.05).mean() == pytest.approx(0.5, rel=0.03)
    assert np.median(drops - 0.05) == pytest.approx(0.5 * math.log(2.0), rel=0.05)  # exponential


def test_a_drop_behind_a_wall_is_not_seen() -> None:
    spec = replace(lidar(rays=91), rain=0.5, rain_range_m=2.0)
    walls = [box(1.5, 0.0, 0.2, 40.0, high=3.0)]
    clean = opened(scene(robot(lidar(rays=91)), bodies=walls)).step(())[0].message.ranges
    session = opened(scene(robot(spec), bodies=walls))
    scans = np.array([session.step(())[0].message.ranges for _ in range(200)])
    assert np.all(scans <= clean + 1e-6)
    # 1.0 m away: of the half that meet a drop anywhere, 1 - exp(-0.95 / 2) do so in front of the wall.
    assert np.mean(scans[:, 45] < clean[45] - 1e-3) == pytest.approx(0.5 * (1.0 - math.exp(-0.475)), abs=0.09)


def test_rings_have_rain_too() -> None:
    session = opened(scene(robot(replace(RINGS, rain=0.1, rain_range_m=0.5))))
    clouds = np.array([session.step(())[0].message.data.view("<f4").reshape(-1, 3) for _ in range(100)])
    away = np.linalg.norm(clouds, axis=2)
    assert np.isfinite(away).mean() == pytest.approx(0.1, abs=0.01)
    assert np.isnan(opened(scene(robot(RINGS))).step(())[0].message.data.view("<f4")).all()


def test_rain_changes_nothing_else() -> None:
    walls = [box(2.0, 0.0, 0.2, 40.0, high=3.0)]
    plain, wet = lidar(noise_m=0.02, dropout=0.1), replace(lidar(noise_m=0.02, dropout=0.1), rain=0.1)
    dry = opened(scene(robot(plain), bodies=walls)).step(())[0].message.ranges
    rained = opened(scene(robot(wet), bodies=walls)).step(())[0].message.ranges
    same = dry == rained
    assert 0.85 < same.mean() < 1.0


@pytest.mark.parametrize(("rain", "away"), [(-0.1, 2.0), (1.1, 2.0), (math.nan, 2.0), (0.1, 0.0), (0.1, math.inf)])
def test_what_cannot_be_is_refused(rain: float, away: float) -> None:
    told = f"has rain {rain!r} and rain_range_m {away!r}; wanted a share from 0 to 1 and a range above zero."
    with pytest.raises(InputError, match=re.escape(f"The Lidar on '/scan' {told}")):
        opened(scene(robot(replace(lidar(), rain=rain, rain_range_m=away))))
    with pytest.raises(InputError, match=re.escape(f"The Lidar3D on '/points' {told}")):
        opened(scene(robot(replace(RINGS, rain=rain, rain_range_m=away))))


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"rays": 0}, "The Lidar on '/scan' has 0 rays; wanted at least one."),
        (
            {"range_min_m": 6.0},
            "The Lidar on '/scan' has ranges from 6.0 to 5.0 m; wanted 0 or more to something larger.",
        ),
        ({"range_max_m": math.nan}, "has ranges from 0.05 to nan m"),
        ({"noise_m": -0.1}, "has noise_m -0.1 and a dropout of 0.0; wanted zero or more"),
        ({"dropout": 3.0}, "has noise_m 0.0 and a dropout of 3.0; wanted zero or more, and a share from 0 to 1."),
    ],
)
def test_lidars_that_cannot_be_are_refused(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=re.escape(told)):
        opened(scene(robot(replace(lidar(), **changes))))
