"""Judges that serve several actions: completion, objects that must stay, and where a thing is."""

from __future__ import annotations

import numpy as np

from stressfield.oracle import Evidence, Judgement
from stressfield_studies.tabletop.messages import LEFT_FINGER, RIGHT_FINGER
from stressfield_studies.tabletop.mission import TableObject
from stressfield_studies.tabletop.oracle.executions import ActionExecution, mission_of, reported_success
from stressfield_studies.tabletop.oracle.property_judge import Parameters, holds, judged, number, text
from stressfield_studies.tabletop.oracle.scene_truth import SceneHistory, scene_of

HELD_WINDOW_S = 0.4


def completed(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement:
    """The action reports that it has done what it was asked to."""
    del parameters
    return holds(reported_success(evidence, execution), execution, subcase="gave up", note=execution.message)


def others_stay(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> Judgement | None:
    """No object but the one that is handled is moved by the action."""
    scene = scene_of(evidence)
    if scene is None:
        return None
    handled = text(parameters, "pickObject", execution.step.object)
    others = [i for i, name in enumerate(scene.names) if name != handled]
    allowed_m = number(parameters, "moved_m")
    if not others:
        return judged(allowed_m, "m", execution, subcase="collision", note="there is nothing else")
    before, after = scene.poses[scene.at(execution.start_s)], scene.poses[scene.at(execution.end_s)]
    moved = np.linalg.norm(after[others, :3] - before[others, :3], axis=1)
    worst = int(np.argmax(moved))
    note = f"{scene.names[others[worst]]} moved by {moved[worst]:.3f} m"
    return judged(allowed_m - float(moved[worst]), "m", execution, subcase="collision", note=note)


def handled(evidence: Evidence, execution: ActionExecution, parameters: Parameters) -> TableObject:
    """The object that the action is about."""
    return mission_of(evidence).object(text(parameters, "pickObject", execution.step.object))


def held(scene: SceneHistory, index: int, time_s: float) -> bool:
    """Whether both fingers touch an object, all the time just before."""
    touching = scene.touching[scene.window(time_s - HELD_WINDOW_S, time_s), index]
    both = LEFT_FINGER | RIGHT_FINGER
    return bool(((touching & both) == both).all())
