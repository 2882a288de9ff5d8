"""The place of a recording as a map: from the map that the robot had, or from what its lidar saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from stressfield.errors import TraceError, WorldError
from stressfield.trace import Topic, Trace, Truth
from stressfield.trace.bags.field_topics import FieldTopics
from stressfield.world import OccupancyMap, PlacedRobot
from stressfield.world.grid_map import CELLS_MAX, FREE, OCCUPIED
from stressfield.world.sensors import Lidar

GRID = "nav_msgs/msg/OccupancyGrid"
SCAN = "sensor_msgs/msg/LaserScan"
CELL_M = 0.1
SEEN_TWICE = 2
"""A cell is taken if so many scans ended there: one alone may be rain, dust or a wrong echo."""
AROUND_M = 2.0
"""How far the map reaches beyond everything that was seen and driven."""
FREE_M = 0.05
"""Room around the outline of a robot at its start: what a scan put there is the robot itself, or noise."""


@dataclass(frozen=True, slots=True)
class SeenPlace:
    """A map, and how it was made, in words."""

    grid: OccupancyMap
    words: str


def place_from_grid(topic: Topic, origin: tuple[float, float, float]) -> SeenPlace:
    """The last map on a topic of maps. WorldError if it is none."""
    if topic.ros_type != GRID or not len(topic):
        raise WorldError(
            f"Topic {topic.name!r} has no map: got {len(topic)} messages of {topic.ros_type}, wanted {GRID}."
        )
    last = topic.messages[-1]
    info = last.info  # type: ignore[attr-defined]
    rows, columns, cell_m = int(info.height), int(info.width), float(info.resolution)
    data = np.asarray(last.data, dtype=np.int8)  # type: ignore[attr-defined]
    if data.size != rows * columns or not data.size:
        raise WorldError(f"The map on {topic.name!r} has {data.size} cells, wanted {columns} x {rows}.")
    mapping = FieldTopics(origin=origin)
    x, y = mapping.in_world(info.origin.position.x, info.origin.position.y)
    yaw = float(info.origin.yaw_rad) + origin[2]
    return SeenPlace(OccupancyMap(cell_m, (x, y, yaw), data.reshape(rows, columns)), f"the map on {topic.name}")


def place_from_scans(trace: Trace, robots: Sequence[PlacedRobot], *, cell_m: float = CELL_M) -> SeenPlace:
    """What the lidars of the robots saw, put where they were. TraceError if there are no scans, or no poses for them.

    Whatever moved is smeared over where it was seen at least twice; behind what was seen nothing is known, and free.
    """
    points, paths, topics = [], [], []
    for placed in robots:
        truth = trace.robots.get(placed.robot.name)
        lidars = [sensor for sensor in placed.robot.sensors if isinstance(sensor, Lidar)]
        for lidar in lidars:
            scans = trace.topics.get(lidar.topic)
            if truth is None or scans is None or not len(scans) or scans.ros_type != SCAN:
                continue
            points.append(_hits(scans, lidar, truth))
            paths.append(truth.values[np.isfinite(truth.x_m)][:, :2])
            topics.append(lidar.topic)
    if not points:
        raise TraceError(
            "The place cannot be made from scans: there are none with poses. Give it with --world: a descriptor, an "
            "SDF file or a map."
        )
    hits = np.concatenate(points)
    every = np.concatenate([hits[:, :2], *paths])
    low = np.floor((every.min(axis=0) - AROUND_M) / cell_m) * cell_m
    columns, rows = (ceil(size / cell_m) for size in every.max(axis=0) + AROUND_M - low)
    if rows * columns > CELLS_MAX:
        raise TraceError(f"The scans cover {columns * cell_m:.0f} m x {rows * cell_m:.0f} m. Give a shorter window.")
    cells = np.full((rows, columns), FREE, np.int8)
    # Each scan counts once for a cell, however many of its rays ended there.
    i, j = ((hits[:, axis] - low[axis]) // cell_m for axis in (0, 1))
    seen = np.unique(np.column_stack([hits[:, 2], j, i]).astype(np.int64), axis=0)
    where, often = np.unique(seen[:, 1:], axis=0, return_counts=True)
    taken = where[often >= SEEN_TWICE]
    cells[taken[:, 0], taken[:, 1]] = OCCUPIED
    for placed in robots:
        _clear(cells, low, cell_m, placed)
    grid = OccupancyMap(cell_m, (float(low[0]), float(low[1]), 0.0), cells)
    scans_read = len(np.unique(hits[:, 2]))
    return SeenPlace(grid, f"{scans_read} scans on {', '.join(dict.fromkeys(topics))}")


def _hits(scans: Topic, lidar: Lidar, truth: Truth) -> np.ndarray:
    """Where rays ended, [n, 3]: x and y in the world, and the number of the scan."""
    known = np.isfinite(truth.x_m)
    if not known.any():
        return np.zeros((0, 3))
    time_ns, yaw = truth.time_ns[known], np.unwrap(truth.yaw_rad[known])
    x, y, turned = (
        np.interp(scans.log_time_ns, time_ns, column) for column in (truth.x_m[known], truth.y_m[known], yaw)
    )
    found = []
    for number, scan in enumerate(scans.messages):
        ranges = np.asarray(scan.ranges, np.float64)  # type: ignore[attr-defined]
        angles = scan.angle_min + scan.angle_increment * np.arange(len(ranges))  # type: ignore[attr-defined]
        near, far = scan.range_min, scan.range_max  # type: ignore[attr-defined]
        good = np.isfinite(ranges) & (ranges > near) & (ranges < far)
        along = turned[number] + angles[good]
        from_x = x[number] + lidar.x_m * np.cos(turned[number])
        from_y = y[number] + lidar.x_m * np.sin(turned[number])
        ends = (from_x + ranges[good] * np.cos(along), from_y + ranges[good] * np.sin(along))
        found.append(np.column_stack([*ends, np.full(int(good.sum()), number)]))
    return np.concatenate(found) if found else np.zeros((0, 3))


def _clear(cells: np.ndarray, low: np.ndarray, cell_m: float, placed: PlacedRobot) -> None:
    """Where a robot stands at its start there is nothing else."""
    robot = placed.robot
    reach_m = robot.length_m + robot.width_m + abs(robot.centre_offset_m) + cell_m
    first = np.maximum(np.floor((np.array([placed.x_m, placed.y_m]) - reach_m - low) / cell_m), 0).astype(int)
    near = cells[first[1] : first[1] + ceil(2 * reach_m / cell_m), first[0] : first[0] + ceil(2 * reach_m / cell_m)]
    rows, columns = np.indices(near.shape)
    dx = low[0] + (columns + first[0] + 0.5) * cell_m - placed.x_m
    dy = low[1] + (rows + first[1] + 0.5) * cell_m - placed.y_m
    ahead = np.cos(placed.yaw_rad) * dx + np.sin(placed.yaw_rad) * dy - robot.centre_offset_m
    aside = np.cos(placed.yaw_rad) * dy - np.sin(placed.yaw_rad) * dx
    room = FREE_M + cell_m / 2.0
    near[(np.abs(ahead) < robot.length_m / 2.0 + room) & (np.abs(aside) < robot.width_m / 2.0 + room)] = FREE
