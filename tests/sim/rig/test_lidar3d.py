"""The lidar with rings, the pose sensor, and ground that stops a robot."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from stressfield.bus.messages import PointCloud2
from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.sim import MOBILITY
from stressfield.sim.kinematic._rays import KernelRays
from stressfield.sim.rig import _reference as reference
from stressfield.sim.rig._live.lidars import ring_directions
from stressfield.sim.rig._reference import PlainPose
from stressfield.world import Lidar3D, PlacedRobot, PoseSensor, Robot, Terrain

from ..scenes import FLAT, box, cylinder, hills, opened, rest, robot, scene, slope, twist
from .test_reference import random_bodies

RINGS = Lidar3D("/points", 10.0, 0.2, 0.9, (-0.6, -0.25, -0.05, 0.2), 48, 0.05, 6.0)


def plain_ranges(scenario: Scenario, poses: list[PlainPose], me: int, spec: Lidar3D) -> np.ndarray:
    """Free distances from the definitions: bodies by the reference, ground by small steps and bisection."""
    world = scenario.world
    terrain = world.terrain
    rotation, origin = poses[me].rotation(), poses[me].mount(spec.x_m, spec.z_m)
    things = list(world.bodies)
    things += [reference.as_body(poses[i], p.robot) for i, p in enumerate(world.robots) if i != me]
    found = []
    for direction in ring_directions(spec):
        ray = rotation @ direction
        t = np.arange(0.0, spec.range_max_m, 0.004)
        x, y, z = (origin[:, None] + ray[:, None] * t).tolist()
        x, y, z = np.array(x), np.array(y), np.array(z)
        on = (x >= terrain.x0_m) & (x <= terrain.x0_m + terrain.width_m)
        on &= (y >= terrain.y0_m) & (y <= terrain.y0_m + terrain.depth_m)
        below = np.flatnonzero(on & (z <= terrain.height_at(x, y)))
        ground = float(t[below[0]]) if len(below) else spec.range_max_m
        found.append(min([ground, *(reference.ray_hit(thing, origin, ray) for thing in things)]))
    return np.array(found)


@pytest.mark.parametrize("seed", range(8))
def test_ranges_agree_with_the_plain_version(seed: int) -> None:
    rng = np.random.default_rng(seed)
    terrain = hills(rng, high_m=1.5) if seed % 2 else FLAT
    placed = (
        PlacedRobot(robot(RINGS), *rng.uniform(-2.0, 2.0, 2), rng.uniform(-4.0, 4.0)),
        PlacedRobot(robot(name="other", topic="/other"), *rng.uniform(-3.0, 3.0, 2), rng.uniform(-4.0, 4.0)),
    )
    scenario = scene(*placed, bodies=random_bodies(rng, terrain, 40), terrain=terrain)
    session = opened(scenario)
    free = KernelRays(session.place).cloud(RINGS, 0)
    poses = [PlainPose(r[0], r[1], r[5], r[2], r[3], r[4]) for r in session.place.state.tolist()]
    wanted = plain_ranges(scenario, poses, 0, RINGS)
    off = np.abs(free() - wanted)
    assert (off < 0.006).mean() > 0.995  # a step may skip a crest that a ray only grazes
    assert (wanted < RINGS.range_max_m).mean() > 0.2


def test_bodies_alone_agree_exactly() -> None:
    bodies = [box(3.0, 1.0, 1.0, 2.0, high=3.0, yaw=0.4), cylinder(-2.0, -2.0, radius=0.6, high=2.0)]
    flat = replace(RINGS, elevations_rad=(0.0,))
    scenario = scene(robot(flat), bodies=bodies)
    free = KernelRays(opened(scenario).place).cloud(flat, 0)
    wanted = plain_ranges(scenario, [PlainPose(0.0, 0.0, 0.0)], 0, flat)
    np.testing.assert_allclose(free(), wanted, atol=1e-9)


def test_clouds_are_organised_with_nan_for_no_return() -> None:
    session = opened(scene(robot(replace(RINGS, rate_hz=20.0))))
    (cloud,) = [s.message for s in session.step(())]
    assert isinstance(cloud, PointCloud2)
    assert (cloud.height, cloud.width, cloud.point_step, cloud.row_step) == (4, 48, 12, 576)
    points = cloud.data.view(np.float32).reshape(4, 48, 3)
    assert np.isnan(points[3]).all()
    np.testing.assert_allclose(points[0, :, 2], -0.9, atol=1e-5)
    np.testing.assert_allclose(points[0, 0, :2], [0.9 / math.tan(0.6), 0.0], atol=1e-5)


def test_the_ground_ends_at_the_border() -> None:
    near_border = scene(PlacedRobot(robot(RINGS, offset_m=0.0), 49.5, 0.0, 0.0))
    ranges = KernelRays(opened(near_border).place).cloud(RINGS, 0)().reshape(4, 48)
    assert ranges[0, 0] == RINGS.range_max_m
    assert ranges[0, 24] < RINGS.range_max_m


def test_noise_and_dropout_come_from_the_seed() -> None:
    noisy = robot(replace(RINGS, rate_hz=20.0, noise_m=0.02, dropout=0.1))
    first, same, other = (opened(scene(noisy), seed=seed).step(())[0].message for seed in (1, 1, 2))
    assert (first.data == same.data).all()
    assert (first.data != other.data).any()


def test_rings_that_look_straight_down_are_refused() -> None:
    with pytest.raises(InputError, match="needs rings between -89 and 89 degrees"):
        opened(scene(robot(replace(RINGS, elevations_rad=(-math.pi / 2,)))))


def test_pose_sensor_tells_the_pose() -> None:
    exact = robot(PoseSensor("/pose", 20.0))
    session = opened(scene(PlacedRobot(exact, 1.0, 2.0, 0.5), terrain=slope(0.2, 0.1)))
    (pose,) = [s.message.pose for s in session.step(())]
    truth = session.observe().rows[0]
    assert (pose.position.x, pose.position.y, pose.position.z) == pytest.approx(tuple(truth[:3]))
    q = pose.orientation
    assert (q.x, q.y, q.z, q.w) == pytest.approx(tuple(truth[3:7]))


# --- ground that stops a robot -----------------------------------------------------------------------------------


def limited(**limits: float) -> Robot:
    return replace(robot(offset_m=0.0), **limits)


def push(body: Robot, terrain: Terrain, *, yaw: float = 0.0, speed: float = 0.4, seconds: float = 4.0) -> tuple:
    session = opened(scene(PlacedRobot(body, 0.0, 0.0, yaw), terrain=terrain))
    events = []
    for _ in range(round(seconds * 20)):
        said = session.step([twist(speed, 0.0, time_ns=session.time_ns)])
        events += [s.message.message for s in said if s.topic == MOBILITY]
    return session.observe().rows[0], events


def ramp(steepness: float) -> Terrain:
    """Level up to x = 1, then a slope."""
    x = np.linspace(-10.0, 10.0, 201)
    return Terrain(np.tile(np.maximum(0.0, x - 1.0) * steepness, (201, 1)), -10.0, -10.0, 0.1)


def test_too_steep_a_slope_is_not_climbed() -> None:
    body = limited(climb_max_rad=math.radians(20.0))
    row, events = push(body, ramp(0.6), seconds=10.0)
    assert events[0] == "stuck"
    assert row[0] < 1.6
    free, none = push(body, ramp(0.3), seconds=10.0)
    assert free[0] > 3.0
    assert none == []


def test_it_may_drive_down_what_it_cannot_climb() -> None:
    row, events = push(limited(climb_max_rad=math.radians(20.0)), slope(-0.6), seconds=4.0)
    assert row[0] > 1.0
    assert events == []


def test_too_high_a_step_stops_it() -> None:
    x = np.linspace(-10.0, 10.0, 401)
    step = Terrain(np.tile(np.where(x > 1.5, 0.3, 0.0), (401, 1)), -10.0, -10.0, 0.05)
    row, events = push(limited(step_max_m=0.15), step, seconds=8.0)
    assert events == ["stuck"]
    assert row[0] < 1.2
    over, none = push(limited(step_max_m=0.35), step, seconds=8.0)
    assert over[0] > 1.5
    assert none == []


def test_too_much_tilt_tips_it_over_for_good() -> None:
    row, events = push(limited(tip_max_rad=math.radians(30.0)), ramp(0.9), seconds=10.0)
    assert events == ["tipped over"]
    assert row[7] == 0.0


def test_robots_without_limits_have_no_events() -> None:
    assert push(robot(offset_m=0.0), ramp(2.0), seconds=4.0)[1] == []
    assert rest(opened(scene(robot())), 0.1) == []
