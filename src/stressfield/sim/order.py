"""What a command asks of a drive: messages into numbers, or a refusal that names topic, value and drive."""

from __future__ import annotations

import math
from typing import NamedTuple

from stressfield.bus.message import BAD_MESSAGE, Message
from stressfield.bus.messages import (
    AckermannDriveMsg,
    AckermannDriveStamped,
    Float64MultiArray,
    JointState,
    Twist,
    TwistStamped,
)
from stressfield.errors import NotFiniteError, SubjectError
from stressfield.world import AckermannDrive, DifferentialDrive, Drive, MecanumDrive, SkidSteerDrive
from stressfield.world.drives import WheeledDrive


class Order(NamedTuple):
    """What the drive is asked to do from a time on."""

    time_ns: int
    speed_mps: float
    turn_radps: float
    more: tuple[float, float, float, float, float] | None = None
    """For a drive with more than two wheels to turn: speed to the left, steering angle, and limits of the steering
    rate, the acceleration and the jerk (0: none but those of the drive)."""

    @property
    def moves(self) -> bool:
        """Whether it asks for any motion."""
        return self.speed_mps != 0.0 or self.turn_radps != 0.0 or (self.more is not None and self.more[0] != 0.0)


REST = Order(0, 0.0, 0.0)


def accepted(drive: Drive) -> tuple[type[Message], ...]:
    """The types of messages that a drive obeys."""
    if isinstance(drive, AckermannDrive):
        return (AckermannDriveMsg, AckermannDriveStamped, Twist, TwistStamped)
    if isinstance(drive, WheeledDrive):
        return (JointState, Twist, TwistStamped)
    return (Float64MultiArray, JointState)


def order_of(message: Message, drive: WheeledDrive, time_ns: int) -> Order:
    """The order in a command. SubjectError for one that the drive cannot obey, NotFiniteError if it has no numbers."""
    try:
        if isinstance(message, Twist):  # by far the most of them
            return _of_twist(message, drive, time_ns)
        return _order(message, drive, time_ns)
    except NotFiniteError as error:
        error.command = message  # as it was sent, stamp and all: so that it can be told who made it so
        raise


def _order(message: Message, drive: WheeledDrive, time_ns: int) -> Order:
    if isinstance(message, JointState) and not isinstance(drive, AckermannDrive):
        return (
            _of_rollers(message, drive, time_ns)
            if isinstance(drive, MecanumDrive)
            else _of_wheels(message, drive, time_ns)
        )
    if isinstance(message, TwistStamped):  # it acts when it arrives, whatever its stamp says: so do drives
        return _of_twist(message.twist, drive, time_ns)
    if isinstance(message, AckermannDriveStamped | AckermannDriveMsg) and isinstance(drive, AckermannDrive):
        asked = message.drive if isinstance(message, AckermannDriveStamped) else message
        return _of_car(asked, drive, time_ns)
    *first, last = (kind.__name__ for kind in accepted(drive))
    raise _bad(drive, f"is a {type(message).__name__}; wanted {', '.join(first)} or {last}.")


def _of_twist(message: Twist, drive: WheeledDrive, time_ns: int) -> Order:
    linear = message.linear
    speed, side, turn = float(linear.x), float(linear.y), float(message.angular.z)
    if side != 0.0 and drive.ignores_sideways and not drive.is_omnidirectional:
        side = 0.0
    if not (math.isfinite(speed) and math.isfinite(turn) and math.isfinite(side)):
        aside = f", linear.y {side}" if side != 0.0 else ""
        raise NotFiniteError(drive.command_topic, message, f"linear.x {speed}{aside}, angular.z {turn}")
    if isinstance(drive, MecanumDrive):
        return Order(time_ns, speed, turn, (side, 0.0, 0.0, 0.0, 0.0))
    if side != 0.0:
        raise _bad(
            drive,
            f"has linear.y {side}, but a {type(drive).__name__} cannot move sideways; wanted 0. "
            "Only a MecanumDrive can.",
        )
    if isinstance(drive, AckermannDrive):
        steering = drive.steering_max_rad if turn != 0.0 else 0.0
        if speed != 0.0:
            steering = math.atan(drive.wheelbase_m * turn / speed)
        elif turn < 0.0:
            steering = -steering
        return Order(time_ns, speed, 0.0, (0.0, steering, 0.0, 0.0, 0.0))
    return Order(time_ns, speed, turn)


def _of_car(asked: AckermannDriveMsg, drive: WheeledDrive, time_ns: int) -> Order:
    limits = {name: float(getattr(asked, name)) for name in ("steering_angle_velocity", "acceleration", "jerk")}
    speed, steering = float(asked.speed), float(asked.steering_angle)
    if not all(math.isfinite(value) for value in (speed, steering, *limits.values())):
        said = ", ".join(f"{name} {value}" for name, value in limits.items() if not math.isfinite(value))
        raise NotFiniteError(drive.command_topic, asked, said or f"speed {speed}, steering_angle {steering}")
    for name, value in limits.items():
        if value < 0.0:
            raise _bad(drive, f"has {name} {value}; wanted a limit above zero, or 0 for as fast as it goes.")
    rate, acceleration, jerk = limits.values()
    return Order(time_ns, speed, 0.0, (0.0, steering, rate, acceleration, jerk))


def _of_wheels(message: JointState, drive: WheeledDrive, time_ns: int) -> Order:
    """From the speeds of two wheels in rad/s."""
    spins, radius = message.velocity, drive.wheel_radius_m
    if len(spins) != 2:
        raise _bad(drive, f"has {len(spins)} velocities; wanted 2 (left, right, in rad/s).")
    left, right = float(spins[0]), float(spins[1])
    # From the left to the right wheel, as the drive's controller has it.
    apart_m = drive.wheel_base_m if isinstance(drive, DifferentialDrive) else _tracks_m(drive)
    speed, turn = (left + right) / 2.0 * radius, (right - left) * radius / apart_m
    if not (math.isfinite(speed) and math.isfinite(turn)):
        raise NotFiniteError(drive.command_topic, message, f"velocity [{left}, {right}]")
    return Order(time_ns, speed, turn)


def _tracks_m(drive: WheeledDrive) -> float:
    assert isinstance(drive, SkidSteerDrive)
    return drive.track_m


def _of_rollers(message: JointState, drive: MecanumDrive, time_ns: int) -> Order:
    """From the speeds of four wheels in rad/s."""
    spins, radius = [float(value) for value in message.velocity], drive.wheel_radius_m
    if len(spins) != 4:
        wheels = "front left, front right, rear left, rear right"
        raise _bad(drive, f"has {len(spins)} velocities; wanted 4 ({wheels}, in rad/s).")
    front_left, front_right, rear_left, rear_right = spins
    speed = (front_left + front_right + rear_left + rear_right) / 4.0 * radius
    side = (front_right - front_left + rear_left - rear_right) / 4.0 * radius
    turn = (front_right - front_left + rear_right - rear_left) / 4.0 * radius / drive.arm_m
    if not (math.isfinite(speed) and math.isfinite(side) and math.isfinite(turn)):
        raise NotFiniteError(drive.command_topic, message, f"velocity [{', '.join(str(spin) for spin in spins)}]")
    return Order(time_ns, speed, turn, (side, 0.0, 0.0, 0.0, 0.0))


def _bad(drive: WheeledDrive, what: str) -> SubjectError:
    topic = drive.command_topic
    return SubjectError(f"A command on {topic!r} {what}", kind=BAD_MESSAGE, topic=topic)
