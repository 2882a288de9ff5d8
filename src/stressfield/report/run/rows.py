"""What happens over the time of a run, as rows for the player: margins, signals, disturbances, arrivals of messages.

Numbers are small: of many samples only the lowest and highest of each stretch, coded as differences of whole numbers.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from math import ceil, log10
from typing import Any

import numpy as np

from stressfield.arrays import Floats
from stressfield.oracle import Evidence, Oracle, Signal, Verdict, active_times
from stressfield.report.figures.series import thinned
from stressfield.report.figures.tracks import Explained
from stressfield.trace import Trace

BUCKETS = 120
"""Of a line over time the least and the greatest in each of so many stretches are kept: no peak is lost."""
BINS = 240
"""Arrivals are counted in so many stretches of the run."""
DIGITS = 4
SPANS_MAX = 40
TOPICS_MAX = 60
SIGNALS_MAX = 12


def rows_of(
    evidence: Evidence,
    verdicts: Sequence[Verdict],
    *,
    properties: Mapping[str, Explained],
    oracle: Oracle | None,
    series: Callable[[Evidence], Mapping[str, Signal]] | None,
    end_s: float,
) -> list[dict[str, Any]]:
    """Margins first. Without the oracle, properties have their worst margin and their violations alone."""
    rows = [_margin(verdict, properties.get(verdict.property), evidence, oracle) for verdict in verdicts]
    rows += [] if series is None else _signals(series, evidence)
    rows += _disturbances(evidence.trace, end_s)
    return rows + _topics(evidence.trace, end_s)


def _signals(series: Callable[[Evidence], Mapping[str, Signal]], evidence: Evidence) -> list[dict[str, Any]]:
    try:
        found = dict(series(evidence))
    except Exception as error:  # the study's own code: what it cannot draw must not hide the run
        return [{"kind": "signal", "name": "own signals", "unit": "", "note": _why(error)}]
    return [
        {"kind": "signal", "name": name, "unit": signal.unit, **_line(signal.times_s, signal.values)}
        for name, signal in list(found.items())[:SIGNALS_MAX]
    ]


def _why(error: Exception) -> str:
    return f"it could not be made: {type(error).__name__}: {error}"[:300]


def _margin(verdict: Verdict, prop: Explained | None, evidence: Evidence, oracle: Oracle | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "kind": "margin",
        "name": verdict.property,
        "title": prop.title if prop else "",
        "outcome": verdict.outcome.value,
        "unit": verdict.unit,
        "margin": _number(verdict.margin),
        "at": _number(verdict.at_s),
        "spans": _spans([(violation.start_s, violation.end_s) for violation in verdict.violations]),
    }
    if oracle is None or verdict.property not in {prop.name for prop in oracle.properties}:
        return row
    try:
        curve = oracle.curve(verdict.property, evidence)
    except Exception as error:  # a study that was edited since: the stored verdict is shown all the same
        return row | {"note": _why(error)}
    if curve is not None and bool(np.isfinite(curve.values).any()):
        row |= {"least": curve.least, **_line(curve.times_s, curve.values)}
    return row


def _line(times_s: Floats, values: Floats) -> dict[str, Any]:
    """``t`` centiseconds and ``v`` multiples of ``10 ** e``, as differences; a null is a missing value."""
    known = np.isfinite(values)
    missing = np.flatnonzero(~known)
    # Of a stretch of missing values the first breaks the line.
    breaks = missing[np.flatnonzero(np.diff(missing, prepend=-2) > 1)] if len(missing) else missing
    thin_s, thin = thinned(times_s[known], values[known], buckets=BUCKETS)
    places = np.concatenate([thin_s, times_s[breaks][:BUCKETS]])
    order = np.argsort(places, kind="stable")
    column = np.concatenate([thin, np.full(len(places) - len(thin), np.nan)])[order]
    most = float(np.abs(thin).max(initial=0.0))
    exponent = max(-6, ceil(log10(most)) - DIGITS) if most > 0.0 else 0
    whole, last, coded = np.rint(np.nan_to_num(column) / 10.0**exponent).astype(np.int64).tolist(), 0, []
    for value, there in zip(whole, np.isfinite(column).tolist(), strict=True):
        coded.append(value - last if there else None)
        last = value if there else last
    hundredths = np.rint(places[order] * 100.0).astype(np.int64)
    return {"t": np.diff(hundredths, prepend=0).tolist(), "v": coded, "e": exponent}


def _disturbances(trace: Trace, end_s: float) -> list[dict[str, Any]]:
    spans: dict[str, list[tuple[float, float]]] = {}
    for active in active_times(trace):
        spans.setdefault(active.operation, []).append((active.start_s, min(active.end_s, end_s)))
    return [{"kind": "disturbance", "name": name, "spans": _spans(given)} for name, given in spans.items()]


def _topics(trace: Trace, end_s: float) -> list[dict[str, Any]]:
    rows = []
    for name in sorted(trace.topics)[:TOPICS_MAX]:
        topic = trace.topics[name]
        counts, _ = np.histogram(topic.time_s, bins=BINS, range=(0.0, max(end_s, 1e-9)))
        bins = base64.b64encode(np.minimum(counts, 255).astype(np.uint8).tobytes()).decode()
        rows.append({"kind": "topic", "name": name, "type": topic.ros_type, "count": len(topic), "bins": bins})
    return rows


def _spans(given: Sequence[tuple[float, float]]) -> list[list[float]]:
    return [[round(max(0.0, start), 2), round(end, 2)] for start, end in given[:SPANS_MAX]]


def _number(value: float | None) -> float | None:
    return round(value, 4) if value is not None and np.isfinite(value) else None
