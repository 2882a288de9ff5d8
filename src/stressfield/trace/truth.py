"""The observer's view: where a robot really was, and how it is written as ROS messages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.cdr import encode
from stressfield.bus.message import Float64, Message
from stressfield.bus.messages import (
    Header,
    Odometry,
    Point,
    Pose,
    PoseWithCovariance,
    Quaternion,
    Time,
    Twist,
    TwistWithCovariance,
    Vector3,
)
from stressfield.errors import TraceError
from stressfield.trace.layout import layout_of
from stressfield.trace.payloads import Payloads
from stressfield.trace.topic import Topic, stored

COLUMNS = (
    "x_m", "y_m", "z_m", "qx", "qy", "qz", "qw",
    "speed_mps", "turn_rate_radps", "clearance_m", "contact_body",
)  # fmt: skip
"""The columns of :class:`Truth`, as simulators observe them."""

PREFIX = "/truth/"
"""Topics of the observer; the robot cannot use them."""

_TOPIC = re.compile(r"/truth/(.+)/(odom|contact)")
_ODOM_PATHS = (
    "pose.pose.position.x", "pose.pose.position.y", "pose.pose.position.z",
    "pose.pose.orientation.x", "pose.pose.orientation.y", "pose.pose.orientation.z", "pose.pose.orientation.w",
    "twist.twist.linear.x", "twist.twist.angular.z",
)  # fmt: skip
_CONTACT_PATHS = ("clearance_m", "contact_body")


class Contact(Message, frozen=True, eq=False):
    """Distance to the nearest solid body (negative: overlap) and the index of a touched body, or -1."""

    ros_type: ClassVar[str] = "stressfield_msgs/msg/Contact"
    header: Header
    clearance_m: Float64
    contact_body: Float64


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """Ground truth of one robot: ``values`` is [n, len(COLUMNS)], observed at ``time_ns`` (never decreasing)."""

    time_ns: NDArray[np.int64]
    values: NDArray[np.float64]

    def __post_init__(self) -> None:
        if self.values.shape != (len(self.time_ns), len(COLUMNS)):
            raise TraceError(
                f"Truth has shape {self.values.shape}, wanted {(len(self.time_ns), len(COLUMNS))}: "
                f"{', '.join(COLUMNS)}."
            )
        if len(self.time_ns) and (self.time_ns[0] < 0 or (np.diff(self.time_ns) < 0).any()):
            raise TraceError("Times of the truth run backwards or below zero; wanted observations in order.")

    def __len__(self) -> int:
        return len(self.time_ns)

    @property
    def time_s(self) -> NDArray[np.float64]:
        """Times in seconds."""
        return np.true_divide(self.time_ns, 1e9, dtype=np.float64)

    @property
    def x_m(self) -> NDArray[np.float64]:
        return self.values[:, 0]

    @property
    def y_m(self) -> NDArray[np.float64]:
        return self.values[:, 1]

    @property
    def z_m(self) -> NDArray[np.float64]:
        return self.values[:, 2]

    @property
    def quaternion(self) -> NDArray[np.float64]:
        """Orientation, [n, 4] in the order x, y, z, w."""
        return self.values[:, 3:7]

    @property
    def yaw_rad(self) -> NDArray[np.float64]:
        """Heading about the vertical, -pi to pi."""
        x, y, z, w = self.quaternion.T
        yaw: NDArray[np.float64] = np.arctan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))
        return yaw

    @property
    def speed_mps(self) -> NDArray[np.float64]:
        return self.values[:, 7]

    @property
    def turn_rate_radps(self) -> NDArray[np.float64]:
        return self.values[:, 8]

    @property
    def clearance_m(self) -> NDArray[np.float64]:
        """Distance from the footprint to the nearest solid body; negative is the depth of overlap."""
        return self.values[:, 9]

    @property
    def contact_body(self) -> NDArray[np.float64]:
        """Index of a body the robot overlaps, or -1."""
        return self.values[:, 10]


def to_topics(robot: str, truth: Truth) -> tuple[Topic, Topic]:
    """The truth as ``/truth/ROBOT/odom`` and ``/truth/ROBOT/contact``, bit for bit."""
    header = Header(Time(0, 0), "world")
    still = TwistWithCovariance(Twist(Vector3(), Vector3()))
    odom = Odometry(header, robot, PoseWithCovariance(Pose(Point(), Quaternion())), still)
    return (
        _topic(f"{PREFIX}{robot}/odom", odom, truth, _ODOM_PATHS, truth.values[:, :9]),
        _topic(f"{PREFIX}{robot}/contact", Contact(header, 0.0, 0.0), truth, _CONTACT_PATHS, truth.values[:, 9:]),
    )


def robot_of(topic: str) -> str | None:
    """The robot whose truth is on a topic, or None for a topic of the robot's own view."""
    match = _TOPIC.fullmatch(topic)
    return match[1] if match else None


def from_topics(robot: str, odom: Topic | None, contact: Topic | None, *, cut: bool) -> Truth:
    """The truth in its two topics. Raises TraceError when they do not belong together.

    In a recording that was ``cut``, one of the two may be an observation longer.
    """
    if odom is None or contact is None:
        raise TraceError(f"The truth of robot {robot!r} is incomplete: wanted topics odom and contact.")
    both = min(len(odom), len(contact)) if cut else len(odom)
    if not np.array_equal(odom.log_time_ns[:both], contact.log_time_ns[: both if cut else None]):
        raise TraceError(f"The truth of robot {robot!r} is incomplete: odom and contact must have the same times.")
    columns = [odom.column(path)[:both] for path in _ODOM_PATHS]
    columns += [contact.column(path)[:both] for path in _CONTACT_PATHS]
    return Truth(odom.log_time_ns[:both], np.stack(columns, axis=1))


def _topic(name: str, sample: Message, truth: Truth, paths: tuple[str, ...], values: NDArray[np.float64]) -> Topic:
    layout = layout_of(type(sample), encode(sample))
    rows = np.empty((len(truth), len(layout.sample)), np.uint8)
    rows[:] = np.frombuffer(layout.sample, np.uint8)
    layout.column(rows, "header.stamp.sec")[:] = truth.time_ns // 1_000_000_000
    layout.column(rows, "header.stamp.nanosec")[:] = truth.time_ns % 1_000_000_000
    for path, column in zip(paths, values.T, strict=True):
        layout.column(rows, path)[:] = column
    return stored(name, sample.ros_type, truth.time_ns, truth.time_ns, Payloads.of_rows(rows))
