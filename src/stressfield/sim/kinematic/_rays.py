"""Rays through the world of the kinematic simulator, by compiled kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Bytes, Counts, Floats
from stressfield.sim.rig import FreeDistances, Place
from stressfield.sim.rig._ground_kernels import meet_ground
from stressfield.sim.rig._lidar3d_kernels import cast as cast_rings
from stressfield.sim.rig._live.lidars import increment_rad, ring_directions, scan_directions
from stressfield.sim.rig._sight_kernels import cast as cast_plane
from stressfield.sim.rig._view_kernels import cast as cast_view
from stressfield.sim.rig.mount import Pixels
from stressfield.sim.rig.ray_grid import FlatColours, RayGrid
from stressfield.world import ColorCamera, Lidar, Lidar3D, World


@dataclass(frozen=True, slots=True, eq=False)
class KernelRays:
    """Casts the rays of lidars and cameras at bodies, robots and the ground of a place."""

    place: Place
    _shared: dict[tuple[object, ...], NDArray[Any]] = field(default_factory=dict)
    """What lidars of one kind have in common. With many robots, an array for each would not stay in the cache."""

    def _common(self, key: tuple[object, ...], make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
        """One array for all that ask with this key. One that is written to is filled anew in every cast."""
        if key not in self._shared:
            self._shared[key] = make()
        return self._shared[key]

    def scan(self, spec: Lidar, robot: int) -> FreeDistances:
        """Of a planar lidar."""
        place, bodies, ground = self.place, self.place.visible, self.place.ground
        # An increment of zero (one ray) would be divided by; any other number serves as well.
        constants = np.array(
            [spec.x_m, spec.z_m, spec.angle_min_rad, increment_rad(spec) or 1.0, spec.range_min_m, spec.range_max_m]
        )
        fan = ("scan", spec.angle_min_rad, spec.angle_max_rad, spec.rays)
        table = self._common(fan, lambda: np.ascontiguousarray(scan_directions(spec)[:, :2]))
        rays = self._common(("rays", spec.rays), lambda: np.empty((spec.rays, 3)))
        rings = self._common(("rings", spec.range_max_m), lambda: bodies.rings(spec.range_max_m))
        ranges, origin = np.empty(spec.rays), np.empty(3)
        to_bodies = (
            ranges, rays, origin, table, constants, place.state, robot, place.robots,
            bodies.rows, bodies.start, bodies.grid, rings,
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
        table = self._common(("cloud", spec.elevations_rad, spec.azimuths), lambda: ring_directions(spec))
        rays = self._common(("rays", len(table)), lambda: np.empty((len(table), 3)))
        rings = self._common(("rings", spec.range_max_m), lambda: bodies.rings(spec.range_max_m))
        ranges = np.empty(len(table))
        world = (
            ranges, rays, table, constants, place.state, robot, place.robots,
            bodies.rows, bodies.start, bodies.grid, rings, ground.heights, ground.grid,
        )  # fmt: skip

        def free() -> Floats:
            cast_rings(*world)
            return ranges

        return free

    def view(self, view: RayGrid, robot: int) -> FreeDistances:
        """Of a grid of rays."""
        cast, ranges, _ = self._view(view, robot)

        def free() -> Floats:
            cast()
            return ranges

        return free

    def picture(self, spec: ColorCamera, robot: int, world: World) -> Pixels:
        """Flat colours: those of the kinds of bodies, without light and shadow."""
        cast, _, seen = self._view(RayGrid.of_camera(spec), robot)
        colours = FlatColours.of(world)

        def painted() -> Bytes:
            cast()
            return colours.of_things(seen).reshape(spec.height_px, spec.width_px, 3)

        return painted

    def _view(self, view: RayGrid, robot: int) -> tuple[Callable[[], None], Floats, Counts]:
        """What casts the rays, and where it writes how far they go and what they meet."""
        place, bodies, ground = self.place, self.place.visible, self.place.ground
        table = view.directions()
        rays = self._common(("rays", len(table)), lambda: np.empty((len(table), 3)))
        rings = self._common(("rings", view.range_max_m), lambda: bodies.rings(view.range_max_m))
        ranges, seen = np.empty(len(table)), np.empty(len(table), dtype=np.int64)
        world = (
            ranges, seen, rays, table, view.constants(), place.state, robot, place.robots,
            bodies.rows, bodies.start, bodies.grid, rings, ground.heights, ground.grid,
        )  # fmt: skip
        return lambda: cast_view(*world), ranges, seen
