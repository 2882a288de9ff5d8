"""Points, poses, velocities, and how frames lie to each other (tf2)."""

from __future__ import annotations

from math import atan2
from typing import ClassVar

from stressfield.bus.message import Covariance36, Float64, Message, String
from stressfield.bus.messages.std import Header

NO_COVARIANCE_36 = (0.0,) * 36


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
    position: Point = Point()
    orientation: Quaternion = Quaternion()

    @property
    def yaw_rad(self) -> float:
        """Heading about the vertical, -pi to pi."""
        q = self.orientation
        return atan2(2.0 * (q.w * q.z + q.x * q.y), 1.0 - 2.0 * (q.y * q.y + q.z * q.z))


class PoseStamped(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/PoseStamped"
    header: Header = Header()
    pose: Pose = Pose()


class PoseArray(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/PoseArray"
    header: Header = Header()
    poses: tuple[Pose, ...] = ()


class PoseWithCovariance(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/PoseWithCovariance"
    pose: Pose = Pose()
    covariance: Covariance36 = NO_COVARIANCE_36


class PoseWithCovarianceStamped(Message, frozen=True, eq=False):
    """Where a robot believes it is, and how sure it is: what a localiser says."""

    ros_type: ClassVar[str] = "geometry_msgs/msg/PoseWithCovarianceStamped"
    header: Header = Header()
    pose: PoseWithCovariance = PoseWithCovariance()


class Twist(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/Twist"
    linear: Vector3 = Vector3()
    angular: Vector3 = Vector3()

    @classmethod
    def drive(cls, speed_mps: float, turn_radps: float) -> Twist:
        """Forwards (or, negative, backwards) and turning to the left."""
        return cls(Vector3(x=float(speed_mps)), Vector3(z=float(turn_radps)))


class TwistStamped(Message, frozen=True, eq=False):
    """A Twist with its time: what Nav2 commands by default from ROS 2 Kilted on."""

    ros_type: ClassVar[str] = "geometry_msgs/msg/TwistStamped"
    header: Header = Header()
    twist: Twist = Twist()


class TwistWithCovariance(Message, frozen=True, eq=False):
    ros_type: ClassVar[str] = "geometry_msgs/msg/TwistWithCovariance"
    twist: Twist = Twist()
    covariance: Covariance36 = NO_COVARIANCE_36


class Transform(Message, frozen=True, eq=False):
    """Where a frame lies in another, and how it is turned there."""

    ros_type: ClassVar[str] = "geometry_msgs/msg/Transform"
    translation: Vector3 = Vector3()
    rotation: Quaternion = Quaternion()


class TransformStamped(Message, frozen=True, eq=False):
    """Where ``child_frame_id`` lies in the frame of the header."""

    ros_type: ClassVar[str] = "geometry_msgs/msg/TransformStamped"
    header: Header = Header()
    child_frame_id: String = ""
    transform: Transform = Transform()


class TFMessage(Message, frozen=True, eq=False):
    """What ``/tf`` and ``/tf_static`` carry."""

    ros_type: ClassVar[str] = "tf2_msgs/msg/TFMessage"
    transforms: tuple[TransformStamped, ...] = ()
