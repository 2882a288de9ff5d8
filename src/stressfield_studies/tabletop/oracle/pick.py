"""The five properties of picking an object, after Table I of the published study."""

from __future__ import annotations

import numpy as np

from stressfield.oracle import Evidence, Judgement
from stressfield_studies.tabletop.oracle.executions import ActionExecution, mission_of
from stressfield_studies.tabletop.oracle.property_judge import Parameters, holds, judged, number, text
from stressfield_studies.tabletop.oracle.scene_truth import scene_of
from stressfield_studies.tabletop.oracle.shared import handled, held
from stressfield_studies.tabletop.robot import NAME


def close_object(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """Before the action the object is within reach of the robot."""
    scene = scene_of(evidence)
    if scene is None:
        return None
    index = scene.object(handled(evidence, execution, parameters).name)
    truth = evidence.trace.truth(NAME)
    if index is None or not len(truth):
        return None
    row = max(0, int(np.searchsorted(truth.time_s, execution.start_s, side="right")) - 1)
    x, y = scene.poses[scene.at(execution.start_s), index, :2]
    far_m = float(np.hypot(x - truth.x_m[row], y - truth.y_m[row]))
    reach_m = number(parameters, "reach_m")
    return judged(reach_m - far_m, "m", execution, subcase="too far", note=f"{far_m:.2f} m away")


def moved_object(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """The object is elsewhere after the action."""
    scene = scene_of(evidence)
    index = None if scene is None else scene.object(handled(evidence, execution, parameters).name)
    if scene is None or index is None:
        return None
    change = scene.poses[scene.at(execution.end_s), index, :3] - scene.poses[scene.at(execution.start_s), index, :3]
    return judged(float(np.linalg.norm(change)) - number(parameters, "least_m"), "m", execution, subcase="did not move")


def lifted_object(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """The object is higher after the action than before (``MovedAlongY`` of the published listing, where y is up)."""
    scene = scene_of(evidence)
    index = None if scene is None else scene.object(handled(evidence, execution, parameters).name)
    if scene is None or index is None:
        return None
    rise_m = scene.poses[scene.at(execution.end_s), index, 2] - scene.poses[scene.at(execution.start_s), index, 2]
    return judged(float(rise_m) - number(parameters, "least_m"), "m", execution, subcase="not lifted")


def left_surface(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """After the action the object's foot is above the surface it stood on."""
    scene, thing = scene_of(evidence), handled(evidence, execution, parameters)
    index = None if scene is None else scene.object(thing.name)
    if scene is None or index is None:
        return None
    surface = mission_of(evidence).surface(text(parameters, "objectSurface", thing.surface))
    lowest_m = float(scene.poses[scene.at(execution.end_s), index, 2]) - thing.height_m / 2.0
    above_m = lowest_m - surface.height_m - number(parameters, "least_m")
    return judged(above_m, "m", execution, subcase="on the surface")


def in_gripper(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """At the end of the action both fingers hold the object, between them."""
    scene = scene_of(evidence)
    index = None if scene is None else scene.object(handled(evidence, execution, parameters).name)
    if scene is None or index is None:
        return None
    if not held(scene, index, execution.end_s):
        return holds(False, execution, subcase="not held", note="not touched by both fingers")
    row = scene.at(execution.end_s)
    far_m = float(np.linalg.norm(scene.poses[row, index, :3] - scene.gripper[row]))
    return judged(number(parameters, "near_m") - far_m, "m", execution, subcase="not held")
