"""Critical events and thresholds: speed (P4), turn rate (P4'), collisions (P5), field limits (P6), place (P7)."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from stressfield.arrays import Floats
from stressfield.oracle import Curve, Evidence, Judgement, Robustness, Signal, Violation, always, intervals
from stressfield_studies.oz.oracle.course import Course, corners, course_of, situation
from stressfield_studies.oz.robot import PERCEIVED

SPEED_LIMIT_MPS = 0.45
TURN_LIMIT_RADPS, TURN_OVER_S = 0.70, 0.2
"""A robot that turns on the spot faster than that tears up the headland; ``fixed`` turns at 0.6 rad/s."""
LOCALISATION_TOLERANCE_M = 0.30
ACROSS_TOLERANCE_M, HEADING_TOLERANCE_RAD = 0.10, 0.15
"""``fixed`` is off by up to 0.053 m across a row and 0.093 rad (in U-turns)."""
BORDER_M = 0.10
"""``fixed`` stays 0.21 m or more from the border of the field."""
_STRIDE = 4


def speed(evidence: Evidence) -> Robustness:
    """P4: speed stays below the maximum."""
    truth = course_of(evidence).truth
    return always(Signal(truth.time_s, truth.speed_mps, "speed", "m/s") <= SPEED_LIMIT_MPS)


def turn_rate(evidence: Evidence) -> Robustness:
    """P4': the robot turns slowly enough."""
    truth = course_of(evidence).truth
    yaw, at = np.unwrap(truth.yaw_rad), np.searchsorted(truth.time_s, truth.time_s - TURN_OVER_S)
    later = at > 0  # the first samples have nothing behind them
    rate = np.abs(yaw - yaw[at])[later] / (truth.time_s - truth.time_s[at])[later]
    return always(Signal(truth.time_s[later], rate, "turn rate", "rad/s") <= TURN_LIMIT_RADPS)


def no_collision(evidence: Evidence) -> Judgement:
    """P5: the footprint touches neither plants nor stakes."""
    course = course_of(evidence)
    return _judged(course, course.truth.clearance_m)


def inside_field(evidence: Evidence) -> Judgement:
    """P6: the footprint stays within the limits of the field."""
    course = course_of(evidence)
    return _judged(course, _footprint_inside(course), side="3")


def clear_of_border(evidence: Evidence) -> Judgement:
    """P6': the footprint does not use up the border that the field allows for U-turns."""
    course = course_of(evidence)
    return _judged(course, _footprint_inside(course) - BORDER_M, side="3")


def no_collision_of_centre(evidence: Evidence) -> Judgement:
    """P5 as published: the robot is its centre point."""
    course = course_of(evidence)
    bodies, truth = evidence.scenario.world.bodies, course.truth
    solid = np.flatnonzero(bodies.solid)
    x, y = truth.x_m[::_STRIDE, None], truth.y_m[::_STRIDE, None]
    if len(truth.x_m) == 0 or len(solid) == 0:
        return _judged(course, np.ones(len(truth.x_m)))
    # Of bodies of one size the nearest is that of the least square: a root for each of them would cost the most of all.
    far = np.full(len(x), np.inf)
    for size_m in np.unique(bodies.size_x_m[solid]).tolist():
        alike = solid[bodies.size_x_m[solid] == size_m]
        across, along = x - bodies.x_m[alike], y - bodies.y_m[alike]
        nearest = np.argmin(across * across + along * along, axis=1)[:, None]
        apart = [np.take_along_axis(each, nearest, axis=1)[:, 0] for each in (across, along)]
        far = np.minimum(far, np.hypot(*apart) - size_m / 2.0)
    distance = np.repeat(far, _STRIDE)[: len(truth.x_m)]
    return _judged(course, distance)


def centre_inside_field(evidence: Evidence) -> Judgement:
    """P6 as published: the robot is its centre point."""
    course = course_of(evidence)
    truth = course.truth
    return _judged(course, _inside(course, truth.x_m, truth.y_m), side="3")


def self_localisation(evidence: Evidence) -> Robustness | None:
    """P7: the perceived position is near the true one."""
    if PERCEIVED not in evidence.trace.topics:
        return None
    truth = course_of(evidence).truth
    time_s, x = evidence.trace.column(PERCEIVED, "pose.position.x")
    _, y = evidence.trace.column(PERCEIVED, "pose.position.y")
    true_x, true_y = np.interp(time_s, truth.time_s, truth.x_m), np.interp(time_s, truth.time_s, truth.y_m)
    error = Signal(time_s, np.hypot(x - true_x, y - true_y), "error of the perceived position", "m")
    return always(error <= LOCALISATION_TOLERANCE_M)


def row_localisation(evidence: Evidence) -> Judgement | None:
    """P7': the perceived pose is right across rows while in them, and in heading everywhere.

    The margin is a share of the tolerance, for lengths and angles alike.
    """
    if PERCEIVED not in evidence.trace.topics or not len(evidence.trace.topic(PERCEIVED)):
        return None
    course, topic = course_of(evidence), evidence.trace.topic(PERCEIVED)
    truth = course.truth
    time_s = topic.column("header.stamp.sec") + topic.column("header.stamp.nanosec") / 1e9
    in_row = np.interp(time_s, truth.time_s, course.pass_of >= 0) == 1.0
    across = np.abs(topic.column("pose.position.y") - np.interp(time_s, truth.time_s, truth.y_m))
    yaw = 2.0 * np.arctan2(topic.column("pose.orientation.z"), topic.column("pose.orientation.w"))
    turned = yaw - np.interp(time_s, truth.time_s, np.unwrap(truth.yaw_rad))
    shares = {
        "1": 1.0 - np.where(in_row, across, 0.0) / ACROSS_TOLERANCE_M,
        "2": 1.0 - np.abs(np.angle(np.exp(1j * turned))) / HEADING_TOLERANCE_RAD,
    }
    left = np.minimum(shares["1"], shares["2"])
    worst = int(np.argmin(left))
    violations = [
        Violation(interval.start_s, interval.end_s, case)
        for case, share in shares.items()
        for interval in intervals(time_s, share < 0.0)
    ]
    return Judgement(
        float(left[worst]), "of the tolerance", float(time_s[worst]), tuple(violations), curve=Curve(time_s, left)
    )


@lru_cache(maxsize=1)  # of one course, which two properties ask for
def _footprint_inside(course: Course) -> Floats:
    return _inside(course, *corners(course.truth)).min(axis=0)


def _inside(course: Course, x: Floats, y: Floats) -> Floats:
    """Distance to the nearest limit of the field, negative outside."""
    limits = course.limits
    along = np.minimum(x - limits.x_min_m, limits.x_max_m - x)
    across = np.minimum(y - limits.y_min_m, limits.y_max_m - y)
    return np.minimum(along, across)


def _judged(course: Course, distance: Floats, *, side: str = "4") -> Judgement:
    """Violated wherever ``distance`` is negative; ``side`` is what the middle of a row counts as."""
    time_s = course.truth.time_s
    if len(time_s) == 0:
        return Judgement(None, "m", note="no truth was recorded", seen=False)
    worst = int(np.argmin(distance))
    violations = []
    for interval in intervals(time_s, distance < 0.0):
        where = situation(course, int(np.searchsorted(time_s, interval.start_s)))
        violations.append(Violation(interval.start_s, interval.end_s, side if where == "4" else where))
    return Judgement(
        float(distance[worst]), "m", float(time_s[worst]), tuple(violations), curve=Curve(time_s, distance)
    )
