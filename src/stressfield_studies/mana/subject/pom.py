"""POM: keeps the pose of the rover, from odometry and the pose sensor."""

from __future__ import annotations

from math import cos, sin

from stressfield.bus import Link, Node
from stressfield.bus.messages import Header, Odometry, PoseStamped
from stressfield_studies.mana import robot
from stressfield_studies.mana.subject.attitude import pose_of, six_of, turn

POSITION_GAIN = 0.3
ATTITUDE_GAIN = 0.8


class Pom(Node):
    """Moves the pose on with every odometry, pulls it towards every fix, and then publishes it (10 Hz)."""

    name = "pom"

    def __init__(self) -> None:
        self._pose: list[float] | None = None
        self._odometry_ns: int | None = None

    def setup(self, link: Link) -> None:
        """Listen to both sources."""
        self._publish = link.publish
        link.subscribe(robot.POSITION, self.on_position)
        link.subscribe(robot.ODOMETRY, self.on_odometry)

    def on_position(self, message: PoseStamped) -> None:
        """A fix of the pose sensor: the first is taken as it is."""
        fix = six_of(message.pose)
        if self._pose is None:
            self._pose = list(fix)
        pose = self._pose
        for i in range(3):
            pose[i] += POSITION_GAIN * (fix[i] - pose[i])
        for i in range(3, 6):
            pose[i] = turn(pose[i] + ATTITUDE_GAIN * turn(fix[i] - pose[i]))
        x, y, z, roll, pitch, yaw = pose
        header = Header(message.header.stamp, "world")
        self._publish(robot.PERCEIVED, PoseStamped(header, pose_of((x, y, z, roll, pitch, yaw))))

    def on_odometry(self, message: Odometry) -> None:
        """Motion since the last one."""
        now_ns = message.header.stamp.ns
        before_ns, self._odometry_ns = self._odometry_ns, now_ns
        if self._pose is None or before_ns is None:
            return
        pose, seconds = self._pose, (now_ns - before_ns) / 1e9
        along = message.twist.twist.linear.x * seconds
        angle = message.twist.twist.angular.z * seconds
        middle, flat = pose[5] + angle / 2.0, along * cos(pose[4])
        pose[0] += flat * cos(middle)
        pose[1] += flat * sin(middle)
        pose[2] -= along * sin(pose[4])
        pose[5] = turn(pose[5] + angle)
