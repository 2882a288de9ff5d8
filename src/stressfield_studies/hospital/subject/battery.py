"""The battery's electronics: how much energy is left, from what the wheels do."""

from __future__ import annotations

from math import nan

import numpy as np

from stressfield.bus import Link, Node
from stressfield.bus.messages import BatteryState, Header, Odometry
from stressfield_studies.hospital import robot

VOLTAGE_V = 11.1
IDLE_W = 4.0
PER_MPS_W = 25.0
PER_RADPS_W = 1.5
DISCHARGING, GOOD, LITHIUM = 2, 1, 2
_NONE = np.empty(0, dtype=np.float32)


class Battery(Node):
    """Says once a second what is left; ``percentage`` is the share of a full pack."""

    def __init__(self, name: str, charge: float) -> None:
        self.name = f"{name}/battery"
        self._robot = name
        self._left_j = charge * robot.BATTERY_J
        self._power_w = IDLE_W
        self._last_ns = 0
        self._told_ns = 0

    def setup(self, link: Link) -> None:
        """Listen to the wheels."""
        self._link = link
        self._topic = robot.topic(self._robot, robot.BATTERY)
        link.subscribe(robot.topic(self._robot, robot.ODOMETRY), self._on_odometry, depth=2)

    def _on_odometry(self, message: Odometry) -> None:
        twist, now_ns = message.twist.twist, message.header.stamp.ns
        self._left_j = max(0.0, self._left_j - self._power_w * (now_ns - self._last_ns) / 1e9)
        self._last_ns = now_ns
        self._power_w = IDLE_W + PER_MPS_W * abs(twist.linear.x) + PER_RADPS_W * abs(twist.angular.z)
        if now_ns - self._told_ns >= 1_000_000_000:
            self._told_ns = now_ns
            self._tell(message.header)

    def _tell(self, header: Header) -> None:
        share = self._left_j / robot.BATTERY_J
        full_ah = robot.BATTERY_J / VOLTAGE_V / 3600.0
        state = BatteryState(
            header, VOLTAGE_V, nan, -self._power_w / VOLTAGE_V, share * full_ah, full_ah, full_ah, share,
            DISCHARGING, GOOD, LITHIUM, True, _NONE, _NONE, "", "",
        )  # fmt: skip
        self._link.publish(self._topic, state)
