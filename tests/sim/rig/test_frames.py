"""TF and the map: chains of frames compose to the pose, and sensors sit where they are said to."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from stressfield.bus.messages import OccupancyGrid, TFMessage, Transform
from stressfield.errors import InputError, WorldError
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.world import (
    DepthCamera,
    GpsReceiver,
    MapServer,
    OccupancyMap,
    Odometer,
    PlacedRobot,
    PoseSensor,
    Sonar,
    StaticFrames,
    Terrain,
    VisualOdometer,
)

from ..scenes import box, cylinder, hills, lidar, opened, robot, scene, twist

SIMULATORS = [KinematicSimulator(), MujocoSimulator()]


def matrix(transform: Transform) -> np.ndarray:
    """Of four by four, by somebody else's quaternions."""
    t, q = transform.translation, transform.rotation
    out = np.eye(4)
    out[:3, :3] = Rotation.from_quat([q.x, q.y, q.z, q.w]).as_matrix()
    out[:3, 3] = t.x, t.y, t.z
    return out


def driven(scenario: Any, simulator: Any, seconds: float = 4.0) -> tuple[Any, list[Any]]:
    session, said = simulator.open(scenario, seed=3), []
    while session.time_ns < seconds * 1e9:
        said += session.step([twist(0.3, 0.5, time_ns=session.time_ns)])
    return session, said


@pytest.mark.parametrize("simulator", SIMULATORS)
@pytest.mark.parametrize("kind", [Odometer, VisualOdometer])
def test_the_chain_composes_to_the_odometry_and_to_the_truth(simulator: Any, kind: Any) -> None:
    spec = kind("/odom", 20.0, distance_noise=0.1, turn_noise=0.1, tf_topic="/tf", map_frame="map")
    placed = PlacedRobot(robot(spec), 1.0, -2.0, 0.8)
    terrain = hills(np.random.default_rng(2), high_m=0.4, cell_m=0.5)
    session, said = driven(scene(placed, terrain=terrain), simulator)
    assert [topic for topic, _, _ in said] == ["/odom", "/tf"] * 80
    odometry, frames = said[-2].message, said[-1].message
    assert isinstance(frames, TFMessage)
    to_odom, to_base = frames.transforms
    assert (to_odom.header.frame_id, to_odom.child_frame_id) == ("map", "oz/odom")
    assert (to_base.header.frame_id, to_base.child_frame_id) == ("oz/odom", "oz/base_link")
    assert to_base.header.stamp.ns == odometry.header.stamp.ns == session.time_ns
    assert (to_base.header.frame_id, to_base.child_frame_id) == (odometry.header.frame_id, odometry.child_frame_id)
    pose = odometry.pose.pose
    assert (to_base.transform.translation.x, to_base.transform.translation.y) == (pose.position.x, pose.position.y)
    assert to_base.transform.rotation is pose.orientation
    x, y, z, *attitude = session.observe().rows[0, :7].tolist()
    truth = np.eye(4)
    truth[:3, :3], truth[:3, 3] = Rotation.from_quat(attitude).as_matrix(), (x, y, z)
    chain = matrix(to_odom.transform) @ matrix(to_base.transform)
    assert chain == pytest.approx(truth, abs=1e-12)
    assert math.hypot(to_odom.transform.translation.x - 1.0, to_odom.transform.translation.y + 2.0) > 0.01  # it drifted


def test_without_a_map_frame_there_is_one_transform_and_without_a_topic_none() -> None:
    _, said = driven(scene(robot(Odometer("/odom", 20.0, tf_topic="/tf"))), SIMULATORS[0], 0.1)
    assert [len(message.transforms) for topic, _, message in said if topic == "/tf"] == [1, 1]
    _, said = driven(scene(robot(Odometer("/odom", 20.0))), SIMULATORS[0], 0.1)
    assert {topic for topic, _, _ in said} == {"/odom"}


def test_bad_frames_are_refused() -> None:
    with pytest.raises(InputError, match=re.escape("has a map_frame 'map' and no tf_topic; wanted both")):
        opened(scene(robot(Odometer("/odom", 20.0, map_frame="map"))))
    two = (Odometer("/odom", 20.0, tf_topic="/tf"), VisualOdometer("/vo", 20.0, tf_topic="/tf"))
    with pytest.raises(InputError, match=re.escape("has 2 odometers with a tf_topic: /odom, /vo; wanted one")):
        opened(scene(robot(*two)))


def test_static_frames_say_where_the_sensors_sit() -> None:
    camera = DepthCamera("/front/depth", 5.0, x_m=0.3, y_m=0.1, z_m=0.5, yaw_rad=0.4, down_rad=0.2)
    sensors = (
        lidar(), camera, Sonar("/sonar", 10.0, x_m=0.4, z_m=0.2, y_m=-0.2, yaw_rad=-0.7),
        GpsReceiver("/fix", 5.0, z_m=1.0), PoseSensor("/pose", 10.0), StaticFrames(),
    )  # fmt: skip
    session = opened(scene(robot(*sensors)))
    said = [stamped for _ in range(8) for stamped in session.step(())]
    (frames,) = [message for topic, _, message in said if topic == "/tf_static"]
    found = {frame.child_frame_id: matrix(frame.transform) for frame in frames.transforms}
    assert {frame.header.frame_id for frame in frames.transforms} == {"oz/base_link"}
    headers = {
        message.header.frame_id for topic, _, message in said if topic in {"/scan", "/front/depth", "/sonar", "/fix"}
    }
    assert set(found) == headers == {"oz/scan", "oz/front/depth", "oz/sonar", "oz/fix"}
    assert found["oz/scan"][:3, 3].tolist() == [0.4, 0.0, 0.25]
    assert found["oz/sonar"][:3, 0] == pytest.approx([math.cos(0.7), -math.sin(0.7), 0.0])
    ahead = [math.cos(0.4) * math.cos(0.2), math.sin(0.4) * math.cos(0.2), -math.sin(0.2)]
    assert found["oz/front/depth"][:3, 2] == pytest.approx(ahead)  # z of an optical frame looks ahead
    assert found["oz/front/depth"][:3, 0] == pytest.approx([math.sin(0.4), -math.cos(0.4), 0.0])  # x to the right


def test_a_depth_image_becomes_points_of_the_world_through_camera_info_and_tf() -> None:
    camera = DepthCamera("/front/depth", 20.0, x_m=0.3, z_m=0.6, yaw_rad=0.2, down_rad=0.1, width_px=33, height_px=21)
    odometer = Odometer("/odom", 20.0, tf_topic="/tf", map_frame="map")
    placed = PlacedRobot(robot(camera, StaticFrames(), odometer), 1.0, 2.0, 0.5)
    session = opened(scene(placed, bodies=[cylinder(3.5, 4.0, radius=0.3, high=3.0)]))
    said = {topic: message for topic, _, message in session.step(())}
    depth = said["/front/depth"].data.view("<f4").reshape(21, 33).astype(float)
    k = np.array(said["/front/camera_info"].k).reshape(3, 3)
    v, u = np.mgrid[0:21, 0:33]
    points = np.linalg.inv(k) @ np.stack([u.ravel(), v.ravel(), np.ones(u.size)]) * depth.ravel()
    (static,) = said["/tf_static"].transforms
    chain = np.eye(4)
    for frame in (*said["/tf"].transforms, static):
        chain = chain @ matrix(frame.transform)
    seen = np.isfinite(depth.ravel())
    x, y, z = (chain @ np.vstack([points[:, seen], np.ones(seen.sum())]))[:3]
    on_ground, on_tree = np.abs(z) < 1e-5, np.abs(np.hypot(x - 3.5, y - 4.0) - 0.3) < 1e-5
    assert np.all(on_ground | on_tree)
    assert on_ground.sum() > 50
    assert on_tree.sum() > 20


def test_the_map_is_that_of_the_world() -> None:
    spec = MapServer("/map", resolution_m=0.5, margin_m=1.0, frame_id="site")
    terrain = Terrain.flat(x0_m=-3.0, y0_m=-4.0, size_m=8.0)
    scenario = scene(robot(spec), bodies=[box(2.0, 1.0, 1.0, 0.4, yaw=0.3)], terrain=terrain)
    (stamped,) = opened(scenario).step(())
    message = stamped.message
    assert isinstance(message, OccupancyGrid)
    wanted = OccupancyMap.of(scenario.world, resolution_m=0.5, margin_m=1.0)
    assert (message.info.width, message.info.height, message.info.resolution) == (20, 20, 0.5)
    assert (message.info.origin.position.x, message.info.origin.position.y) == (-4.0, -5.0)
    assert message.info.origin.orientation.w == 1.0
    assert message.header.frame_id == "site"
    assert np.array_equal(message.data.reshape(20, 20), wanted.cells)
    assert set(np.unique(message.data).tolist()) == {-1, 0, 100}
    with pytest.raises(WorldError, match=r"A map needs a resolution_m above zero, got 0\.0"):
        opened(scene(robot(MapServer(resolution_m=0.0))))
