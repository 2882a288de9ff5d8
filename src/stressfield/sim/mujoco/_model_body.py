"""Robots that are models of a user's own, in a session: their parts, their commands, where they are, what is near."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from stressfield.arrays import Floats
from stressfield.bus.message import BAD_MESSAGE, Message, Stamped
from stressfield.bus.messages import Float64MultiArray, Header, JointState, Time
from stressfield.errors import PhysicsError, SubjectError, WorldError, did_you_mean
from stressfield.seeds import Rng
from stressfield.sim.mujoco._engine import Data, Model, mujoco
from stressfield.sim.mujoco.device import Rhythm
from stressfield.sim.mujoco.model_robot import model_spec
from stressfield.sim.rig import _motion_kernels as k
from stressfield.world import PlacedRobot, Robot, World
from stressfield.world.model_drive import ModelDrive, PartDrive


def body_name(robot: Robot) -> str:
    """How the body of a robot is called in the model of a world."""
    drive = robot.drive
    if isinstance(drive, ModelDrive):
        return f"{robot.name}/{drive.root}"
    return f"{drive.of}/{drive.body}" if isinstance(drive, PartDrive) else robot.name


def add_model(spec: mujoco.MjSpec, placed: PlacedRobot, *, z_m: float) -> None:
    """Put the model of a file into that of the world; all of its names get the robot's before them."""
    drive = placed.robot.drive
    assert isinstance(drive, ModelDrive)
    child = model_spec(Path(drive.file), servos=drive.servos, floating=drive.floating)
    half = placed.yaw_rad / 2.0
    frame = spec.worldbody.add_frame(pos=[placed.x_m, placed.y_m, z_m], quat=[math.cos(half), 0.0, 0.0, math.sin(half)])
    for key in list(child.keys):
        child.delete(key)  # they are read from the file itself: here they would have to know of all other joints
    spec.attach(child, frame=frame, prefix=f"{placed.robot.name}/")


class ModelDevice:
    """Takes the commands of one model and tells its joints."""

    def __init__(self, robot: Robot) -> None:
        drive = robot.drive
        assert isinstance(drive, ModelDrive)
        self._name, self._drive = robot.name, drive
        self._groups = {group.topic: group.actuators for group in drive.groups}
        self._rhythm = Rhythm(drive.joints_topic, drive.joints_rate_hz)

    @property
    def command_topics(self) -> tuple[str, ...]:
        """One for every group of actuators."""
        return tuple(self._groups)

    def add(self, spec: mujoco.MjSpec) -> None:
        """The model is there already, as a robot of the world."""

    def bind(self, model: Model, data: Data, rng: Rng) -> None:
        """Find joints and actuators, and stand as the file says."""
        del rng
        self._data, before = data, f"{self._name}/"
        self._motors = {
            name: int(model.actuator(before + name).id) for group in self._groups.values() for name in group
        }
        joints = [model.joint(n) for n in range(model.njnt) if model.joint(n).name.startswith(before)]
        simple = [joint for joint in joints if _size(joint) == 1]
        self._joints = tuple(joint.name.removeprefix(before) for joint in simple)
        self._at = np.array([int(joint.qposadr[0]) for joint in simple], dtype=np.int64)
        self._moves = np.array([int(joint.dofadr[0]) for joint in simple], dtype=np.int64)
        self._start = self._standing(model)
        self.restart()

    def _standing(self, model: Model) -> tuple[dict[int, Floats], dict[int, float]]:
        """Positions by place in qpos, and control signals by actuator."""
        drive, before = self._drive, f"{self._name}/"
        own = model_spec(Path(drive.file), servos=drive.servos, floating=drive.floating).compile()
        at, ctrl = own.qpos0, np.zeros(own.nu)
        if drive.keyframe:
            key = own.key(drive.keyframe)
            at, ctrl = key.qpos, key.ctrl
        positions: dict[int, Floats] = {}
        for n in range(own.njnt):
            joint = own.joint(n)
            size = _size(joint)
            first = int(joint.qposadr[0])
            here = int(model.joint(before + joint.name).qposadr[0])
            value = np.array(at[first : first + size])
            if size == 7:
                value = self._placed(model.qpos0[here : here + 7], own.qpos0[first : first + 7], value)
            positions[here] = value
        return positions, {int(model.actuator(before + own.actuator(n).name).id): float(ctrl[n]) for n in range(own.nu)}

    @staticmethod
    def _placed(there: Floats, defined: Floats, wanted: Floats) -> Floats:
        """A free root: where the world puts it, as high and as tilted as the keyframe has it."""
        result = there.copy()
        result[2] += wanted[2] - defined[2]
        back, turn = np.empty(4), np.empty(4)
        mujoco.mju_negQuat(back, defined[3:])
        mujoco.mju_mulQuat(turn, there[3:], back)  # how the world turns it
        mujoco.mju_mulQuat(result[3:], turn, np.ascontiguousarray(wanted[3:]))
        return result

    def restart(self) -> None:
        """Stand as at the start, whatever happened while others settled."""
        positions, ctrl = self._start
        for at, value in positions.items():
            self._data.qpos[at : at + len(value)] = value
        for motor, signal in ctrl.items():
            self._data.ctrl[motor] = signal

    def command(self, topic: str, message: Message, time_ns: int) -> None:
        """Numbers for actuators; those not named keep theirs."""
        del time_ns
        group = self._groups[topic]
        if isinstance(message, Float64MultiArray):
            names, values = group, np.asarray(message.data, dtype=np.float64)
            wanted = f"{len(group)} ({', '.join(group)})"
        elif isinstance(message, JointState):
            names = tuple(message.name)
            said = [array for array in (message.position, message.velocity, message.effort) if len(array)]
            if len(said) != 1:
                raise _bad(topic, f"has numbers in {len(said)} of position, velocity and effort; wanted one of them.")
            values, wanted = np.asarray(said[0], dtype=np.float64), f"{len(names)}, one for each name"
        else:
            raise _bad(topic, f"is a {type(message).__name__}; wanted Float64MultiArray or JointState.")
        if len(values) != len(names):
            raise _bad(topic, f"has {len(values)} numbers; wanted {wanted}.")
        for name in names:
            if name not in group:
                raise _bad(
                    topic, f"names the actuator {name!r}; this topic has {', '.join(group)}.{did_you_mean(name, group)}"
                )
        if not np.isfinite(values).all():
            raise PhysicsError(f"A command on {topic!r} is not finite: got {values.tolist()}; wanted finite numbers.")
        for name, value in zip(names, values.tolist(), strict=True):
            self._data.ctrl[self._motors[name]] = value

    def before_step(self) -> None:
        """MuJoCo's actuators do the control."""

    def sense(self, time_ns: int) -> Sequence[Stamped]:
        """Hinges and slides, once a period."""
        if not self._joints or not self._rhythm.due(time_ns):
            return ()
        data, header = self._data, Header(Time.from_ns(time_ns), "")
        said = JointState(
            header, self._joints, data.qpos[self._at], data.qvel[self._moves], data.qfrc_actuator[self._moves]
        )
        return (Stamped(self._drive.joints_topic, time_ns, said),)


FREE_SIZE = 7
"""Numbers that say where a free body is: a place and a quaternion."""


def _size(joint: Any) -> int:
    """Numbers that say where a joint is."""
    kind = int(joint.type[0])  # a number of numpy is equal to no member of MuJoCo's enumerations
    if kind == int(mujoco.mjtJoint.mjJNT_FREE):
        return FREE_SIZE
    return 4 if kind == int(mujoco.mjtJoint.mjJNT_BALL) else 1


def _bad(topic: str, what: str) -> SubjectError:
    return SubjectError(f"A command on {topic!r} {what}", kind=BAD_MESSAGE, topic=topic)


def model_devices(world: World) -> tuple[ModelDevice, ...]:
    """One for every model of the world."""
    devices = tuple(ModelDevice(placed.robot) for placed in world.robots if isinstance(placed.robot.drive, ModelDrive))
    said: set[str] = set()
    for placed in world.robots:
        for topic in placed.robot.drive.command_topics:
            if topic in said:
                raise WorldError(f"Two robots listen to {topic!r}; wanted a command_topic of its own for each.")
            said.add(topic)
    return devices


class Follower:
    """Writes where a body of a model is into the state that sensors read and into the truth."""

    def __init__(self, robot: Robot, state: Floats, model: Model, data: Data) -> None:
        self._state, self._model, self._data = state, model, data
        self._body = int(model.body(body_name(robot)).id)
        self._before: tuple[list[float], float] | None = None
        self._motion = np.empty(6)

    def look(self, truth: Floats, elapsed_s: float) -> None:
        """Where it is, how fast, and how far it has come since the last look."""
        s, data, body = self._state, self._data, self._body
        mujoco.mj_objectVelocity(self._model, data, mujoco.mjtObj.mjOBJ_XBODY, body, self._motion, 0)
        turn, velocity = float(self._motion[2]), self._motion[3:]
        place, rotation = data.xpos[body].tolist(), data.xmat[body].reshape(3, 3)
        ahead, left, up = rotation.T
        yaw = math.atan2(ahead[1], ahead[0])
        if self._before is not None and elapsed_s > 0.0:
            moved = np.subtract(place, self._before[0])
            s[k.TRUE_PATH] += float(ahead @ moved)
            s[k.TRUE_DRIFT] += float(left @ moved)
            s[k.TRUE_ANGLE] += math.remainder(yaw - self._before[1], 2.0 * math.pi)
        s[k.X], s[k.Y], s[k.Z] = place
        s[k.ROLL], s[k.PITCH] = math.atan2(left[2], up[2]), math.asin(min(max(-ahead[2], -1.0), 1.0))
        s[k.YAW], s[k.TRUE_TURN] = yaw, turn
        s[k.TRUE_SPEED], s[k.TRUE_SIDE] = float(ahead @ velocity), float(left @ velocity)
        w, x, y, z = data.xquat[body].tolist()
        truth[0:9] = *place, x, y, z, w, float(np.linalg.norm(velocity)), turn
        self._before = place, yaw


class ModelGaps:
    """How near models come to things, in space, by MuJoCo's own distances between shapes: at most 2 m are measured."""

    def __init__(self, world: World, model: Model, data: Data) -> None:
        self._model, self._data = model, data
        self.rows: list[tuple[int, list[int], list[tuple[int, int]]]] = []
        families = [placed.robot.family for placed in world.robots]
        of_robot = [_geoms(model, body_name(placed.robot), placed.robot) for placed in world.robots]
        models = {placed.robot.name for placed in world.robots if isinstance(placed.robot.drive, ModelDrive)}
        solid = [i for i in range(len(world.bodies)) if world.bodies.solid[i]]
        things = [(int(model.geom(f"body_{i}").id), i) for i in solid]
        things += [(int(model.geom(f"actor_{i}").id), len(world.bodies) + i) for i in range(len(world.actors))]
        for me, mine in enumerate(of_robot):
            others = [
                (geom, -2 - other)
                for other, theirs in enumerate(of_robot)
                if families[other] != families[me] and world.robots[other].robot.name == families[other]
                and (families[me] in models or families[other] in models)
                for geom in theirs
            ]  # fmt: skip
            near = [*things, *others] if families[me] in models else others
            self.rows.append((me, mine, near))

    def nearest(self, robot: int, most_m: float) -> tuple[float, int]:
        """Least distance (negative: depth of overlap) and whose it is: a body's index, or -2 - robot; -1 for nobody."""
        _, mine, near = self.rows[robot]
        model, data = self._model, self._data
        best, whose = most_m, -1
        if not near:
            return best, whose
        geoms = np.array([geom for geom, _ in near])
        for geom in mine:
            apart = np.linalg.norm(data.geom_xpos[geoms] - data.geom_xpos[geom], axis=1)
            # By bounding spheres first: most pairs are far apart.
            close = np.flatnonzero(apart - model.geom_rbound[geoms] - model.geom_rbound[geom] < best)
            for n in close.tolist():
                gap = float(mujoco.mj_geomDistance(model, data, geom, int(geoms[n]), most_m, None))
                if gap < best:
                    best, whose = gap, near[n][1]
        return best, whose


def _geoms(model: Model, body: str, robot: Robot) -> list[int]:
    """Shapes of a robot: of a part its own, of others those of all that hangs on it. Those that nothing touches do not
    count."""
    found = int(model.body(body).id)
    if isinstance(robot.drive, PartDrive):
        mine = model.geom_bodyid == found
    else:
        mine = model.body_rootid[model.geom_bodyid] == model.body_rootid[found]
    touched = (model.geom_contype | model.geom_conaffinity) != 0
    return [int(geom) for geom in np.flatnonzero(mine & touched)]
