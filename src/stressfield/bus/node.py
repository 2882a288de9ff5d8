"""Node: a part of the robot software that talks over the bus; Timing: how long it computes and its messages travel."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from math import inf
from typing import Any, Protocol

from stressfield.bus.message import Message
from stressfield.errors import InputError
from stressfield.seeds import generator


class Link(Protocol):
    """A node's connection to the bus."""

    @property
    def now_ns(self) -> int:
        """Simulated time at which the running callback began."""

    def subscribe(self, topic: str, callback: Callable[[Any], None], *, depth: int = 5, own: bool = True) -> None:
        """Call ``callback(message)`` for each message; while the node is busy only the newest ``depth`` wait.

        With ``own=False`` it does not get what it publishes itself.
        """

    def every(self, period_s: float, callback: Callable[[], None]) -> None:
        """Call ``callback()`` periodically."""

    def advertise(self, topic: str) -> None:
        """Say that messages may come on a topic: properties know it then, even in a run in which none came."""

    def publish(self, topic: str, message: Message) -> None:
        """Send a message. It leaves when the running callback's compute time has passed."""


class Node:
    """A part of the robot software. Give it a ``name``; subscribe and start timers in :meth:`setup`."""

    name: str = "node"

    def setup(self, link: Link) -> None:
        """Called once at the start of a run."""
        raise NotImplementedError(f"{type(self).__name__} must define setup(link).")


# numbers of one call of the generator. Not to be changed: each block is handed out backwards, so another size would
# give other latencies for the same seed
_BLOCK = 256
# the tail is cut at so many means: one latency in 3,000 (exp(-8)) would be longer
_LONGEST = 8.0


@dataclass(frozen=True, slots=True)
class Latency:
    """A least time plus an exponential tail (cut at eight times its mean), both in milliseconds."""

    base_ms: float = 0.0
    jitter_ms: float = 0.0

    def __post_init__(self) -> None:
        if not (0.0 <= self.base_ms < inf and 0.0 <= self.jitter_ms < inf):
            raise InputError(
                f"A latency needs base_ms and jitter_ms of at least 0, got {self.base_ms!r} and {self.jitter_ms!r}."
            )


@dataclass(frozen=True, slots=True)
class Timing:
    """Latency per topic and compute time per node; what is not named takes the default."""

    topics: Mapping[str, Latency] = field(default_factory=dict)
    nodes: Mapping[str, Latency] = field(default_factory=dict)
    topic_default: Latency = Latency(base_ms=0.5, jitter_ms=0.3)
    node_default: Latency = Latency(base_ms=1.0, jitter_ms=0.5)

    def of_topic(self, topic: str, seed: int) -> Callable[[], int]:
        """Draws the latency of one message after another, in nanoseconds."""
        return draws(self.topics.get(topic, self.topic_default), seed, f"latency {topic}")

    def of_node(self, node: str, seed: int) -> Callable[[], int]:
        """Draws the compute time of one callback after another, in nanoseconds."""
        return draws(self.nodes.get(node, self.node_default), seed, f"compute {node}")


def draws(latency: Latency, seed: int, purpose: str) -> Callable[[], int]:
    """A function that returns the next latency in nanoseconds; every purpose has a generator of its own."""
    if latency.jitter_ms <= 0.0:
        constant = round(latency.base_ms * 1e6)
        return lambda: constant
    return chain.from_iterable(_blocks(latency, seed, purpose)).__next__


def _blocks(latency: Latency, seed: int, purpose: str) -> Iterator[Iterator[int]]:
    """Latencies without end, drawn many at a time and handed out from the last of them to the first."""
    rng = generator(seed, purpose)
    while True:
        tail = rng.standard_exponential(_BLOCK).clip(max=_LONGEST)
        yield reversed((latency.base_ms * 1e6 + latency.jitter_ms * 1e6 * tail).astype("int64").tolist())
