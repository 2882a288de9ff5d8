"""Properties of a navigation run, and the facts that its class follows from."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.messages import DiagnosticStatus
from stressfield.errors import OracleError
from stressfield.oracle import (
    TOUCH_M,
    Curve,
    Evidence,
    Interval,
    Judgement,
    Violation,
    holds,
    intervals,
)
from stressfield.sim import MOBILITY
from stressfield.trace import Truth
from stressfield_studies.mana.mission import ManaMission
from stressfield_studies.mana.robot import MANA, PERCEIVED, REPORT

LOCALISATION_TOLERANCE_M, HEADING_TOLERANCE_RAD = 0.25, 0.1
"""The rover is off by up to 0.07 m and 0.012 rad; a wheel that slips on a slope may cost more."""
ROOM_M = 0.15
"""More room than this beside an obstacle is no safer: it is a cell of the rover's map, which knows places no better."""
NEW_COLLISION_AFTER_S = 1.0
_TOUCHED = {"tree": "1", "building": "2"}
_ERRORS = {"no arc elected": "1", "the robot does not move": "2"}


def truth_of(evidence: Evidence) -> Truth:
    """Where the rover really was."""
    return evidence.trace.truth(MANA.name)


def mission_of(evidence: Evidence) -> ManaMission:
    """What it was asked to do."""
    mission = evidence.scenario.mission
    if not isinstance(mission, ManaMission):
        raise OracleError(f"The mana oracle needs a ManaMission, got {type(mission).__name__}.")
    return mission


def report_of(evidence: Evidence) -> tuple[float, DiagnosticStatus] | None:
    """When and how the rover ended its mission; None if it did not."""
    if REPORT not in evidence.trace.topics or not len(evidence.trace.topic(REPORT)):
        return None
    topic = evidence.trace.topic(REPORT)
    message = topic.messages[0]
    assert isinstance(message, DiagnosticStatus)
    return float(topic.publish_time_ns[0]) / 1e9, message


def goal_distance_m(evidence: Evidence) -> NDArray[np.float64]:
    """Distance to the goal at every observation."""
    truth, mission = truth_of(evidence), mission_of(evidence)
    distance: NDArray[np.float64] = np.hypot(truth.x_m - mission.goal_x_m, truth.y_m - mission.goal_y_m)
    return distance


def contacts(evidence: Evidence) -> tuple[Interval, ...]:
    """Stretches of contact; those less than a second apart are one collision."""
    truth = truth_of(evidence)
    merged: list[Interval] = []
    for interval in intervals(truth.time_s, (truth.touched_body >= 0) | (truth.touched_robot >= 0)):
        if merged and interval.start_s - merged[-1].end_s < NEW_COLLISION_AFTER_S:
            merged[-1] = Interval(merged[-1].start_s, interval.end_s)
        else:
            merged.append(interval)
    return tuple(merged)


def no_collision(evidence: Evidence) -> Judgement | None:
    """N1: the footprint touches nothing. The margin is the least clearance, of which ``ROOM_M`` is enough."""
    truth, bodies = truth_of(evidence), evidence.scenario.world.bodies
    if not len(truth):
        return None
    violations = []
    for contact in contacts(evidence):
        touched = int(truth.touched_body[np.searchsorted(truth.time_s, contact.start_s)])
        kind = bodies.kinds[bodies.kind[touched]] if touched >= 0 else ""
        violations.append(Violation(contact.start_s, contact.end_s, _TOUCHED.get(kind, "3")))
    worst = int(np.argmin(truth.clearance_m))
    margin = min(float(truth.clearance_m[worst]), ROOM_M)
    margin = min(margin, -TOUCH_M) if violations else margin
    touches = (truth.touched_body >= 0) | (truth.touched_robot >= 0)
    left = np.where(touches, np.minimum(truth.clearance_m, -TOUCH_M), np.minimum(truth.clearance_m, ROOM_M))
    return Judgement(margin, "m", float(truth.time_s[worst]), tuple(violations), curve=Curve(truth.time_s, left))


def reaches_goal(evidence: Evidence) -> Judgement | None:
    """N2: the run ends within tolerance of the goal, in time."""
    truth, distance = truth_of(evidence), goal_distance_m(evidence)
    if not len(truth):
        return None
    margin = mission_of(evidence).tolerance_m - float(distance[-1])
    end_s = float(truth.time_s[-1])
    report = report_of(evidence)
    if report is not None and holds(margin):
        return Judgement(margin, "m", end_s)
    subcase = "2" if report is None else ("1" if report[1].level >= 2 else "3")
    # Near enough, but too late or without saying so: no distance measures that.
    measured = None if holds(margin) else margin
    return Judgement(measured, "m", end_s, (Violation(end_s, end_s, subcase),))


def no_error(evidence: Evidence) -> Judgement:
    """N3: the rover does not give up."""
    report = report_of(evidence)
    if report is None or report[1].level < 2:
        return Judgement(None, "")
    at_s, message = report
    return Judgement(None, "", at_s, (Violation(at_s, at_s, _ERRORS.get(message.message, "3")),), message.message)


def mobile(evidence: Evidence) -> Judgement:
    """N4: the ground never stops the rover."""
    if MOBILITY not in evidence.trace.topics:
        return Judgement(None, "")
    topic = evidence.trace.topic(MOBILITY)
    end_s = float(truth_of(evidence).time_s[-1])
    ends = [*topic.time_s[1:].tolist(), end_s]
    violations = [
        Violation(start_s, until_s, str(message.level))
        for start_s, until_s, message in zip(topic.time_s.tolist(), ends, topic.messages, strict=True)
        if isinstance(message, DiagnosticStatus) and message.level > 0
    ]
    return Judgement(None, "", violations=tuple(violations))


def self_localisation(evidence: Evidence) -> Judgement | None:
    """N5: the perceived pose is near the true one in position and heading. The margin is a share of the tolerance."""
    if PERCEIVED not in evidence.trace.topics or not len(evidence.trace.topic(PERCEIVED)):
        return None
    truth, topic = truth_of(evidence), evidence.trace.topic(PERCEIVED)
    time_s = topic.column("header.stamp.sec") + topic.column("header.stamp.nanosec") / 1e9
    true_x, true_y = np.interp(time_s, truth.time_s, truth.x_m), np.interp(time_s, truth.time_s, truth.y_m)
    error = np.hypot(topic.column("pose.position.x") - true_x, topic.column("pose.position.y") - true_y)
    qx, qy, qz, qw = (topic.column(f"pose.orientation.{part}") for part in "xyzw")
    yaw = np.arctan2(2.0 * (qw * qz + qx * qy), 1.0 - 2.0 * (qy * qy + qz * qz))
    turned = np.angle(np.exp(1j * (yaw - np.interp(time_s, truth.time_s, np.unwrap(truth.yaw_rad)))))
    shares = {"1": 1.0 - error / LOCALISATION_TOLERANCE_M, "2": 1.0 - np.abs(turned) / HEADING_TOLERANCE_RAD}
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
