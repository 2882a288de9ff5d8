"""The drive alone against a session of the kinematic simulator; and what gains, dead time and slip do in both."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import stressfield as sf
from stressfield.bus.message import Stamped
from stressfield.errors import InputError, WorldError
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.sim.order import Order
from stressfield.sim.rig.drive_alone import dead_reckoned, order_row

CHANGES = {"speed_gain": 0.9, "turn_gain": 0.8, "lag_s": 0.3, "dead_time_s": 0.2, "slip": 0.1}


def _scenario(**changes: float) -> sf.Scenario:
    robot = sf.robots.diff_drive()
    robot = replace(robot, drive=replace(robot.drive, **changes), sensors=robot.sensors[2:3])
    robot = replace(robot, sensors=(replace(robot.sensors[0], distance_noise=0.0, turn_noise=0.0),))
    return sf.Scenario(sf.World.flat(100.0, 100.0).with_robot("cart", robot, at=(50.0, 50.0)), sf.Mission(limit_s=60.0))


def _told(rng: np.random.Generator, count: int) -> list[tuple[int, float, float]]:
    """Commands every 100 ms, somewhat late, each pair of numbers held for a while."""
    speeds = np.repeat(rng.uniform(-0.5, 0.7, (count // 10 + 1, 2)), 10, axis=0)
    return [(100_000_000 * n + int(rng.integers(0, 9_000_000)), *speeds[n].tolist()) for n in range(count)]


def _session_poses(scenario: sf.Scenario, told: list[tuple[int, float, float]]) -> np.ndarray:
    session, rows, due = KinematicSimulator().open(scenario, seed=1), [], list(told)
    while due or session.time_ns < 12_000_000_000:
        end = session.time_ns + session.tick_ns
        now = [each for each in due if each[0] < end]
        due = due[len(now) :]
        session.step([Stamped("/cmd_vel", t, sf.messages.Twist.drive(v, w)) for t, v, w in now])
        rows.append(session.place.state[0, [0, 1, 5]].copy())
    return np.array(rows)


@pytest.mark.parametrize("seed", range(3))
def test_the_drive_alone_moves_as_a_session_does(seed: int) -> None:
    told = _told(np.random.default_rng(seed), 100)
    scenario = _scenario(**CHANGES)
    poses = _session_poses(scenario, told)
    placed = scenario.world.robots[0]
    orders = np.stack([order_row(Order(0, speed, turn)) for _, speed, turn in told])
    times = np.array([each[0] for each in told]) / 1e9 + CHANGES["dead_time_s"]
    alone = dead_reckoned(placed.robot, times, orders, steps=5 * len(poses), step_s=0.01)[5::5]
    np.testing.assert_allclose(alone + np.array([50.0, 50.0, 0.0]), poses, rtol=0, atol=1e-9)


@pytest.mark.parametrize("simulator", [KinematicSimulator, MujocoSimulator])
def test_gain_and_slip_show_over_the_ground_and_odometry_sees_the_gain_only(simulator: type) -> None:
    session = simulator().open(_scenario(speed_gain=0.9, slip=0.2), seed=1)
    said = []
    for _ in range(200):
        said += session.step([Stamped("/cmd_vel", session.time_ns, sf.messages.Twist.drive(0.5, 0.0))])
    odometry = said[-1].message
    assert odometry.twist.twist.linear.x == pytest.approx(0.45, rel=0.02)
    assert session.observe().rows[0, 7] == pytest.approx(0.36, rel=0.02)


def test_a_command_acts_after_the_dead_time() -> None:
    session = KinematicSimulator().open(_scenario(dead_time_s=0.3, lag_s=0.0), seed=1)
    for _ in range(20):
        session.step([Stamped("/cmd_vel", session.time_ns, sf.messages.Twist.drive(0.5, 0.0))])
        moved = session.place.state[0, 0] > 50.0
        assert moved == (session.time_ns > 300_000_000)


def test_an_odometer_says_its_scale_times_what_the_wheels_did() -> None:
    scenario = _scenario(lag_s=0.0)
    placed = scenario.world.robots[0]
    sensor = replace(placed.robot.sensors[0], distance_scale=1.1)
    placed = replace(placed, robot=replace(placed.robot, sensors=(sensor,)))
    session = KinematicSimulator().open(replace(scenario, world=replace(scenario.world, robots=(placed,))), seed=1)
    for _ in range(100):
        said = session.step([Stamped("/cmd_vel", session.time_ns, sf.messages.Twist.drive(0.5, 0.0))])
    assert said[-1].message.pose.pose.position.x == pytest.approx(1.1 * (session.place.state[0, 0] - 50.0), rel=1e-9)


@pytest.mark.parametrize(
    ("change", "wanted"),
    [({"slip": 1.5}, "0 to 1"), ({"dead_time_s": -0.1}, "0 to 10"), ({"speed_gain": float("nan")}, "0 or more")],
)
def test_a_drive_refuses_what_cannot_be(change: dict[str, float], wanted: str) -> None:
    with pytest.raises(WorldError, match=f"wanted {wanted}"):
        replace(sf.robots.diff_drive().drive, **change)


def test_motors_without_power_do_not_obey_what_was_on_its_way() -> None:
    robot = sf.robots.diff_drive()
    robot = replace(robot, drive=replace(robot.drive, dead_time_s=0.5, lag_s=0.0, power_topic="/power"), sensors=())
    world = sf.World.flat(20.0, 20.0).with_robot("cart", robot, at=(10.0, 10.0))
    session = KinematicSimulator().open(sf.Scenario(world, sf.Mission(limit_s=9.0)), seed=1)
    session.step([Stamped("/cmd_vel", 0, sf.messages.Twist.drive(0.5, 0.0))])
    session.step([Stamped("/power", session.time_ns, sf.messages.BoolMsg(False))])
    for _ in range(40):
        session.step([])
    assert session.place.state[0, 0] == 10.0


def test_constants_are_named_in_errors() -> None:
    study = sf.Study("s", model=_Model, build=lambda _m, _r: _scenario(), subject=_Nobody, oracle=sf.Oracle(()))
    with pytest.raises(InputError, match=r"'cart\.drive' has: .*Did you mean 'lag_s'"):
        study.scenario("r", seed=0, options={"cart.drive.lags": 0.1})
    with pytest.raises(InputError, match=r"no constant 'card\.drive\.lag_s' in this world.*Did you mean 'cart\.drive'"):
        study.scenario("r", seed=0, options={"card.drive.lag_s": 0.1})
    with pytest.raises(InputError, match=r"cart\.drive\.slip: .*wanted 0 to 1"):
        study.scenario("r", seed=0, options={"cart.drive.slip": 2.0})
    with pytest.raises(InputError, match=r"link\.NAME\.base_ms or link\.NAME\.jitter_ms"):
        study.scenario("r", seed=0, options={"link./odom.base": 2.0})
    with pytest.raises(InputError, match="got 'fast', wanted a number"):
        study.read_options(["cart.drive.lag_s=fast"])


def test_links_and_nodes_take_their_constants() -> None:
    study = sf.Study("s", model=_Model, build=lambda _m, _r: _scenario(), subject=_Nobody, oracle=sf.Oracle(()))
    timing = study.timing_of({"link./odom.base_ms": 7.0, "node.pilot.jitter_ms": 3.0})
    assert timing.topics["/odom"] == sf.Latency(base_ms=7.0, jitter_ms=study.timing.topic_default.jitter_ms)
    assert timing.nodes["pilot"] == sf.Latency(base_ms=study.timing.node_default.base_ms, jitter_ms=3.0)
    assert study.timing_of({}) is study.timing


class _Model(sf.Element):
    """A flat place."""

    size: int = sf.integer(1, 2)


class _Nobody(sf.Node):
    name = "nobody"

    def __init__(self, _scenario: sf.Scenario) -> None: ...

    def setup(self, link: sf.Link) -> None: ...
