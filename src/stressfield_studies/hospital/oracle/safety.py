"""C1 robots apart, C2 clear of walls, L1 localised, V1 plausible commands."""

from __future__ import annotations

import numpy as np

from stressfield.arrays import Floats
from stressfield.bus import FORWARDED
from stressfield.oracle import TOUCH_M, Evidence, Judgement, Violation, intervals
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
SLACK = 1.02
"""Commands up to 2 % above what the drive can do are rounding."""
_UNSEEN = Judgement(None, "m", note="no truth was recorded", seen=False)


def _judged(margin: float, at_s: float, contacts: list[Contact]) -> Judgement:
    violations = tuple(Violation(contact.start_s, contact.end_s, contact.where) for contact in contacts)
    note = ", ".join(dict.fromkeys(contact.robot for contact in contacts))
    return Judgement(min(margin, -TOUCH_M) if contacts else margin, "m", at_s, violations, note)


def robots_apart(evidence: Evidence) -> Judgement:
    """C1: the outlines of robots never meet."""
    if not observed(evidence):
        return _UNSEEN
    least, at_s = np.inf, 0.0
    for name, other in pairs(evidence):
        truth = evidence.trace.truth(name)
        gap = gap_m(truth, evidence.trace.truth(other))
        worst = int(np.argmin(gap))
        if gap[worst] < least:
            least, at_s = float(gap[worst]), float(truth.time_s[worst])
    return _judged(least, at_s, robot_contacts(evidence))


def clear_of_walls(evidence: Evidence) -> Judgement:
    """C2: no robot touches anything that stands on the floor. Where another robot is nearer, the wall is farther."""
    if not observed(evidence):
        return _UNSEEN
    least, at_s = np.inf, 0.0
    for duty in mission_of(evidence).duties:
        truth = evidence.trace.truth(duty.robot)
        clear = np.where(truth.touched_robot >= 0, np.inf, truth.clearance_m)
        worst = int(np.argmin(clear))
        if clear[worst] < least:
            least, at_s = float(clear[worst]), float(truth.time_s[worst])
    return _judged(least, at_s, wall_contacts(evidence))


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
    lost = []
    for duty in mission_of(evidence).duties:
        time_s, error = localisation_error_m(evidence, duty.robot)
        if not len(error):
            return Judgement(None, "m", note=f"{duty.robot} told no pose", seen=False)
        if error.max() > worst:
            worst, at_s = float(error.max()), float(time_s[int(np.argmax(error))])
        found = intervals(time_s, error > LOCALISATION_TOLERANCE_M)
        violations += [Violation(interval.start_s, interval.end_s) for interval in found]
        lost += [duty.robot] if found else []
    return Judgement(LOCALISATION_TOLERANCE_M - worst, "m", at_s, tuple(violations), ", ".join(lost))


def plausible_commands(evidence: Evidence) -> Judgement:
    """V1: no command that reached a robot asks for more than its drive can do. The margin is a share of the limit."""
    worst, at_s, violations, seen = np.inf, None, [], False
    for duty in mission_of(evidence).duties:
        sent = robot.topic(duty.robot, robot.COMMAND)
        for name in (sent, sent + FORWARDED):
            if name not in evidence.trace.topics or (name == sent and sent + FORWARDED in evidence.trace.topics):
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
