"""Values over the time of a run, with the times in which operations acted shaded; what was sent and what arrived."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from markupsafe import Markup

from stressfield.arrays import Floats
from stressfield.bus import FORWARDED
from stressfield.errors import StressfieldError
from stressfield.fuzz.field_path import EVERY, FieldPath
from stressfield.fuzz.operation import Operation
from stressfield.fuzz.search import Metric
from stressfield.oracle import Active, Signal, active_times, variable_signal
from stressfield.report.figures.plot import Axes, padded, panel, svg, text, x_axis
from stressfield.trace import Topic, Trace

WIDTH, HEIGHT, LEFT, RIGHT, TOP = 660.0, 130.0, 56.0, 14.0, 42.0
BUCKETS = 300
"""Of more samples only the lowest and highest of each of so many stretches are drawn: no peak is lost."""
GAP_S = 1.0
"""Messages further apart are not joined by a line."""


USUAL = {"geometry_msgs/Twist": ("linear.x", "angular.z")}
"""Fields that are shown where an operation changes no field, but loses, delays or repeats whole messages."""
FIGURES_MAX = 12


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """One named series. A ``stepped`` one holds each value until the next, to the end of the run."""

    name: str
    time_s: Floats
    values: Floats
    stepped: bool = False


def series_figure(
    title: str,
    lines: Sequence[Line],
    *,
    end_s: float,
    active: Sequence[Active] = (),
    x_label: str = "simulated time (s)",
) -> Markup:
    """Lines over time. What is not finite is left out."""
    kept = [_finite(line) for line in lines]
    values = [float(end) for line in kept if len(line.values) for end in (line.values.min(), line.values.max())]
    low, high = padded(min(values, default=0.0), max(values, default=1.0), share=0.08)
    axes = Axes(
        left=LEFT, top=TOP, width=WIDTH - LEFT - RIGHT, height=HEIGHT, x_low=0.0, x_high=max(end_s, 1e-9), y_low=low,
        y_high=high,
    )  # fmt: skip
    parts = [_shade(axes, stretch, end_s) for stretch in active]
    parts += [*panel(axes, y_label=title), *x_axis(axes, x_label)]
    x = WIDTH - RIGHT - sum(40 + 6.6 * len(line.name) for line in kept)
    for number, line in enumerate(kept):
        path = _path(axes, line, end_s)
        if path:
            parts.append(f'<path class="curve thin c{number}" d="{path}"/>')
        if len(kept) > 1:
            parts.append(f'<line class="curve thin c{number}" x1="{x:.1f}" x2="{x + 18:.1f}" y1="12" y2="12"/>')
            parts.append(text(x + 23, 16, line.name))
            x += 40 + 6.6 * len(line.name)
    told = f"; shaded: {', '.join(dict.fromkeys(stretch.operation for stretch in active))}" if active else ""
    return svg(WIDTH, TOP + HEIGHT + 46, f"{title} over {end_s:.1f} s{told}", parts)


def _finite(line: Line) -> Line:
    good = np.isfinite(line.values)
    return Line(line.name, line.time_s[good], line.values[good], line.stepped)


def _shade(axes: Axes, stretch: Active, end_s: float) -> str:
    start, end = axes.x(max(0.0, stretch.start_s)), axes.x(min(stretch.end_s, end_s))
    note = escape(f"{stretch.operation}: {stretch.start_s:.1f} s to {stretch.end_s:.1f} s")
    return (
        f'<rect class="active" x="{start:.1f}" y="{axes.top:.1f}" width="{max(1.0, end - start):.1f}" '
        f'height="{axes.height:.1f}"><title>{note}</title></rect>'
    )


def _path(axes: Axes, line: Line, end_s: float) -> str:
    if not len(line.values):
        return ""
    if line.stepped:
        first, *rest = zip(line.time_s.tolist(), line.values.tolist(), strict=True)
        moves = "".join(f"H{axes.x(t):.1f}V{axes.y(v):.1f}" for t, v in rest)
        return f"M{axes.x(first[0]):.1f} {axes.y(first[1]):.1f}{moves}H{axes.x(end_s):.1f}"
    time_s, values = thinned(line.time_s, line.values)
    gap_s = max(GAP_S, 3.0 * float(np.median(np.diff(time_s)))) if len(time_s) > 1 else GAP_S
    parts, before, times = [], -np.inf, [*time_s.tolist(), np.inf]
    for t, after, v in zip(times, times[1:], values.tolist(), strict=False):
        joined = t - before <= gap_s
        parts.append(f"{'L' if joined else 'M'}{axes.x(t):.1f} {axes.y(v):.1f}")
        if not joined and after - t > gap_s:
            parts.append("m-2 0h4")  # a message on its own is a dot
        before = t
    return "".join(parts)


def thinned(time_s: Floats, values: Floats, *, buckets: int = BUCKETS) -> tuple[Floats, Floats]:
    """The ends, and the lowest and the highest of each of so many stretches, if there are more samples."""
    if len(values) <= 2 * buckets:
        return time_s, values
    kept: set[int] = {0, len(values) - 1}
    for part in np.array_split(np.arange(len(values)), buckets):
        kept |= {int(part[values[part].argmin()]), int(part[values[part].argmax()])}
    places = sorted(kept)
    return time_s[places], values[places]


def disturbed_figures(
    trace: Trace,
    *,
    operations: Sequence[Operation] = (),
    metrics: Sequence[Metric] = (),
    series: Mapping[str, Signal] | None = None,
) -> list[Markup]:
    """SVG of each given series and of each metric that is read from topics; then of each disturbed field."""
    given = series or {}
    left = [metric for metric in metrics if metric.name not in given]
    return [*_series(trace, given), *_metrics(trace, left), *_fields(trace, operations)][:FIGURES_MAX]


def _series(trace: Trace, series: Mapping[str, Signal]) -> Iterator[Markup]:
    active, end_s = active_times(trace), trace.end_time_ns / 1e9
    for name, signal in series.items():
        known = signal.values[np.isfinite(signal.values)]
        if len(known):
            title = f"{name} ({signal.unit})" if signal.unit else name
            line = Line(name, signal.times_s, signal.values, stepped=bool((known == np.round(known)).all()))
            yield series_figure(title, [line], end_s=end_s, active=active)


def _metrics(trace: Trace, metrics: Sequence[Metric]) -> Iterator[Markup]:
    active, end_s = active_times(trace), trace.end_time_ns / 1e9
    for metric in metrics:
        if metric.kind != "variable" or not metric.topics or not (metric.path or metric.take == "count"):
            continue
        try:
            signal = variable_signal(trace, metric.topics, metric.path, take=metric.take)
        except StressfieldError:  # a field that this recording does not have: the metric is missing there as well
            continue
        if len(signal.values):
            line = Line(metric.name, signal.times_s, signal.values, stepped=True)
            yield series_figure(metric.name, [line], end_s=end_s, active=active)


def _fields(trace: Trace, operations: Sequence[Operation]) -> Iterator[Markup]:
    end_s, every = trace.end_time_ns / 1e9, active_times(trace)
    for name, topic in trace.topics.items():
        received = trace.topics.get(f"{name}{FORWARDED}")
        if received is None:
            continue
        here = [operation for operation in operations if name in operation.targets]
        acting = {operation.name for operation in here}
        active = [stretch for stretch in every if not acting or stretch.operation in acting]
        for path in _paths(topic, here):
            lines = [
                line for line in (_field_line("sent", topic, path), _field_line("received", received, path)) if line
            ]
            if lines:
                yield series_figure(f"{name} {path}", lines, end_s=end_s, active=active)


def _paths(topic: Topic, operations: Sequence[Operation]) -> list[str]:
    given = [FieldPath.parse(path) for operation in operations for path in operation.paths]
    found = [str(path) for path in given if EVERY not in path.steps]
    return list(dict.fromkeys(found)) or list(USUAL.get(topic.ros_type.replace("/msg/", "/"), ()))


def _field_line(name: str, topic: Topic, path: str) -> Line | None:
    try:
        return Line(name, topic.time_s, topic.column(path))
    except StressfieldError:
        return None
