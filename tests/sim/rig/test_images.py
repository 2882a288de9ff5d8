"""Depth and colour cameras and sonars: against plain geometry, and in both simulators."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from stressfield.bus.cdr import encode
from stressfield.bus.messages import CameraInfo, Image, RangeMsg
from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.kinematic._rays import KernelRays
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.sim.rig import _reference as reference
from stressfield.sim.rig._reference import PlainPose
from stressfield.sim.rig.ray_grid import RayGrid
from stressfield.world import ColorCamera, DepthCamera, PlacedRobot, Sensor, Shape, Sonar
from stressfield.world.palette import rgb_of

from ..scenes import FLAT, box, cylinder, hills, opened, robot, scene, slope
from .test_reference import random_bodies

SIMULATORS = [KinematicSimulator(), MujocoSimulator()]


def camera(**changes: Any) -> DepthCamera:
    settings = {"topic": "/front/depth", "rate_hz": 20.0, "x_m": 0.4, "z_m": 0.5, **changes}
    return DepthCamera(**settings)


def first(scenario: Scenario, topic: str, *, simulator: Any = SIMULATORS[0], seed: int = 1) -> Any:
    session = simulator.open(scenario, seed=seed)
    said = session.step(())
    session.close()
    return next(message for name, _, message in said if name == topic)


def depths(image: Image) -> np.ndarray:
    assert (image.encoding, image.step) == ("32FC1", 4 * image.width)
    return image.data.view("<f4").reshape(image.height, image.width)


def plain_view(scenario: Scenario, poses: list[PlainPose], me: int, grid: RayGrid) -> np.ndarray:
    """Free distances from the definitions: every ray against every body, ground by small steps."""
    world, terrain = scenario.world, scenario.world.terrain
    rotation = poses[me].rotation()
    origin = np.array([poses[me].x_m, poses[me].y_m, poses[me].z_m]) + rotation @ [grid.x_m, grid.y_m, grid.z_m]
    things = list(world.bodies)
    things += [reference.as_body(poses[i], p.robot) for i, p in enumerate(world.robots) if i != me]
    cy, sy = math.cos(grid.yaw_rad), math.sin(grid.yaw_rad)
    cd, sd = math.cos(grid.down_rad), math.sin(grid.down_rad)
    about_z = np.array([[cy, -sy, 0.0], [sy, cy, 0.0], [0.0, 0.0, 1.0]])
    about_y = np.array([[cd, 0.0, sd], [0.0, 1.0, 0.0], [-sd, 0.0, cd]])
    found = []
    for row in range(grid.rows):
        for column in range(grid.columns):
            left = grid.across * (1.0 - (2 * column + 1) / grid.columns)
            up = grid.across * grid.rows / grid.columns * (1.0 - (2 * row + 1) / grid.rows)
            ray = rotation @ about_z @ about_y @ (np.array([1.0, left, up]) / math.sqrt(1.0 + left**2 + up**2))
            free = grid.range_max_m
            if grid.ground:
                t = np.arange(0.0, grid.range_max_m, 0.004)
                x, y, z = origin[0] + ray[0] * t, origin[1] + ray[1] * t, origin[2] + ray[2] * t
                on = (x >= terrain.x0_m) & (x <= terrain.x0_m + terrain.width_m)
                on &= (y >= terrain.y0_m) & (y <= terrain.y0_m + terrain.depth_m)
                below = np.flatnonzero(on & (z <= terrain.height_at(x, y)))
                free = float(t[below[0]]) if len(below) else free
            found.append(min([free, *(max(reference.ray_hit(thing, origin, ray), 0.0) for thing in things)]))
    return np.array(found)


@pytest.mark.parametrize("seed", range(8))
def test_rays_agree_with_the_plain_version(seed: int) -> None:
    rng = np.random.default_rng(seed)
    terrain = hills(rng, high_m=1.5) if seed % 2 else FLAT
    placed = (
        PlacedRobot(robot(), *rng.uniform(-2.0, 2.0, 2), rng.uniform(-4.0, 4.0)),
        PlacedRobot(robot(name="other", topic="/other"), *rng.uniform(-3.0, 3.0, 2), rng.uniform(-4.0, 4.0)),
    )
    scenario = scene(*placed, bodies=random_bodies(rng, terrain, 200), terrain=terrain)
    session = opened(scenario)
    yaw, down = rng.uniform(-3.0, 3.0), rng.uniform(-0.6, 0.9)
    grid = RayGrid(0.2, -0.1, 0.7, yaw, down, 14, 10, float(rng.uniform(0.2, 2.5)), 6.0, ground=seed % 3 != 0)
    ranges = KernelRays(session.place).view(grid, 0)()
    poses = [PlainPose(r[0], r[1], r[5], r[2], r[3], r[4]) for r in session.place.state.tolist()]
    wanted = plain_view(scenario, poses, 0, grid)
    assert np.count_nonzero(wanted < 6.0) > 10
    # The plain ground is found in steps of 4 mm; a ray that just touches an edge may go on.
    assert np.quantile(np.abs(ranges - wanted), 0.98) < 0.006


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_a_wall_ahead_has_one_depth(simulator: Any) -> None:
    spec = camera(width_px=9, height_px=7, field_of_view_rad=1.0, z_m=1.0)
    scenario = scene(robot(spec), bodies=[box(3.0, 0.0, 0.2, 20.0, high=9.0)])
    depth = depths(first(scenario, "/front/depth", simulator=simulator))
    assert depth[:4] == pytest.approx(2.9 - 0.4, abs=2e-3)  # metres along the axis, not along the ray
    tilt = 1.0 - 2.0 * (np.arange(7) + 0.5) / 7
    ground = 1.0 / (-tilt[4:] * math.tan(0.5) * 7 / 9)
    assert depth[4:, 4] == pytest.approx(np.minimum(ground, 2.5), abs=5e-3)


def test_nothing_too_near_and_lost_are_told_apart() -> None:
    spec = camera(range_max_m=2.0, z_m=0.4)
    empty = depths(first(scene(robot(spec)), "/front/depth"))
    assert np.all(np.isposinf(empty[:20]))  # the sky
    assert np.all(np.isfinite(empty[-5:]))  # the ground
    near = depths(first(scene(robot(spec), bodies=[box(0.7, 0.0, 0.5, 5.0, high=3.0)]), "/front/depth"))
    assert np.all(np.isneginf(near[:40]))
    lost = depths(first(scene(robot(camera(dropout=0.3, width_px=100, height_px=80))), "/front/depth"))
    assert np.isnan(lost).mean() == pytest.approx(0.3, abs=0.03)


def test_noise_grows_with_the_square_of_the_distance() -> None:
    for distance, deviation in ((1.0, 0.01), (4.0, 0.16)):
        wall = box(0.4 + distance + 0.1, 0.0, 0.2, 90.0, high=60.0)
        spec = camera(noise_m=0.01, width_px=80, height_px=40, z_m=20.0, field_of_view_rad=0.6)
        depth = depths(first(scene(robot(spec), bodies=[wall]), "/front/depth"))
        assert depth.std() == pytest.approx(deviation, rel=0.05)
        assert depth.mean() == pytest.approx(distance, abs=0.01)


def test_camera_info_maps_points_to_the_pixels_that_show_them() -> None:
    spec = camera(width_px=81, height_px=61, yaw_rad=0.3, down_rad=0.2, y_m=-0.1, field_of_view_rad=1.4)
    at = (3.0, 0.9, 0.35)
    ball = cylinder(at[0], at[1], radius=0.05, high=0.1)
    ball = type(ball)("", "ball", Shape.SPHERE, at[0], at[1], at[2] - 0.05, 0.1, 0.1, 0.1)
    scenario = scene(robot(spec), bodies=[ball])
    session = opened(scenario)
    said = {topic: message for topic, _, message in session.step(())}
    info, depth = said["/front/camera_info"], depths(said["/front/depth"])
    assert isinstance(info, CameraInfo)
    assert said["/front/depth"].header.frame_id == info.header.frame_id == "oz/front/depth"
    m = spec.mounting()
    cr, sr, cy, sy = math.cos(m.roll_rad), math.sin(m.roll_rad), math.cos(m.yaw_rad), math.sin(m.yaw_rad)
    turn = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]]) @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    point = turn.T @ (np.array(at) - np.array(m[:3]))  # in the optical frame
    u, v, w = np.array(info.k).reshape(3, 3) @ point
    column, row = round(u / w), round(v / w)
    assert depth[row, column] == pytest.approx(point[2], abs=0.06)
    assert depth[row, column] < depth[row, column - 12] - 0.2  # and beside it there is only ground far behind
    encode(info)


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_colours_are_those_of_the_kinds(simulator: Any) -> None:
    spec = ColorCamera("/rgb", 20.0, x_m=0.4, z_m=0.6, width_px=64, height_px=48)
    scenario = scene(robot(spec), bodies=[box(3.0, 0.0, 0.2, 1.0, high=3.0), cylinder(2.0, 0.8, radius=0.1, high=3.0)])
    image = first(scenario, "/rgb", simulator=simulator)
    assert (image.encoding, image.step, len(image.data)) == ("rgb8", 192, 64 * 48 * 3)
    pixels = image.data.reshape(48, 64, 3).astype(float)
    wall, plant, sky, ground = pixels[20, 32], pixels[20, 10], pixels[2, 60], pixels[45, 50]
    assert sky.min() > 150
    for seen, kind in ((wall, "wall"), (plant, "plant"), (ground, "ground")):
        told = np.array(rgb_of(kind), dtype=float)
        assert seen / seen.sum() == pytest.approx(told / told.sum(), abs=0.06)  # light changes how bright it is
    if simulator is SIMULATORS[0]:
        assert wall.tolist() == list(rgb_of("wall"))
    again = first(scenario, "/rgb", simulator=simulator)
    assert np.array_equal(image.data, again.data)


def test_colours_may_be_noisy() -> None:
    plain = ColorCamera("/rgb", 20.0, x_m=0.4, z_m=0.6, down_rad=0.9)
    noisy = ColorCamera("/rgb", 20.0, x_m=0.4, z_m=0.6, down_rad=0.9, noise=4.0)
    clean, dirty = (first(scene(robot(spec)), "/rgb").data.astype(float) for spec in (plain, noisy))
    assert (dirty - clean).std() == pytest.approx(4.0, rel=0.05)


def test_other_robots_are_in_the_picture() -> None:
    spec = ColorCamera("/rgb", 20.0, x_m=0.4, z_m=0.3)
    placed = (PlacedRobot(robot(spec), 0.0, 0.0, 0.0), PlacedRobot(robot(name="b", topic="/b"), 2.0, 0.0, 0.0))
    pixels = first(scene(*placed), "/rgb").data.reshape(48, 64, 3)
    assert pixels[24, 32].tolist() == [217, 140, 38]


def sonar(**changes: Any) -> Sonar:
    settings = {"topic": "/sonar", "rate_hz": 20.0, "x_m": 0.4, "z_m": 0.3, **changes}
    return Sonar(**settings)


@pytest.mark.parametrize("simulator", SIMULATORS)
def test_a_sonar_tells_the_nearest_thing_in_its_cone(simulator: Any) -> None:
    def heard(*bodies: Any, **changes: Any) -> RangeMsg:
        return first(scene(robot(sonar(**changes)), bodies=bodies), "/sonar", simulator=simulator)

    assert heard(box(2.5, 0.0, 0.2, 4.0)).range == pytest.approx(2.0, abs=2e-3)
    assert heard(box(2.5, 0.0, 0.2, 4.0), cylinder(1.9, 0.2)).range == pytest.approx(1.45, abs=0.08)
    beside = 1.5 * math.tan(0.25) + 0.2
    assert heard(cylinder(1.9, beside)).range == math.inf
    assert heard(cylinder(1.9, beside), cone_rad=1.0).range < 2.0
    assert heard(cylinder(0.0, 1.5), yaw_rad=math.pi / 2, x_m=0.0, y_m=0.2).range == pytest.approx(1.25, abs=0.02)
    assert heard().range == math.inf  # the ground is not heard
    assert heard(hears_ground=True).range < 1.5
    assert heard(box(0.75, 0.0, 0.4, 4.0), range_min_m=0.2).range == -math.inf
    message = heard(box(2.5, 0.0, 0.2, 4.0), noise_m=0.1)
    assert (message.field_of_view, message.min_range, message.max_range) == (0.5, 0.05, 4.0)
    assert message.variance == pytest.approx(0.01)
    assert message.header.frame_id == "oz/sonar"


def test_a_sonar_misses_and_errs_as_often_as_it_says() -> None:
    session = opened(scene(robot(sonar(noise_m=0.02, dropout=0.2, rays=3)), bodies=[box(2.5, 0.0, 0.2, 4.0)]))
    ranges = np.array([session.step(())[0].message.range for _ in range(3000)])
    assert np.isinf(ranges).mean() == pytest.approx(0.2, abs=0.03)
    assert ranges[np.isfinite(ranges)].std() == pytest.approx(0.02, rel=0.06)


def test_the_ground_of_a_slope_is_seen_alike_in_both_simulators() -> None:
    spec = camera(down_rad=0.2)
    scenario = scene(robot(spec), bodies=[box(3.0, 1.0, 0.2, 1.0, high=9.0)], terrain=slope(0.1, 0.05))
    one, other = (depths(first(scenario, "/front/depth", simulator=simulator)) for simulator in SIMULATORS)
    both = np.isfinite(one) & np.isfinite(other)
    assert both.mean() > 0.5
    assert np.quantile(np.abs(one[both] - other[both]), 0.95) < 0.15


MISTAKES: list[tuple[Callable[[], Sensor], str]] = [
    (lambda: camera(width_px=0), "The DepthCamera on '/front/depth' has 0 x 48 pixels; wanted at least one"),
    (lambda: camera(width_px=9000, height_px=9000), "has 9000 x 9000 pixels; wanted at least one, and 4000000 at most"),
    (lambda: camera(field_of_view_rad=math.pi), "has a field_of_view_rad of 3.14159"),
    (lambda: camera(field_of_view_rad=math.nan), "has a field_of_view_rad of nan; wanted more than 0 and less than pi"),
    (lambda: camera(range_max_m=math.inf), "has a range_max_m of inf; wanted more than 0, up to 10000."),
    (lambda: camera(dropout=1.5), "noise of 0.0 and a dropout of 1.5; wanted"),
    (lambda: ColorCamera("/rgb", 5.0, 0.0, 0.0, height_px=-1), "The ColorCamera on '/rgb' has 64 x -1 pixels"),
    (lambda: sonar(rays=0), "The Sonar on '/sonar' has 0 rays across"),
    (lambda: sonar(cone_rad=0.0), "has a cone_rad of 0.0; wanted more than 0"),
    (lambda: sonar(noise_m=-1.0), "The Sonar on '/sonar' has noise of -1.0"),
]


@pytest.mark.parametrize("simulator", SIMULATORS)
@pytest.mark.parametrize(("make", "told"), MISTAKES)
def test_what_cannot_be_is_refused(make: Callable[[], Sensor], told: str, simulator: Any) -> None:
    with pytest.raises(InputError, match=re.escape(told)):
        simulator.open(scene(robot(make())), seed=1)


def test_two_cameras_do_not_share_one_topic_for_their_lenses() -> None:
    color = ColorCamera("/front/rgb", 5.0, x_m=0.0, z_m=0.5)
    with pytest.raises(InputError, match=re.escape("2 sensors that send on '/front/camera_info'")):
        opened(scene(robot(camera(), color)))
    session = opened(scene(robot(camera(info_topic="/front/depth_info"), color)))
    assert "/front/depth_info" in {topic for _ in range(4) for topic, _, _ in session.step(())}
