"""Whole runs: robots with other drives follow a course in both simulators, and one that is told nonsense crashes."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from stressfield.bus import Latency, Link, Node, Timing
from stressfield.bus.messages import (
    AckermannDriveMsg,
    AckermannDriveStamped,
    DiagnosticStatus,
    Header,
    PoseStamped,
    Time,
    Twist,
    Vector3,
)
from stressfield.oracle import Evidence
from stressfield.run import Executed, Status, execute
from stressfield.scenario import Scenario
from stressfield.sim import Simulator
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.study import Ending
from stressfield.subject import NodesSubject
from stressfield.trace import Metadata
from stressfield.world import Mission, Robot, World, robots
from stressfield.world import common_bodies as bodies

COURSE = ((4.0, 0.0), (8.0, 2.0), (8.0, 6.0), (4.0, 8.0), (0.0, 6.0))
SIMULATORS = {"kinematic": KinematicSimulator(), "mujoco": MujocoSimulator()}


class PurePursuit(Node):
    """Steers a car along an arc towards the next point of the course (Coulter, CMU-RI-TR-92-01)."""

    name = "pursuit"

    def setup(self, link: Link) -> None:
        self.link = link
        self.left = list(COURSE)
        link.subscribe("/pose", self.on_pose)

    def on_pose(self, message: PoseStamped) -> None:
        here = message.pose
        while self.left and math.dist((here.position.x, here.position.y), self.left[0]) < 0.6:
            self.left.pop(0)
        if not self.left:
            self.link.publish("/cmd_vel", self.command(0.0, 0.0, 0.0))
            self.link.publish("/report", DiagnosticStatus.done())
            return
        dx, dy = self.left[0][0] - here.position.x, self.left[0][1] - here.position.y
        c, s = math.cos(here.yaw_rad), math.sin(here.yaw_rad)
        self.link.publish("/cmd_vel", self.command(dx * c + dy * s, dy * c - dx * s, 1.0))

    def command(self, ahead: float, left: float, speed: float) -> AckermannDriveStamped | Twist:
        bend = 2.0 * left / max(ahead * ahead + left * left, 1e-6)
        order = AckermannDriveMsg(steering_angle=math.atan(0.7 * bend), speed=speed)
        return AckermannDriveStamped(Header(Time(0, 0), ""), order)


class Crab(PurePursuit):
    """Goes straight to the next point without ever turning."""

    name = "crab"

    def command(self, ahead: float, left: float, speed: float) -> Twist:
        far = max(math.hypot(ahead, left), 1e-6)
        return Twist(Vector3(x=0.4 * speed * ahead / far, y=0.4 * speed * left / far), Vector3())


def run(robot: Robot, node: type[Node], simulator: Simulator) -> tuple[Executed, Evidence]:
    world = World.flat(20.0, 20.0).with_robot("rover", robot, at=(0.0, 0.0))
    scenario = Scenario(world, Mission(limit_s=120.0))
    exact = Timing(topic_default=Latency(), node_default=Latency())
    done = execute(
        scenario, NodesSubject(lambda _: [node()]), simulator, seed=3, timing=exact,
        ending=Ending("/report", settle_s=0.3, report=DiagnosticStatus), metadata=Metadata(),
    )  # fmt: skip
    return done, Evidence(done.trace, scenario)


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_a_car_completes_a_course_by_pure_pursuit(simulator: str) -> None:
    car = robots.ackermann(jerk_max_mps3=3.0)
    done, evidence = run(car, PurePursuit, SIMULATORS[simulator])
    assert done.status is Status.COMPLETED
    truth = done.trace.truth("rover")
    for point in COURSE:
        assert np.hypot(truth.x_m - point[0], truth.y_m - point[1]).min() < 0.75
    # It never turned tighter than it can, and where it goes is where it looks.
    moving = truth.speed_mps > 0.3
    radius = truth.speed_mps[moving] / np.maximum(np.abs(truth.turn_rate_radps[moving]), 1e-9)
    assert radius.min() > 0.97 * 0.7 / math.tan(0.5)
    if simulator == "kinematic":
        assert np.abs(evidence.jerk("rover").values).max() <= 3.0 * (1.0 + 1e-6)


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_rollers_complete_a_course_without_turning(simulator: str) -> None:
    done, _ = run(robots.mecanum(), Crab, SIMULATORS[simulator])
    assert done.status is Status.COMPLETED
    truth = done.trace.truth("rover")
    for point in COURSE:
        assert np.hypot(truth.x_m - point[0], truth.y_m - point[1]).min() < 0.75
    assert np.abs(truth.yaw_rad).max() < 0.05


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_a_robot_that_is_told_to_move_sideways_and_cannot_is_a_crash(simulator: str) -> None:
    done, _ = run(robots.diff_drive(), Crab, SIMULATORS[simulator])
    assert done.status is Status.SUBJECT_CRASH
    assert "A command on '/cmd_vel' has linear.y " in done.trouble
    assert "but a DifferentialDrive cannot move sideways" in done.trouble


@pytest.mark.parametrize("angle", [0.2, -0.4])
def test_a_car_in_mujoco_drives_the_circle_of_the_formula(angle: float) -> None:
    from .rig.test_drives import go, steer

    world = World.flat(20.0, 20.0).with_robot("car", robots.ackermann(wheelbase_m=0.8), at=(0.0, 0.0))
    session = MujocoSimulator().open(Scenario(world, Mission(limit_s=60.0)), seed=1)
    go(session, 3.0, steer(0.8, angle))
    places = []
    for _ in range(40):
        go(session, 0.25, steer(0.8, angle))
        places.append(session.observe().rows[0, :2])
    x, y = np.array(places).T
    # The circle through the points by least squares (Kasa).
    (a, b, c), *_ = np.linalg.lstsq(np.stack([x, y, np.ones_like(x)], axis=1), x * x + y * y, rcond=None)
    radius = math.sqrt(c + a * a / 4.0 + b * b / 4.0)
    assert radius == pytest.approx(0.8 / math.tan(abs(angle)), rel=0.03)


def test_rollers_in_mujoco_are_held_by_a_wall_and_their_odometry_goes_on() -> None:
    from .rig.test_drives import go, twist

    world = World.flat(20.0, 20.0).with_robot("cart", robots.mecanum(width_m=0.5), at=(5.0, 5.0))
    wall = bodies.box("wall", length_m=4.0, width_m=0.2, height_m=1.0)
    world = world.with_body(wall, at=(5.0, 6.0))
    session = MujocoSimulator().open(Scenario(world, Mission(limit_s=60.0)), seed=1)
    said = go(session, 8.0, twist(0.0, 0.3))
    row = session.observe().rows[0]
    assert row[1] == pytest.approx(5.65, abs=0.02)
    assert row[10] == 0.0
    believed = [message for topic, _, message in said if topic == "/odom"][-1].pose.pose.position.y
    assert believed > 1.9
    along = row[0]
    go(session, 4.0, twist(0.2, 0.1))  # it slides along the wall
    assert session.observe().rows[0, 0] > along + 0.4


@pytest.mark.parametrize("kind", ["ackermann", "mecanum", "skid_steer"])
@pytest.mark.parametrize("slip", [0.0, 0.3])
def test_odometry_in_mujoco_is_as_far_off_as_the_wheels_slip(kind: str, slip: float) -> None:
    from .rig.test_drives import go, quiet, twist

    robot = quiet(getattr(robots, kind)())
    robot = replace(robot, drive=replace(robot.drive, slip_max=slip))
    world = World.flat(40.0, 40.0).with_robot("cart", robot, at=(20.0, 20.0))
    session = MujocoSimulator().open(Scenario(world, Mission(limit_s=60.0)), seed=1)
    said = go(session, 12.0, twist(0.5))
    believed = said[-1].message.pose.pose.position
    gone = math.hypot(*(session.observe().rows[0, :2] - 20.0))
    if slip:
        assert gone < 0.98 * math.hypot(believed.x, believed.y)
    else:
        assert gone == pytest.approx(math.hypot(believed.x, believed.y), rel=0.02)
