"""Cameras of images and sonars brought to life. The simulator casts their rays, or renders."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from stressfield.arrays import Floats
from stressfield.bus.messages import CameraInfo, Header, Image, RangeMsg, Time
from stressfield.errors import InputError
from stressfield.sim.rig._draws import chances, normals
from stressfield.sim.rig.mount import Mount, Sample
from stressfield.sim.rig.ray_grid import RayGrid
from stressfield.world import ColorCamera, DepthCamera, ImageCamera, Sonar

_NO_DISTORTION = np.zeros(5)


class _Lens:
    """What a camera of images says of itself, on its other topic."""

    def __init__(self, spec: ImageCamera, mount: Mount) -> None:
        self.frame = f"{mount.name}/{spec.topic.strip('/')}"
        self._size = (spec.height_px, spec.width_px)
        f, cx, cy = spec.focal_px, (spec.width_px - 1) / 2.0, (spec.height_px - 1) / 2.0
        self._k = (f, 0.0, cx, 0.0, f, cy, 0.0, 0.0, 1.0)
        self._p = (f, 0.0, cx, 0.0, 0.0, f, cy, 0.0, 0.0, 0.0, 1.0, 0.0)

    def info(self, time: Time) -> CameraInfo:
        """The matrix of the camera; its lens does not distort."""
        return CameraInfo(
            Header(time, self.frame),
            *self._size,
            "plumb_bob",
            _NO_DISTORTION,
            self._k,
            (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0),
            self._p,
        )


class LiveDepthCamera:
    """Samples images of depth: metres along the line of sight of the middle, not along each ray."""

    def __init__(self, spec: DepthCamera, mount: Mount) -> None:
        view = RayGrid.of_camera(spec)
        _check_chances(spec, spec.noise_m, spec.dropout)
        self._spec = spec
        self._free = mount.rays.view(view, mount.robot)
        self._share = np.ascontiguousarray(view.directions()[:, 0])
        self._noise = normals(mount.generator("depth noise", spec.topic), len(self._share))
        self._lost = chances(mount.generator("depth dropout", spec.topic), len(self._share))
        self._lens = _Lens(spec, mount)

    def sample(self, time: Time) -> Image:
        """An image now."""
        spec, free = self._spec, self._free()
        depth = free * self._share
        # By the free distance, not by the depth: at the rim of the image the range ends nearer than in the middle.
        far, near = free >= spec.range_max_m, depth < spec.range_min_m
        if spec.noise_m > 0.0:
            depth += spec.noise_m * depth * depth * self._noise.next()
        depth[far] = math.inf
        depth[near] = -math.inf
        if spec.dropout > 0.0:
            depth[self._lost.next() < spec.dropout] = math.nan
        data = depth.astype("<f4").view(np.uint8)
        size = (spec.height_px, spec.width_px)
        return Image(Header(time, self._lens.frame), *size, "32FC1", 0, 4 * spec.width_px, data)

    def companions(self) -> Sequence[tuple[str, Sample]]:
        """What it says of its lens."""
        return ((self._spec.camera_info_topic, self._lens.info),)


class LiveColorCamera:
    """Samples images in colour."""

    def __init__(self, spec: ColorCamera, mount: Mount) -> None:
        _check_chances(spec, spec.noise, 0.0)
        self._spec = spec
        self._pixels = mount.rays.picture(spec, mount.robot, mount.scenario.world)
        self._noise = normals(mount.generator("colour noise", spec.topic), 3 * spec.width_px * spec.height_px)
        self._lens = _Lens(spec, mount)

    def sample(self, time: Time) -> Image:
        """An image now."""
        spec = self._spec
        picture = np.ascontiguousarray(self._pixels()).reshape(-1)
        if spec.noise > 0.0:
            noisy: Floats = np.rint(picture + spec.noise * self._noise.next())
            picture = np.clip(noisy, 0.0, 255.0).astype(np.uint8)
        size = (spec.height_px, spec.width_px)
        return Image(Header(time, self._lens.frame), *size, "rgb8", 0, 3 * spec.width_px, picture)

    def companions(self) -> Sequence[tuple[str, Sample]]:
        """What it says of its lens."""
        return ((self._spec.camera_info_topic, self._lens.info),)


class LiveSonar:
    """Samples ranges: the shortest ray of those within the cone."""

    def __init__(self, spec: Sonar, mount: Mount) -> None:
        view = RayGrid.of_sonar(spec)
        _check_chances(spec, spec.noise_m, spec.dropout)
        self._spec = spec
        self._free = mount.rays.view(view, mount.robot)
        left, up = view.slopes()
        self._inside = np.flatnonzero(left * left + up * up <= view.across * view.across)
        self._noise = normals(mount.generator("sonar noise", spec.topic), 1)
        self._lost = chances(mount.generator("sonar dropout", spec.topic), 1)
        self._frame = f"{mount.name}/{spec.topic.strip('/')}"

    def sample(self, time: Time) -> RangeMsg:
        """The range now."""
        spec = self._spec
        value = float(self._free()[self._inside].min())
        back = value < spec.range_max_m
        if spec.noise_m > 0.0:
            value += spec.noise_m * float(self._noise.next()[0])
        if value < spec.range_min_m:
            value = -math.inf
        if not back or value >= spec.range_max_m:
            value = math.inf
        if spec.dropout > 0.0 and self._lost.next()[0] < spec.dropout:
            value = math.inf
        variance = spec.noise_m * spec.noise_m
        limits = (spec.cone_rad, spec.range_min_m, spec.range_max_m)
        return RangeMsg(Header(time, self._frame), RangeMsg.ULTRASOUND, *limits, value, variance)


def _check_chances(spec: DepthCamera | ColorCamera | Sonar, noise: float, dropout: float) -> None:
    if not (0.0 <= noise < math.inf and 0.0 <= dropout <= 1.0):
        raise InputError(
            f"The {type(spec).__name__} on {spec.topic!r} has noise of {noise!r} and a dropout of {dropout!r}; wanted "
            "noise of zero or more and a dropout from 0 to 1."
        )
