"""Metric: numbers that a recording gives. What was said on topics, when operations acted, what became of messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Flags, Times
from stressfield.bus import FORWARDED
from stressfield.bus.messages import DiagnosticStatus
from stressfield.errors import OracleError
from stressfield.fuzz.disturber import LOG
from stressfield.fuzz.field_path import EVERY, FieldPath
from stressfield.fuzz.operation import NodeOperation, Operation
from stressfield.oracle.signal import Signal
from stressfield.trace import Topic, Trace

Take: TypeAlias = Literal["last", "count", "sum", "min", "max"]

FUZZING_TIME = "fuzzingTimeLength"
"""The metric that every disturbed run has: seconds in which operations acted, summed over operations."""
DISTURBED_TIME = "disturbedTimeLength"
"""The metric of the seconds in which at least one operation acted: what overlaps counts once."""


@dataclass(frozen=True, slots=True)
class Active:
    """A time in which an operation acted, from a start up to but not including an end."""

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
    said = [topic for topic in topics if topic in trace.topics and len(trace.topics[topic])]
    if not said:
        return Signal(np.zeros(0), np.zeros(0), name)
    times = np.concatenate([trace.topics[topic].time_s for topic in said])
    order = np.argsort(times, kind="stable")
    times = times[order]
    if take == "count":
        values = np.arange(1.0, len(times) + 1.0)
    else:
        sent = np.concatenate([trace.topics[topic].column(_plain(path)) for topic in said])[order]
        values = sent
        if take == "sum":
            values = np.cumsum(sent)
        elif take != "last":
            values = (np.minimum if take == "min" else np.maximum).accumulate(sent)
    last = np.append(np.diff(times) > 0.0, True)
    return Signal(times[last], values[last], name)


def active_times(trace: Trace) -> tuple[Active, ...]:
    """When each operation acted, in the order in which they began; one that never ceased acted to the end."""
    found = [Active(span.operation, span.start_s, span.end_s) for span in _spans(trace)]
    return tuple(sorted(found, key=lambda active: (active.start_s, active.operation)))


def fuzzing_time_s(trace: Trace, *, end_ns: int | None = None) -> float:
    """For how long operations acted, summed over operations: two at once count twice. An undisturbed run gives 0.

    What never ceased acted up to ``end_ns``; if that is not given, up to the last observation of a robot.
    """
    # in the order in which they ended, those that never did by themselves: published sums of floats depend on it
    ceased_s, open_s = 0.0, 0.0
    for span in _spans(trace, end_ns):
        if span.ceased:
            ceased_s += span.end_s - span.start_s
        else:
            open_s += span.end_s - span.start_s
    return ceased_s + open_s


def disturbed_time_s(trace: Trace) -> float:
    """For how long at least one operation acted. An undisturbed run gives 0."""
    total_s, until_s = 0.0, 0.0
    for active in active_times(trace):
        total_s += max(0.0, active.end_s - max(active.start_s, until_s))
        until_s = max(until_s, active.end_s)
    return total_s


STATIC_METRICS: Mapping[str, Callable[[Trace], float]] = {
    FUZZING_TIME: fuzzing_time_s,
    DISTURBED_TIME: disturbed_time_s,
    # what SESAME's model files call the first one, in their newer and older vocabulary
    "fuzzingOperationTimes": fuzzing_time_s,
    "attackTimes": fuzzing_time_s,
}
"""Metrics of the disturbances themselves, which need no code of a study."""


class _Span(NamedTuple):
    """As the log has it: in nanoseconds, and ``ceased`` False if it still acted when the run ended."""

    operation: str
    start_ns: int
    end_ns: int
    ceased: bool

    @property
    def start_s(self) -> float:
        return self.start_ns / 1e9

    @property
    def end_s(self) -> float:
        return self.end_ns / 1e9


def _spans(trace: Trace, end_ns: int | None = None) -> list[_Span]:
    """The log of operations, in the order in which they ended; then those that never ceased, as they began."""
    if LOG not in trace.topics:
        return []
    found: list[_Span] = []
    began: dict[str, int] = {}
    topic = trace.topics[LOG]
    for time_ns, status in zip(topic.log_time_ns.tolist(), topic.messages, strict=True):
        assert isinstance(status, DiagnosticStatus)
        if status.level:
            began.setdefault(status.name, time_ns)
        elif status.name in began:
            found.append(_Span(status.name, began.pop(status.name), time_ns, ceased=True))
    if end_ns is None:
        # messages on their way are recorded a little after the last step: the run was over by then
        observed = [int(truth.time_ns[-1]) for truth in trace.robots.values() if len(truth)]
        end_ns = max(observed) if observed else trace.end_time_ns
    return found + [_Span(name, start_ns, end_ns, ceased=False) for name, start_ns in began.items()]


def _plain(path: str) -> str:
    """A path as recordings know it: without the type that may stand before it."""
    parsed = FieldPath.parse(path)
    if EVERY in parsed.steps:
        raise OracleError(f"The metric's path {path!r} names many numbers. Wanted one, such as 'ranges.0'.")
    return str(parsed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """The messages that were sent on a topic while an operation acted there, counted in a recording.

    ``shared`` of them were sent while another operation acted on the topic, too: what became of those is the work of
    both.
    """

    operation: str
    topic: str
    sent: int
    lost: int
    changed: int
    late: int
    extra: int
    shared: int


def touched(trace: Trace, operations: Sequence[Operation]) -> tuple[Touched, ...]:
    """One row for each operation and each of its topics, in order; operations on nodes have none."""
    on_messages = [operation for operation in operations if not isinstance(operation, NodeOperation)]
    spans: dict[str, list[_Span]] = {}
    for span in _spans(trace):
        spans.setdefault(span.operation, []).append(span)
    rows: dict[tuple[str, str], Touched] = {}
    for name in dict.fromkeys(target for operation in on_messages for target in operation.targets):
        topic = trace.topics.get(name)
        times_ns = np.zeros(0, np.int64) if topic is None else topic.publish_time_ns
        acting = {
            each.name: _during(times_ns, spans.get(each.name, [])) for each in on_messages if name in each.targets
        }
        busy = np.sum(list(acting.values()), axis=0)
        fate = _Fate(len(times_ns))
        if topic is not None:
            fate.follow(topic, trace.topics.get(name + FORWARDED), np.flatnonzero(busy))
        for operation, mask in acting.items():
            rows[operation, name] = Touched(
                operation=operation,
                topic=name,
                sent=int(mask.sum()),
                lost=int((fate.copies[mask] == 0).sum()),
                changed=int(fate.changed[mask].sum()),
                late=int(fate.late[mask].sum()),
                extra=int(np.maximum(fate.copies[mask] - 1, 0).sum()),
                shared=int((busy[mask] > 1).sum()),
            )
    return tuple(rows[operation.name, name] for operation in on_messages for name in operation.targets)


def _during(times_ns: Times, spans: Sequence[_Span]) -> Flags:
    mask: Flags = np.zeros(len(times_ns), np.bool_)
    for span in spans:
        # what still acted when the run ended acted on the very last message, too
        mask |= (times_ns >= span.start_ns) & ((times_ns < span.end_ns) | (not span.ceased))
    return mask


class _Fate:
    """Of each message that was sent: how many copies arrived, and whether the first was another one or came later."""

    def __init__(self, messages: int) -> None:
        self.copies: Times = np.ones(messages, np.int64)
        self.changed: Flags = np.zeros(messages, np.bool_)
        self.late: Flags = np.zeros(messages, np.bool_)

    def follow(self, sent: Topic, received: Topic | None, which: NDArray[np.intp]) -> None:
        """Find what arrived of some messages; a relay's messages bear the time at which the original was sent."""
        arrived: dict[int, list[tuple[bytes, int]]] = {}
        if received is not None and len(received):
            items = zip(received.payloads.items(), received.log_time_ns.tolist(), strict=True)
            for time_ns, item in zip(received.publish_time_ns.tolist(), items, strict=True):
                arrived.setdefault(time_ns, []).append(item)
        payloads = sent.payloads.items() if len(which) else []
        together: dict[int, list[int]] = {}
        for place in which.tolist():
            together.setdefault(int(sent.publish_time_ns[place]), []).append(place)
        for time_ns, places in together.items():
            left = arrived.get(time_ns, [])
            waiting = [place for place in places if not self._as_sent(place, payloads, left, sent)]
            for place in waiting:
                self.copies[place] = min(len(left), 1)
                if left:
                    self.changed[place] = True
                    self.late[place] = left.pop(0)[1] > sent.log_time_ns[place]
            self.copies[places[0]] += len(left)

    def _as_sent(self, place: int, payloads: Sequence[bytes], left: list[tuple[bytes, int]], sent: Topic) -> bool:
        """Whether the message arrived as it was; it is then taken from those left."""
        for at, (payload, time_ns) in enumerate(left):
            if payload == payloads[place]:
                self.late[place] = time_ns > sent.log_time_ns[place]
                del left[at]
                return True
        return False
