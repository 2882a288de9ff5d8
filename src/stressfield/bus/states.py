"""What the bus knows of subscriptions, nodes and topics; for the bus alone."""

from __future__ import annotations

from collections.abc import Callable

from stressfield.bus.relay import Relay
from stressfield.errors import SubjectError


class Subscription:
    """Who is called for a topic or, with a period, by a timer. Without a node it is the rig's own."""

    __slots__ = ("arrived", "callback", "depth", "node", "period_ns", "topic")

    def __init__(
        self, node: NodeState | None, topic: str, callback: Callable[..., None], depth: int, period_ns: int
    ) -> None:
        self.node = node
        self.topic = topic
        self.callback = callback
        self.depth = depth
        self.period_ns = period_ns
        self.arrived = 0


class NodeState:
    """How long a node computes, and until when it is busy."""

    __slots__ = ("compute", "drawn", "free_ns", "name")

    def __init__(self, name: str, compute: Callable[[], int]) -> None:
        self.name = name
        self.compute = self.drawn = compute
        self.free_ns = 0


class TopicState:
    """Who listens to a topic, and how long its messages travel."""

    __slots__ = ("last_ns", "latency", "name", "relay", "subscriptions", "watch")

    def __init__(self, name: str, latency: Callable[[], int]) -> None:
        self.name = name
        self.latency = latency
        self.last_ns: dict[str, int] = {}
        self.subscriptions: list[Subscription] = []
        self.watch: Callable[[int], None] | None = None
        self.relay: Relay | None = None


def name_of(callback: Callable[..., None]) -> str:
    """What a callback is called in messages."""
    return getattr(callback, "__name__", "a callback")


def crash(node: NodeState, subscription: Subscription, time_ns: int, error: Exception) -> SubjectError:
    """What to raise when a callback of a node raised an error."""
    return SubjectError(
        f"Node {node.name!r} crashed at {time_ns / 1e9:.3f} s in {name_of(subscription.callback)}: "
        f"{type(error).__name__}: {error}"
    )
