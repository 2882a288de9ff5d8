"""Numbers read from a recording without code of one's own: variables of topics, and how long a run was disturbed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from stressfield.errors import OracleError
from stressfield.fuzz.disturber import LOG
from stressfield.fuzz.field_path import EVERY, FieldPath
from stressfield.oracle.signal import Signal
from stressfield.trace import Trace

Take: TypeAlias = Literal["last", "count", "sum", "min", "max"]

FUZZING_TIME = "fuzzingTimeLength"
"""The metric that every disturbed run has: for how many seconds at least one operation acted."""


@dataclass(frozen=True, slots=True)
class Active:
    """One time in which an operation acted."""

    operation: str
    start_s: float
    end_s: float


def take_variable(trace: Trace, topics: Sequence[str], path: str = "", *, take: Take = "last") -> float | None:
    """One number of all messages on some topics: the last, the sum, the least, the largest, or how many there were.

    None if nothing was said on any of them, for ``count`` too: a topic that fell silent is not a zero.
    """
    said = [name for name in topics if name in trace.topics and len(trace.topics[name])]
    if not said:
        return None
    if take == "count":
        return float(sum(len(trace.topics[name]) for name in said))
    columns = [(trace.topics[name].log_time_ns, trace.topics[name].column(_plain(path))) for name in said]
    if take == "last":
        _, values = max(columns, key=lambda column: int(column[0][-1]))
        return float(values[-1])
    values = np.concatenate([values for _, values in columns])
    return float(values.sum() if take == "sum" else values.min() if take == "min" else values.max())


def variable_signal(trace: Trace, topics: Sequence[str], path: str = "", *, take: Take = "last") -> Signal:
    """The same number as it was known at every message: what :func:`take_variable` would have said so far."""
    name = f"{take} of {', '.join(topics)} {path}".rstrip()
    said = [one for one in topics if one in trace.topics and len(trace.topics[one])]
    if not said:
        return Signal(np.zeros(0), np.zeros(0), name)
    times = np.concatenate([trace.topics[one].time_s for one in said])
    order = np.argsort(times, kind="stable")
    times = times[order]
    if take == "count":
        values = np.arange(1.0, len(times) + 1.0)
    else:
        sent = np.concatenate([trace.topics[one].column(_plain(path)) for one in said])[order]
        values = sent
        if take == "sum":
            values = np.cumsum(sent)
        elif take != "last":
            values = (np.minimum if take == "min" else np.maximum).accumulate(sent)
    last = np.append(np.diff(times) > 0.0, True)
    return Signal(times[last], values[last], name)


def active_times(trace: Trace) -> tuple[Active, ...]:
    """When each operation acted, in the order in which they began; one that never ceased acted to the end."""
    if LOG not in trace.topics:
        return ()
    found: list[Active] = []
    began: dict[str, float] = {}
    topic = trace.topics[LOG]
    for time_s, status in zip(topic.time_s.tolist(), topic.messages, strict=True):
        name: str = status.name  # type: ignore[attr-defined]
        if status.level:  # type: ignore[attr-defined]
            began.setdefault(name, time_s)
        elif name in began:
            found.append(Active(name, began.pop(name), time_s))
    observed = [int(truth.time_ns[-1]) for truth in trace.robots.values() if len(truth)]
    end_s = (max(observed) if observed else trace.end_time_ns) / 1e9
    found += [Active(name, start_s, end_s) for name, start_s in began.items()]
    return tuple(sorted(found, key=lambda one: (one.start_s, one.operation)))


def fuzzing_time_s(trace: Trace) -> float:
    """For how long at least one operation acted. Windows that do not overlap add up; an undisturbed run gives 0."""
    total_s, until_s = 0.0, 0.0
    for one in active_times(trace):
        total_s += max(0.0, one.end_s - max(one.start_s, until_s))
        until_s = max(until_s, one.end_s)
    return total_s


def _plain(path: str) -> str:
    """A path as recordings know it: without the type that may stand before it."""
    parsed = FieldPath.parse(path)
    if EVERY in parsed.steps:
        raise OracleError(f"The metric's path {path!r} names many numbers. Wanted one, such as 'ranges.0'.")
    return str(parsed)
