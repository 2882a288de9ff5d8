"""Where repeats of one scenario part: the first time and the first signal in which two recordings differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.errors import InputError
from stressfield.experiment import Signal
from stressfield.trace import Topic, Trace
from stressfield.trace.truth import robot_of, to_topics


@dataclass(frozen=True, slots=True)
class Parting:
    """When two recordings first differ in a signal: the ``message``-th of it. ``at_s`` is None if they never do."""

    signal: Signal
    at_s: float | None
    message: int | None
    apart: float | None = None


@dataclass(frozen=True, slots=True)
class Divergence:
    """When two recordings part in each signal, in the order given."""

    one: str
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
            return f"Runs {self.one} and {self.other} do not part in any of the signals."
        places = {id(parting): place for place, parting in enumerate(self.partings)}
        parted = sorted((p for p in self.partings if p.at_s is not None), key=lambda p: (p.at_s, places[id(p)]))
        told = [f"{_named(parting)} at {parting.at_s:.2f} s" for parting in parted]
        text = f"Runs {self.one} and {self.other} part first in {told[0]}"
        if told[1:]:
            text += f", then in {', '.join(told[1:])}"
        never = [parting.signal.name for parting in self.partings if parting.at_s is None]
        return text + (f"; never in {', '.join(never)}." if never else ".")


def _named(parting: Parting) -> str:
    signal = parting.signal
    limit = f" (beyond {signal.tolerance:g} {signal.unit})".replace(" )", ")") if signal.tolerance > 0.0 else ""
    return f"the {signal.name}{limit}"


def divergence(one: Trace, other: Trace, signals: Sequence[Signal]) -> Divergence:
    """Compare two recordings of one scenario signal by signal, the n-th message of one with the n-th of the other.

    A signal that falls silent in one recording while the other goes on parts there; an end of the recording itself
    does not count.
    """
    if not signals:
        raise InputError("Cannot compare recordings without signals. Wanted at least one topic.")
    same_end_ns = min(one.end_time_ns, other.end_time_ns)
    partings = tuple(_parting(signal, one, other, same_end_ns) for signal in signals)
    return Divergence(one.metadata.run_id or "one", other.metadata.run_id or "other", partings)


def _parting(signal: Signal, one: Trace, other: Trace, same_end_ns: int) -> Parting:
    a, b = _topic(one, signal.topic), _topic(other, signal.topic)
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


def _apart(signal: Signal, a: Topic, b: Topic, both: int) -> NDArray[np.float64]:
    if signal.paths:
        squares = [(a.column(path)[:both] - b.column(path)[:both]) ** 2 for path in signal.paths]
        total: NDArray[np.float64] = np.sqrt(np.sum(squares, axis=0))
        return total
    rows, others = a.payloads.rows(), b.payloads.rows()
    if rows is not None and others is not None and rows.shape[1] == others.shape[1]:
        return np.asarray((rows[:both] != others[:both]).any(axis=1), np.float64)
    pairs = zip(a.payloads.items()[:both], b.payloads.items()[:both], strict=True)
    return np.array([float(x != y) for x, y in pairs])
