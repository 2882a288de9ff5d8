"""Recorder: collects a run while it happens. What is too bulky leaves a Fingerprint."""

from __future__ import annotations

import zlib
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.cdr import encode
from stressfield.bus.message import Message, UInt32
from stressfield.errors import RigError, TraceError
from stressfield.trace._payloads import Encoder, Payloads
from stressfield.trace.actor_truth import ActorTruth
from stressfield.trace.topic import Topic, rounds
from stressfield.trace.trace import Metadata, Trace
from stressfield.trace.truth import COLUMNS, Truth
from stressfield.world.actor import ACTOR_COLUMNS


class Fingerprint(Message, frozen=True, eq=False):
    """Size in bytes and checksum of a message as ROS 2 would send it."""

    ros_type: ClassVar[str] = "stressfield_msgs/msg/Fingerprint"
    size: UInt32
    crc32: UInt32


def fingerprint(message: Message) -> Fingerprint:
    """The fingerprint of a message."""
    data = encode(message)
    return Fingerprint(len(data), zlib.crc32(data))


ENCODED_EVERY = 32
"""Observations between two looks at how many messages wait to be encoded, and whether there is room for more."""
ENCODED_AT_ONCE = 128
"""Messages that wait before they are encoded, of all topics together: fast, and what is encoded is let go of while it
is still in the processor's nearest caches."""
FIRST_ROOM = 8 * ENCODED_EVERY
"""Observations that there is room for at first: a multiple, so that a look is always in time."""


class _Channel:
    """What was said on one topic so far: encoded, but for the last few messages."""

    __slots__ = (
        "_kinds", "_lengths", "_log_ns", "_payloads", "_publish_ns", "_rounds", "_said", "kind", "name", "waiting",
    )  # fmt: skip

    def __init__(self, name: str, kind: type[Message] | None = None) -> None:
        self.name = name
        self.kind = kind
        self._kinds: set[type] = set() if kind is None else {kind}
        self._rounds = kind is not None and rounds(kind)
        # Sending, arrival and message by turns: a tuple for each would be one more object to keep.
        self.waiting: list[Any] = []
        self._log_ns = array("q")
        self._publish_ns = array("q")
        self._payloads: list[NDArray[np.uint8]] = []
        self._lengths: list[NDArray[np.int64]] = []
        self._said: list[Message] = []
        """The messages themselves, of a kind that loses digits when it is encoded."""

    def take(self) -> list[Message]:
        """The messages that wait, which is none then; when they were sent and arrived is noted."""
        waiting = self.waiting
        messages = waiting[2::3]
        self._check(messages)
        self._publish_ns.extend(waiting[0::3])
        self._log_ns.extend(waiting[1::3])
        waiting.clear()
        return messages

    def keep(self, payloads: Payloads, messages: list[Message]) -> None:
        """Messages that were taken, encoded."""
        self._payloads.append(payloads.flat)
        self._lengths.append(payloads.lengths)
        if self._rounds:
            self._said += messages

    def topic(self) -> Topic:
        """All of it, in order of arrival."""
        log_ns, publish_ns = np.array(self._log_ns, np.int64), np.array(self._publish_ns, np.int64)
        flat = np.concatenate([np.empty(0, np.uint8), *self._payloads])
        payloads = Payloads(flat, np.concatenate([np.empty(0, np.int64), *self._lengths]))
        said = self._said
        # Messages mostly arrive in order. The sort is stable: of those that arrive at once, the first sent stays first.
        if (np.diff(log_ns) < 0).any():
            order = np.argsort(log_ns, kind="stable")
            log_ns, publish_ns, payloads = log_ns[order], publish_ns[order], payloads.ordered(order)
            said = [said[place] for place in order.tolist()] if said else said
        assert self.kind is not None
        return Topic(self.name, self.kind.ros_type, log_ns, publish_ns, payloads, self.kind, said or None)

    def _check(self, messages: list[Message]) -> None:
        found = set(map(type, messages))
        if found <= self._kinds:
            return
        self._kinds |= found
        if len(self._kinds) > 1:
            got = ", ".join(sorted(item.__name__ for item in self._kinds))
            raise TraceError(f"Topic {self.name!r} carries messages of several types: {got}. Use one type per topic.")
        self.kind = type(messages[0])
        self._rounds = rounds(self.kind)


class Recorder:
    """Accumulates one run, encoding as it goes. Not thread-safe; messages must not change after they are recorded.

    ``robots`` and ``actors`` name the rows of every observation. ``topics`` declares topics in advance, so that one
    that stays silent is in the trace as an empty topic rather than unknown. Of the messages on ``fingerprinted`` topics
    only a fingerprint is kept.
    """

    def __init__(
        self,
        robots: Sequence[str],
        *,
        actors: Sequence[str] = (),
        topics: Mapping[str, type[Message]] | None = None,
        fingerprinted: Sequence[str] = (),
    ) -> None:
        self._robots = tuple(robots)
        self._channels = {name: _Channel(name, kind) for name, kind in (topics or {}).items()}
        self._fingerprinted = frozenset(fingerprinted)
        self._encoder = Encoder()
        self._times: list[int] = []
        self._shape = (len(self._robots), len(COLUMNS))
        self._truth = np.empty((FIRST_ROOM, *self._shape))
        self._actors = tuple(actors)
        self._actors_shape = (len(self._actors), len(ACTOR_COLUMNS))
        self._actor_truth = np.empty((FIRST_ROOM, *self._actors_shape))

    def record(self, topic: str, publish_ns: int, log_ns: int, message: Message) -> None:
        """A message that was published and arrived at these simulated times."""
        self.tap(topic)((publish_ns, log_ns, message))

    def tap(self, topic: str) -> Callable[[tuple[int, int, Message]], None]:
        """What takes the messages of a topic, each as ``(publish_ns, log_ns, message)``."""
        channel = self._channels.get(topic)
        if channel is None:
            channel = self._channels[topic] = _Channel(topic)
        # Thousands of messages a minute: the list takes them itself, without a call of a function of ours.
        take = channel.waiting.extend
        if topic not in self._fingerprinted:
            return take
        return lambda row: take((row[0], row[1], fingerprint(row[2])))

    def observe(self, time_ns: int, rows: NDArray[np.float64], actors: NDArray[np.float64] | None = None) -> None:
        """Ground truth now: one row per robot and, if there are any, one per actor; copied."""
        count = len(self._times)
        if not count % ENCODED_EVERY:
            self._make_room(count)
        if rows.shape != self._shape:
            raise TraceError(f"An observation has shape {rows.shape}, wanted {self._shape} (robots, columns).")
        self._truth[count] = rows
        if self._actors:
            self._observe_actors(count, actors)
        self._times.append(time_ns)

    def _make_room(self, count: int) -> None:
        """For the next observations, and by encoding messages if many of them wait."""
        if count == len(self._truth):  # doubled, so that a row is copied only a few times however long the run
            self._truth = np.concatenate([self._truth, np.empty_like(self._truth)])
            self._actor_truth = np.concatenate([self._actor_truth, np.empty_like(self._actor_truth)])
        if sum(len(channel.waiting) for channel in self._channels.values()) >= 3 * ENCODED_AT_ONCE:
            self._encode()

    def _encode(self) -> None:
        """Encode what waits."""
        groups = []
        # A topic that was heard before is asked again, though nothing may wait: so the types are mostly the same ones.
        for channel in self._channels.values():
            if channel.waiting or channel.kind is not None:
                messages = channel.take()
                assert channel.kind is not None
                groups.append((channel, channel.kind, messages))
        encoded = self._encoder.encode([(kind, messages) for _, kind, messages in groups])
        for (channel, _, messages), payloads in zip(groups, encoded, strict=True):
            if messages:
                channel.keep(payloads, messages)

    def _observe_actors(self, count: int, actors: NDArray[np.float64] | None) -> None:
        if actors is None or actors.shape != self._actors_shape:
            got = "none" if actors is None else f"an array of shape {actors.shape}"
            raise RigError(
                f"The world has {len(self._actors)} actors, but the simulator observed {got}; wanted "
                f"{self._actors_shape} (actors, columns). Use a simulator that moves actors."
            )
        self._actor_truth[count] = actors

    def finish(self, metadata: Metadata) -> Trace:
        """The trace of all that was recorded, each topic in order of arrival."""
        self._encode()
        # Who asked to be heard on a topic and then said nothing has left no kind: such a topic is unknown.
        topics = {name: channel.topic() for name, channel in self._channels.items() if channel.kind is not None}
        times = np.array(self._times, np.int64)
        order = np.argsort(times, kind="stable")
        values = self._truth[: len(times)][order]
        robots = {
            name: Truth(times[order], np.ascontiguousarray(values[:, place])) for place, name in enumerate(self._robots)
        }
        actors = {}
        if self._actors:
            seen = self._actor_truth[: len(times)][order]
            for place, name in enumerate(self._actors):
                actors[name] = ActorTruth(times[order], np.ascontiguousarray(seen[:, place]))
        return Trace(topics, robots, metadata, actors=actors)
