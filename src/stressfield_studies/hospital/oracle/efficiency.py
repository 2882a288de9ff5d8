"""How well an undisturbed fleet works: at the right place for the right time (R4), and without dawdling (R5)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from stressfield.oracle import Evidence, Judgement, Violation
from stressfield_studies.hospital import robot
from stressfield_studies.hospital.mission import Duty
from stressfield_studies.hospital.model import CRUISE_MPS
from stressfield_studies.hospital.oracle.facts import completions, mission_of, observed

PLACE_M = 0.16
"""How far from its place a robot may work: the fleet stands up to 0.113 m away."""
START_S, WAY_SHARE = 1.0, 1.0
"""The fleet starts after a second and needs 0.68 to 0.95 of what its ways take at 0.2 m/s, as the crow does not fly:
along the corridor and across it, without corners cut."""


def works_in_place(evidence: Evidence) -> Judgement:
    """R4: before a robot says that a room is serviced it stood at the place of the task for as long as that takes."""
    if not observed(evidence):
        return Judgement(None, "m", note="no truth was recorded", seen=False)
    tasks = {(duty.robot, task.room): task for duty in mission_of(evidence).duties for task in duty.tasks}
    margin, at_s, violations = None, None, []
    for completion in completions(evidence):
        task = tasks.get((completion.robot, completion.room))
        if task is None:
            continue  # a room that was nobody's: R1 says so
        truth = evidence.trace.truth(completion.robot)
        working = (truth.time_s >= completion.time_s - task.task_s) & (truth.time_s <= completion.time_s)
        if not working.any():
            continue
        away = np.hypot(truth.x_m[working] - task.place.x_m, truth.y_m[working] - task.place.y_m)
        slack = PLACE_M - float(away.max())
        if margin is None or slack < margin:
            margin, at_s = slack, completion.time_s
        if slack < 0.0:
            violations.append(Violation(completion.time_s - task.task_s, completion.time_s))
    return Judgement(margin, "m", at_s, tuple(violations), "" if margin is not None else "no room was serviced")


def prompt(evidence: Evidence) -> Judgement:
    """R5: every robot that came home took no longer than its ways and tasks take. The margin is the time left."""
    margin, at_s, violations, late = None, None, [], []
    for duty in mission_of(evidence).duties:
        name = robot.topic(duty.robot, robot.AT_HOME)
        if name not in evidence.trace.topics or not len(evidence.trace.topic(name)):
            continue  # R2 and R3 say so
        home_s, needed_s = float(evidence.trace.topic(name).time_s[0]), reckoned_s(duty)
        if margin is None or needed_s - home_s < margin:
            margin, at_s = needed_s - home_s, home_s
        if home_s > needed_s:
            violations.append(Violation(needed_s, home_s))
            late.append(duty.robot)
    note = ", ".join(late) if margin is not None else "nobody came home"
    return Judgement(margin, "s", at_s, tuple(violations), note)


def reckoned_s(duty: Duty) -> float:
    """The longest that a robot should take for its duty."""
    places = [duty.home, *(task.place for task in duty.tasks), duty.home]
    ways_m = sum(abs(b.x_m - a.x_m) + abs(a.y_m) + abs(b.y_m) for a, b in pairwise(places))
    return START_S + WAY_SHARE * ways_m / CRUISE_MPS + sum(task.task_s for task in duty.tasks)
