"""The satellite receiver: against the published formulas of WGS 84, and its errors against what they are said to be."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stressfield.bus.messages import NavSatFix
from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.rig._live.satellites import Datum
from stressfield.world import GpsReceiver, PlacedRobot

from ..scenes import opened, robot, scene, slope

A, F = 6378137.0, 1.0 / 298.257223563
E2 = F * (2.0 - F)


def earth(latitude_deg: float, longitude_deg: float, altitude_m: float) -> np.ndarray:
    """Position in the frame of the Earth (NIMA TR8350.2, equation 4-14)."""
    lat, lon = math.radians(latitude_deg), math.radians(longitude_deg)
    n = A / math.sqrt(1.0 - E2 * math.sin(lat) ** 2)
    return np.array(
        [
            (n + altitude_m) * math.cos(lat) * math.cos(lon),
            (n + altitude_m) * math.cos(lat) * math.sin(lon),
            ((1.0 - E2) * n + altitude_m) * math.sin(lat),
        ]
    )


def tangents(latitude_deg: float, longitude_deg: float) -> np.ndarray:
    """Rows: east, north, up."""
    lat, lon = math.radians(latitude_deg), math.radians(longitude_deg)
    return np.array(
        [
            [-math.sin(lon), math.cos(lon), 0.0],
            [-math.sin(lat) * math.cos(lon), -math.sin(lat) * math.sin(lon), math.cos(lat)],
            [math.cos(lat) * math.cos(lon), math.cos(lat) * math.sin(lon), math.sin(lat)],
        ]
    )


@settings(deadline=None, max_examples=200)
@given(
    latitude=st.floats(-89.9, 89.9),
    longitude=st.floats(-179.9, 179.9),
    altitude=st.floats(-400.0, 9000.0),
    away=st.tuples(st.floats(-5000.0, 5000.0), st.floats(-5000.0, 5000.0), st.floats(-200.0, 200.0)),
)
def test_a_fix_is_where_the_ellipsoid_says(
    latitude: float, longitude: float, altitude: float, away: tuple[float, float, float]
) -> None:
    found = Datum(latitude, longitude, altitude).moved(*away)
    there = earth(found.latitude_deg, found.longitude_deg, found.altitude_m)
    back = tangents(latitude, longitude) @ (there - earth(latitude, longitude, altitude))
    assert back == pytest.approx(away, abs=1e-6)


def test_published_lengths_of_a_degree() -> None:
    # Of latitude 110,574 m and of longitude 111,320 m at the equator; 111,132 m and 78,847 m at 45 degrees.
    assert Datum(0.0, 0.0, 0.0).moved(0.0, 110.574, 0.0).latitude_deg == pytest.approx(0.001, rel=1e-5)
    assert Datum(0.0, 0.0, 0.0).moved(111.320, 0.0, 0.0).longitude_deg == pytest.approx(0.001, rel=1e-5)
    assert Datum(45.0, 7.0, 0.0).moved(0.0, 111.132, 0.0).latitude_deg == pytest.approx(45.001, abs=1e-8)
    assert Datum(45.0, 7.0, 0.0).moved(78.847, 0.0, 0.0).longitude_deg == pytest.approx(7.001, abs=1e-8)


def gps(**changes: Any) -> GpsReceiver:
    return GpsReceiver("/fix", 20.0, **{"latitude_deg": 47.4, "longitude_deg": 8.5, "altitude_m": 430.0, **changes})


def fixes(spec: GpsReceiver, count: int, *, seed: int = 1, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Any:
    scenario: Scenario = scene(PlacedRobot(robot(spec), *at))
    session = KinematicSimulator().open(scenario, seed=seed)
    return [message for _ in range(count) for topic, _, message in session.step(()) if topic == "/fix"]


def metres(fix: NavSatFix, spec: GpsReceiver) -> np.ndarray:
    """East, north and up of the datum."""
    datum = (spec.latitude_deg, spec.longitude_deg)
    there = earth(fix.latitude, fix.longitude, fix.altitude) - earth(*datum, spec.altitude_m)
    return tangents(*datum) @ there


def test_east_is_where_it_is_said_to_be() -> None:
    for east_yaw in (0.0, 0.7, -2.0):
        spec = gps(east_yaw_rad=east_yaw, x_m=0.5, z_m=1.2)
        (fix,) = fixes(spec, 1, at=(30.0, -12.0, 0.4))
        x, y = 30.0 + 0.5 * math.cos(0.4), -12.0 + 0.5 * math.sin(0.4)
        east = (math.cos(east_yaw) * x + math.sin(east_yaw) * y, -math.sin(east_yaw) * x + math.cos(east_yaw) * y)
        assert metres(fix, spec) == pytest.approx([*east, 1.2], abs=1e-6)
        assert (fix.status.status, fix.status.service, fix.header.frame_id) == (0, 1, "oz/fix")


def test_the_antenna_leans_with_the_robot() -> None:
    spec = gps(z_m=2.0)
    session = opened(scene(robot(spec), terrain=slope(0.2)))
    fix = session.step(())[0].message
    tilt = math.atan(0.2)
    assert metres(fix, spec) == pytest.approx([-2.0 * math.sin(tilt), 0.0, 2.0 * math.cos(tilt)], abs=0.01)


def test_white_noise_is_white_and_as_large_as_said() -> None:
    spec = gps(noise_m=1.5)
    away = np.array([metres(fix, spec) for fix in fixes(spec, 4000)])
    assert away.std(axis=0) == pytest.approx([1.5] * 3, rel=0.05)
    assert np.abs(away.mean(axis=0)).max() < 0.1
    assert abs(np.corrcoef(away[1:, 0], away[:-1, 0])[0, 1]) < 0.05


def test_drift_wanders_and_is_forgotten() -> None:
    spec = gps(drift_m=2.0, drift_time_s=1.0)
    away = np.array([metres(fix, spec) for fix in fixes(spec, 40_000)])
    assert away.std(axis=0) == pytest.approx([2.0] * 3, rel=0.08)
    for lag_s in (0.5, 1.0, 2.0):
        lag = round(20 * lag_s)
        found = np.corrcoef(away[lag:, 0], away[:-lag, 0])[0, 1]
        assert found == pytest.approx(math.exp(-lag_s), abs=0.06)
    starts = np.array([metres(fixes(spec, 1, seed=seed)[0], spec)[0] for seed in range(200)])
    assert starts.std() == pytest.approx(2.0, rel=0.2)  # it does not begin at the truth


def test_outages_take_their_share_and_last() -> None:
    spec = gps(outage=0.25, outage_s=2.0)
    found = fixes(spec, 60_000)
    lost = np.array([fix.status.status == -1 for fix in found])
    assert lost.mean() == pytest.approx(0.25, abs=0.03)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], lost.astype(int), [0]])))
    lengths = (edges[1::2] - edges[::2]) / 20.0
    assert lengths.mean() == pytest.approx(2.0, rel=0.15)
    assert all(math.isnan(fix.latitude) and math.isnan(fix.altitude) for fix in found if fix.status.status == -1)
    assert not any(math.isnan(fix.latitude) for fix in found if fix.status.status == 0)


def test_never_and_always_lost() -> None:
    assert {fix.status.status for fix in fixes(gps(), 200)} == {0}
    assert {fix.status.status for fix in fixes(gps(outage=1.0), 200)} == {-1}


def test_outages_do_not_change_the_noise_of_what_comes_through() -> None:
    whole, holes = fixes(gps(noise_m=1.0), 400), fixes(gps(noise_m=1.0, outage=0.5, outage_s=1.0), 400)
    pairs = [(a.latitude, b.latitude) for a, b in zip(whole, holes, strict=True) if b.status.status == 0]
    assert 50 < len(pairs) < 350
    assert all(a == b for a, b in pairs)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"latitude_deg": 91.0}, "The GpsReceiver on '/fix' has its datum at 91.0, 8.5, 430.0; wanted a latitude from"),
        ({"longitude_deg": math.nan}, "has its datum at 47.4, nan, 430.0"),
        ({"noise_m": -0.1}, "has noise_m -0.1; wanted zero or more."),
        ({"drift_m": math.inf}, "has drift_m inf; wanted zero or more."),
        ({"drift_time_s": 0.0}, "has drift_time_s 0.0; wanted more than zero."),
        ({"outage_s": 0.0}, "has outage_s 0.0; wanted more than zero."),
        ({"outage": 1.2}, "has an outage of 1.2; wanted a share from 0 to 1."),
    ],
)
def test_what_cannot_be_is_refused(changes: dict[str, float], told: str) -> None:
    with pytest.raises(InputError, match=re.escape(told)):
        opened(scene(robot(gps(**changes))))
