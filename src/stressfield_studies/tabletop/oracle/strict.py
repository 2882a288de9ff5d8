"""How well an action that succeeded was done: in good time, without detours, exactly, gently.

Not of the ontology: these are asked in the profile ``strict`` alone. Bounds are from the build ``fixed``, with room.
An action that did not succeed is not judged here: its success properties say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

import numpy as np

from stressfield.oracle import Evidence, Judgement, Oracle, Profile, Property, PropertyClass
from stressfield_studies.tabletop.messages import MOVE_TO, PERCEIVE_PLANE, PICK_OBJECT, PLACE_OBJECT
from stressfield_studies.tabletop.mission import Location
from stressfield_studies.tabletop.oracle import move, perceive, pick, place
from stressfield_studies.tabletop.oracle.executions import ActionExecution, ActionStatus, executions, mission_of
from stressfield_studies.tabletop.oracle.property_judge import Parameters, PropertyJudge, judged, number
from stressfield_studies.tabletop.oracle.scene_truth import scene_of
from stressfield_studies.tabletop.oracle.shared import handled
from stressfield_studies.tabletop.place.furniture import OBSTACLES
from stressfield_studies.tabletop.place.grid import Grid, plan
from stressfield_studies.tabletop.place.placement import ROBOT_RADIUS_M, before, outline
from stressfield_studies.tabletop.robot import NAME

_WHY_OFF = "the published study has no such property"
DRIVE_MPS = 0.3


def in_time(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement:
    """The action takes no longer than such an action must."""
    del evidence
    left_s = number(parameters, "within_s") - (execution.end_s - execution.start_s)
    return judged(left_s, "s", execution, subcase="slow")


def driven_in_time(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """The way that was driven took no longer than it must: so much a metre, and some seconds to turn and dock."""
    way = _way(evidence, execution)
    if way is None:
        return None
    within_s = number(parameters, "within_s") + way[0] / DRIVE_MPS
    return judged(within_s - (execution.end_s - execution.start_s), "s", execution, subcase="slow")


def no_detour(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """The way that was driven is not much longer than the one that somebody who knows all obstacles would take."""
    way = _way(evidence, execution)
    if way is None:
        return None
    allowed_m = number(parameters, "times") * way[1] + number(parameters, "more_m")
    return judged(allowed_m - way[0], "m", execution, subcase="detour", note=f"{way[0]:.2f} m for {way[1]:.2f} m")


def _way(evidence: Evidence, execution: ActionExecution) -> tuple[float, float] | None:
    """Metres driven, and metres of a good way from where the robot was to where it was sent."""
    truth, goal = evidence.trace.truth(NAME), mission_of(evidence).location(execution.step.location)
    during = (truth.time_s >= execution.start_s) & (truth.time_s <= execution.end_s)
    if not during.any():
        return None
    x, y = truth.x_m[during], truth.y_m[during]
    good_m = good_way_m(evidence, (float(x[0]), float(y[0])), goal)
    return float(np.hypot(np.diff(x), np.diff(y)).sum()), good_m


def good_way_m(evidence: Evidence, start: tuple[float, float], goal: Location) -> float:
    """Around all that stands in the rooms, to where the straight approach begins, and on; straight if there is none."""
    bodies, limits = evidence.scenario.world.bodies, evidence.scenario.world.region("limits")
    standing = [body for body in map(bodies.__getitem__, range(len(bodies))) if body.kind in OBSTACLES]
    grid = Grid.of(
        x0_m=limits.x_min_m, y0_m=limits.y_min_m, width_m=limits.x_max_m - limits.x_min_m,
        depth_m=limits.y_max_m - limits.y_min_m,
        walls=[*mission_of(evidence).walls, *(outline(body) for body in standing)],
    )  # fmt: skip
    way = plan(grid, start, before(goal), radius_m=ROBOT_RADIUS_M)
    if way is None:
        return hypot(start[0] - goal.x_m, start[1] - goal.y_m)
    x, y = np.array([start, *way]).T
    return float(np.hypot(np.diff(x), np.diff(y)).sum()) + goal.dock_m


def gentle(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """The object is let down, not dropped."""
    scene = scene_of(evidence)
    index = None if scene is None else scene.object(handled(evidence, execution, parameters).name)
    if scene is None or index is None:
        return None
    window = scene.window(execution.start_s, execution.end_s)
    fall = -np.diff(scene.poses[window, index, 2]) / np.maximum(np.diff(scene.time_s[window]), 1e-9)
    fastest = float(fall.max()) if len(fall) else 0.0
    return judged(number(parameters, "fall_mps") - fastest, "m/s", execution, subcase="dropped")


_PICK, _PLACE, _MOVE, _SEE = (PICK_OBJECT,), (PLACE_OBJECT,), (MOVE_TO,), (PERCEIVE_PLANE,)

STRICT_JUDGES = (
    ("MoveTo", PropertyJudge("InTime", "Drives without dawdling", _MOVE, driven_in_time, {"within_s": 8.0})),
    ("MoveTo", PropertyJudge("NoDetour", "Drives without detours", _MOVE, no_detour, {"times": 1.15, "more_m": 0.3})),
    ("MoveTo", PropertyJudge("Near", "Stops within 7 cm of its place", _MOVE, move.at_destination, {"near_m": 0.07})),
    ("MoveTo", PropertyJudge("Straight", "Faces as asked to 3 degrees", _MOVE, move.facing_destination,
                             {"turned_rad": 0.06})),
    ("PerceivePlane", PropertyJudge("InTime", "Perceives without dawdling", _SEE, in_time, {"within_s": 0.5})),
    ("PerceivePlane", PropertyJudge("ExactHeight", "The plane is right to 4 mm", _SEE, perceive.plane_height,
                                    {"height_m": 0.004})),
    ("Pick", PropertyJudge("InTime", "Picks without dawdling", _PICK, in_time, {"within_s": 12.5})),
    ("Pick", PropertyJudge("Lifted", "Lifts the object by 8 cm", _PICK, pick.lifted_object, {"least_m": 0.08})),
    ("Pick", PropertyJudge("HeldUpright", "Holds the object upright", _PICK, place.upright, {"tilt_rad": 0.15})),
    ("Place", PropertyJudge("InTime", "Places without dawdling", _PLACE, in_time, {"within_s": 16.5})),
    ("Place", PropertyJudge("StandsUpright", "The object stands upright", _PLACE, place.upright, {"tilt_rad": 0.05})),
    ("Place", PropertyJudge("Gentle", "Lets the object down gently", _PLACE, gentle, {"fall_mps": 0.5})),
)  # fmt: skip
"""What else is asked of each action, by its name in the study's own ontology."""


def strict_properties() -> Iterator[Property]:
    """A property of the profile ``strict`` for each of them."""
    for action, judge in STRICT_JUDGES:
        yield _property(action, judge)


def with_strict(oracle: Oracle) -> Oracle:
    """The oracle, with these properties added."""
    for prop in strict_properties():
        oracle.add(prop)
    return oracle


def _property(action: str, judge: PropertyJudge) -> Property:
    def done(evidence: Evidence) -> list[ActionExecution]:
        ours = [execution for execution in executions(evidence) if execution.action in judge.actions]
        return [execution for execution in ours if execution.status is ActionStatus.SUCCEEDED]

    def judged_all(evidence: Evidence) -> Judgement | None:
        found = [judge(evidence, execution, {}) for execution in done(evidence)]
        seen = [judgement for judgement in found if judgement is not None and judgement.margin is not None]
        if len(seen) < len(found) or not seen:
            return None
        worst = min(seen, key=lambda judgement: float("inf") if judgement.margin is None else judgement.margin)
        violations = tuple(violation for judgement in seen for violation in judgement.violations)
        return Judgement(worst.margin, worst.unit, worst.at_s, violations, worst.note)

    return Property(
        f"{action}.{judge.name}", PropertyClass.MISSION_PHASE, judge.title, judged_all,
        on=Profile.STRICT, why_off=_WHY_OFF, applies=lambda evidence: bool(done(evidence)),
    )  # fmt: skip
