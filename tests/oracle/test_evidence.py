"""Signals that properties are made of."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield.bus.message import Stamped
from stressfield.bus.messages import Twist
from stressfield.errors import OracleError
from stressfield.oracle import Evidence, always, eventually
from stressfield.scenario import Scenario
from stressfield.seeds import generator
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.trace import Metadata, Recorder
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
    world = world.scatter(
        bodies.cylinder("pole", radius_m=0.1, height_m=1.0), count=12, gap_m=0.5, clear_m=0.5,
        clear_of=("mower",), rng=generator(4, "poles"),
    )  # fmt: skip
    world = world.with_body(bodies.cylinder("pole", radius_m=0.1, height_m=1.0), at=(5.2, 3.4))
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


def test_where_there_is_nothing_the_clearance_is_the_farthest(circle: Evidence) -> None:
    assert (circle.clearance("mower", "person").values == 10.0).all()
    assert always(circle.clearance("mower", "person") >= 0.3).value == pytest.approx(9.7)


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


def test_a_silent_topic_gives_no_verdict(circle: Evidence) -> None:
    assert always(circle.signal("/nothing", "data") >= 0.0).inconclusive
