"""C1 robots apart, C2 clear of walls, L1 localised, V1 plausible commands."""

from __future__ import annotations

from functools import reduce

import numpy as np

from stressfield.arrays import Floats
from stressfield.bus import FORWARDED
from stressfield.oracle import TOUCH_M, Curve, Evidence, Judgement, Violation, intervals
from stressfield_studies.hospital import robot
from stressfield_studies.hospital.oracle.facts import (
    Contact,
    gap_m,
    mission_of,
    observed,
    pairs,
    robot_contacts,
    wall_contacts,
)

LOCALISATION_TOLERANCE_M = 0.3
WELL_M, WELL_RAD = 0.12, 0.25
"""Undisturbed, the fleet is off by up to 0.066 m and 0.131 rad."""
APART_M, CLEAR_M = 0.06, 0.03
"""Undisturbed, robots stay 0.094 m or more apart, and 0.048 m or more from what stands on the floor."""
SLACK = 1.02
"""Commands up to 2 % above what the drive can do are rounding."""
_UNSEEN = Judgement(None, "m", note="no truth was recorded", seen=False)


def _judged(margin: float, at_s: float, contacts: list[Contact], curve: Curve | None) -> Judgement:
    violations = tuple(Violation(contact.start_s, contact.end_s, contact.where) for contact in contacts)
    note = ", ".join(dict.fromkeys(contact.robot for contact in contacts))
    return Judgement(min(margin, -TOUCH_M) if contacts else margin, "m", at_s, violations, note, curve=curve)


def _least(curves: list[Curve]) -> Curve | None:
    """Of all robots, or pairs of them, at each instant the one with the least left."""
    return reduce(Curve.joined, curves) if curves else None


def robots_apart(evidence: Evidence) -> Judgement:
    """C1: the outlines of robots never meet."""
    if not observed(evidence):
        return _UNSEEN
    least, at_s, curves = np.inf, 0.0, []
    for name, other in pairs(evidence):
        truth = evidence.trace.truth(name)
        gap = gap_m(truth, evidence.trace.truth(other))
        curves.append(Curve(truth.time_s, gap))
        worst = int(np.argmin(gap))
        if gap[worst] < least:
            least, at_s = float(gap[worst]), float(truth.time_s[worst])
    return _judged(least, at_s, robot_contacts(evidence), _least(curves))


def clear_of_walls(evidence: Evidence) -> Judgement:
    """C2: no robot touches anything that stands on the floor. Where another robot is nearer, the wall is farther."""
    if not observed(evidence):
        return _UNSEEN
    least, at_s, curves = np.inf, 0.0, []
    for duty in mission_of(evidence).duties:
        truth = evidence.trace.truth(duty.robot)
        clear = np.where(truth.touched_robot >= 0, np.inf, truth.clearance_m)
        curves.append(Curve(truth.time_s, clear))
        worst = int(np.argmin(clear))
        if clear[worst] < least:
            least, at_s = float(clear[worst]), float(truth.time_s[worst])
    return _judged(least, at_s, wall_contacts(evidence), _least(curves))


def localisation_error_m(evidence: Evidence, name: str) -> tuple[Floats, Floats]:
    """Times of a robot's poses, and how far each was from where the robot really was then."""
    topic = robot.topic(name, robot.POSE)
    if topic not in evidence.trace.topics:
        return np.zeros(0), np.zeros(0)
    truth, poses = evidence.trace.truth(name), evidence.trace.topic(topic)
    time_s = poses.column("header.stamp.sec") + poses.column("header.stamp.nanosec") / 1e9
    x, y = poses.column("pose.pose.position.x"), poses.column("pose.pose.position.y")
    true_x, true_y = np.interp(time_s, truth.time_s, truth.x_m), np.interp(time_s, truth.time_s, truth.y_m)
    return time_s, np.hypot(x - true_x, y - true_y)


def localised(evidence: Evidence) -> Judgement:
    """L1: every pose a robot tells is near the true one."""
    if not observed(evidence):
        return _UNSEEN
    worst, at_s, violations = -np.inf, None, []
    lost, curves = [], []
    for duty in mission_of(evidence).duties:
        time_s, error = localisation_error_m(evidence, duty.robot)
        if not len(error):
            return Judgement(None, "m", note=f"{duty.robot} told no pose", seen=False)
        if error.max() > worst:
            worst, at_s = float(error.max()), float(time_s[int(np.argmax(error))])
        curves.append(Curve(time_s, LOCALISATION_TOLERANCE_M - error))
        found = intervals(time_s, error > LOCALISATION_TOLERANCE_M)
        violations += [Violation(interval.start_s, interval.end_s) for interval in found]
        lost += [duty.robot] if found else []
    note = ", ".join(lost)
    return Judgement(LOCALISATION_TOLERANCE_M - worst, "m", at_s, tuple(violations), note, curve=_least(curves))


def well_localised(evidence: Evidence) -> Judgement:
    """L2: the poses that a robot tells are right to centimetres and degrees. The margin is a share of the tolerance."""
    if not observed(evidence):
        return Judgement(None, "of the tolerance", note="no truth was recorded", seen=False)
    worst, at_s, violations, curves = np.inf, None, [], []
    for duty in mission_of(evidence).duties:
        time_s, error = localisation_error_m(evidence, duty.robot)
        if not len(error):
            return Judgement(None, "of the tolerance", note=f"{duty.robot} told no pose", seen=False)
        shares = {"1": 1.0 - error / WELL_M, "2": 1.0 - _heading_error_rad(evidence, duty.robot, time_s) / WELL_RAD}
        for case, share in shares.items():
            curves.append(Curve(time_s, share))
            if share.min() < worst:
                worst, at_s = float(share.min()), float(time_s[int(np.argmin(share))])
            violations += [Violation(i.start_s, i.end_s, case) for i in intervals(time_s, share < 0.0)]
    return Judgement(worst, "of the tolerance", at_s, tuple(violations), curve=_least(curves))


def _heading_error_rad(evidence: Evidence, name: str, time_s: Floats) -> Floats:
    truth, poses = evidence.trace.truth(name), evidence.trace.topic(robot.topic(name, robot.POSE))
    yaw = 2.0 * np.arctan2(poses.column("pose.pose.orientation.z"), poses.column("pose.pose.orientation.w"))
    turned = yaw - np.interp(time_s, truth.time_s, np.unwrap(truth.yaw_rad))
    error: Floats = np.abs(np.angle(np.exp(1j * turned)))
    return error


def room_to_spare(evidence: Evidence) -> Judgement:
    """C3: nothing comes nearer to a robot than a few centimetres."""
    if not observed(evidence):
        return _UNSEEN
    worst, at_s, violations = np.inf, 0.0, []
    gaps = [(evidence.trace.truth(a), gap_m(evidence.trace.truth(a), evidence.trace.truth(b)) - APART_M, "1")
            for a, b in pairs(evidence)]  # fmt: skip
    for duty in mission_of(evidence).duties:
        truth = evidence.trace.truth(duty.robot)
        gaps.append((truth, np.where(truth.contact_body < -1.0, np.inf, truth.clearance_m) - CLEAR_M, "2"))
    for truth, left, case in gaps:
        if left.min() < worst:
            worst, at_s = float(left.min()), float(truth.time_s[int(np.argmin(left))])
        violations += [Violation(i.start_s, i.end_s, case) for i in intervals(truth.time_s, left < 0.0)]
    curve = _least([Curve(truth.time_s, left) for truth, left, _ in gaps])
    return Judgement(worst, "m", at_s, tuple(violations), curve=curve)


def plausible_commands(evidence: Evidence) -> Judgement:
    """V1: no command that reached a robot asks for more than its drive can do. The margin is a share of the limit."""
    return _plausible(evidence, arrived=True)


def plausible_orders(evidence: Evidence) -> Judgement:
    """V2: no command that a robot's software sent does, whatever became of it on the way."""
    return _plausible(evidence, arrived=False)


def _plausible(evidence: Evidence, *, arrived: bool) -> Judgement:
    worst, at_s, violations, seen = np.inf, None, [], False
    for duty in mission_of(evidence).duties:
        sent = robot.topic(duty.robot, robot.COMMAND)
        for name in (sent, sent + FORWARDED) if arrived else (sent,):
            if name not in evidence.trace.topics:
                continue
            if arrived and name == sent and sent + FORWARDED in evidence.trace.topics:
                continue
            seen = True
            topic = evidence.trace.topic(name)
            for subcase, path, limit in (
                ("1", "linear.x", robot.SPEED_MAX_MPS),
                ("2", "angular.z", robot.TURN_MAX_RADPS),
                ("3", "linear.y", robot.SPEED_MAX_MPS),
            ):
                share = np.abs(topic.column(path)) / limit
                left = SLACK - share
                if left.min() < worst:
                    worst, at_s = float(left.min()), float(topic.time_s[int(np.argmin(left))])
                violations += [Violation(i.start_s, i.end_s, subcase) for i in intervals(topic.time_s, left < 0.0)]
    return Judgement(float(worst), "of the limit", at_s, tuple(violations)) if seen else Judgement(None, "", seen=False)
