"""Where repeats of one scenario part: the first time and the first signal in which two recordings differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.errors import InputError
from stressfield.trace import Topic, Trace
from stressfield.trace.truth import robot_of, to_topics


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedSignal:
    """What is compared between repeats: a topic, or ``/truth/ROBOT/pose`` for where a robot really was.

    Without ``paths`` any difference in the bytes of the n-th message counts. With ``paths`` (such as
    ``pose.position.x``) messages are paired by time, and the straight-line distance between these numbers must exceed
    ``tolerance``. A change that comes up to ``slack_s`` earlier or later in one repeat is none.
    """

    name: str
    topic: str
    paths: tuple[str, ...] = ()
    tolerance: float = 0.0
    unit: str = ""
    slack_s: float = 0.0


@dataclass(frozen=True, slots=True)
class Parting:
    """When two recordings first differ in a signal, and by how much. ``at_s`` is None if they never do.

    ``message`` is the place of the message that has no equal, in the recording that has it.
    """

    signal: ComparedSignal
    at_s: float | None
    message: int | None
    apart: float | None = None


@dataclass(frozen=True, slots=True)
class Divergence:
    """When two recordings part in each signal, in the order given."""

    run: str
    other: str
    partings: tuple[Parting, ...]

    @property
    def first(self) -> Parting | None:
        """The earliest; at the same time, the signal that was named first, since it comes first in the chain."""
        parted = [parting for parting in self.partings if parting.at_s is not None]
        return min(parted, key=lambda parting: parting.at_s or 0.0, default=None)

    def sentence(self) -> str:
        """``Runs a and b part first in the scan at 0.10 s (beyond 0.5 m), then in ...; never in the map.``"""
        if self.first is None:
            return f"Runs {self.run} and {self.other} do not part in any of the signals."
        places = {id(parting): place for place, parting in enumerate(self.partings)}
        parted = sorted((p for p in self.partings if p.at_s is not None), key=lambda p: (p.at_s, places[id(p)]))
        told = [f"{_named(parting)} at {parting.at_s:.2f} s" for parting in parted]
        text = f"Runs {self.run} and {self.other} part first in {told[0]}"
        if told[1:]:
            text += f", then in {', '.join(told[1:])}"
        never = [parting.signal.name for parting in self.partings if parting.at_s is None]
        return text + (f"; never in {', '.join(never)}." if never else ".")


def _named(parting: Parting) -> str:
    signal = parting.signal
    limits = [f"beyond {signal.tolerance:g} {signal.unit}".rstrip()] if signal.tolerance > 0.0 else []
    limits += [f"give or take {signal.slack_s:g} s"] if signal.slack_s > 0.0 else []
    return f"the {signal.name} ({', '.join(limits)})" if limits else f"the {signal.name}"


def divergence(trace: Trace, other: Trace, signals: Sequence[ComparedSignal]) -> Divergence:
    """Compare two recordings of one scenario signal by signal.

    Signals with paths are paired by time: a message is held against those that the other recording published within
    half a period (the median one) and ``slack_s`` of it, and the most alike counts. So a recording that starts a
    message later does not part. Signals without paths, and those without a period, are paired by number.

    A signal that is silent in one recording for two messages of the other parts there; an end of the recording itself
    does not count.
    """
    if not signals:
        raise InputError("Cannot compare recordings without signals. Wanted at least one topic.")
    same_end_ns = min(trace.end_time_ns, other.end_time_ns)
    partings = tuple(_parting(signal, trace, other, same_end_ns) for signal in signals)
    return Divergence(trace.metadata.run_id or "one", other.metadata.run_id or "other", partings)


def _parting(signal: ComparedSignal, trace: Trace, other: Trace, same_end_ns: int) -> Parting:
    a, b = _topic(trace, signal.topic), _topic(other, signal.topic)
    steps_ns = np.concatenate([np.diff(np.sort(topic.publish_time_ns)) for topic in (a, b)])
    if signal.paths and len(a) and len(b) and len(steps_ns):
        near_ns = float(np.median(steps_ns)) / 2.0 + signal.slack_s * 1e9
        found = [_alone(signal, *pair, near_ns, same_end_ns) for pair in ((a, b), (b, a))]
        return min(
            (parting for parting in found if parting.at_s is not None),
            key=lambda parting: parting.at_s or 0.0,
            default=found[0],
        )
    return _by_number(signal, a, b, same_end_ns)


def _alone(signal: ComparedSignal, topic: Topic, other: Topic, near_ns: float, same_end_ns: int) -> Parting:
    """The first message that differs from all near it in the other recording, or the first of two without any near."""
    apart = _least_apart(signal, topic, other, near_ns)
    met = np.isfinite(apart)
    unlike = met & (apart > signal.tolerance) & (topic.log_time_ns + signal.slack_s * 1e9 <= same_end_ns)
    unmet = ~met & np.append(~met[1:] & (topic.log_time_ns[1:] < same_end_ns), False)
    places = np.flatnonzero(unlike | unmet)
    if not len(places):
        return Parting(signal, None, None)
    place = int(places[0])
    return Parting(signal, int(topic.log_time_ns[place]) / 1e9, place, float(apart[place]) if met[place] else None)


def _least_apart(signal: ComparedSignal, topic: Topic, other: Topic, near_ns: float) -> NDArray[np.float64]:
    """How far each message is from the most alike of those near it in time; infinite where there is none."""
    order = np.argsort(other.publish_time_ns, kind="stable")
    values, others = _values(signal, topic), _values(signal, other)[order]
    time_ns, times_ns = topic.publish_time_ns, other.publish_time_ns[order]
    first = np.searchsorted(times_ns, time_ns - near_ns, side="left")
    end = np.searchsorted(times_ns, time_ns + near_ns, side="right")
    least = np.full(len(values), np.inf)
    for step in range(int((end - first).max(initial=0))):
        places = np.flatnonzero(first + step < end)
        apart = np.sqrt(((values[places] - others[first[places] + step]) ** 2).sum(axis=1))
        least[places] = np.minimum(least[places], apart)
    return least


def _values(signal: ComparedSignal, topic: Topic) -> NDArray[np.float64]:
    return np.column_stack([np.asarray(topic.column(path), np.float64) for path in signal.paths])


def _by_number(signal: ComparedSignal, a: Topic, b: Topic, same_end_ns: int) -> Parting:
    both = min(len(a), len(b))
    apart = _apart(signal, a, b, both)
    places = np.flatnonzero(apart > signal.tolerance)
    if len(places):
        place = int(places[0])
        at_ns = min(int(a.log_time_ns[place]), int(b.log_time_ns[place]))
        return Parting(signal, at_ns / 1e9, place, float(apart[place]))
    longer = a if len(a) > len(b) else b
    if len(longer) > both + 1 and int(longer.log_time_ns[both + 1]) < same_end_ns:
        return Parting(signal, int(longer.log_time_ns[both]) / 1e9, both)
    return Parting(signal, None, None)


def _topic(trace: Trace, name: str) -> Topic:
    robot = robot_of(name)
    if robot is None:
        return trace.topic(name)
    pose, motion = to_topics(robot, trace.truth(robot))
    return pose if name.endswith("/pose") else motion


def _apart(signal: ComparedSignal, a: Topic, b: Topic, both: int) -> NDArray[np.float64]:
    if signal.paths:
        apart = _values(signal, a)[:both] - _values(signal, b)[:both]
        return np.asarray(np.sqrt((apart**2).sum(axis=1)), np.float64)
    rows, others = a.payloads.rows(), b.payloads.rows()
    if rows is not None and others is not None and rows.shape[1] == others.shape[1]:
        return np.asarray((rows[:both] != others[:both]).any(axis=1), np.float64)
    pairs = zip(a.payloads.items()[:both], b.payloads.items()[:both], strict=True)
    return np.array([float(x != y) for x, y in pairs])
