"""Trace: what happened in one run; and Metadata: which run of which scenario it was, and how it ended."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stressfield.errors import TraceError, did_you_mean
from stressfield.trace.actor_truth import ActorTruth
from stressfield.trace.topic import Topic
from stressfield.trace.truth import PREFIX, Truth

RECORD_NAME = "stressfield"
"""Name of the MCAP metadata record that makes a file one of ours."""

WRITTEN, AS_IT_CAME = "written", "as it came"
"""The option of the metadata of a recording that was written while it came: it may have no end, and is still one."""

FORMAT = "1"
_TEXTS = ("run_id", "scenario_id", "study", "descriptor", "ending")


@dataclass(frozen=True, slots=True)
class Metadata:
    """The identity card of a trace. ``ending`` is how the run ended: completed, timeout, subject_crash, invalid."""

    run_id: str = ""
    scenario_id: str = ""
    study: str = ""
    descriptor: str = ""
    ending: str = ""
    seeds: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    topics: Sequence[str] = ()
    """The topics that somebody sent on, listened to or announced, by name; some may have been silent."""

    @property
    def build(self) -> str:
        """Which version of the robot software ran; empty if the recording does not say."""
        return self.options.get("build", "")


def to_record(metadata: Metadata) -> dict[str, str]:
    """The flat texts of the metadata record, with a checksum of their own so that a cut file can trust them."""
    flat = {name: getattr(metadata, name) for name in _TEXTS}
    flat["format"] = FORMAT
    flat.update({f"seed.{name}": str(value) for name, value in metadata.seeds.items()})
    flat.update({f"version.{name}": value for name, value in metadata.versions.items()})
    flat.update({f"option.{name}": value for name, value in metadata.options.items()})
    flat.update({f"topic.{name}": "" for name in metadata.topics})
    return {**dict(sorted(flat.items())), "checksum": _checksum(flat)}


def from_record(record: Mapping[str, str]) -> Metadata:
    """The metadata in a record. Raises TraceError when it is damaged or of a format this version does not know."""
    flat = {name: value for name, value in record.items() if name != "checksum"}
    if record.get("checksum") != _checksum(flat):
        raise TraceError("The metadata record of the recording is damaged: its checksum does not match. Run it again.")
    if flat.get("format") != FORMAT:
        raise TraceError(
            f"The recording has format {flat.get('format')!r}, wanted {FORMAT!r}. Use the stressfield that wrote it."
        )
    texts = {name: flat.get(name, "") for name in _TEXTS}
    try:
        seeds = {name: int(value) for name, value in _under("seed.", flat).items()}
    except ValueError as error:
        raise TraceError(f"A seed of the recording is not an integer: {error}.") from error
    return Metadata(
        **texts,
        seeds=seeds,
        versions=_under("version.", flat),
        options=_under("option.", flat),
        topics=tuple(sorted(_under("topic.", flat))),
    )


def _under(prefix: str, flat: Mapping[str, str]) -> dict[str, str]:
    return {name.removeprefix(prefix): value for name, value in flat.items() if name.startswith(prefix)}


def _checksum(flat: Mapping[str, str]) -> str:
    parts = [f"{len(name)}:{name}{len(value)}:{value}" for name, value in sorted(flat.items())]
    return f"{zlib.crc32(''.join(parts).encode()):08x}"


@dataclass(frozen=True, eq=False)
class Trace:
    """The immutable record of one run: the robot's view (``topics``) and the observer's (``robots``, ``actors``).

    ``lost`` says what is missing when a damaged file was read with ``recover=True``; None for a whole recording.
    """

    topics: Mapping[str, Topic] = field(default_factory=dict)
    robots: Mapping[str, Truth] = field(default_factory=dict)
    metadata: Metadata = field(default_factory=Metadata)
    lost: str | None = None
    actors: Mapping[str, ActorTruth] = field(default_factory=dict)

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
            if name in self.metadata.topics:
                raise TraceError(
                    f"Nothing was said on topic {name!r} in this run. Ask first whether it is in trace.topics."
                )
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

    def actor(self, name: str) -> ActorTruth:
        """Ground truth of an actor. Raises TraceError (with the known actors) when there is no such actor."""
        if name not in self.actors:
            known = sorted(self.actors)
            raise TraceError(
                f"No truth of actor {name!r} in the trace. Observed: {', '.join(known) or 'none'}."
                f"{did_you_mean(name, known)}"
            )
        return self.actors[name]

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
        for name in sorted(self.actors):
            seen = self.actors[name]
            total.update(f"actor {name!r} {len(seen)}\n".encode())
            _update(total, seen.time_ns, seen.values)
        return total.hexdigest()


def _update(total: hashlib._Hash, *arrays: NDArray[Any]) -> None:
    for array in arrays:
        total.update(np.ascontiguousarray(array).data)
