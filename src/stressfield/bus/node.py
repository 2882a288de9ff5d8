"""Nodes: the parts of robot software that talk over the bus."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from stressfield.bus.message import Message


class Link(Protocol):
    """A node's connection to the bus."""

    @property
    def now_ns(self) -> int:
        """Simulated time at which the running callback began."""

    def subscribe(self, topic: str, callback: Callable[[Any], None], *, depth: int = 5) -> None:
        """Call ``callback(message)`` for each message; while the node is busy only the newest ``depth`` wait."""

    def every(self, period_s: float, callback: Callable[[], None]) -> None:
        """Call ``callback()`` periodically."""

    def publish(self, topic: str, message: Message) -> None:
        """Send a message. It leaves when the running callback's compute time has passed."""


class Node:
    """A part of the robot software. Give it a ``name``; subscribe and start timers in :meth:`setup`."""

    name: str = "node"

    def setup(self, link: Link) -> None:
        """Called once at the start of a run."""
        raise NotImplementedError(f"{type(self).__name__} must define setup(link).")
