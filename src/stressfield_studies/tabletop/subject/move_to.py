"""The action ``move_to``: plan on the map, drive around what the lidar sees, turn, and dock straight on."""

from __future__ import annotations

from enum import Enum
from math import atan2, cos, hypot, sin

import numpy as np

from stressfield.arrays import Floats
from stressfield.bus import Link, Node
from stressfield.bus.messages import LaserScan, Odometry, PoseStamped, Twist
from stressfield_studies.tabletop import robot
from stressfield_studies.tabletop.builds import Issues
from stressfield_studies.tabletop.messages import MOVE_TO, MoveToGoal, goal_topic
from stressfield_studies.tabletop.mission import TabletopMission
from stressfield_studies.tabletop.place.grid import Grid, plan
from stressfield_studies.tabletop.place.rooms import DEPTH_M
from stressfield_studies.tabletop.subject.localiser import Localiser, turned
from stressfield_studies.tabletop.subject.middleware import Middleware
from stressfield_studies.tabletop.subject.obstacle_memory import ObstacleMemory, sector

RADIUS_M = hypot(robot.LENGTH_M, robot.WIDTH_M) / 2.0 + 0.05
AHEAD_M = 0.5
CRUISE_MPS = 0.5
DOCK_MPS = 0.2
TURN_RADPS = 0.9
NEAR_M = 0.06
FACING_RAD = 0.03
PATIENCE_S = 4.0
HALT_M = robot.LENGTH_M / 2.0 + 0.12


class Phase(Enum):
    """What the base is doing."""

    IDLE = "idle"
    DRIVE = "driving"
    TURN = "turning"
    DOCK = "docking"
    FACE = "facing"


class MoveTo(Node):
    """Steers the base; the heartbeat of control is odometry."""

    name = MOVE_TO

    def __init__(self, mission: TabletopMission, issues: Issues) -> None:
        self._issues = issues
        width_m = max(wall.x_m + max(wall.length_m, wall.width_m) / 2.0 for wall in mission.walls)
        self._map = Grid.of(x0_m=0.0, y0_m=0.0, width_m=width_m, depth_m=DEPTH_M, walls=mission.walls)
        self._memory = ObstacleMemory(mission.walls)
        self._where = Localiser()
        self._phase = Phase.IDLE
        self._goal: MoveToGoal | None = None
        self._path: Floats = np.zeros((0, 2))
        self._near: Floats = np.zeros((0, 2))
        self._stuck_since_s: float | None = None

    def setup(self, link: Link) -> None:
        """Listen to goals, wheels, lidar and localisation."""
        self._link = link
        self._actions = Middleware(link, self._issues)
        link.subscribe(goal_topic(MOVE_TO), self.on_goal)
        link.subscribe(robot.ODOMETRY, self.on_odometry, depth=1)
        link.subscribe(robot.POSE, self.on_pose, depth=1)
        link.subscribe(robot.SCAN, self.on_scan, depth=1)

    def on_goal(self, goal: MoveToGoal) -> None:
        """Begin."""
        self._goal = goal
        self._phase = Phase.DRIVE
        self._stuck_since_s = None
        self._path = np.zeros((0, 2))
        self._actions.feedback(MOVE_TO, goal.goal_id, "received")

    def on_pose(self, message: PoseStamped) -> None:
        """Correct where we are."""
        self._where.pose(message)

    def on_scan(self, message: LaserScan) -> None:
        """See obstacles; plan again where one is in the way."""
        if self._phase is Phase.IDLE or not self._where.known:
            return
        here = self._where
        self._near = self._memory.see(message, here.x, here.y, here.yaw)
        if self._phase is Phase.DRIVE:
            self._plan_if_blocked()

    def on_odometry(self, message: Odometry) -> None:
        """Move on."""
        self._where.odometry(message)
        if self._phase is Phase.IDLE or self._goal is None or not self._where.known:
            return
        if self._phase is Phase.DRIVE:
            speed, turn = self._drive()
        else:
            steer = {Phase.TURN: self._turn, Phase.DOCK: self._dock, Phase.FACE: self._face}[self._phase]
            speed, turn = steer(self._goal)
        self._link.publish(robot.DRIVE, Twist.drive(speed, turn))

    def _before(self, goal: MoveToGoal) -> tuple[float, float]:
        return goal.x - goal.dock_m * cos(goal.yaw), goal.y - goal.dock_m * sin(goal.yaw)

    def _plan_if_blocked(self) -> None:
        assert self._goal is not None
        points = self._memory.points
        if len(self._path) and not self._blocked(points):
            return
        here = self._where
        grid = self._map.with_points(points)
        path = plan(grid, (here.x, here.y), self._before(self._goal), radius_m=RADIUS_M)
        now_s = self._link.now_ns / 1e9
        if path is None:
            self._path = np.zeros((0, 2))
            if self._stuck_since_s is None:
                self._stuck_since_s = now_s
            elif now_s - self._stuck_since_s > PATIENCE_S:
                self._end(f"no way to {self._goal.location}")
            return
        self._stuck_since_s = None
        self._path = np.array(path)

    def _blocked(self, points: Floats) -> bool:
        if not len(points):
            return False
        gap = self._path[:, None, :] - points[None, :, :]
        return bool((np.hypot(gap[..., 0], gap[..., 1]) < RADIUS_M - 0.05).any())

    def _drive(self) -> tuple[float, float]:
        here = self._where
        if not len(self._path):
            return 0.0, 0.0
        far = np.hypot(self._path[:, 0] - here.x, self._path[:, 1] - here.y)
        nearest = int(np.argmin(far))
        self._path = self._path[nearest:]
        far = far[nearest:]
        if far[-1] < NEAR_M or (len(self._path) == 1 and far[-1] < 2.0 * NEAR_M):
            self._phase = Phase.TURN
            return 0.0, 0.0
        beyond = np.flatnonzero(far > AHEAD_M)
        target = self._path[int(beyond[0])] if len(beyond) else self._path[-1]
        off = turned(atan2(target[1] - here.y, target[0] - here.x) - here.yaw)
        left_m = float(far[-1])
        if abs(off) > 0.7:
            return 0.0, TURN_RADPS * (1.0 if off > 0.0 else -1.0)
        speed = min(CRUISE_MPS * max(0.0, 1.0 - abs(off)), 0.08 + 0.8 * left_m)
        if sector(self._near, ahead_m=HALT_M + 0.4 * speed, half_m=robot.WIDTH_M / 2.0):
            self._path = np.zeros((0, 2))
            return -0.05, 0.0
        return speed, max(-TURN_RADPS, min(TURN_RADPS, 1.8 * off))

    def _turn_towards(self, yaw: float) -> float | None:
        off = turned(yaw - self._where.yaw)
        if abs(off) < FACING_RAD:
            return None
        rate = min(TURN_RADPS, 0.15 + 1.2 * abs(off))
        return rate if off > 0.0 else -rate

    def _turn(self, goal: MoveToGoal) -> tuple[float, float]:
        rate = self._turn_towards(goal.yaw)
        if rate is None:
            self._phase = Phase.DOCK
            return 0.0, 0.0
        return 0.0, rate

    def _dock(self, goal: MoveToGoal) -> tuple[float, float]:
        here = self._where
        dx, dy = goal.x - here.x, goal.y - here.y
        left = dx * cos(goal.yaw) + dy * sin(goal.yaw)
        aside = dy * cos(goal.yaw) - dx * sin(goal.yaw)
        if left < 0.012:
            self._phase = Phase.FACE
            return 0.0, 0.0
        if left > 0.1 and self._something_before(goal, left):
            self._end(f"something stands before {goal.location}")
            return 0.0, 0.0
        heading = goal.yaw + max(-0.25, min(0.25, 1.2 * aside)) * min(1.0, left / 0.15)
        return min(DOCK_MPS, 0.03 + 0.8 * left), 1.5 * turned(heading - here.yaw)

    def _something_before(self, goal: MoveToGoal, left_m: float) -> bool:
        points = self._memory.points
        if not len(points):
            return False
        dx, dy = points[:, 0] - self._where.x, points[:, 1] - self._where.y
        c, s = cos(goal.yaw), sin(goal.yaw)
        ahead, aside = dx * c + dy * s, np.abs(dy * c - dx * s)
        reach_m = left_m + robot.LENGTH_M / 2.0
        return bool(((ahead > 0.0) & (ahead < reach_m) & (aside < robot.WIDTH_M / 2.0)).any())

    def _face(self, goal: MoveToGoal) -> tuple[float, float]:
        rate = self._turn_towards(goal.yaw)
        if rate is None:
            self._end(None)
            return 0.0, 0.0
        return 0.0, rate

    def _end(self, problem: str | None) -> None:
        if self._goal is not None:
            goal_id, self._goal = self._goal.goal_id, None
            self._phase = Phase.IDLE
            self._link.publish(robot.DRIVE, Twist.drive(0.0, 0.0))
            self._actions.end(MOVE_TO, goal_id, problem)
