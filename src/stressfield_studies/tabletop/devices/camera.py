"""A depth camera on the mast: one image of points when it is asked for one."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin, tan

import numpy as np

from stressfield.arrays import turned
from stressfield.bus import Message, Stamped
from stressfield.bus.messages import FLOAT32, XYZ, Header, PointCloud2, PointField, Time
from stressfield.seeds import Rng
from stressfield.sim.mujoco import Data, Model, mujoco
from stressfield_studies.tabletop import robot
from stressfield_studies.tabletop.mission import TableObject
from stressfield_studies.tabletop.place.furniture import KINDS, TABLE_SHADE

RANGE_MAX_M = 4.0
SHADE_NOISE = 0.04
DROPOUT = 0.005
FIELDS = (*XYZ, PointField("intensity", 12, FLOAT32, 1))
_SEEN = np.array([1, 0, 0, 0, 0, 1], dtype=np.uint8)


class DepthCamera:
    """Casts a ray for each pixel. Points are in the robot's frame; each has a shade, by which things can be told apart.

    The robot's own parts are left out of the image, as a filter of a robot that knows its pose would do.
    """

    command_topics = (robot.CAPTURE,)

    def __init__(self, objects: Sequence[TableObject]) -> None:
        self._objects = tuple(objects)
        self._asked = False
        columns, rows = robot.CAMERA_COLUMNS, robot.CAMERA_ROWS
        side = tan(robot.CAMERA_WIDE_RAD / 2.0) * np.linspace(1.0, -1.0, columns)
        up = tan(robot.CAMERA_HIGH_RAD / 2.0) * np.linspace(1.0, -1.0, rows)
        y, z = np.meshgrid(side, up)
        rays = np.stack([np.ones_like(y), y, z], axis=-1).reshape(-1, 3)
        rays /= np.linalg.norm(rays, axis=1, keepdims=True)
        c, s = cos(robot.CAMERA_DOWN_RAD), sin(robot.CAMERA_DOWN_RAD)
        tilt = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
        self._rays = turned(rays, tilt)
        self._mount = np.array([robot.CAMERA_X_M, 0.0, robot.CAMERA_Z_M])

    def add(self, spec: mujoco.MjSpec) -> None:
        """It has no body of its own: the mast belongs to the robot."""

    def bind(self, model: Model, data: Data, rng: Rng) -> None:
        """Learn the shades of things."""
        self._model, self._data, self._rng = model, data, rng
        self._body = int(model.body(robot.NAME).id)
        self._shade = np.full(model.ngeom + 1, TABLE_SHADE, dtype=np.float64)
        for thing in self._objects:
            self._shade[np.flatnonzero(model.geom_bodyid == model.body(thing.name).id)] = KINDS[thing.kind].shade

    def command(self, topic: str, message: Message, time_ns: int) -> None:
        """Take an image at the end of the tick."""
        del topic, message, time_ns
        self._asked = True

    def before_step(self) -> None:
        """It has no control."""

    def sense(self, time_ns: int) -> Sequence[Stamped]:
        """The image that was asked for."""
        if not self._asked:
            return ()
        self._asked = False
        return (Stamped(robot.CLOUD, time_ns, self._image(time_ns)),)

    def _image(self, time_ns: int) -> PointCloud2:
        rotation = self._data.xmat[self._body].reshape(3, 3)
        origin = self._data.xpos[self._body] + turned(self._mount, rotation)
        count = len(self._rays)
        geoms, ranges = np.empty(count, dtype=np.int32), np.empty(count)
        directions = turned(self._rays, rotation)
        mujoco.mj_multiRay(
            self._model, self._data, origin, directions.reshape(-1), _SEEN, True, self._body, geoms, ranges, None,
            count, RANGE_MAX_M,
        )  # fmt: skip
        seen = (ranges >= 0.0) & (ranges <= RANGE_MAX_M) & (self._rng.random(count) >= DROPOUT)
        ranges = ranges + self._rng.normal(0.0, robot.CAMERA_NOISE_M, count)
        points = np.empty((count, 4), dtype=np.float32)
        points[:, :3] = self._mount + self._rays * ranges[:, None]
        points[:, 3] = self._shade[geoms] + self._rng.normal(0.0, SHADE_NOISE, count)
        points[~seen] = np.nan
        return PointCloud2(
            Header(Time.from_ns(time_ns), robot.NAME),
            robot.CAMERA_ROWS,
            robot.CAMERA_COLUMNS,
            FIELDS,
            False,
            16,
            16 * robot.CAMERA_COLUMNS,
            points.reshape(-1).view(np.uint8),
            False,
        )
