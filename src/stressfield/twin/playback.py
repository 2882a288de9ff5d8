"""A recording as a source: played at the pace at which it was made, faster, or as fast as it goes."""

from __future__ import annotations

import time
from dataclasses import dataclass
from math import inf
from pathlib import Path

import numpy as np

from stressfield.bus.cdr import decode
from stressfield.bus.message import Message
from stressfield.errors import InputError
from stressfield.trace.bags.bag import Bag
from stressfield.trace.bags.clock import refuse_set_clocks
from stressfield.trace.topic import Topic
from stressfield.twin.source import Came, Listener

BATCH = 500
"""Messages of a recording that are given at once, where it is played as fast as it goes."""


class Playback:
    """A recording, played at a rate: 1 as it was recorded, 2 twice as fast, ``inf`` as fast as it goes."""

    def __init__(self, path: Path, *, rate: float = 1.0) -> None:
        if not rate > 0.0:
            raise InputError(f"A recording cannot be played at a rate of {rate!r}. Wanted more than 0.")
        self.name, self._path, self._rate = str(path), path, rate
        self._read: list[_Encoded] = []
        self._times, self._whose = np.zeros(0, np.int64), np.zeros(0, np.int64)
        """When each message came, and of which topic it is."""
        self._next = 0
        self._begin_s: float | None = None
        self.total_s = 0.0
        self.topics: tuple[str, ...] = ()
        self.said: dict[str, Message] = {}
        """The last that the twin has said on each topic: a recording cannot hear it."""

    def open(self, listener: Listener) -> None:
        """Read what is wanted of it. TraceError for what is no recording."""
        with Bag.open(self._path) as bag:
            first_ns, last_ns = bag.span_ns
            self.total_s = (last_ns - first_ns) / 1e9
            names = [
                name for name, topic in bag.topics.items()
                if listener.wants(name, topic.ros_type) and not bag.trouble(name)
            ]  # fmt: skip
            if not any(map(listener.knows, names)):
                known = ", ".join(list(bag.topics)[:20])
                raise InputError(f"The recording {self.name!r} has no topic of the study. It has: {known or 'none'}.")
            topics = bag.read(names)
            self.topics = tuple(names)
        refuse_set_clocks(self.name, topics)
        self._read = [_Encoded.of(topic) for topic in topics.values()]
        times = np.concatenate([np.zeros(0, np.int64), *(topic.log_time_ns for topic in topics.values())])
        whose = np.repeat(np.arange(len(topics)), [len(topic) for topic in topics.values()])
        order = np.argsort(times, kind="stable")
        self._times, self._whose = times[order], whose[order]

    def take(self, wait_s: float) -> list[Came] | None:
        """What is due by now."""
        if self._next >= len(self._times):
            return None
        if self._rate == inf:
            return self._until(min(self._next + BATCH, len(self._times)))
        now_s, first_ns = time.monotonic(), int(self._times[0])
        if self._begin_s is None:
            self._begin_s = now_s
        due_s = (int(self._times[self._next]) - first_ns) / 1e9 / self._rate + self._begin_s
        if due_s > now_s:
            time.sleep(min(wait_s, due_s - now_s))
            now_s = time.monotonic()
        until_ns = first_ns + (now_s - self._begin_s) * self._rate * 1e9
        return self._until(int(np.searchsorted(self._times, until_ns, side="right")))

    def _until(self, end: int) -> list[Came]:
        places = range(self._next, max(self._next, end))
        self._next = places.stop
        read = [(self._read[int(self._whose[place])], int(self._times[place])) for place in places]
        return [(topic.name, time_ns, topic.following()) for topic, time_ns in read]

    def say(self, topic: str, message: Message) -> None:
        """Nobody listens."""
        self.said[topic] = message

    def close(self) -> None:
        """Forget the rest."""
        self._read.clear()
        self._next = len(self._times)


@dataclass(slots=True)
class _Encoded:
    """The messages of one topic as they are in the file: a message that is made takes ten times the room."""

    name: str
    kind: type[Message]
    data: memoryview
    ends: list[int]
    place: int = 0

    @classmethod
    def of(cls, topic: Topic) -> _Encoded:
        payloads = topic.payloads
        ends = np.cumsum(payloads.lengths).tolist()
        return cls(topic.name, topic.message_type, payloads.flat.data.cast("B"), ends)

    def following(self) -> Message:
        """The next one."""
        begin = self.ends[self.place - 1] if self.place else 0
        end = self.ends[self.place]
        self.place += 1
        return decode(self.kind, bytes(self.data[begin:end]))
