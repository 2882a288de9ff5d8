"""The observer's view: where a robot really was, and how it is written as ROS messages."""

from __future__ import annotations

import re
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import directions
from stressfield.bus.message import Float64, Message
from stressfield.bus.messages import Header, Point, Pose, PoseStamped, Quaternion, Time
from stressfield.errors import TraceError
from stressfield.trace._observed import Observed, stamped_rows
from stressfield.trace._payloads import Payloads
from stressfield.trace.topic import Topic, stored

COLUMNS = (
    "x_m", "y_m", "z_m", "qx", "qy", "qz", "qw",
    "speed_mps", "turn_rate_radps", "clearance_m", "contact_body",
)  # fmt: skip
"""The columns of :class:`Truth`, as simulators observe them."""

NOBODY, FIRST_ROBOT = -1.0, -2.0
"""Codes in the column ``contact_body``: nobody is touched; the world's first robot is (the next ones are below)."""

PREFIX = "/truth/"
"""Topics of the observer; the robot cannot use them."""

_TOPIC = re.compile(r"/truth/(.+)/(pose|motion)")
_POSE_PATHS = (
    "pose.position.x", "pose.position.y", "pose.position.z",
    "pose.orientation.x", "pose.orientation.y", "pose.orientation.z", "pose.orientation.w",
)  # fmt: skip
_MOTION_PATHS = ("speed_mps", "turn_rate_radps", "clearance_m", "contact_body")


class Motion(Message, frozen=True, eq=False):
    """Speed and turn rate, distance to the nearest solid thing (negative: overlap), and whom the robot touches.

    ``contact_body`` is the index of a body, -1 for nobody, ``-2 - i`` for robot ``i``, NaN if that is not known.
    """

    ros_type: ClassVar[str] = "stressfield_msgs/msg/Motion"
    header: Header
    speed_mps: Float64
    turn_rate_radps: Float64
    clearance_m: Float64
    contact_body: Float64


class Truth(Observed):
    """Ground truth of one robot: ``values`` is [n, len(COLUMNS)], observed at ``time_ns`` (never decreasing)."""

    columns = COLUMNS
    whose = "a robot"

    @property
    def quaternion(self) -> NDArray[np.float64]:
        """Orientation, [n, 4] in the order x, y, z, w."""
        return self.values[:, 3:7]

    @cached_property
    def yaw_rad(self) -> NDArray[np.float64]:
        """Heading about the vertical, -pi to pi. Computed once for all that ask, so it cannot be written to."""
        x, y, z, w = self.quaternion.T
        yaw: NDArray[np.float64] = directions(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
        yaw.flags.writeable = False
        return yaw

    @property
    def speed_mps(self) -> NDArray[np.float64]:
        return self.values[:, 7]

    @property
    def turn_rate_radps(self) -> NDArray[np.float64]:
        return self.values[:, 8]

    @property
    def clearance_m(self) -> NDArray[np.float64]:
        """Distance from the footprint to the nearest solid body or other robot; negative is the depth of overlap.

        Zero while it is pressed against something: whether it touches is in ``touched_body`` and ``touched_robot``.
        """
        return self.values[:, 9]

    @property
    def contact_body(self) -> NDArray[np.float64]:
        """Whom the robot touches: the index of a body, -1 for nobody, ``-2 - i`` for the world's robot ``i``.

        NaN where the simulator does not know. As plain indices: ``touched_body`` and ``touched_robot``.
        """
        return self.values[:, 10]

    @property
    def touched_body(self) -> NDArray[np.int64]:
        """Index of the body of the world that the robot touches, -1 for none (or if contacts are not known)."""
        code = self.contact_body
        return np.where(code >= 0.0, code, NOBODY).astype(np.int64)

    @property
    def touched_robot(self) -> NDArray[np.int64]:
        """Index of the robot of the world that the robot touches, -1 for none (or if contacts are not known)."""
        code = self.contact_body
        return np.where(code <= FIRST_ROBOT, FIRST_ROBOT - code, NOBODY).astype(np.int64)

    @property
    def knows_contacts(self) -> bool:
        """Whether the simulator observed contacts at all."""
        return not bool(np.isnan(self.contact_body).any())


def to_topics(robot: str, truth: Truth) -> tuple[Topic, Topic]:
    """The truth as ``/truth/ROBOT/pose`` and ``/truth/ROBOT/motion``, bit for bit."""
    header = Header(Time(0, 0), "world")
    pose = PoseStamped(header, Pose(Point(), Quaternion()))
    motion = Motion(header, 0.0, 0.0, 0.0, 0.0)
    columns = len(_POSE_PATHS)
    return (
        _topic(f"{PREFIX}{robot}/pose", pose, truth, _POSE_PATHS, truth.values[:, :columns]),
        _topic(f"{PREFIX}{robot}/motion", motion, truth, _MOTION_PATHS, truth.values[:, columns:]),
    )


def robot_of(topic: str) -> str | None:
    """The robot whose truth is on a topic, or None for a topic of the robot's own view."""
    match = _TOPIC.fullmatch(topic)
    return match[1] if match else None


def from_topics(robot: str, pose: Topic | None, motion: Topic | None, *, cut: bool) -> Truth:
    """The truth in its two topics. Raises TraceError when they do not belong together.

    In a recording that was ``cut``, either may lack observations that the other has: those in both are taken.
    """
    if pose is None or motion is None:
        raise TraceError(f"The truth of robot {robot!r} is incomplete: wanted topics pose and motion.")
    in_pose = in_motion = np.arange(len(pose))
    if cut:
        _, in_pose, in_motion = np.intersect1d(pose.log_time_ns, motion.log_time_ns, return_indices=True)
    elif not np.array_equal(pose.log_time_ns, motion.log_time_ns):
        raise TraceError(f"The truth of robot {robot!r} is incomplete: pose and motion must have the same times.")
    columns = [pose.column(path)[in_pose] for path in _POSE_PATHS]
    columns += [motion.column(path)[in_motion] for path in _MOTION_PATHS]
    return Truth(pose.log_time_ns[in_pose], np.stack(columns, axis=1))


def _topic(name: str, sample: Message, truth: Truth, paths: tuple[str, ...], values: NDArray[np.float64]) -> Topic:
    layout, rows = stamped_rows(sample, truth.time_ns)
    for path, column in zip(paths, values.T, strict=True):
        layout.column(rows, path)[:] = column
    return stored(name, sample.ros_type, truth.time_ns, truth.time_ns, Payloads.of_rows(rows))
