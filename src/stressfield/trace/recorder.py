"""Recorder: collects a run while it happens. What is too bulky leaves a Fingerprint."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.cdr import encode
from stressfield.bus.message import Message, UInt32
from stressfield.errors import RigError, TraceError
from stressfield.trace.actor_truth import ActorTruth
from stressfield.trace.topic import Topic, recorded
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


class Recorder:
    """Accumulates one run. Not thread-safe; messages must not change after they are recorded.

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
        self._types = dict(topics or {})
        # Arrival, sending and message by turns: a tuple for each would be one more object to keep.
        self._rows: dict[str, list[Any]] = {name: [] for name in self._types}
        self._fingerprinted = frozenset(fingerprinted)
        self._times: list[int] = []
        self._shape = (len(self._robots), len(COLUMNS))
        self._truth = np.empty((256, *self._shape))
        self._actors = tuple(actors)
        self._actors_shape = (len(self._actors), len(ACTOR_COLUMNS))
        self._actor_truth = np.empty((256, *self._actors_shape))

    def record(self, topic: str, publish_ns: int, log_ns: int, message: Message) -> None:
        """A message that was published and arrived at these simulated times."""
        rows = self._rows.get(topic)
        if rows is None:
            rows = self._rows[topic] = []
        if topic in self._fingerprinted:
            message = fingerprint(message)
        rows += (log_ns, publish_ns, message)

    def observe(self, time_ns: int, rows: NDArray[np.float64], actors: NDArray[np.float64] | None = None) -> None:
        """Ground truth now: one row per robot and, if there are any, one per actor; copied."""
        count = len(self._times)
        if count == len(self._truth):  # doubled, so that a row is copied only a few times however long the run
            self._truth = np.concatenate([self._truth, np.empty_like(self._truth)])
        if rows.shape != self._shape:
            raise TraceError(f"An observation has shape {rows.shape}, wanted {self._shape} (robots, columns).")
        self._truth[count] = rows
        if self._actors:
            self._observe_actors(count, actors)
        self._times.append(time_ns)

    def _observe_actors(self, count: int, actors: NDArray[np.float64] | None) -> None:
        if actors is None or actors.shape != self._actors_shape:
            got = "none" if actors is None else f"an array of shape {actors.shape}"
            raise RigError(
                f"The world has {len(self._actors)} actors, but the simulator observed {got}; wanted "
                f"{self._actors_shape} (actors, columns). Use a simulator that moves actors."
            )
        if count == len(self._actor_truth):
            self._actor_truth = np.concatenate([self._actor_truth, np.empty_like(self._actor_truth)])
        self._actor_truth[count] = actors

    def finish(self, metadata: Metadata) -> Trace:
        """The trace of all that was recorded, each topic in order of arrival."""
        topics = {name: self._topic(name, rows) for name, rows in self._rows.items()}
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

    def _topic(self, name: str, rows: list[Any]) -> Topic:
        log_ns, publish_ns = np.array(rows[0::3], np.int64), np.array(rows[1::3], np.int64)
        messages = rows[2::3]
        # Messages mostly arrive in order. The sort is stable: of those that arrive at once, the first sent stays first.
        if (np.diff(log_ns) < 0).any():
            order = np.argsort(log_ns, kind="stable")
            log_ns, publish_ns = log_ns[order], publish_ns[order]
            messages = [messages[place] for place in order.tolist()]
        return recorded(name, self._type(name, messages), log_ns, publish_ns, messages)

    def _type(self, name: str, messages: list[Message]) -> type[Message]:
        found = set(map(type, messages)) | ({self._types[name]} if name in self._types else set())
        if len(found) != 1:
            got = ", ".join(sorted(item.__name__ for item in found))
            raise TraceError(f"Topic {name!r} carries messages of several types: {got}. Use one type per topic.")
        return found.pop()
