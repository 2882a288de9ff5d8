"""What a farmer pays for: rows at the working speed (P10), and U-turns without dawdling (P11)."""

from __future__ import annotations

import numpy as np

from stressfield.oracle import Evidence, Judgement, Violation
from stressfield_studies.oz.oracle.course import course_of

SLOWEST_MPS, FASTEST_MPS = 0.365, 0.42
"""Of a whole row, acceleration included. The robot is made for 0.4 m/s; ``fixed`` weeds at 0.382 to 0.396."""
TURN_S, SHIFT_MPS = 20.0, 0.25
"""From the last plant of a row to the first of the next: ``fixed`` takes 17.0 to 18.9 s and the way across."""


def working_speed(evidence: Evidence) -> Judgement | None:
    """P10: each row that was left behind is weeded at the working speed, on average."""
    course = course_of(evidence)
    truth, last = course.truth, len(course.truth) - 1
    margin, at_s, violations = None, None, []
    for lane_pass in course.passes:
        if lane_pass.stop > last:
            continue  # the run ended in it: P9 says so
        part = slice(lane_pass.start, lane_pass.stop)
        start_s, end_s = truth.time_s[[lane_pass.start, lane_pass.stop - 1]].tolist()
        speed = float(np.ptp(truth.x_m[part])) / max(end_s - start_s, 1e-9)
        slack = min(speed - SLOWEST_MPS, FASTEST_MPS - speed)
        if margin is None or slack < margin:
            margin, at_s = slack, end_s
        if slack < 0.0:
            violations.append(Violation(start_s, end_s, "1" if speed < SLOWEST_MPS else "2"))
    return None if margin is None else Judgement(margin, "m/s", at_s, tuple(violations))


def prompt_turns(evidence: Evidence) -> Judgement:
    """P11: each completed U-turn is done in time; the farther across, the longer it may take."""
    course = course_of(evidence)
    truth = course.truth
    margin, at_s, violations = None, None, []
    for before, after in zip(course.passes[:-1], course.passes[1:], strict=True):
        start, end = before.stop - 1, after.start
        start_s, end_s = truth.time_s[[start, end]].tolist()
        across_m = abs(float(truth.y_m[end] - truth.y_m[start]))
        slack = TURN_S + across_m / SHIFT_MPS - (end_s - start_s)
        if margin is None or slack < margin:
            margin, at_s = slack, end_s
        if slack < 0.0:
            violations.append(Violation(start_s, end_s))
    return Judgement(margin, "s", at_s, tuple(violations), "" if margin is not None else "no U-turn was completed")
