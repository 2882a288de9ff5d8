"""Ticks that the sensors choose, rates that cannot be, and what is sent once."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from stressfield.errors import InputError
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.sim.rig.cadence import Cadence, cadence_of
from stressfield.world import InertialUnit, Lidar, MapServer, Odometer, PoseSensor, Sensor, robots

from ..scenes import lidar, opened, robot, scene

MS = 1_000_000


def cadence(*rates_hz: float, **given: int) -> Cadence:
    sensors = [Odometer(f"/odom{i}", rate) for i, rate in enumerate(rates_hz)]
    settings = {"tick_ns": None, "step_ns": None, **given}
    return cadence_of(scene(robot(*sensors)), **settings)


@pytest.mark.parametrize(
    ("rates_hz", "tick_ms", "step_ms"),
    [
        ((), 50, 10),
        ((10.0, 20.0, 5.0, 1.0), 50, 10),
        ((50.0,), 10, 10),
        ((100.0, 20.0), 10, 10),
        ((25.0, 5.0), 10, 10),
        ((100.0 / 3.0,), 10, 10),
        ((12.5,), 10, 10),
        ((200.0, 10.0), 5, 5),
        ((40.0,), 25, 5),
        ((500.0,), 2, 2),
        ((125.0,), 2, 2),
        ((1000.0, 100.0), 1, 1),
        ((0.1,), 50, 10),
    ],
)
def test_the_tick_is_the_longest_that_serves_all_sensors(
    rates_hz: tuple[float, ...], tick_ms: int, step_ms: int
) -> None:
    assert cadence(*rates_hz) == (tick_ms * MS, step_ms * MS)


def test_what_was_given_is_kept() -> None:
    assert cadence(10.0, tick_ns=100 * MS, step_ns=20 * MS) == (100 * MS, 20 * MS)
    assert cadence(10.0, tick_ns=100 * MS) == (100 * MS, 10 * MS)
    assert cadence(100.0, step_ns=5 * MS) == (10 * MS, 5 * MS)


def test_a_ready_made_robot_keeps_its_tick() -> None:
    assert opened(scene(robots.diff_drive())).tick_ns == 50 * MS


@pytest.mark.parametrize("simulator", [KinematicSimulator(), MujocoSimulator()])
def test_sensors_sample_as_often_as_they_say(simulator: KinematicSimulator | MujocoSimulator) -> None:
    sensors = (InertialUnit("/imu", 200.0), PoseSensor("/pose", 100.0 / 3.0), Odometer("/odom", 50.0), lidar())
    session = simulator.open(scene(robot(*sensors)), seed=1)
    said = [stamped for _ in range(round(3e9 / session.tick_ns)) for stamped in session.step(())]
    assert session.time_ns == 3_000_000_000
    times = {topic: [t for name, t, _ in said if name == topic] for topic in ("/imu", "/pose", "/odom", "/scan")}
    assert {topic: len(found) for topic, found in times.items()} == {
        "/imu": 600, "/pose": 100, "/odom": 150, "/scan": 60,
    }  # fmt: skip
    assert times["/pose"][:3] == [30 * MS, 60 * MS, 90 * MS]


def test_a_robot_drives_alike_with_a_shorter_tick() -> None:
    from ..scenes import twist

    ends = []
    for rate in (20.0, 100.0):
        session = opened(scene(robot(Odometer("/odom", rate))))
        while session.time_ns < 4_000_000_000:
            at_ns = session.time_ns
            session.step([twist(0.3, 0.2, time_ns=at_ns)] if at_ns % (50 * MS) == 0 else [])
        ends.append(session.observe().rows[0].tolist())
    assert ends[0] == ends[1]


def test_a_rate_that_cannot_be_is_told_with_the_nearest_that_can() -> None:
    with pytest.raises(
        InputError,
        match=re.escape(
            "The Odometer on '/odom0' samples at 33 Hz; wanted a period that is a multiple of 10 or 5 or 2 or 1 ms "
            "(a step of the simulator): rate_hz=33.3333333 (every 30 ms) or 25 (every 40 ms)."
        ),
    ):
        cadence(33.0)
    assert cadence(33.3333333) == cadence(25.0) == (10 * MS, 10 * MS)
    with pytest.raises(InputError, match=re.escape("rate_hz=333.333333 (every 3 ms) or 250 (every 4 ms).")):
        cadence(300.0)
    with pytest.raises(InputError, match=re.escape("samples at 5000 Hz; wanted")) as told:
        cadence(5000.0)
    assert "rate_hz=1000 (every 1 ms)" in str(told.value)
    with pytest.raises(
        InputError, match=re.escape("multiple of the tick of 50 ms (up to 20 Hz): rate_hz=20 (every 50")
    ):
        KinematicSimulator(tick_ns=50 * MS).open(scene(robot(Odometer("/odom", 15.0))), seed=1)
    with pytest.raises(
        InputError, match=re.escape("multiple of 10 or 5 ms (a step of the simulator): rate_hz=200 (every")
    ):
        MujocoSimulator().open(scene(robot(Odometer("/odom", 400.0))), seed=1)


@pytest.mark.parametrize("rate_hz", [0.0, -1.0, math.nan, math.inf, 1e12])
def test_a_rate_that_is_none_is_refused(rate_hz: float) -> None:
    with pytest.raises(
        InputError, match=re.escape(f"The Odometer on '/odom0' samples at {rate_hz!r} Hz; wanted a rate")
    ):
        cadence(rate_hz)


def test_a_map_is_sent_once_or_again_and_again() -> None:
    for rate_hz, times in ((0.0, [50 * MS]), (2.0, [500 * MS, 1000 * MS])):
        sensors: tuple[Sensor, ...] = (MapServer(rate_hz=rate_hz, resolution_m=5.0), Odometer("/odom", 20.0))
        session = opened(scene(robot(*sensors)))
        said = [stamped for _ in range(20) for stamped in session.step(())]
        assert [time_ns for topic, time_ns, _ in said if topic == "/map"] == times
        assert len([topic for topic, _, _ in said if topic == "/odom"]) == 20
    with pytest.raises(InputError, match="wanted a rate above zero, or zero to send once"):
        opened(scene(robot(MapServer(rate_hz=-1.0))))


def test_two_sensors_on_one_topic_are_refused() -> None:
    same: Lidar = lidar(topic="/scan")
    with pytest.raises(InputError, match=re.escape("World 'scene' has 2 sensors that send on '/scan'; wanted a topic")):
        opened(scene(robot(same, replace(same, rays=3))))
