"""Properties that only placing an object has."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from stressfield.oracle import Evidence, Judgement
from stressfield_studies.tabletop.messages import LEFT_FINGER, RIGHT_FINGER
from stressfield_studies.tabletop.mission import Surface, TableObject
from stressfield_studies.tabletop.oracle.executions import ActionExecution, mission_of
from stressfield_studies.tabletop.oracle.pick import left_surface
from stressfield_studies.tabletop.oracle.property_judge import Parameters, holds, judged, number, text
from stressfield_studies.tabletop.oracle.scene_truth import SceneHistory, scene_of
from stressfield_studies.tabletop.oracle.shared import handled, held


def on_surface(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """The object was brought to the surface and rests on it. Of a pick it demands the contrary: it has left it."""
    if execution.action == "pick_object":
        return left_surface(evidence, execution, parameters)
    scene, thing = scene_of(evidence), handled(evidence, execution, parameters)
    index = None if scene is None else scene.object(thing.name)
    if scene is None or index is None:
        return None
    if not held(scene, index, execution.start_s):
        return holds(False, execution, subcase="not brought", note="the object was not in the gripper before")
    name = execution.step.surface or thing.surface
    surface = mission_of(evidence).surface(text(parameters, "placeSurface", name))
    return _resting(scene, index, thing, surface, execution, number(parameters, "height_m"))


def _resting(
    scene: SceneHistory, index: int, thing: TableObject, surface: Surface, execution: ActionExecution, allowed_m: float
) -> Judgement:
    x, y, z = scene.poses[scene.at(execution.end_s), index, :3].tolist()
    dx, dy = x - surface.x_m, y - surface.y_m
    c, s = cos(surface.yaw_rad), sin(surface.yaw_rad)
    ahead, left = abs(dx * c + dy * s), abs(dy * c - dx * s)
    inside_m = min(surface.depth_m / 2.0 - ahead, surface.length_m / 2.0 - left)
    if inside_m < 0.0:
        return judged(inside_m, "m", execution, subcase="beside the surface")
    above_m = z - surface.height_m
    highest_m = max(thing.length_m, thing.width_m, thing.height_m) / 2.0
    lowest_m = min(thing.length_m, thing.width_m, thing.height_m) / 2.0
    margin_m = allowed_m + min(highest_m - above_m, above_m - lowest_m)
    return judged(margin_m, "m", execution, subcase="not at its height", note=f"its middle is {above_m:.3f} m above")


def released(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """The object was in the gripper before and is not touched by the fingers after."""
    scene = scene_of(evidence)
    index = None if scene is None else scene.object(handled(evidence, execution, parameters).name)
    if scene is None or index is None:
        return None
    if not held(scene, index, execution.start_s):
        return holds(False, execution, subcase="not brought", note="the object was not in the gripper before")
    fingers = int(scene.touching[scene.at(execution.end_s), index]) & (LEFT_FINGER | RIGHT_FINGER)
    return holds(fingers == 0, execution, subcase="still held")


def upright(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """The object stands as it stood at the beginning: its axis is upright."""
    scene = scene_of(evidence)
    index = None if scene is None else scene.object(handled(evidence, execution, parameters).name)
    if scene is None or index is None:
        return None
    qx, qy = scene.poses[scene.at(execution.end_s), index, 3:5].tolist()
    tilt_rad = float(np.arccos(np.clip(1.0 - 2.0 * (qx * qx + qy * qy), -1.0, 1.0)))
    return judged(number(parameters, "tilt_rad") - tilt_rad, "rad", execution, subcase="fell over")
