"""R1 all rooms, R2 home, R3 in time: judged by where robots really were, not by what they said alone."""

from __future__ import annotations

import numpy as np

from stressfield.oracle import Evidence, Judgement, Violation
from stressfield_studies.hospital.oracle.facts import (
    Completion,
    completions,
    home_distances_m,
    mission_of,
    observed,
    report_of,
    where,
)

HOME_TOLERANCE_M = 0.3
_UNSEEN = Judgement(None, "", note="no truth was recorded", seen=False)


def all_rooms(evidence: Evidence) -> Judgement:
    """R1: every assigned room is reported by its robot, which was in it. The margin is minus the rooms left out."""
    if not observed(evidence):
        return _UNSEEN
    wanted = {task.room for duty in mission_of(evidence).duties for task in duty.tasks}
    end_s = evidence.trace.end_time_ns / 1e9
    reported = completions(evidence)
    absent = [completion for completion in reported if not _was_there(evidence, completion)]
    missing = wanted - {completion.room for completion in reported}
    violations = [Violation(completion.time_s, completion.time_s, "2") for completion in absent]
    if missing:
        violations.append(Violation(end_s, end_s, "1"))
    note = f"left out: {', '.join(map(str, sorted(missing)))}" if missing else ""
    return Judgement(-float(len(missing) + len(absent)), "rooms", end_s, tuple(violations), note)


def _was_there(evidence: Evidence, completion: Completion) -> bool:
    truth, region = evidence.trace.truth(completion.robot), evidence.scenario.world.region(f"room {completion.room}")
    at = min(int(np.searchsorted(truth.time_s, completion.time_s)), len(truth) - 1)
    return bool(region.contains(truth.x_m[at : at + 1], truth.y_m[at : at + 1])[0])


def all_home(evidence: Evidence) -> Judgement:
    """R2: every robot ends within ``HOME_TOLERANCE_M`` of its charger."""
    if not observed(evidence):
        return _UNSEEN
    end_s = evidence.trace.end_time_ns / 1e9
    distances = home_distances_m(evidence)
    violations = []
    for name, distance in distances.items():
        if distance > HOME_TOLERANCE_M:
            truth = evidence.trace.truth(name)
            violations.append(Violation(end_s, end_s, where(evidence, float(truth.x_m[-1]), float(truth.y_m[-1]))))
    stranded = [name for name, distance in distances.items() if distance > HOME_TOLERANCE_M]
    note = f"not at home: {', '.join(stranded)}" if stranded else ""
    return Judgement(HOME_TOLERANCE_M - max(distances.values()), "m", end_s, tuple(violations), note)


def in_time(evidence: Evidence) -> Judgement:
    """R3: the coordinator reports the mission done before the time limit. The margin is the time left."""
    if not observed(evidence):
        return _UNSEEN
    limit_s = mission_of(evidence).limit_s
    report = report_of(evidence)
    if report is None:
        return Judgement(None, "s", None, (Violation(limit_s, limit_s, "1"),), "the mission did not end")
    time_s, message = report
    if message.level:
        return Judgement(None, "s", None, (Violation(time_s, time_s, "2"),), message.message)
    violations = (Violation(limit_s, time_s, "1"),) if time_s > limit_s else ()
    return Judgement(limit_s - time_s, "s", time_s, violations)
