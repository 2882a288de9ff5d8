"""Time, headers, single values and arrays of them, and what a robot reports of itself."""

from __future__ import annotations

from typing import ClassVar

from stressfield.bus.message import (
    Bool,
    Byte,
    Float32,
    Float64,
    Float64Array,
    Int8,
    Int16,
    Int32,
    Int64,
    Message,
    String,
    UInt8,
    UInt16,
    UInt32,
    UInt64,
    no_values,
)


class Time(Message, frozen=True, eq=False):
    """A point in simulated time."""

    ros_type: ClassVar[str] = "builtin_interfaces/msg/Time"
    sec: Int32 = 0
    nanosec: UInt32 = 0

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
    stamp: Time = Time()
    frame_id: String = ""


class BoolMsg(Message, frozen=True, eq=False):
    """``std_msgs/Bool``: e.g. a bumper that is pressed."""

    ros_type: ClassVar[str] = "std_msgs/msg/Bool"
    data: Bool = False


class Int8Msg(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "std_msgs/msg/Int8"
    data: Int8 = 0


class Int16Msg(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "std_msgs/msg/Int16"
    data: Int16 = 0


class Int32Msg(Message, frozen=True, eq=False):
    """``std_msgs/Int32``: e.g. the number of a room."""

    ros_type: ClassVar[str] = "std_msgs/msg/Int32"
    data: Int32 = 0


class Int64Msg(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "std_msgs/msg/Int64"
    data: Int64 = 0


class UInt8Msg(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "std_msgs/msg/UInt8"
    data: UInt8 = 0


class UInt16Msg(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "std_msgs/msg/UInt16"
    data: UInt16 = 0


class UInt32Msg(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "std_msgs/msg/UInt32"
    data: UInt32 = 0


class UInt64Msg(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "std_msgs/msg/UInt64"
    data: UInt64 = 0


class Float32Msg(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "std_msgs/msg/Float32"
    data: Float32 = 0.0


class Float64Msg(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "std_msgs/msg/Float64"
    data: Float64 = 0.0


class StringMsg(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "std_msgs/msg/String"
    data: String = ""


class MultiArrayDimension(Message, frozen=True, eq=False):
    """One dimension of an array; ``stride`` is how many numbers it spans in all."""

    ros_type: ClassVar[str] = "std_msgs/msg/MultiArrayDimension"
    label: String = ""
    size: UInt32 = 0
    stride: UInt32 = 0


class MultiArrayLayout(Message, frozen=True, eq=False):
    """How the numbers of an array are laid out; outermost dimension first."""

    ros_type: ClassVar[str] = "std_msgs/msg/MultiArrayLayout"
    dim: tuple[MultiArrayDimension, ...] = ()
    data_offset: UInt32 = 0


class Float64MultiArray(Message, frozen=True, eq=False):
    """Numbers in rows, e.g. commands to the joints of an arm."""

    ros_type: ClassVar[str] = "std_msgs/msg/Float64MultiArray"
    layout: MultiArrayLayout = MultiArrayLayout()
    data: Float64Array = no_values("float64")


class KeyValue(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "diagnostic_msgs/msg/KeyValue"
    key: String = ""
    value: String = ""


class DiagnosticStatus(Message, frozen=True, eq=False):
    """A report of the robot about itself; ``level`` 0 ok, 1 warning, 2 error, 3 stale."""

    ros_type: ClassVar[str] = "diagnostic_msgs/msg/DiagnosticStatus"
    level: Byte = 0
    name: String = ""
    message: String = ""
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
