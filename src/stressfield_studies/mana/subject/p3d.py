"""P3D: plans locally over arcs in the elevation map, and drives."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from math import ceil, cos, hypot, radians, sin, tan

import numpy as np
from numpy.typing import NDArray

from stressfield.bus import Link, Node
from stressfield.bus.messages import DiagnosticStatus, Header, PoseStamped, Twist, Vector3
from stressfield_studies.mana import robot
from stressfield_studies.mana.mission import ManaMission
from stressfield_studies.mana.subject.attitude import Six, six_of
from stressfield_studies.mana.subject.kernels import arc_costs
from stressfield_studies.mana.subject.messages import ElectedArc, ElevationMap

OK, ERROR = 0, 2
ARCS = 20
NODES = 15
ARC_LENGTH_M = 5.5
"""About what a scan shows without gaps. An arc must be free over all of it."""
CURVATURE_MAX = 0.8
NEAR_M = 1.0
NEAR_MARGIN_M = -0.01
FAR_MARGIN_M = 0.045
"""A cell counts as a whole, so obstacles seem up to 0.15 m larger already."""
RIM_M = 0.4
STANDS_OUT_M = 0.5
BESIDE_WEIGHT = 7.0
SLOPE_MAX_RAD = radians(16.5)
"""Half of what the rover can climb: maps are not exact, and it must not get stuck."""
ROUGHNESS_MAX_M = 0.20
UNKNOWN_MAX = 0.15
TERRAIN_WEIGHT_M = 3.0
TURN_WEIGHT_M = 0.3
BEEN_WEIGHT_M = 1.0
BEEN_WITHIN_M = 3.0
TRAIL_STEP_M = 1.0
TRAIL_SKIPPED = 10
"""So many of the last places do not count: the rover cannot but be near them."""
ARRIVAL_M = 1.0
REFUSALS_MAX = 3
FIRST_SPEED_MPS = 0.6
REACTION_S = 0.25
STUCK_AFTER_S = 15.0
STUCK_WITHIN_M = 0.3
_SAMPLE_M = 0.145
_RIM_SAMPLE_M = 0.25


@dataclass(frozen=True, slots=True)
class RobotSize:
    """How large P3D believes the robot is."""

    length_m: float = robot.LENGTH_M
    width_m: float = robot.WIDTH_M


class Phase(Enum):
    """What P3D is doing."""

    LOOK = "drive a few metres to see around"
    GO = "go to the goal"
    DONE = "done"
    FAILED = "failed"


class P3d(Node):
    """With every map it elects one of 20 arcs of 15 nodes; with every pose it drives along the one elected.

    An arc qualifies if the robot can stand at every node of it: known ground, not too steep, not too rough. Of those it
    elects the cheapest in terrain and distance to the goal. If none qualifies it stops, and fails if that stays so.
    """

    name = "p3d"

    def __init__(self, mission: ManaMission, size: RobotSize) -> None:
        self._mission = mission
        self.phase = Phase.LOOK
        self._curvature: float | None = None
        self._refusals = 0
        self._pose: Six | None = None
        self._start: tuple[float, float] | None = None
        self._anchor: tuple[float, float, int] | None = None
        self._reported = False
        self._trail = np.empty((64, 2))
        self._trail_length = 0
        share = np.linspace(-1.0, 1.0, ARCS)
        self.curvatures = CURVATURE_MAX * share * np.abs(share)
        self._costs = np.empty(ARCS)
        self._near = places(size, NEAR_MARGIN_M)
        self._far = places(size, FAR_MARGIN_M)
        self._rim = rim(size, RIM_M)
        self._limits = np.array([tan(SLOPE_MAX_RAD), ROUGHNESS_MAX_M, UNKNOWN_MAX, STANDS_OUT_M])
        self._weights = np.array([TERRAIN_WEIGHT_M, TURN_WEIGHT_M, BESIDE_WEIGHT, BEEN_WEIGHT_M])

    def setup(self, link: Link) -> None:
        """Listen to the map and the pose."""
        self._publish = link.publish
        link.subscribe(robot.PERCEIVED, self.on_pose, depth=1)
        link.subscribe(robot.MAP, self.on_map, depth=1)

    def on_pose(self, message: PoseStamped) -> None:
        """Drive on: the heartbeat of control."""
        pose = self._pose = six_of(message.pose)
        if self._start is None:
            self._start = pose[0], pose[1]
        if self.phase is Phase.LOOK and hypot(pose[0] - self._start[0], pose[1] - self._start[1]) >= (
            self._mission.first_drive_m
        ):
            self.phase = Phase.GO
        self._remember(pose[0], pose[1])
        if self.phase in {Phase.LOOK, Phase.GO}:
            if self._distance_to_goal() <= ARRIVAL_M:
                self._end(Phase.DONE, "goal reached")
            elif self._motionless(message.header.stamp.ns):
                self._end(Phase.FAILED, "the robot does not move")
        speed, turn = self._speeds()
        self._publish(robot.COMMAND, Twist(Vector3(speed), Vector3(0.0, 0.0, turn)))

    def on_map(self, message: ElevationMap) -> None:
        """Elect an arc."""
        if self.phase is not Phase.GO or self._pose is None:
            return
        x, y, yaw = self._soon()
        distance = self._distance_to_goal()
        elevation = message.elevation.reshape(message.height, message.width)
        best = arc_costs(
            self._costs, elevation, message.x0, message.y0, message.cell, x, y, yaw,
            self._mission.goal_x_m, self._mission.goal_y_m, self.curvatures, NODES,
            min(ARC_LENGTH_M, max(distance, ARRIVAL_M)), *self._near, *self._far, NEAR_M, self._rim, self._limits,
            self._weights, self._curvature or 0.0, self._trail[: max(0, self._trail_length - TRAIL_SKIPPED)],
            BEEN_WITHIN_M,
        )  # fmt: skip
        self._elect(message.header, int(best), distance)

    def _remember(self, x: float, y: float) -> None:
        """Keep the trail: a place for every metre."""
        n = self._trail_length
        if n and hypot(x - self._trail[n - 1, 0], y - self._trail[n - 1, 1]) < TRAIL_STEP_M:
            return
        if n == len(self._trail):
            self._trail = np.concatenate([self._trail, np.empty_like(self._trail)])
        self._trail[n] = x, y
        self._trail_length += 1

    def _soon(self) -> tuple[float, float, float]:
        """Where the rover will be when a new arc takes effect: so far along the one it drives now."""
        assert self._pose is not None
        x, y, _, _, _, yaw = self._pose
        speed, turn = self._speeds()
        middle = yaw + turn * REACTION_S / 2.0
        return x + speed * REACTION_S * cos(middle), y + speed * REACTION_S * sin(middle), yaw + turn * REACTION_S

    def _elect(self, header: Header, best: int, distance: float) -> None:
        qualified = int(np.isfinite(self._costs).sum())
        if best < 0:
            self._curvature = None
            self._refusals += 1
            self._publish(robot.ARC, ElectedArc(header, -1, 0, 0.0, 0.0, distance))
            if self._refusals >= REFUSALS_MAX:
                self._end(Phase.FAILED, "no arc elected")
            return
        self._refusals = 0
        self._curvature = curvature = float(self.curvatures[best])
        self._publish(robot.ARC, ElectedArc(header, best, qualified, curvature, float(self._costs[best]), distance))

    def _speeds(self) -> tuple[float, float]:
        if self.phase is Phase.LOOK:
            return FIRST_SPEED_MPS, 0.0
        if self.phase is not Phase.GO or self._curvature is None:
            return 0.0, 0.0
        speed = robot.SPEED_MPS * (1.0 - 0.4 * abs(self._curvature) / CURVATURE_MAX)
        return speed, speed * self._curvature

    def _distance_to_goal(self) -> float:
        assert self._pose is not None
        return hypot(self._mission.goal_x_m - self._pose[0], self._mission.goal_y_m - self._pose[1])

    def _motionless(self, now_ns: int) -> bool:
        """Whether the rover has stayed in one place for long."""
        assert self._pose is not None
        x, y = self._pose[0], self._pose[1]
        anchor = self._anchor
        if anchor is None or hypot(x - anchor[0], y - anchor[1]) > STUCK_WITHIN_M:
            self._anchor = x, y, now_ns
            return False
        return now_ns - anchor[2] > STUCK_AFTER_S * 1e9

    def _end(self, phase: Phase, text: str) -> None:
        self.phase = phase
        if not self._reported:
            self._reported = True
            level, name = (OK, "mission") if phase is Phase.DONE else (ERROR, "p3d")
            self._publish(robot.REPORT, DiagnosticStatus(level, name, text, "mana"))


def places(size: RobotSize, margin_m: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where P3D looks under the robot: at least as dense as the cells of the map, border and margin included."""
    half_x, half_y = size.length_m / 2.0 + margin_m, size.width_m / 2.0 + margin_m
    return (
        np.linspace(-half_x, half_x, ceil(2.0 * half_x / _SAMPLE_M) + 1),
        np.linspace(-half_y, half_y, ceil(2.0 * half_y / _SAMPLE_M) + 1),
    )


def rim(size: RobotSize, margin_m: float) -> NDArray[np.float64]:
    """Places around the robot, that far from it, where P3D would rather have nothing."""
    half_x, half_y = size.length_m / 2.0 + margin_m, size.width_m / 2.0 + margin_m
    along = np.linspace(-half_x, half_x, ceil(2.0 * half_x / _RIM_SAMPLE_M) + 1)
    across = np.linspace(-half_y, half_y, ceil(2.0 * half_y / _RIM_SAMPLE_M) + 1)[1:-1]
    sides = [np.column_stack([along, np.full(len(along), side)]) for side in (-half_y, half_y)]
    ends = [np.column_stack([np.full(len(across), end), across]) for end in (-half_x, half_x)]
    return np.concatenate(sides + ends)
