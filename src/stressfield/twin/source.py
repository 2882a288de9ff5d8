"""What gives messages as they come, and takes what the twin says."""

from __future__ import annotations

from typing import Protocol

from stressfield.bus.message import Message

Came = tuple[str, int, Message]
"""A topic, when its message came in nanoseconds since 1970, and the message."""


class Listener(Protocol):
    """Whoever listens: what it knows is of the study; what it wants is more, for properties ask for what they like."""

    def knows(self, topic: str) -> bool:
        """Whether a topic is of the study."""

    def wants(self, topic: str, kind: str) -> bool:
        """Whether to listen to a topic of this type."""


class StreamSource(Protocol):
    """Gives messages as they come, and takes what the twin says."""

    name: str

    def open(self, listener: Listener) -> None:
        """Begin to listen to topics that are wanted."""

    def take(self, wait_s: float) -> list[Came] | None:
        """What has come since the last time, waiting for it a little; None when there is no more."""

    def say(self, topic: str, message: Message) -> None:
        """Publish a message, where that is possible."""

    def close(self) -> None:
        """Let go."""
