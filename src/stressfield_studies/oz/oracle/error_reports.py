"""Properties of error reports: the robot stops soon after one (P8), and does not raise them without cause (P8')."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from stressfield.bus.messages import DiagnosticStatus
from stressfield.oracle import Evidence, Judgement, Violation
from stressfield_studies.oz.field import STAKE_DISTANCE_M
from stressfield_studies.oz.oracle.course import Course, course_of
from stressfield_studies.oz.robot import REPORT

STOPPING_DISTANCE_M = 0.30
_STOPPED_FOR_S = 1.0
_STAKE_TOLERANCE_M = 0.05
_BLIND_M, _BLIND_FOR_S = 3.0, 8.0
"""What a blind course is: so much driven without seeing a row, and how long that takes at 0.4 m/s."""
_SEES_ROW_M = 0.25
"""Farther from its track the row is out of the gate within which its points are looked for."""
_ROW_HALF_M = 0.12
"""Plants stand up to 0.06 m beside the line of their row; the next row is 0.65 m or more away."""
_OFF_HEADING_RAD = np.radians(10.0)

SUBCASE = {"blind course": "1", "steersman": "2", "invalid markers spacing": "3", "bumper": "4"}


@dataclass(frozen=True, slots=True)
class Error:
    """An error report of the robot, and the sample of the truth at which it was sent."""

    text: str
    time_s: float
    index: int


def errors(evidence: Evidence) -> list[Error]:
    """All error reports of a run."""
    if REPORT not in evidence.trace.topics:
        return []
    topic = evidence.trace.topic(REPORT)
    time_s = course_of(evidence).truth.time_s
    found = []
    for sent_ns, message in zip(topic.publish_time_ns, topic.messages, strict=True):
        if isinstance(message, DiagnosticStatus) and message.level >= 2:
            at_s = float(sent_ns) / 1e9
            found.append(Error(message.message, at_s, min(int(np.searchsorted(time_s, at_s)), len(time_s) - 1)))
    return found


def stops_after_error(evidence: Evidence) -> Judgement:
    """P8: after reporting an error the robot stops within a short distance."""
    course = course_of(evidence)
    if len(course.truth) == 0:
        return Judgement(None, "m", note="no truth was recorded", seen=False)
    margin, at_s, violations = None, None, []
    open_end = False
    for error in errors(evidence):
        if course.truth.time_s[-1] - error.time_s < _STOPPED_FOR_S:
            open_end = True
            continue
        travelled = _travelled(course, error.index)
        slack = STOPPING_DISTANCE_M - float(travelled[-1])
        if margin is None or slack < margin:
            margin, at_s = slack, error.time_s
        if slack < 0.0:
            beyond = error.index + int(np.argmax(travelled > STOPPING_DISTANCE_M))
            times = course.truth.time_s
            violations.append(Violation(float(times[beyond]), float(times[-1]), SUBCASE.get(error.text, "5")))
    if open_end and not violations:
        return Judgement(None, "m", note="the recording ends with the error", seen=False)
    note = "" if margin is not None else "no error was reported"
    return Judgement(margin, "m", at_s, tuple(violations), note, vacuous=margin is None)


def _travelled(course: Course, index: int) -> np.ndarray:
    step = np.hypot(np.diff(course.truth.x_m[index:]), np.diff(course.truth.y_m[index:]))
    return np.concatenate([[0.0], np.cumsum(step)])


def errors_are_justified(evidence: Evidence) -> Judgement:
    """P8': what an error speaks of can be seen in the truth.

    A blind course needs a stretch without plants, or a robot that has left its track; a markers error a stake out of
    place or the wrong lane; a steersman error a heading that is off; a bumper error a contact. Others have no cause.
    """
    course = course_of(evidence)
    if len(course.truth) == 0:
        return Judgement(None, "", note="no truth was recorded", seen=False)
    found = errors(evidence)
    violations = tuple(
        Violation(error.time_s, error.time_s, SUBCASE.get(error.text, "5"))
        for error in found
        if not _justified(evidence, course, error)
    )
    return Judgement(None, "", found[0].time_s if found else None, violations)


def _justified(evidence: Evidence, course: Course, error: Error) -> bool:
    if error.text == "invalid markers spacing":
        return not _stakes_stand_right(evidence) or not _in_right_lane(course, error.index)
    if error.text == "steersman":
        return bool(
            abs(np.sin(course.truth.yaw_rad[max(0, error.index - 20) : error.index + 1])).max()
            > np.sin(_OFF_HEADING_RAD)
        )
    if error.text == "bumper":
        return bool((course.truth.touched_body[max(0, error.index - 10) : error.index + 1] >= 0).any())
    if error.text == "blind course":
        return _gap_beside(evidence, course, error) or not _on_track(course, error)
    return False


def excused(evidence: Evidence) -> bool:
    """Whether the robot gave up for something that is wrong with the field, not with itself."""
    course = course_of(evidence)
    return any(
        (error.text == "invalid markers spacing" and not _stakes_stand_right(evidence))
        or (error.text == "blind course" and _gap_beside(evidence, course, error))
        for error in errors(evidence)
    )


def _gap_beside(evidence: Evidence, course: Course, error: Error) -> bool:
    """Whether a row beside the track has a stretch without plants, where the robot drove, that is long enough."""
    along = int(course.pass_of[error.index])
    track = course.track(along) if along >= 0 else None
    if track is None:
        return False
    world, x = evidence.scenario.world, float(course.truth.x_m[error.index])
    bodies = world.bodies
    plants = np.setdiff1d(np.flatnonzero(bodies.solid), bodies.of_kind("stake"))
    for beside in (track.left_row, track.right_row):
        if beside is None:
            continue
        row = world.region(f"row {beside}")
        mine = plants[np.abs(bodies.y_m[plants] - course.mission.row_y_m[beside]) < _ROW_HALF_M]
        stands = np.sort(np.concatenate([[row.x_min_m, row.x_max_m], bodies.x_m[mine]]))
        starts, ends = stands[:-1], stands[1:]
        here = (starts < x + _BLIND_M) & (ends > x - _BLIND_M)
        if bool((here & (ends - starts >= _BLIND_M)).any()):
            return True
    return False


def _on_track(course: Course, error: Error) -> bool:
    """Whether the robot was where its row can be seen, on the stretch that it says it drove blindly."""
    along = int(course.pass_of[error.index])
    track = course.track(along) if along >= 0 else None
    if track is None:
        return False
    before = int(np.searchsorted(course.truth.time_s, error.time_s - _BLIND_FOR_S))
    begin = max(course.passes[along].start, before)
    away = np.abs(course.truth.y_m[begin : error.index + 1] - track.y_m)
    return bool(away.max() <= _SEES_ROW_M)


def _stakes_stand_right(evidence: Evidence) -> bool:
    """Whether each row has a stake where it belongs at both ends; what else is red does not matter."""
    world = evidence.scenario.world
    stakes = world.bodies.of_kind("stake")
    x, y = world.bodies.x_m[stakes], world.bodies.y_m[stakes]
    for row in world.regions_of_kind("row"):
        middle = (row.y_min_m + row.y_max_m) / 2.0
        for end in (row.x_min_m - STAKE_DISTANCE_M, row.x_max_m + STAKE_DISTANCE_M):
            if len(stakes) == 0 or np.hypot(x - end, y - middle).min() > _STAKE_TOLERANCE_M:
                return False
    return True


def _in_right_lane(course: Course, index: int) -> bool:
    passes = [i for i, lane_pass in enumerate(course.passes) if lane_pass.start <= index]
    if not passes:
        return True
    track = course.track(passes[-1])
    return track is not None and course.passes[passes[-1]].lane == track.lane
