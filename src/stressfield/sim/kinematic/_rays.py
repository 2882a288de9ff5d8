"""Rays through the world of the kinematic simulator, by compiled kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stressfield.arrays import Floats
from stressfield.sim.rig import FreeDistances, Place
from stressfield.sim.rig._ground_kernels import meet_ground
from stressfield.sim.rig._lidar import increment_rad, ring_directions, scan_directions
from stressfield.sim.rig._lidar3d_kernels import cast as cast_rings
from stressfield.sim.rig._sight_kernels import cast as cast_plane
from stressfield.world import Lidar, Lidar3D


@dataclass(frozen=True, slots=True, eq=False)
class KernelRays:
    """Casts the rays of lidars at bodies, robots and the ground of a place."""

    place: Place

    def scan(self, spec: Lidar, robot: int) -> FreeDistances:
        """Of a planar lidar."""
        place, bodies, ground = self.place, self.place.visible, self.place.ground
        # An increment of zero (one ray) would be divided by; any other number serves as well.
        constants = np.array(
            [spec.x_m, spec.z_m, spec.angle_min_rad, increment_rad(spec) or 1.0, spec.range_min_m, spec.range_max_m]
        )
        table = np.ascontiguousarray(scan_directions(spec)[:, :2])
        ranges, rays, origin = np.empty(spec.rays), np.empty((spec.rays, 3)), np.empty(3)
        to_bodies = (
            ranges, rays, origin, table, constants, place.state, robot, place.robots,
            bodies.rows, bodies.start, bodies.grid, bodies.rings(spec.range_max_m),
        )  # fmt: skip
        to_ground = (
            ranges, rays, origin, spec.range_max_m, ground.heights, ground.grid, ground.peaks, ground.peak_grid
        )  # fmt: skip

        def free() -> Floats:
            cast_plane(*to_bodies)
            meet_ground(*to_ground)
            return ranges

        return free

    def cloud(self, spec: Lidar3D, robot: int) -> FreeDistances:
        """Of a lidar with rings."""
        place, bodies, ground = self.place, self.place.visible, self.place.ground
        steepest = max(abs(elevation) for elevation in spec.elevations_rad)
        constants = np.array(
            [spec.x_m, spec.z_m, len(spec.elevations_rad), steepest, spec.range_min_m, spec.range_max_m]
        )
        table = ring_directions(spec)
        ranges, rays = np.empty(len(table)), np.empty((len(table), 3))
        world = (
            ranges, rays, table, constants, place.state, robot, place.robots,
            bodies.rows, bodies.start, bodies.grid, bodies.rings(spec.range_max_m), ground.heights, ground.grid,
        )  # fmt: skip

        def free() -> Floats:
            cast_rings(*world)
            return ranges

        return free
