"""Noise, drop-outs, rates and latencies of sensors, found in recordings that were made with known ones."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

import stressfield as sf
from stressfield.calibration import calibrate
from stressfield.calibration.instruments import _bias
from stressfield.calibration.recordings import DrivenRecording, Fleet, PoseSeries, TopicTimes
from stressfield.calibration.senses import _links, _rate
from stressfield.plugins import find_study
from stressfield.run.execute import execute
from stressfield.trace import Metadata, Trace
from stressfield.trace.bags.rosbag2 import write_bag

ROOM = '''
import stressfield as sf

class Room(sf.Element):
    """A cart among people."""
    size: int = sf.integer(1, 2)

def build(room, rng):
    world = sf.World.flat(40.0, 40.0).with_robot("cart", sf.robots.diff_drive(), at=(20.0, 20.0))
    world = world.with_bodies(sf.bodies.person(), at=[(23.0, 20.0), (22.0, 23.0), (21.0, 16.5)])
    return sf.Scenario(world, sf.Mission(limit_s=110.0))

class Rests(sf.Node):
    """Turns on the spot, to and fro, and stands still every other five seconds."""
    name = "rests"
    def __init__(self, scenario): ...
    def setup(self, link):
        self.link = link
        link.every(0.1, self.command)
    def command(self):
        phase = int(self.link.now_ns / 2.5e9) % 4
        self.link.publish("/cmd_vel", sf.messages.Twist.drive(0.0, {0: 0.8, 2: -0.8}.get(phase, 0.0)))

study = sf.Study("room", model=Room, build=build, subject=Rests, oracle=sf.Oracle(()))
'''

OUTDOORS = (
    ROOM.replace("sf.Mission(limit_s=110.0)", "sf.Mission(limit_s=400.0)")
    .replace('"room"', '"outdoors"')
    .replace(
        "sf.robots.diff_drive(), at",
        "replace(sf.robots.diff_drive(), sensors=(*(each for each in sf.robots.diff_drive().sensors if each.topic in "
        '("/pose", "/odom")), GpsReceiver("/fix", 10.0), InertialUnit("/imu", 20.0, accelerometer=True))), at',
    )
    .replace(
        "import stressfield as sf",
        "from dataclasses import replace\n"
        "import stressfield as sf\nfrom stressfield.world import GpsReceiver, InertialUnit",
    )
)


def test_noise_and_dropout_of_a_lidar_are_found_while_the_robot_stands(tmp_path: Path) -> None:
    path = tmp_path / "room.py"
    path.write_text(ROOM)
    trace = _driven(str(path), {"cart./scan.noise_m": 0.03, "cart./scan.dropout": 0.08})
    result = calibrate(str(path), [write_bag(trace, tmp_path / "bag", start=datetime(2026, 1, 1, tzinfo=UTC))])
    found = {each.name: each for each in result.suggestions}
    assert found["cart./scan.noise_m"].value == pytest.approx(0.03, rel=0.1)
    assert found["cart./scan.dropout"].value == pytest.approx(0.08, rel=0.1)
    assert found["cart./scan.noise_m"].differs
    untold = {each.name: each for each in result.untold}
    assert untold["cart.drive.speed_gain"].advice == "Drive longer stretches straight ahead."


def test_noise_and_outages_of_receivers_and_noise_of_inertial_units_are_found(tmp_path: Path) -> None:
    path = tmp_path / "outdoors.py"
    path.write_text(OUTDOORS)
    truth = {
        "cart./fix.noise_m": 0.4, "cart./fix.outage": 0.2, "cart./fix.outage_s": 2.0,
        "cart./imu.yaw_rate_noise_radps": 0.02, "cart./imu.attitude_noise_rad": 0.005,
        "cart./imu.acceleration_noise_mps2": 0.1,
    }  # fmt: skip
    trace = _driven(str(path), {**truth, "cart./imu.yaw_rate_bias_radps": 0.03})
    result = calibrate(str(path), [write_bag(trace, tmp_path / "bag", start=datetime(2026, 1, 1, tzinfo=UTC))])
    found = {each.name: each for each in result.suggestions}
    for name, value in truth.items():
        wide = "outage" in name
        assert found[name].value == pytest.approx(value, rel=0.5 if wide else 0.1), name
        assert found[name].low * (0.8 if wide else 0.95) < value < found[name].high * (1.2 if wide else 1.05), name
    untold = {each.name: each for each in result.untold}
    # One start has one bias. How they spread it cannot say.
    assert untold["cart./imu.yaw_rate_bias_radps"].why.startswith("it is another one after every start (here ")
    assert untold["cart./imu.acceleration_bias_mps2"].advice == "Measure it on a level table."
    assert "cart./fix.drift_m" in untold


def test_biases_of_several_starts_say_how_large_they_are() -> None:
    biases = np.random.default_rng(2).normal(0.0, 0.04, 40)
    name, found = _bias("yaw_rate_bias_radps", [np.full(50, bias) for bias in biases])
    assert name == "yaw_rate_bias_radps"
    assert found.low < 0.04 < found.high  # type: ignore[union-attr]
    assert found.high < 2.0 * found.low  # type: ignore[union-attr]


def _driven(study: str, constants: dict[str, float]) -> Trace:
    found = find_study(study)
    scenario = found.scenario("1", seed=1, options=constants)
    return execute(
        scenario, found.builds[0].subject(scenario), found.find_simulator()(), seed=1, timing=found.timing,
        ending=found.ending, metadata=Metadata(),
    ).trace  # fmt: skip


def _fleet(times: TopicTimes) -> Fleet:
    line = np.linspace(0.0, 1.0, 5)
    recording = DrivenRecording(
        path="/bag", digest="", began="", duration_s=1.0, notes=(), order_s=line, orders=np.zeros((5, 8)),
        pose=PoseSeries("/pose", line, line, line, line), odometry=None, topics={"/odom": times}, scans={},
    )  # fmt: skip
    return Fleet(sf.robots.diff_drive(), (recording,))


def test_latency_and_jitter_of_a_link_are_found() -> None:
    rng = np.random.default_rng(1)
    travelled = 4.0 + rng.exponential(2.0, 3000)
    times = TopicTimes(np.arange(3000) * 0.05, travelled, same_clock=True)
    found = dict(_links(_fleet(times)))
    assert found["link./odom.jitter_ms"].value == pytest.approx(2.0, rel=0.1)  # type: ignore[union-attr]
    assert found["link./odom.base_ms"].value == pytest.approx(4.0, abs=0.05)  # type: ignore[union-attr]
    other = dict(_links(_fleet(replace(times, same_clock=False))))
    assert other["link./odom.base_ms"].why == "stamps and times of reception are of different clocks"  # type: ignore[union-attr]


def test_another_rate_is_suggested_as_a_simulator_can_sample_it() -> None:
    sensor = next(each for each in sf.robots.diff_drive().sensors if each.topic == "/odom")
    rng = np.random.default_rng(1)
    slow = TopicTimes(np.cumsum(0.08 + rng.normal(0.0, 0.001, 400)), None, same_clock=False)
    found = _rate(sensor, _fleet(slow))
    assert found is not None
    assert found.value == 12.5
    assert _rate(sensor, _fleet(TopicTimes(np.arange(400) * 0.0501, None, same_clock=False))) is None
