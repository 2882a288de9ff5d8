"""What every simulator must do. Subclass the suite and supply one fixture."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from stressfield.bus.message import Stamped
from stressfield.bus.messages import BoolMsg, LaserScan, Twist, Vector3
from stressfield.errors import StressfieldError, SubjectError
from stressfield.scenario import Scenario
from stressfield.sim import TRUTH_COLUMNS, Session, Simulator
from stressfield.world import (
    ACTOR_COLUMNS,
    AckermannDrive,
    Bodies,
    Body,
    Mission,
    PlacedRobot,
    Robot,
    Route,
    Shape,
    SkidSteerDrive,
    Terrain,
    World,
)
from stressfield.world.actors import person
from stressfield.world.drives import WheeledDrive
from stressfield.world.robots import diff_drive

WALL_M = 3.0
START = (1.0, -0.5, 0.3)
SPEED_MPS = 0.5


def yard(*, wall: bool = True, start: tuple[float, float, float] = START, robot: Robot | None = None) -> Scenario:
    """Level ground, one robot (from ``diff_drive``), and a wall ``WALL_M`` ahead of the middle of the robot."""
    x, y, yaw = start
    robot = robot or diff_drive()
    ahead = robot.centre_offset_m + WALL_M + 0.1
    here = (x + ahead * math.cos(yaw), y + ahead * math.sin(yaw))
    bodies = Bodies.of([Body("", "wall", Shape.BOX, *here, 0.0, 0.2, 4.0, 2.0, yaw)] if wall else [])
    terrain = Terrain.flat(x0_m=-20.0, y0_m=-20.0, size_m=40.0)
    return Scenario(World("yard", terrain, bodies, (PlacedRobot(robot, x, y, yaw),)), Mission(limit_s=20.0))


def yard_with_actors() -> Scenario:
    """The same yard with somebody who walks along x far behind the robot, and somebody who stands 2 m ahead of it."""
    scenario = yard()
    x, y, yaw = START
    world = scenario.world.with_actor(
        "walker", person(motion=Route(points=((8.0, -8.0),)), speed_mps=1.0), at=(0.0, -8.0)
    )
    world = world.with_actor("waiter", person(), at=(x + 2.0 * math.cos(yaw), y + 2.0 * math.sin(yaw)))
    return replace(scenario, world=world)


class SimulatorSuite:
    """Give a fixture ``simulator``, and a ``scenario`` if your simulator cannot open :func:`yard`.

    The scenario must have a robot first that obeys a Twist; the tests of distance and of contact use :func:`yard`, too,
    unless ``opens_yards`` is False. Another ``robot`` in your subclass puts another drive to the test. A simulator that
    cannot move actors says ``moves_actors = False``: it must refuse worlds that have any.
    """

    opens_yards = True
    moves_actors = True
    robot: Robot = diff_drive()
    """What stands in the yards."""
    distance_share = 0.05
    """How much the distance driven may differ from the distance asked for."""

    @pytest.fixture
    def simulator(self) -> Simulator:
        """The simulator under test."""
        raise NotImplementedError("Wanted a fixture 'simulator' in your subclass of SimulatorSuite.")

    @pytest.fixture
    def scenario(self) -> Scenario:
        """What is opened."""
        return yard(robot=self.robot)

    def drive(
        self, session: Session, seconds: float, speed_mps: float = SPEED_MPS, turn_radps: float = 0.0
    ) -> list[Stamped]:
        """Command the first robot every tick; all that was said meanwhile."""
        said: list[Stamped] = []
        topic = session.command_topics[0]
        for _ in range(round(seconds * 1e9 / session.tick_ns)):
            said += session.step([Stamped(topic, session.time_ns, Twist.drive(speed_mps, turn_radps))])
        return said

    def test_time_advances_by_the_tick(self, simulator: Simulator, scenario: Scenario) -> None:
        """From zero, by ``tick_ns`` with every step; the observation has the same time."""
        session = simulator.open(scenario, seed=1)
        assert session.time_ns == 0
        for n in range(1, 6):
            session.step(())
            assert session.time_ns == n * session.tick_ns
            assert session.observe().time_ns == session.time_ns
        session.close()

    def test_observes_a_row_per_robot(self, simulator: Simulator, scenario: Scenario) -> None:
        """With the columns of TRUTH_COLUMNS, finite, and a quaternion of length one."""
        session = simulator.open(scenario, seed=1)
        self.drive(session, 1.0)
        rows = session.observe().rows
        assert rows.shape == (len(scenario.world.robots), len(TRUTH_COLUMNS))
        assert np.isfinite(rows).all()
        assert np.linalg.norm(rows[:, 3:7], axis=1) == pytest.approx(1.0)
        session.close()

    def test_an_observation_is_kept(self, simulator: Simulator, scenario: Scenario) -> None:
        """Later steps do not change what was observed."""
        session = simulator.open(scenario, seed=1)
        before = session.observe()
        kept = before.rows.copy()
        self.drive(session, 1.0)
        assert np.array_equal(before.rows, kept)
        session.close()

    def test_robots_start_at_their_pose(self, simulator: Simulator, scenario: Scenario) -> None:
        """Within a centimetre and a degree, at rest."""
        session = simulator.open(scenario, seed=1)
        for row, placed in zip(session.observe().rows, scenario.world.robots, strict=True):
            assert math.hypot(row[0] - placed.x_m, row[1] - placed.y_m) < 0.01
            assert abs(math.remainder(_yaw(row) - placed.yaw_rad, 2.0 * math.pi)) < math.radians(1.0)
            assert abs(row[7]) < 0.02
        session.close()

    def test_stays_where_it_is_without_commands(self, simulator: Simulator, scenario: Scenario) -> None:
        """A robot that hears nothing does not move away."""
        session = simulator.open(scenario, seed=1)
        first = session.observe().rows[0, :2]
        for _ in range(round(3e9 / session.tick_ns)):
            session.step(())
        assert np.hypot(*(session.observe().rows[0, :2] - first)) < 0.02
        session.close()

    def test_messages_are_stamped_within_the_tick(self, simulator: Simulator, scenario: Scenario) -> None:
        """Not before it begins, not after it ends; and there are some."""
        session = simulator.open(scenario, seed=1)
        count = 0
        for _ in range(round(1e9 / session.tick_ns)):
            begin = session.time_ns
            for _topic, time_ns, _message in session.step(()):
                assert begin <= time_ns <= session.time_ns
                count += 1
        assert count > 0
        session.close()

    def test_same_seed_same_run(self, simulator: Simulator, scenario: Scenario) -> None:
        """Truth and messages, to the last bit, in sessions that are open at the same time."""
        first, second = simulator.open(scenario, seed=4), simulator.open(scenario, seed=4)
        for _ in range(round(2e9 / first.tick_ns)):
            said = [self.drive(session, session.tick_ns / 1e9, turn_radps=0.2) for session in (first, second)]
            assert _told(said[0]) == _told(said[1])
            assert np.array_equal(first.observe().rows, second.observe().rows)
        first.close()
        second.close()

    def test_another_seed_makes_other_noise(self, simulator: Simulator, scenario: Scenario) -> None:
        """Sensors of two runs with different seeds do not say the same."""
        said = []
        for seed in (1, 2):
            session = simulator.open(scenario, seed=seed)
            said.append(_told(self.drive(session, 1.0)))
            session.close()
        assert said[0] != said[1]

    def test_commands_on_other_topics_are_passed_over(self, simulator: Simulator, scenario: Scenario) -> None:
        """What is not for the simulator does no harm."""
        session = simulator.open(scenario, seed=1)
        session.step([Stamped("/somebody/else", 0, Twist.drive(1.0, 0.0))])
        assert abs(session.observe().rows[0, 7]) < 0.02
        session.close()

    @pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
    def test_a_command_that_is_no_number_is_refused(self, simulator: Simulator, scenario: Scenario, bad: float) -> None:
        """An error of ours, at once or in the next tick; never a robot at a place that is not finite."""
        session = simulator.open(scenario, seed=1)
        topic = session.command_topics[0]

        def go_on() -> None:
            for _ in range(3):
                session.step([Stamped(topic, session.time_ns, Twist.drive(bad, 0.0))])

        with pytest.raises(StressfieldError):
            go_on()
        session.close()

    def test_closing_is_final_and_harmless(self, simulator: Simulator, scenario: Scenario) -> None:
        """Closing twice does no harm; another session opens as if nothing had been."""
        session = simulator.open(scenario, seed=1)
        self.drive(session, 0.5)
        here = session.observe().rows.copy()
        session.close()
        session.close()
        again = simulator.open(scenario, seed=1)
        self.drive(again, 0.5)
        assert np.array_equal(again.observe().rows, here)
        again.close()

    def test_drives_straight_as_far_as_it_is_told(self, simulator: Simulator) -> None:
        """Four seconds at half a metre a second, less the time to speed up; hardly aside."""
        session = self._yard(simulator, wall=False)
        self.drive(session, 1.0)
        before = session.observe().rows[0]
        self.drive(session, 4.0)
        after = session.observe().rows[0]
        along, aside = _along(before, after)
        assert along == pytest.approx(4.0 * SPEED_MPS, rel=self.distance_share)
        assert abs(aside) < 0.05
        assert after[7] == pytest.approx(SPEED_MPS, rel=0.1)
        session.close()

    def test_turns_to_the_left_as_far_as_it_is_told(self, simulator: Simulator) -> None:
        """Half a radian a second: on the spot, or along a circle for a robot that is steered. Tracks turn less."""
        drive = self.robot.drive
        steered = isinstance(drive, AckermannDrive)
        speed = 2.0 * SPEED_MPS if steered else 0.0
        share = drive.track_m / drive.effective_track_m if isinstance(drive, SkidSteerDrive) else 1.0
        session = self._yard(simulator, wall=False)
        self.drive(session, 2.0, speed, 0.5)
        before = session.observe().rows[0]
        self.drive(session, 2.0, speed, 0.5)
        after = session.observe().rows[0]
        turned = math.remainder(_yaw(after) - _yaw(before), 2.0 * math.pi)
        assert turned == pytest.approx(share, rel=0.1)
        chord = 2.0 * speed / 0.5 * math.sin(turned / 2.0)
        assert math.hypot(after[0] - before[0], after[1] - before[1]) == pytest.approx(chord, abs=0.05, rel=0.05)
        assert after[8] == pytest.approx(0.5 * share, rel=0.15)
        session.close()

    def test_moves_sideways_if_it_can_and_refuses_if_not(self, simulator: Simulator) -> None:
        """Two seconds to the left. A drive that cannot must say so: on the robot the command would be lost."""
        session = self._yard(simulator, wall=False)
        left = Twist(Vector3(y=0.3), Vector3())

        def go(seconds: float) -> None:
            for _ in range(round(seconds * 1e9 / session.tick_ns)):
                session.step([Stamped(session.command_topics[0], session.time_ns, left)])

        if not self.robot.drive.is_omnidirectional:
            with pytest.raises(SubjectError, match="cannot move sideways"):
                go(0.5)
            session.close()
            return
        go(2.0)
        before = session.observe().rows[0]
        go(2.0)
        after = session.observe().rows[0]
        along, aside = _along(before, after)
        assert aside == pytest.approx(0.6, rel=self.distance_share)
        assert abs(along) < 0.02
        assert after[7] == pytest.approx(0.3, rel=0.1)
        session.close()

    def test_stops_when_commands_stop(self, simulator: Simulator) -> None:
        """The watchdog of the drive."""
        session = self._yard(simulator, wall=False)
        self.drive(session, 1.0)
        for _ in range(round(3e9 / session.tick_ns)):
            session.step(())
        assert abs(session.observe().rows[0, 7]) < 0.02
        session.close()

    def test_motors_without_power_stop_and_obey_nothing(self, simulator: Simulator) -> None:
        """Where the drive of a robot has a switch."""
        if not self.opens_yards:
            pytest.skip("this simulator does not open yards")
        plain = yard(wall=False, robot=self.robot)
        placed = plain.world.robots[0]
        assert isinstance(placed.robot.drive, WheeledDrive)
        switched = replace(placed.robot, drive=replace(placed.robot.drive, power_topic="/power"))
        world = replace(plain.world, robots=(replace(placed, robot=switched),))
        session = simulator.open(replace(plain, world=world), seed=1)
        assert "/power" in session.command_topics
        self.drive(session, 1.0)
        session.step([Stamped("/power", session.time_ns, BoolMsg(False))])
        self.drive(session, 2.0)
        assert abs(session.observe().rows[0, 7]) < 0.02
        session.step([Stamped("/power", session.time_ns, BoolMsg(True))])
        self.drive(session, 2.0)
        assert session.observe().rows[0, 7] == pytest.approx(SPEED_MPS, rel=0.1)
        session.close()

    def test_the_lidar_sees_the_wall_where_it_is(self, simulator: Simulator) -> None:
        """Straight ahead, from the front of the robot, and farther to the sides."""
        session = self._yard(simulator)
        scans = [m for _, _, m in self.drive(session, 1.0, 0.0) if isinstance(m, LaserScan)]
        assert scans
        ranges = np.median(np.stack([scan.ranges for scan in scans]), axis=0)
        middle = len(ranges) // 2
        assert ranges[middle] == pytest.approx(WALL_M - self.robot.length_m / 2.0, abs=0.03)
        slanted = middle + round(math.radians(20.0) / scans[0].angle_increment)
        assert ranges[slanted] == pytest.approx(ranges[middle] / math.cos(math.radians(20.0)), abs=0.05)
        assert np.isinf(ranges[0])
        session.close()

    def test_clearance_shrinks_to_a_contact(self, simulator: Simulator) -> None:
        """The robot drives into the wall, is held by it, and the observer says so."""
        session = self._yard(simulator)
        assert session.observe().rows[0, 10] == -1.0
        self.drive(session, 3.0)
        before = session.observe().rows[0]
        gap = WALL_M - self.robot.length_m / 2.0
        assert before[9] == pytest.approx(min(2.0, gap - _along(_start(), before)[0]), abs=0.03)
        self.drive(session, 6.0)
        after = session.observe().rows[0]
        assert after[10] == 0.0
        assert -0.02 < after[9] <= 0.0
        assert _along(_start(), after)[0] < gap + 0.02
        session.close()

    def test_actors_go_their_way_and_are_observed(self, simulator: Simulator) -> None:
        """A row for each, finite: two seconds at a metre a second along a straight route; one that stands stays."""
        session = self._yard_with_actors(simulator)
        before = session.observe().actors
        assert before.shape == (2, len(ACTOR_COLUMNS))
        kept = before.copy()
        for _ in range(round(2e9 / session.tick_ns)):
            session.step(())
        after = session.observe().actors
        assert np.isfinite(after).all()
        assert np.array_equal(before, kept)
        assert np.hypot(*(after[0, :2] - before[0, :2])) == pytest.approx(2.0, abs=0.4)
        assert after[0, 1] == pytest.approx(before[0, 1], abs=1e-6)
        assert np.hypot(*after[0, 4:]) == pytest.approx(1.0, abs=0.01)
        assert np.array_equal(after[1], before[1])
        session.close()

    def test_the_lidar_sees_an_actor_where_it_is(self, simulator: Simulator) -> None:
        """The one that stands ahead of the robot, at its outline."""
        session = self._yard_with_actors(simulator)
        scans = [m for _, _, m in self.drive(session, 1.0, 0.0) if isinstance(m, LaserScan)]
        ranges = np.median(np.stack([scan.ranges for scan in scans]), axis=0)
        assert ranges[len(ranges) // 2] == pytest.approx(2.0 - 0.25 - diff_drive().length_m / 2.0, abs=0.03)
        session.close()

    def test_a_contact_with_an_actor_has_a_number_after_those_of_the_bodies(self, simulator: Simulator) -> None:
        """The robot drives into the one that stands and is held by it."""
        session = self._yard_with_actors(simulator)
        self.drive(session, 8.0)
        row = session.observe().rows[0]
        assert row[10] == 1.0 + 1.0  # after the wall, the second actor
        assert -0.03 < row[9] <= 0.0
        session.close()

    def test_actors_repeat_with_the_seed(self, simulator: Simulator) -> None:
        """To the last bit, in sessions that are open at the same time."""
        first, second = self._yard_with_actors(simulator), self._yard_with_actors(simulator)
        for _ in range(round(2e9 / first.tick_ns)):
            first.step(())
            second.step(())
            assert np.array_equal(first.observe().actors, second.observe().actors)
        first.close()
        second.close()

    def test_a_simulator_that_cannot_move_actors_refuses_them(self, simulator: Simulator) -> None:
        """With an error of ours that speaks of actors: they must not silently be missing."""
        if self.moves_actors or not self.opens_yards:
            pytest.skip("this simulator moves actors, or opens no yards")
        with pytest.raises(StressfieldError, match="actors"):
            simulator.open(yard_with_actors(), seed=1)

    def _yard_with_actors(self, simulator: Simulator) -> Session:
        if not (self.moves_actors and self.opens_yards):
            pytest.skip("this simulator does not move actors in yards")
        return simulator.open(yard_with_actors(), seed=1)

    def _yard(self, simulator: Simulator, *, wall: bool = True) -> Session:
        if not self.opens_yards:
            pytest.skip("this simulator does not open yards")
        return simulator.open(yard(wall=wall, robot=self.robot), seed=1)


def _start() -> Sequence[float]:
    return (START[0], START[1], 0.0, 0.0, 0.0, math.sin(START[2] / 2.0), math.cos(START[2] / 2.0))


def _yaw(row: Sequence[float]) -> float:
    qx, qy, qz, qw = (float(value) for value in row[3:7])
    return math.atan2(2.0 * (qw * qz + qx * qy), 1.0 - 2.0 * (qy * qy + qz * qz))


def _along(before: Sequence[float], after: Sequence[float]) -> tuple[float, float]:
    """How far ahead and how far to the left the robot came."""
    c, s = math.cos(_yaw(before)), math.sin(_yaw(before))
    dx, dy = after[0] - before[0], after[1] - before[1]
    return dx * c + dy * s, dy * c - dx * s


def _told(said: Sequence[Stamped]) -> list[tuple[str, int, str]]:
    """Messages in a form that can be compared."""
    return [(topic, time_ns, _spelled(message)) for topic, time_ns, message in said]


def _spelled(message: object) -> str:
    return repr(
        [
            value.tobytes() if isinstance(value, np.ndarray) else value
            for value in (getattr(message, name) for name in message.__struct_fields__)  # type: ignore[attr-defined]
        ]
    )
