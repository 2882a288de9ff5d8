"""What navigation speaks of: ways, odometry, maps."""

from __future__ import annotations

from typing import ClassVar

from stressfield.bus.message import Float32, Int8Array, Message, String, UInt32, no_values
from stressfield.bus.messages.geometry import Pose, PoseStamped, PoseWithCovariance, TwistWithCovariance
from stressfield.bus.messages.std import Header, Time


class Path(Message, frozen=True, eq=False):
    """A planned way."""

    ros_type: ClassVar[str] = "nav_msgs/msg/Path"
    header: Header = Header()
    poses: tuple[PoseStamped, ...] = ()


class Odometry(Message, frozen=True, eq=False):
    """Where ``child_frame_id`` is in the frame of the header, and how fast it moves, in its own frame."""

    ros_type: ClassVar[str] = "nav_msgs/msg/Odometry"
    header: Header = Header()
    child_frame_id: String = ""
    pose: PoseWithCovariance = PoseWithCovariance()
    twist: TwistWithCovariance = TwistWithCovariance()


class MapMetaData(Message, frozen=True, eq=False):
    """``resolution`` in metres a cell; ``origin`` is where the corner of the first cell lies in the world."""

    ros_type: ClassVar[str] = "nav_msgs/msg/MapMetaData"
    map_load_time: Time = Time()
    resolution: Float32 = 0.0
    width: UInt32 = 0
    height: UInt32 = 0
    origin: Pose = Pose()


class OccupancyGrid(Message, frozen=True, eq=False):
    """A map, row by row from its origin: 0 is free, 100 occupied, -1 unknown."""

    ros_type: ClassVar[str] = "nav_msgs/msg/OccupancyGrid"
    header: Header = Header()
    info: MapMetaData = MapMetaData()
    data: Int8Array = no_values("int8")
