"""Objects that can be moved, and what the observer sees of them."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin

import numpy as np

from stressfield.bus import Message, Stamped
from stressfield.bus.messages import Header, Point, Pose, Quaternion, Time
from stressfield.seeds import Rng
from stressfield.sim.mujoco import Data, Model, mujoco
from stressfield.world import Shape
from stressfield_studies.tabletop import robot
from stressfield_studies.tabletop.messages import FIXED, LEFT_FINGER, OBJECT, RIGHT_FINGER, ROBOT, SceneTruth
from stressfield_studies.tabletop.mission import TableObject
from stressfield_studies.tabletop.place.furniture import KINDS

PERIOD_NS = 100_000_000
_GROUND, _FIXED, _ROBOT, _LEFT, _RIGHT, _OBJECT = 0, 1, 2, 3, 4, 5
_BIT = np.array([FIXED, FIXED, ROBOT, LEFT_FINGER, RIGHT_FINGER, OBJECT], dtype=np.uint8)


class Household:
    """Makes the last bodies of the world loose, each with the weight and grip of its own that the mission tells."""

    command_topics = ()

    def __init__(self, objects: Sequence[TableObject], *, first_body: int) -> None:
        self._objects = tuple(objects)
        self._first = first_body
        self._names = tuple(thing.name for thing in objects)

    def add(self, spec: mujoco.MjSpec) -> None:
        """Loose bodies in the place of the world's fixed ones."""
        for i, thing in enumerate(self._objects, start=self._first):
            spec.delete(spec.geom(f"body_{i}"))
            loose = spec.worldbody.add_body(name=thing.name, pos=[thing.x_m, thing.y_m, thing.z_m])
            loose.quat = [cos(thing.yaw_rad / 2.0), 0.0, 0.0, sin(thing.yaw_rad / 2.0)]
            loose.add_freejoint(name=thing.name)
            geom = loose.add_geom(name=f"body_{i}", mass=thing.mass_kg, condim=4, priority=1)
            if thing.shape is Shape.BOX:
                geom.type, geom.size = (
                    mujoco.mjtGeom.mjGEOM_BOX,
                    [thing.length_m / 2.0, thing.width_m / 2.0, thing.height_m / 2.0],
                )
            else:
                geom.type, geom.size = mujoco.mjtGeom.mjGEOM_CYLINDER, [thing.length_m / 2.0, thing.height_m / 2.0, 0.0]
            geom.friction = [thing.friction, 0.02 * thing.friction, 0.0001]
            geom.rgba = [*KINDS[thing.kind].colour, 1.0]

    def bind(self, model: Model, data: Data, rng: Rng) -> None:
        """Learn which geom is whose."""
        del rng
        self._data = data
        self._bodies = np.array([model.body(name).id for name in self._names], dtype=np.int64)
        self._tool = int(model.site(robot.PREFIX + "panda_tcp").id)
        self._fingers = np.array([int(model.joint(robot.PREFIX + name).qposadr[0]) for name in robot.FINGERS])
        whose = np.full(model.ngeom, _FIXED)
        whose[model.geom_bodyid == model.body(robot.NAME).id] = _ROBOT
        root = model.body(robot.NAME).rootid[0]
        whose[model.body_rootid[model.geom_bodyid] == root] = _ROBOT
        whose[model.geom(robot.PREFIX + "panda_leftfinger").id] = _LEFT
        whose[model.geom(robot.PREFIX + "panda_rightfinger").id] = _RIGHT
        whose[model.geom("ground").id] = _GROUND
        self._object = np.full(model.ngeom, -1)
        for i in range(len(self._objects)):
            geom = int(model.geom(f"body_{self._first + i}").id)
            whose[geom], self._object[geom] = _OBJECT, i
        self._whose = whose
        self._touching = np.zeros(len(self._objects), dtype=np.uint8)
        self._robot_contact = 0

    def command(self, topic: str, message: Message, time_ns: int) -> None:
        """Nothing can be asked of objects."""

    def before_step(self) -> None:
        """Objects have no control."""

    def sense(self, time_ns: int) -> Sequence[Stamped]:
        """Note contacts every tick; tell them, and all poses, when it is time."""
        self._feel()
        if time_ns % PERIOD_NS:
            return ()
        data = self._data
        poses = np.empty((len(self._bodies), 7))
        poses[:, :3] = data.xpos[self._bodies]
        poses[:, 3:6] = data.xquat[self._bodies, 1:]
        poses[:, 6] = data.xquat[self._bodies, 0]
        x, y, z = data.site_xpos[self._tool].tolist()
        quaternion = np.empty(4)
        mujoco.mju_mat2Quat(quaternion, data.site_xmat[self._tool])
        qw, qx, qy, qz = quaternion.tolist()
        truth = SceneTruth(
            Header(Time.from_ns(time_ns), "world"),
            self._names,
            poses.reshape(-1),
            self._touching.copy(),
            self._robot_contact,
            Pose(Point(x, y, z), Quaternion(qx, qy, qz, qw)),
            float(data.qpos[self._fingers].sum()),
        )
        self._touching[:] = 0
        self._robot_contact = 0
        return (Stamped(robot.SCENE, time_ns, truth),)

    def _feel(self) -> None:
        data = self._data
        if not data.ncon:
            return
        pairs = data.contact.geom
        first, second = pairs[:, 0], pairs[:, 1]
        kinds = self._whose[first], self._whose[second]
        for mine, other in ((first, kinds[1]), (second, kinds[0])):
            index = self._object[mine]
            for i, kind in zip(index[index >= 0].tolist(), other[index >= 0].tolist(), strict=True):
                self._touching[i] |= _BIT[kind]
        low, high = np.minimum(*kinds), np.maximum(*kinds)
        if bool(((low == _FIXED) & (high >= _ROBOT) & (high <= _RIGHT)).any()):
            self._robot_contact = 1
