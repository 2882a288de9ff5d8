"""Recordings for tests and figures: the topics of an Oz run, filled with noise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stressfield.bus import messages as std
from stressfield.trace import Metadata, Recorder, Trace
from stressfield.trace.truth import COLUMNS

METADATA = Metadata(
    run_id="run-1",
    scenario_id="scenario-1",
    study="oz",
    descriptor="0.0-r-r",
    ending="completed",
    seeds={"campaign": 7, "run": 3},
    versions={"stressfield": "0.1.0"},
    options={"build": "release"},
)


@dataclass(frozen=True, slots=True)
class Size:
    """How many of each; the default is 300 s of Oz."""

    scans: int = 3000
    odometry: int = 6000
    commands: int = 6000
    poses: int = 6000
    stakes: int = 1500
    truth: int = 6000
    rays: int = 271
    seconds: float = 300.0


SMALL = Size(scans=30, odometry=60, commands=60, poses=60, stakes=15, truth=60, seconds=3.0)


def _times(count: int, seconds: float) -> list[int]:
    return [round(seconds * 1e9 * place / count) for place in range(count)]


def _header(time_ns: int, frame: str) -> std.Header:
    return std.Header(std.Time.from_ns(time_ns), frame)


def _pose(rng: np.random.Generator) -> std.Pose:
    x, y, yaw = rng.normal(size=3).tolist()
    return std.Pose(std.Point(x, y, 0.0), std.Quaternion(0.0, 0.0, math.sin(yaw / 2), math.cos(yaw / 2)))


def oz_recorder(size: Size, seed: int = 1) -> Recorder:
    rng = np.random.default_rng(seed)
    recorder = Recorder(["oz"], topics={"/silent": std.StringMsg})
    for time_ns in _times(size.scans, size.seconds):
        ranges = (5.0 + rng.normal(size=size.rays)).astype(np.float32)
        ranges[::3] = np.inf
        scan = std.LaserScan(
            _header(time_ns, "lidar"), -2.35, 2.35, 0.0174, 0.0, 0.1, 0.05, 20.0, ranges, np.empty(0, np.float32)
        )
        recorder.record("/scan", time_ns, time_ns + 1_000_000, scan)
    for topic in ("/odom", "/odom_filtered"):
        for time_ns in _times(size.odometry, size.seconds):
            twist = std.Twist(std.Vector3(*rng.normal(size=3).tolist()), std.Vector3(0.0, 0.0, 0.1))
            odometry = std.Odometry(
                _header(time_ns, "odom"), "base", std.PoseWithCovariance(_pose(rng)), std.TwistWithCovariance(twist)
            )
            recorder.record(topic, time_ns, time_ns + 2_000_000, odometry)
    for time_ns in _times(size.commands, size.seconds):
        none = np.empty(0)
        state = std.JointState(_header(time_ns, ""), ("left", "right"), none, rng.normal(size=2), none)
        recorder.record("/wheel_cmd", time_ns, time_ns, state)
    for time_ns in _times(size.poses, size.seconds):
        recorder.record("/pose", time_ns, time_ns, std.PoseStamped(_header(time_ns, "map"), _pose(rng)))
    for time_ns in _times(size.stakes, size.seconds):
        poses = tuple(_pose(rng) for _ in range(int(rng.integers(4))))
        recorder.record("/stakes", time_ns, time_ns, std.PoseArray(_header(time_ns, "camera"), poses))
    for time_ns in _times(max(1, size.stakes // 100), size.seconds):
        values = (std.KeyValue("row", str(time_ns % 7)),)
        recorder.record("/report", time_ns, time_ns, std.DiagnosticStatus(0, "nav", f"at {time_ns}", "", values))
    for time_ns in _times(size.truth, size.seconds):
        recorder.observe(time_ns, rng.normal(size=(1, len(COLUMNS))))
    return recorder


def oz_run(size: Size = SMALL, seed: int = 1) -> Trace:
    return oz_recorder(size, seed).finish(METADATA)
