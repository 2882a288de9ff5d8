"""The way of commands from the bus into the drive of one robot."""

from __future__ import annotations

import math
from typing import NamedTuple

from stressfield.bus.message import BAD_MESSAGE, Message
from stressfield.bus.messages import BoolMsg, JointState, Twist
from stressfield.errors import NotFiniteError, SubjectError
from stressfield.scenario import generator
from stressfield.world import DifferentialDrive

LATE_STOP_CHANCE = 0.5
LATE_STOP_S = (0.5, 3.0)
"""Shortest and longest time by which a stop is withheld."""


class Order(NamedTuple):
    """What the drive is asked to do from a time on."""

    time_ns: int
    speed_mps: float
    turn_radps: float

    @property
    def moves(self) -> bool:
        """Whether it asks for any motion."""
        return self.speed_mps != 0.0 or self.turn_radps != 0.0


_REST = Order(0, 0.0, 0.0)


class CommandLine:
    """Commands of one robot in order of arrival. A drive with ``late_stop`` withholds some stops for a while.

    A withheld stop: the order before it goes on (and keeps the watchdog quiet) until the delay has passed or another
    order to move arrives; more zero commands change nothing.
    """

    def __init__(self, drive: DifferentialDrive, name: str, seed: int) -> None:
        self._drive = drive
        self._rng = generator(seed, "late stop", name) if drive.late_stop else None
        self._waiting: list[Order] = []
        self._acting = _REST
        self._release_ns: int | None = None
        self._powered = True

    def switch(self, message: Message, time_ns: int) -> None:
        """The motors are switched on or off. Without power they stop and obey nothing."""
        if not isinstance(message, BoolMsg):
            topic = self._drive.power_topic
            raise SubjectError(
                f"A switch on {topic!r} is a {type(message).__name__}; wanted a BoolMsg.", kind=BAD_MESSAGE, topic=topic
            )
        self._powered = message.data
        if not message.data:
            self._release_ns = None
            self._acting = Order(time_ns, 0.0, 0.0)
            self._waiting.append(self._acting)

    def hear(self, message: Message, time_ns: int) -> None:
        """A command arrived."""
        speed, turn = wheel_order(message, self._drive)
        order = Order(time_ns, speed, turn)
        if not self._powered:
            return
        if self._rng is not None and not order.moves and self._is_withheld(time_ns):
            return
        self._release_ns = None
        self._acting = order
        self._waiting.append(order)

    def _is_withheld(self, time_ns: int) -> bool:
        """Whether this stop does not reach the wheels yet; decides it for a stop that follows motion."""
        if self._release_ns is not None:
            return True
        if self._rng is None or not self._acting.moves:
            return False
        # The watchdog has stopped the wheels already.
        if time_ns - self._acting.time_ns > self._drive.watchdog_s * 1e9:
            return False
        chance, share = self._rng.random(2).tolist()
        if chance >= LATE_STOP_CHANCE:
            return False
        delay_s = LATE_STOP_S[0] + (LATE_STOP_S[1] - LATE_STOP_S[0]) * share
        self._release_ns = time_ns + round(delay_s * 1e9)
        return True

    def due(self, start_ns: int, last_ns: int) -> list[Order]:
        """Orders that take effect from ``start_ns`` to ``last_ns``; later ones keep waiting."""
        if self._release_ns is not None:
            self._hold(start_ns, last_ns)
        waiting = self._waiting
        if not waiting:
            return waiting
        # The usual case by far, and this runs for every robot and tick: no lists are built.
        if len(waiting) == 1 and waiting[0].time_ns <= last_ns:
            self._waiting = []
            return waiting
        ready = [order for order in self._waiting if order.time_ns <= last_ns]
        self._waiting = [order for order in self._waiting if order.time_ns > last_ns]
        return ready

    def _hold(self, start_ns: int, last_ns: int) -> None:
        """Repeat the order before a withheld stop, or let the stop through when its time has come."""
        release_ns = self._release_ns
        if release_ns is not None and release_ns <= last_ns:
            self._release_ns = None
            self._acting = Order(release_ns, 0.0, 0.0)
            self._waiting.append(self._acting)
        elif not self._waiting:
            self._waiting.append(Order(start_ns, self._acting.speed_mps, self._acting.turn_radps))


def wheel_order(message: Message, drive: DifferentialDrive) -> tuple[float, float]:
    """Speed and turn rate from wheel speeds (JointState: left, right) or from a Twist."""
    topic = drive.command_topic
    if isinstance(message, JointState):
        if len(message.velocity) != 2:
            raise SubjectError(
                f"A command on {topic!r} has {len(message.velocity)} velocities; wanted 2 (left, right, in rad/s).",
                kind=BAD_MESSAGE,
                topic=topic,
            )
        left, right = float(message.velocity[0]), float(message.velocity[1])
        speed = (left + right) / 2.0 * drive.wheel_radius_m
        turn = (right - left) * drive.wheel_radius_m / drive.wheel_base_m
    elif isinstance(message, Twist):
        speed, turn = float(message.linear.x), float(message.angular.z)
    else:
        raise SubjectError(
            f"A command on {topic!r} is a {type(message).__name__}; wanted JointState or Twist.",
            kind=BAD_MESSAGE,
            topic=topic,
        )
    if not (math.isfinite(speed) and math.isfinite(turn)):
        raise NotFiniteError(topic, message, _said(message))
    return speed, turn


def _said(message: JointState | Twist) -> str:
    if isinstance(message, JointState):
        return f"velocity [{float(message.velocity[0])}, {float(message.velocity[1])}]"
    return f"linear.x {float(message.linear.x)}, angular.z {float(message.angular.z)}"
