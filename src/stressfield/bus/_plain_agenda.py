"""Agenda: what happens next on a bus, and to whom.

This is the plain version, of which ``_agenda.c`` is a copy in C, line by line: every message of every run passes here
twice. Tests hold the two to the same order of the same events.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush, heapreplace
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from stressfield.bus.message import Message
    from stressfield.bus.node import Node

__all__ = ["Agenda", "NodeState", "Receiver", "TopicState"]

Failed: TypeAlias = Callable[["Receiver", int, BaseException], Any]
"""Told which callback raised what, and when, it raises what is to be raised."""


class NodeState:
    """How long a node computes, and until when it is busy."""

    __slots__ = ("compute", "drawn", "free_ns", "name", "node")

    def __init__(self, node: Node, name: str, compute: Callable[[], int]) -> None:
        self.node = node
        self.name = name
        self.compute = self.drawn = compute
        self.free_ns = 0


class Receiver:
    """Who is called for a topic or, with a period, by a timer. Without a node it is the rig's own."""

    __slots__ = ("arrived", "callback", "deaf_to", "depth", "node", "period_ns", "topic")

    def __init__(
        self,
        node: NodeState | None,
        topic: str,
        callback: Callable[..., None],
        depth: int,
        period_ns: int,
        deaf_to: str | None = None,
    ) -> None:
        self.node = node
        self.topic = topic
        self.callback = callback
        self.depth = depth
        self.period_ns = period_ns
        self.arrived = 0
        self.deaf_to = deaf_to
        """The sender whose messages it does not get: the node itself, if it does not want its own."""


class TopicState:
    """Who listens to a topic, and how long its messages travel."""

    __slots__ = (
        "accepts",
        "first",
        "kind",
        "last_ns",
        "latency",
        "name",
        "place",
        "receivers",
        "relay",
        "replaced",
        "sink",
        "watch",
    )  # fmt: skip

    def __init__(self, name: str, latency: Callable[[], int]) -> None:
        self.name = name
        self.kind: type | None = None
        self.first = ""
        """Who published there first, and so decided the type of its messages."""
        self.place = ""
        """In which line of the robot's."""
        self.accepts: type[Message] | None = None
        self.latency = latency
        self.sink: Callable[[tuple[int, int, Message]], None] | None = None
        self.last_ns: dict[str, int] = {}
        """When the last message of each sender arrives."""
        self.receivers: list[Receiver] = []
        self.watch: Callable[[int], None] | None = None
        self.relay: Callable[[Message, int], Any] | None = None
        self.replaced: dict[int, tuple[Message, Message]] = {}
        """What a relay delivered to the simulator instead of what was sent, and that; by the former's identity."""


class Agenda:
    """Deliveries and timers in one order, by time and then by age.

    ``stamp`` makes what the rig's own are given out of topic, time and message; ``clock`` tells seconds of wall time,
    if that spent in callbacks is to be measured.
    """

    def __init__(self, stamp: Callable[[tuple[str, int, Any]], Any], failed: Failed, clock: Callable[[], float] | None):
        self._stamp = stamp
        self._failed = failed
        self._clock = clock
        # An event is (time, age, arrival, receiver, payload): the age decides between equal times, so the order
        # never depends on anything else. The payload is a message, or the time at which a timer was to go off.
        self._heap: list[tuple[int, int, int, Receiver, Any]] = []
        self._age = 0
        self.now_ns = 0
        self.leaves_ns = 0
        """When what the running callback publishes leaves its node."""
        self.dropped = 0
        self.delivered = 0
        self.callback_s = 0.0

    def add(self, time_ns: int, receiver: Receiver, message: Message | None, /) -> None:
        """Have a message arrive at a time."""
        self._age += 1
        heappush(self._heap, (time_ns, self._age, -1, receiver, message))

    def add_timer(self, first_ns: int, receiver: Receiver, /) -> None:
        """Have a timer go off at a time, and then with its period."""
        self._age += 1
        heappush(self._heap, (first_ns, self._age, 0, receiver, first_ns))

    def send(self, topic: TopicState, message: Message, sent_ns: int, sender: str, /) -> None:
        """Have a message arrive at all who listen after the topic's latency, and tell who records and watches it."""
        arrival_ns = sent_ns
        if topic.receivers:
            arrival_ns = topic.last_ns[sender] = max(sent_ns + topic.latency(), topic.last_ns.get(sender, -(2**63)))
            for receiver in topic.receivers:
                if receiver.deaf_to is None or receiver.deaf_to != sender:
                    self.add(arrival_ns, receiver, message)
        if topic.sink is not None:
            topic.sink((sent_ns, arrival_ns, message))
        if topic.watch is not None:
            topic.watch(sent_ns)

    def run_until(self, limit_ns: int, /) -> None:
        """Handle every event up to and including a time."""
        heap = self._heap
        while heap:
            time_ns, age, arrival, receiver, payload = heap[0]
            if time_ns > limit_ns:
                break
            node = receiver.node
            if node is None:
                heappop(heap)
                receiver.callback(self._stamp((receiver.topic, time_ns, payload)))
                continue
            if arrival < 0:  # seen for the first time: it joins the queue of its receiver
                arrival = receiver.arrived = receiver.arrived + 1
            if node.free_ns > time_ns:  # busy: back into the queue, with its age, until the node is free
                heapreplace(heap, (node.free_ns, age, arrival, receiver, payload))
                continue
            if receiver.period_ns:
                next_ns = payload + receiver.period_ns
                heapreplace(heap, (next_ns, age, 0, receiver, next_ns))
            else:
                heappop(heap)
                if receiver.arrived - arrival >= receiver.depth:  # newer ones have pushed it out
                    self.dropped += 1
                    continue
            self._handle(node, receiver, time_ns, payload)
        self.now_ns = limit_ns

    def remove(self, node: NodeState, /) -> None:
        """Forget all events of a node."""
        self._heap[:] = [event for event in self._heap if event[3].node is not node]
        heapify(self._heap)

    def clear(self) -> None:
        """Forget all events."""
        self._heap.clear()

    def _handle(self, node: NodeState, receiver: Receiver, time_ns: int, payload: Any) -> None:
        self.now_ns = time_ns
        self.leaves_ns = node.free_ns = time_ns + node.compute()
        self.delivered += 1
        begin_s = 0.0 if self._clock is None else self._clock()
        try:
            if receiver.period_ns:
                receiver.callback()
            else:
                receiver.callback(payload)
        except BaseException as error:
            self._failed(receiver, time_ns, error)
            raise  # it must raise: what came of the callback is not to be lost
        if self._clock is not None:
            self.callback_s += self._clock() - begin_s
