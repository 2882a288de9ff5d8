"""Campaigns with a ROS graph (a stand-in for one) from the command line: second rigs, other paces, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.bridge.stand_in import StandIn
from tests.bridge.stand_in_nodes import MoveBase

from stressfield.cli import main

STUDY = '''
import os
from dataclasses import replace

import stressfield as sf
from stressfield.sim.external import ExternalSimulator, Interposition
from stressfield.subject import Gate, MoveBaseGoal, Pacing, RosbridgeSubject
from stressfield.world import Lidar, Odometer

URL = os.environ["GRAPH"]
SENSORS = (
    Odometer("/odom", 20.0, tf_topic="/tf", map_frame="map"),
    Lidar("/scan", 10.0, 0.1, 0.3, -3.0, 3.0, 9, 0.05, 3.0, 0.0, 0.0),
)


class Trial(sf.Element):
    """One drive."""

    number: int = sf.integer(1, 100)


def build(trial, rng):
    robot = replace(sf.robots.diff_drive(), sensors=SENSORS)
    world = sf.World.flat(20.0, 12.0).with_robot("mower", robot, at=(1.0, 6.0))
    return sf.Scenario(world, sf.Mission.reach((2.0, 6.0), within_s=float(os.environ.get("LIMIT_S", "5"))))


def attached():
    return ExternalSimulator(
        url=URL,
        observed={"/pose": sf.messages.PoseStamped},
        interposed=(Interposition("/cmd_vel", sf.messages.Twist),),
        truth={"mower": "/pose"},
    )


def joined(scenario):
    gate = Gate(topic="/cmd_vel", after="/scan")
    return RosbridgeSubject(url=URL, goal=MoveBaseGoal(), pacing=Pacing(gate=gate, ready_timeout_s=3.0))


oracle = sf.Oracle("graph")


@oracle.property("slow", sf.MOVEMENT_THRESHOLD, "Drives at 1 m/s at most")
def slow(run):
    return sf.always(run.clearance("mower") >= -1.0)


common = dict(model=Trial, build=build, oracle=oracle, timing=sf.Timing(topic_default=sf.Latency()))
if os.environ["HOW"] == "attached":
    study = sf.Study("graph", subject=lambda scenario: [], simulator=attached, **common)
else:
    study = sf.Study("graph", subject=joined, ending=sf.Ending(settle_s=0.2), **common)
'''


def call(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(list(words))
    return int(ended.value.code or 0)


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "graph.py").write_text(STUDY)
    return tmp_path / "graph.py"


def test_two_jobs_on_one_graph_are_refused_in_one_sentence(
    study: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with StandIn() as graph:
        graph.sim()
        monkeypatch.setenv("GRAPH", graph.url)
        monkeypatch.setenv("HOW", "attached")
        code = call("run", str(study), "--worlds", "2", "--repeats", "2", "--jobs", "2", "--out", "runs/two")
        told = " ".join(capsys.readouterr().err.split())
        assert code == 2
        assert "Another rig is on the ROS graph at " in told
        assert "Use --jobs 1, or give every worker a graph of its own." in told
        assert "Traceback" not in told


def test_a_finding_is_repeated_at_the_pace_of_the_wall_clock(
    study: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with StandIn(ros=1) as graph:
        robot = MoveBase(graph, status=4)
        monkeypatch.setenv("GRAPH", graph.url)
        monkeypatch.setenv("HOW", "joined")
        once = ("--worlds", "1", "--repeats", "1", "--jobs", "1", "--out", "runs/one", "--details")
        assert call("run", str(study), *once) == 1
        assert "paced: time waited for /cmd_vel after /scan, at most 0.3 s: " in " ".join(
            capsys.readouterr().out.split()
        )
        assert call("replay", "runs/one", "F1", "--pace", "4") == 1
        told = capsys.readouterr().out
        assert "paced: 4 simulated seconds a second" in told
        assert "at a pace of 4: finished fails at this pace, too" in told
        assert "differs" not in told
        robot.status = None
        assert call("replay", "runs/one", "F1", "--pace", "4") == 0
        assert "finished does not fail at this pace: the gate caused it, or chance" in capsys.readouterr().out
        assert call("replay", "runs/one", "F1", "--pace", "-1") == 2
        assert "--pace -1 cannot be. Wanted simulated seconds a second" in capsys.readouterr().err


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_ctrl_c_or_the_end_of_the_runner_stops_the_robot(study: Path, how: signal.Signals) -> None:
    with StandIn() as graph:
        yard = graph.sim()
        environment = {**os.environ, "GRAPH": graph.url, "HOW": "attached", "LIMIT_S": "60"}
        command = [
            sys.executable,
            "-m",
            "stressfield",
            "run",
            str(study),
            "--worlds",
            "1",
            "--jobs",
            "1",
            "--out",
            "runs/c",
        ]
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not graph.received["/cmd_vel"]:
            assert process.poll() is None
            time.sleep(0.02)
        process.send_signal(how)
        _, errors = process.communicate(timeout=20.0)
        assert b"Traceback" not in errors
        until_s = time.monotonic() + 5.0
        while yard.speed_mps != 0.0 and time.monotonic() < until_s:
            time.sleep(0.02)
        assert yard.speed_mps == 0.0
