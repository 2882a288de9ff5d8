"""Commands to cars: ackermann_msgs."""

from __future__ import annotations

from typing import ClassVar

from stressfield.bus.message import Float32, Message
from stressfield.bus.messages.std import Header


class AckermannDriveMsg(Message, frozen=True, eq=False):
    """``ackermann_msgs/AckermannDrive``: a command to a car.

    ``steering_angle`` is of the middle of the front wheels, in rad to the left, ``speed`` in m/s of the middle of the
    rear axle; the others are limits, 0 for as fast as it goes.
    """

    ros_type: ClassVar[str] = "ackermann_msgs/msg/AckermannDrive"
    steering_angle: Float32 = 0.0
    steering_angle_velocity: Float32 = 0.0
    speed: Float32 = 0.0
    acceleration: Float32 = 0.0
    jerk: Float32 = 0.0


class AckermannDriveStamped(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "ackermann_msgs/msg/AckermannDriveStamped"
    header: Header = Header()
    drive: AckermannDriveMsg = AckermannDriveMsg()
