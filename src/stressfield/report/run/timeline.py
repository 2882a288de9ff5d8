"""A run as text: where the robots were, what was said, what was disturbed and what was violated, on one clock."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isfinite

import numpy as np

from stressfield._files.plain_text import columns, visible
from stressfield.errors import InputError
from stressfield.oracle import Verdict
from stressfield.report.figures.tracks import Explained, marks_of
from stressfield.report.run.view import said_in
from stressfield.report.words import plain
from stressfield.trace import Trace

STEPS = 40
"""Moments at which robots are told, unless another number is asked for: a screen."""
STEPS_MAX = 500
_VIOLATED = "violated"


@dataclass(frozen=True, slots=True, order=True)
class _Line:
    at_s: float
    kind: str
    text: str


def timeline_text(
    trace: Trace,
    verdicts: Sequence[Verdict],
    properties: Mapping[str, Explained] | None = None,
    *,
    start_s: float = 0.0,
    end_s: float | None = None,
    steps: int = STEPS,
) -> str:
    """What happened from ``start_s`` to ``end_s``, in order of time; the robots at about ``steps`` moments.

    InputError for a window that has nothing of the run in it.
    """
    last_s = trace.end_time_ns / 1e9
    until_s = last_s if end_s is None else end_s
    if not (isfinite(start_s) and 0.0 <= start_s <= last_s and start_s < until_s):
        raise InputError(
            f"There is nothing of the run from {start_s:g} to {until_s:g} s. It lasts from 0 to {last_s:.2f} s."
        )
    if not 1 <= steps <= STEPS_MAX:
        raise InputError(f"Got {steps} moments. Wanted 1 to {STEPS_MAX}.")
    window = (start_s, min(until_s, last_s))
    lines = [*_robots(trace, window, steps), *_said(trace, window), *_violations(verdicts, properties, window)]
    rows = [[f"{line.at_s:.2f} s", line.kind, line.text] for line in sorted(lines)]
    return f"{columns(rows, right=[0])}\n\n{_topics(trace, window)}"


def _robots(trace: Trace, window: tuple[float, float], steps: int) -> Iterator[_Line]:
    wanted = np.linspace(*window, steps + 1)
    for name in sorted(trace.robots):
        truth = trace.robots[name]
        times = truth.time_s
        if not len(times):
            continue
        places = np.unique(np.clip(np.searchsorted(times, wanted), 0, len(times) - 1))
        for place in places.tolist():
            if not window[0] <= times[place] <= window[1] or not isfinite(truth.x_m[place]):
                continue
            text = f"at ({truth.x_m[place]:.2f}, {truth.y_m[place]:.2f}) m, {np.degrees(truth.yaw_rad[place]):.0f} deg"
            if isfinite(truth.speed_mps[place]):
                text += f", {truth.speed_mps[place]:.2f} m/s"
            if isfinite(truth.clearance_m[place]):
                text += f", {truth.clearance_m[place]:.2f} m clear"
            yield _Line(float(times[place]), name, text)


def _said(trace: Trace, window: tuple[float, float]) -> Iterator[_Line]:
    for spoken in said_in(trace):
        if window[0] <= spoken.at_s <= window[1]:
            yield _Line(spoken.at_s, spoken.topic, f"{'! ' if spoken.alarm else ''}{visible(spoken.text)}")


def _violations(
    verdicts: Sequence[Verdict], properties: Mapping[str, Explained] | None, window: tuple[float, float]
) -> Iterator[_Line]:
    for mark in marks_of(verdicts, properties):
        if mark.start_s <= window[1] and mark.end_s >= window[0]:
            until = f" until {mark.end_s:.2f} s" if mark.end_s > mark.start_s else ""
            yield _Line(max(mark.start_s, window[0]), _VIOLATED, f"{visible(plain(mark.label))}{until}")


def _topics(trace: Trace, window: tuple[float, float]) -> str:
    rows = [["topic", "type", "messages", "longest silence"]]
    for name in sorted(trace.topics):
        topic = trace.topics[name]
        times = topic.time_s
        inside = times[(times >= window[0]) & (times <= window[1])]
        edges = np.concatenate([[window[0]], inside, [window[1]]])
        silence_s = float(np.diff(edges).max(initial=-inf))
        rows.append([name, topic.ros_type, str(len(inside)), f"{silence_s:.2f} s"])
    return columns(rows, right=[2, 3])
