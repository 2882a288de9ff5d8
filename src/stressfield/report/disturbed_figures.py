"""The figures of one disturbed run: metrics as they became, and what was sent against what arrived."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from stressfield.bus import FORWARDED
from stressfield.errors import StressfieldError
from stressfield.fuzz.field_path import EVERY, FieldPath
from stressfield.fuzz.operation import Operation
from stressfield.fuzz.search import Metric
from stressfield.oracle import Signal
from stressfield.oracle.measuring import active_times, variable_signal
from stressfield.report.series_figure import Line, series_figure
from stressfield.trace import Topic, Trace

USUAL = {"geometry_msgs/Twist": ("linear.x", "angular.z")}
"""Fields that are shown where an operation changes no field, but loses, delays or repeats whole messages."""
FIGURES_MAX = 12


def disturbed_figures(
    trace: Trace,
    *,
    operations: Sequence[Operation] = (),
    metrics: Sequence[Metric] = (),
    series: Mapping[str, Signal] | None = None,
) -> list[str]:
    """SVG of each given series and of each metric that is read from topics; then of each disturbed field."""
    given = series or {}
    left = [one for one in metrics if one.name not in given]
    return [*_series(trace, given), *_metrics(trace, left), *_fields(trace, operations)][:FIGURES_MAX]


def _series(trace: Trace, series: Mapping[str, Signal]) -> Iterator[str]:
    active, end_s = active_times(trace), trace.end_time_ns / 1e9
    for name, signal in series.items():
        known = signal.values[np.isfinite(signal.values)]
        if len(known):
            title = f"{name} ({signal.unit})" if signal.unit else name
            line = Line(name, signal.times_s, signal.values, stepped=bool((known == np.round(known)).all()))
            yield series_figure(title, [line], end_s=end_s, active=active)


def _metrics(trace: Trace, metrics: Sequence[Metric]) -> Iterator[str]:
    active, end_s = active_times(trace), trace.end_time_ns / 1e9
    for one in metrics:
        if one.kind != "variable" or not one.topics or not (one.path or one.take == "count"):
            continue
        try:
            signal = variable_signal(trace, one.topics, one.path, take=one.take)
        except StressfieldError:  # a field that this recording does not have: the metric is missing there as well
            continue
        if len(signal.values):
            line = Line(one.name, signal.times_s, signal.values, stepped=True)
            yield series_figure(one.name, [line], end_s=end_s, active=active)


def _fields(trace: Trace, operations: Sequence[Operation]) -> Iterator[str]:
    end_s, every = trace.end_time_ns / 1e9, active_times(trace)
    for name, topic in trace.topics.items():
        received = trace.topics.get(f"{name}{FORWARDED}")
        if received is None:
            continue
        here = [one for one in operations if name in one.targets]
        acting = {one.name for one in here}
        active = [one for one in every if not acting or one.operation in acting]
        for path in _paths(topic, here):
            lines = [line for line in (_line("sent", topic, path), _line("received", received, path)) if line]
            if lines:
                yield series_figure(f"{name} {path}", lines, end_s=end_s, active=active)


def _paths(topic: Topic, operations: Sequence[Operation]) -> list[str]:
    given = [FieldPath.parse(path) for one in operations for path in one.paths]
    found = [str(path) for path in given if EVERY not in path.steps]
    return list(dict.fromkeys(found)) or list(USUAL.get(topic.ros_type.replace("/msg/", "/"), ()))


def _line(name: str, topic: Topic, path: str) -> Line | None:
    try:
        return Line(name, topic.time_s, topic.column(path))
    except StressfieldError:
        return None
