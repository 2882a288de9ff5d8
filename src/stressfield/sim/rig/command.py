"""The way of commands from the bus into the drive of one robot."""

from __future__ import annotations

from stressfield.bus.message import BAD_MESSAGE, Message
from stressfield.bus.messages import BoolMsg
from stressfield.errors import SubjectError
from stressfield.scenario import generator
from stressfield.sim.order import REST, Order, order_of
from stressfield.world.drives import WheeledDrive

LATE_STOP_CHANCE = 0.5
LATE_STOP_S = (0.5, 3.0)
"""Shortest and longest time by which a stop is withheld."""


class CommandLine:
    """Commands of one robot in order of arrival, with the gains and the dead time of its drive.

    A drive with ``late_stop`` withholds some stops for a while.

    A withheld stop: the order before it goes on (and keeps the watchdog quiet) until the delay has passed or another
    order to move arrives; more zero commands change nothing.
    """

    def __init__(self, drive: WheeledDrive, name: str, seed: int) -> None:
        self._drive = drive
        self._rng = generator(seed, "late stop", name) if drive.late_stop else None
        self._waiting: list[Order] = []
        self._acting = REST
        self._release_ns: int | None = None
        self._powered = True
        self._dead_ns = round(drive.dead_time_s * 1e9)
        self._changed = (drive.speed_gain, drive.turn_gain, self._dead_ns) != (1.0, 1.0, 0)

    def _as_done(self, order: Order) -> Order:
        """What wheels do of an order that do not do what they are told, and when it reaches them."""
        speed, turn, more = self._drive.speed_gain, self._drive.turn_gain, order.more
        if more is not None:
            more = (more[0] * speed, more[1] * turn, *more[2:])
        return Order(order.time_ns + self._dead_ns, order.speed_mps * speed, order.turn_radps * turn, more)

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
            self._acting = self._stop(time_ns)
            # What is still on its way to the motors finds them without power.
            self._waiting = [order for order in self._waiting if order.time_ns <= time_ns]
            self._waiting.append(self._acting)

    def hear(self, message: Message, time_ns: int) -> None:
        """A command arrived."""
        order = order_of(message, self._drive, time_ns)
        if not self._powered:
            return
        if self._changed:
            order = self._as_done(order)
            time_ns = order.time_ns
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
            self._acting = self._stop(release_ns)
            self._waiting.append(self._acting)
        elif not self._waiting:
            self._waiting.append(self._acting._replace(time_ns=start_ns))

    def _stop(self, time_ns: int) -> Order:
        """No motion; a car keeps its wheels steered as they are told to be."""
        more = self._acting.more
        return Order(time_ns, 0.0, 0.0, None if more is None else (0.0, *more[1:]))
