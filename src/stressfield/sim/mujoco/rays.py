"""Rays from one point through a model: what lidars and depth cameras see."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats
from stressfield.sim.mujoco.device import Data, Model
from stressfield.sim.mujoco.library import mujoco

SEEN = np.array([1, 1, 1, 1, 0, 0], dtype=np.uint8)
"""Groups of geoms that rays meet: not the wheels inside the outline of a robot, not the ground (see ``Rays.cast``)."""

SEEN_WITH_GROUND = np.array([1, 1, 1, 1, 0, 1], dtype=np.uint8)


class Rays:
    """A fan of rays in the frame of a sensor, cast from wherever the sensor is."""

    def __init__(self, model: Model, data: Data, table: Floats, *, range_max_m: float, without_body: int = -1) -> None:
        self._model, self._data = model, data
        self._table = table
        self._range_max_m = range_max_m
        self._without = without_body
        self._geoms = np.empty(len(table), dtype=np.int32)
        self.directions = np.empty_like(table)
        self.ranges = np.empty(len(table))

    def cast(self, origin: Floats, turned: Floats, groups: NDArray[np.uint8] = SEEN) -> None:
        """Fill ``directions`` (in the world) and ``ranges``: the free distance, at most the greatest range.

        ``turned`` is the rotation matrix of the sensor. MuJoCo's own height fields are slow to meet with flat rays:
        give ``SEEN_WITH_GROUND`` for few rays only, or meet the ground with the kernels of the kinematic simulator.
        """
        np.matmul(self._table, turned.T, out=self.directions)
        mujoco.mj_multiRay(
            self._model, self._data, origin, self.directions.reshape(-1), groups, True, self._without,
            self._geoms, self.ranges, None, len(self.ranges), self._range_max_m,
        )  # fmt: skip
        ranges = self.ranges
        ranges[(ranges < 0.0) | (ranges > self._range_max_m)] = self._range_max_m
