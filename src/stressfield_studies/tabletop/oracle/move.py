"""Properties that only driving to a place has."""

from __future__ import annotations

from math import pi

import numpy as np

from stressfield.oracle import TOUCH_M, Evidence, Judgement, Violation
from stressfield_studies.tabletop.mission import Location
from stressfield_studies.tabletop.oracle.executions import ActionExecution, mission_of
from stressfield_studies.tabletop.oracle.property_judge import Parameters, judged, number, text
from stressfield_studies.tabletop.oracle.scene_truth import scene_of
from stressfield_studies.tabletop.robot import NAME


def _goal(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Location:
    return mission_of(evidence).location(text(parameters, "destination", execution.step.location))


def _row(evidence: Evidence, time_s: float) -> int | None:
    times = evidence.trace.truth(NAME).time_s
    return None if not len(times) else max(0, int(np.searchsorted(times, time_s, side="right")) - 1)


def at_destination(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """At the end the robot is where it was sent."""
    row, goal = _row(evidence, execution.end_s), _goal(evidence, execution, parameters)
    if row is None:
        return None
    truth = evidence.trace.truth(NAME)
    far_m = float(np.hypot(truth.x_m[row] - goal.x_m, truth.y_m[row] - goal.y_m))
    return judged(number(parameters, "near_m") - far_m, "m", execution, subcase="elsewhere", note=f"{far_m:.2f} m off")


def facing_destination(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """At the end the robot faces as it was asked to."""
    row, goal = _row(evidence, execution.end_s), _goal(evidence, execution, parameters)
    if row is None:
        return None
    off = float(evidence.trace.truth(NAME).yaw_rad[row]) - goal.yaw_rad
    off_rad = abs((off + pi) % (2.0 * pi) - pi)
    return judged(number(parameters, "turned_rad") - off_rad, "rad", execution, subcase="turned away")


def no_collisions(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """On its way the robot touches no wall, table or obstacle."""
    del parameters
    truth, scene = evidence.trace.truth(NAME), scene_of(evidence)
    during = (truth.time_s >= execution.start_s) & (truth.time_s <= execution.end_s)
    if not during.any() or scene is None:
        return None
    gap, times = truth.clearance_m[during], truth.time_s[during]
    worst = int(np.argmin(gap))
    hits = times[gap < 0.0].tolist()
    window = scene.window(execution.start_s, execution.end_s)
    hits += scene.time_s[window][scene.robot_contact[window] > 0].tolist()
    violations = (Violation(min(hits), max(hits), "collision"),) if hits else ()
    margin = min(float(gap[worst]), -TOUCH_M) if hits else float(gap[worst])
    return Judgement(margin, "m", float(times[worst]), violations)
