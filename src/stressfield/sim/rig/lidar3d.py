"""A lidar with rings brought to life."""

from __future__ import annotations

import math

import numpy as np

from stressfield.bus.messages import XYZ, Header, PointCloud2, Time
from stressfield.errors import WorldError
from stressfield.scenario import generator
from stressfield.sim.rig._draws import chances, normals
from stressfield.sim.rig._lidar3d_kernels import cast, points
from stressfield.sim.rig.place import Place
from stressfield.world import Lidar3D

_NOTHING = np.empty(0)
_STEEPEST_RAD = math.radians(89.0)


class LiveLidar3D:
    """Samples clouds: a row of points per ring, in the frame of the sensor. A ray without return is NaN."""

    def __init__(self, spec: Lidar3D, place: Place, robot: int, name: str, seed: int) -> None:
        steepest = max((abs(e) for e in spec.elevations_rad), default=math.inf)
        if steepest > _STEEPEST_RAD or spec.azimuths < 1:
            raise WorldError(
                f"The Lidar3D on {spec.topic!r} needs rings between -89 and 89 degrees and at least one azimuth; got "
                f"elevations {spec.elevations_rad} rad and {spec.azimuths} azimuths."
            )
        self._spec = spec
        self._constants = np.array(
            [spec.x_m, spec.z_m, len(spec.elevations_rad), steepest, spec.range_min_m, spec.range_max_m]
        )
        self.table = rays_of(spec)
        count = len(self.table)
        self.ranges = np.empty(count)
        self._rays = np.empty((count, 3))
        self._normals = normals(generator(seed, "lidar noise", name, spec.topic), count)
        self._chances = chances(generator(seed, "lidar dropout", name, spec.topic), count)
        self._frame = f"{name}/{spec.topic.strip('/')}"
        ground, bodies = place.ground, place.visible
        self._world = (
            place.state, robot, place.robots, bodies.rows, bodies.start, bodies.grid, bodies.rings(spec.range_max_m),
            ground.heights, ground.grid,
        )  # fmt: skip

    def cast(self) -> None:
        """Fill ``ranges`` with the free distance along every ray, without noise."""
        cast(self.ranges, self._rays, self.table, self._constants, *self._world)

    def sample(self, time: Time) -> PointCloud2:
        """A cloud now."""
        spec = self._spec
        self.cast()
        out = np.empty((len(self.ranges), 3), dtype=np.float32)
        noise = self._normals.next() if spec.noise_m > 0.0 else _NOTHING
        lost = self._chances.next() if spec.dropout > 0.0 else _NOTHING
        points(out, self.ranges, self.table, self._constants, spec.noise_m, noise, spec.dropout, lost)
        return PointCloud2(
            Header(time, self._frame),
            len(spec.elevations_rad),
            spec.azimuths,
            XYZ,
            False,
            12,
            12 * spec.azimuths,
            out.reshape(-1).view(np.uint8),
            False,
        )


def rays_of(spec: Lidar3D) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Directions in the frame of the sensor, ring by ring."""
    azimuth = 2.0 * math.pi / spec.azimuths * np.arange(spec.azimuths)
    elevation = np.asarray(spec.elevations_rad)[:, None]
    flat = np.cos(elevation)
    x, y = flat * np.cos(azimuth), flat * np.sin(azimuth)
    z = np.broadcast_to(np.sin(elevation), x.shape)
    table: np.ndarray[tuple[int, int], np.dtype[np.float64]] = np.stack([x, y, z], axis=2).reshape(-1, 3)
    return table
