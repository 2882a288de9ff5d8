"""Both simulators pass the suite that others are held to; broken ones do not."""

from __future__ import annotations

import math

import pytest

from stressfield.bus.message import Stamped
from stressfield.bus.messages import Twist
from stressfield.scenario import Scenario
from stressfield.sim import Observation, Session, Simulator
from stressfield.sim.kinematic import KinematicSimulator
from stressfield.sim.mujoco import MujocoSimulator
from stressfield.testing.simulator import SimulatorSuite, yard
from stressfield.world.robots import ackermann, mecanum, skid_steer


class TestKinematic(SimulatorSuite):
    @pytest.fixture
    def simulator(self) -> Simulator:
        return KinematicSimulator()


class TestMujoco(SimulatorSuite):
    @pytest.fixture
    def simulator(self) -> Simulator:
        return MujocoSimulator()


class TestKinematicCar(TestKinematic):
    robot = ackermann()


class TestKinematicRollers(TestKinematic):
    robot = mecanum()


class TestKinematicTracks(TestKinematic):
    robot = skid_steer()


class TestMujocoCar(TestMujoco):
    robot = ackermann()


class TestMujocoRollers(TestMujoco):
    robot = mecanum()


class TestMujocoTracks(TestMujoco):
    robot = skid_steer()


class Broken:
    """A kinematic session with one thing wrong."""

    def __init__(self, session: Session, fault: str) -> None:
        self._session, self._fault = session, fault
        self.command_topics, self.tick_ns = session.command_topics, session.tick_ns

    @property
    def time_ns(self) -> int:
        return 0 if self._fault == "clock" else self._session.time_ns

    def step(self, inbox):
        if self._fault == "deaf":
            inbox = []
        if self._fault == "narrow":
            inbox = [Stamped(t, n, Twist.drive(m.linear.x, m.angular.z)) for t, n, m in inbox]
        if self._fault == "swallows NaN":
            inbox = [s for s in inbox if math.isfinite(s.message.linear.x)]
        return self._session.step(inbox)

    def observe(self) -> Observation:
        seen = self._session.observe()
        if self._fault == "blind":
            seen.rows[:, 10] = -1.0
        if self._fault == "frozen actors":
            seen.actors[:, :2] = 0.0
        return Observation(seen.time_ns, seen.rows) if self._fault == "no actors" else seen

    def close(self) -> None:
        self._session.close()


class BrokenSimulator:
    def __init__(self, fault: str) -> None:
        self.fault = fault

    def open(self, scenario: Scenario, *, seed: int) -> Broken:
        seed = 1 if self.fault == "seedless" else seed
        return Broken(KinematicSimulator().open(scenario, seed=seed), self.fault)


@pytest.mark.parametrize(
    ("fault", "caught_by"),
    [
        ("clock", "test_time_advances_by_the_tick"),
        ("deaf", "test_drives_straight_as_far_as_it_is_told"),
        ("seedless", "test_another_seed_makes_other_noise"),
        ("blind", "test_clearance_shrinks_to_a_contact"),
        ("blind", "test_a_contact_with_an_actor_has_a_number_after_those_of_the_bodies"),
        ("no actors", "test_actors_go_their_way_and_are_observed"),
        ("frozen actors", "test_actors_go_their_way_and_are_observed"),
    ],
)
def test_the_suite_catches(fault: str, caught_by: str) -> None:
    test = getattr(SimulatorSuite(), caught_by)
    arguments = {"simulator": BrokenSimulator(fault)}
    if "scenario" in test.__code__.co_varnames[: test.__code__.co_argcount]:
        arguments["scenario"] = yard()
    with pytest.raises(AssertionError):
        test(**arguments)


def test_the_suite_catches_a_simulator_that_loses_a_motion_sideways() -> None:
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        SimulatorSuite().test_moves_sideways_if_it_can_and_refuses_if_not(BrokenSimulator("narrow"))


def test_the_suite_catches_a_simulator_that_passes_over_actors() -> None:
    suite = SimulatorSuite()
    suite.moves_actors = False
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        suite.test_a_simulator_that_cannot_move_actors_refuses_them(BrokenSimulator("no actors"))


def test_the_suite_catches_a_simulator_that_swallows_nan() -> None:
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        SimulatorSuite().test_a_command_that_is_no_number_is_refused(BrokenSimulator("swallows NaN"), yard(), math.nan)
