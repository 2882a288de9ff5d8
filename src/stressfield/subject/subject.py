"""The robot software under test: the protocol, in-process nodes, and monitors that watch a robot while it runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from stressfield.bus import Bus, Link, Node
from stressfield.bus.messages import DiagnosticStatus
from stressfield.scenario import Scenario

MONITORS = "/monitor/"
"""Detections of a monitor are on ``/monitor/NAME``: level 1 when an alarm begins, level 0 when it ends."""

ENDED, BEGAN = 0, 1


class Subject(Protocol):
    """Robot software that can be put on a bus."""

    def start(self, scenario: Scenario, bus: Bus) -> None:
        """Join the bus. What it knows of the scenario is up to it (usually its mission)."""

    def stop(self) -> None:
        """Leave; free everything."""


@runtime_checkable
class Printing(Protocol):
    """A subject with a process of its own, whose output is kept."""

    @property
    def output(self) -> str:
        """The last lines that it printed, after its run too."""


@runtime_checkable
class Paceable(Protocol):
    """A subject with which time can go as fast as on the wall clock, instead of as fast as it answers."""

    def at_pace(self, rate: float) -> Subject:
        """The same robot software, with ``rate`` simulated seconds a second."""


class NodesSubject:
    """Robot software made of in-process nodes; ``nodes`` makes fresh ones for a scenario."""

    def __init__(self, nodes: Callable[[Scenario], Sequence[Node]]) -> None:
        self._nodes = nodes

    def start(self, scenario: Scenario, bus: Bus) -> None:
        """Attach all nodes."""
        for node in self._nodes(scenario):
            bus.attach(node)

    def stop(self) -> None:
        """Nothing to free: the nodes go with the bus."""


class Monitor(Node):
    """Subscribe in :meth:`watch`; call :meth:`alarm` and :meth:`all_clear`. To mitigate, override :meth:`mitigate`.

    A monitor is a node like any other: it sees what subscribers see, has a compute time, and can be killed::

        class SpeedMonitor(Monitor):
            name = "speed"

            def watch(self, link: Link) -> None:
                link.subscribe("/odom", self._on_odometry)

            def _on_odometry(self, message: Odometry) -> None:
                if message.twist.twist.linear.x > 0.5:
                    self.alarm("too fast")
                else:
                    self.all_clear()
    """

    _alarmed = False

    def setup(self, link: Link) -> None:
        """Called once at the start of a run."""
        self.link = link
        self.watch(link)

    def watch(self, link: Link) -> None:
        """Subscribe to what is to be watched."""
        raise NotImplementedError(f"{type(self).__name__} must define watch(link).")

    @property
    def alarmed(self) -> bool:
        """Whether an alarm is on."""
        return self._alarmed

    def alarm(self, reason: str) -> None:
        """Something is wrong. While an alarm is on, another one changes nothing."""
        if not self._alarmed:
            self._alarmed = True
            self.link.publish(MONITORS + self.name, DiagnosticStatus(BEGAN, self.name, reason))
            self.mitigate(on=True)

    def all_clear(self) -> None:
        """All is well again."""
        if self._alarmed:
            self._alarmed = False
            self.link.publish(MONITORS + self.name, DiagnosticStatus(ENDED, self.name, "all clear"))
            self.mitigate(on=False)

    def mitigate(self, *, on: bool) -> None:
        """What to do when an alarm begins (``on``) and when it has ended. By default nothing: it only tells."""
        del on
