"""From goals to velocity commands: a way over the map, motions tried against map and scan, recovery when stuck."""

from __future__ import annotations

from math import atan2, cos, hypot, inf, pi, sin

import numpy as np

from stressfield.arrays import Floats, cosines, sines
from stressfield.bus import Link, Node
from stressfield.bus.messages import (
    DiagnosticStatus,
    Float64Msg,
    Header,
    LaserScan,
    Path,
    Point,
    Pose,
    PoseStamped,
    PoseWithCovarianceStamped,
    Quaternion,
    Time,
    Twist,
)
from stressfield_studies.hospital import robot
from stressfield_studies.hospital.mission import HospitalMission
from stressfield_studies.hospital.subject.floor_map import CELL_M, floor_map, ways_to
from stressfield_studies.hospital.subject.kernels import choose, local_grid, look_up, scan_points
from stressfield_studies.hospital.subject.recovery import Recovery, back_up
from stressfield_studies.hospital.subject.right_of_way import RightOfWay

SPEEDS = np.array([0.0, 0.055, 0.11, 0.165, 0.22])
TURNS = np.array([-1.5, -1.0, -0.65, -0.4, -0.2, -0.08, 0.0, 0.08, 0.2, 0.4, 0.65, 1.0, 1.5])
SETTINGS = np.array([1.0, robot.RADIUS_M, robot.CENTRE_M, 0.20, 0.10, 0.5, 0.01, 0.55, 0.8, 0.27])
LOCAL_M = 0.6
GOAL_TOLERANCE_M = 0.12
PROGRESS_M = 0.08
PATIENCE_S = 5.0
UNMAPPED_M = 0.15
NO_WAY_COST = 200.0
OK, ERROR = 0, 2


class MoveBase(Node):
    """Drives to the last goal it got and says how that ended. It acts on every pose, five times a second."""

    def __init__(self, mission: HospitalMission, name: str, others: tuple[str, ...], first: tuple[str, ...]) -> None:
        self.name = f"{name}/move_base"
        self._robot = name
        self._mission = mission
        plan = floor_map(mission)
        self._map = (plan.distance, plan.grid)
        angles = 2.0 * pi * np.arange(robot.RAYS) / robot.RAYS
        self._table = np.stack([cosines(angles), sines(angles)], axis=1)
        self._points = np.empty((robot.RAYS, 2))
        self._count = 0
        cells = 2 * round(LOCAL_M / CELL_M) + 1
        self._near = np.full((cells, cells), 9.0)
        self._near_grid = np.array([-LOCAL_M, -LOCAL_M, CELL_M])
        self._best = np.zeros(2)
        self._pose = np.zeros(3)
        self._goal: tuple[float, float] | None = None
        self._away: Floats | None = None
        self._recovery = Recovery()
        self._right_of_way = RightOfWay(others, first)
        self._best_away = inf
        self._progress_ns = 0

    def setup(self, link: Link) -> None:
        """Listen to goals, scans, and poses of all robots."""
        self._link = link
        self._nearest_topic = robot.topic(self._robot, robot.NEAREST)
        self._command_topic = robot.topic(self._robot, robot.COMMAND)
        link.subscribe(robot.topic(self._robot, robot.GOAL), self._on_goal)
        link.subscribe(robot.topic(self._robot, robot.SCAN), self._on_scan, depth=1)
        link.subscribe(robot.topic(self._robot, robot.POSE), self._on_pose, depth=1)
        for other in self._right_of_way.others:
            link.subscribe(robot.topic(other, robot.POSE), self._right_of_way.hearing(other), depth=1)

    def _on_goal(self, message: PoseStamped) -> None:
        self._goal = (message.pose.position.x, message.pose.position.y)
        self._recovery = Recovery()
        self._plan(blocked=False)

    def _on_scan(self, scan: LaserScan) -> None:
        self._count = scan_points(self._points, scan.ranges, self._table, 1, robot.CENTRE_M)
        local_grid(self._near, self._near_grid, self._points, self._count)
        self._link.publish(self._nearest_topic, Float64Msg(min(float(scan.ranges.min()), scan.range_max)))

    def _on_pose(self, message: PoseWithCovarianceStamped) -> None:
        place, turned = message.pose.pose.position, message.pose.pose.orientation
        self._pose[0], self._pose[1], self._pose[2] = place.x, place.y, 2.0 * atan2(turned.z, turned.w)
        if self._goal is None or self._away is None:
            return
        if hypot(self._goal[0] - place.x, self._goal[1] - place.y) < GOAL_TOLERANCE_M:
            self._finish(OK, "reached")
            return
        speed, turn = self._decide(self._link.now_ns)
        if self._goal is not None:
            self._link.publish(self._command_topic, Twist.drive(speed, turn))

    def _decide(self, now_ns: int) -> tuple[float, float]:
        """Speed and turn rate for the next fifth of a second."""
        assert self._away is not None
        order = self._recovery.order(now_ns, self._points[: self._count])
        if order is not None:
            return order
        if self._right_of_way.must_wait(self._pose, now_ns):
            self._progress_ns = now_ns
            return back_up(self._points[: self._count]) if self._right_of_way.is_tight(self._pose) else (0.0, 0.0)
        far = look_up(self._away, self._map[1], self._pose[0], self._pose[1])[0]
        if far < self._best_away - PROGRESS_M:
            self._best_away, self._progress_ns = far, now_ns
        others = self._right_of_way.moving(now_ns)
        cost = choose(
            self._best, self._pose, SPEEDS, TURNS, self._away, *self._map, self._near, self._near_grid, others, SETTINGS
        )
        if now_ns - self._progress_ns > PATIENCE_S * 1e9:
            self._recover(now_ns)
            return 0.0, 0.0
        if cost == inf:
            return 0.0, 0.0
        return float(self._best[0]), float(self._best[1])

    def _recover(self, now_ns: int) -> None:
        if not self._recovery.begin(now_ns):
            self._finish(ERROR, "gave up")
            return
        self._plan(blocked=True)

    def _plan(self, *, blocked: bool) -> None:
        """A new way to the goal; ``blocked`` takes what the lidar sees beside the map as obstacles."""
        assert self._goal is not None
        self._away = ways_to(self._mission, *self._goal, self._unmapped() if blocked else None)
        far = look_up(self._away, self._map[1], self._pose[0], self._pose[1])[0]
        self._best_away, self._progress_ns = far, self._link.now_ns
        if far > NO_WAY_COST and not blocked:
            self._finish(ERROR, "no way there")
            return
        self._publish_plan()

    def _unmapped(self) -> Floats:
        """Scan points that are on no map, in the frame of the map, thinned."""
        x, y, yaw = self._pose.tolist()
        seen = self._points[: self._count]
        points = np.column_stack(
            [x + cos(yaw) * seen[:, 0] - sin(yaw) * seen[:, 1], y + sin(yaw) * seen[:, 0] + cos(yaw) * seen[:, 1]]
        )
        unknown = [look_up(*self._map, px, py)[0] > UNMAPPED_M for px, py in points.tolist()]
        return points[np.array(unknown, dtype=np.bool_)][::2] if len(points) else points

    def _publish_plan(self) -> None:
        """The way from here, every quarter metre."""
        assert self._away is not None
        assert self._goal is not None
        x, y, _ = self._pose.tolist()
        header = Header(Time.from_ns(self._link.now_ns), "map")
        poses = []
        for _ in range(120):
            poses.append(PoseStamped(header, Pose(Point(x, y, 0.0), Quaternion())))
            for _ in range(10):
                _, dx, dy = look_up(self._away, self._map[1], x, y)
                steep = hypot(dx, dy) or 1.0
                x, y = x - 0.025 * dx / steep, y - 0.025 * dy / steep
            if hypot(self._goal[0] - x, self._goal[1] - y) < 2.0 * GOAL_TOLERANCE_M:
                break
        poses.append(PoseStamped(header, Pose(Point(*self._goal, 0.0), Quaternion())))
        self._link.publish(robot.topic(self._robot, robot.PLAN), Path(header, tuple(poses)))

    def _finish(self, level: int, word: str) -> None:
        self._goal = self._away = None
        self._link.publish(self._command_topic, Twist.drive(0.0, 0.0))
        self._link.publish(robot.topic(self._robot, robot.RESULT), DiagnosticStatus(level, "move_base", word))
