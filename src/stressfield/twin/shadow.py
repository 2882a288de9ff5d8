"""The simulator beside the robot: restarted from where it was measured, driven by the commands that it was given.

For every window the study's own simulator is opened with the robot where it was measured a moment before the window
began, and is given the commands that came. After that moment, in which speeds settle, both motions are compared in the
frame that the robot had when the window began. So errors do not add up from window to window.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from stressfield.arrays import Floats
from stressfield.bus.message import Message, Stamped
from stressfield.bus.messages import Odometry
from stressfield.calibration.estimate import LEVER_M
from stressfield.calibration.recordings import FASTEST
from stressfield.errors import InputError
from stressfield.scenario import Scenario
from stressfield.sim import Simulator
from stressfield.sim.simulator import TRUTH_COLUMNS
from stressfield.trace import Trace
from stressfield.trace.topic import Topic
from stressfield.world import Bodies, Mission, PlacedRobot, Terrain
from stressfield.world.drives import WheeledDrive

SETTLE_S = 1.0
"""Before a window: as long as speeds take to be what commands have made them, from a standstill."""
FLOOR_M, FLOOR_RAD = 0.05, 0.05
"""A residual is a share of the motion plus this: a robot that hardly moves would have enormous shares."""
STILL_M, STILL_RAD = 0.03, 0.03
"""Windows in which neither the robot nor the simulation moves more say nothing."""
MOVED_M = 0.2
"""Windows with less motion do not say whether it follows the commands."""
LEAP_M = 0.2
CONTACT = TRUTH_COLUMNS.index("contact_body")
TOUCHES = "the simulated robot touches something there, so its place is not known well enough"
TOO_FAST = "it went faster than its drive can by far"
FLAT_M = 400.0
"""Of the ground around the robot where nobody knows the place."""
PARTS = ("ahead", "left", "turn")
Motion = tuple[float, float, float]
"""How far ahead, how far to the left, how much turned."""
Place = tuple[float, float, float]
"""Where: x, y and yaw."""


@dataclass(frozen=True, slots=True)
class Residual:
    """One window, by when it ended. ``values`` are shares of the motion, by signal; none if the robot stood still.

    ``why`` says why nothing is known of it; empty if something is.
    """

    time_s: float
    values: Mapping[str, float]
    measured: Motion | None = None
    simulated: Motion | None = None
    why: str = ""

    @property
    def missed_share(self) -> float | None:
        """By how much of the motion both are apart; None if there was too little of it to say."""
        if self.measured is None or self.simulated is None:
            return None
        went = max(math.hypot(x, y, LEVER_M * turn) for x, y, turn in (self.measured, self.simulated))
        if went < MOVED_M:
            return None
        x, y, turn = (real - told for real, told in zip(self.measured, self.simulated, strict=True))
        return math.hypot(x, y, LEVER_M * turn) / went


class Shadow:
    """Windows of one robot, the first of a scenario that is on wheels."""

    def __init__(self, scenario: Scenario, simulator: Simulator, *, window_s: float, known_place: bool) -> None:
        if not 0.2 <= window_s <= 60.0:
            raise InputError(f"A window of {window_s!r} s; wanted 0.2 to 60 s.")
        placed = next((each for each in scenario.world.robots if isinstance(each.robot.drive, WheeledDrive)), None)
        if placed is None:
            raise InputError("The study has no robot on wheels: there is no motion to simulate beside it.")
        # what it would see costs time and changes nothing: commands are those that came
        self.robot = replace(placed.robot, sensors=())
        self._odometry = tuple(sensor.topic for sensor in placed.robot.sensors)
        drive = self.robot.drive
        self.commands = (*drive.command_topics, *drive.switch_topics)
        self._world = replace(scenario.world, actors=(), robots=())
        if not known_place:
            self._world = replace(self._world, bodies=Bodies.none(), regions=())
        self._scenario, self._simulator = scenario, simulator
        self.window_s, self.known_place = window_s, known_place
        self.path: list[Place] = []
        """Where the simulated robot was in the last window that was looked at, from where it was started."""
        self.measured: list[Place] = []
        """Where the robot was measured meanwhile."""

    @property
    def fastest_mps(self) -> float:
        """A robot that was faster is another one, or its pose leapt."""
        return FASTEST * float(getattr(self.robot.drive, "speed_max_mps", math.inf))

    @property
    def needs_s(self) -> float:
        """How much of the past a window takes."""
        return self.window_s + SETTLE_S

    def look(self, trace: Trace, start_s: float) -> Residual:
        """The window that begins then, in the time of the trace."""
        self.path, self.measured = [], []
        end_s = start_s + self.window_s
        if self.robot.name not in trace.robots:
            return Residual(end_s, {}, why="where the robot was is not known")
        poses = _poses(trace, self.robot.name)
        begin_s = start_s - SETTLE_S
        there = [_at(poses, time_s) for time_s in (begin_s, start_s, end_s)]
        if any(pose is None for pose in there) or _gap(poses, begin_s, end_s):
            return Residual(end_s, {}, why="where the robot was is not known all the time")
        inside = poses[(poses[:, 0] >= begin_s) & (poses[:, 0] <= end_s), 1:4]
        self.measured = [(x, y, yaw) for x, y, yaw in inside.tolist()]
        orders = [
            Stamped(name, round((time_s - begin_s) * 1e9), message)
            for name in self.commands
            if name in trace.topics
            for time_s, message in _messages(trace.topics[name], begin_s, end_s)
        ]
        if not any(order.topic in self.robot.drive.command_topics for order in orders):
            return Residual(end_s, {}, why="no command came")
        before, first, last = (pose for pose in there if pose is not None)
        simulated = self._simulate(before, sorted(orders, key=lambda order: order.time_ns))
        if simulated is None:
            return Residual(end_s, {}, why=TOUCHES)
        measured = in_frame(first, last)
        if math.hypot(*measured[:2]) > self.fastest_mps * self.window_s + LEAP_M:
            return Residual(end_s, {}, why=TOO_FAST)
        values: dict[str, float] = {}
        moved, turned = math.hypot(*simulated[:2]), abs(simulated[2])
        if max(moved, math.hypot(*measured[:2])) > STILL_M or max(turned, abs(measured[2])) > STILL_RAD:
            values |= _shares("pose", measured, simulated, moved, turned)
            for topic in self._odometry:
                found = _odometry(trace, topic, start_s, end_s)
                if found is not None and not np.allclose(found, measured):  # the pose itself may be an odometer's
                    values |= _shares(topic, found, simulated, moved, turned)
        return Residual(end_s, values, measured, simulated)

    def _simulate(self, pose: Floats, orders: Sequence[Stamped]) -> Motion | None:
        """How far the simulated robot moves in the window, in the frame that it has when that begins.

        None if it touches something: a pose that is off by a hand's breadth puts it into the wall beside it.
        """
        placed = PlacedRobot(self.robot, float(pose[0]), float(pose[1]), float(pose[2]))
        world = replace(self._world, robots=(placed,))
        if not self.known_place:
            corner = (placed.x_m - FLAT_M / 2, placed.y_m - FLAT_M / 2)
            world = replace(world, terrain=Terrain.flat(x0_m=corner[0], y0_m=corner[1], size_m=FLAT_M))
        scenario = replace(self._scenario, world=world, mission=Mission(limit_s=self.needs_s))
        session = self._simulator.open(scenario, seed=0)
        try:
            waiting, places = list(orders), []
            for until_s in (SETTLE_S, self.needs_s):
                while session.time_ns < round(until_s * 1e9):
                    next_ns = session.time_ns + session.tick_ns
                    due = [order for order in waiting if order.time_ns < next_ns]
                    waiting = waiting[len(due) :]
                    session.step(due)
                    row = session.observe().rows[0]
                    self.path.append((float(row[0]), float(row[1]), _yaw(row[3:7])))
                    if row[CONTACT] >= 0.0:
                        return None
                row = session.observe().rows[0]
                places.append(np.array([row[0], row[1], _yaw(row[3:7])]))
        finally:
            session.close()
        return in_frame(*places)


def in_frame(here: Floats, there: Floats) -> Motion:
    """How far ahead, to the left and turned: a pose seen from another."""
    dx, dy, turn = (there - here).tolist()
    c, s = math.cos(here[2]), math.sin(here[2])
    return c * dx + s * dy, c * dy - s * dx, math.remainder(turn, math.tau)


def _shares(
    name: str, measured: Sequence[float], simulated: Sequence[float], moved_m: float, turned_rad: float
) -> dict[str, float]:
    sizes = (FLOOR_M + moved_m, FLOOR_M + moved_m, FLOOR_RAD + turned_rad)
    triples = zip(PARTS, measured, simulated, sizes, strict=True)
    return {f"{name} {part}": (real - told) / size for part, real, told, size in triples}


def _yaw(quaternion: Floats) -> float:
    x, y, z, w = quaternion.tolist()
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def _poses(trace: Trace, robot: str) -> Floats:
    """[n, 4]: time, x, y and yaw, which runs on beyond a full turn; without what is not known."""
    truth = trace.robots[robot]
    good = np.isfinite(truth.values[:, :7]).all(axis=1)
    values = truth.values[good]
    x, y, z, w = (values[:, column] for column in range(3, 7))
    yaw = np.unwrap(np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)))
    return np.column_stack([truth.time_ns[good] / 1e9, values[:, 0], values[:, 1], yaw])


def _at(poses: Floats, time_s: float) -> Floats | None:
    """The pose at a time between two that are known; None outside of them."""
    times = poses[:, 0]
    if not len(times) or not times[0] <= time_s <= times[-1]:
        return None
    return np.array([np.interp(time_s, times, poses[:, column]) for column in (1, 2, 3)])


GAP_S = 0.5


def _gap(poses: Floats, begin_s: float, end_s: float) -> bool:
    """Whether the pose is not known for long, somewhere in between."""
    times = poses[:, 0]
    inside = times[(times >= begin_s) & (times <= end_s)]
    return bool(np.diff(np.concatenate(([begin_s], inside, [end_s]))).max() > GAP_S)


def _messages(topic: Topic, begin_s: float, end_s: float) -> list[tuple[float, Message]]:
    times = topic.time_s
    first, last = np.searchsorted(times, [begin_s, end_s])
    return [(float(times[place]), topic.messages[place]) for place in range(int(first), int(last))]


def _odometry(trace: Trace, name: str, start_s: float, end_s: float) -> Motion | None:
    """The motion that an odometer tells; None if this is none, or says too little."""
    topic = trace.topics.get(name)
    if topic is None or topic.ros_type != Odometry.ros_type or len(topic) < 2:
        return None
    turn = [topic.column(f"pose.pose.orientation.{axis}") for axis in "xyzw"]
    yaw = np.unwrap(
        np.arctan2(2.0 * (turn[3] * turn[2] + turn[0] * turn[1]), 1.0 - 2.0 * (turn[1] ** 2 + turn[2] ** 2))
    )
    place = [topic.column(f"pose.pose.position.{axis}") for axis in "xy"]
    poses = np.column_stack([topic.time_s, *place, yaw])
    here, there = _at(poses, start_s), _at(poses, end_s)
    if here is None or there is None or _gap(poses, start_s, end_s):
        return None
    return in_frame(here, there)
