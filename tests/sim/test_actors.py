"""Actors in motion, in both simulators."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from stressfield.arrays import Floats
from stressfield.bus.message import Message, Stamped
from stressfield.bus.messages import BoolMsg, LaserScan, PointCloud2, PoseArray, Twist
from stressfield.errors import WorldError
from stressfield.scenario import Scenario
from stressfield.sim import Session, Simulator
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.world import (
    Actor,
    Avoidance,
    Lidar,
    Lidar3D,
    MarkerCamera,
    Mission,
    Opening,
    Robot,
    Route,
    Sensor,
    Terrain,
    Walk,
    World,
    actors,
    robots,
)
from stressfield.world import common_bodies as bodies

BOTH = pytest.mark.parametrize("simulator", [KinematicSimulator(), MujocoSimulator()], ids=["kinematic", "mujoco"])
ROBOT = robots.diff_drive()
HALF_LENGTH = ROBOT.length_m / 2.0
ROOM = World.flat(20.0, 20.0)


def with_sensors(*sensors: Sensor) -> Robot:
    return replace(ROBOT, sensors=sensors)


def opened(world: World, simulator: Simulator | None = None, *, seed: int = 1) -> Session:
    if not world.robots:
        world = world.with_robot("robot", ROBOT, at=(1.0, 1.0))
    return (simulator or KinematicSimulator()).open(Scenario(world, Mission(limit_s=60.0)), seed=seed)


def went(session: Session, seconds: float, speed_mps: float = 0.0) -> tuple[Floats, Floats, list[Message]]:
    """Truth of the actors [steps, actors, 6] and of the first robot [steps, 11], and all that was said."""
    moved, truth, said = [], [], []
    for _ in range(round(seconds * 20.0)):
        inbox = [Stamped("/cmd_vel", session.time_ns, Twist.drive(speed_mps, 0.0))] if speed_mps else []
        said += [stamped.message for stamped in session.step(inbox)]
        seen = session.observe()
        moved.append(seen.actors)
        truth.append(seen.rows[0])
    return np.array(moved), np.array(truth), said


def person(*points: tuple[float, float], speed_mps: float = 1.0, **options: object) -> Actor:
    return actors.person(motion=Route(points=points, **options), speed_mps=speed_mps)  # type: ignore[arg-type]


# scripts --------------------------------------------------------------------------------------------------------


@BOTH
def test_a_route_is_walked_at_its_speed_with_pauses_and_an_end(simulator: Simulator) -> None:
    who = person((8.0, 5.0), (8.0, 9.0), pause_s=1.0, start_s=0.5)
    moved, _, _ = went(opened(ROOM.with_actor("ann", who, at=(4.0, 5.0)), simulator), 13.0)
    x, y, _, yaw, vx, vy = moved[:, 0].T
    assert x[9] == 4.0 < x[11]  # sets off at 0.5 s
    assert float(np.hypot(vx, vy).max()) == pytest.approx(1.0)
    assert np.abs(np.diff(np.hypot(vx, vy))).max() <= 2.0 * 0.05 + 0.11  # 2 m/s2; the last step to a point may be short
    # Four metres at 1 m/s and 2 m/s2 take 4.5 s, twice, with a second between them.
    assert np.flatnonzero(x >= 8.0 - 1e-9)[0] * 0.05 + 0.05 == pytest.approx(0.5 + 4.5, abs=0.1)
    assert np.flatnonzero(y > 5.0)[0] * 0.05 == pytest.approx(0.5 + 4.5 + 1.0, abs=0.15)
    assert moved[-1, 0, :3].tolist() == [8.0, 9.0, 0.0]
    assert np.hypot(*moved[-1, 0, 4:]) == 0.0
    assert (yaw[40], yaw[-1]) == pytest.approx((0.0, math.pi / 2.0))
    assert (np.abs(y[x < 8.0 - 1e-9] - 5.0) < 1e-9).all()


def test_a_loop_goes_on_and_does_not_slow_down_at_corners() -> None:
    who = person((6.0, 4.0), (6.0, 6.0), (4.0, 6.0), (4.0, 4.0), loop=True)
    moved, _, _ = went(opened(ROOM.with_actor("ann", who, at=(4.0, 4.0))), 40.0)
    length = float(np.hypot(*np.diff(moved[:, 0, :2], axis=0).T).sum())
    assert length == pytest.approx(40.0 - 0.25, abs=0.6)  # corners are cut by the steps
    assert moved[:, 0, 0].max() == pytest.approx(6.0)


def test_a_box_turns_before_it_drives_on() -> None:
    lift = actors.forklift(motion=Route(points=((10.0, 5.0), (10.0, 10.0))))
    moved, _, _ = went(opened(ROOM.with_actor("lift", lift, at=(5.0, 5.0))), 16.0)
    x, y, _, yaw, vx, vy = moved[:, 0].T
    turning = (yaw > 0.06) & (yaw < math.pi / 2.0 - 0.06)
    assert turning.sum() >= 28  # a quarter of a turn at 1 rad/s
    assert np.hypot(vx, vy)[turning].max() == 0.0
    assert (x[-1], y[-1], yaw[-1]) == pytest.approx((10.0, 10.0, math.pi / 2.0))


def test_actors_stand_on_the_ground() -> None:
    terrain = Terrain(np.linspace(0.0, 2.0, 21)[None, :] + np.zeros((21, 1)), 0.0, 0.0, 1.0)
    world = replace(ROOM, terrain=terrain).with_actor("ann", person((12.0, 5.0)), at=(4.0, 5.0))
    moved, _, _ = went(opened(world), 5.0)
    assert moved[:, 0, 2] == pytest.approx(0.1 * moved[:, 0, 0])


@BOTH
def test_a_condition_sets_an_actor_off(simulator: Simulator) -> None:
    who = person((5.0, 2.0), when="distance(robot, me) < 3.5 and speed(robot) > 0.3 and time > 1")
    world = ROOM.with_robot("robot", ROBOT, at=(2.0, 5.0)).with_actor("ann", who, at=(7.0, 5.0))
    moved, truth, _ = went(opened(world, simulator), 6.0, 0.5)
    first = int(np.flatnonzero(moved[:, 0, 4])[0])
    assert 7.0 - truth[first - 1, 0] < 3.5 <= 7.0 - truth[first - 3, 0]
    near = ROOM.with_robot("robot", ROBOT, at=(4.0, 5.0)).with_actor("ann", who, at=(7.0, 5.0))
    assert (went(opened(near, simulator), 3.0)[0][:, 0, 4] == 0.0).all()  # near, but the robot stands


def test_conditions_speak_of_everybody_and_are_asked_until_they_are_true_once() -> None:
    world = ROOM.with_actor("ann", person((8.0, 5.0)), at=(4.0, 5.0))
    world = world.with_actor("bob", person((8.0, 9.0), when="x(ann) > 6 and x(ann) < 6.2"), at=(4.0, 9.0))
    world = world.with_actor("cem", person((8.0, 3.0), when="y(bob) < 0"), at=(4.0, 3.0))
    moved, _, _ = went(opened(world), 10.0)
    assert moved[-1, 1, 0] == 8.0
    assert (moved[:, 2, 0] == 4.0).all()


@pytest.mark.parametrize(
    ("when", "told"),
    [
        ("distance(robto, me) < 1", "Unknown variable 'robto'."),
        ("distance(robot, me)", "Type error: a condition is true or false, got a number."),
        ("batery(robot) < 1", "Unknown function 'batery'."),
        ("time > 3 and", "Unexpected text: got the end"),
        ("speed(me) >", "Unexpected text"),
    ],
)
def test_a_condition_that_cannot_be_read_is_refused_with_the_scenario(when: str, told: str) -> None:
    world = ROOM.with_robot("robot", ROBOT, at=(2.0, 5.0)).with_actor(
        "ann", person((5.0, 2.0), when=when), at=(7.0, 5.0)
    )
    with pytest.raises(WorldError, match="Actor 'ann' waits for a condition that cannot be read") as caught:
        Scenario(world, Mission(limit_s=1.0))
    assert told in str(caught.value)


# doors ----------------------------------------------------------------------------------------------------------


@BOTH
def test_doors_slide_and_swing_on_time(simulator: Simulator) -> None:
    slide = actors.door(motion=Opening(slide_m=-0.9, start_s=1.0, hold_s=4.0, every_s=10.0))
    swing = actors.door(motion=Opening(swing_rad=math.pi / 2.0, start_s=1.0))
    world = ROOM.with_actor("slide", slide, at=(5.0, 5.0), yaw_rad=math.pi / 2.0)
    world = world.with_actor("swing", swing, at=(10.0, 5.0))
    moved, _, _ = went(opened(world, simulator), 14.0)
    assert moved[19, 0, :2].tolist() == [5.0, 5.0]
    assert moved[90, 0, :2] == pytest.approx([5.0, 4.1])  # it slid against its own x
    assert moved[180, 0, :2] == pytest.approx([5.0, 5.0])  # closed after 4 s
    assert moved[-1, 0, :2] == pytest.approx([5.0, 4.1])  # and open again at 11 s
    assert moved[-1, 1, :4] == pytest.approx([9.5, 5.5, 0.0, math.pi / 2.0])  # about its end at x = 9.5


def test_a_door_opens_for_who_comes_and_closes_behind() -> None:
    door = actors.door(motion=Opening(slide_m=1.0, hold_s=1.0, when="distance(robot, me) < 2"), width_m=1.0)
    world = ROOM.with_robot("robot", ROBOT, at=(5.0, 5.0)).with_actor(
        "door", door, at=(9.0, 5.0), yaw_rad=math.pi / 2.0
    )
    moved, truth, _ = went(opened(world), 14.0, 0.7)
    assert truth[-1, 0] > 13.0
    assert (truth[:, 10] == -1.0).all()
    assert moved[:, 0, 1].max() == pytest.approx(6.0)
    assert moved[-1, 0, 1] == pytest.approx(5.0)


@BOTH
def test_a_door_is_held_by_who_stands_in_it(simulator: Simulator) -> None:
    door = actors.door(motion=Opening(slide_m=-1.0))
    world = ROOM.with_robot("robot", ROBOT, at=(5.0, 5.0)).with_actor("door", door, at=(6.3, 5.0))
    moved, truth, _ = went(opened(world, simulator), 4.0)
    assert moved[-1, 0, 0] == pytest.approx(5.0 + HALF_LENGTH + 0.5, abs=0.02)
    assert truth[-1, 10] == 0.0
    assert truth[-1, 0] == pytest.approx(5.0, abs=0.02)


@pytest.mark.parametrize("who", [actors.person(), actors.forklift(), actors.door()])
def test_an_actor_that_starts_in_a_robot_is_refused_with_the_scenario(who: Actor) -> None:
    half = who.size_x_m / 2.0 + HALF_LENGTH
    for away, fits in ((half - 0.05, False), (half + 0.01, True)):
        world = ROOM.with_robot("robot", ROBOT, at=(5.0, 5.0)).with_actor("who", who, at=(5.0 + away, 5.1))
        if fits:
            Scenario(world, Mission(limit_s=1.0))
            continue
        with pytest.raises(WorldError, match=r"Actor 'who' starts at .*, in the robot 'robot' of world"):
            Scenario(world, Mission(limit_s=1.0))


# meetings with robots -------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(
    "who",
    [
        person((2.0, 5.0)),
        actors.forklift(motion=Route(points=((2.0, 5.0),))),
        actors.person(motion=Walk(points=((2.0, 5.0),), avoidance="orca")),
        actors.person(motion=Walk(points=((2.0, 5.0),), avoidance="social force")),
    ],
    ids=["route", "forklift", "orca", "social force"],
)
def test_who_sees_a_robot_does_not_touch_it(simulator: Simulator, who: Actor) -> None:
    world = ROOM.with_robot("robot", ROBOT, at=(6.0, 5.0)).with_actor("who", who, at=(12.0, 5.0), yaw_rad=math.pi)
    moved, truth, _ = went(opened(world, simulator), 12.0)
    assert (truth[:, 10] == -1.0).all()
    assert truth[:, 9].min() > (0.25 if isinstance(who.motion, Route) else 0.0)
    passes = moved[-1, 0, 0] < 5.0
    assert passes is not isinstance(who.motion, Route)  # the scripted one waits before it


@BOTH
@pytest.mark.parametrize(
    "motion",
    [
        Route(points=((2.0, 5.0),)),
        Walk(points=((2.0, 5.0),), avoidance="orca"),
        Walk(points=((2.0, 5.0),), avoidance="social force"),
    ],
    ids=["route", "orca", "social force"],
)
def test_who_does_not_see_a_robot_walks_into_it_and_is_held(simulator: Simulator, motion: Route | Walk) -> None:
    who = actors.person(motion=motion, distracted=True)
    world = ROOM.with_body(bodies.tree(), at=(1.0, 1.0)).with_robot("robot", ROBOT, at=(6.0, 5.0))
    moved, truth, said = went(opened(world.with_actor("ann", who, at=(9.0, 5.0)), simulator), 5.0)
    assert truth[-1, 10] == 1.0  # after the one body, the first actor
    assert truth[-1, 9] == pytest.approx(0.0, abs=0.01)
    assert moved[-1, 0, 0] == pytest.approx(6.0 + HALF_LENGTH + 0.25, abs=0.03)
    assert truth[-1, 0] == pytest.approx(6.0, abs=0.03)  # a person does not shove a robot of 20 kg about
    assert any(message.data for message in said if isinstance(message, BoolMsg))  # the bumper felt it


@BOTH
@pytest.mark.parametrize("make", [actors.forklift, actors.cart])
def test_a_box_that_sees_a_robot_does_not_turn_into_it(simulator: Simulator, make: Callable[..., Actor]) -> None:
    """It heads ahead, is to go to the left, and the robot stands where its rear would swing to."""
    who = make(motion=Route(points=((9.0, 9.0),)))
    at = 9.0 - who.size_x_m / 2.0 + 0.1, 5.0 - who.size_y_m / 2.0 - ROBOT.width_m / 2.0 - 0.15
    world = ROOM.with_robot("robot", ROBOT, at=at).with_actor("who", who, at=(9.0, 5.0))
    moved, truth, _ = went(opened(world, simulator), 2.0)
    assert truth[:, 9].min() > 0.0
    assert (truth[:, 10] == -1.0).all()
    assert 0.02 < moved[-1, 0, 3] < 1.5  # it began to turn, and waits
    moved, truth, _ = went(opened(world, simulator), 9.0, -0.5)  # the robot backs off
    assert (truth[:, 10] == -1.0).all()
    assert moved[-1, 0, 1] == pytest.approx(9.0, abs=0.01)


@BOTH
def test_a_forklift_into_whose_side_a_robot_drives_goes_on(simulator: Simulator) -> None:
    lift = actors.forklift(motion=Route(points=((9.0, 16.0),)), speed_mps=1.0)
    world = ROOM.with_robot("robot", ROBOT, at=(4.5, 10.0)).with_actor("lift", lift, at=(9.0, 2.0), yaw_rad=math.pi / 2)
    moved, truth, _ = went(opened(world, simulator), 16.0, 0.5)
    assert (truth[:, 10] == 0.0).any()  # it did drive into it
    assert truth[:, 9].min() > -0.02
    assert moved[-1, 0, 1] == pytest.approx(16.0, abs=0.01)


def test_what_pushes_shoves_in_mujoco_and_overlaps_where_nothing_is_pushed() -> None:
    lift = actors.forklift(motion=Route(points=((3.0, 5.0),)), sees_robots=False)
    world = ROOM.with_robot("robot", ROBOT, at=(6.0, 5.0)).with_actor("lift", lift, at=(12.0, 5.0), yaw_rad=math.pi)
    _, truth, _ = went(opened(world, MujocoSimulator()), 7.0)
    assert truth[-1, 0] < 3.0 - 1.0  # pushed along to where the forklift stops
    assert (truth[:, 10] == 0.0).any()
    assert truth[:, 9].min() > -0.1
    _, truth, _ = went(opened(world), 7.0)
    assert truth[-1, 0] == 6.0
    assert truth[:, 9].min() < -0.4
    assert (truth[:, 10] == 0.0).any()


@BOTH
def test_a_robot_that_drives_into_an_actor_is_held(simulator: Simulator) -> None:
    world = ROOM.with_robot("robot", ROBOT, at=(3.0, 5.0)).with_actor("ann", actors.person(), at=(6.0, 5.0))
    moved, truth, said = went(opened(world, simulator), 8.0, 0.6)
    assert truth[-1, 0] == pytest.approx(6.0 - 0.25 - HALF_LENGTH, abs=0.03)
    assert truth[-1, 10] == 0.0
    assert (moved[:, 0, :2] == [6.0, 5.0]).all()
    assert any(message.data for message in said if isinstance(message, BoolMsg))


# reactive ones among themselves ---------------------------------------------------------------------------------


@pytest.mark.parametrize("avoidance", ["orca", "social force"])
def test_reactive_actors_enter_neither_bodies_nor_robots_nor_each_other(avoidance: Avoidance) -> None:
    """Thirty people and two carts through a doorway of two metres, from both sides."""
    rng = np.random.default_rng(3)
    world = ROOM.with_robot("robot", ROBOT, at=(10.0, 14.0))
    world = world.with_body(bodies.wall(length_m=9.0), at=(10.0, 4.5), yaw_rad=math.pi / 2.0)
    world = world.with_body(bodies.wall(length_m=9.0), at=(10.0, 15.5), yaw_rad=math.pi / 2.0)
    for n in range(32):
        side = 1.0 if n % 2 else -1.0
        y = float(rng.uniform(6.0, 14.0))
        walk = Walk(points=((10.0, 10.0), (10.0 + 6.0 * side, y)), avoidance=avoidance, loop=True)
        who = replace(actors.cart(), motion=walk) if n >= 30 else actors.person(motion=walk)
        world = world.with_actor(f"p{n}", who, at=(10.0 - side * (2.0 + n / 4.0), 4.0 + 12.0 * (n % 8) / 8.0))
    moved, _, _ = went(opened(world), 30.0)
    radius = np.array([placed.actor.radius_m for placed in world.actors])
    start = np.hypot(*(moved[0, :, None, :2] - moved[0, None, :, :2]).T) - radius - radius[:, None]
    assert start[~np.eye(32, dtype=bool)].min() > 0.0
    for here in moved:
        apart = np.hypot(*(here[:, None, :2] - here[None, :, :2]).T) - radius - radius[:, None]
        assert apart[~np.eye(32, dtype=bool)].min() > -1e-6
        beside = np.abs(here[:, 1] - 10.0) >= 1.0  # else in the doorway
        assert (np.abs(here[beside, 0] - 10.0) - 0.05 - radius[beside]).min() > -1e-6
    assert np.hypot(*moved[:, :, 4:].T).max() <= 1.3 + 1e-9
    assert (np.abs(np.diff(moved[:, :, 4:], axis=0)).max()) < 1.4
    crossed = (np.sign(moved[0, :, 0] - 10.0) != np.sign(moved[:, :, 0] - 10.0)).any(axis=0)
    assert crossed.sum() > 5


@pytest.mark.parametrize("avoidance", ["orca", "social force"])
def test_a_group_stays_together_and_goes_as_fast_as_its_slowest(avoidance: Avoidance) -> None:
    def walked(group: str) -> Floats:
        world = ROOM
        for n, speed in enumerate((1.5, 1.0, 1.3)):
            walk = Walk(points=((18.0, 9.0 + n),), avoidance=avoidance)
            who = actors.person(motion=walk, speed_mps=speed, group=group)
            world = world.with_actor(f"p{n}", who, at=(2.0, 9.0 + n))
        return went(opened(world), 10.0)[0]

    together, alone = walked("family"), walked("")
    assert np.ptp(together[-1, :, 0]) < 1.0
    assert np.ptp(alone[-1, :, 0]) > 3.0
    assert together[-1, :, 0].mean() == pytest.approx(2.0 + 10.0 * 1.0, abs=1.0)


def test_runs_repeat_and_seeds_differ_but_not_by_who_else_is_there() -> None:
    walk = Walk(points=((15.0, 10.0),), start_spread_s=2.0)
    world = ROOM.with_actor("ann", actors.person(motion=walk, speed_spread=0.3), at=(3.0, 10.0))
    first, again, other = (went(opened(world, seed=seed), 8.0)[0] for seed in (1, 1, 2))
    assert np.array_equal(first, again)
    assert np.abs(first - other).max() > 0.1
    more = world.with_actor("bob", actors.person(), at=(18.0, 1.0))
    assert np.array_equal(went(opened(more, seed=1), 8.0)[0][:, 0], first[:, 0])


# sensors --------------------------------------------------------------------------------------------------------


def exact_lidar() -> Lidar:
    return Lidar("/scan", 20.0, 0.0, 0.4, -math.pi, math.pi, 721, 0.05, 12.0, 0.0, 0.0)


def scans(world: World, simulator: Simulator, seconds: float) -> tuple[list[LaserScan], Floats]:
    moved, _, said = went(opened(world, simulator), seconds)
    return [message for message in said if isinstance(message, LaserScan)], moved


def test_the_lidars_of_both_simulators_see_the_same_person_at_the_same_place() -> None:
    world = ROOM.with_robot("robot", with_sensors(exact_lidar()), at=(10.0, 10.0))
    world = world.with_actor("ann", actors.person(motion=Walk(points=((6.0, 12.0),))), at=(14.0, 12.0))
    cart = actors.cart(motion=Route(points=((8.0, 7.0), (8.0, 12.0))))
    world = world.with_actor("cart", cart, at=(13.0, 7.0))
    ours, moved = scans(world, KinematicSimulator(), 5.0)
    theirs, moved_too = scans(world, MujocoSimulator(), 5.0)
    assert np.abs(moved - moved_too).max() < 0.02  # ann sees a robot that rests a millimetre aside
    assert len(ours) == len(theirs) == 100
    for n, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        both = np.isfinite(mine.ranges) & np.isfinite(other.ranges)
        assert both.sum() > 20
        assert (np.isfinite(mine.ranges) != np.isfinite(other.ranges)).sum() <= 4  # rays that just graze
        assert np.median(np.abs(mine.ranges[both] - other.ranges[both])) < 0.003
        # And there she is: the nearest return in her direction, at her outline.
        x, y = moved[n, 0, :2]
        ray = round((math.atan2(y - 10.0, x - 10.0) + math.pi) / mine.angle_increment)
        for scan in (mine, other):
            assert scan.ranges[ray] == pytest.approx(math.hypot(x - 10.0, y - 10.0) - 0.25, abs=0.01)


@BOTH
def test_a_lidar_with_rings_and_a_camera_see_who_walks_by(simulator: Simulator) -> None:
    rings = Lidar3D("/points", 20.0, 0.0, 1.0, (-0.1, 0.0, 0.1), 360, 0.05, 12.0, 0.0, 0.0)
    camera = MarkerCamera("/people", 20.0, 0.0, 1.0, math.pi / 2.0, 9.0, "person")
    world = ROOM.with_robot("robot", with_sensors(rings, camera), at=(10.0, 10.0))
    world = world.with_actor("ann", person((14.0, 18.0)), at=(14.0, 10.0))
    world = world.with_body(bodies.wall(length_m=1.0), at=(12.0, 11.5), yaw_rad=math.pi / 2.0)
    moved, _, said = went(opened(world, simulator), 6.0)
    clouds = [message for message in said if isinstance(message, PointCloud2)]
    seen = [message for message in said if isinstance(message, PoseArray)]
    hidden = 0
    for here, cloud, people in zip(moved[:, 0], clouds, seen, strict=True):
        dx, dy = here[0] - 10.0, here[1] - 10.0
        points = cloud.data.view(np.float32).reshape(3, 360, 3)
        ray = points[1, round(math.degrees(math.atan2(dy, dx))) % 360]
        behind = 1.1 < 2.0 * dy / dx < 1.9
        beside = 2.0 * dy / dx < 0.9 or 2.0 * dy / dx > 2.1
        if behind:
            hidden += 1
            assert people.poses == ()
            assert np.hypot(*ray[:2]) < 3.0
        elif beside:
            assert np.hypot(*ray[:2]) == pytest.approx(math.hypot(dx, dy) - 0.25, abs=0.02)
            if math.atan2(dy, dx) < math.pi / 4.0 - 0.05:
                assert (people.poses[0].position.x, people.poses[0].position.y) == pytest.approx((dx, dy), abs=0.03)
    assert hidden > 10


def test_worlds_without_actors_observe_none() -> None:
    seen = opened(ROOM).observe()
    assert seen.actors.shape == (0, 6)
