"""Robots behind a rosbridge server, in worlds of ours: a stand-in for the graph, with a stand-in for ``move_base``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.bridge.stand_in import StandIn
from tests.bridge.stand_in_nodes import MoveBase

from stressfield.bus import Timing
from stressfield.bus.messages import StringMsg
from stressfield.errors import InputError
from stressfield.run import Executed, Status, execute
from stressfield.run.performance import _paced
from stressfield.scenario import Scenario
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.study import Ending
from stressfield.subject import Gate, MoveBaseGoal, NavigateGoal, NodesSubject, Pacing, PoseGoal, RosbridgeSubject
from stressfield.trace import Metadata
from stressfield.world import Lidar, Mission, Odometer, World, robots

GATE = Pacing(
    gate=Gate(topic="/cmd_vel", after="/scan", at_most_s=0.3), silence_s=2.0, ready_timeout_s=3.0, max_lag_s=9.0
)
GOALS = {1: MoveBaseGoal(), 2: NavigateGoal()}
LIDAR = Lidar("/scan", 10.0, 0.1, 0.3, -3.0, 3.0, 9, 0.05, 3.0, 0.0, 0.0)


def scenario(limit_s: float = 10.0, goal_m: tuple[float, float] = (2.0, 6.0)) -> Scenario:
    robot = replace(robots.diff_drive(), sensors=(Odometer("/odom", 20.0, tf_topic="/tf", map_frame="map"), LIDAR))
    world = World.flat(20.0, 12.0).with_robot("mower", robot, at=(1.0, 6.0))
    return Scenario(world, Mission.reach(goal_m, within_s=limit_s))


def run(subject: RosbridgeSubject, *, limit_s: float = 10.0) -> Executed:
    return execute(
        scenario(limit_s),
        subject,
        KinematicSimulator(),
        seed=1,
        timing=Timing(),
        ending=Ending(settle_s=0.2),
        metadata=Metadata(run_id="r"),
    )


def driven(graph: StandIn, *, limit_s: float = 10.0, **options: Any) -> Executed:
    subject = RosbridgeSubject(url=graph.url, **{"goal": GOALS[graph.ros], "pacing": GATE, **options})
    return run(subject, limit_s=limit_s)


@pytest.mark.parametrize("ros", [1, 2])
def test_a_robot_drives_to_its_goal_and_its_result_ends_the_mission(ros: int) -> None:
    with StandIn(ros=ros) as graph:
        robot, starts = MoveBase(graph), []
        graph.node("/amcl").subscribe("/initialpose", "geometry_msgs/msg/PoseWithCovarianceStamped", starts.append)
        done = driven(graph)
        assert (done.status, done.trouble) == (Status.COMPLETED, "")
        assert [made["pose"]["pose"]["position"]["x"] for made in starts] == [1.0]
        assert done.trace.truth("mower").values[-1, 0] == pytest.approx(1.8, abs=0.2)
        (report,) = done.trace.topic("/report").messages
        name = "/move_base" if ros == 1 else "/navigate_to_pose"
        assert (report.level, report.message) == (0, f"{name} succeeded")
        assert graph.log == []
        scans = robot.heard["/scan"]
        assert scans[-1]["ranges"][0] == float("inf")
        assert {scan["header"]["frame_id"] for scan in scans} == {"scan"}
        frames = {(one["header"]["frame_id"], one["child_frame_id"]) for one in robot.heard["/tf"][-1]["transforms"]}
        assert frames == {("map", "odom"), ("odom", "base_link")}
        # the graph's time went on while the robot got ready, and never goes back; no stamp is ahead of it
        times = [made["clock"]["sec"] * 10**9 + made["clock"]["nanosec"] for made in robot.heard["/clock"]]
        assert times == sorted(times)
        stamp = scans[-1]["header"]["stamp"]
        assert times[-1] >= stamp["sec"] * 10**9 + stamp["nanosec"] > times[-1] - 10**9


def test_a_gated_run_says_how_often_it_waited_in_vain() -> None:
    with StandIn(ros=1) as graph:
        robot = MoveBase(graph)
        done = driven(graph)
        assert done.notes[0].startswith("paced: time waited for /cmd_vel after /scan, at most 0.3 s: ")
        in_vain = re.search(r"s: (\d+) times, (\d+) of them in vain; the robot answered after", done.notes[0])
        assert in_vain is not None
        assert int(in_vain[2]) <= 1 < int(in_vain[1])  # its result may come when the next scan has left already
    with StandIn(ros=1) as graph:
        robot = MoveBase(graph)
        robot.answers = False
        done = driven(graph, limit_s=0.55)
        assert done.status is Status.TIMEOUT
        assert "at most 0.3 s: 5 times, 5 of them in vain; the robot never answered" in done.notes[0]
        assert robot.cancelled, "a goal that still lasts is taken back"


def test_at_the_pace_of_the_wall_clock_there_is_no_gate() -> None:
    with StandIn(ros=1) as graph:
        MoveBase(graph)
        subject = RosbridgeSubject(url=graph.url, goal=MoveBaseGoal(), pacing=GATE).at_pace(4.0)
        done = run(subject)
        assert (done.status, done.trouble) == (Status.COMPLETED, "")
        told = r"paced: 4 simulated seconds a second; [\d,]+ ticks late by .* \(p50\), .* \(p99\)"
        assert re.match(told, done.notes[0])


@pytest.mark.parametrize(("ros", "status"), [(1, 4), (2, 6)])
def test_a_goal_that_is_aborted_ends_the_mission_as_given_up(ros: int, status: int) -> None:
    with StandIn(ros=ros) as graph:
        MoveBase(graph, status=status)
        done = driven(graph)
        assert done.status is Status.COMPLETED
        (report,) = done.trace.topic("/report").messages
        assert report.level == 2
        assert report.message.endswith(" aborted: no way")


def test_topics_that_the_graph_says_are_recorded_and_those_nobody_hears_are_said() -> None:
    with StandIn(ros=1) as graph:
        MoveBase(graph)
        talker = graph.node("/talker", publishes={"/chatter": "std_msgs/msg/String"})
        talker.every(0.02, lambda: talker.publish("/chatter", {"data": "hello"}))
        graph.node("/other").kill()
        done = driven(graph, observed={"/chatter": StringMsg})
        assert done.trace.topic("/chatter").messages[0].data == "hello"
        assert done.notes[1:] == ("The graph is of ROS 1; its server sends CBOR, takes infinity and NaN.",)


def test_frames_follow_from_odometry_that_does_not_say_them() -> None:
    odometer = Odometer("/odom", 20.0)
    robot = replace(robots.diff_drive(), sensors=(odometer, LIDAR))
    world = World.flat(20.0, 12.0).with_robot("mower", robot, at=(1.0, 6.0))
    with StandIn(ros=2) as graph:
        base = MoveBase(graph)
        done = execute(
            Scenario(world, Mission.reach((2.0, 6.0), within_s=0.5)),
            RosbridgeSubject(url=graph.url, goal=NavigateGoal(), pacing=GATE),
            KinematicSimulator(),
            seed=1,
            timing=Timing(),
            ending=Ending(settle_s=0.2),
            metadata=Metadata(run_id="r"),
        )
        assert (done.status, done.trouble) == (Status.TIMEOUT, "")
        (frame,) = base.heard["/tf"][-1]["transforms"]
        assert (frame["header"]["frame_id"], frame["child_frame_id"]) == ("odom", "base_link")
        where = base.heard["/odom"][-1]["pose"]["pose"]
        assert frame["transform"]["rotation"] == where["orientation"]
        assert frame["transform"]["translation"]["x"] == where["position"]["x"] > 0.0


def test_a_pose_on_a_topic_is_a_goal_too() -> None:
    with StandIn(ros=1) as graph:
        robot = MoveBase(graph)
        robot.node.subscribe(
            "/move_base_simple/goal", "geometry_msgs/msg/PoseStamped", lambda made: robot._take({"goal_id": {}}, made)
        )
        done = driven(graph, goal=PoseGoal(), limit_s=0.5)
        assert done.status is Status.TIMEOUT
        (goal,) = graph.received["/move_base_simple/goal"]
        assert (goal["header"]["frame_id"], goal["pose"]["position"]["x"]) == ("map", 2.0)
        assert done.trace.truth("mower").values[-1, 0] > 1.05


LAUNCHED = """
import os, sys, threading
from tests.bridge.stand_in import StandIn
from tests.bridge.stand_in_nodes import MoveBase
assert os.environ["ROS_MASTER_URI"] == "http://127.0.0.1:" + sys.argv[2]
assert os.environ["ROS_DOMAIN_ID"] == sys.argv[3]
with StandIn(ros=1, port=int(sys.argv[1])) as graph:
    MoveBase(graph)
    threading.Event().wait(0.0 if sys.argv[4] == "dies" else 60.0)
    print("out of memory")
    sys.exit(7)
"""


def launched(how: str) -> RosbridgeSubject:
    words = [sys.executable, "-c", LAUNCHED, "{rosbridge_port}", "{master_port}", "{domain}", how]
    return RosbridgeSubject(words, goal=MoveBaseGoal(), pacing=GATE, folder=Path(__file__).parents[2])


def test_runs_side_by_side_have_a_graph_each() -> None:
    found: list[Executed] = []
    threads = [threading.Thread(target=lambda: found.append(run(launched("lives")))) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [(done.status, done.trouble) for done in found] == [(Status.COMPLETED, "")] * 2


def test_a_launched_graph_that_ends_is_a_crash_of_the_robot() -> None:
    done = run(launched("dies"))
    assert done.status is Status.SUBJECT_CRASH
    assert done.trouble.startswith("The robot's command ended before the run did (exit code 7).")
    assert "out of memory" in done.trouble


def test_nodes_of_this_process_have_no_pace() -> None:
    with pytest.raises(InputError, match="A pace of 2 is asked for, but a NodesSubject has none: it computes in"):
        _paced(NodesSubject(lambda _: ()), 2.0)
    assert isinstance(_paced(RosbridgeSubject(url="ws://x"), 2.0), RosbridgeSubject)


# what is wrong --------------------------------------------------------------------------------------------------------


def test_nobody_there_is_invalid_at_once() -> None:
    done = run(RosbridgeSubject(url="ws://127.0.0.1:9"))
    assert done.status is Status.INVALID
    assert done.trouble.startswith("No rosbridge server answers at ws://127.0.0.1:9: ")


def test_a_graph_without_a_controller_is_said() -> None:
    with StandIn(ros=1) as graph:
        done = driven(graph, pacing=Pacing(ready_timeout_s=0.5))
        assert done.status is Status.SUBJECT_CRASH
        assert done.trouble == "The robot did not join within 0.5 s: nobody publishes /cmd_vel. Nodes: /rosapi."


def test_a_controller_of_another_type_is_said() -> None:
    with StandIn(ros=1) as graph:
        MoveBase(graph, kind="PoseStamped")
        done = driven(graph)
        assert done.status is Status.SUBJECT_CRASH
        assert done.trouble.startswith("/move_base publishes geometry_msgs/PoseStamped on /cmd_vel; wanted ")


def test_somebody_else_who_tells_the_time_is_said() -> None:
    with StandIn(ros=1) as graph:
        graph.sim()
        with pytest.raises(InputError, match=r"/gazebo tells the time on the ROS graph at .* already"):
            driven(graph)


def test_a_sensor_of_another_type_is_said() -> None:
    with StandIn(ros=2) as graph:
        graph.node("/planner").subscribe("/scan", "sensor_msgs/msg/PointCloud2", lambda _: None)
        graph.node("/controller", publishes={"/cmd_vel": "geometry_msgs/msg/Twist"})
        done = driven(graph, goal=None)
        assert done.status is Status.INVALID
        assert (
            done.trouble == "'/scan' is sensor_msgs/PointCloud2 on the ROS graph; the study has sensor_msgs/LaserScan."
        )


def test_a_scan_that_the_server_cannot_take_is_never_recorded_as_delivered() -> None:
    with StandIn(ros=1, parser="strict") as graph:
        MoveBase(graph)
        done = driven(graph)
        assert done.status is Status.INVALID
        assert done.trouble.startswith(
            "A message on /scan has infinity in 'ranges[0]', which this rosbridge server cannot"
        )
        assert graph.received["/scan"] == []


def test_a_goal_of_the_other_ros_is_said() -> None:
    with StandIn(ros=2) as graph:
        MoveBase(graph)
        with pytest.raises(InputError, match="MoveBaseGoal is for ROS 1, and the graph is of ROS 2"):
            driven(graph, goal=MoveBaseGoal())


def test_a_robot_that_never_takes_its_goal_is_said() -> None:
    with StandIn(ros=1) as graph:
        graph.node("/controller", publishes={"/cmd_vel": "geometry_msgs/msg/Twist"})
        done = driven(graph, pacing=Pacing(ready_timeout_s=0.5))
        assert done.status is Status.SUBJECT_CRASH
        assert done.trouble == "The robot was not ready for its mission within 0.5 s: nobody hears /move_base/goal."


@pytest.mark.parametrize(("what", "status"), [("server", Status.INVALID), ("controller", Status.SUBJECT_CRASH)])
def test_what_dies_in_the_middle_is_noticed(what: str, status: Status) -> None:
    with StandIn(ros=1) as graph:
        robot = MoveBase(graph, arrives_m=-1.0)
        end = graph.die if what == "server" else robot.node.kill
        threading.Thread(target=lambda: robot.driving.wait(20.0) and end(), daemon=True).start()
        done = driven(graph, limit_s=100.0, pacing=Pacing(rate=1.0, time="paced", silence_s=1.0, max_lag_s=9.0))
        assert done.status is status
        assert done.trouble.startswith(
            "The connection to the ROS graph was lost"
            if what == "server"
            else "Nobody publishes /cmd_vel any more: the controller has left the graph."
        )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "wanted launch="),
        ({"launch": ["x"], "url": "ws://x"}, "wanted launch="),
        ({"launch": "roslaunch"}, "launch is 'roslaunch'; wanted a list"),
        ({"url": "ws://x", "pacing": Pacing(time="lockstep")}, "Nodes of ROS acknowledge no ticks"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        RosbridgeSubject(**options)


def test_the_example_runs_to_the_command_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a program called roslaunch that starts the stand-in, as no ROS can be installed here."""
    root = Path(__file__).parents[2]
    fake = tmp_path / "roslaunch"
    fake.write_text(
        f"#!{sys.executable}\n"
        "import os, sys, threading\n"
        f"sys.path.insert(0, {str(root)!r})\n"
        "from tests.bridge.stand_in import StandIn\n"
        "from tests.bridge.stand_in_nodes import MoveBase\n"
        "flag, master, launch, port = sys.argv[1:]\n"
        "assert flag == '-p' and os.path.exists(launch) and master in os.environ['ROS_MASTER_URI']\n"
        "with StandIn(ros=1, port=int(port.removeprefix('port:='))) as graph:\n"
        "    MoveBase(graph)\n"
        "    threading.Event().wait()\n"
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    example = root / "examples" / "ros1" / "move_base.py"
    command = [sys.executable, "-m", "stressfield", "run", example, "--template", "0-0.8", "--worlds", "1"]
    done = subprocess.run(
        [*command, "--repeats", "1", "--jobs", "1", "--out", tmp_path / "runs", "--details"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "paced: time waited for /cmd_vel after /scan" in " ".join(done.stdout.split())
