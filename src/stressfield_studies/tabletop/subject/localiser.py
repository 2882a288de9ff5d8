"""Where the base is: odometry, drawn softly to what the localisation in the rooms says."""

from __future__ import annotations

from math import cos, pi, sin

from stressfield.bus.messages import Odometry, PoseStamped

TRUST = 0.15


def turned(angle: float) -> float:
    """The same direction, between -pi and pi."""
    return (angle + pi) % (2.0 * pi) - pi


class Localiser:
    """x, y and yaw in the map. Nothing is known before the first localisation."""

    def __init__(self) -> None:
        self.x = self.y = self.yaw = 0.0
        self.known = False
        self._last: tuple[float, float, float] | None = None

    def odometry(self, message: Odometry) -> None:
        """Move on by what the wheels say."""
        pose = message.pose.pose
        now = (pose.position.x, pose.position.y, pose.yaw_rad)
        if self._last is not None:
            x, y, yaw = self._last
            dx, dy = now[0] - x, now[1] - y
            ahead, left = dx * cos(yaw) + dy * sin(yaw), dy * cos(yaw) - dx * sin(yaw)
            turn = turned(now[2] - yaw)
            middle = self.yaw + turn / 2.0
            self.x += ahead * cos(middle) - left * sin(middle)
            self.y += ahead * sin(middle) + left * cos(middle)
            self.yaw = turned(self.yaw + turn)
        self._last = now

    def pose(self, message: PoseStamped) -> None:
        """Correct by the localisation."""
        pose = message.pose
        x, y, yaw = pose.position.x, pose.position.y, pose.yaw_rad
        share = TRUST if self.known else 1.0
        self.x += share * (x - self.x)
        self.y += share * (y - self.y)
        self.yaw = turned(self.yaw + share * turned(yaw - self.yaw))
        self.known = True
