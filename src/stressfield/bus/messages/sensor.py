"""What sensors say."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.message import (
    Bool,
    Covariance9,
    Float32,
    Float32Array,
    Float64,
    Float64Array,
    Int8,
    Matrix3x3,
    Matrix3x4,
    Message,
    String,
    Strings,
    UInt8,
    UInt8Array,
    UInt16,
    UInt32,
    no_values,
)
from stressfield.bus.messages.geometry import Quaternion, Vector3
from stressfield.bus.messages.std import Header
from stressfield.errors import TraceError, did_you_mean

NO_COVARIANCE_9 = (0.0,) * 9


class Imu(Message, frozen=True, eq=False):
    """Attitude, turn rates (rad/s) and what accelerometers feel (m/s², so upwards gravity at rest)."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/Imu"
    header: Header = Header()
    orientation: Quaternion = Quaternion()
    orientation_covariance: Covariance9 = NO_COVARIANCE_9
    angular_velocity: Vector3 = Vector3()
    angular_velocity_covariance: Covariance9 = NO_COVARIANCE_9
    linear_acceleration: Vector3 = Vector3()
    linear_acceleration_covariance: Covariance9 = NO_COVARIANCE_9


class LaserScan(Message, frozen=True, eq=False):
    """One turn of a planar lidar; a ray without return is ``inf``."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/LaserScan"
    header: Header = Header()
    angle_min: Float32 = 0.0
    angle_max: Float32 = 0.0
    angle_increment: Float32 = 0.0
    time_increment: Float32 = 0.0
    scan_time: Float32 = 0.0
    range_min: Float32 = 0.0
    range_max: Float32 = 0.0
    ranges: Float32Array = no_values("float32")
    intensities: Float32Array = no_values("float32")


class RangeMsg(Message, frozen=True, eq=False):
    """``sensor_msgs/Range``: the nearest thing in a cone; ``inf`` is none. Without ``variance`` up to ROS 2 Humble."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/Range"
    ULTRASOUND: ClassVar[int] = 0
    INFRARED: ClassVar[int] = 1
    header: Header = Header()
    radiation_type: UInt8 = 0
    field_of_view: Float32 = 0.0
    min_range: Float32 = 0.0
    max_range: Float32 = 0.0
    range: Float32 = 0.0
    variance: Float32 = 0.0


class PointField(Message, frozen=True, eq=False):
    """One number of a point: its name, its place in the point's bytes, its type (7 is float32), how many."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/PointField"
    name: String = ""
    offset: UInt32 = 0
    datatype: UInt8 = 0
    count: UInt32 = 0


class PointCloud2(Message, frozen=True, eq=False):
    """Points as bytes, in ``height`` rows (rings of a lidar) of ``width``; a ray without return is NaN."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/PointCloud2"
    header: Header = Header()
    height: UInt32 = 0
    width: UInt32 = 0
    fields: tuple[PointField, ...] = ()
    is_bigendian: Bool = False
    point_step: UInt32 = 0
    row_step: UInt32 = 0
    data: UInt8Array = no_values("uint8")
    is_dense: Bool = False


FLOAT32 = 7
XYZ = (PointField("x", 0, FLOAT32, 1), PointField("y", 4, FLOAT32, 1), PointField("z", 8, FLOAT32, 1))
"""The fields of a cloud whose points are x, y, z as float32."""


class Image(Message, frozen=True, eq=False):
    """Rows of pixels as bytes, from the top left. ``encoding`` as in ROS: ``rgb8``, ``32FC1`` (depth in metres), ..."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/Image"
    header: Header = Header()
    height: UInt32 = 0
    width: UInt32 = 0
    encoding: String = ""
    is_bigendian: UInt8 = 0
    step: UInt32 = 0
    data: UInt8Array = no_values("uint8")

    @property
    def pixels(self) -> NDArray[Any]:
        """Rows and columns, and a third axis if a pixel has several numbers. TraceError if the bytes do not fit."""
        kind, count = PIXELS.get(self.encoding, ("", 0))
        if not kind:
            raise TraceError(
                f"An image is encoded as {self.encoding!r}; wanted one of {', '.join(PIXELS)}."
                + did_you_mean(self.encoding, PIXELS)
            )
        number = np.dtype((">" if self.is_bigendian else "<") + kind)
        row = self.width * count * number.itemsize
        if self.step < row or len(self.data) != self.step * self.height:
            raise TraceError(
                f"An image of {self.width} x {self.height} pixels ({self.encoding}) has {len(self.data)} bytes in rows "
                f"of {self.step}; wanted {self.height} rows of {row} or more."
            )
        rows = np.ascontiguousarray(self.data.reshape(self.height, self.step)[:, :row])
        shape = (self.height, self.width) if count == 1 else (self.height, self.width, count)
        return rows.reshape(-1).view(number).reshape(shape)


PIXELS = {
    "rgb8": ("u1", 3), "bgr8": ("u1", 3), "rgba8": ("u1", 4), "bgra8": ("u1", 4), "mono8": ("u1", 1),
    "8UC1": ("u1", 1), "mono16": ("u2", 1), "16UC1": ("u2", 1), "32FC1": ("f4", 1),
}  # fmt: skip
"""Encodings whose pixels can be had as an array: type and count of numbers."""


class CompressedImage(Message, frozen=True, eq=False):
    """The bytes of an image file; ``format`` says of which kind, e.g. ``png``."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/CompressedImage"
    header: Header = Header()
    format: String = ""
    data: UInt8Array = no_values("uint8")


class RegionOfInterest(Message, frozen=True, eq=False):
    """A part of an image; all zero is the whole of it."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/RegionOfInterest"
    x_offset: UInt32 = 0
    y_offset: UInt32 = 0
    height: UInt32 = 0
    width: UInt32 = 0
    do_rectify: Bool = False


class CameraInfo(Message, frozen=True, eq=False):
    """How a camera maps points to pixels: ``k`` is its matrix (row by row), ``d`` how its lens distorts."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/CameraInfo"
    header: Header = Header()
    height: UInt32 = 0
    width: UInt32 = 0
    distortion_model: String = ""
    d: Float64Array = no_values("float64")
    k: Matrix3x3 = (0.0,) * 9
    r: Matrix3x3 = (0.0,) * 9
    p: Matrix3x4 = (0.0,) * 12
    binning_x: UInt32 = 0
    binning_y: UInt32 = 0
    roi: RegionOfInterest = RegionOfInterest()


class NavSatStatus(Message, frozen=True, eq=False):
    """Whether a satellite receiver knows where it is: a ``status`` of zero or more is a fix."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/NavSatStatus"
    STATUS_UNKNOWN: ClassVar[int] = -2
    STATUS_NO_FIX: ClassVar[int] = -1
    STATUS_FIX: ClassVar[int] = 0
    STATUS_SBAS_FIX: ClassVar[int] = 1
    STATUS_GBAS_FIX: ClassVar[int] = 2
    SERVICE_GPS: ClassVar[int] = 1
    SERVICE_GLONASS: ClassVar[int] = 2
    SERVICE_COMPASS: ClassVar[int] = 4
    SERVICE_GALILEO: ClassVar[int] = 8
    status: Int8 = -2
    service: UInt16 = 0


class NavSatFix(Message, frozen=True, eq=False):
    """Latitude and longitude in degrees, altitude in metres above the WGS 84 ellipsoid; NaN without a fix."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/NavSatFix"
    COVARIANCE_TYPE_UNKNOWN: ClassVar[int] = 0
    COVARIANCE_TYPE_APPROXIMATED: ClassVar[int] = 1
    COVARIANCE_TYPE_DIAGONAL_KNOWN: ClassVar[int] = 2
    COVARIANCE_TYPE_KNOWN: ClassVar[int] = 3
    header: Header = Header()
    status: NavSatStatus = NavSatStatus()
    latitude: Float64 = 0.0
    longitude: Float64 = 0.0
    altitude: Float64 = 0.0
    position_covariance: Covariance9 = NO_COVARIANCE_9
    position_covariance_type: UInt8 = 0


class JointState(Message, frozen=True, eq=False):
    """Wheel speeds, as commands (rad/s in ``velocity``) or as measured."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/JointState"
    header: Header = Header()
    name: Strings = ()
    position: Float64Array = no_values("float64")
    velocity: Float64Array = no_values("float64")
    effort: Float64Array = no_values("float64")


class BatteryState(Message, frozen=True, eq=False):
    """A battery; what is not measured is NaN. ``charge`` in Ah, ``percentage`` from 0 to 1."""

    ros_type: ClassVar[str] = "sensor_msgs/msg/BatteryState"
    header: Header = Header()
    voltage: Float32 = 0.0
    temperature: Float32 = 0.0
    current: Float32 = 0.0
    charge: Float32 = 0.0
    capacity: Float32 = 0.0
    design_capacity: Float32 = 0.0
    percentage: Float32 = 0.0
    power_supply_status: UInt8 = 0
    power_supply_health: UInt8 = 0
    power_supply_technology: UInt8 = 0
    present: Bool = False
    cell_voltage: Float32Array = no_values("float32")
    cell_temperature: Float32Array = no_values("float32")
    location: String = ""
    serial_number: String = ""
