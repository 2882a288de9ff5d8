"""What happened in one run."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stressfield.errors import TraceError, did_you_mean
from stressfield.trace.metadata import Metadata
from stressfield.trace.topic import Topic
from stressfield.trace.truth import PREFIX, Truth


@dataclass(frozen=True, eq=False)
class Trace:
    """The immutable record of one run: the robot's view (``topics``) and the observer's view (``robots``).

    ``lost`` says what is missing when a damaged file was read with ``recover=True``; None for a whole recording.
    """

    topics: Mapping[str, Topic] = field(default_factory=dict)
    robots: Mapping[str, Truth] = field(default_factory=dict)
    metadata: Metadata = field(default_factory=Metadata)
    lost: str | None = None

    def __post_init__(self) -> None:
        reserved = [name for name in self.topics if name.startswith(PREFIX)]
        if reserved:
            raise TraceError(f"Topic {reserved[0]!r} is reserved: {PREFIX}* belongs to the observer. Rename it.")

    @property
    def truncated(self) -> bool:
        """Whether this is only a recovered part of a recording."""
        return self.lost is not None

    @property
    def end_time_ns(self) -> int:
        """The time of the last thing recorded; 0 for an empty trace."""
        times = [topic.log_time_ns for topic in self.topics.values()] + [t.time_ns for t in self.robots.values()]
        return max((int(series[-1]) for series in times if len(series)), default=0)

    def topic(self, name: str) -> Topic:
        """The messages of a topic. Raises TraceError (with the known topics) when there is no such topic."""
        if name not in self.topics:
            known = sorted(self.topics)
            raise TraceError(
                f"No topic {name!r} in the trace. Recorded: {', '.join(known) or 'none'}.{did_you_mean(name, known)}"
            )
        return self.topics[name]

    def column(self, topic: str, path: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Arrival times in seconds and one number of every message: ``trace.column("/wheel_cmd", "velocity.0")``."""
        series = self.topic(topic)
        return series.time_s, series.column(path)

    def truth(self, robot: str) -> Truth:
        """Ground truth of a robot. Raises TraceError (with the known robots) when there is no such robot."""
        if robot not in self.robots:
            known = sorted(self.robots)
            raise TraceError(
                f"No truth of robot {robot!r} in the trace. Observed: {', '.join(known) or 'none'}."
                f"{did_you_mean(robot, known)}"
            )
        return self.robots[robot]

    def digest(self) -> str:
        """SHA-256 (hex) of all that happened: times, encoded messages and truth, bit for bit. Metadata is not part."""
        total = hashlib.sha256()
        for name in sorted(self.topics):
            topic = self.topics[name]
            total.update(f"topic {name!r} {topic.ros_type!r} {len(topic)}\n".encode())
            payloads = topic.payloads
            _update(total, topic.log_time_ns, topic.publish_time_ns, payloads.lengths, payloads.flat)
        for name in sorted(self.robots):
            truth = self.robots[name]
            total.update(f"robot {name!r} {len(truth)}\n".encode())
            _update(total, truth.time_ns, truth.values)
        return total.hexdigest()


def _update(total: hashlib._Hash, *arrays: NDArray[Any]) -> None:
    for array in arrays:
        total.update(np.ascontiguousarray(array).data)
