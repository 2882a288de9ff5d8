"""A message with its topic and time: what passes between simulator and bus."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from stressfield.bus.message import Message


class Stamped(NamedTuple):
    """A message on its topic, with the simulated time at which it was sent or arrived."""

    topic: str
    time_ns: int
    message: Message


stamp: Callable[[tuple[str, int, Message]], Stamped] = partial(tuple.__new__, Stamped)
"""The same from a tuple, for loops: without the price of a Python call."""
