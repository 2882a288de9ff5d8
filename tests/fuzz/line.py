"""A line of messages from one talker to one listener, with operations between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from stressfield.bus import Bus, Latency, Link, Message, Node, Timing
from stressfield.bus.messages import Float64Msg
from stressfield.fuzz import Disturber, Operation, Variable

S = 1_000_000_000
EXACT = Timing(topic_default=Latency(), node_default=Latency())


class Listener(Node):
    """Notes what arrives, and when; counts its lives."""

    def __init__(self, name: str = "ear", topic: str = "/a", period_s: float | None = None) -> None:
        self.name = name
        self._topic = topic
        self._period_s = period_s
        self.heard: list[tuple[float, Message]] = []
        self.ticks: list[float] = []

    def __deepcopy__(self, memo: object) -> Listener:
        """A restarted listener forgets, but writes into the same notebook, so that a test can read it."""
        fresh = Listener(self.name, self._topic, self._period_s)
        fresh.heard, fresh.ticks = self.heard, self.ticks
        return fresh

    def setup(self, link: Link) -> None:
        self._link = link
        link.subscribe(self._topic, self._hear, depth=10_000)
        if self._period_s is not None:
            link.every(self._period_s, lambda: self.ticks.append(link.now_ns / S))

    def _hear(self, message: Message) -> None:
        self.heard.append((self._link.now_ns / S, message))


@dataclass
class Played:
    """What came of it: ``heard`` as (time, message), and every record of the tap by topic."""

    heard: list[tuple[float, Message]]
    taps: dict[str, list[tuple[int, int, Message]]] = field(default_factory=dict)

    @property
    def values(self) -> list[float]:
        return [message.data for _, message in self.heard]

    @property
    def times(self) -> list[float]:
        return [time_s for time_s, _ in self.heard]


def play(
    operations: Sequence[Operation],
    messages: Sequence[tuple[float, str, Message]],
    *,
    variables: Sequence[Variable] = (),
    seed: int = 7,
    timing: Timing = EXACT,
    until_s: float = 10_000.0,
    listener: Listener | None = None,
) -> Played:
    """Send messages (time, topic, message) through the operations to a listener on /a."""
    taps: dict[str, list[tuple[int, int, Message]]] = {}
    bus = Bus(seed=seed, timing=timing, tap=lambda topic: taps.setdefault(topic, []).append)
    disturber = Disturber(operations, variables, seed=seed) if operations else None
    if disturber is not None:
        disturber.join(bus)
    listener = listener or Listener()
    bus.attach(listener)
    if disturber is not None:
        disturber.check(bus)
    for time_s, topic, message in messages:
        bus.run_until(round(time_s * S))
        bus.publish(topic, message, round(time_s * S))
    bus.run_until(round(until_s * S))
    return Played(listener.heard, taps)


def numbers(count: int, *, period_s: float = 1.0, topic: str = "/a") -> list[tuple[float, str, Message]]:
    """0, 1, 2, ... at 0 s, 1 s, 2 s, ..."""
    return [(i * period_s, topic, Float64Msg(float(i))) for i in range(count)]
