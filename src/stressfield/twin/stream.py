"""What has come so far, topic by topic: all of it on the disk, the last seconds in memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from stressfield.bus.cdr import encode
from stressfield.bus.message import Message
from stressfield.errors import TraceError, did_you_mean
from stressfield.trace import Metadata
from stressfield.trace.bags.bag import FARTHEST_BACK_NS, BagTopic
from stressfield.trace.bags.field_trace import STATIC
from stressfield.trace.stream_file import StreamRecording
from stressfield.trace.topic import Topic, encoded
from stressfield.twin.health import TopicHealth, TopicPace

STATIC_MAX = 1000
"""Messages on the topic of frames that do not move: they are said once, and hold ever after."""


@dataclass(slots=True)
class _Said:
    """One topic: its type, how it comes, and its last messages, encoded."""

    kind: type[Message]
    pace: TopicPace
    recent: deque[tuple[int, bytes]] = field(default_factory=deque)


class Stream:
    """Messages as they come. ``hear`` takes one; ``bag`` is all of it, ``recent`` its last seconds, as a recording.

    ``keep_s`` is how far back ``recent`` can look. Everything is written into ``recording``; without one, into a
    file without a name that is gone with the program.
    """

    def __init__(self, name: str, *, recording: StreamRecording | None = None, keep_s: float = 10.0) -> None:
        self.name = name
        self.recording = StreamRecording(None, Metadata()) if recording is None else recording
        self._keep_ns = round(keep_s * 1e9)
        self._said: dict[str, _Said] = {}
        self.health: dict[str, TopicHealth] = {}
        self.first_ns: int | None = None
        self.last_ns = 0

    @property
    def seconds(self) -> float:
        """From the first message to the last."""
        return 0.0 if self.first_ns is None else (self.last_ns - self.first_ns) / 1e9

    @property
    def names(self) -> tuple[str, ...]:
        """Topics that said anything."""
        return tuple(self._said)

    def hear(self, topic: str, time_ns: int, message: Message) -> bool:
        """A message that came at that time; False if it is of no use. StoreError if the disk does not take it."""
        health, said = self.health.setdefault(topic, TopicHealth()), self._said.get(topic)
        other_type = said is not None and type(message) is not said.kind
        if other_type or time_ns < 0 or time_ns < self.last_ns - FARTHEST_BACK_NS:
            health.dropped += 1
            return False
        try:
            payload = encode(message)
        except TraceError:  # of JSON, for one: a number that does not fit its type
            health.dropped += 1
            return False
        if said is None:
            said = self._said[topic] = _Said(type(message), TopicPace(health))
        self.recording.put(topic, said.kind, time_ns, payload)
        said.pace.count(time_ns, _stamp_ns(message))
        self.first_ns = time_ns if self.first_ns is None else min(self.first_ns, time_ns)
        self.last_ns = max(self.last_ns, time_ns)
        said.recent.append((time_ns, payload))
        self._forget(topic, said)
        return True

    def _forget(self, topic: str, said: _Said) -> None:
        if topic == STATIC:
            while len(said.recent) > STATIC_MAX:
                said.recent.popleft()
            return
        # in the order of arrival: one that is out of it stays a little longer
        while said.recent and said.recent[0][0] < self.last_ns - self._keep_ns - FARTHEST_BACK_NS:
            said.recent.popleft()

    def say(self, topic: str, message: Message) -> None:
        """Keep with the stream what was said about it."""
        self.recording.put(topic, type(message), self.last_ns, encode(message))

    def since(self, topic: str) -> float:
        """How long ago, in the time of the stream, something came on a topic."""
        return (self.last_ns - self._said[topic].pace.last_ns) / 1e9

    def bag(self) -> StreamBag:
        """All of it. The messages of a topic are read from the disk when somebody looks at one of them."""
        listed = {
            name: BagTopic(name, said.kind.ros_type, said.pace.health.messages) for name, said in self._said.items()
        }
        span_ns = None if self.first_ns is None else (self.first_ns, self.last_ns)
        return StreamBag(self.name, listed, self.recording.topic, span_ns)

    def recent(self, last_s: float) -> StreamBag:
        """Its last seconds; topics that said nothing then are empty."""
        since_ns = max(0, self.last_ns - round(last_s * 1e9))
        found = {name: self._recent(name, since_ns) for name in sorted(self.names)}
        listed = {name: BagTopic(name, topic.ros_type, len(topic)) for name, topic in found.items()}
        times = [topic.log_time_ns for topic in found.values() if len(topic)]
        span_ns = (min(int(t[0]) for t in times), max(int(t[-1]) for t in times)) if times else None
        return StreamBag(self.name, listed, found.__getitem__, span_ns)

    def _recent(self, name: str, since_ns: int) -> Topic:
        said = self._said[name]
        if name == STATIC:
            rows = [(max(time_ns, since_ns), payload) for time_ns, payload in said.recent]
        else:
            rows = sorted((row for row in said.recent if row[0] >= since_ns), key=lambda row: row[0])
        times = np.array([time_ns for time_ns, _ in rows], np.int64)
        return encoded(name, said.kind, times, [payload for _, payload in rows])


def _stamp_ns(message: Message) -> int | None:
    """When it was made, by its header; None if it does not say."""
    header = getattr(message, "header", None)
    stamp_ns: int = header.stamp.ns if header is not None else 0
    return stamp_ns or None


@dataclass(slots=True)
class StreamBag:
    """A stream as far as it has come, or a part of it, read like a recording."""

    name: str
    topics: dict[str, BagTopic]
    """Those that said anything so far, by name, with the number of messages in this part."""
    topic: Callable[[str], Topic]
    span: tuple[int, int] | None
    notes: list[str] = field(default_factory=list)

    @property
    def path(self) -> Path:
        """What the stream is called."""
        return Path(self.name)

    @property
    def span_ns(self) -> tuple[int, int]:
        """From the first to the last message of this part."""
        if self.span is None:
            raise TraceError(f"Nothing has come from {self.name!r} yet.")
        return self.span

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
        return {name: self.topic(name) for name in topics}

    def trouble(self, topic: str) -> str:
        """Nothing: what came was understood."""
        del topic
        return ""
