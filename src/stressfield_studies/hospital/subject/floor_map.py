"""The map of the floor as the robots carry it: distances to walls and beds, and what each way costs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from stressfield.arrays import Floats
from stressfield_studies.hospital.mission import Box, HospitalMission
from stressfield_studies.hospital.robot import RADIUS_M
from stressfield_studies.hospital.subject.kernels import distance_field, distance_to_points, potential

CELL_M = 0.05
BORDER_M = 0.3
INFLATION_M = 0.30
INFLATION_COST = 3.0
TOUCHING_COST = 30.0
INSIDE_COST = 1000.0
MARGIN_M = 0.015


@dataclass(frozen=True, slots=True, eq=False)
class FloorMap:
    """``distance`` to what is on the map, and ``cost`` per metre of driving there, at every cell of ``grid``."""

    grid: Floats
    distance: Floats
    cost: Floats

    def cell(self, x_m: float, y_m: float) -> tuple[int, int]:
        """Row and column of a point, clamped to the map."""
        rows, columns = self.distance.shape
        j, i = round((y_m - self.grid[1]) / CELL_M), round((x_m - self.grid[0]) / CELL_M)
        return min(max(j, 0), rows - 1), min(max(i, 0), columns - 1)


def cost_of(distance: Floats) -> Floats:
    """What a metre costs at these distances from things: more when near, very much where the robot would touch."""
    lacking = np.clip((INFLATION_M - distance) / (INFLATION_M - RADIUS_M), 0.0, 1.0)
    cost = 1.0 + INFLATION_COST * lacking * lacking
    cost[distance < RADIUS_M + MARGIN_M] = TOUCHING_COST
    cost[distance < RADIUS_M / 2.0] = INSIDE_COST
    return cost


@lru_cache(maxsize=16)
def _floor_map(boxes: tuple[Box, ...], width_m: float, depth_m: float) -> FloorMap:
    grid = _settled(np.array([-BORDER_M, -depth_m / 2.0 - BORDER_M, CELL_M]))
    columns, rows = (round((size + 2.0 * BORDER_M) / CELL_M) + 1 for size in (width_m, depth_m))
    packed = np.array([[box.x_m, box.y_m, box.size_x_m / 2.0, box.size_y_m / 2.0] for box in boxes]).reshape(-1, 4)
    distance = distance_field(packed, grid, rows, columns)
    return FloorMap(grid, _settled(distance), _settled(cost_of(distance)))


def floor_map(mission: HospitalMission) -> FloorMap:
    """The map of a mission; robots and runs share it."""
    return _floor_map(mission.map, mission.width_m, mission.depth_m)


@lru_cache(maxsize=128)
def _ways(boxes: tuple[Box, ...], width_m: float, depth_m: float, j: int, i: int) -> Floats:
    return _settled(potential(_floor_map(boxes, width_m, depth_m).cost, CELL_M, j, i))


def ways_to(mission: HospitalMission, x_m: float, y_m: float, blocked: Floats | None = None) -> Floats:
    """Cost of the way to a goal from every cell of the map, around the points that are ``blocked``, if any."""
    plan = floor_map(mission)
    j, i = plan.cell(x_m, y_m)
    if blocked is None or not len(blocked):
        return _ways(mission.map, mission.width_m, mission.depth_m, j, i)
    rows, columns = plan.distance.shape
    seen = distance_to_points(blocked, plan.grid, rows, columns, INFLATION_M)
    return _settled(potential(_settled(np.maximum(plan.cost, cost_of(seen))), CELL_M, j, i))


def _settled(array: Floats) -> Floats:
    """Not to be written any more, as all arrays of maps: kernels are compiled for one kind of array only."""
    array.setflags(write=False)
    return array
