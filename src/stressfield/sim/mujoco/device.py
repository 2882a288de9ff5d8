"""Parts that take commands or make messages in a MuJoCo session (arms, cameras, loose objects): their contract, and
three sensors of a user's own model that are ready made.

The order of calls: ``add`` once for every device, in order, after the ground, the bodies and the robots of the world
are in the model; the model is compiled; ``bind`` once for every device; then for every tick ``command`` for each
message that arrived, ``before_step`` at the start of every control step (see ``MujocoSimulator.control_ns``), and
``sense`` at the end of the tick.

The robots of the world are bodies of the model called as the robot is (``spec.body("oz")``); their frame has its origin
on the ground under the axle, x ahead, y left, z up. Body ``i`` of the world is a geom called ``body_i`` (and a body
``body_i`` if it can be moved). The ground is a geom called ``ground``.

Ground truth that a robot must not read goes to topics under ``/observer/``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from stressfield.arrays import turned
from stressfield.bus.message import Message, Stamped
from stressfield.bus.messages import XYZ, BoolMsg, Header, JointState, PointCloud2, Time
from stressfield.errors import InputError
from stressfield.seeds import Rng
from stressfield.sim.mujoco._engine import Data, Model, mujoco
from stressfield.sim.mujoco._rays import SEEN_WITH_GROUND, Fan


class Device(Protocol):
    """A part of a robot or of the scene that takes commands or makes messages."""

    @property
    def command_topics(self) -> tuple[str, ...]:
        """Topics it listens to."""

    def add(self, spec: mujoco.MjSpec) -> None:
        """Extend the model before it is compiled."""

    def bind(self, model: Model, data: Data, rng: Rng) -> None:
        """Look up ids after compilation, set the starting state; ``rng`` drives all of the device's noise."""

    def command(self, topic: str, message: Message, time_ns: int) -> None:
        """Take a command that arrived at ``time_ns``; usually sets ``data.ctrl``."""

    def before_step(self) -> None:
        """Low-level control at the start of every control step. ``data.time`` is the time in seconds."""

    def sense(self, time_ns: int) -> Sequence[Stamped]:
        """The messages that are due at the end of the tick, stamped within it."""


class Rhythm:
    """Due at the first tick in every period, whether or not periods are multiples of ticks; not at time zero."""

    def __init__(self, topic: str, rate_hz: float) -> None:
        if not 0.0 < rate_hz <= 1e6:
            raise InputError(f"The sensor on {topic!r} has a rate of {rate_hz!r} Hz; wanted more than zero, up to 1e6.")
        self._rate_hz = rate_hz
        self._period = 0

    def due(self, time_ns: int) -> bool:
        """Whether a new period has begun since it was last due."""
        period = int(time_ns * self._rate_hz / 1e9 + 1e-9)
        if period == self._period:
            return False
        self._period = period
        return True


class JointSensor:
    """Sends positions, speeds and efforts of hinges and slides as JointState."""

    command_topics: tuple[str, ...] = ()

    def __init__(self, topic: str, joints: Sequence[str], *, rate_hz: float) -> None:
        self._topic, self._names = topic, tuple(joints)
        self._rhythm = Rhythm(topic, rate_hz)

    def add(self, spec: mujoco.MjSpec) -> None:
        """It adds nothing to the model."""

    def bind(self, model: Model, data: Data, rng: Rng) -> None:
        """Find the joints."""
        del rng
        ids = [_id_of(model, mujoco.mjtObj.mjOBJ_JOINT, name, self._topic) for name in self._names]
        self._data = data
        self._at = np.array([int(model.jnt_qposadr[i]) for i in ids], dtype=np.int64)
        self._moves = np.array([int(model.jnt_dofadr[i]) for i in ids], dtype=np.int64)

    def command(self, topic: str, message: Message, time_ns: int) -> None:
        """It takes no commands."""

    def before_step(self) -> None:
        """It has no control."""

    def sense(self, time_ns: int) -> Sequence[Stamped]:
        """The joints, once a period."""
        if not self._rhythm.due(time_ns):
            return ()
        data, header = self._data, Header(Time.from_ns(time_ns), "")
        effort = data.qfrc_actuator[self._moves]
        said = JointState(header, self._names, data.qpos[self._at], data.qvel[self._moves], effort)
        return (Stamped(self._topic, time_ns, said),)


class ContactSensor:
    """True if a body of the model was touched at the end of any control step since the last sample."""

    command_topics: tuple[str, ...] = ()

    def __init__(self, topic: str, body: str, *, rate_hz: float) -> None:
        self._topic, self._name = topic, body
        self._rhythm = Rhythm(topic, rate_hz)
        self._felt = False

    def add(self, spec: mujoco.MjSpec) -> None:
        """It adds nothing to the model."""

    def bind(self, model: Model, data: Data, rng: Rng) -> None:
        """Find the geoms of the body."""
        del rng
        body = _id_of(model, mujoco.mjtObj.mjOBJ_BODY, self._name, self._topic)
        self._data = data
        self._mine = model.geom_bodyid == body

    def command(self, topic: str, message: Message, time_ns: int) -> None:
        """It takes no commands."""

    def before_step(self) -> None:
        """Feel what the control step before ended with."""
        if not self._felt and self._data.ncon:
            self._felt = bool(self._mine[self._data.contact.geom].any())

    def sense(self, time_ns: int) -> Sequence[Stamped]:
        """Whether there was contact, once a period."""
        self.before_step()
        if not self._rhythm.due(time_ns):
            return ()
        felt, self._felt = self._felt, False
        return (Stamped(self._topic, time_ns, BoolMsg(felt)),)


def _id_of(model: Model, kind: object, name: str, topic: str) -> int:
    found = int(mujoco.mj_name2id(model, kind, name))
    if found < 0:
        raise InputError(f"The sensor on {topic!r} needs {name!r}, which the model does not have.")
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class PointCameraSpec:
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


class PointCamera:
    """Sends PointCloud2, row by row from the top left, in the camera's frame (x ahead). No return is NaN."""

    command_topics: tuple[str, ...] = ()

    def __init__(self, spec: PointCameraSpec) -> None:
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
        self._rays = Fan(model, data, self._table, range_max_m=spec.range_max_m, without_body=body)

    def command(self, topic: str, message: Message, time_ns: int) -> None:
        """It takes no commands."""

    def before_step(self) -> None:
        """It has no control."""

    def sense(self, time_ns: int) -> Sequence[Stamped]:
        """A cloud, once a period."""
        if not self._rhythm.due(time_ns):
            return ()
        spec = self._spec
        rotation = self._data.xmat[self._body].reshape(3, 3)
        origin = self._data.xpos[self._body] + turned(self._mount, rotation)
        self._rays.cast(origin, turned(self._tilt.T, rotation).T, SEEN_WITH_GROUND)
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
