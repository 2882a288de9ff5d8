"""A robot of the world as a part of a MuJoCo model: what all have, and the one with two wheels.

Two driven wheels on the axle, each on a hinge with a speed servo and on a spring that presses it to the ground; a
caster without friction under each corner of the box carries the rest of the weight and keeps it level. So the robot
turns about the middle of its axle, as a DifferentialDrive says, and what the wheels lose to the ground is real.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from stressfield.arrays import Floats
from stressfield.sim.mujoco._engine import mujoco
from stressfield.sim.rig import Place
from stressfield.sim.rig import _motion_kernels as k
from stressfield.world import PlacedRobot, Robot, Terrain
from stressfield.world.drives import WheeledDrive, WheelPlace

HIDDEN_GROUP = 4
"""Geoms of this group are not seen by lidars: wheels and casters, inside the outline of their robot."""

WHEELS_SHARE = 0.55
"""Part of the weight that rests on the driven wheels."""

GRAVITY_MPS2 = 9.81
GRIP = 1.2
SPRING_SHARE = 0.25
"""By what part of its radius a wheel's spring gives under its load: softer ones would push the robot over on slopes."""

WHEEL_MASS_SHARE = 0.02
MAST_SHARE = 0.3
"""How wide and long a mast is, as a part of its robot."""

ARMATURE_SHARE = 0.25
"""Inertia of a geared motor, felt at the rim of its wheel, as a part of the robot's mass."""

SERVO_PER_S = 100.0
"""How fast the speed servo of a wheel closes the gap; more would be unstable with steps of 5 ms."""


@dataclass(frozen=True, slots=True)
class WheelNames:
    """How the parts of one side are called in the model."""

    wheel: str
    spring: str
    motor: str


def wheel_names(robot: Robot) -> tuple[WheelNames, ...]:
    """Names of the joints and motors of the wheels, in the order of the drive."""
    return tuple(
        WheelNames(f"{robot.name}/{side}_wheel", f"{robot.name}/{side}_spring", f"{robot.name}/{side}_motor")
        for side, _, _ in robot.drive.wheels
    )


def wheel_radius_m(robot: Robot) -> float:
    """Of a robot with wheels."""
    assert isinstance(robot.drive, WheeledDrive)
    return robot.drive.wheel_radius_m


def grip_of(robot: Robot) -> float:
    """Friction of the wheels: what it takes to climb as steep as the robot is said to climb, or that of rubber."""
    return GRIP if robot.climb_max_rad is None else math.tan(robot.climb_max_rad) / WHEELS_SHARE


def weight_height_m(robot: Robot) -> float:
    """Height of the centre of mass: so that the robot tips over sideways where it is said to, or a third of it."""
    if robot.tip_max_rad is None:
        return robot.height_m / 3.0
    return min(robot.height_m, robot.width_m / 2.0 / math.tan(robot.tip_max_rad))


def bulk_height_m(robot: Robot) -> float:
    """How high the full box reaches: twice as high as its centre of mass. Above it there is only a mast.

    A robot that leans on a slope would otherwise touch things with a top that it does not have.
    """
    if robot.tip_max_rad is None:
        return robot.height_m
    return min(robot.height_m, max(2.0 * weight_height_m(robot), 1.5 * wheel_radius_m(robot)))


def tyre_half_width_m(robot: Robot) -> float:
    """Half the width of a tyre: what the outline leaves beside the axle, within reason."""
    radius = wheel_radius_m(robot)
    beside = robot.width_m / 2.0 - max(wheel.y_m for wheel in robot.drive.wheels)
    return min(max(beside, 0.2 * radius), 0.5 * radius)


def add_frame(spec: mujoco.MjSpec, placed: PlacedRobot, *, z_m: float) -> mujoco.MjsBody:
    """A body that moves freely. Its frame is the robot's: on the ground under the axle."""
    robot = placed.robot
    base = spec.worldbody.add_body(name=robot.name, pos=[placed.x_m, placed.y_m, z_m])
    base.quat = [math.cos(placed.yaw_rad / 2.0), 0.0, 0.0, math.sin(placed.yaw_rad / 2.0)]
    base.add_freejoint(name=robot.name)
    return base


def add_two_wheels(spec: mujoco.MjSpec, base: mujoco.MjsBody, robot: Robot) -> None:
    """Chassis, casters, wheels and motors."""
    add_chassis(base, robot, wheels=2)
    add_casters(base, robot)
    load_n = WHEELS_SHARE * robot.mass_kg * GRAVITY_MPS2 / 2.0
    for names, place in zip(wheel_names(robot), robot.drive.wheels, strict=True):
        wheel = add_sprung_body(base, robot, names, place, load_n)
        add_tyre(wheel, robot, names, armature(robot), grip_of(robot))
        add_motor(spec, robot, names)


def add_motor(spec: mujoco.MjSpec, robot: Robot, names: WheelNames) -> None:
    """The speed servo of a wheel."""
    motor = spec.add_actuator(name=names.motor, target=names.wheel, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    motor.set_to_velocity(kv=armature(robot) * SERVO_PER_S)


def add_chassis(base: mujoco.MjsBody, robot: Robot, *, wheels: int) -> None:
    """The box and its weight, less that of its wheels."""
    centre = robot.centre_offset_m
    mass = robot.mass_kg * (1.0 - wheels * WHEEL_MASS_SHARE)
    base.explicitinertial = True
    base.mass, base.ipos = mass, [centre, 0.0, weight_height_m(robot)]
    base.inertia = [
        mass / 12.0 * (a * a + b * b)
        for a, b in (
            (robot.width_m, robot.height_m),
            (robot.length_m, robot.height_m),
            (robot.length_m, robot.width_m),
        )
    ]
    full = bulk_height_m(robot)
    _add_box(base, f"{robot.name}/hull", robot, wheel_radius_m(robot), full, share=1.0)
    if full < robot.height_m:
        _add_box(base, f"{robot.name}/mast", robot, full, robot.height_m, share=MAST_SHARE)


def add_casters(base: mujoco.MjsBody, robot: Robot) -> None:
    """One without friction under each corner."""
    radius, half_x, half_y = wheel_radius_m(robot), robot.length_m / 2.0, robot.width_m / 2.0
    centre = robot.centre_offset_m
    ball, thick = 0.8 * min(radius, half_x / 2.0), tyre_half_width_m(robot)
    for i, (x, y) in enumerate(((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0))):
        caster = base.add_geom(name=f"{robot.name}/caster_{i}", type=mujoco.mjtGeom.mjGEOM_ELLIPSOID)
        caster.size = [ball, thick, ball]
        caster.pos = [centre + x * (half_x - ball), y * (half_y - thick), ball]
        caster.condim, caster.priority, caster.friction = 1, 2, [0.0, 0.0, 0.0]
        caster.group, caster.rgba = HIDDEN_GROUP, [0.2, 0.2, 0.2, 1.0]


def _add_box(base: mujoco.MjsBody, name: str, robot: Robot, low_m: float, high_m: float, *, share: float) -> None:
    half_z = max((high_m - low_m) / 2.0, 0.01)
    hull = base.add_geom(name=name, type=mujoco.mjtGeom.mjGEOM_BOX)
    hull.size = [share * robot.length_m / 2.0, share * robot.width_m / 2.0, half_z]
    hull.pos = [robot.centre_offset_m, 0.0, low_m + half_z]
    hull.friction, hull.priority = [0.3, 0.005, 0.0001], 1
    hull.group, hull.rgba = 1, [0.85, 0.55, 0.15, 1.0]


def add_sprung_body(
    base: mujoco.MjsBody, robot: Robot, names: WheelNames, place: WheelPlace, load_n: float
) -> mujoco.MjsBody:
    """A body for a wheel that carries ``load_n``, on a spring that presses it to the ground."""
    radius = wheel_radius_m(robot)
    wheel = base.add_body(name=names.wheel)
    wheel.pos = [place.x_m, place.y_m, radius]
    give = SPRING_SHARE * radius
    stiffness = load_n / give
    spring = wheel.add_joint(name=names.spring, type=mujoco.mjtJoint.mjJNT_SLIDE, axis=[0.0, 0.0, 1.0])
    spring.stiffness, spring.springref = [stiffness, 0.0, 0.0], -give
    spring.damping = [math.sqrt(stiffness * robot.mass_kg / 2.0), 0.0, 0.0]
    spring.limited, spring.range = True, [-give, 2.0 * give]
    return wheel


def add_tyre(wheel: mujoco.MjsBody, robot: Robot, names: WheelNames, armature_kgm2: float, grip: float) -> None:
    """The hinge that the wheel turns on, and what touches the ground."""
    radius = wheel_radius_m(robot)
    wheel.add_joint(name=names.wheel, type=mujoco.mjtJoint.mjJNT_HINGE, axis=[0.0, 1.0, 0.0], armature=armature_kgm2)
    tyre = wheel.add_geom(name=names.wheel, type=mujoco.mjtGeom.mjGEOM_ELLIPSOID)
    tyre.size = [radius, tyre_half_width_m(robot), radius]
    tyre.mass = WHEEL_MASS_SHARE * robot.mass_kg
    tyre.friction, tyre.priority = [grip, 0.005, 0.0001], 2
    tyre.group, tyre.rgba = HIDDEN_GROUP, [0.1, 0.1, 0.1, 1.0]


def armature(robot: Robot) -> float:
    """Inertia of the motor of a wheel."""
    return ARMATURE_SHARE * robot.mass_kg * wheel_radius_m(robot) ** 2


LIFT_M = 0.002
"""Clear of the ground, so that the first step does not begin with a contact that is already deep."""

SAMPLES = 13
"""Points along each side of the footprint at which bumps are looked for."""


def start_pose(placed: PlacedRobot, place: Place, robot: int, terrain: Terrain) -> Floats:
    """Position and quaternion (w first): laid on the ground as in the kinematic simulator, then clear of bumps."""
    row = place.state[robot]
    k.settle(row, place.robots[robot], place.ground.heights, place.ground.grid)
    truth = np.zeros(9)
    k.tell(row, truth)
    raised = truth[2] + LIFT_M + max(0.0, _bump_m(placed, row, terrain))
    return np.array([truth[0], truth[1], raised, truth[6], *truth[3:6]])


def _bump_m(placed: PlacedRobot, row: Floats, terrain: Terrain) -> float:
    """How far the ground rises above the plane that the robot lies on: under its wheels, or into its belly."""
    robot = placed.robot
    along, across = np.meshgrid(
        robot.centre_offset_m + np.linspace(-0.5, 0.5, SAMPLES) * robot.length_m,
        np.linspace(-0.5, 0.5, SAMPLES) * robot.width_m,
    )
    c, s = math.cos(row[k.YAW]), math.sin(row[k.YAW])
    ground = terrain.height_at(row[k.X] + along * c - across * s, row[k.Y] + along * s + across * c)
    plane = row[k.Z] - along * math.tan(row[k.PITCH]) + across * math.tan(row[k.ROLL]) / math.cos(row[k.PITCH])
    inside = np.abs(across) < robot.width_m / 2.0 - 2.0 * tyre_half_width_m(robot)
    return float((ground - plane - inside * wheel_radius_m(robot)).max())
