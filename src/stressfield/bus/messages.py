"""The messages that robots and simulators exchange here, field for field as in ROS 2 (common_interfaces)."""

from __future__ import annotations

from math import atan2
from typing import ClassVar

from stressfield.bus.message import (
    Bool,
    Byte,
    Covariance9,
    Covariance36,
    Float32,
    Float32Array,
    Float64,
    Float64Array,
    Int32,
    Message,
    String,
    Strings,
    UInt8,
    UInt8Array,
    UInt32,
)

NO_COVARIANCE_9 = (0.0,) * 9
NO_COVARIANCE_36 = (0.0,) * 36


class Time(Message, frozen=True, eq=False):
    """A point in simulated time."""

    ros_type: ClassVar[str] = "builtin_interfaces/msg/Time"
    sec: Int32
    nanosec: UInt32

    @classmethod
    def from_ns(cls, time_ns: int) -> Time:
        """The ROS form of integer nanoseconds."""
        return cls(time_ns // 1_000_000_000, time_ns % 1_000_000_000)

    @property
    def ns(self) -> int:
        """Integer nanoseconds."""
        return self.sec * 1_000_000_000 + self.nanosec


class Header(Message, frozen=True, eq=False):
    """When and in which frame."""

    ros_type: ClassVar[str] = "std_msgs/msg/Header"
    stamp: Time
    frame_id: String


class Vector3(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/Vector3"
    x: Float64 = 0.0
    y: Float64 = 0.0
    z: Float64 = 0.0


class Point(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/Point"
    x: Float64 = 0.0
    y: Float64 = 0.0
    z: Float64 = 0.0


class Quaternion(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/Quaternion"
    x: Float64 = 0.0
    y: Float64 = 0.0
    z: Float64 = 0.0
    w: Float64 = 1.0


class Pose(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/Pose"
    position: Point
    orientation: Quaternion

    @property
    def yaw_rad(self) -> float:
        """Heading about the vertical, -pi to pi."""
        q = self.orientation
        return atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))


class PoseStamped(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/PoseStamped"
    header: Header
    pose: Pose


class PoseArray(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/PoseArray"
    header: Header
    poses: tuple[Pose, ...]


class PoseWithCovariance(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/PoseWithCovariance"
    pose: Pose
    covariance: Covariance36 = NO_COVARIANCE_36


class PoseWithCovarianceStamped(Message, frozen=True, eq=False):
    """Where a robot believes it is, and how sure it is: what a localiser says."""

    ros_type: ClassVar[str] = "geometry_msgs/msg/PoseWithCovarianceStamped"
    header: Header
    pose: PoseWithCovariance


class Path(Message, frozen=True, eq=False):
    """A planned way."""

    ros_type: ClassVar[str] = "nav_msgs/msg/Path"
    header: Header
    poses: tuple[PoseStamped, ...]


class Twist(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/Twist"
    linear: Vector3
    angular: Vector3

    @classmethod
    def drive(cls, speed_mps: float, turn_radps: float) -> Twist:
        """Forwards (or, negative, backwards) and turning to the left."""
        return cls(Vector3(x=float(speed_mps)), Vector3(z=float(turn_radps)))


class TwistWithCovariance(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/TwistWithCovariance"
    twist: Twist
    covariance: Covariance36 = NO_COVARIANCE_36


class Odometry(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "nav_msgs/msg/Odometry"
    header: Header
    child_frame_id: String
    pose: PoseWithCovariance
    twist: TwistWithCovariance


class Imu(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "sensor_msgs/msg/Imu"
    header: Header
    orientation: Quaternion
    orientation_covariance: Covariance9
    angular_velocity: Vector3
    angular_velocity_covariance: Covariance9
    linear_acceleration: Vector3
    linear_acceleration_covariance: Covariance9


class LaserScan(Message, frozen=True, eq=False):
    """One turn of a planar lidar; a ray without return is ``inf``."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/LaserScan"
    header: Header
    angle_min: Float32
    angle_max: Float32
    angle_increment: Float32
    time_increment: Float32
    scan_time: Float32
    range_min: Float32
    range_max: Float32
    ranges: Float32Array
    intensities: Float32Array


class PointField(Message, frozen=True, eq=False):
    """One number of a point: its name, its place in the point's bytes, its type (7 is float32), how many."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/PointField"
    name: String
    offset: UInt32
    datatype: UInt8
    count: UInt32


class PointCloud2(Message, frozen=True, eq=False):
    """Points as bytes, in ``height`` rows (rings of a lidar) of ``width``; a ray without return is NaN."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/PointCloud2"
    header: Header
    height: UInt32
    width: UInt32
    fields: tuple[PointField, ...]
    is_bigendian: Bool
    point_step: UInt32
    row_step: UInt32
    data: UInt8Array
    is_dense: Bool


FLOAT32 = 7
XYZ = (PointField("x", 0, FLOAT32, 1), PointField("y", 4, FLOAT32, 1), PointField("z", 8, FLOAT32, 1))
"""The fields of a cloud whose points are x, y, z as float32."""


class JointState(Message, frozen=True, eq=False):
    """Wheel speeds, as commands (rad/s in ``velocity``) or as measured."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/JointState"
    header: Header
    name: Strings
    position: Float64Array
    velocity: Float64Array
    effort: Float64Array


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
    header: Header
    drive: AckermannDriveMsg


class BoolMsg(Message, frozen=True, eq=False):
    """``std_msgs/Bool``: e.g. a bumper that is pressed."""

    ros_type: ClassVar[str] = "std_msgs/msg/Bool"
    data: Bool


class Int32Msg(Message, frozen=True, eq=False):
    """``std_msgs/Int32``: e.g. the number of a room."""

    ros_type: ClassVar[str] = "std_msgs/msg/Int32"
    data: Int32


class BatteryState(Message, frozen=True, eq=False):
    """A battery; what is not measured is NaN. ``charge`` in Ah, ``percentage`` from 0 to 1."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/BatteryState"
    header: Header
    voltage: Float32
    temperature: Float32
    current: Float32
    charge: Float32
    capacity: Float32
    design_capacity: Float32
    percentage: Float32
    power_supply_status: UInt8
    power_supply_health: UInt8
    power_supply_technology: UInt8
    present: Bool
    cell_voltage: Float32Array
    cell_temperature: Float32Array
    location: String
    serial_number: String


class Float64Msg(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "std_msgs/msg/Float64"
    data: Float64


class StringMsg(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "std_msgs/msg/String"
    data: String


class KeyValue(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "diagnostic_msgs/msg/KeyValue"
    key: String
    value: String


class DiagnosticStatus(Message, frozen=True, eq=False):
    """A report of the robot about itself; ``level`` 0 ok, 1 warning, 2 error, 3 stale."""

    ros_type: ClassVar[str] = "diagnostic_msgs/msg/DiagnosticStatus"
    level: Byte
    name: String
    message: String
    hardware_id: String = ""
    values: tuple[KeyValue, ...] = ()

    @classmethod
    def done(cls, message: str = "mission done") -> DiagnosticStatus:
        """The mission ended well."""
        return cls(0, "mission", message)

    @classmethod
    def error(cls, message: str) -> DiagnosticStatus:
        """The mission was given up, and why."""
        return cls(2, "mission", message)
