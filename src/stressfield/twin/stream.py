"""What has come so far, topic by topic, and what was late, missing or out of order. Nothing is ever filled in."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from stressfield.bus.message import Message
from stressfield.errors import TraceError, did_you_mean
from stressfield.trace.bags.bag import FARTHEST_BACK_NS, BagTopic
from stressfield.trace.topic import Topic, recorded

LATE_S = 0.5
"""A message is late if it took so much longer from its stamp to here than the quickest on its topic did."""
GAP_S, GAP_PERIODS = 1.0, 10.0
"""Something is missing if a topic pauses for so long, and for as many of its usual periods."""


@dataclass(slots=True)
class TopicHealth:
    """How one topic came."""

    messages: int = 0
    out_of_order: int = 0
    """Messages that are older than one before them, by their stamps or by the clock of the source."""
    late: int = 0
    gaps: int = 0
    longest_gap_s: float = 0.0
    dropped: int = 0
    """Messages that are of no use: from another time, or of another type than those before."""

    @property
    def words(self) -> str:
        """What was odd; empty if nothing was."""
        told = [
            (self.out_of_order, f"{self.out_of_order} out of order"),
            (self.late, f"{self.late} late"),
            (self.gaps, f"{self.gaps} pauses, the longest of {self.longest_gap_s:.1f} s"),
            (self.dropped, f"{self.dropped} dropped"),
        ]
        return ", ".join(words for count, words in told if count)


@dataclass(slots=True)
class _Said:
    """The messages of one topic in the order of arrival, and what is needed to tell how they come."""

    times_ns: list[int] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    last_ns: int = -1
    last_stamp_ns: int = -1
    quickest_ns: int | None = None
    first_ns: int = 0


class Stream:
    """Messages as they come. ``hear`` takes one; ``bag`` is all of it, or its last seconds, as a recording."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._said: dict[str, _Said] = {}
        self.health: dict[str, TopicHealth] = {}
        self.first_ns: int | None = None
        self.last_ns = 0

    def hear(self, topic: str, time_ns: int, message: Message) -> bool:
        """A message that came at that time; False if it is of no use."""
        health, said = self.health.setdefault(topic, TopicHealth()), self._said.setdefault(topic, _Said())
        other_type = bool(said.messages) and type(message) is not type(said.messages[0])
        if other_type or time_ns < 0 or time_ns < self.last_ns - FARTHEST_BACK_NS:
            health.dropped += 1
            return False
        stamp_ns = _stamp_ns(message)
        behind = time_ns < said.last_ns or (stamp_ns is not None and stamp_ns < said.last_stamp_ns)
        health.out_of_order += behind
        if stamp_ns is not None:
            took_ns = time_ns - stamp_ns
            said.quickest_ns = took_ns if said.quickest_ns is None else min(said.quickest_ns, took_ns)
            health.late += took_ns - said.quickest_ns > LATE_S * 1e9
            said.last_stamp_ns = max(said.last_stamp_ns, stamp_ns)
        self._count_pause(health, said, time_ns)
        said.times_ns.append(time_ns)
        said.messages.append(message)
        said.last_ns = max(said.last_ns, time_ns)
        health.messages += 1
        self.first_ns = time_ns if self.first_ns is None else min(self.first_ns, time_ns)
        self.last_ns = max(self.last_ns, time_ns)
        return True

    def _count_pause(self, health: TopicHealth, said: _Said, time_ns: int) -> None:
        if not said.messages:
            said.first_ns = time_ns
            return
        pause_s = (time_ns - said.last_ns) / 1e9
        usual_s = (said.last_ns - said.first_ns) / 1e9 / max(1, len(said.messages) - 1)
        if len(said.messages) > GAP_PERIODS and pause_s > max(GAP_S, GAP_PERIODS * usual_s):
            health.gaps += 1
            health.longest_gap_s = max(health.longest_gap_s, pause_s)

    def topic(self, name: str, *, since_ns: int = 0) -> Topic:
        """The messages of a topic, sorted by when they came."""
        said = self._said[name]
        first = 0
        if since_ns:  # times hardly ever run back: the search is from the end
            first = len(said.times_ns)
            while first and said.times_ns[first - 1] >= since_ns - FARTHEST_BACK_NS:
                first -= 1
        times, messages = np.array(said.times_ns[first:], np.int64), said.messages[first:]
        keep = np.flatnonzero(times >= since_ns)
        order = keep[np.argsort(times[keep], kind="stable")]
        ordered = [messages[place] for place in order.tolist()]
        return recorded(name, type(said.messages[0]), times[order], times[order], ordered)

    @property
    def names(self) -> tuple[str, ...]:
        """Topics that said anything."""
        return tuple(name for name, said in self._said.items() if said.messages)

    def bag(self, *, last_s: float | None = None) -> StreamBag:
        """All of it, or its last seconds."""
        since_ns = 0 if last_s is None else max(0, self.last_ns - round(last_s * 1e9))
        return StreamBag(self, since_ns)


def _stamp_ns(message: Message) -> int | None:
    """When it was made, by its header; None if it does not say."""
    header = getattr(message, "header", None)
    stamp_ns: int = header.stamp.ns if header is not None else 0
    return stamp_ns or None


@dataclass(slots=True)
class StreamBag:
    """A stream as far as it has come, read like a recording."""

    stream: Stream
    since_ns: int
    notes: list[str] = field(default_factory=list)
    _read: dict[str, Topic] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """What the stream is called."""
        return Path(self.stream.name)

    @property
    def topics(self) -> dict[str, BagTopic]:
        """Topics that said anything in this part of it."""
        found = {name: self._topic(name) for name in self.stream.names}
        return {name: BagTopic(name, topic.ros_type, len(topic)) for name, topic in sorted(found.items()) if len(topic)}

    def _topic(self, name: str) -> Topic:
        if name not in self._read:
            self._read[name] = self.stream.topic(name, since_ns=self.since_ns)
        return self._read[name]

    @property
    def span_ns(self) -> tuple[int, int]:
        """From the first to the last message of this part."""
        times = [topic.log_time_ns for name in self.stream.names if len(topic := self._topic(name))]
        if not times:
            raise TraceError(f"Nothing has come from {self.stream.name!r} yet.")
        return min(int(each[0]) for each in times), max(int(each[-1]) for each in times)

    def require(self, topic: str, what: str) -> BagTopic:
        """The topic; TraceError if nothing was said there."""
        known = self.topics
        if topic not in known:
            raise TraceError(
                f"Nothing came on topic {topic!r} ({what}). There came: {', '.join(known) or 'nothing'}."
                + did_you_mean(topic, known)
            )
        return known[topic]

    def read(self, topics: Collection[str]) -> dict[str, Topic]:
        """These topics, by name."""
        for name in topics:
            self.require(name, "asked for")
        return {name: self._topic(name) for name in topics}

    def trouble(self, topic: str) -> str:
        """Nothing: what came was understood."""
        del topic
        return ""
