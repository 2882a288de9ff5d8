"""Arm and gripper: they follow joint trajectories, open and close, and tell where their joints are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stressfield.bus import Message, Stamped
from stressfield.bus.messages import Header, JointState, Time
from stressfield.errors import NotFiniteError, SubjectError
from stressfield.seeds import Rng
from stressfield.sim.mujoco import Data, Model, mujoco
from stressfield_studies.tabletop import robot
from stressfield_studies.tabletop.messages import GripperCommand, JointTrajectory

HOME: NDArray[np.float64] = np.array(robot.HOME_RAD)
MODEL = Path(__file__).parent.parent / "assets" / "panda.xml"
PERIOD_NS = 100_000_000
FORCE_MAX_N = 60.0
NOSLIP = 3
"""Without these, soft contacts creep: an object that is carried slides out of the gripper within half a minute."""

_EFFORT_OF_TENDON = 2.0
_NONE = np.zeros(0)


class Manipulator:
    """The arm on its base. A trajectory replaces the one before and begins where the arm was sent last."""

    command_topics = (robot.ARM, robot.GRIPPER)

    def __init__(self) -> None:
        self._target = HOME.copy()
        self._times: NDArray[np.float64] = np.zeros(1)
        self._rows: NDArray[np.float64] = HOME[None, :].copy()
        self._begin_s = 0.0
        self._moving = False

    def add(self, spec: mujoco.MjSpec) -> None:
        """The arm, on top of the base; a mast for the camera."""
        spec.option.noslip_iterations = NOSLIP
        arm = mujoco.MjSpec.from_file(str(MODEL))
        base = spec.body(robot.NAME)
        spec.attach(arm, frame=base.add_frame(pos=[robot.ARM_X_M, 0.0, robot.ARM_Z_M]), prefix=robot.PREFIX)
        _mast(base)

    def bind(self, model: Model, data: Data, rng: Rng) -> None:
        """Fold the arm, open the gripper."""
        del rng
        self._model, self._data = model, data
        self._motors = np.array([model.actuator(robot.PREFIX + name).id for name in robot.ARM_JOINTS])
        self._grip = int(model.actuator(robot.PREFIX + "panda_fingers").id)
        names = (*robot.ARM_JOINTS, *robot.FINGERS)
        self._at = np.array([int(model.joint(robot.PREFIX + name).qposadr[0]) for name in names])
        self._speeds = np.array([int(model.joint(robot.PREFIX + name).dofadr[0]) for name in names])
        data.qpos[self._at[:7]] = HOME
        data.qpos[self._at[7:]] = robot.FINGER_MAX_M
        data.ctrl[self._motors] = HOME
        data.ctrl[self._grip] = robot.FINGER_MAX_M
        self._names = names

    def command(self, topic: str, message: Message, time_ns: int) -> None:
        """A trajectory, or a width for the gripper."""
        _check(topic, message)
        if isinstance(message, GripperCommand):
            effort = _EFFORT_OF_TENDON * min(max(message.max_effort, 0.0), FORCE_MAX_N)
            self._model.actuator_forcerange[self._grip] = -effort, effort
            self._data.ctrl[self._grip] = min(max(message.width / 2.0, 0.0), robot.FINGER_MAX_M)
        elif isinstance(message, JointTrajectory):
            self._times = np.concatenate([[0.0], message.time_from_start])
            rows = message.positions.reshape(-1, 7)
            self._rows = np.concatenate([self._target[None, :], rows])
            self._begin_s = max(time_ns / 1e9, float(self._data.time))
            self._moving = True

    def before_step(self) -> None:
        """Move the servos' targets along the trajectory."""
        if not self._moving:
            return
        now_s = float(self._data.time) - self._begin_s
        place = int(np.searchsorted(self._times, now_s, side="right"))
        if place >= len(self._times):
            self._target = self._rows[-1].copy()
            self._moving = False
        elif place > 0:
            before, after = self._times[place - 1], self._times[place]
            share = (now_s - before) / (after - before)
            self._target = self._rows[place - 1] + share * (self._rows[place] - self._rows[place - 1])
        self._data.ctrl[self._motors] = self._target

    def sense(self, time_ns: int) -> Sequence[Stamped]:
        """Where the joints are."""
        if time_ns % PERIOD_NS:
            return ()
        header = Header(Time.from_ns(time_ns), robot.NAME)
        position, speed = self._data.qpos[self._at], self._data.qvel[self._speeds]
        return (Stamped(robot.JOINTS, time_ns, JointState(header, self._names, position, speed, _NONE)),)


def _check(topic: str, message: Message) -> None:
    """A command of another kind or shape is the robot software's mistake."""
    wanted = GripperCommand if topic == robot.GRIPPER else JointTrajectory
    if not isinstance(message, wanted):
        raise SubjectError(f"A command on {topic!r} is a {type(message).__name__}; wanted {wanted.__name__}.")
    if isinstance(message, GripperCommand):
        numbers = np.array([message.width, message.max_effort])
    else:
        times, numbers = message.time_from_start, message.positions
        if not len(times) or len(numbers) != 7 * len(times):
            raise SubjectError(
                f"A command on {topic!r} has {len(numbers)} positions at {len(times)} times; wanted 7 at each time."
            )
        if np.diff(times, prepend=0.0).min() < 0.0:
            raise SubjectError(f"A command on {topic!r} has times that run backwards; wanted them in order, from 0 on.")
    bad = numbers[~np.isfinite(numbers)]
    if len(bad):
        raise NotFiniteError(topic, message, f"{bad[0]:g}, one of {len(numbers)} numbers")


def _mast(base: mujoco.MjsBody) -> None:
    look = {"contype": 0, "conaffinity": 0, "group": 2, "mass": 0.0, "rgba": [0.25, 0.25, 0.28, 1.0]}
    half = (robot.CAMERA_Z_M - robot.HEIGHT_M) / 2.0
    base.add_geom(
        type=mujoco.mjtGeom.mjGEOM_CYLINDER, size=[0.015, half, 0.0],
        pos=[robot.CAMERA_X_M, 0.0, robot.HEIGHT_M + half], **look,
    )  # fmt: skip
    base.add_geom(
        type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.025, 0.07, 0.025],
        pos=[robot.CAMERA_X_M + 0.01, 0.0, robot.CAMERA_Z_M], **look,
    )  # fmt: skip
