"""A message with its topic and time: what passes between simulator and bus."""

from __future__ import annotations

from typing import NamedTuple

from stressfield.bus.message import Message


class Stamped(NamedTuple):
    """A message on its topic, with the simulated time at which it was sent or arrived."""

    topic: str
    time_ns: int
    message: Message
