"""The kernels against the plain reference, on random worlds."""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass

import numpy as np
import pytest

from stressfield.scenario import Scenario
from stressfield.sim.kinematic._rays import KernelRays
from stressfield.sim.kinematic.session import KinematicSession
from stressfield.sim.rig import _ground_kernels as ground_kernels
from stressfield.sim.rig import _motion_kernels as kernels
from stressfield.sim.rig import _reference as reference
from stressfield.sim.rig import _sight_kernels as sight_kernels
from stressfield.sim.rig._reference import PlainPose
from stressfield.world import Body, Lidar, PlacedRobot, Shape, Terrain, World

from ..scenes import FLAT, camera, hills, opened, rest, robot, scene, twist

WIDE = Lidar("/scan", 20.0, 0.4, 0.25, -math.pi, math.pi * 0.98, 90, 0.05, 5.0)
BACK = Lidar("/back", 20.0, -0.3, 0.1, math.pi / 2, 3 * math.pi / 2, 60, 0.05, 3.0)
CAMERA = camera(z_m=0.4, visible_height_m=0.5)


def random_bodies(rng: np.random.Generator, terrain: Terrain, count: int = 60) -> list[Body]:
    bodies = []
    for _ in range(count):
        shape = Shape(int(rng.integers(3)))
        x, y = rng.uniform(-6.0, 6.0, 2)
        size = rng.uniform(0.02, 0.3, 2) if rng.random() < 0.9 else rng.uniform(0.5, 6.0, 2)
        foot = reference.height(terrain, x, y) + (1.0 if rng.random() < 0.1 else 0.0)
        kind = "stake" if rng.random() < 0.2 else "plant"
        high, yaw = rng.uniform(0.02, 0.6), rng.uniform(-4.0, 4.0)
        solid = bool(rng.random() < 0.7)
        size_y = size[1] if shape == Shape.BOX else size[0]
        bodies.append(Body("", kind, shape, x, y, foot, size[0], size_y, high, yaw, solid, shape != Shape.BOX))
    return bodies


@dataclass(frozen=True)
class Case:
    """Two robots among random bodies; every other world is flat."""

    scenario: Scenario
    session: KinematicSession

    @property
    def world(self) -> World:
        return self.scenario.world

    @property
    def poses(self) -> list[PlainPose]:
        return [PlainPose(r[0], r[1], r[5], r[2], r[3], r[4]) for r in self.session.place.state.tolist()]


@pytest.fixture(params=range(12), scope="module")
def case(request: pytest.FixtureRequest) -> Case:
    rng = np.random.default_rng(request.param)
    terrain = hills(rng, high_m=0.5) if request.param % 2 else FLAT
    placed = (
        PlacedRobot(robot(WIDE, BACK, CAMERA), *rng.uniform(-2.0, 2.0, 2), rng.uniform(-4.0, 4.0)),
        PlacedRobot(robot(name="other", topic="/other"), *rng.uniform(-3.0, 3.0, 2), rng.uniform(-4.0, 4.0)),
    )
    scenario = scene(*placed, bodies=random_bodies(rng, terrain), terrain=terrain)
    return Case(scenario, opened(scenario))


def test_robots_lie_on_the_ground_as_in_the_reference(case: Case) -> None:
    for pose, placed in zip(case.poses, case.world.robots, strict=True):
        wanted = reference.settled(PlainPose(placed.x_m, placed.y_m, placed.yaw_rad), placed.robot, case.world.terrain)
        assert astuple(pose) == pytest.approx(astuple(wanted), abs=1e-12)


def test_clearance_agrees_with_the_reference(case: Case) -> None:
    for me, row in enumerate(case.session.observe().rows):
        gap, whose = reference.clearance(case.world, case.poses, me)
        assert row[9] == pytest.approx(gap, abs=1e-9)
        assert row[10] == whose


@pytest.mark.parametrize("spec", [WIDE, BACK])
def test_scans_agree_with_the_reference(case: Case, spec: Lidar) -> None:
    free = KernelRays(case.session.place).scan(spec, 0)
    wanted = reference.scan(case.world, case.poses, 0, spec)
    np.testing.assert_allclose(free(), wanted, rtol=0, atol=1e-9)
    assert (wanted < spec.range_max_m).any()


def test_camera_sees_what_the_reference_sees(case: Case) -> None:
    (message,) = [s.message for s in rest(opened(case.scenario), 0.1) if s.topic == CAMERA.topic]
    seen = reference.sightings(case.world, case.poses, 0, CAMERA)
    assert len(message.poses) == len(seen)
    pose = case.poses[0]
    c, s = math.cos(pose.yaw_rad), math.sin(pose.yaw_rad)
    origin = pose.mount(CAMERA.x_m, CAMERA.z_m)
    wanted = []
    for index in seen:
        dx, dy = case.world.bodies.x_m[index] - origin[0], case.world.bodies.y_m[index] - origin[1]
        wanted.append((dx * c + dy * s + CAMERA.x_m, dy * c - dx * s))
    got = sorted((p.position.x, p.position.y) for p in message.poses)
    np.testing.assert_allclose(got, sorted(wanted), rtol=0, atol=1e-9)


@pytest.mark.parametrize("seed", range(6))
def test_motion_agrees_with_the_reference(seed: int) -> None:
    rng = np.random.default_rng(seed)
    terrain = hills(rng, high_m=0.5)
    overspeed = bool(seed % 2)
    body = robot(lag_s=0.15, downhill_overspeed=overspeed)
    session = opened(scene(body, terrain=terrain))
    motion = reference.PlainMotion(reference.settled(PlainPose(0.0, 0.0, 0.0), body, terrain))
    for _ in range(60):
        speed, turn = rng.uniform(-0.4, 0.4), rng.uniform(-1.0, 1.0)
        session.step([twist(speed, turn, time_ns=session.time_ns)])
        for _ in range(5):
            motion = reference.moved(motion, body, terrain, (speed, turn), 0.01, overspeed=overspeed)
    row = session.place.state[0]
    assert row[:6].tolist() == pytest.approx(
        [
            motion.pose.x_m,
            motion.pose.y_m,
            motion.pose.z_m,
            motion.pose.roll_rad,
            motion.pose.pitch_rad,
            motion.pose.yaw_rad,
        ],
        abs=1e-9,
    )


def test_ground_hits_are_where_a_fine_march_finds_them() -> None:
    rng = np.random.default_rng(3)
    terrain = hills(rng, high_m=0.6)
    hits = 0
    for _ in range(40):
        x, y = rng.uniform(-3.0, 3.0, 2)
        origin = np.array([x, y, reference.height(terrain, x, y) + 0.25])
        yaw = rng.uniform(0.0, 2 * math.pi)
        ray = np.array([math.cos(yaw) * 0.995, math.sin(yaw) * 0.995, -0.0998])
        t = np.arange(0.0, 5.0, 0.0005)
        points = origin + t[:, None] * ray
        below = np.flatnonzero(points[:, 2] <= terrain.height_at(points[:, 0], points[:, 1]))
        wanted = t[below[0]] if below.size else 5.0
        assert reference.ground_hit(terrain, origin, ray, 5.0) == pytest.approx(wanted, abs=0.002)
        hits += bool(below.size)
    assert hits > 10


def test_constants_are_those_of_the_reference() -> None:
    assert ground_kernels.STEP_MIN_M == reference.STEP_MIN_M
    assert kernels.CLEARANCE_MAX_M == reference.CLEARANCE_MAX_M


def test_quick_angle_is_within_its_slack() -> None:
    for x, y in np.random.default_rng(6).normal(size=(2000, 2)):
        assert abs(sight_kernels.quick_atan2(y, x) - math.atan2(y, x)) < sight_kernels.ANGLE_SLACK
