"""What may stand between publishers and subscribers of a topic."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

from stressfield.bus.message import Message

FORWARDED = "/fuzzed"
"""Added to a topic's name for the record of what a relay delivered in place of what was sent."""


class Forward(NamedTuple):
    """A message to deliver ``delay_ns`` after the time at which the original would have left.

    Out of order it neither waits for earlier messages of its sender nor holds up later ones.
    """

    message: Message
    delay_ns: int = 0
    in_order: bool = True


Relay: TypeAlias = Callable[[Message, int], Sequence[Forward] | None]
"""Called as ``relay(message, sent_ns)``: what to deliver instead, nothing at all (empty), or None: leave it alone."""
