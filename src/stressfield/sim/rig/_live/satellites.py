"""A satellite receiver brought to life, and where a point near a datum lies on the Earth (WGS 84)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from stressfield.bus.messages import NO_COVARIANCE_9, Header, NavSatFix, NavSatStatus, Time
from stressfield.errors import InputError
from stressfield.sim.rig import _motion_kernels as k
from stressfield.sim.rig._draws import plain_normals
from stressfield.sim.rig.mount import Mount
from stressfield.world import GpsReceiver

EARTH_RADIUS_M = 6_378_137.0
FLATTENING = 1.0 / 298.257223563
_ECCENTRICITY_2 = FLATTENING * (2.0 - FLATTENING)


@dataclass(frozen=True, slots=True)
class Datum:
    """A point of the Earth: latitude and longitude in degrees, altitude in metres above the ellipsoid."""

    latitude_deg: float
    longitude_deg: float
    altitude_m: float

    def position(self) -> tuple[float, float, float]:
        """In the frame of the Earth: x to Greenwich at the equator, z to the north pole."""
        latitude, longitude = math.radians(self.latitude_deg), math.radians(self.longitude_deg)
        s = math.sin(latitude)
        across = EARTH_RADIUS_M / math.sqrt(1.0 - _ECCENTRICITY_2 * s * s)
        flat = (across + self.altitude_m) * math.cos(latitude)
        height = (across * (1.0 - _ECCENTRICITY_2) + self.altitude_m) * s
        return flat * math.cos(longitude), flat * math.sin(longitude), height

    def moved(self, east_m: float, north_m: float, up_m: float) -> Datum:
        """The point so far away along the tangents at this one."""
        latitude, longitude = math.radians(self.latitude_deg), math.radians(self.longitude_deg)
        sf, cf, sl, cl = math.sin(latitude), math.cos(latitude), math.sin(longitude), math.cos(longitude)
        x, y, z = self.position()
        x += -sl * east_m - sf * cl * north_m + cf * cl * up_m
        y += cl * east_m - sf * sl * north_m + cf * sl * up_m
        z += cf * north_m + sf * up_m
        return _geodetic(x, y, z)


def _geodetic(x: float, y: float, z: float) -> Datum:
    """Latitude by Bowring's formula, applied twice: exact to a nanometre near the ground."""
    flat = math.hypot(x, y)
    share = 1.0 - FLATTENING
    reduced = math.atan2(z, share * flat)
    latitude = 0.0
    for _ in range(2):
        s, c = math.sin(reduced), math.cos(reduced)
        excess = _ECCENTRICITY_2 / (1.0 - _ECCENTRICITY_2)
        latitude = math.atan2(
            z + excess * share * EARTH_RADIUS_M * s * s * s, flat - _ECCENTRICITY_2 * EARTH_RADIUS_M * c * c * c
        )
        reduced = math.atan2(share * math.sin(latitude), math.cos(latitude))
    s, c = math.sin(latitude), math.cos(latitude)
    across = EARTH_RADIUS_M / math.sqrt(1.0 - _ECCENTRICITY_2 * s * s)
    # Near the poles the usual flat / cos(latitude) divides two numbers that are nearly zero.
    altitude = flat * c + z * s - EARTH_RADIUS_M * EARTH_RADIUS_M / across
    return Datum(math.degrees(latitude), math.degrees(math.atan2(y, x)), altitude)


class LiveGpsReceiver:
    """Samples fixes of the antenna. Noise, drift and outages each have random numbers of their own."""

    def __init__(self, spec: GpsReceiver, mount: Mount) -> None:
        _check(spec)
        self._spec = spec
        self._pose = mount.place.state[mount.robot, : k.YAW + 1]
        self._datum = Datum(spec.latitude_deg, spec.longitude_deg, spec.altitude_m)
        self._east = (math.cos(spec.east_yaw_rad), math.sin(spec.east_yaw_rad))
        self._noise = plain_normals(mount.generator("gps noise", spec.topic), 3)
        self._steps = plain_normals(mount.generator("gps drift", spec.topic), 3)
        self._drift = [spec.drift_m * number for number in self._steps()]
        self._kept = math.exp(-1.0 / (spec.rate_hz * spec.drift_time_s))
        self._stir = spec.drift_m * math.sqrt(1.0 - self._kept * self._kept)
        self._outages = _Outages(spec, mount)
        self._frame = f"{mount.name}/{spec.topic.strip('/')}"
        variance = spec.noise_m * spec.noise_m + spec.drift_m * spec.drift_m
        self._covariance = tuple(variance if i % 4 == 0 else 0.0 for i in range(9))

    def sample(self, time: Time) -> NavSatFix:
        """Where the antenna is now, if there is a fix. The errors go on meanwhile."""
        spec = self._spec
        self._drift = [self._kept * old + self._stir * new for old, new in zip(self._drift, self._steps(), strict=True)]
        noise = self._noise()
        header = Header(time, self._frame)
        if self._outages.without_fix(time.ns):
            lost = NavSatStatus(NavSatStatus.STATUS_NO_FIX, NavSatStatus.SERVICE_GPS)
            unknown = NavSatFix.COVARIANCE_TYPE_UNKNOWN
            return NavSatFix(header, lost, math.nan, math.nan, math.nan, NO_COVARIANCE_9, unknown)
        x, y, z = _antenna(self._pose.tolist(), spec.x_m, spec.z_m)
        c, s = self._east
        errors = [drift + spec.noise_m * number for drift, number in zip(self._drift, noise, strict=True)]
        fix = self._datum.moved(c * x + s * y + errors[0], c * y - s * x + errors[1], z + errors[2])
        return NavSatFix(
            header,
            NavSatStatus(NavSatStatus.STATUS_FIX, NavSatStatus.SERVICE_GPS),
            fix.latitude_deg,
            fix.longitude_deg,
            fix.altitude_m,
            self._covariance,
            NavSatFix.COVARIANCE_TYPE_DIAGONAL_KNOWN,
        )


class _Outages:
    """Times with and without a fix in turns, both exponentially distributed."""

    def __init__(self, spec: GpsReceiver, mount: Mount) -> None:
        self._rng = mount.generator("gps outages", spec.topic)
        self._share, self._mean_s = spec.outage, spec.outage_s
        self._out = self._share > 0.0 and float(self._rng.random()) < self._share
        self._until_ns = self._lasting_ns() if 0.0 < self._share < 1.0 else 0

    def without_fix(self, now_ns: int) -> bool:
        """Whether there is none now."""
        if not 0.0 < self._share < 1.0:
            return self._out
        while now_ns >= self._until_ns:
            self._out = not self._out
            self._until_ns += self._lasting_ns()
        return self._out

    def _lasting_ns(self) -> int:
        """How long it stays as it is. An exponential law forgets: the first time needs no other."""
        mean = self._mean_s if self._out else self._mean_s * (1.0 - self._share) / self._share
        return max(1, round(1e9 * mean * float(self._rng.standard_exponential())))


def _antenna(pose: list[float], ahead_m: float, above_m: float) -> tuple[float, float, float]:
    """Where a point on the middle line of a robot is."""
    x, y, z, roll, pitch, yaw = pose
    cr, sr, cp, sp = math.cos(roll), math.sin(roll), math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    return (
        x + ahead_m * cp * cy + above_m * (cr * sp * cy + sr * sy),
        y + ahead_m * cp * sy + above_m * (cr * sp * sy - sr * cy),
        z - ahead_m * sp + above_m * cr * cp,
    )


def _check(spec: GpsReceiver) -> None:
    name = f"The GpsReceiver on {spec.topic!r}"
    if not (abs(spec.latitude_deg) <= 90.0 and abs(spec.longitude_deg) <= 180.0 and math.isfinite(spec.altitude_m)):
        raise InputError(
            f"{name} has its datum at {spec.latitude_deg!r}, {spec.longitude_deg!r}, {spec.altitude_m!r}; wanted a "
            "latitude from -90 to 90 and a longitude from -180 to 180 degrees, and a finite altitude."
        )
    for field in ("noise_m", "drift_m"):
        if not 0.0 <= getattr(spec, field) < math.inf:
            raise InputError(f"{name} has {field} {getattr(spec, field)!r}; wanted zero or more.")
    for field in ("drift_time_s", "outage_s"):
        if not 0.0 < getattr(spec, field) < math.inf:
            raise InputError(f"{name} has {field} {getattr(spec, field)!r}; wanted more than zero.")
    if not 0.0 <= spec.outage <= 1.0:
        raise InputError(f"{name} has an outage of {spec.outage!r}; wanted a share from 0 to 1.")
