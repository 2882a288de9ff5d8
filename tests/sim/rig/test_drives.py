"""Drives: the kernels against the plain reference, and against formulas that are not ours."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stressfield.bus.message import Message, Stamped
from stressfield.bus.messages import (
    AckermannDriveMsg,
    AckermannDriveStamped,
    BoolMsg,
    Header,
    JointState,
    Odometry,
    Time,
    Twist,
    Vector3,
)
from stressfield.errors import NotFiniteError, SubjectError, WorldError
from stressfield.sim.kinematic import KinematicSession
from stressfield.sim.rig import _drive_kernels as d
from stressfield.sim.rig import _reference as reference
from stressfield.sim.rig._reference import PlainMotion, PlainOrder, PlainPose
from stressfield.world import AckermannDrive, Odometer, Robot, SkidSteerDrive, Terrain, robots
from stressfield.world.drives import WheeledDrive

from ..scenes import box, hills, opened, scene, slope

TICK_S = 0.05


def quiet(robot: Robot) -> Robot:
    """Without noise in its odometry, and with no other sensor."""
    return replace(robot, sensors=(Odometer("/odom", 20.0, 0.0, 0.0),))


def twist(ahead: float, left: float = 0.0, turn: float = 0.0) -> Twist:
    return Twist(Vector3(x=ahead, y=left), Vector3(z=turn))


def steer(speed: float, angle: float, **limits: float) -> AckermannDriveStamped:
    return AckermannDriveStamped(Header(Time(0, 0), ""), AckermannDriveMsg(steering_angle=angle, speed=speed, **limits))


def spins(*radps: float) -> JointState:
    nothing = np.empty(0)
    return JointState(Header(Time(0, 0), ""), (), nothing, np.array(radps), nothing)


def go(session: KinematicSession, seconds: float, message: Message) -> list[Stamped]:
    said: list[Stamped] = []
    for _ in range(round(seconds / TICK_S)):
        said += session.step([Stamped("/cmd_vel", session.time_ns, message)])
    return said


def pose(session: KinematicSession) -> tuple[float, float, float]:
    row = session.place.state[0]
    return float(row[d.X]), float(row[d.Y]), float(row[d.YAW])


READY = {
    "diff": robots.diff_drive,
    "skid": robots.skid_steer,
    "car": robots.ackermann,
    "omni": robots.mecanum,
}


@pytest.mark.parametrize("jerk", [None, 0.8])
@pytest.mark.parametrize("kind", READY)
@pytest.mark.parametrize("seed", range(3))
def test_motion_agrees_with_the_reference(kind: str, seed: int, jerk: float | None) -> None:
    rng = np.random.default_rng(seed)
    terrain = hills(rng, high_m=0.5)
    body = quiet(READY[kind](jerk_max_mps3=jerk))
    session = opened(scene(body, terrain=terrain))
    motion = PlainMotion(reference.settled(PlainPose(0.0, 0.0, 0.0), body, terrain))
    for _ in range(40):
        speed, side, turn, angle = rng.uniform(-0.15, 0.3, 4)
        if kind == "car":
            message: Message = steer(np.float32(speed), np.float32(angle))
            order = PlainOrder(float(np.float32(speed)), 0.0, 0.0, float(np.float32(angle)))
        else:
            side = side if kind == "omni" else 0.0
            message, order = twist(speed, side, turn), PlainOrder(speed, turn, side)
        go(session, 2 * TICK_S, message)
        for _ in range(10):
            motion = reference.moved(motion, body, terrain, order, 0.01)
    there = motion.pose
    row = session.place.state[0]
    wanted = [there.x_m, there.y_m, there.z_m, there.roll_rad, there.pitch_rad, there.yaw_rad]
    assert row[:6].tolist() == pytest.approx(wanted, abs=1e-9)
    assert math.hypot(there.x_m, there.y_m) > 0.1


@pytest.mark.parametrize("angle", [0.3, -0.45, 0.1])
def test_a_car_drives_a_circle_of_wheelbase_over_tangent(angle: float) -> None:
    session = opened(scene(quiet(robots.ackermann(wheelbase_m=0.7))))
    go(session, 3.0, steer(1.0, angle))  # until it is steered and as fast as told
    x, y, yaw = pose(session)
    radius = 0.7 / math.tan(angle)
    middle = (x - radius * math.sin(yaw), y + radius * math.cos(yaw))
    for _ in range(20):
        go(session, 0.5, steer(1.0, angle))
        x, y, _ = pose(session)
        assert math.hypot(x - middle[0], y - middle[1]) == pytest.approx(abs(radius), rel=1e-3)


def test_a_twist_to_a_car_is_the_turn_rate_it_asks_for() -> None:
    session = opened(scene(quiet(robots.ackermann())))
    go(session, 3.0, twist(1.0, turn=0.5))
    assert session.observe().rows[0, 8] == pytest.approx(0.5)
    go(session, 3.0, twist(-1.0, turn=0.5))  # backwards the wheels are steered the other way
    assert session.observe().rows[0, 8] == pytest.approx(0.5)
    assert session.place.state[0, d.STEER] < 0.0
    go(session, 3.0, twist(0.5, turn=3.0))  # tighter than it can
    assert session.observe().rows[0, 8] == pytest.approx(0.5 * math.tan(0.5) / 0.7)


def test_a_car_told_to_turn_on_the_spot_steers_and_stands() -> None:
    session = opened(scene(quiet(robots.ackermann())))
    go(session, 2.0, twist(0.0, turn=-1.0))
    assert pose(session) == (0.0, 0.0, 0.0)
    assert session.place.state[0, d.STEER] == pytest.approx(-0.5)


def test_steering_takes_its_time() -> None:
    session = opened(scene(quiet(robots.ackermann(steering_rate_max_radps=0.2, lag_s=0.0))))
    go(session, 1.0, steer(0.0, 0.5))
    assert session.place.state[0, d.STEER] == pytest.approx(0.2)
    slower = opened(scene(quiet(robots.ackermann(steering_rate_max_radps=0.2, lag_s=0.0))))
    go(slower, 1.0, steer(0.0, 0.5, steering_angle_velocity=0.125))
    assert slower.place.state[0, d.STEER] == pytest.approx(0.125)


def test_limits_in_a_command_to_a_car_are_kept() -> None:
    session = opened(scene(quiet(robots.ackermann(acceleration_max_mps2=1.5, lag_s=0.0))))
    go(session, 1.0, steer(2.0, 0.0, acceleration=0.5))
    assert session.observe().rows[0, 7] == pytest.approx(0.5)
    eased = opened(scene(quiet(robots.ackermann(acceleration_max_mps2=1.5, lag_s=0.0))))
    go(eased, 1.0, steer(2.0, 0.0, jerk=1.0))
    assert eased.observe().rows[0, 7] == pytest.approx(0.5, rel=0.02)  # jerk * t * t / 2


def test_a_watchdog_keeps_a_car_on_its_curve() -> None:
    session = opened(scene(quiet(robots.ackermann())))
    go(session, 3.0, steer(1.0, 0.3))
    for _ in range(60):
        session.step(())
    assert session.observe().rows[0, 7] == pytest.approx(0.0, abs=1e-6)
    assert session.place.state[0, d.STEER] == pytest.approx(0.3)


def test_rollers_go_sideways_as_far_as_they_are_told() -> None:
    session = opened(scene(quiet(robots.mecanum())))
    go(session, 3.0, twist(0.0, 0.4))
    before = session.place.state[0, :2].copy()
    said = go(session, 2.0, twist(0.0, 0.4))
    after = session.place.state[0, :2]
    assert (after - before).tolist() == pytest.approx([0.0, 0.8], abs=1e-9)
    assert session.observe().rows[0, 7] == pytest.approx(0.4)
    odometry = said[-1].message
    assert isinstance(odometry, Odometry)
    assert odometry.twist.twist.linear.y == pytest.approx(0.4)
    assert odometry.pose.pose.position.y == pytest.approx(after[1])


def test_rollers_share_the_speed_of_their_wheels() -> None:
    body = quiet(robots.mecanum(speed_max_mps=1.0))
    session = opened(scene(body))
    go(session, 5.0, twist(1.0, 1.0))  # the rims would have to do 2 m/s
    assert session.place.state[0, d.TRUE_SPEED] == pytest.approx(0.5)
    assert session.place.state[0, d.TRUE_SIDE] == pytest.approx(0.5)


def test_wheel_speeds_of_rollers_as_in_the_textbook() -> None:
    """Lynch and Park, Modern Robotics, 13.2.1: u = H v with these signs."""
    body = quiet(robots.mecanum())
    radius, arm = body.drive.wheel_radius_m, body.drive.arm_m
    ahead, left, turn = 0.2, -0.1, 0.3
    rims = (
        ahead - left - arm * turn,
        ahead + left + arm * turn,
        ahead + left - arm * turn,
        ahead - left + arm * turn,
    )
    session = opened(scene(body))
    go(session, 4.0, spins(*(rim / radius for rim in rims)))
    state = session.place.state[0]
    assert state[[d.TRUE_SPEED, d.TRUE_SIDE, d.TRUE_TURN]].tolist() == pytest.approx([ahead, left, turn])


def test_tracks_turn_less_than_their_odometry_says() -> None:
    session = opened(scene(quiet(robots.skid_steer(effective_track_share=1.6))))
    said = go(session, 5.0, twist(0.0, turn=0.5))
    turned = session.place.state[0, d.YAW]
    odometry = said[-1].message
    assert isinstance(odometry, Odometry)
    assert odometry.pose.pose.orientation.z == pytest.approx(math.sin(1.6 * turned / 2.0))
    assert session.observe().rows[0, 8] == pytest.approx(0.5 / 1.6)


@pytest.mark.parametrize("kind", ["car", "omni", "skid"])
def test_slip_is_not_seen_by_wheel_odometry(kind: str) -> None:
    body = quiet(READY[kind]())
    body = replace(body, drive=replace(body.drive, slip_max=0.3))
    session = opened(scene(body))
    said = go(session, 20.0, twist(0.4, 0.2 if kind == "omni" else 0.0))
    odometry = said[-1].message
    assert isinstance(odometry, Odometry)
    believed = math.hypot(odometry.pose.pose.position.x, odometry.pose.pose.position.y)
    x, y, _ = pose(session)
    assert 0.6 * believed < math.hypot(x, y) < 0.99 * believed


def test_sideways_motion_is_blocked_by_a_wall() -> None:
    body = quiet(robots.mecanum(width_m=0.5))
    session = opened(scene(body, bodies=[box(0.0, 1.0, 4.0, 0.2)]))
    go(session, 8.0, twist(0.0, 0.3))
    row = session.observe().rows[0]
    assert row[1] == pytest.approx(0.9 - 0.25, abs=0.01)
    assert row[7] == 0.0
    assert row[9] <= 0.0
    assert row[10] == 0.0
    go(session, 2.0, twist(0.0, -0.3))  # and it gets away again
    assert session.observe().rows[0, 1] < 0.4


def test_sideways_up_a_slope_that_is_too_steep_it_is_stuck() -> None:
    body = replace(quiet(robots.mecanum()), climb_max_rad=0.2)
    free = opened(scene(body, terrain=slope(0.0, math.tan(0.15))))
    go(free, 3.0, twist(0.0, 0.3))
    assert pose(free)[1] > 0.5
    assert free.place.state[0, d.Z] == pytest.approx(pose(free)[1] * math.tan(0.15), abs=1e-9)
    steep = opened(scene(body, terrain=slope(0.0, math.tan(0.25))))
    go(steep, 3.0, twist(0.0, 0.3))
    assert pose(steep)[1] == 0.0
    assert steep.place.state[0, d.MOBILITY] == d.STUCK
    go(steep, 3.0, twist(0.0, -0.3))  # down it goes
    assert pose(steep)[1] < -0.5


def test_sideways_onto_a_step_that_is_too_high_it_is_stuck() -> None:
    heights = np.zeros((101, 101))
    heights[61:, :] = 0.3  # from y = 1.1 m on
    body = replace(quiet(robots.mecanum()), step_max_m=0.02)
    session = opened(scene(body, terrain=Terrain(heights, -5.0, -5.0, 0.1)))
    go(session, 10.0, twist(0.0, 0.3))
    assert session.place.state[0, d.MOBILITY] == d.STUCK
    assert pose(session)[1] < 1.0


@pytest.mark.parametrize(
    ("kind", "name"), [("diff", "DifferentialDrive"), ("skid", "SkidSteerDrive"), ("car", "AckermannDrive")]
)
def test_a_drive_that_cannot_move_sideways_refuses(kind: str, name: str) -> None:
    session = opened(scene(quiet(READY[kind]())))
    with pytest.raises(SubjectError) as caught:
        go(session, 0.1, twist(0.1, 0.25))
    assert str(caught.value) == (
        f"A command on '/cmd_vel' has linear.y 0.25, but a {name} cannot move sideways; wanted 0. "
        "Only a MecanumDrive can."
    )
    assert caught.value.topic == "/cmd_vel"


def test_a_drive_may_be_told_to_pass_over_motion_sideways() -> None:
    body = quiet(robots.diff_drive())
    lenient = replace(body, drive=replace(body.drive, ignores_sideways=True))
    sessions = [opened(scene(each)) for each in (body, lenient)]
    go(sessions[0], 1.0, twist(0.3))
    go(sessions[1], 1.0, twist(0.3, math.nan))
    assert np.array_equal(sessions[0].observe().rows, sessions[1].observe().rows)


@pytest.mark.parametrize(
    ("kind", "message", "sentence"),
    [
        ("car", spins(1.0, 1.0),
         "is a JointState; wanted AckermannDriveMsg, AckermannDriveStamped, Twist or TwistStamped."),
        ("diff", steer(1.0, 0.0), "is a AckermannDriveStamped; wanted JointState, Twist or TwistStamped."),
        ("omni", spins(1.0, 1.0),
         "has 2 velocities; wanted 4 (front left, front right, rear left, rear right, in rad/s)."),
        ("car", steer(1.0, 0.0, jerk=-1.0), "has jerk -1.0; wanted a limit above zero, or 0 for as fast as it goes."),
    ],
)  # fmt: skip
def test_a_command_that_a_drive_does_not_know_is_refused(kind: str, message: Message, sentence: str) -> None:
    session = opened(scene(quiet(READY[kind]())))
    with pytest.raises(SubjectError) as caught:
        go(session, 0.1, message)
    assert str(caught.value) == f"A command on '/cmd_vel' {sentence}"


@pytest.mark.parametrize(
    ("kind", "message", "said"),
    [
        ("omni", twist(0.0, math.nan), "linear.x 0.0, linear.y nan, angular.z 0.0"),
        ("diff", twist(0.0, math.inf), "linear.x 0.0, linear.y inf, angular.z 0.0"),
        ("car", steer(1.0, math.nan), "speed 1.0, steering_angle nan"),
        ("car", steer(1.0, 0.0, acceleration=math.nan), "acceleration nan"),
        ("omni", spins(1.0, math.nan, 1.0, 1.0), "velocity [1.0, nan, 1.0, 1.0]"),
    ],
)
def test_a_command_that_is_no_number_is_refused(kind: str, message: Message, said: str) -> None:
    session = opened(scene(quiet(READY[kind]())))
    with pytest.raises(NotFiniteError) as caught:
        go(session, 0.1, message)
    assert str(caught.value) == f"A command on '/cmd_vel' is not finite: got {said}; wanted finite numbers."


def test_a_stop_of_motors_leaves_nothing_moving() -> None:
    for kind in ("omni", "car"):
        body = quiet(READY[kind]())
        body = replace(body, drive=replace(body.drive, power_topic="/power"))
        session = opened(scene(body))
        go(session, 2.0, twist(0.3, 0.3) if kind == "omni" else twist(0.3))
        session.step([Stamped("/power", session.time_ns, BoolMsg(False))])
        go(session, 2.0, twist(0.3, 0.3) if kind == "omni" else twist(0.3))
        assert session.observe().rows[0, 7] == pytest.approx(0.0, abs=1e-6)


# jerk ---------------------------------------------------------------------------------------------------------------


@given(
    jerk=st.floats(0.05, 50.0),
    most=st.floats(0.1, 5.0),
    targets=st.lists(st.tuples(st.floats(-3.0, 3.0), st.integers(1, 200)), min_size=1, max_size=6),
)
@settings(max_examples=150, deadline=None)
def test_acceleration_is_continuous_under_a_limit_of_jerk(
    jerk: float, most: float, targets: list[tuple[float, int]]
) -> None:
    dt = 0.01
    value = rate = 0.0
    for target, steps in targets:
        for _ in range(steps):
            was, before = value, rate
            value, rate = d.eased(value, rate, target, most * dt, jerk * dt, dt)
            assert math.isfinite(value)
            assert abs(rate - before) <= jerk * dt * (1.0 + 1e-9)
            assert abs(rate) <= most * (1.0 + 1e-9)
            assert value == pytest.approx(was + rate * dt, abs=1e-12)


@pytest.mark.parametrize(
    ("jerk", "most", "target"), [(0.5, 1.0, 0.8), (2.0, 1.0, -2.0), (40.0, 1.0, 0.3), (1.3, 9.0, 1.0)]
)
def test_a_target_is_reached_without_overshoot_in_the_time_of_the_formula(
    jerk: float, most: float, target: float
) -> None:
    """Up and down again with constant jerk, between them at the full acceleration if that is reached."""
    dt, value, rate, steps = 0.01, 0.0, 0.0, 0
    while abs(value - target) > 1e-12 and steps < 10_000:
        value, rate = d.eased(value, rate, target, most * dt, jerk * dt, dt)
        assert abs(value) <= abs(target) + 1e-12
        steps += 1
    full = abs(target) > most * most / jerk
    wanted_s = abs(target) / most + most / jerk if full else 2.0 * math.sqrt(abs(target) / jerk)
    assert steps * dt == pytest.approx(wanted_s, abs=3.0 * dt + 0.02 * wanted_s)


@pytest.mark.parametrize("kind", READY)
def test_every_drive_keeps_its_jerk_through_a_run(kind: str) -> None:
    """Even when commands stop and the watchdog stops the robot."""
    jerk = 1.5
    session = opened(scene(quiet(READY[kind](jerk_max_mps3=jerk))))
    rng = np.random.default_rng(5)
    ahead, aside = [0.0], [0.0]
    for n in range(400):
        said = [
            Stamped(
                "/cmd_vel",
                session.time_ns,
                twist(rng.uniform(-1.0, 1.0), rng.uniform(-1, 1) if kind == "omni" else 0.0),
            )
        ]
        session.step(said if n % 100 < 60 else ())
        ahead.append(float(session.place.state[0, d.TRUE_SPEED]))
        aside.append(float(session.place.state[0, d.TRUE_SIDE]))
    for speeds in (ahead, aside):
        found = np.diff(np.diff(speeds)) / TICK_S**2
        assert np.abs(found).max() <= jerk * (1.0 + 1e-9)
    assert np.abs(np.diff(np.diff(ahead)) / TICK_S**2).max() > 0.5 * jerk


def test_without_a_limit_the_acceleration_jumps() -> None:
    """What the limit is for: the test above would fail without it."""
    session = opened(scene(quiet(robots.diff_drive(lag_s=0.0))))
    speeds = [0.0]
    for _ in range(10):
        go(session, TICK_S, twist(0.8))
        speeds.append(float(session.place.state[0, d.TRUE_SPEED]))
    assert np.abs(np.diff(np.diff([0.0, *speeds])) / TICK_S**2).max() > 15.0


# data ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"jerk_max_mps3": 0.0}, "has jerk_max_mps3 0.0; wanted more than zero, or None for no limit."),
        ({"wheelbase_m": -1.0}, "has wheelbase_m -1.0; wanted more than zero."),
        ({"speed_max_mps": math.nan}, "has speed_max_mps nan; wanted more than zero."),
        ({"steering_max_rad": 1.5},
         "steers up to 1.5 rad, round a point between its rear wheels; wanted less than 1.29 rad."),
    ],
)  # fmt: skip
def test_a_car_that_cannot_be_is_refused(change: dict[str, float], sentence: str) -> None:
    with pytest.raises(WorldError) as caught:
        replace(robots.ackermann().drive, **change)
    assert str(caught.value) == f"The AckermannDrive on '/cmd_vel' {sentence}"


def test_tracks_that_turn_more_than_they_should_are_refused() -> None:
    with pytest.raises(WorldError, match=r"effective_track_m .*; wanted track_m \(0.52\) or more"):
        robots.skid_steer(effective_track_share=0.5)


def test_the_tightest_circle() -> None:
    drive = robots.ackermann().drive
    assert isinstance(drive, AckermannDrive)
    assert drive.radius_min_m == pytest.approx(0.7 / math.tan(0.5))


def test_a_drive_of_no_kind_cannot_be_simulated() -> None:
    body = replace(robots.diff_drive(), drive=WheeledDrive("/cmd_vel", 0.1))
    with pytest.raises(WorldError, match="has a WheeledDrive, which this simulator cannot move; it knows"):
        opened(scene(body))


def test_tracks_are_two_wheels_if_they_do_not_scrub() -> None:
    tracks = robots.skid_steer(effective_track_share=1.0)
    assert isinstance(tracks.drive, SkidSteerDrive)
    plain = robots.diff_drive(speed_max_mps=1.0)
    plain = replace(plain, length_m=tracks.length_m, width_m=tracks.width_m)
    plain = replace(plain, drive=replace(plain.drive, wheel_base_m=tracks.drive.track_m))
    sessions = [opened(scene(quiet(body))) for body in (tracks, plain)]
    for session in sessions:
        go(session, 3.0, twist(0.5, turn=0.7))
    assert np.array_equal(sessions[0].observe().rows, sessions[1].observe().rows)
