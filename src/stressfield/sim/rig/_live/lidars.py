"""Lidars brought to life: scans of planar ones, clouds of those with rings. The simulator casts their rays."""

from __future__ import annotations

import math

import numpy as np

from stressfield.arrays import Floats, cosines, sines
from stressfield.bus.messages import XYZ, Header, LaserScan, PointCloud2, Time
from stressfield.errors import InputError
from stressfield.sim.rig._draws import NoiseRows, chances, normals
from stressfield.sim.rig._ground_kernels import report, round_to
from stressfield.sim.rig._lidar3d_kernels import points
from stressfield.sim.rig.mount import Mount
from stressfield.world import Lidar, Lidar3D

_NOTHING = np.empty(0)
_STEEPEST_RAD = math.radians(89.0)


class _Noise:
    """Noise and dropouts of a lidar, as the kernels take them. Nothing is drawn for what is switched off."""

    def __init__(self, spec: Lidar | Lidar3D, mount: Mount, rays: int) -> None:
        self._noise_m, self._dropout = spec.noise_m, spec.dropout
        self._normals = normals(mount.generator("lidar noise", spec.topic), rays)
        self._chances = chances(mount.generator("lidar dropout", spec.topic), rays)

    def next(self) -> tuple[float, Floats, float, Floats]:
        noise = self._normals.next() if self._noise_m > 0.0 else _NOTHING
        lost = self._chances.next() if self._dropout > 0.0 else _NOTHING
        return self._noise_m, noise, self._dropout, lost


class _Rain:
    """Returns of drops, flakes and dust. Nothing is drawn if there are none."""

    def __init__(self, spec: Lidar | Lidar3D, mount: Mount, rays: int) -> None:
        if not (0.0 <= spec.rain <= 1.0 and 0.0 < spec.rain_range_m < math.inf):
            raise InputError(
                f"The {type(spec).__name__} on {spec.topic!r} has rain {spec.rain!r} and rain_range_m "
                f"{spec.rain_range_m!r}; wanted a share from 0 to 1 and a range above zero."
            )
        self._share, self._mean_m, self._nearest_m = spec.rain, spec.rain_range_m, spec.range_min_m
        self._met = chances(mount.generator("lidar rain", spec.topic), rays)
        self._away = NoiseRows(mount.generator("lidar rain range", spec.topic).standard_exponential, rays)

    def on(self, free: Floats) -> Floats:
        """The free distances, shortened where something fell."""
        if self._share > 0.0:
            short = self._nearest_m + self._mean_m * self._away.next()
            np.minimum(free, short, out=free, where=self._met.next() < self._share)
        return free


def _limits(spec: Lidar | Lidar3D) -> Floats:
    """The constants of a lidar as far as kernels that report need them: least and greatest range, last."""
    name = f"The {type(spec).__name__} on {spec.topic!r}"
    if not 0.0 <= spec.range_min_m < spec.range_max_m < math.inf:
        raise InputError(
            f"{name} has ranges from {spec.range_min_m!r} to {spec.range_max_m!r} m; wanted 0 or more to something "
            "larger."
        )
    if not (0.0 <= spec.noise_m < math.inf and 0.0 <= spec.dropout <= 1.0):
        raise InputError(
            f"{name} has noise_m {spec.noise_m!r} and a dropout of {spec.dropout!r}; wanted zero or more, and a share "
            "from 0 to 1."
        )
    return np.array([0.0, 0.0, 0.0, 0.0, spec.range_min_m, spec.range_max_m])


class LiveLidar:
    """Samples scans. A return nearer than ``range_min_m`` is no return (``inf``), as is one beyond ``range_max_m``."""

    def __init__(self, spec: Lidar, mount: Mount) -> None:
        if spec.rays < 1:
            raise InputError(f"The Lidar on {spec.topic!r} has {spec.rays} rays; wanted at least one.")
        self._spec = spec
        self._limits = _limits(spec)
        self.free = mount.rays.scan(spec, mount.robot)
        self._noise = _Noise(spec, mount, spec.rays)
        self._rain = _Rain(spec, mount, spec.rays)
        self._increment = increment_rad(spec)
        self._resolution = np.float32(spec.resolution_m)
        self._scan_time_s = 1.0 / spec.rate_hz
        self._frame = f"{mount.name}/{spec.topic.strip('/')}"
        self._no_intensities = np.empty(0, dtype=np.float32)

    def sample(self, time: Time) -> LaserScan:
        """A scan now."""
        spec = self._spec
        out = np.empty(spec.rays, dtype=np.float32)
        report(out, self._rain.on(self.free()), self._limits, *self._noise.next())
        if spec.resolution_m > 0.0:
            round_to(out, self._resolution)
        return LaserScan(
            Header(time, self._frame),
            spec.angle_min_rad,
            spec.angle_max_rad,
            self._increment,
            0.0,
            self._scan_time_s,
            spec.range_min_m,
            spec.range_max_m,
            out,
            self._no_intensities,
        )


class LiveLidar3D:
    """Samples clouds: a row of points per ring, in the frame of the sensor. A ray without return is NaN."""

    def __init__(self, spec: Lidar3D, mount: Mount) -> None:
        # At 90 degrees all rays of a ring would be one, and bearings of bodies would mean nothing.
        steepest = max((abs(e) for e in spec.elevations_rad), default=math.inf)
        if steepest > _STEEPEST_RAD or spec.azimuths < 1:
            raise InputError(
                f"The Lidar3D on {spec.topic!r} needs rings between -89 and 89 degrees and at least one azimuth; got "
                f"elevations {spec.elevations_rad} rad and {spec.azimuths} azimuths."
            )
        self._spec = spec
        self._limits = _limits(spec)
        self.free = mount.rays.cloud(spec, mount.robot)
        self._directions = ring_directions(spec)
        self._noise = _Noise(spec, mount, len(self._directions))
        self._rain = _Rain(spec, mount, len(self._directions))
        self._frame = f"{mount.name}/{spec.topic.strip('/')}"

    def sample(self, time: Time) -> PointCloud2:
        """A cloud now."""
        spec = self._spec
        out = np.empty((len(self._directions), 3), dtype=np.float32)
        points(out, self._rain.on(self.free()), self._directions, self._limits, *self._noise.next())
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


def increment_rad(spec: Lidar) -> float:
    """The angle between two rays of a planar lidar; zero if there is one ray."""
    return (spec.angle_max_rad - spec.angle_min_rad) / max(1, spec.rays - 1)


def scan_directions(spec: Lidar) -> Floats:
    """Directions of a planar lidar's rays in the frame of the sensor."""
    angles = spec.angle_min_rad + increment_rad(spec) * np.arange(spec.rays)
    return np.stack([cosines(angles), sines(angles), np.zeros(spec.rays)], axis=1)


def ring_directions(spec: Lidar3D) -> Floats:
    """Directions of the rays in the frame of the sensor, ring by ring."""
    azimuth = 2.0 * math.pi / spec.azimuths * np.arange(spec.azimuths)
    elevation = np.asarray(spec.elevations_rad)[:, None]
    flat = cosines(elevation)
    x, y = flat * cosines(azimuth), flat * sines(azimuth)
    z = np.broadcast_to(sines(elevation), x.shape)
    directions: Floats = np.stack([x, y, z], axis=2).reshape(-1, 3)
    return directions
