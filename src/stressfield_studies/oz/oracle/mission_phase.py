"""Properties of mission phases: U-turns (P1), distance to the vegetables (P2, P2'), order of rows (P3)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.messages import DiagnosticStatus
from stressfield.oracle import Evidence, Judgement, Robustness, Signal, Violation, always
from stressfield_studies.oz.oracle.course import Course, Pass, course_of
from stressfield_studies.oz.oracle.error_reports import excused
from stressfield_studies.oz.robot import REPORT

FEWEST_MANOEUVRES, MOST_MANOEUVRES = 5, 7
REFERENCE_TOLERANCE_M = 0.10
LARGE_DISTANCE_M = 0.20
LARGE_RATE_MPS = 0.15
_STILL_MPS = 0.03
_STILL_RADPS = 0.05
_LEAST_DRIVE_M = 0.04
_LEAST_TURN_RAD = 0.05
_UNSEEN_M = 0.1
"""Between two observations the robot drives up to 2 cm: where a pass begins and ends is known no better."""


def uturns(evidence: Evidence) -> Judgement:
    """P1: each completed U-turn takes five to seven manoeuvres (stretches of driving or turning one way)."""
    course = course_of(evidence)
    if len(course.truth) == 0:
        return Judgement(None, "manoeuvres", note="no truth was recorded", seen=False)
    margin, at_s, violations = None, None, []
    for before, after in zip(course.passes[:-1], course.passes[1:], strict=True):
        count = manoeuvres(course, before, after)
        slack = float(min(count - FEWEST_MANOEUVRES, MOST_MANOEUVRES - count))
        start_s, end_s = course.truth.time_s[[before.stop - 1, after.start]]
        if margin is None or slack < margin:
            margin, at_s = slack, float(end_s)
        if slack < 0:
            violations.append(Violation(float(start_s), float(end_s)))
    note = "" if margin is not None else "no U-turn was completed"
    return Judgement(margin, "manoeuvres", at_s, tuple(violations), note, vacuous=margin is None)


def manoeuvres(course: Course, before: Pass, after: Pass) -> int:
    """How many manoeuvres lie between two passes, the way out and the way in included."""
    window = slice(before.stop - 1, after.start + 1)
    speed, rate = course.truth.speed_mps[window], course.truth.turn_rate_radps[window]
    step_s = np.diff(course.truth.time_s[window], prepend=course.truth.time_s[window][0])
    kind = np.where(
        np.abs(speed) > _STILL_MPS, np.sign(speed), np.where(np.abs(rate) > _STILL_RADPS, 2 * np.sign(rate), 0)
    )
    edges = np.flatnonzero(np.diff(kind)) + 1
    merged: list[float] = []
    for part in np.split(np.arange(len(kind)), edges):
        which = float(kind[part[0]])
        drive = float(np.abs(speed[part] * step_s[part]).sum())
        turn = float(np.abs(rate[part] * step_s[part]).sum())
        real = drive > _LEAST_DRIVE_M if abs(which) == 1 else turn > _LEAST_TURN_RAD
        if which != 0 and real and (not merged or merged[-1] != which):
            merged.append(which)
    return len(merged)


def _in_row(course: Course, signal: NDArray[np.float64]) -> NDArray[np.float64]:
    """The signal while the robot is between the first and the last plants; missing elsewhere."""
    return np.where(course.pass_of >= 0, signal, np.nan)


def stray(course: Course) -> NDArray[np.float64]:
    """How far the robot is from the distance it should keep to its row, at each sample in a row."""
    reference = np.full(len(course.truth.y_m), np.nan)
    for i, lane_pass in enumerate(course.passes):
        track = course.track(i)
        if track is not None:
            reference[lane_pass.start : lane_pass.stop] = track.y_m
    far: NDArray[np.float64] = np.abs(course.truth.y_m - reference)
    return far


def reference_distance(evidence: Evidence) -> Robustness | None:
    """P2: the robot keeps its reference distance to the vegetables."""
    course = course_of(evidence)
    if not course.passes:
        return None
    signal = Signal(course.truth.time_s, _in_row(course, stray(course)), "distance from the track", "m")
    return always(signal <= REFERENCE_TOLERANCE_M)


def large_distance(evidence: Evidence) -> Judgement | None:
    """P2': no large distance from the track, and no fast change of it."""
    course = course_of(evidence)
    if not course.passes:
        return None
    time_s, far = course.truth.time_s, stray(course)
    rate = np.abs(_smooth_rate(time_s, far))
    distance = always(Signal(time_s, _in_row(course, far), "distance from the track", "m") <= LARGE_DISTANCE_M)
    change = always(Signal(time_s, _in_row(course, rate), "its rate of change", "m/s") <= LARGE_RATE_MPS)
    violations = [Violation(v.start_s, v.end_s, "1") for v in distance.violations]
    violations += [Violation(v.start_s, v.end_s, "2") for v in change.violations]
    # One unit for both, whichever is worse: the share of its limit that is left.
    left = [distance.scaled(by=LARGE_DISTANCE_M), change.scaled(by=LARGE_RATE_MPS)]
    seen = [(part.value, part.at_s) for part in left if part.value is not None]
    if not seen:
        return None
    worst, at_s = min(seen)
    return Judgement(worst, "of the limit", at_s, tuple(violations))


def _smooth_rate(
    time_s: NDArray[np.float64], values: NDArray[np.float64], window_s: float = 0.5
) -> NDArray[np.float64]:
    """Rate of change over half a second, missing where the signal is."""
    step = max(1, round(window_s / max(1e-9, float(np.median(np.diff(time_s))))))
    rate = np.full(len(values), np.nan)
    rate[step:] = (values[step:] - values[:-step]) / (time_s[step:] - time_s[:-step])
    return rate


def row_order(evidence: Evidence) -> Judgement | None:
    """P3: rows are weeded in the right order; an unfinished mission is no violation."""
    course = course_of(evidence)
    if not course.passes:
        return None
    expected = [track.lane for track in course.mission.tracks]
    time_s = course.truth.time_s
    margin, at_s, violations = np.inf, None, []
    for i, lane_pass in enumerate(course.passes):
        slack = _lane_margin(course, lane_pass, expected[i]) if i < len(expected) else -1.0
        if slack < margin:
            margin, at_s = slack, float(time_s[lane_pass.start])
        if i >= len(expected) or lane_pass.lane != expected[i]:
            wrong = _wrong_lane([p.lane for p in course.passes[: i + 1]], expected, i)
            violations.append(Violation(float(time_s[lane_pass.start]), float(time_s[lane_pass.stop - 1]), wrong))
            break
        if lane_pass.left_at is not None:
            violations.append(Violation(float(time_s[lane_pass.left_at]), float(time_s[lane_pass.stop - 1]), "4"))
            break
    return Judgement(float(margin), "m", at_s, tuple(violations))


def _wrong_lane(lanes: list[int], expected: list[int], i: int) -> str:
    lane = lanes[i]
    if i and lane == lanes[i - 1]:
        return "1"
    if lane in lanes[:i] or (i < len(expected) and lane < expected[i]):
        return "2"
    return "3"


def _lane_margin(course: Course, lane_pass: Pass, lane: int) -> float:
    """How far inside the expected lane the pass stayed once in the row (negative: how far outside)."""
    rows = course.mission.row_y_m
    side = 1.0 if len(rows) < 2 or rows[1] > rows[0] else -1.0
    y = side * course.truth.y_m[lane_pass.start : lane_pass.stop]
    low = side * rows[lane - 1] if lane > 0 else -np.inf
    high = side * rows[lane] if lane < len(rows) else np.inf
    inside = np.minimum(y - low, high - y)
    middle = float(np.median(inside))
    # In another lane, the margin says so even if the pass came back later.
    wrong = lane_pass.lane != lane and middle >= 0.0
    margin = float(inside.min()) if wrong or lane_pass.left_at is not None else middle
    return margin if np.isfinite(margin) else 1.0


def _whole(course: Course, lane_pass: Pass) -> bool:
    """Whether a pass reached both ends of the rows, and left them."""
    x = course.truth.x_m[lane_pass.start : lane_pass.stop]
    unseen_m = (course.x_east_m - course.x_west_m) - float(np.ptp(x))
    return unseen_m < _UNSEEN_M and lane_pass.stop < len(course.truth)


def completes(evidence: Evidence) -> Judgement:
    """P9: every track is weeded, in its lane, from end to end, and the robot says so.

    The margin is minus the tracks left undone, and one more if the end was not told. A field that cannot be weeded as
    asked (stakes are missing, a row has a long gap) may be given up, if the robot says what is wrong with it.
    """
    course = course_of(evidence)
    if len(course.truth) == 0:
        return Judgement(None, "tracks", note="no truth was recorded", seen=False)
    tracks = course.mission.tracks
    pairs = zip(course.passes, tracks, strict=False)
    done = sum(lane_pass.lane == track.lane and _whole(course, lane_pass) for lane_pass, track in pairs)
    end_s = float(course.truth.time_s[-1])
    told = REPORT in evidence.trace.topics and any(
        isinstance(message, DiagnosticStatus) and message.level == 0
        for message in evidence.trace.topic(REPORT).messages
    )
    if excused(evidence):
        return Judgement(None, "tracks", end_s, note="given up for what is wrong with the field")
    undone = len(tracks) - done
    if not undone and not told:  # nothing is left undone: the silence has no measure in tracks
        return Judgement(None, "tracks", end_s, (Violation(end_s, end_s, "2"),))
    return Judgement(float(-undone), "tracks", end_s, (Violation(end_s, end_s, "1"),) if undone else ())
