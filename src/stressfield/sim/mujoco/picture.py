"""Pictures of a state: rendered off screen, as PNG."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from stressfield.arrays import Bytes, Flags, Floats, Singles, turned
from stressfield.errors import InputError, RigError
from stressfield.sim.mujoco._engine import Data, Model, mujoco
from stressfield.sim.rig.ray_grid import RayGrid
from stressfield.world import ColorCamera
from stressfield.world.formats.png import encode_colour

SIDE_MAX_PX = 4096
GEOMS_MAX = 20_000
NEAR_M = 0.02
"""Nearer things are not drawn. Much less would leave the depth buffer no precision far away."""
_GROUPS_SHOWN = (1, 1, 1, 0, 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraView:
    """From where one looks: at a point, from a distance, turned about z (0 looks along x) and seen from above."""

    at: tuple[float, float, float]
    distance_m: float
    azimuth_deg: float = 90.0
    elevation_deg: float = -35.0


@dataclass(frozen=True, slots=True)
class Lens:
    """Tangents of half the angles of a camera, and between which depths it draws."""

    across: float
    upwards: float
    near_m: float
    far_m: float


class Camera:
    """Renders states of one model. Use it in a ``with`` block, or ``close()`` it: it holds graphics memory.

    Shadows, reflections and multisampling are off: without a graphics card they take most of the time.
    """

    def __init__(self, model: Model, *, width_px: int = 640, height_px: int = 480) -> None:
        if not (0 < width_px <= SIDE_MAX_PX and 0 < height_px <= SIDE_MAX_PX):
            raise InputError(
                f"A picture of {width_px} x {height_px} pixels cannot be made; wanted sides from 1 to {SIDE_MAX_PX}."
            )
        self._size = (width_px, height_px)
        self._model = model
        model.vis.global_.offwidth = max(int(model.vis.global_.offwidth), width_px)
        model.vis.global_.offheight = max(int(model.vis.global_.offheight), height_px)
        model.vis.quality.offsamples = 0
        self._screen = _screen(width_px, height_px)
        self._context = mujoco.MjrContext(model, mujoco.mjtFontScale.mjFONTSCALE_100)
        mujoco.mjr_setBuffer(mujoco.mjtFramebuffer.mjFB_OFFSCREEN, self._context)
        self._scene = mujoco.MjvScene(model, GEOMS_MAX)
        for flag in (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION):
            self._scene.flags[int(flag)] = 0
        self._option = mujoco.MjvOption()
        self._option.geomgroup[:] = _GROUPS_SHOWN

    def __enter__(self) -> Camera:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def pixels(self, data: Data, view: CameraView) -> Bytes:
        """The picture as rows of red, green, blue."""
        camera = mujoco.MjvCamera()
        camera.lookat[:] = view.at
        camera.distance, camera.azimuth, camera.elevation = view.distance_m, view.azimuth_deg, view.elevation_deg
        self._look(data, camera)
        return self._taken()[0]

    def seen_from(self, data: Data, origin: Floats, axes: Floats, lens: Lens) -> tuple[Bytes, Singles]:
        """The picture from a point, and the depth of every pixel; the columns of ``axes`` are ahead, left and up."""
        self._look(data, mujoco.MjvCamera())
        for eye in self._scene.camera:  # two, for stereo: what is drawn is their mean
            eye.pos[:], eye.forward[:], eye.up[:] = origin, axes[:, 0], axes[:, 2]
            eye.orthographic, eye.frustum_center, eye.frustum_width = 0, 0.0, lens.across * lens.near_m
            eye.frustum_near, eye.frustum_far = lens.near_m, lens.far_m
            eye.frustum_top, eye.frustum_bottom = lens.upwards * lens.near_m, -lens.upwards * lens.near_m
        picture, share = self._taken()
        depth: Singles = lens.near_m / (1.0 - share * np.float32(1.0 - lens.near_m / lens.far_m))
        return picture, depth

    def _look(self, data: Data, camera: Any) -> None:
        self._screen.make_current()
        mujoco.mjv_updateScene(
            self._model, data, self._option, None, camera, int(mujoco.mjtCatBit.mjCAT_ALL), self._scene
        )

    def _taken(self) -> tuple[Bytes, Singles]:
        """Colours, and what the depth buffer says, rows from the top."""
        width, height = self._size
        area = mujoco.MjrRect(0, 0, width, height)
        mujoco.mjr_render(area, self._scene, self._context)
        picture, depth = np.empty((height, width, 3), dtype=np.uint8), np.empty((height, width), dtype=np.float32)
        mujoco.mjr_readPixels(picture, depth, area, self._context)
        return picture[::-1], depth[::-1]

    def png(self, data: Data, view: CameraView) -> bytes:
        """The picture as the bytes of a PNG file."""
        return encode_colour(np.ascontiguousarray(self.pixels(data, view)))

    def close(self) -> None:
        """Free the graphics memory."""
        self._screen.make_current()  # of several cameras, each has a context of its own
        self._context.free()
        self._screen.free()


class RobotEye:
    """What a colour camera on a robot sees. The robot itself is left out, as it is for lidars."""

    def __init__(self, model: Model, data: Data, body: int, spec: ColorCamera) -> None:
        view = RayGrid.of_camera(spec)
        self._model, self._data, self._body = model, data, body
        self._mine = model.body_rootid[model.geom_bodyid] == model.body_rootid[body]
        self._mount, self._turn = np.array([view.x_m, view.y_m, view.z_m]), view.rotation()
        # The sky is a box whose sides are drawn at little more than half of the greatest depth: it must hide nothing.
        self._lens = Lens(view.across, view.upwards, NEAR_M, 2.0 * max(spec.range_max_m, NEAR_M))
        self._camera = Camera(model, width_px=spec.width_px, height_px=spec.height_px)

    def pixels(self) -> Bytes:
        """Rows of red, green, blue."""
        return self.seen()[0]

    def seen(self) -> tuple[Bytes, Singles]:
        """Colours, and the depth of every pixel as the graphics library has it."""
        rotation = self._data.xmat[self._body].reshape(3, 3)
        origin = self._data.xpos[self._body] + turned(self._mount, rotation)
        axes = turned(self._turn.T, rotation).T
        opacity = self._model.geom_rgba[:, 3].copy()
        # MuJoCo draws whatever is in the model, in sight or not, but for what has no opacity.
        self._model.geom_rgba[self._mine | self._out_of_sight(origin, axes), 3] = 0.0
        try:
            return self._camera.seen_from(self._data, origin, axes, self._lens)
        finally:
            self._model.geom_rgba[:, 3] = opacity

    def _out_of_sight(self, origin: Floats, axes: Floats) -> Flags:
        """Geoms wholly behind the camera or beside what it sees, by the balls around them; planes have none."""
        lens, radius = self._lens, self._model.geom_rbound
        ahead, left, up = turned(self._data.geom_xpos - origin, axes.T).T
        across, upwards = math.hypot(1.0, lens.across), math.hypot(1.0, lens.upwards)
        gone = (ahead < -radius) | (ahead > lens.far_m + radius)
        gone |= (np.abs(left) - lens.across * ahead) / across > radius
        gone |= (np.abs(up) - lens.upwards * ahead) / upwards > radius
        hidden: Flags = gone & (radius > 0.0)
        return hidden

    def __del__(self) -> None:
        camera = getattr(self, "_camera", None)  # there is none if it could not be made
        # When Python ends, the graphics library has ended already and taken its memory along.
        if camera is not None and not sys.is_finalizing():
            camera.close()


def render(model: Model, data: Data, view: CameraView, *, width_px: int = 640, height_px: int = 480) -> bytes:
    """One picture of a state, as the bytes of a PNG file."""
    with Camera(model, width_px=width_px, height_px=height_px) as camera:
        return camera.png(data, view)


def render_each(
    model: Model, states: Sequence[Floats], view: CameraView, *, width_px: int = 640, height_px: int = 480
) -> list[bytes]:
    """A picture per row of positions (``data.qpos``), as PNG."""
    data = mujoco.MjData(model)
    pictures = []
    with Camera(model, width_px=width_px, height_px=height_px) as camera:
        for positions in states:
            data.qpos[:] = positions
            mujoco.mj_forward(model, data)
            pictures.append(camera.png(data, view))
    return pictures


def _screen(width_px: int, height_px: int) -> Any:
    """A place to draw that no one sees. Needs EGL, with or without a graphics card."""
    os.environ.setdefault("PYOPENGL_PLATFORM", "egl")
    try:
        from mujoco.egl import GLContext  # noqa: PLC0415 (fails where there is no EGL)

        screen = GLContext(width_px, height_px)
        screen.make_current()
    except Exception as error:  # PyOpenGL raises what it likes when a library is missing
        raise RigError(
            f"Pictures of MuJoCo need OpenGL with EGL, which does not work here ({type(error).__name__}: {error}). "
            "On Debian: apt-get install libegl1 libegl-mesa0 libopengl0 libgl1-mesa-dri"
        ) from error
    return screen
