"""Robots on ROS 2 graphs, complete to the command line. The peer is zenoh-ros2-sdk, which others wrote."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import stressfield as sf
from stressfield.bus import Timing
from stressfield.campaign import load
from stressfield.cli import main
from stressfield.fuzz import Delay, Loss, NotANumber, Window
from stressfield.plugins import find_study
from stressfield.run import Status, execute
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.study import Ending
from stressfield.subject import Gate, Pacing, Ros2Subject
from stressfield.trace import Metadata

EXAMPLES = Path(__file__).parents[2] / "examples" / "ros2"

COUNTING = """
import runpy, sys, numpy, threading
from rosbags.typesys import Stores, get_typestore
from zenoh_ros2_sdk import ROS2Publisher, ROS2Subscriber
types = get_typestore(Stores.ROS2_JAZZY)
def of(name):
    text = types.generate_msgdef(name, ros_version=2)[0]
    return dict(msg_type=name, msg_definition=text, type_hash=types.hash_rihs01(name), node_name="counter")
vector = types.types["geometry_msgs/msg/Vector3"]
zero = vector(x=0.0, y=0.0, z=0.0)
seen = []
def on_scan(scan):
    seen.append(bool(numpy.isnan(scan.ranges[0])))
    command.publish(linear=vector(x=0.1, y=0.0, z=0.0), angular=zero)
    count.publish(data=f"{len(seen)} {sum(seen)} {scan.header.stamp.sec * 10**9 + scan.header.stamp.nanosec}")
command = ROS2Publisher("/cmd_vel", **of("geometry_msgs/msg/Twist"))
count = ROS2Publisher("/count", **of("std_msgs/msg/String"))
scans = ROS2Subscriber("/scan", callback=on_scan, **of("sensor_msgs/msg/LaserScan"))
threading.Event().wait()
"""


@pytest.fixture
def stressfield(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def call(*words: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as caught:
            main([str(word) for word in words])
        captured = capsys.readouterr()
        return int(caught.value.code or 0), captured.out + captured.err

    return call


def test_a_node_of_zenoh_ros2_sdk_drives_in_generated_worlds_two_at_once(
    stressfield: Callable[..., tuple[int, str]], tmp_path: Path
) -> None:
    out = tmp_path / "yard"
    words = ("--worlds", 2, "--repeats", 1, "--jobs", 2, "--out", out, "--no-report", "--details")
    code, said = stressfield("run", EXAMPLES / "yard_sdk.py", *words)
    assert code in (0, 1), said
    runs = [judged.run for judged in load(out).runs]
    assert [run.status for run in runs] == [Status.COMPLETED] * 2, [run.told for run in runs]
    for run in runs:
        assert "/cmd_vel" in run.topics.split()
        assert run.notes.startswith("paced: time waited for /cmd_vel after /scan")
    assert "the robot answered after" in said


def test_what_a_disturbed_robot_counts_is_what_the_trace_says(tmp_path: Path) -> None:
    script = tmp_path / "counting.py"
    script.write_text(COUNTING)
    world = sf.World.flat(20.0, 12.0).with_robot("mower", sf.robots.diff_drive(), at=(1.0, 6.0))
    always = Window(start_s=0.0, end_s=1e6)
    operations: list[Any] = [
        Loss(name="loss", topics=("/scan",), probability=0.4, when=always),
        Delay(name="late", topics=("/scan",), delay_s=0.25, when=always),
        NotANumber(name="nan", topics=("/scan",), path="ranges.0", when=Window(start_s=3.0, end_s=1e6)),
    ]
    done = execute(
        sf.Scenario(world, sf.Mission.reach((19.0, 6.0), within_s=6.0)).disturbed(operations),
        Ros2Subject([sys.executable, script], pacing=Pacing(gate=Gate(topic="/count", after="/scan", at_most_s=5.0))),
        KinematicSimulator(),
        seed=3,
        timing=Timing(),
        ending=Ending(),
        metadata=Metadata(run_id="r"),
    )
    assert done.status is Status.TIMEOUT, done.trouble
    counted = [tuple(map(int, said.data.split())) for said in done.trace.topic("/count").messages]  # type: ignore[attr-defined]
    assert [number for number, _, _ in counted] == list(range(1, len(counted) + 1))  # one answer each, none lost
    sent = done.trace.topic("/scan/fuzzed")
    arrived = sent.messages[: len(counted)]
    assert len(sent.messages) - len(counted) <= int(np.sum(sent.log_time_ns > 5.98e9))  # on their way at the end
    stamps = [scan.header.stamp.ns for scan in arrived]  # type: ignore[attr-defined]
    assert [stamp for _, _, stamp in counted] == stamps  # those very scans, in order
    nans = np.cumsum([bool(np.isnan(scan.ranges[0])) for scan in arrived])  # type: ignore[attr-defined]
    assert [found for _, found, _ in counted] == nans.tolist()
    assert 0 < nans[-1] < len(arrived)
    assert len(arrived) < 0.8 * len(done.trace.topic("/scan"))


def test_the_study_of_nav2_runs_with_its_stand_in_and_says_what_the_real_one_needs(
    stressfield: Callable[..., tuple[int, str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = find_study(str(EXAMPLES / "nav2.py"))
    scenario = study.scenario("0", seed=1).limited(5.0)
    done = execute(
        scenario,
        study.find_build("standin").subject(scenario),
        KinematicSimulator(),
        seed=1,
        timing=study.timing,
        ending=study.ending,
        metadata=Metadata(run_id="r"),
    )
    assert done.status is Status.TIMEOUT, done.trouble
    assert {"/map", "/tf", "/tf_static", "/odom", "/scan", "/cmd_vel"} <= set(done.trace.topics)
    left_m = done.trace.topic("/navigate_to_pose/_action/feedback").column("feedback.distance_remaining")
    assert left_m[-1] < left_m[0] - 0.3
    monkeypatch.setenv("PATH", str(tmp_path))
    words = ("--worlds", 1, "--repeats", 1, "--jobs", 1, "--no-report")
    code, said = stressfield("run", EXAMPLES / "nav2.py", "--out", tmp_path / "real", *words)
    assert (code, "There is no program 'ros2'" in said) == (2, True), said
