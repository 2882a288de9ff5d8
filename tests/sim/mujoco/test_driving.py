"""Wheels on the ground: real contact, and near to what the kinematic simulator says where nothing slips."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from stressfield.bus.messages import BoolMsg, DiagnosticStatus, Odometry
from stressfield.errors import InputError, WorldError
from stressfield.seeds import generator
from stressfield.sim import MOBILITY
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.mujoco import Material, MujocoSimulator
from stressfield.world import Bumper, Odometer, PlacedRobot, VisualOdometer

from ..scenes import box, cylinder, hills, robot, scene, slope, twist, wheels
from .scenes import drive, opened, place, rest, truth


def test_wheels_turn_as_far_as_the_robot_comes() -> None:
    session = opened(scene(robot(Odometer("/odom", 20.0))))
    said = drive(session, 5.0, 0.3)
    last = [s.message for s in said if isinstance(s.message, Odometry)][-1]
    assert last.pose.pose.position.x == pytest.approx(truth(session, "x_m"), rel=0.02)
    joint = session.model.joint("oz/left_wheel")
    assert float(session.data.qpos[joint.qposadr[0]]) * 0.1 == pytest.approx(truth(session, "x_m"), rel=0.02)


def test_follows_the_kinematic_simulator_over_hills() -> None:
    scenario = scene(robot(), terrain=hills(generator(3, "hills")))
    ours, other = opened(scenario), KinematicSimulator().open(scenario, seed=1)
    for n in range(160):
        turn = 0.4 * math.sin(n / 20.0)
        for session in (ours, other):
            session.step([twist(0.3, turn, time_ns=session.time_ns)])
        away = ours.observe().rows[0, :3] - other.observe().rows[0, :3]
        assert np.linalg.norm(away[:2]) < 0.08
        assert abs(away[2]) < 0.05


def test_wheel_speeds_are_orders_too() -> None:
    session = opened(scene(robot()))
    for _ in range(60):
        session.step([wheels(2.0, 3.0, time_ns=session.time_ns)])
    assert truth(session, "speed_mps") == pytest.approx(0.25, rel=0.05)
    assert truth(session, "turn_rate_radps") == pytest.approx(0.25, rel=0.1)


@pytest.mark.parametrize(("share", "climbs"), [(0.3, True), (0.9, False)])
def test_climbs_as_steep_as_it_is_said_to(share: float, climbs: bool) -> None:
    limited = replace(robot(offset_m=0.0), climb_max_rad=math.atan(0.6))
    session = opened(scene(limited, terrain=slope(share)))
    said = drive(session, 4.0, 0.3)
    stuck = [s for s in said if s.topic == MOBILITY and isinstance(s.message, DiagnosticStatus)]
    if climbs:
        assert truth(session, "x_m") > 0.8
        assert not stuck
    else:
        assert truth(session, "x_m") < 0.1


@pytest.mark.parametrize(("share", "tips"), [(0.5, False), (1.2, True)])
def test_tips_over_where_it_is_said_to(share: float, tips: bool) -> None:
    limited = replace(robot(offset_m=0.0), tip_max_rad=math.radians(40.0))
    session = opened(scene(limited, terrain=slope(0.0, share)))
    said = rest(session, 2.0)
    levels = [s.message.level for s in said if isinstance(s.message, DiagnosticStatus)]
    assert (2 in levels) == tips


def test_visual_odometry_sees_what_slip_takes_away() -> None:
    sensors = (Odometer("/odom", 20.0), VisualOdometer("/visual", 20.0))
    session = opened(scene(robot(*sensors, slip_max=0.6)))
    said = drive(session, 6.0, 0.3)
    far = {s.topic: math.hypot(*_xy(s.message)) for s in said}
    came = math.hypot(*place(session)[:2])
    assert far["/visual"] == pytest.approx(came, rel=0.03)
    assert far["/odom"] > 1.05 * came


def _xy(message: object) -> tuple[float, float]:
    assert isinstance(message, Odometry)
    return message.pose.pose.position.x, message.pose.pose.position.y


def test_a_thin_post_holds_it_and_the_bumper_feels_it() -> None:
    session = opened(scene(robot(Bumper("/bumper", 20.0), offset_m=0.0), bodies=[cylinder(1.0, 0.0, radius=0.075)]))
    said = drive(session, 5.0, 0.3)
    assert truth(session, "x_m") == pytest.approx(1.0 - 0.075 - 0.375, abs=0.02)
    assert [s.message.data for s in said if isinstance(s.message, BoolMsg)][-1]


def test_plants_give_way_and_are_reported() -> None:
    session = opened(scene(robot(Bumper("/bumper", 20.0), offset_m=0.0), bodies=[cylinder(1.0, 0.0, gives_way=True)]))
    said = drive(session, 3.0, 0.3)
    assert truth(session, "x_m") > 0.6
    assert truth(session, "contact_body") == 0.0
    assert truth(session, "clearance_m") < 0.0
    assert not any(s.message.data for s in said if isinstance(s.message, BoolMsg))


def test_a_wall_holds_it_and_the_bumper_feels_it() -> None:
    session = opened(scene(robot(Bumper("/bumper", 20.0), offset_m=0.0), bodies=[box(1.0, 0.0, 0.2, 2.0)]))
    said = drive(session, 5.0, 0.3)
    assert truth(session, "x_m") < 0.9 - 0.375 + 0.02
    assert truth(session, "contact_body") == 0.0
    assert truth(session, "clearance_m") <= 0.0
    assert any(s.message.data for s in said if isinstance(s.message, BoolMsg))


def test_robots_hold_each_other() -> None:
    other = PlacedRobot(robot(name="other", topic="/other", offset_m=0.0), 1.5, 0.0, math.pi)
    session = opened(scene(robot(offset_m=0.0), other))
    drive(session, 5.0, 0.3)
    assert truth(session, "contact_body") == -3.0
    assert truth(session, "contact_body", of=1) == -2.0
    assert truth(session, "x_m", of=1) < 1.5 + 0.5


def test_a_crate_is_pushed_away_and_a_heavy_one_is_not() -> None:
    ends = []
    for mass_kg in (5.0, 5000.0):
        crate = box(1.0, 0.0, 0.3, 0.3, high=0.4)
        session = opened(
            scene(robot(offset_m=0.0), bodies=[crate]), materials={"wall": Material(mass_kg=mass_kg, friction=0.4)}
        )
        drive(session, 6.0, 0.3)
        ends.append(float(session.data.body("body_0").xpos[0]))
        assert truth(session, "clearance_m") == pytest.approx(0.0, abs=0.02)
    assert ends[0] > 1.5
    assert ends[1] == pytest.approx(1.0, abs=0.02)


def test_stays_on_the_ground_beyond_the_border() -> None:
    scenario = scene(PlacedRobot(robot(), 11.0, 0.0, 0.0), terrain=hills(generator(3, "hills")))
    session = opened(scenario)
    drive(session, 6.0, 0.4)
    assert truth(session, "x_m") > 12.0
    assert abs(truth(session, "z_m")) < 0.5


def test_two_robots_need_two_topics() -> None:
    with pytest.raises(WorldError, match="Two robots listen to '/wheels'"):
        opened(scene(robot(), PlacedRobot(robot(name="other"), 3.0, 0.0, 0.0)))


def test_a_world_without_robots_is_refused() -> None:
    with pytest.raises(WorldError, match="has no robot"):
        opened(scene())


@pytest.mark.parametrize(
    "wrong",
    [{"control_ns": 30_000_000}, {"control_ns": 0}, {"timestep_s": 0.003}, {"timestep_s": 0.0}, {"settle_s": -1.0}],
)
def test_steps_must_fit_into_each_other(wrong: dict[str, float]) -> None:
    with pytest.raises(InputError, match=r"got|between"):
        MujocoSimulator(**wrong)


def test_a_material_must_have_weight_and_grip() -> None:
    with pytest.raises(InputError, match="mass_kg above zero"):
        Material(mass_kg=0.0)
    with pytest.raises(InputError, match="friction of zero or more"):
        Material(friction=math.nan)
