from __future__ import annotations

import math

import numpy as np
import pytest

from stressfield.bus.message import Stamped
from stressfield.bus.messages import Header, StringMsg, Time, TwistStamped
from stressfield.errors import InputError, NotFiniteError, PhysicsError, SubjectError, WorldError
from stressfield.sim.kinematic import KinematicSession, KinematicSimulator, warm_up
from stressfield.sim.simulator import TRUTH_COLUMNS
from stressfield.world import Odometer, PlacedRobot, Robot, VisualOdometer

from ..scenes import box, cylinder, drive, lidar, opened, rest, robot, scene, slope, twist, wheels


def truth(session: KinematicSession, column: str, *, of: int = 0) -> float:
    return float(session.observe().rows[of, TRUTH_COLUMNS.index(column)])


def speeds(session: KinematicSession, seconds: float, speed: float, turn: float = 0.0) -> np.ndarray:
    """Speed and turn rate after every tick under a command."""
    rows = []
    for _ in range(round(seconds * 20)):
        session.step([twist(speed, turn, time_ns=session.time_ns)])
        rows.append(session.observe().rows[0, 7:9])
    return np.array(rows)


def test_drives_the_expected_distance_on_flat_ground() -> None:
    session = opened(scene(robot()))
    drive(session, 10.0, 3.0, 3.0)
    # 0.3 m/s; the 0.6 s of acceleration cost half of 0.18 m (and a substep of 10 ms)
    assert truth(session, "x_m") == pytest.approx(0.3 * 10.0 - 0.09, abs=0.003)
    assert truth(session, "y_m") == 0.0
    assert truth(session, "speed_mps") == pytest.approx(0.3)
    assert session.time_ns == 10_000_000_000


def test_wheel_speeds_and_twist_say_the_same() -> None:
    by_wheels, other = opened(scene(robot())), opened(scene(robot()))
    for _ in range(40):
        by_wheels.step([wheels(2.0, 3.0, time_ns=by_wheels.time_ns)])
        other.step([twist(0.25, 0.25, time_ns=other.time_ns)])
    np.testing.assert_allclose(by_wheels.observe().rows, other.observe().rows, atol=1e-9)
    assert truth(by_wheels, "turn_rate_radps") == pytest.approx(0.25)


def test_acceleration_and_speed_limits_hold() -> None:
    found = speeds(opened(scene(robot())), 3.0, 5.0, 0.0)
    assert np.diff(found[:, 0]).max() <= 0.5 * 0.05 + 1e-12
    assert found[-1, 0] == pytest.approx(0.4)
    turning = speeds(opened(scene(robot())), 3.0, 0.0, 50.0)
    assert np.diff(turning[:, 1]).max() <= 1.5 * 0.05 + 1e-12
    assert turning[-1, 1] == pytest.approx(2 * 0.4 / 0.4)


def test_too_fast_a_command_keeps_its_curvature() -> None:
    found = speeds(opened(scene(robot())), 3.0, 0.8, 0.4)
    assert found[-1].tolist() == pytest.approx([0.4, 0.2])


def test_lag_delays_the_motion() -> None:
    prompt, late = opened(scene(robot())), opened(scene(robot(lag_s=0.5)))
    assert speeds(prompt, 1.0, 0.1)[-1, 0] == pytest.approx(0.1)
    assert speeds(late, 1.0, 0.1)[-1, 0] == pytest.approx(0.1 * (1 - math.exp(-1.0 / 0.5)), rel=0.02)


def test_watchdog_brakes_when_commands_stop() -> None:
    session = opened(scene(robot()))
    drive(session, 2.0, 3.0, 3.0)
    rest(session, 0.4)
    assert truth(session, "speed_mps") == pytest.approx(0.3)
    rest(session, 1.0)
    assert truth(session, "speed_mps") == 0.0


def test_a_command_acts_from_the_first_substep_at_or_after_its_arrival() -> None:
    def path(time_ns: int) -> float:
        session = opened(scene(robot()))
        session.step([wheels(3.0, 3.0, time_ns=time_ns)])
        return truth(session, "speed_mps") / 0.005

    assert [round(path(t)) for t in (0, 1, 10_000_000, 40_000_000, 40_000_001)] == [5, 4, 4, 1, 0]


def test_a_command_late_in_a_tick_acts_in_the_next() -> None:
    session = opened(scene(robot()))
    session.step([wheels(3.0, 3.0, time_ns=45_000_000)])
    session.step(())
    assert truth(session, "speed_mps") == pytest.approx(0.025)


def test_slip_loses_motion_and_heading_unseen_by_the_wheels() -> None:
    senses = (Odometer("/odom", 20.0), VisualOdometer("/vision", 20.0))
    dry, wet = opened(scene(robot(*senses))), opened(scene(robot(*senses, slip_max=0.3)))
    drive(dry, 10.0, 3.0, 3.0)
    said = drive(wet, 10.0, 3.0, 3.0)
    assert 0.7 * truth(dry, "x_m") <= math.hypot(truth(wet, "x_m"), truth(wet, "y_m")) < 0.98 * truth(dry, "x_m")
    assert abs(truth(wet, "y_m")) > 0.01
    wheel, vision = (next(s.message for s in reversed(said) if s.topic == topic) for topic in ("/odom", "/vision"))
    assert wheel.pose.pose.position.x == pytest.approx(truth(dry, "x_m"))
    assert wheel.pose.pose.position.y == 0.0
    assert vision.pose.pose.position.x == pytest.approx(truth(wet, "x_m"), abs=1e-4)
    assert vision.pose.pose.position.y == pytest.approx(truth(wet, "y_m"), abs=1e-4)


def test_slip_belongs_to_the_scenario_not_to_the_run() -> None:
    scenario = scene(robot(slip_max=0.3))
    ends = []
    for seed in (1, 2):
        session = opened(scenario, seed=seed)
        drive(session, 3.0, 3.0, 3.0)
        ends.append(session.observe().rows)
    np.testing.assert_array_equal(ends[0], ends[1])


@pytest.mark.parametrize(("yaw", "roll", "pitch"), [(0.0, 0.0, -0.2), (math.pi, 0.0, 0.2), (-math.pi / 2, 0.2, 0.0)])
def test_lies_on_an_inclined_plane(yaw: float, roll: float, pitch: float) -> None:
    climb = math.tan(0.2)
    session = opened(scene(PlacedRobot(robot(), 3.0, 1.0, yaw), terrain=slope(climb)))
    state = session.place.state[0]
    assert [state[3], state[4]] == pytest.approx([roll, pitch])
    assert truth(session, "z_m") == pytest.approx(3.0 * climb)
    q = session.observe().rows[0, 3:7]
    assert q @ q == pytest.approx(1.0)
    assert math.asin(2 * (q[3] * q[1] - q[2] * q[0])) == pytest.approx(pitch)


def test_ground_covered_uphill_is_shorter_on_the_map() -> None:
    session = opened(scene(robot(), terrain=slope(math.tan(0.3))))
    drive(session, 5.0, 3.0, 3.0)
    flat = opened(scene(robot()))
    drive(flat, 5.0, 3.0, 3.0)
    assert truth(session, "x_m") == pytest.approx(truth(flat, "x_m") * math.cos(0.3))


def test_downhill_overspeed_is_a_switch() -> None:
    downhill = slope(-0.05)
    plain = opened(scene(robot(), terrain=downhill))
    faulty = opened(scene(robot(downhill_overspeed=True), terrain=downhill))
    uphill = opened(scene(robot(downhill_overspeed=True), terrain=slope(0.05)))
    for session in (plain, faulty, uphill):
        drive(session, 5.0, 4.0, 4.0)
    assert truth(plain, "speed_mps") == pytest.approx(0.4)
    assert 0.5 < truth(faulty, "speed_mps") < 0.54  # 0.4 + 9.81 * 0.05 * 0.25 s
    assert truth(uphill, "speed_mps") == pytest.approx(0.4)


def stop_delays(driven: Robot, count: int = 30) -> list[float]:
    """How long after a stop command the robot still drives at full speed, over seeds."""
    delays = []
    for seed in range(count):
        session = opened(scene(driven), seed=seed)
        drive(session, 1.0, 3.0, 3.0)
        start = session.time_ns
        while truth(session, "speed_mps") > 0.299 and session.time_ns < start + 5e9:
            session.step([wheels(0.0, 0.0, time_ns=session.time_ns)])
        delays.append((session.time_ns - start) / 1e9)
    return delays


def test_late_stop_is_a_switch() -> None:
    assert set(stop_delays(robot(), 3)) == {0.05}
    delays = stop_delays(robot(late_stop=True))
    late = [delay for delay in delays if delay > 0.1]
    assert 8 <= len(late) <= 22
    assert min(late) >= 0.5
    assert max(late) <= 3.1
    assert len(set(late)) > 5


def test_a_new_move_clears_a_withheld_stop() -> None:
    driven = robot(late_stop=True)
    seed = next(s for s, delay in enumerate(stop_delays(driven)) if delay > 1.0)
    session = opened(scene(driven), seed=seed)
    drive(session, 1.0, 3.0, 3.0)
    drive(session, 0.1, 0.0, 0.0)
    assert truth(session, "speed_mps") == pytest.approx(0.3)
    drive(session, 1.0, 1.0, 1.0)
    assert truth(session, "speed_mps") == pytest.approx(0.1)


def test_a_withheld_stop_acts_even_if_it_was_said_once() -> None:
    driven = robot(late_stop=True)
    delays = stop_delays(driven)
    seed = next(s for s, delay in enumerate(delays) if delay > 1.0)
    session = opened(scene(driven), seed=seed)
    drive(session, 1.0, 3.0, 3.0)
    drive(session, 0.05, 0.0, 0.0)
    rest(session, delays[seed] - 0.15)
    assert truth(session, "speed_mps") == pytest.approx(0.3)
    rest(session, 1.0)
    assert truth(session, "speed_mps") == 0.0


def test_plants_give_way_and_are_recorded() -> None:
    session = opened(scene(robot(), bodies=[cylinder(1.0, 0.0, gives_way=True)]))
    assert truth(session, "clearance_m") == pytest.approx(1.0 - 0.05 - 0.475)
    assert truth(session, "contact_body") == -1
    drive(session, 3.0, 3.0, 3.0)
    assert truth(session, "contact_body") == 0
    assert truth(session, "clearance_m") < -0.05
    drive(session, 6.0, 3.0, 3.0)
    assert truth(session, "contact_body") == -1
    assert truth(session, "x_m") > 1.5


def test_walls_hold_the_robot_and_let_it_go_back() -> None:
    session = opened(scene(robot(Odometer("/odom", 20.0)), bodies=[box(1.5, 0.0, 0.2, 4.0)]))
    said = drive(session, 8.0, 3.0, 3.0)
    assert truth(session, "x_m") == pytest.approx(1.4 - 0.475, abs=0.005)
    assert (truth(session, "clearance_m"), truth(session, "contact_body")) == (0.0, 0)
    assert truth(session, "speed_mps") == 0.0
    assert said[-1].message.pose.pose.position.x > 2.0  # the wheels went on
    drive(session, 3.0, -3.0, -3.0)
    assert truth(session, "x_m") < 0.5
    assert truth(session, "contact_body") == -1


def test_what_hangs_overhead_does_not_touch() -> None:
    session = opened(scene(robot(), bodies=[cylinder(0.1, 0.0, foot=1.0), cylinder(0.1, 0.0, solid=False)]))
    assert truth(session, "clearance_m") == 2.0


def test_two_robots_see_and_hit_each_other() -> None:
    pair = [
        PlacedRobot(robot(lidar(topic="/a/scan"), name="a", topic="/a/wheels"), 0.0, 0.0, 0.0),
        PlacedRobot(robot(name="b", topic="/b/wheels"), 3.0, 0.0, math.pi),
    ]
    session = opened(scene(*pair))
    assert session.command_topics == ("/a/wheels", "/b/wheels")
    (scan,) = rest(session, 0.05)
    assert scan.message.ranges[90] == pytest.approx(3.0 - 0.475 - 0.4, abs=1e-6)
    assert truth(session, "clearance_m", of=1) == 2.0
    drive(session, 10.0, 3.0, 3.0, topic="/b/wheels")
    assert truth(session, "contact_body", of=1) == -2
    assert truth(session, "x_m", of=1) == pytest.approx(0.95, abs=0.01)
    assert truth(session, "contact_body", of=0) == -1  # it was not the one that drove
    assert truth(session, "clearance_m", of=0) < 0.01


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_commands_that_are_not_finite_are_refused(bad: float) -> None:
    session = opened(scene(robot()))
    with pytest.raises(
        NotFiniteError, match=rf"A command on '/wheels' is not finite: got velocity \[1.0, {bad}\]; wanted"
    ):
        session.step([wheels(1.0, bad)])


def test_a_stamped_twist_is_obeyed_as_a_twist_is() -> None:
    plain, stamped = opened(scene(robot())), opened(scene(robot()))
    for _ in range(40):
        command = twist(0.3, 0.4, time_ns=plain.time_ns)
        plain.step([command])
        late = Header(Time(1000, 0), "base_link")  # a stamp of another clock does not matter
        stamped.step([Stamped(command.topic, command.time_ns, TwistStamped(late, command.message))])
    assert plain.observe().rows.tolist() == stamped.observe().rows.tolist()
    assert truth(stamped, "x_m") > 0.3


def test_foreign_commands_are_refused() -> None:
    session = opened(scene(robot()))
    with pytest.raises(SubjectError, match="is a StringMsg; wanted JointState, Twist or TwistStamped"):
        session.step([Stamped("/wheels", 0, StringMsg("go"))])
    session.step([Stamped("/elsewhere", 0, StringMsg("go"))])


def test_bad_worlds_are_refused() -> None:
    with pytest.raises(WorldError, match="has no robot"):
        opened(scene())
    with pytest.raises(WorldError, match="Two robots listen to '/wheels'"):
        opened(scene(robot(), robot(name="other")))
    with pytest.raises(
        InputError, match=r"The Odometer on '/odom' samples at 15 Hz; wanted a period that is a multiple"
    ):
        opened(scene(robot(Odometer("/odom", 15.0))))
    with pytest.raises(WorldError, match="finite positions"):
        opened(scene(robot(), bodies=[cylinder(math.nan, 0.0)]))
    with pytest.raises(InputError, match="multiple of a substep"):
        KinematicSimulator(tick_ns=50, substep_ns=20)


def test_a_state_that_is_not_finite_is_reported() -> None:
    session = opened(scene(robot()))
    session.place.state[0, 0] = math.nan
    with pytest.raises(PhysicsError, match=r"not finite at 0\.05 s"):
        session.step(())


def test_warm_up_runs() -> None:
    warm_up()
