"""Clocks of a recording: whether one was set while it was made. What came before and after does not belong together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from stressfield.arrays import Times
from stressfield.errors import InputError
from stressfield.trace.topic import Topic

JUMP_S = 5.0
"""Nothing at all for so long is a clock that was set, or a recorder that paused."""
SKEW_S = 0.5
"""Stamps that move so far against the time of reception, and stay there, are of a clock that was set."""
CUT = "Cut the recording there and give the parts."


def stamps_of(topic: Topic) -> Times | None:
    """When its messages were made, by their headers, in nanoseconds; None if they do not all say."""
    if "header" not in topic.message_type.__struct_fields__ or not len(topic):
        return None
    seconds, rest = (topic.column(f"header.stamp.{part}") for part in ("sec", "nanosec"))
    stamps: Times = seconds.astype(np.int64) * 1_000_000_000 + rest.astype(np.int64)
    return stamps if (stamps > 0).all() else None


def refuse_pauses(name: str, topics: Mapping[str, Topic]) -> None:
    """InputError if nothing came on any topic for long."""
    every = np.sort(np.concatenate([topic.log_time_ns for topic in topics.values()] or [np.zeros(0, np.int64)]))
    steps = np.diff(every)
    if len(steps) and int(steps.max()) > JUMP_S * 1e9:
        at = int(steps.argmax())
        begin_s, end_s = ((int(time_ns) - int(every[0])) / 1e9 for time_ns in every[at : at + 2])
        raise InputError(
            f"The clock of {name!r} jumps: nothing from {begin_s:.1f} s to {end_s:.1f} s. It was set, or the recorder "
            f"paused. {CUT}"
        )


def refuse_set_clocks(name: str, topics: Mapping[str, Topic], *, start_ns: int = 0) -> None:
    """InputError if stamps jump against the time of reception. ``start_ns``: what the times of topics begin at."""
    first_ns = min((int(topic.log_time_ns[0]) for topic in topics.values() if len(topic)), default=0)
    for topic_name, topic in topics.items():
        stamps = stamps_of(topic) if len(topic) > 2 else None
        if stamps is None:
            continue
        offset = topic.log_time_ns + start_ns - stamps
        skew = np.abs(np.diff(offset))
        if int(skew.max()) > SKEW_S * 1e9 and _stays(offset):
            at_s = (int(topic.log_time_ns[int(skew.argmax())]) - first_ns) / 1e9
            raise InputError(
                f"The clock of {name!r} jumps: stamps on {topic_name!r} move by {skew.max() / 1e9:.1f} s against the "
                f"time of reception at {at_s:.1f} s. {CUT}"
            )


def _stays(offset: Times) -> bool:
    """Whether the offset between two clocks is another after its largest step than before: no message that was late."""
    at = int(np.abs(np.diff(offset)).argmax()) + 1
    return bool(abs(np.median(offset[at:]) - np.median(offset[:at])) > SKEW_S * 1e9 / 2)
