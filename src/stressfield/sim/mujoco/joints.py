"""Sensors of a user's own model: where joints are, and what touches what."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stressfield.bus.message import Message
from stressfield.bus.messages import BoolMsg, Header, JointState, Time
from stressfield.bus.stamped import Stamped
from stressfield.errors import InputError
from stressfield.seeds import Rng
from stressfield.sim.mujoco.device import Data, Model
from stressfield.sim.mujoco.library import mujoco
from stressfield.sim.mujoco.rhythm import Rhythm


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
