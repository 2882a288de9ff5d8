"""Properties that only perceiving a plane has."""

from __future__ import annotations

from math import cos, hypot, sin

import numpy as np

from stressfield.oracle import Evidence, Judgement
from stressfield_studies.tabletop.messages import PerceivedObject, PerceivePlaneResult, result_topic
from stressfield_studies.tabletop.mission import Surface
from stressfield_studies.tabletop.oracle.executions import ActionExecution, mission_of
from stressfield_studies.tabletop.oracle.property_judge import Parameters, holds, judged, number, text
from stressfield_studies.tabletop.oracle.scene_truth import scene_of
from stressfield_studies.tabletop.oracle.shared import held
from stressfield_studies.tabletop.robot import NAME


def _result(evidence: Evidence, execution: ActionExecution) -> PerceivePlaneResult | None:
    topic = result_topic(execution.action)
    if topic in evidence.trace.topics:
        for message in evidence.trace.topic(topic).messages:
            if isinstance(message, PerceivePlaneResult) and message.goal_id == execution.goal_id:
                return message
    return None


def _surface(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Surface:
    return mission_of(evidence).surface(text(parameters, "objectSurface", execution.step.surface))


def plane_height(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """The plane that was found is as high as the surface really is."""
    result, surface = _result(evidence, execution), _surface(evidence, execution, parameters)
    if result is None:
        return None
    if not result.plane_height:
        return holds(False, execution, subcase="no plane")
    off_m = result.plane_height[0].data - surface.height_m
    allowed_m = number(parameters, "height_m")
    return judged(allowed_m - abs(off_m), "m", execution, subcase="wrong height", note=f"{off_m:+.3f} m off")


def objects_perceived(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """Every object on the surface is among those that were found, of its kind and near its true place.

    What the gripper holds above the surface is not on it.
    """
    result, scene = _result(evidence, execution), scene_of(evidence)
    surface = _surface(evidence, execution, parameters)
    if result is None or scene is None:
        return None
    where = _map(evidence, execution, result.objects)
    if where is None:
        return None
    poses = scene.poses[scene.at(execution.start_s)]
    allowed_m = number(parameters, "near_m")
    worst, note = allowed_m, "nothing stands there"
    for index, (name, (x, y, z)) in enumerate(zip(scene.names, poses[:, :3].tolist(), strict=True)):
        if not on(surface, x, y, z) or held(scene, index, execution.start_s):
            continue
        kind = mission_of(evidence).object(name).kind
        offs = [hypot(a - x, b - y) for found, a, b in where if found.kind == kind]
        off_m = min(offs, default=float("inf"))
        if allowed_m - off_m < worst:
            worst, note = allowed_m - off_m, f"{name} is {off_m:.3f} m off" if offs else f"{name} was not found"
    if worst == -float("inf"):
        return holds(False, execution, subcase="missed", note=note)
    return judged(worst, "m", execution, subcase="misplaced", note=note)


def _map(
    evidence: Evidence, execution: ActionExecution, objects: tuple[PerceivedObject, ...]
) -> list[tuple[PerceivedObject, float, float]] | None:
    """What was perceived in the robot's frame, and where that is on the map."""
    truth = evidence.trace.truth(NAME)
    if not len(truth):
        return None
    row = max(0, int(np.searchsorted(truth.time_s, execution.end_s, side="right")) - 1)
    x, y, yaw = float(truth.x_m[row]), float(truth.y_m[row]), float(truth.yaw_rad[row])
    c, s = cos(yaw), sin(yaw)
    return [(thing, x + c * thing.x - s * thing.y, y + s * thing.x + c * thing.y) for thing in objects]


def on(surface: Surface, x: float, y: float, z: float) -> bool:
    """Whether a point is above a surface, within arm's length."""
    dx, dy = x - surface.x_m, y - surface.y_m
    c, s = cos(surface.yaw_rad), sin(surface.yaw_rad)
    inside = abs(dx * c + dy * s) <= surface.depth_m / 2.0 and abs(dy * c - dx * s) <= surface.length_m / 2.0
    return inside and surface.height_m < z < surface.height_m + 0.5
