"""Sensors in MuJoCo say what those of the kinematic simulator say of the same place."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stressfield.bus.messages import BoolMsg, Imu, JointState, LaserScan, PointCloud2, PoseArray, PoseStamped
from stressfield.errors import InputError
from stressfield.seeds import generator
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.mujoco import ContactSensor, JointSensor, Material, PointCamera, PointCameraSpec
from stressfield.world import InertialUnit, Lidar3D, PlacedRobot, PoseSensor

from ..scenes import box, camera, cylinder, hills, lidar, robot, scene
from .scenes import drive, opened, rest

THINGS = (
    cylinder(2.0, 0.4),
    cylinder(1.5, -1.0, radius=0.3),
    box(3.0, 1.0, 0.4, 0.8, yaw=0.5),
    cylinder(2.5, 0.0, kind="stake", radius=0.02, high=1.2),
    cylinder(3.5, -0.4, kind="stake", radius=0.02, high=1.2),
)


def first(said: list, kind: type):
    return next(s.message for s in said if isinstance(s.message, kind))


def test_scans_agree_with_the_kinematic_simulator() -> None:
    scenario = scene(robot(lidar()), bodies=THINGS)
    ours = first(rest(opened(scenario), 0.1), LaserScan)
    other = first(list(KinematicSimulator().open(scenario, seed=1).step(())), LaserScan)
    both = np.isfinite(ours.ranges) & np.isfinite(other.ranges)
    assert both.sum() > 20
    assert (np.isfinite(ours.ranges) != np.isfinite(other.ranges)).sum() <= 6
    assert np.median(np.abs(ours.ranges[both] - other.ranges[both])) < 0.005
    assert (ours.header.frame_id, ours.angle_min, ours.range_max) == (
        other.header.frame_id,
        other.angle_min,
        other.range_max,
    )


def test_scans_see_other_robots_and_what_was_pushed() -> None:
    other = PlacedRobot(robot(name="other", topic="/other", offset_m=0.0), 3.0, 0.0, 0.0)
    scan = first(rest(opened(scene(robot(lidar(z_m=0.3)), other)), 0.1), LaserScan)
    assert scan.ranges[90] == pytest.approx(3.0 - 0.375 - 0.4, abs=0.03)
    session = opened(
        scene(robot(lidar(z_m=0.3), offset_m=0.0), bodies=[box(1.0, 0.0, 0.3, 0.3, high=0.5)]),
        materials={"wall": Material(mass_kg=2.0, friction=0.3)},
    )
    drive(session, 5.0, 0.3)
    said = drive(session, 2.0, -0.3)
    last = [s.message for s in said if isinstance(s.message, LaserScan)][-1]
    ahead = float(session.data.body("body_0").xpos[0]) - 0.15
    assert ahead > 1.4
    sensor = session.observe().rows[0, 0] + 0.4
    assert last.ranges[90] > 0.2
    assert sensor + last.ranges[90] == pytest.approx(ahead, abs=0.02)


def test_clouds_agree_with_the_kinematic_simulator() -> None:
    rings = Lidar3D("/points", 20.0, 0.0, 1.4, (-0.6, -0.3, -0.1), 90, 0.2, 10.0)
    scenario = scene(robot(rings), bodies=THINGS, terrain=hills(generator(5, "hills"), high_m=0.05))
    ours = first(rest(opened(scenario), 0.1), PointCloud2)
    other = first(list(KinematicSimulator().open(scenario, seed=1).step(())), PointCloud2)
    a, b = (cloud.data.view(np.float32).reshape(-1, 3) for cloud in (ours, other))
    both = np.isfinite(a[:, 0]) & np.isfinite(b[:, 0])
    assert both.sum() > 100
    assert np.median(np.linalg.norm(a[both] - b[both], axis=1)) < 0.1
    assert (ours.height, ours.width, ours.header.frame_id) == (other.height, other.width, other.header.frame_id)


def test_the_marker_camera_sees_stakes_and_the_others_feel_the_robot() -> None:
    sensors = (camera(), InertialUnit("/imu", 20.0), PoseSensor("/pose", 20.0))
    session = opened(scene(robot(*sensors), bodies=THINGS))
    said = drive(session, 2.0, 0.3)
    markers = [s.message for s in said if isinstance(s.message, PoseArray)][-1]
    x = sorted(pose.position.x for pose in markers.poses)
    here = session.observe().rows[0, 0]
    assert x == pytest.approx([2.5 - here, 3.5 - here], abs=0.05)
    imu = [s.message for s in said if isinstance(s.message, Imu)][-1]
    assert imu.linear_acceleration.z == pytest.approx(9.81, abs=0.1)
    assert first(said[-3:], PoseStamped).pose.position.x == pytest.approx(here, abs=1e-9)


def test_a_depth_camera_sees_a_box_and_the_ground() -> None:
    spec = PointCameraSpec(
        topic="/depth", body="oz", rate_hz=10.0, columns=31, rows=21, field_of_view_rad=1.2, z_m=1.0, down_rad=0.5
    )
    session = opened(scene(robot(), bodies=[box(2.0, 0.0, 0.4, 4.0, high=0.5)]), devices=[PointCamera(spec)])
    said = rest(session, 0.2)
    assert len(said) == 2
    cloud = first(said, PointCloud2)
    points = cloud.data.view(np.float32).reshape(21, 31, 3)
    c, s = math.cos(0.5), math.sin(0.5)
    height = 1.0 - s * points[:, :, 0] + c * points[:, :, 2]
    ahead = c * points[:, :, 0] + s * points[:, :, 2]
    assert height[-1] == pytest.approx(0.0, abs=0.01)
    top = np.abs(height - 0.5) < 0.01
    assert top.sum() > 20
    assert ahead[top].min() == pytest.approx(1.8, abs=0.1)


def test_joints_and_contacts_of_the_model_can_be_sensed() -> None:
    devices = (
        JointSensor("/joints", ["oz/left_wheel", "oz/right_wheel"], rate_hz=20.0),
        ContactSensor("/touch", "oz", rate_hz=20.0),
        ContactSensor("/crate", "body_0", rate_hz=20.0),
    )
    session = opened(
        scene(robot(offset_m=0.0), bodies=[box(1.0, 0.0, 0.3, 0.3)]),
        devices=devices,
        materials={"wall": Material(mass_kg=5.0)},
    )
    said = drive(session, 1.0, 0.3)
    joints = [s.message for s in said if isinstance(s.message, JointState)][-1]
    assert joints.velocity == pytest.approx([3.0, 3.0], rel=0.05)
    assert all(s.message.data for s in said if s.topic == "/touch" and isinstance(s.message, BoolMsg))


@pytest.mark.parametrize(
    "device",
    [
        JointSensor("/joints", ["knee"], rate_hz=20.0),
        ContactSensor("/touch", "knee", rate_hz=20.0),
        PointCamera(PointCameraSpec(topic="/d", body="knee", rate_hz=5.0, columns=2, rows=2, field_of_view_rad=1.0)),
    ],
)
def test_sensors_of_parts_that_are_not_there_are_refused(device) -> None:
    with pytest.raises(InputError, match="'knee', which the model does not have"):
        opened(scene(robot()), devices=[device])


def test_a_sensor_keeps_its_rate_even_if_ticks_do_not_fit() -> None:
    session = opened(scene(robot()), devices=[JointSensor("/joints", ["oz/left_wheel"], rate_hz=7.0)])
    assert len(rest(session, 3.0)) == 21


@pytest.mark.parametrize("rate_hz", [0.0, -1.0, math.nan])
def test_a_sensor_needs_a_rate(rate_hz: float) -> None:
    with pytest.raises(InputError, match="wanted more than zero"):
        ContactSensor("/touch", "oz", rate_hz=rate_hz)
