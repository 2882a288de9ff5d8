"""Rays through a model: what lidars and depth cameras see.

Bodies and robots are met by MuJoCo's rays, the ground by the kernels that the kinematic simulator uses as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from stressfield.arrays import Bytes, Floats, turned
from stressfield.sim.mujoco._engine import Data, Model, mujoco
from stressfield.sim.mujoco.picture import RobotEye
from stressfield.sim.rig import FreeDistances
from stressfield.sim.rig._ground_kernels import meet_ground
from stressfield.sim.rig._lidar3d_kernels import meet_ground as meet_bounded_ground
from stressfield.sim.rig._live.lidars import ring_directions, scan_directions
from stressfield.sim.rig.mount import Pixels
from stressfield.sim.rig.place import Ground
from stressfield.sim.rig.ray_grid import RayGrid
from stressfield.world import ColorCamera, Lidar, Lidar3D, World

SEEN = np.array([1, 1, 1, 1, 0, 0], dtype=np.uint8)
"""Groups of geoms that rays meet: not the wheels inside the outline of a robot, not the ground (see ``Fan.cast``)."""

SEEN_WITH_GROUND = np.array([1, 1, 1, 1, 0, 1], dtype=np.uint8)


class Fan:
    """A fan of rays in the frame of a sensor, cast from wherever the sensor is."""

    def __init__(self, model: Model, data: Data, table: Floats, *, range_max_m: float, without_body: int = -1) -> None:
        self._model, self._data = model, data
        self._table = table
        self._range_max_m = range_max_m
        self._without = without_body
        self._geoms = np.empty(len(table), dtype=np.int32)
        self.directions = np.empty_like(table)
        self.ranges = np.empty(len(table))

    def cast(self, origin: Floats, rotation: Floats, groups: Bytes = SEEN) -> None:
        """Fill ``directions`` (in the world) and ``ranges``: the free distance, at most the greatest range.

        ``rotation`` is the rotation matrix of the sensor. MuJoCo's own height fields are slow to meet with flat rays:
        give ``SEEN_WITH_GROUND`` for few rays only, or meet the ground with the kernels of the kinematic simulator.
        """
        turned(self._table, rotation, out=self.directions)
        mujoco.mj_multiRay(
            self._model, self._data, origin, self.directions.reshape(-1), groups, True, self._without,
            self._geoms, self.ranges, None, len(self.ranges), self._range_max_m,
        )  # fmt: skip
        ranges = self.ranges
        ranges[(ranges < 0.0) | (ranges > self._range_max_m)] = self._range_max_m


@dataclass(frozen=True, slots=True, eq=False)
class ModelRays:
    """Casts the rays of lidars on the robots of a world: ``robots`` are their names, in the order of the world."""

    model: Model
    data: Data
    ground: Ground
    robots: Sequence[str]

    def scan(self, spec: Lidar, robot: int) -> FreeDistances:
        """Of a planar lidar. Beyond the border of the terrain the ground goes on, level."""
        ground = self.ground

        def meet(fan: Fan, origin: Floats) -> None:
            meet_ground(
                fan.ranges, fan.directions, origin, spec.range_max_m,
                ground.heights, ground.grid, ground.peaks, ground.peak_grid,
            )  # fmt: skip

        return self._free(spec, robot, scan_directions(spec), meet)

    def cloud(self, spec: Lidar3D, robot: int) -> FreeDistances:
        """Of a lidar with rings. The ground ends at the border of the terrain."""
        ground, table = self.ground, ring_directions(spec)
        free = np.empty(len(table))

        def meet(fan: Fan, origin: Floats) -> None:
            at = (float(origin[0]), float(origin[1]), float(origin[2]))
            meet_bounded_ground(free, fan.directions, at, spec.range_max_m, ground.heights, ground.grid)
            np.minimum(fan.ranges, free, out=fan.ranges)

        return self._free(spec, robot, table, meet)

    def _free(
        self, spec: Lidar | Lidar3D, robot: int, table: Floats, meet: Callable[[Fan, Floats], None]
    ) -> FreeDistances:
        data, body = self.data, int(self.model.body(self.robots[robot]).id)
        mount = np.array([spec.x_m, 0.0, spec.z_m])
        fan = Fan(self.model, data, table, range_max_m=spec.range_max_m, without_body=body)

        def free() -> Floats:
            rotation = data.xmat[body].reshape(3, 3)
            origin = data.xpos[body] + turned(mount, rotation)
            fan.cast(origin, rotation)
            meet(fan, origin)
            return fan.ranges

        return free

    def view(self, view: RayGrid, robot: int) -> FreeDistances:
        """Of a grid of rays. The ground ends at the border of the terrain."""
        ground, data, body = self.ground, self.data, int(self.model.body(self.robots[robot]).id)
        table, mount = view.directions(), np.array([view.x_m, view.y_m, view.z_m])
        fan = Fan(self.model, data, table, range_max_m=view.range_max_m, without_body=body)
        turned_by, above = view.rotation(), np.empty(len(table))

        def free() -> Floats:
            rotation = data.xmat[body].reshape(3, 3)
            origin = data.xpos[body] + turned(mount, rotation)
            fan.cast(origin, turned(turned_by.T, rotation).T)
            if view.ground:
                at = (float(origin[0]), float(origin[1]), float(origin[2]))
                meet_bounded_ground(above, fan.directions, at, view.range_max_m, ground.heights, ground.grid)
                np.minimum(fan.ranges, above, out=fan.ranges)
            return fan.ranges

        return free

    def picture(self, spec: ColorCamera, robot: int, world: World) -> Pixels:
        """Rendered by MuJoCo."""
        del world
        RayGrid.of_camera(spec)  # refuses what cannot be a camera
        return RobotEye(self.model, self.data, int(self.model.body(self.robots[robot]).id), spec).pixels
