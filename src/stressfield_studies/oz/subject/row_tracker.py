"""The row tracker: where are the rows of vegetables in this scan?"""

from __future__ import annotations

from math import atan2

import numpy as np

from stressfield.arrays import cosines, sines
from stressfield.bus import Link, Node
from stressfield.bus.messages import LaserScan, PoseStamped
from stressfield_studies.oz.mission import OzMission
from stressfield_studies.oz.robot import LIDAR_X_M, PERCEIVED, ROW, SCAN
from stressfield_studies.oz.subject.issues import Issues
from stressfield_studies.oz.subject.kernels import fit_rows, wrap
from stressfield_studies.oz.subject.messages import RowEstimate

_GATE_M = 0.24
_WIDE_GATE_M = 0.40
_AHEAD_M = 1.0
_NEAR_SIDE = 0.785  # mean depth of a round plant behind the points that the lidar sees of it
_BEYOND_END_M = 2.2


class RowTracker(Node):
    """Fits the rows that the mission tells of to each scan, starting from the perceived pose."""

    name = "row_tracker"

    def __init__(self, mission: OzMission, issues: Issues) -> None:
        self._rows = np.array(mission.row_y_m)
        self._x_low = -_BEYOND_END_M
        self._x_high = mission.row_length_m + _BEYOND_END_M
        self._depth = _NEAR_SIDE * mission.plant_radius_m
        self._pose = np.array([mission.start_x_m, mission.start_y_m, 0.0])
        spacing = float(np.min(np.abs(np.diff(self._rows)))) if len(self._rows) > 1 else 2.0
        self._gate = min(_WIDE_GATE_M if issues.i1_blind_turn else _GATE_M, 0.45 * spacing)
        self._beams: tuple[np.ndarray, np.ndarray] | None = None

    def setup(self, link: Link) -> None:
        """Listen to the lidar and to where the robot believes to be."""
        self._publish = link.publish
        link.subscribe(SCAN, self.on_scan, depth=1)
        link.subscribe(PERCEIVED, self.on_pose, depth=1)

    def on_pose(self, message: PoseStamped) -> None:
        """Remember the perceived pose as the place to start from."""
        pose = message.pose
        self._pose[0] = pose.position.x
        self._pose[1] = pose.position.y
        self._pose[2] = 2.0 * atan2(pose.orientation.z, pose.orientation.w)

    def on_scan(self, scan: LaserScan) -> None:
        """Fit and tell."""
        if self._beams is None:
            angles = scan.angle_min + scan.angle_increment * np.arange(len(scan.ranges))
            self._beams = (cosines(angles), sines(angles))
        dy, dyaw, var_y, var_yaw, points, ahead, farthest = fit_rows(
            scan.ranges, self._beams[0], self._beams[1], LIDAR_X_M, self._pose, self._rows,
            self._depth, self._gate, self._x_low, self._x_high, _AHEAD_M,
        )  # fmt: skip
        self._publish(
            ROW,
            RowEstimate(
                scan.header, self._pose[1] + dy, wrap(self._pose[2] + dyaw), var_y, var_yaw, points, ahead, farthest
            ),
        )
