"""A run as compact numbers for the page: differences of whole millimetres, centiseconds and milliradians."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from stressfield.oracle import Property, Verdict
from stressfield.report.marks import bad_intervals, marks_of
from stressfield.report.said import said_in
from stressfield.report.track import Floats, Track, concerned, tracks_of
from stressfield.scenario import Scenario
from stressfield.trace import Trace

CLEARANCE_MAX_M = 5.0


def run_data(
    scenario: Scenario, trace: Trace, verdicts: Sequence[Verdict], properties: Mapping[str, Property] | None = None
) -> dict[str, Any] | None:
    """What the renderer needs of a run, or None when no robot was observed."""
    marks = marks_of(verdicts, properties)
    keep_s = [second for mark in marks for second in (mark.at_s, mark.start_s, mark.end_s)]
    tracks = tracks_of(scenario, trace, keep_s=keep_s)
    if not tracks:
        return None
    end_s = max(float(track.t_s[-1]) for track in tracks)
    return {
        "tracks": [_track(track) for track in tracks],
        "marks": [
            {
                "name": mark.name,
                "label": mark.label,
                "at": _seconds(mark.at_s, end_s),
                "from": _seconds(mark.start_s, end_s),
                "to": _seconds(mark.end_s, end_s),
                "x": round(x * 1000),
                "y": round(y * 1000),
            }
            for mark in marks
            for x, y, _ in [concerned(mark.note, mark.at_s, tracks).at(mark.at_s)]
        ],
        "bad": [[_seconds(start, end_s), _seconds(end, end_s)] for start, end in bad_intervals(verdicts)],
        "events": [
            {"at": _seconds(line.at_s, end_s), "topic": line.topic, "text": line.text, "level": int(line.alarm)}
            for line in said_in(trace)
        ],
    }


def _track(track: Track) -> dict[str, Any]:
    data: dict[str, Any] = {
        "robot": track.robot,
        "t": _steps(track.t_s, 100),
        "x": _steps(track.x_m, 1000),
        "y": _steps(track.y_m, 1000),
        "yaw": _steps(track.yaw_rad, 1000),
        "speed": _steps(track.speed_mps, 1000),
    }
    if np.isfinite(track.clearance_m).any():
        near = np.nan_to_num(track.clearance_m, nan=CLEARANCE_MAX_M, posinf=CLEARANCE_MAX_M)
        data["clearance"] = _steps(np.minimum(near, CLEARANCE_MAX_M), 1000)
    return data


def _steps(column: Floats, scale: int) -> list[int]:
    """Differences of neighbours after rounding, so that rounding does not add up."""
    whole = np.rint(np.nan_to_num(column) * scale).astype(np.int64)
    steps: list[int] = np.diff(whole, prepend=0).tolist()
    return steps


def _seconds(value: float, end_s: float) -> float:
    return round(min(max(value, 0.0), end_s), 2)
