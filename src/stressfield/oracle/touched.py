"""What became of the messages that were sent while an operation acted: how many were lost, changed, late or extra."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Flags, Times
from stressfield.bus import FORWARDED
from stressfield.fuzz.disturber import LOG
from stressfield.fuzz.operation import NodeOperation, Operation
from stressfield.trace import Topic, Trace

Span = tuple[int, int]
NEVER_NS = int(np.iinfo(np.int64).max)


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
    on_messages = [one for one in operations if not isinstance(one, NodeOperation)]
    spans = _spans(trace)
    rows: dict[tuple[str, str], Touched] = {}
    for name in dict.fromkeys(target for one in on_messages for target in one.targets):
        topic = trace.topics.get(name)
        times_ns = np.zeros(0, np.int64) if topic is None else topic.publish_time_ns
        acting = {one.name: _during(times_ns, spans.get(one.name, [])) for one in on_messages if name in one.targets}
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
    return tuple(rows[one.name, name] for one in on_messages for name in one.targets)


def _spans(trace: Trace) -> dict[str, list[Span]]:
    """When each operation acted, from a start up to but not including an end."""
    found: dict[str, list[Span]] = {}
    if LOG not in trace.topics:
        return found
    for time_ns, status in zip(trace.topics[LOG].publish_time_ns.tolist(), trace.topics[LOG].messages, strict=True):
        spans = found.setdefault(status.name, [])  # type: ignore[attr-defined]
        if status.level:  # type: ignore[attr-defined]
            spans.append((time_ns, NEVER_NS))
        elif spans:
            spans[-1] = (spans[-1][0], time_ns)
    return found


def _during(times_ns: Times, spans: Sequence[Span]) -> Flags:
    mask: Flags = np.zeros(len(times_ns), np.bool_)
    for start_ns, end_ns in spans:
        mask |= (times_ns >= start_ns) & (times_ns < end_ns)
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
