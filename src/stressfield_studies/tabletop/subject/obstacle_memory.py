"""What the lidar has seen that is on no map."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin

import numpy as np

from stressfield.arrays import Floats, cosines, sines
from stressfield.bus.messages import LaserScan
from stressfield_studies.tabletop.mission import Wall
from stressfield_studies.tabletop.place.grid import box_distance

MAPPED_M = 0.15
CELL_M = 0.05
RANGE_M = 3.5
TWICE = 2


class ObstacleMemory:
    """Points of the map where something unexpected was seen at least twice."""

    def __init__(self, walls: Sequence[Wall]) -> None:
        self._walls = tuple(walls)
        self._seen: dict[tuple[int, int], int] = {}

    def see(self, scan: LaserScan, x: float, y: float, yaw: float) -> Floats:
        """Take in a scan from this pose; returns all its points near the robot, in the robot's frame."""
        count = len(scan.ranges)
        angles = scan.angle_min + scan.angle_increment * np.arange(count)
        good = np.isfinite(scan.ranges) & (scan.ranges < RANGE_M)
        ranges, angles = scan.ranges[good].astype(np.float64), angles[good]
        near = np.stack([ranges * cosines(angles), ranges * sines(angles)], axis=1)
        c, s = cos(yaw), sin(yaw)
        mx, my = x + c * near[:, 0] - s * near[:, 1], y + s * near[:, 0] + c * near[:, 1]
        new = np.ones(len(near), dtype=np.bool_)
        for wall in self._walls:
            new &= box_distance(wall, mx, my) > MAPPED_M
        cells = set(
            zip((mx[new] // CELL_M).astype(int).tolist(), (my[new] // CELL_M).astype(int).tolist(), strict=True)
        )
        for cell in cells:
            self._seen[cell] = self._seen.get(cell, 0) + 1
        return near

    @property
    def points(self) -> Floats:
        """Where unexpected things are."""
        cells = [cell for cell, times in self._seen.items() if times >= TWICE]
        return (np.array(cells, dtype=np.float64).reshape(-1, 2) + 0.5) * CELL_M


def sector(points: Floats, *, ahead_m: float, half_m: float) -> bool:
    """Whether something is in a strip of this length and half width before the robot's middle."""
    if not len(points):
        return False
    return bool(((points[:, 0] > 0.0) & (points[:, 0] < ahead_m) & (np.abs(points[:, 1]) < half_m)).any())
