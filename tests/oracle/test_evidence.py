"""Signals that properties are made of."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import stressfield
from stressfield.bus.message import Stamped
from stressfield.bus.messages import Twist, Vector3
from stressfield.errors import InputError, OracleError
from stressfield.oracle import Evidence, always, eventually
from stressfield.scenario import Scenario
from stressfield.seeds import generator
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.trace import Metadata, Recorder, Truth
from stressfield.world import Mission, World, robots
from stressfield.world import common_bodies as bodies


def driven(world: World, *, steps: int = 160) -> Evidence:
    """The evidence of a robot that drives in a circle, observed by the simulator."""
    scenario = Scenario(world, Mission.reach((3.0, 3.0), within_s=60.0))
    session = KinematicSimulator().open(scenario, seed=1)
    recorder = Recorder([placed.robot.name for placed in world.robots])
    recorder.observe(0, session.observe().rows)
    for _ in range(steps):
        command = Twist.drive(0.6, 0.5)
        recorder.record("/cmd_vel", session.time_ns, session.time_ns, command)
        session.step([Stamped("/cmd_vel", session.time_ns, command)])
        recorder.observe(session.time_ns, session.observe().rows)
    return Evidence(recorder.finish(Metadata()), scenario)


@pytest.fixture(scope="module")
def circle() -> Evidence:
    world = World.flat(8.0, 8.0).with_robot("mower", robots.diff_drive(), at=(4.0, 2.0))
    pole = replace(bodies.cylinder("pole", radius_m=0.1, height_m=1.0), gives_way=True)
    world = world.scatter(
        pole, count=12, gap_m=0.5, clear_m=0.5,
        clear_of=("mower",), rng=generator(4, "poles"),
    )  # fmt: skip
    world = world.with_body(pole, at=(5.2, 3.4))
    for x, y, yaw in ((2.0, 4.2, 0.4), (5.2, 4.9, 1.2), (6.6, 2.0, -0.7)):
        box = bodies.box("crate", length_m=0.2, width_m=0.1, height_m=0.5)
        world = world.with_body(box, at=(x, y), yaw_rad=yaw)
    return driven(world)


def test_clearance_is_what_the_simulator_says(circle: Evidence) -> None:
    truth = circle.trace.truth("mower")
    ours = circle.clearance("mower", at_most_m=2.0).values
    assert float(np.min(ours)) < -0.1
    assert np.allclose(ours, truth.clearance_m, atol=0.02)


def test_clearance_to_a_kind_is_no_less_than_to_all(circle: Evidence) -> None:
    every = circle.clearance("mower").values
    poles, crates = circle.clearance("mower", "pole").values, circle.clearance("mower", "crate").values
    assert np.array_equal(np.minimum(poles, crates), every)


def test_a_kind_that_could_be_here_but_is_not_is_vacuous(circle: Evidence) -> None:
    world = circle.scenario.world.with_bodies(bodies.person(), at=[])
    nobody = Evidence(circle.trace, Scenario(world, circle.scenario.mission))
    clear = nobody.clearance("mower", "person")
    assert (clear.values == 10.0).all()
    margin = always(clear >= 0.3)
    assert (margin.value, margin.vacuous) == (pytest.approx(9.7), True)
    assert not always((clear >= 0.3) & (nobody.clearance("mower", "pole") >= -1.0)).vacuous
    assert not always(nobody.clearance("mower", "person", "pole") >= 0.3).vacuous
    declared = circle.scenario.world.with_kinds("dog")
    assert Evidence(circle.trace, Scenario(declared, circle.scenario.mission)).clearance("mower", "dog").vacuous
    scattered = circle.scenario.world.scatter(bodies.person(), count=0, rng=generator(1, "people"))
    assert Evidence(circle.trace, Scenario(scattered, circle.scenario.mission)).clearance("mower", "person").vacuous


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (
            lambda run: run.clearance("mower", "pol"),
            r"clearance to 'pol': .* It has: pole, crate\. Did you mean 'pole'\?",
        ),
        (lambda run: run.clearance("mower", "mower"), r"no such other robot"),
        (lambda run: run.contact("mower", "crat"), r"Did you mean 'crate'\?"),
        (lambda run: run.clearance("mover"), r"No robot 'mover' in the trace\. It has: mower\. Did you mean 'mower'\?"),
        (lambda run: run.speed("mover"), r"Did you mean 'mower'\?"),
        (lambda run: run.room("mower", "limit"), r"No region 'limit' in the world\. .*Did you mean 'limits'\?"),
        (
            lambda run: run.signal("/cmdvel", "linear.x"),
            r"No topic '/cmdvel' in the trace\. .*Did you mean '/cmd_vel'\?",
        ),
        (lambda run: run.count("/cmdvel"), r"link\.advertise\(topic\)"),
        (lambda run: run.scenario.world.bodies.of_kind("pol"), r"No body of kind 'pol' .*Did you mean 'pole'\?"),
        (
            lambda run: run.scenario.world.regions_of_kind("limit"),
            r"no region of kind 'limit'.*Did you mean 'limits'\?",
        ),
        (lambda run: run.signal("/cmd_vel", "linear.z2"), r"Fields: x, y, z\.( Did you mean 'z'\?)?"),
    ],
)
def test_a_name_that_nothing_has_is_an_error(circle: Evidence, ask: Callable[[Evidence], object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        ask(circle)


def test_a_topic_that_a_sensor_or_a_node_announced_may_be_silent(circle: Evidence) -> None:
    assert always(circle.signal("/bumper", "data") >= 0.0).inconclusive
    assert always(circle.signal("/cmd_vel/fuzzed", "linear.x") >= 0.0).inconclusive
    announced = Evidence(replace(circle.trace, metadata=Metadata(topics=("/alarm",))), circle.scenario)
    assert always(announced.signal("/alarm", "level") >= 0.0).inconclusive
    with pytest.raises(InputError, match="Nothing was said on topic '/alarm' in this run"):
        announced.trace.topic("/alarm")


def test_distance_to_goal_point_and_robot(circle: Evidence) -> None:
    to_goal = circle.distance("mower", "goal")
    assert to_goal.values[0] == pytest.approx(np.hypot(1.0, 1.0))
    assert np.array_equal(circle.distance("mower", (3.0, 3.0)).values, to_goal.values)
    assert (circle.distance("mower", "mower").values == 0.0).all()
    assert eventually(to_goal <= 0.2).unit == "m"


def test_distance_to_something_unknown_is_explained(circle: Evidence) -> None:
    with pytest.raises(OracleError, match=r"Cannot measure the distance to 'gaol'\. .*Did you mean 'goal'\?"):
        circle.distance("mower", "gaol")


def test_room_speed_and_topics(circle: Evidence) -> None:
    assert circle.room("mower").values[0] == pytest.approx(2.0)
    assert circle.speed("mower").values.max() == pytest.approx(0.6, abs=0.05)
    said = circle.signal("/cmd_vel", "linear.x", unit="m/s")
    assert (len(said), said.values[0], said.unit) == (160, 0.6, "m/s")


def test_acceleration_and_jerk_are_those_of_the_drive() -> None:
    """With a limit of jerk j, up to an acceleration a: a ramp of a/j seconds, then constant."""
    body = robots.diff_drive(jerk_max_mps3=1.0, acceleration_max_mps2=0.5, lag_s=0.0)
    run = driven(World.flat(30.0, 30.0).with_robot("mower", body, at=(15.0, 15.0)))
    pushed = run.acceleration("mower")
    assert (pushed.unit, len(pushed)) == ("m/s²", 160)
    assert pushed.at([0.25, 0.5, 0.7]).values == pytest.approx([0.23, 0.48, 0.5], abs=0.03)
    jerk = run.jerk("mower")
    assert (jerk.unit, jerk.name, len(jerk)) == ("m/s³", "jerk of mower", 159)
    assert np.abs(jerk.values).max() == pytest.approx(1.0, rel=1e-6)
    assert always(abs(jerk) <= 1.001).value > 0.0
    jumpy = driven(World.flat(30.0, 30.0).with_robot("mower", robots.diff_drive(lag_s=0.0), at=(15.0, 15.0)))
    assert always(abs(jumpy.jerk("mower")) <= 2.0).value < -10.0


@pytest.mark.parametrize("sideways", [False, True])
def test_jerk_of_a_robot_on_rollers_is_that_of_its_axes(sideways: bool) -> None:
    """While it turns and moves both ways: neither the turn nor the chord of its curve looks like jerk."""
    body = robots.mecanum(jerk_max_mps3=1.0)
    world = World.flat(30.0, 30.0).with_robot("cart", body, at=(15.0, 15.0))
    scenario = Scenario(world, Mission(limit_s=60.0))
    session = KinematicSimulator().open(scenario, seed=1)
    recorder = Recorder(["cart"])
    recorder.observe(0, session.observe().rows)
    for n in range(200):
        command = Twist(Vector3(x=0.3 if n < 100 else -0.3, y=0.2 if n % 50 < 25 else -0.2), Vector3(z=0.6))
        session.step([Stamped("/cmd_vel", session.time_ns, command)])
        recorder.observe(session.time_ns, session.observe().rows)
    run = Evidence(recorder.finish(Metadata()), scenario)
    found = np.abs(run.jerk("cart", sideways=sideways).values)
    assert 0.8 < found.max() < 1.02


def test_a_car_has_no_jerk_sideways(circle: Evidence) -> None:
    with pytest.raises(OracleError, match="has a DifferentialDrive, which does not move sideways"):
        circle.jerk("mower", sideways=True)
    with pytest.raises(OracleError, match="Did you mean 'mower'"):
        circle.acceleration("mover")


def test_messages_are_counted(circle: Evidence) -> None:
    said = circle.count("/cmd_vel")
    assert (len(said), said.values[0], said.values[-1], said.unit) == (161, 1.0, 160.0, "messages")
    assert said.rate(over_s=1.0).values[-1] == pytest.approx(20.0, rel=0.2)
    assert always(circle.count("/bumper") <= 0).value == 0.0


@pytest.fixture(scope="module")
def two() -> Evidence:
    """The second robot stands in the way of the first, and off its own axle."""
    world = World.flat(8.0, 8.0).with_robot("mower", robots.diff_drive(), at=(4.0, 2.0))
    plain = robots.diff_drive()
    drive = replace(plain.drive, command_topic="/cart/cmd_vel")
    cart = replace(plain, length_m=0.9, width_m=0.3, centre_offset_m=0.2, drive=drive, sensors=())
    world = world.with_robot("cart", cart, at=(4.6, 3.6), yaw_rad=0.8)
    return driven(world.with_body(bodies.tree(), at=(1.0, 7.0)))


def test_clearance_sees_other_robots_as_the_truth_does(two: Evidence) -> None:
    truth = two.trace.truth("mower")
    ours = two.clearance("mower", at_most_m=2.0).values
    assert np.allclose(ours, truth.clearance_m, atol=0.02)
    assert float(ours.min()) < 0.3
    to_cart = two.clearance("mower", "cart").values
    assert np.allclose(to_cart, two.clearance("cart", "mower").values)
    assert np.array_equal(np.minimum(to_cart, two.clearance("mower", "tree").values), two.clearance("mower").values)
    assert always(two.clearance("mower", "cart") >= 5.0).holds is False


def test_contacts_are_told_apart(two: Evidence) -> None:
    truth = two.trace.truth("mower")
    codes = np.tile([-1.0, 0.0, -3.0, -1.0], 41)[: len(truth)]
    values = truth.values.copy()
    values[:, 10] = codes
    seen = Truth(truth.time_ns, values)
    assert (seen.touched_body == np.where(codes == 0.0, 0, -1)).all()
    assert (seen.touched_robot == np.where(codes == -3.0, 1, -1)).all()
    run = Evidence(replace(two.trace, robots={**two.trace.robots, "mower": seen}), two.scenario)
    assert (run.contact("mower", "tree").values == (codes == 0.0)).all()
    assert (run.contact("mower", "cart").values == (codes == -3.0)).all()
    assert (run.contact("mower").values == (codes != -1.0)).all()
    assert always(run.contact("mower") <= 0).value == -1.0
    values[:, 10] = np.nan
    assert always(
        Evidence(replace(two.trace, robots={"mower": Truth(truth.time_ns, values)}), two.scenario).contact("mower") <= 0
    ).inconclusive


def test_the_formulas_of_the_how_to_can_be_judged() -> None:
    text = (Path(__file__).parents[2] / "docs" / "how-to" / "own-study.md").read_text()
    table = text.partition("| what must hold | formula |")[2].partition("\n\n")[0]
    formulas = [found.replace("\\|", "|") for found in re.findall(r"\| `(sf[^`]*|\([^`]*)`", table)]
    assert len(formulas) == 5
    world = World.flat(8.0, 8.0).with_robot("cart", robots.diff_drive(), at=(4.0, 2.0))
    run = driven(world.with_body(bodies.box("crate", length_m=0.2, width_m=0.2, height_m=0.2), at=(1.0, 7.0)))
    outcomes = [eval(formula, {"sf": stressfield, "run": run}).holds for formula in formulas]
    assert outcomes == [True, True, True, True, None]
