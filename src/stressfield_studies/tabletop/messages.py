"""What the parts of the robot tell each other: goals, feedback and results of actions, and what the observer sees."""

from __future__ import annotations

from typing import ClassVar

from stressfield.bus import (
    Float64,
    Float64Array,
    Int32,
    Message,
    String,
    Strings,
    UInt8,
    UInt8Array,
)
from stressfield.bus.messages import Float64Msg, Header, Pose

SUCCEEDED = 4
ABORTED = 6

MOVE_TO = "move_to"
PERCEIVE_PLANE = "perceive_plane"
PICK_OBJECT = "pick_object"
PLACE_OBJECT = "place_object"
ACTIONS = (MOVE_TO, PERCEIVE_PLANE, PICK_OBJECT, PLACE_OBJECT)


def goal_topic(action: str) -> str:
    """Where goals of an action are sent."""
    return f"/{action}/goal"


def feedback_topic(action: str) -> str:
    """Where an action says how far it is; the first feedback says that the goal was received."""
    return f"/{action}/feedback"


def result_topic(action: str) -> str:
    """Where an action says how it ended."""
    return f"/{action}/result"


class MoveToGoal(Message, frozen=True, eq=False):
    """Drive to a place and face ``yaw``; the last ``dock_m`` metres straight on."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/MoveToGoal"
    header: Header
    goal_id: String
    location: String
    x: Float64
    y: Float64
    yaw: Float64
    dock_m: Float64


class PerceivePlaneGoal(Message, frozen=True, eq=False):
    """Find the surface in front of the robot and what stands on it."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/PerceivePlaneGoal"
    header: Header
    goal_id: String
    surface: String


class PerceivedObject(Message, frozen=True, eq=False):
    """A cluster of points on the surface: its middle, extents and turn, in the frame of the robot as it stood."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/PerceivedObject"
    kind: String
    x: Float64
    y: Float64
    z: Float64
    yaw: Float64
    length: Float64
    width: Float64
    height: Float64
    points: Int32


class PickObjectGoal(Message, frozen=True, eq=False):
    """Take the object that was perceived there, off a surface of this height, without touching ``others``."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/PickObjectGoal"
    header: Header
    goal_id: String
    object: String
    kind: String
    found: tuple[PerceivedObject, ...]
    """Empty if it was not perceived before; the action then looks for it itself."""
    plane_height: tuple[Float64Msg, ...]
    others: tuple[PerceivedObject, ...]


class Grip(Message, frozen=True, eq=False):
    """How an object is held: the gripper's slant below level, its height above the foot, the object's radius."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/Grip"
    slant: Float64
    foot: Float64
    radius: Float64


class PlaceObjectGoal(Message, frozen=True, eq=False):
    """Put what is in the gripper on a surface of this height, somewhere free of ``others``."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/PlaceObjectGoal"
    header: Header
    goal_id: String
    surface: String
    plane_height: tuple[Float64Msg, ...]
    held: tuple[Grip, ...]
    others: tuple[PerceivedObject, ...]


class ActionFeedback(Message, frozen=True, eq=False):
    """An action is at work on a goal; ``phase`` is what it is doing."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/ActionFeedback"
    header: Header
    goal_id: String
    phase: String


class ActionResult(Message, frozen=True, eq=False):
    """An action ended: ``status`` as in ROS, 4 succeeded, 6 aborted; ``message`` says why."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/ActionResult"
    header: Header
    goal_id: String
    status: UInt8
    message: String


class PerceivePlaneResult(Message, frozen=True, eq=False):
    """The end of a perception, with what was found."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/PerceivePlaneResult"
    header: Header
    goal_id: String
    status: UInt8
    message: String
    plane_height: tuple[Float64Msg, ...]
    """Of the plane that was found above the floor; empty if there is none."""
    objects: tuple[PerceivedObject, ...]


class PickObjectResult(Message, frozen=True, eq=False):
    """The end of a pick, with how the object is held."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/PickObjectResult"
    header: Header
    goal_id: String
    status: UInt8
    message: String
    held: tuple[Grip, ...]


class TaskStep(Message, frozen=True, eq=False):
    """The executor's own account: step ``index`` of the task began (``running``) or ended."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/TaskStep"
    header: Header
    index: Int32
    action: String
    goal_id: String
    status: String
    message: String


class JointTrajectory(Message, frozen=True, eq=False):
    """Positions of the arm's joints, row after row, at times (s) after it begins."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/JointTrajectory"
    header: Header
    joint_names: Strings
    time_from_start: Float64Array
    positions: Float64Array


class GripperCommand(Message, frozen=True, eq=False):
    """How wide the gripper should open (m, both fingers together) and how strongly it may press (N)."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/GripperCommand"
    header: Header
    width: Float64
    max_effort: Float64


class Capture(Message, frozen=True, eq=False):
    """Asks the camera for one depth image."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/Capture"
    header: Header


LEFT_FINGER, RIGHT_FINGER, ROBOT, FIXED, OBJECT = 1, 2, 4, 8, 16
"""What an object touched since the last message: bits of ``SceneTruth.touching``."""


class SceneTruth(Message, frozen=True, eq=False):
    """The observer's view: poses of the objects (x, y, z, qx, qy, qz, qw each) and what touched them; the gripper."""

    ros_type: ClassVar[str] = "tabletop_msgs/msg/SceneTruth"
    header: Header
    names: Strings
    poses: Float64Array
    touching: UInt8Array
    robot_contact: UInt8
    """Whether the robot touched anything fixed, such as a table or a wall, since the last message."""
    gripper: Pose
    gripper_width: Float64
