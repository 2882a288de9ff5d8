"""A robot of your own from an MJCF or URDF file: arms, legged robots, drones, whatever MuJoCo can move."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from stressfield.arrays import Floats
from stressfield.errors import InputError, did_you_mean
from stressfield.sim.mujoco._engine import Data, Model, mujoco
from stressfield.sim.mujoco.model_file import read_mjcf
from stressfield.world import Odometer, Robot, Sensor
from stressfield.world.model_drive import ActuatorGroup, ModelDrive, ModelPart, Servo, SolidBox

TINY_M = 0.05
"""Outline of a root without shapes of its own."""


def model_robot(
    file: str | Path,
    *,
    groups: Mapping[str, Sequence[str]] | None = None,
    servos: Sequence[Servo] = (),
    sensors: Sequence[Sensor] = (),
    floating: bool = False,
    keyframe: str = "",
    joints_rate_hz: float = 20.0,
    topics: str = "",
) -> Robot:
    """A robot that is the one body (with all that hangs on it) of a model file, moved by its named actuators.

    ``groups`` are actuators by the topic of their commands; without any, all are commanded on ``/joint_commands``. A
    command is a Float64MultiArray with a number for each actuator of the group, or a JointState with names of actuators
    and numbers in one of position, velocity and effort: both are what the actuator makes of a number (an angle, a
    speed, a force). It holds until the next one. Hinges and slides are told on ``/joint_states``. ``servos`` give
    actuators to joints that have none, as in a URDF file, which knows none. ``floating`` sets a root free that the file
    fixes. ``keyframe`` says how it stands at the start. ``topics`` is put before all of these topics. Sensors sit on
    the root.

    Ground planes, lights and options of the file are left out: the world has its own.
    """
    path = Path(file).absolute()
    spec = model_spec(path, servos=servos, floating=floating)
    model = _compiled(spec, path)
    root = spec.worldbody.bodies[0].name
    start = mujoco.MjData(model)
    _stand(model, start, keyframe, path)
    boxes = {name: box for name in _names(model) if (box := _box(model, name)) is not None}
    if not boxes:
        raise InputError(f"The model file {path} has no shapes: nothing of the robot could touch anything or be seen.")
    for sensor in sensors:
        if isinstance(sensor, Odometer):
            raise InputError(
                f"The model {path.name} has no wheels that an Odometer on {sensor.topic!r} could count. Use a "
                "VisualOdometer, a PoseSensor, or the joint states."
            )
    drive = ModelDrive(
        file=str(path),
        root=root,
        box=boxes.get(root),
        groups=_groups(spec, path, groups, topics),
        servos=tuple(servos),
        floating=floating,
        keyframe=keyframe,
        joints_topic=f"{topics}/joint_states",
        joints_rate_hz=joints_rate_hz,
        parts=tuple(_part(model, start, root, name, box) for name, box in boxes.items() if name != root),
    )
    box = boxes.get(root, SolidBox(0.0, 0.0, 0.0, TINY_M, TINY_M, TINY_M))
    return Robot(
        name="robot",
        length_m=box.size_x_m,
        width_m=box.size_y_m + 2.0 * abs(box.y_m),
        height_m=box.size_z_m,
        mass_kg=float(model.body(root).subtreemass[0]),
        drive=drive,
        sensors=tuple(sensors),
        centre_offset_m=box.x_m,
    )


def model_spec(path: Path, *, servos: Sequence[Servo], floating: bool) -> mujoco.MjSpec:
    """The model of a file as it is put into a world: one root, all bodies and actuators named."""
    spec = read_mjcf(path)
    spec.compiler.fusestatic = False  # of a URDF file the base would become a part of the world
    for geom in list(spec.worldbody.geoms):
        if geom.type != mujoco.mjtGeom.mjGEOM_PLANE:
            raise InputError(
                f"The model file {path} has a shape {geom.name!r} that belongs to no body; wanted all of the robot "
                "inside of one body. Put it into that body, or into the world as a body of its own."
            )
        spec.delete(geom)
    for light in list(spec.worldbody.lights):
        spec.delete(light)
    roots = list(spec.worldbody.bodies)
    if len(roots) != 1:
        found = ", ".join(repr(body.name) for body in roots) or "none"
        raise InputError(
            f"The model file {path} has {len(roots)} bodies side by side ({found}); wanted one, with all others inside "
            "of it. Put them into one <body>."
        )
    root = roots[0]
    root.pos = [0.0, 0.0, float(root.pos[2])]  # where it stands is said by the world
    for n, body in enumerate(spec.bodies[1:], start=1):
        body.name = body.name or f"body_{n}"
    for n, joint in enumerate(spec.joints):
        joint.name = joint.name or f"joint_{n}"
    if floating and not list(root.joints):
        root.add_freejoint(name=f"{root.name}_free")
    joints = [joint.name for joint in spec.joints if joint.name]
    for servo in servos:
        _add_servo(spec, servo, joints, path)
    return spec


def _add_servo(spec: mujoco.MjSpec, servo: Servo, joints: Sequence[str], path: Path) -> None:
    if servo.joint not in joints:
        raise InputError(
            f"A Servo is for the joint {servo.joint!r}, which the model file {path} does not have. It has: "
            f"{', '.join(joints) or 'none'}.{did_you_mean(servo.joint, joints)}"
        )
    actuator = spec.add_actuator(name=servo.joint, target=servo.joint, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    if servo.kind == "position":
        actuator.set_to_position(kp=servo.gain, kv=servo.damping)
    elif servo.kind == "velocity":
        actuator.set_to_velocity(kv=servo.gain)
    elif servo.kind == "force":
        actuator.set_to_motor()
    else:
        raise InputError(
            f"The Servo of {servo.joint!r} is of kind {servo.kind!r}; wanted 'position', 'velocity' or 'force'."
            + did_you_mean(str(servo.kind), ("position", "velocity", "force"))
        )


def _groups(
    spec: mujoco.MjSpec, path: Path, groups: Mapping[str, Sequence[str]] | None, topics: str
) -> tuple[ActuatorGroup, ...]:
    names = [actuator.name for actuator in spec.actuators]
    if not any(names):
        joints = ", ".join(joint.name for joint in spec.joints if joint.name) or "none"
        raise InputError(
            f"The model file {path} has no named actuators, so nothing could command the robot: it has {len(names)} "
            f"actuators without a name, and joints: {joints}. Name them (<position name=... joint=...>), or give "
            "actuators to its joints: servos=[Servo(joint=...)]."
        )
    if not all(names):
        raise InputError(
            f"The model file {path} has {len(names)} actuators, of which {names.count('')} have no name; wanted a name "
            f"for each. Named are: {', '.join(name for name in names if name)}."
        )
    if groups is None:
        groups = {"/joint_commands": names}
    if not groups:
        raise InputError(f"The robot of {path} has no groups of actuators; wanted one or more, or None for all in one.")
    found, taken = [], set[str]()
    for topic, group in groups.items():
        for name in group:
            if name not in names:
                raise InputError(
                    f"The group {topic!r} has the actuator {name!r}, which the model file {path} does not have. It "
                    f"has: {', '.join(names)}.{did_you_mean(name, names)}"
                )
            if name in taken:
                raise InputError(f"The actuator {name!r} of {path} is in two groups; wanted it in one.")
            taken.add(name)
        if not group:
            raise InputError(f"The group {topic!r} of {path} has no actuators; wanted one or more.")
        found.append(ActuatorGroup(f"{topics}{topic}", tuple(group)))
    return tuple(found)


def _compiled(spec: mujoco.MjSpec, path: Path) -> Model:
    try:
        return spec.compile()
    except ValueError as error:
        raise InputError(f"MuJoCo rejects the model file {path}: {' '.join(str(error).split())}") from error


def _stand(model: Model, data: Data, keyframe: str, path: Path) -> None:
    """The starting state."""
    if keyframe:
        known = [model.key(n).name for n in range(model.nkey)]
        if keyframe not in known:
            raise InputError(
                f"The model file {path} has no keyframe {keyframe!r}. It has: {', '.join(known) or 'none'}."
                + did_you_mean(keyframe, known)
            )
        mujoco.mj_resetDataKeyframe(model, data, model.key(keyframe).id)
    mujoco.mj_kinematics(model, data)


def _names(model: Model) -> list[str]:
    return [model.body(n).name for n in range(1, model.nbody)]


def _box(model: Model, name: str) -> SolidBox | None:
    """Around all shapes of a body that can be touched, or all that can be seen if none can."""
    mine = np.flatnonzero(model.geom_bodyid == model.body(name).id)
    solid = mine[(model.geom_contype[mine] | model.geom_conaffinity[mine]) != 0]
    mine = solid if len(solid) else mine
    if not len(mine):
        return None
    corners: list[Floats] = []
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
    for geom in mine.tolist():
        turn = np.empty(9)
        mujoco.mju_quat2Mat(turn, model.geom_quat[geom])
        middle, half = model.geom_aabb[geom, :3], model.geom_aabb[geom, 3:]
        corners.append(model.geom_pos[geom] + (middle + signs * half) @ turn.reshape(3, 3).T)
    points = np.concatenate(corners)
    low, high = points.min(axis=0), points.max(axis=0)
    return SolidBox(*((low + high) / 2.0).tolist(), *(high - low).tolist())


def _part(model: Model, data: Data, root: str, name: str, box: SolidBox) -> ModelPart:
    """Where a body is at the start, seen from its root."""
    origin, there = data.body(root), data.body(name)
    yaw = _yaw(origin.xmat)
    c, s = math.cos(yaw), math.sin(yaw)
    dx, dy, _ = (there.xpos - origin.xpos).tolist()
    off = math.remainder(_yaw(there.xmat) - yaw, 2.0 * math.pi)
    return ModelPart(name, box, float(model.body(name).mass[0]), c * dx + s * dy, c * dy - s * dx, off)


def _yaw(rotation: Floats) -> float:
    return math.atan2(float(rotation[3]), float(rotation[0]))
