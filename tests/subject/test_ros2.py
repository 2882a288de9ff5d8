"""Robots on a ROS 2 graph as subjects. Those of zenoh-ros2-sdk are in tests/examples; these are of our own making."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stressfield.bridge import Role, Ros2Endpoint, Ros2Graph
from stressfield.bridge.hub import Clock
from stressfield.bridge.ros2.node import interfaces
from stressfield.bridge.translation import Translation
from stressfield.bus import Timing, type_hash
from stressfield.bus.message import fields_of
from stressfield.bus.messages import (
    DiagnosticStatus,
    Header,
    LaserScan,
    PoseStamped,
    StringMsg,
    TFMessage,
    Time,
    TransformStamped,
    Twist,
)
from stressfield.errors import InputError
from stressfield.run import Executed, Status, execute
from stressfield.scenario import Scenario
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.study import Ending
from stressfield.subject import FollowWaypoints, Gate, NavigateToPose, Pacing, PoseTopic, Ros2Subject, Subject
from stressfield.testing import SubjectSuite
from stressfield.trace import Metadata
from stressfield.world import MapServer, Mission, Odometer, StaticFrames, World, robots

TOY = Path(__file__).with_name("ros2_toy.py")
QUICK = Pacing(quiet_s=0.1, ready_timeout_s=20.0)


def scenario(limit_s: float = 20.0, goal: tuple[float, float] = (4.0, 3.0)) -> Scenario:
    """A robot with all that Nav2 needs to see."""
    plain = robots.diff_drive()
    sensors = [sensor for sensor in plain.sensors if not isinstance(sensor, Odometer)]
    odometer = Odometer("/odom", 20.0, tf_topic="/tf", map_frame="map")
    robot = replace(plain, sensors=(*sensors, odometer, StaticFrames(), MapServer(resolution_m=0.2)))
    world = World.flat(10.0, 6.0).with_robot("robot", robot, at=(1.0, 3.0))
    return Scenario(world, Mission.reach(goal, within_s=limit_s))


def toy(behaviour: str, *, pacing: Pacing = QUICK, env: dict[str, str] | None = None, **options: Any) -> Ros2Subject:
    return Ros2Subject([sys.executable, TOY, behaviour], pacing=pacing, env=env, grace_s=0.5, **options)


def run(subject: Subject, test: Scenario | None = None, *, disturbances: tuple[Any, ...] = ()) -> Executed:
    return execute(
        (test or scenario()).disturbed(disturbances),
        subject,
        KinematicSimulator(),
        seed=1,
        timing=Timing(),
        ending=Ending(settle_s=0.2),
        metadata=Metadata(run_id="r"),
    )


def report(done: Executed) -> DiagnosticStatus:
    said = done.trace.topic("/report").messages[0]
    assert isinstance(said, DiagnosticStatus)
    return said


class TestRos2Subject(SubjectSuite):
    deterministic = False

    @pytest.fixture
    def make_subject(self) -> Callable[[], Subject]:
        return lambda: toy("echo", pacing=replace(QUICK, gate=Gate(topic="/cmd_vel", after="/scan")))


def test_time_waits_for_the_answer_to_this_very_scan() -> None:
    done = run(
        toy("echo", pacing=replace(QUICK, gate=Gate(topic="/cmd_vel", after="/scan", at_most_s=5.0))), scenario(3.0)
    )
    assert done.status is Status.TIMEOUT, done.trouble
    scans = [scan.header.stamp.ns for scan in done.trace.topic("/scan").messages]  # type: ignore[attr-defined]
    answered = [said.header.stamp.ns for said in done.trace.topic("/cmd_vel").messages]  # type: ignore[attr-defined]
    assert answered == scans[: len(answered)]
    assert len(scans) - len(answered) <= 1
    assert done.notes[0].startswith("paced: time waited for /cmd_vel after /scan, at most 5 s: ")
    assert ", 0 of them in vain; the robot answered after " in done.notes[0]


@pytest.mark.parametrize(
    ("behaviour", "goal", "level", "said"),
    [
        ("good", NavigateToPose(), 0, "/navigate_to_pose succeeded"),
        ("good", NavigateToPose(cancel_after_s=1.0), 0, "/navigate_to_pose was cancelled as asked"),
        ("abort", NavigateToPose(), 2, "/navigate_to_pose aborted: no path"),
        (
            "waypoints",
            FollowWaypoints(places=lambda _: [(2.0, 3.0, 0.0), (3.0, 3.5, 0.0)]),
            0,
            "/follow_waypoints succeeded",
        ),
    ],
)
def test_the_result_of_an_action_ends_the_mission(behaviour: str, goal: Any, level: int, said: str) -> None:
    done = run(toy(behaviour, goal=goal, env={"EDITION": "lyrical"} if said.endswith("succeeded") and level else None))
    assert done.status is Status.COMPLETED, done.trouble
    assert (report(done).level, report(done).message) == (level, said)
    driven_m = done.trace.robots["robot"].x_m[-1] - 1.0
    assert driven_m > 0.1
    if goal == NavigateToPose() and level == 0:
        assert driven_m > 2.7
        feedback = done.trace.topic("/navigate_to_pose/_action/feedback")
        assert len(feedback) > 3
        assert feedback.column("feedback.distance_remaining")[-1] < 0.5


@pytest.mark.parametrize(
    ("behaviour", "goal", "kind", "said"),
    [
        (
            "reject",
            NavigateToPose(),
            "goal rejected",
            "The goal was rejected by the action server of /navigate_to_pose",
        ),
        ("die", NavigateToPose(), "exit code 3", "The robot's command ended before the run did (exit code 3)"),
        ("garbage", None, "bad message", "What the robot sent on /cmd_vel cannot be read: "),
        ("wrong_type", None, "bad message", "/toy publishes std_msgs/msg/String on /cmd_vel; wanted "),
    ],
)
def test_what_a_robot_does_wrong_is_its_crash(behaviour: str, goal: Any, kind: str, said: str) -> None:
    done = run(toy(behaviour, goal=goal, pacing=replace(QUICK, ready_timeout_s=4.0)))
    assert done.status is Status.SUBJECT_CRASH, done.trouble
    assert said in done.trouble
    assert done.crash is not None
    assert done.crash.kind == kind


def test_a_conflicting_hash_and_a_domain_in_use_are_bad_input() -> None:
    with pytest.raises(InputError, match=r"/toy has another definition of geometry_msgs/msg/Twist on /cmd_vel"):
        run(toy("conflict"))
    with Ros2Graph.routed(domain=3, node="gazebo") as other:
        other.publisher("/clock", Clock)
        with pytest.raises(InputError, match=r"/gazebo tells the time on domain 3 of .* the domain is in use"):
            run(Ros2Subject(endpoint=other.endpoint, domain=3))
        with (
            Ros2Graph.joined(other.endpoint, domain=3),
            pytest.raises(InputError, match="Another /stressfield is on domain 3"),
        ):
            run(Ros2Subject(endpoint=other.endpoint, domain=3))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (Ros2Subject, "A robot that nobody launches needs a place to be met"),
        (lambda: Ros2Subject("ros2 launch x"), "wanted a list such as"),  # type: ignore[arg-type]
        (lambda: Ros2Subject(endpoint="tcp/127.0.0.1:1", port=5), "who is the router?"),
        (lambda: run(toy("echo", pacing=Pacing(time="lockstep"))), "Nodes of ROS acknowledge no ticks"),
        (lambda: Gate(topic="/cmd_vel", at_most_s=0.0), "A gate waits at most 0.0 s"),
    ],
)
def test_settings_that_cannot_be(made: Callable[[], object], said: str) -> None:
    with pytest.raises(InputError) as caught:
        made()
    assert said in str(caught.value)


def test_a_robot_that_does_not_join_is_told_with_what_there_is() -> None:
    with Ros2Graph.routed(domain=3, node="robot") as other:
        other.publisher("/cmd_vel2", StringMsg)
        done = run(Ros2Subject(endpoint=other.endpoint, domain=3, pacing=replace(QUICK, ready_timeout_s=0.3)))
    assert done.status is Status.SUBJECT_CRASH
    assert done.trouble == "The robot did not join within 0.3 s: nobody publishes /cmd_vel. /robot publish /cmd_vel2."


@pytest.mark.parametrize(
    ("goal", "missing"),
    [
        (PoseTopic(), "/lifecycle_manager/is_active says that it is not active"),
        (NavigateToPose(), "nobody serves the action /navigate_to_pose"),
        (None, "No node is called /controler on domain 3. There are: /robot."),
    ],
)
def test_a_robot_that_never_becomes_active_is_told_with_what_is_missing(goal: Any, missing: str) -> None:
    trigger: Any = interfaces().service("std_srvs/srv/Trigger")
    with Ros2Graph.routed(domain=3, node="robot") as other:
        other.publisher("/cmd_vel", Twist)
        other.subscribe("/goal_pose", PoseStamped, lambda _: None)
        other.serve("/lifecycle_manager/is_active", trigger, lambda _: trigger.response(False, ""))
        pacing = replace(QUICK, ready_timeout_s=1.0)
        active = ("/controler",) if goal is None else ()
        done = run(Ros2Subject(endpoint=other.endpoint, domain=3, pacing=pacing, goal=goal, active=active))
    assert done.status is Status.SUBJECT_CRASH, done.trouble
    assert done.trouble.startswith(f"The robot was not ready for its mission within 1 s: {missing}")


def test_time_goes_with_the_wall_clock_and_a_goal_on_a_topic_is_told_once() -> None:
    with Ros2Graph.routed(domain=3, node="robot") as other:
        command, goals = other.publisher("/cmd_vel", Twist), []

        def on_goal(received: Any) -> None:
            goals.append(received.message)
            command.publish(Twist.drive(0.5, 0.0))

        other.subscribe("/goal_pose", PoseStamped, on_goal)
        pacing = replace(QUICK, time="paced", rate=4.0, max_lag_s=20.0, may_pause=True)
        subject = Ros2Subject(endpoint=other.endpoint, domain=3, pacing=pacing, goal=PoseTopic())
        done = run(subject, scenario(2.0))
    assert done.status is Status.TIMEOUT, done.trouble
    assert [(goal.pose.position.x, goal.header.frame_id) for goal in goals] == [(4.0, "map")]
    assert done.trace.robots["robot"].x_m[-1] > 1.1
    assert re.match(r"paced: 4 simulated seconds a second; [\d,]+ ticks late by .* \(p50\), .* \(p99\)", done.notes[0])


def test_nodes_that_leave_and_topics_that_stay_silent_are_noted() -> None:
    with Ros2Graph.routed(domain=3, node="robot") as other:
        command = other.publisher("/cmd_vel", Twist)
        other.subscribe("/scam", LaserScan, lambda _: None)
        other.subscribe("/odom", StringMsg, lambda _: None)
        camera = Ros2Graph.joined(other.endpoint, domain=3, node="camera")
        scans: list[object] = []

        def on_scan(received: object) -> None:
            scans.append(received)
            command.publish(Twist.drive(0.1, 0.0))
            if len(scans) == 5:
                camera.close()

        other.subscribe("/scan", LaserScan, on_scan)
        pacing = replace(QUICK, gate=Gate(topic="/cmd_vel", after="/scan", at_most_s=5.0))
        done = run(Ros2Subject(endpoint=other.endpoint, domain=3, pacing=pacing), scenario(2.0))
    assert done.status is Status.TIMEOUT, done.trouble
    assert "/robot listens to /scam, on which nothing was said." in done.notes
    assert "/odom is std_msgs/msg/String to /robot and nav_msgs/msg/Odometry here: they do not meet." in done.notes
    assert any(note.startswith("/camera left the graph ") for note in done.notes)


def test_frames_and_stamps_are_translated_and_back() -> None:
    out = Translation(shift_ns=5_000_000_000, frames={"robot/odom": "odom", "robot/base_link": "base_link"})
    frame = TransformStamped(Header(Time(1, 7), "robot/odom"), "robot/base_link")
    sent: Any = out(TFMessage((frame,)))
    header = sent.transforms[0].header
    assert (header.stamp.ns, header.frame_id) == (6_000_000_007, "odom")
    assert sent.transforms[0].child_frame_id == "base_link"
    again: Any = out.back()(sent)
    assert again.transforms[0].header.stamp.ns == 1_000_000_007
    assert again.transforms[0].child_frame_id == "robot/base_link"
    assert out(Header(Time(0, 0), "map")).stamp.ns == 0  # type: ignore[attr-defined]
    twist = Twist.drive(1.0, 0.0)
    assert out(twist) is twist


@pytest.mark.parametrize("distribution", ["humble", "iron", "jazzy", "lyrical", "no such"])
def test_the_edition_of_an_action_is_found_by_its_hashes(distribution: str) -> None:
    goal = NavigateToPose()
    offered: dict[str, str] = {"send_goal": "RIHS01_1", "get_result": "RIHS01_2", "feedback": "RIHS01_3"}
    if distribution == "humble":  # which has no hashes
        offered = dict.fromkeys(offered, "TypeHashNotSupported")
    elif distribution != "no such":
        made = next(e for e in goal.editions if e.distribution == distribution).action(goal.action)
        parts: dict[str, Any] = {"send_goal": made.send_goal, "get_result": made.get_result}
        offered = {name: type_hash(part) for name, part in (parts | {"feedback": made.feedback_message}).items()}

    class Graph:
        def endpoints(self, kind: Role, *, name: str) -> list[Ros2Endpoint]:
            return [Ros2Endpoint(kind, "/bt_navigator", name, "nav2_msgs/action/X", offered[name.rpartition("/")[2]])]

    graph: Any = Graph()
    if distribution == "no such":
        with pytest.raises(
            InputError, match=r"/bt_navigator serves /navigate_to_pose .* RIHS01_1\.\.\., which no nav2_"
        ):
            goal.edition(graph)
        return
    found = goal.edition(graph)
    fields = {"humble": {"result"}, "iron": {"error_code"}}.get(distribution, {"error_code", "error_msg"})
    assert {field.name for field in fields_of(found.result)} == fields
    tracks = "position_tracking_error" in {field.name for field in fields_of(found.feedback)}
    assert tracks == (distribution == "lyrical")


@pytest.mark.parametrize("leaves", [False, True])
def test_a_robot_that_falls_silent_makes_the_run_invalid(leaves: bool) -> None:
    with (
        Ros2Graph.routed(domain=4, node="router") as router,
        Ros2Graph.joined(router.endpoint, domain=3, node="robot") as other,
    ):
        command, scans = other.publisher("/cmd_vel", Twist), []

        def on_scan(received: object) -> None:
            scans.append(received)
            if len(scans) < 4:
                command.publish(Twist.drive(0.1, 0.0))
            elif leaves and len(scans) == 4:
                threading.Thread(target=other.close).start()  # zenoh does not let a callback end its own session

        other.subscribe("/scan", LaserScan, on_scan)
        pacing = replace(QUICK, silence_s=0.6, gate=Gate(topic="/cmd_vel", after="/scan", at_most_s=0.1))
        done = run(Ros2Subject(endpoint=router.endpoint, domain=3, pacing=pacing))
    assert done.status is Status.INVALID, done.trouble
    assert ("Nobody is left on domain 3" if leaves else "though its nodes are there: it hangs") in done.trouble
