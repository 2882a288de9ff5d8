"""Recorder: collects a run while it happens. What is too bulky leaves a Fingerprint."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.cdr import encode
from stressfield.bus.message import Message, UInt32
from stressfield.errors import RigError, TraceError
from stressfield.trace._payloads import Payloads
from stressfield.trace._tapes import contents_of, new_tape, program_of
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


FIRST_ROOM = 256
"""Observations that there is room for at first."""


class _Channel:
    """What was said on one topic so far."""

    __slots__ = ("_finished", "_said", "kind", "name", "tape")

    def __init__(self, name: str, kind: type[Message] | None = None) -> None:
        self.name = name
        self.kind: type[Message] | None = None
        self.tape = new_tape(self._encode)
        self._finished = False
        self._said: list[Message] | None = None
        """The messages themselves, of a kind that loses digits when it is encoded."""
        if kind is not None:
            self._begin(kind)

    def topic(self) -> Topic:
        """All of it, in order of arrival: the topic's from now on."""
        self._finished = True
        found = contents_of(self.tape)
        log_ns, publish_ns, payloads, said = (
            found.arrived_ns, found.sent_ns, Payloads(found.data, found.lengths), self._said
        )  # fmt: skip
        # Messages mostly arrive in order. The sort is stable: of those that arrive at once, the first sent stays first.
        if (np.diff(log_ns) < 0).any():
            order = np.argsort(log_ns, kind="stable")
            log_ns, publish_ns, payloads = log_ns[order], publish_ns[order], payloads.ordered(order)
            said = [said[place] for place in order.tolist()] if said else said
        assert self.kind is not None
        return Topic(self.name, self.kind.ros_type, log_ns, publish_ns, payloads, self.kind, said or None)

    def _begin(self, kind: type[Message]) -> None:
        self.kind = kind
        self._said = [] if rounds(kind) else None
        self.tape.begin(program_of(kind), self._said)

    def _encode(self, message: Message) -> bytes:
        """The first message of a topic, and any whose values are not plainly those of its type."""
        if self._finished:
            raise TraceError(f"A message came on {self.name!r} after the recording was finished. Use a new Recorder.")
        kind = type(message)
        if self.kind is None:
            self._begin(kind)
        elif kind is not self.kind:
            got = ", ".join(sorted({kind.__name__, self.kind.__name__}))
            raise TraceError(f"Topic {self.name!r} carries messages of several types: {got}. Use one type per topic.")
        return encode(message)


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
        self._finished = False
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
        take = channel.tape
        if topic not in self._fingerprinted:
            return take
        return lambda row: take((row[0], row[1], fingerprint(row[2])))

    def observe(self, time_ns: int, rows: NDArray[np.float64], actors: NDArray[np.float64] | None = None) -> None:
        """Ground truth now: one row per robot and, if there are any, one per actor; copied."""
        count = len(self._times)
        if count == len(self._truth):
            self._make_room()
        if rows.shape != self._shape:
            raise TraceError(f"An observation has shape {rows.shape}, wanted {self._shape} (robots, columns).")
        self._truth[count] = rows
        if self._actors:
            self._observe_actors(count, actors)
        self._times.append(time_ns)

    def _make_room(self) -> None:
        """For as many observations again, so that a row is copied only a few times however long the run."""
        self._truth = np.concatenate([self._truth, np.empty_like(self._truth)])
        self._actor_truth = np.concatenate([self._actor_truth, np.empty_like(self._actor_truth)])

    def _observe_actors(self, count: int, actors: NDArray[np.float64] | None) -> None:
        if actors is None or actors.shape != self._actors_shape:
            got = "none" if actors is None else f"an array of shape {actors.shape}"
            raise RigError(
                f"The world has {len(self._actors)} actors, but the simulator observed {got}; wanted "
                f"{self._actors_shape} (actors, columns). Use a simulator that moves actors."
            )
        self._actor_truth[count] = actors

    def finish(self, metadata: Metadata) -> Trace:
        """The trace of all that was recorded, each topic in order of arrival. A recording is finished once."""
        if self._finished:
            raise TraceError("This recording is finished already: its messages are the trace's. Use a new Recorder.")
        self._finished = True
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
