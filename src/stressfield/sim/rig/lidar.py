"""A lidar brought to life."""

from __future__ import annotations

import numpy as np

from stressfield.bus.messages import Header, LaserScan, Time
from stressfield.scenario import generator
from stressfield.sim.rig._draws import chances, normals
from stressfield.sim.rig._ground_kernels import meet_ground, report, round_to
from stressfield.sim.rig._sight_kernels import cast
from stressfield.sim.rig.place import Place
from stressfield.world import Lidar

_NOTHING = np.empty(0)


class LiveLidar:
    """Samples scans. A return nearer than ``range_min_m`` is no return (``inf``), as is one beyond ``range_max_m``."""

    def __init__(self, spec: Lidar, place: Place, robot: int, name: str, seed: int) -> None:
        increment = (spec.angle_max_rad - spec.angle_min_rad) / max(1, spec.rays - 1)
        angles = spec.angle_min_rad + increment * np.arange(spec.rays)
        self._constants = np.array(
            [spec.x_m, spec.z_m, spec.angle_min_rad, increment or 1.0, spec.range_min_m, spec.range_max_m]
        )
        self._table = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        self.ranges = np.empty(spec.rays)
        self._rays = np.empty((spec.rays, 3))
        self._origin = np.empty(3)
        self._spec = spec
        self._normals = normals(generator(seed, "lidar noise", name, spec.topic), spec.rays)
        self._chances = chances(generator(seed, "lidar dropout", name, spec.topic), spec.rays)
        self._frame = f"{name}/{spec.topic.strip('/')}"
        self._increment = increment
        self._resolution = np.float32(spec.resolution_m)
        self._scan_time = 1.0 / spec.rate_hz
        self._no_intensities = np.empty(0, dtype=np.float32)
        ground, bodies = place.ground, place.visible
        self._to_bodies = (
            self.ranges, self._rays, self._origin, self._table, self._constants,
            place.state, robot, place.robots, bodies.rows, bodies.start, bodies.grid, bodies.rings(spec.range_max_m),
        )  # fmt: skip
        self._to_ground = (
            self.ranges, self._rays, self._origin, spec.range_max_m,
            ground.heights, ground.grid, ground.peaks, ground.peak_grid,
        )  # fmt: skip

    def cast(self) -> None:
        """Fill ``ranges`` with the free distance along every ray, without noise."""
        cast(*self._to_bodies)
        meet_ground(*self._to_ground)

    def sample(self, time: Time) -> LaserScan:
        """A scan now."""
        spec = self._spec
        self.cast()
        out = np.empty(spec.rays, dtype=np.float32)
        noise = self._normals.next() if spec.noise_m > 0.0 else _NOTHING
        lost = self._chances.next() if spec.dropout > 0.0 else _NOTHING
        report(out, self.ranges, self._constants, spec.noise_m, noise, spec.dropout, lost)
        if spec.resolution_m > 0.0:
            round_to(out, self._resolution)
        return LaserScan(
            Header(time, self._frame),
            spec.angle_min_rad,
            spec.angle_max_rad,
            self._increment,
            0.0,
            self._scan_time,
            spec.range_min_m,
            spec.range_max_m,
            out,
            self._no_intensities,
        )
