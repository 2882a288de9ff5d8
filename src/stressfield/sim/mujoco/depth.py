"""A depth camera on a body of the model, by casting a ray for each pixel."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stressfield.bus.message import Message
from stressfield.bus.messages import XYZ, Header, PointCloud2, Time
from stressfield.bus.stamped import Stamped
from stressfield.errors import InputError
from stressfield.seeds import Rng
from stressfield.sim.mujoco.device import Data, Model
from stressfield.sim.mujoco.library import mujoco
from stressfield.sim.mujoco.rays import SEEN_WITH_GROUND, Rays
from stressfield.sim.mujoco.rhythm import Rhythm


@dataclass(frozen=True, slots=True, kw_only=True)
class DepthCameraSpec:
    """Where it sits on ``body`` (x ahead, y left, z up), how far it looks down, what it sees, how often it sends."""

    topic: str
    body: str
    rate_hz: float
    columns: int
    rows: int
    field_of_view_rad: float
    x_m: float = 0.0
    y_m: float = 0.0
    z_m: float = 0.0
    down_rad: float = 0.0
    range_min_m: float = 0.1
    range_max_m: float = 5.0
    noise_m: float = 0.0


class DepthCamera:
    """Sends PointCloud2, row by row from the top left, in the camera's frame (x ahead). No return is NaN."""

    command_topics: tuple[str, ...] = ()

    def __init__(self, spec: DepthCameraSpec) -> None:
        if not (spec.columns > 0 and spec.rows > 0 and 0.0 < spec.field_of_view_rad < math.pi):
            raise InputError(
                f"The depth camera on {spec.topic!r} needs at least one row and column, and a "
                f"field of view between 0 and 180 degrees; got {spec!r}."
            )
        self._spec = spec
        self._rhythm = Rhythm(spec.topic, spec.rate_hz)
        across = math.tan(spec.field_of_view_rad / 2.0)
        y, z = np.meshgrid(
            across * np.linspace(1.0, -1.0, spec.columns),
            across * spec.rows / spec.columns * np.linspace(1.0, -1.0, spec.rows),
        )
        rays = np.stack([np.ones_like(y), y, z], axis=-1).reshape(-1, 3)
        self._table = rays / np.linalg.norm(rays, axis=1, keepdims=True)
        c, s = math.cos(spec.down_rad), math.sin(spec.down_rad)
        self._tilt = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
        self._mount = np.array([spec.x_m, spec.y_m, spec.z_m])

    def add(self, spec: mujoco.MjSpec) -> None:
        """It has no body of its own."""

    def bind(self, model: Model, data: Data, rng: Rng) -> None:
        """Find the body it sits on."""
        spec = self._spec
        body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, spec.body)
        if body < 0:
            raise InputError(
                f"The depth camera on {spec.topic!r} sits on {spec.body!r}, which the model does not have."
            )
        self._data, self._rng, self._body = data, rng, body
        self._rays = Rays(model, data, self._table, range_max_m=spec.range_max_m, without_body=body)

    def command(self, topic: str, message: Message, time_ns: int) -> None:
        """It takes no commands."""

    def before_step(self) -> None:
        """It has no control."""

    def sense(self, time_ns: int) -> Sequence[Stamped]:
        """A cloud, once a period."""
        if not self._rhythm.due(time_ns):
            return ()
        spec = self._spec
        turned = self._data.xmat[self._body].reshape(3, 3)
        origin = self._data.xpos[self._body] + turned @ self._mount
        self._rays.cast(origin, turned @ self._tilt, SEEN_WITH_GROUND)
        ranges = self._rays.ranges.copy()
        lost = (ranges >= spec.range_max_m) | (ranges < spec.range_min_m)
        if spec.noise_m > 0.0:
            ranges += self._rng.normal(0.0, spec.noise_m, len(ranges))
        ranges[lost] = np.nan
        points = (self._table * ranges[:, None]).astype(np.float32)
        header = Header(Time.from_ns(time_ns), f"{spec.body}/{spec.topic.strip('/')}")
        data = points.reshape(-1).view(np.uint8)
        cloud = PointCloud2(header, spec.rows, spec.columns, XYZ, False, 12, 12 * spec.columns, data, False)
        return (Stamped(spec.topic, time_ns, cloud),)
