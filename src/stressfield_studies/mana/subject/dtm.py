"""DTM: builds the elevation map from clouds.

Gaps of up to 1.3 m between neighbouring points are filled where the slope is gentle, and so is the ground under the
rover. All other cells stay unknown.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from stressfield.bus import Link, Node
from stressfield.bus.messages import DiagnosticStatus, Header, PointCloud2, PoseStamped
from stressfield_studies.mana import robot
from stressfield_studies.mana.subject.attitude import Six, six_of, turn
from stressfield_studies.mana.subject.kernels import add_cloud, add_stand
from stressfield_studies.mana.subject.messages import ElevationMap

CELL_M = 0.15
REACH_M = 9.0
MARGIN_M = 15.0
_POSES = 30


class Dtm(Node):
    """Enters every cloud at the pose the rover had then; publishes the map around the rover, and all of it at the end.

    The map covers the rectangle from start to goal and ``MARGIN_M`` around.
    """

    name = "dtm"

    def __init__(self, corners_m: tuple[float, float, float, float]) -> None:
        x_min, y_min, x_max, y_max = corners_m
        self._x0, self._y0 = x_min - MARGIN_M, y_min - MARGIN_M
        columns = round((x_max - x_min + 2.0 * MARGIN_M) / CELL_M)
        rows = round((y_max - y_min + 2.0 * MARGIN_M) / CELL_M)
        self.elevation = np.full((rows, columns), np.nan, dtype=np.float32)
        self._known = np.zeros((rows, columns), dtype=np.uint8)
        self._poses: deque[tuple[int, Six]] = deque(maxlen=_POSES)

    def setup(self, link: Link) -> None:
        """Listen to clouds, poses and the end of the mission."""
        self._publish = link.publish
        link.subscribe(robot.POINTS, self.on_cloud, depth=1)
        link.subscribe(robot.PERCEIVED, self.on_pose)
        link.subscribe(robot.REPORT, self.on_report)

    def on_pose(self, message: PoseStamped) -> None:
        """Remember where the rover was when."""
        self._poses.append((message.header.stamp.ns, six_of(message.pose)))

    def on_cloud(self, message: PointCloud2) -> None:
        """Enter a cloud and tell the map around the rover."""
        if not self._poses:
            return
        pose = np.array(self._pose_at(message.header.stamp.ns))
        points = message.data.view(np.float32).reshape(-1, 3)
        grid = (self.elevation, self._known, self._x0, self._y0, CELL_M)
        add_stand(*grid, pose, robot.LENGTH_M / 2.0, robot.WIDTH_M / 2.0)
        add_cloud(*grid, points, message.height, pose, robot.LIDAR_X_M, robot.LIDAR_Z_M)
        self._tell(robot.MAP, message.header, self._window(float(pose[0]), float(pose[1])))

    def on_report(self, message: DiagnosticStatus) -> None:
        """The mission is over: tell all that was seen."""
        del message
        if not self._poses:
            return
        rows = np.flatnonzero(self._known.any(axis=1))
        columns = np.flatnonzero(self._known.any(axis=0))
        if len(rows):
            whole = (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
            self._tell(robot.FINAL_MAP, self._header, whole)

    def _pose_at(self, time_ns: int) -> Six:
        """The pose at a time, between the two that are known around it; the nearest beyond them."""
        poses = self._poses
        after = next((i for i in range(len(poses)) if poses[i][0] >= time_ns), len(poses) - 1)
        if after == 0 or poses[after][0] <= time_ns:
            return poses[after][1]
        (t0, a), (t1, b) = poses[after - 1], poses[after]
        share = (time_ns - t0) / (t1 - t0)
        x, y, z, roll, pitch = (p + share * (q - p) for p, q in zip(a[:5], b[:5], strict=True))
        return x, y, z, roll, pitch, a[5] + share * turn(b[5] - a[5])

    def _window(self, x: float, y: float) -> tuple[int, int, int, int]:
        rows, columns = self.elevation.shape
        half = round(REACH_M / CELL_M)
        i, j = round((x - self._x0) / CELL_M), round((y - self._y0) / CELL_M)
        i0, j0 = min(max(0, i - half), columns), min(max(0, j - half), rows)
        return i0, j0, max(i0, min(columns, i + half)), max(j0, min(rows, j + half))

    def _tell(self, topic: str, header: Header, window: tuple[int, int, int, int]) -> None:
        i0, j0, i1, j1 = window
        self._header = Header(header.stamp, "world")
        part = self.elevation[j0:j1, i0:i1].ravel()
        x0, y0 = self._x0 + i0 * CELL_M, self._y0 + j0 * CELL_M
        self._publish(topic, ElevationMap(self._header, x0, y0, CELL_M, i1 - i0, j1 - j0, part))
