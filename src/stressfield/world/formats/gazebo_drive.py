"""Wheels, joints and plugins of robots in SDF: what makes each kind of drive obey commands in a Gazebo.

The words and their meaning were taken from the sources of Gazebo 11 and of Gazebo Sim 8 (Harmonic). Gazebo 11 has no
plugin without ROS that drives a car or wheels with rollers by commands: a comment in the file says so.
"""

from __future__ import annotations

import math

from stressfield.world.drives import (
    AckermannDrive,
    DifferentialDrive,
    MecanumDrive,
    SkidSteerDrive,
    WheeledDrive,
    WheelPlace,
)
from stressfield.world.formats.gazebo import CLASSIC, Flavour
from stressfield.world.robot import Robot

LIFT = 0.02
"""By what part of its radius a caster stays off the ground, so that the wheels carry the robot."""

STEERS_PER_S = 20.0
"""How fast a wheel is steered, in rad/s for every rad that it is off; the joint's own limit is the drive's."""

STEERED_N_M = 100.0
"""The torque that steers a wheel which scrubs on the ground."""

NAMESPACE = "http://gazebosim.org/schema"
"""Of attributes that only Gazebo Sim knows: ``gz:``, by that very name."""


def wheels_sdf(robot: Robot, flavour: Flavour) -> str:
    """Links and joints of all wheels: ``wheel_NAME`` on ``axle_NAME``; of a car's front wheels also ``steer_NAME``."""
    drive = robot.drive
    if not isinstance(drive, WheeledDrive):
        return ""
    parts = []
    for wheel in drive.wheels:
        steered = isinstance(drive, AckermannDrive) and wheel.x_m > 0.0
        if isinstance(drive, AckermannDrive) and steered:
            parts.append(_steering(robot, drive, wheel))
        parent = f"knuckle_{wheel.name}" if steered else "base"
        rolls = isinstance(drive, MecanumDrive) and flavour is not CLASSIC
        parts.append(_wheel(robot, wheel, drive.wheel_radius_m, parent, rolls=rolls))
    return "\n".join(parts)


def _wheel(robot: Robot, wheel: WheelPlace, radius: float, parent: str, *, rolls: bool) -> str:
    name, x_m, y_m = wheel
    mass, width = 0.05 * robot.mass_kg, min(0.1, 0.2 * 2.0 * abs(y_m))
    pose = f"<pose>{x_m or 0!r} {y_m!r} {radius!r} {-math.pi / 2.0!r} 0 0</pose>"
    look = f"<geometry><cylinder><radius>{radius!r}</radius><length>{width!r}</length></cylinder></geometry>"
    touch = look
    if rolls:
        # A ball that grips along the axis of the roller which touches the ground, and slides across it.
        along = "1 -1 0" if x_m * y_m > 0.0 else "1 1 0"
        touch = (
            f"<geometry><sphere><radius>{radius!r}</radius></sphere></geometry><surface><friction><ode><mu>1</mu>"
            f'<mu2>0</mu2><fdir1 gz:expressed_in="base">{along}</fdir1></ode></friction></surface>'
        )
    return (
        f'<link name="wheel_{name}">{pose}'
        f"<inertial>{box_inertia(mass, 2.0 * radius, 2.0 * radius, width)}</inertial>"
        f'<collision name="tyre">{touch}</collision><visual name="tyre_look">{look}</visual></link>\n'
        f'<joint name="axle_{name}" type="revolute"><parent>{parent}</parent><child>wheel_{name}</child>'
        '<axis><xyz expressed_in="__model__">0 1 0</xyz></axis></joint>'
    )


def _steering(robot: Robot, drive: AckermannDrive, wheel: WheelPlace) -> str:
    name, x_m, y_m = wheel
    radius = drive.wheel_radius_m
    inertia = box_inertia(0.01 * robot.mass_kg, radius, radius, radius)
    # The inner wheel is steered farther than the middle of both.
    most = math.atan(drive.wheelbase_m / (drive.radius_min_m - drive.track_m / 2.0))
    return (
        f'<link name="knuckle_{name}"><pose>{x_m!r} {y_m!r} {radius!r} 0 0 0</pose>'
        f"<inertial>{inertia}</inertial></link>\n"
        f'<joint name="steer_{name}" type="revolute"><parent>base</parent><child>knuckle_{name}</child>'
        f'<axis><xyz expressed_in="__model__">0 0 1</xyz><limit><lower>{-most!r}</lower><upper>{most!r}</upper>'
        f"<effort>{STEERED_N_M!r}</effort><velocity>{drive.steering_rate_max_radps!r}</velocity></limit></axis></joint>"
    )


def casters(robot: Robot, clearance_m: float) -> str:
    """Four smooth balls under the corners of a robot with two wheels, which would lie on its nose without them."""
    if not isinstance(robot.drive, DifferentialDrive | SkidSteerDrive):
        return ""
    radius = min(clearance_m, robot.length_m / 4.0, robot.width_m / 4.0) / 2.0
    along, across = robot.length_m / 2.0 - radius, robot.width_m / 2.0 - radius
    smooth = "<surface><friction><ode><mu>0</mu><mu2>0</mu2></ode></friction></surface>"
    return "\n".join(
        f'<collision name="caster_{i}"><pose>{robot.centre_offset_m + a * along!r} {b * across!r} '
        f"{(1.0 + LIFT) * radius!r} 0 0 0</pose><geometry><sphere><radius>{radius!r}</radius></sphere></geometry>"
        f"{smooth}</collision>"
        for i, (a, b) in enumerate(((1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)))
    )


def drive_plugin(robot: Robot, name: str, flavour: Flavour) -> str:
    """The plugin that makes the model ``name`` obey commands; a comment if this Gazebo has none for its drive."""
    drive = robot.drive
    if flavour is CLASSIC and isinstance(drive, DifferentialDrive | SkidSteerDrive):
        # Gazebo 11 turns to the right for a positive angle, unlike ROS: with left and right changed it turns left.
        # It listens to Pose messages on ~/MODEL/vel_cmd and measures the wheels itself.
        return (
            '<plugin name="drive" filename="libDiffDrivePlugin.so"><left_joint>axle_right</left_joint>'
            "<right_joint>axle_left</right_joint></plugin>"
        )
    if flavour is CLASSIC or not isinstance(drive, WheeledDrive):
        kind = type(drive).__name__
        return f"<!-- no plugin of Gazebo {flavour.name} drives a {kind} by commands: add one -->"
    if isinstance(drive, AckermannDrive):
        return _plugin("ackermann-steering", "AckermannSteering", _car(drive), drive, name)
    if isinstance(drive, MecanumDrive):
        return _plugin("mecanum-drive", "MecanumDrive", _rollers(drive), drive, name)
    return _plugin("diff-drive", "DiffDrive", _two_wheels(drive), drive, name)


def _plugin(file: str, system: str, body: str, drive: WheeledDrive, name: str) -> str:
    from xml.sax.saxutils import escape  # noqa: PLC0415 (brings half of urllib with it)

    return (
        f'<plugin filename="gz-sim-{file}-system" name="gz::sim::systems::{system}">{body}'
        f"<wheel_radius>{drive.wheel_radius_m!r}</wheel_radius><topic>{escape(drive.command_topic)}</topic>"
        f"<odom_topic>/model/{name}/odometry</odom_topic></plugin>"
    )


def _two_wheels(drive: WheeledDrive) -> str:
    assert isinstance(drive, DifferentialDrive | SkidSteerDrive)
    apart_m = drive.wheel_base_m if isinstance(drive, DifferentialDrive) else drive.track_m
    return (
        "<left_joint>axle_left</left_joint><right_joint>axle_right</right_joint>"
        f"<wheel_separation>{apart_m!r}</wheel_separation>"
        + _limits("linear_velocity", drive.speed_max_mps)
        + _limits("linear_acceleration", drive.acceleration_max_mps2)
    )


def _car(drive: AckermannDrive) -> str:
    # Gazebo's limit is another angle: that of which the sine, not the tangent, is the wheelbase by the radius.
    limit = math.asin(min(1.0, drive.wheelbase_m / drive.radius_min_m))
    return (
        "<left_joint>axle_rear_left</left_joint><right_joint>axle_rear_right</right_joint>"
        "<left_steering_joint>steer_front_left</left_steering_joint>"
        "<right_steering_joint>steer_front_right</right_steering_joint>"
        f"<kingpin_width>{drive.track_m!r}</kingpin_width><steering_limit>{limit!r}</steering_limit>"
        f"<steer_p_gain>{STEERS_PER_S!r}</steer_p_gain>"
        f"<wheel_base>{drive.wheelbase_m!r}</wheel_base><wheel_separation>{drive.track_m!r}</wheel_separation>"
        + _limits("velocity", drive.speed_max_mps)
        + _limits("acceleration", drive.acceleration_max_mps2)
    )


def _rollers(drive: MecanumDrive) -> str:
    joints = "".join(
        f"<{end}_{side}_joint>axle_{ours}_{side}</{end}_{side}_joint>"
        for end, ours in (("front", "front"), ("back", "rear"))
        for side in ("left", "right")
    )
    return (
        f"{joints}<wheelbase>{drive.wheelbase_m!r}</wheelbase><wheel_separation>{drive.track_m!r}</wheel_separation>"
        + _limits("linear_velocity", drive.speed_max_mps)
        + _limits("angular_velocity", drive.speed_max_mps / drive.arm_m)
        + _limits("linear_acceleration", drive.acceleration_max_mps2)
        + _limits("angular_acceleration", drive.turn_acceleration_max_radps2)
    )


def _limits(what: str, most: float) -> str:
    return f"<max_{what}>{most!r}</max_{what}><min_{what}>{-most!r}</min_{what}>"


def box_inertia(mass_kg: float, x_m: float, y_m: float, z_m: float) -> str:
    """Mass and moments of a box about its middle."""

    def moment(a: float, b: float) -> str:
        return repr(mass_kg * (a * a + b * b) / 12.0)

    return (
        f"<mass>{mass_kg!r}</mass><inertia><ixx>{moment(y_m, z_m)}</ixx><iyy>{moment(x_m, z_m)}</iyy>"
        f"<izz>{moment(x_m, y_m)}</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia>"
    )
