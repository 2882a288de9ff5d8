"""A runtime monitor of one robot: it cuts the motors when commands are implausible or stay away."""

from __future__ import annotations

from stressfield.bus import Link
from stressfield.bus.messages import BoolMsg, Twist
from stressfield.subject import Monitor
from stressfield_studies.hospital import robot

SLACK = 1.02
SIDEWAYS_MPS = 0.005
SILENCE_S = 0.5
"""Navigation commands five times a second: two missing in a row are a loss."""
HOLD_S = 1.0
"""So long all commands must have been plausible before the motors get power again."""
CHECK_S = 0.1


class CommandGuard(Monitor):
    """Listens to the commands that reach the robot, as the robot does."""

    def __init__(self, name: str) -> None:
        self.name = f"{name}/guard"
        self._robot = name
        self._heard_ns: int | None = None
        self._moving = False
        self._wrong_ns: int | None = None

    def watch(self, link: Link) -> None:
        """Commands, and the time since the last one."""
        link.subscribe(robot.topic(self._robot, robot.COMMAND), self._on_command)
        link.every(CHECK_S, self._check)

    def _on_command(self, message: Twist) -> None:
        now_ns = self.link.now_ns
        self._heard_ns = now_ns
        self._moving = message.linear.x != 0.0 or message.angular.z != 0.0
        reason = implausible(message)
        if reason:
            self._wrong_ns = now_ns
            self.alarm(reason)

    def _check(self) -> None:
        now_ns = self.link.now_ns
        if self._moving and self._heard_ns is not None and now_ns - self._heard_ns > SILENCE_S * 1e9:
            self._wrong_ns = now_ns
            self.alarm("commands lost")
        elif self.alarmed and self._wrong_ns is not None and now_ns - self._wrong_ns > HOLD_S * 1e9:
            self.all_clear()

    def mitigate(self, *, on: bool) -> None:
        """Cut the motors while the alarm is on."""
        self.link.publish(robot.topic(self._robot, robot.POWER), BoolMsg(not on))


def implausible(message: Twist) -> str:
    """Why a command cannot come from navigation; empty if it can."""
    if abs(message.linear.x) > SLACK * robot.SPEED_MAX_MPS:
        return "faster than the robot can"
    if abs(message.angular.z) > SLACK * robot.TURN_MAX_RADPS:
        return "turning faster than the robot can"
    return "sideways" if abs(message.linear.y) > SIDEWAYS_MPS else ""
