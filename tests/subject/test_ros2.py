"""Robots on a ROS 2 graph as subjects. Those of zenoh-ros2-sdk are in tests/examples; these are of our own making."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from stressfield.bus import Timing
from stressfield.bus.messages import DiagnosticStatus
from stressfield.run import Executed, Status, execute
from stressfield.scenario import Scenario
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.study import Ending
from stressfield.subject import FollowWaypoints, Gate, NavigateToPose, Pacing, Ros2Subject, Subject
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
        ("inactive", NavigateToPose(), "never active", "/lifecycle_manager_navigation/is_active says that it is not"),
        ("good", FollowWaypoints(), "never active", "nobody serves the action /follow_waypoints"),
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
