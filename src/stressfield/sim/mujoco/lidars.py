"""Lidars brought to life: bodies and robots by MuJoCo's rays, the ground by the kernels of the kinematic simulator."""

from __future__ import annotations

import numpy as np

from stressfield.arrays import Floats
from stressfield.bus.messages import XYZ, Header, LaserScan, PointCloud2, Time
from stressfield.scenario import generator
from stressfield.sim.mujoco.device import Data, Model
from stressfield.sim.mujoco.rays import Rays
from stressfield.sim.rig._draws import chances, normals
from stressfield.sim.rig._ground_kernels import meet_ground, report
from stressfield.sim.rig._lidar3d_kernels import meet_ground as meet_bounded_ground
from stressfield.sim.rig._lidar3d_kernels import points
from stressfield.sim.rig._packing import Ground
from stressfield.sim.rig.lidar3d import rays_of
from stressfield.world import Lidar, Lidar3D

_NOTHING = np.empty(0)


class _Beams:
    """What both kinds of lidar share: where the sensor is, rays, noise."""

    def __init__(
        self, spec: Lidar | Lidar3D, table: Floats, name: str, seed: int, model: Model, data: Data, ground: Ground
    ) -> None:
        self._body = int(model.body(name).id)
        self._data = data
        self._mount = np.array([spec.x_m, 0.0, spec.z_m])
        self._rays = Rays(model, data, table, range_max_m=spec.range_max_m, without_body=self._body)
        self._ground = (ground.heights, ground.grid, ground.peaks, ground.peak_grid)
        self._normals = normals(generator(seed, "lidar noise", name, spec.topic), len(table))
        self._chances = chances(generator(seed, "lidar dropout", name, spec.topic), len(table))
        self._frame = f"{name}/{spec.topic.strip('/')}"
        self._noise_m, self._dropout = spec.noise_m, spec.dropout

    def cast(self) -> Floats:
        """The free distance along every ray, without noise."""
        turned = self._data.xmat[self._body].reshape(3, 3)
        origin = self._data.xpos[self._body] + turned @ self._mount
        self._rays.cast(origin, turned)
        self._meet_ground(origin)
        return self._rays.ranges

    def _meet_ground(self, origin: Floats) -> None:
        """Shorten the rays that meet the ground first."""
        raise NotImplementedError

    def _noise(self) -> tuple[float, Floats, float, Floats]:
        noise = self._normals.next() if self._noise_m > 0.0 else _NOTHING
        lost = self._chances.next() if self._dropout > 0.0 else _NOTHING
        return self._noise_m, noise, self._dropout, lost


class PlaneLidar(_Beams):
    """Samples scans, as the lidar of the kinematic simulator does."""

    def __init__(self, spec: Lidar, name: str, seed: int, model: Model, data: Data, ground: Ground) -> None:
        self._increment = (spec.angle_max_rad - spec.angle_min_rad) / max(1, spec.rays - 1)
        angles = spec.angle_min_rad + self._increment * np.arange(spec.rays)
        table = np.stack([np.cos(angles), np.sin(angles), np.zeros(spec.rays)], axis=1)
        super().__init__(spec, table, name, seed, model, data, ground)
        self._spec = spec
        self._limits = np.array([0.0, 0.0, 0.0, 0.0, spec.range_min_m, spec.range_max_m])
        self._no_intensities = np.empty(0, dtype=np.float32)

    def _meet_ground(self, origin: Floats) -> None:
        meet_ground(self._rays.ranges, self._rays.directions, origin, self._spec.range_max_m, *self._ground)

    def sample(self, time: Time) -> LaserScan:
        """A scan now."""
        spec = self._spec
        out = np.empty(spec.rays, dtype=np.float32)
        report(out, self.cast(), self._limits, *self._noise())
        if spec.resolution_m > 0.0:
            resolution = np.float32(spec.resolution_m)
            np.rint(out / resolution, out=out)
            out *= resolution
        return LaserScan(
            Header(time, self._frame),
            spec.angle_min_rad,
            spec.angle_max_rad,
            self._increment,
            0.0,
            1.0 / spec.rate_hz,
            spec.range_min_m,
            spec.range_max_m,
            out,
            self._no_intensities,
        )


class RingLidar(_Beams):
    """Samples clouds, a row of points per ring, as the 3D lidar of the kinematic simulator does."""

    def __init__(self, spec: Lidar3D, name: str, seed: int, model: Model, data: Data, ground: Ground) -> None:
        self._table = rays_of(spec)
        super().__init__(spec, self._table, name, seed, model, data, ground)
        self._spec = spec
        self._limits = np.array([0.0, 0.0, 0.0, 0.0, spec.range_min_m, spec.range_max_m])
        self._free = np.empty(len(self._table))

    def _meet_ground(self, origin: Floats) -> None:
        place = (float(origin[0]), float(origin[1]), float(origin[2]))
        meet_bounded_ground(self._free, self._rays.directions, place, self._spec.range_max_m, *self._ground[:2])
        np.minimum(self._rays.ranges, self._free, out=self._rays.ranges)

    def sample(self, time: Time) -> PointCloud2:
        """A cloud now."""
        spec = self._spec
        out = np.empty((len(self._table), 3), dtype=np.float32)
        points(out, self.cast(), self._table, self._limits, *self._noise())
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
