"""Pictures of a run, drawn by MuJoCo from the recording: the robot, its arm and the objects as they were at a time."""

from __future__ import annotations

from math import degrees
from typing import Any

import numpy as np

from stressfield.errors import TraceError
from stressfield.oracle import Evidence
from stressfield.scenario import Scenario
from stressfield.trace import Trace
from stressfield.world.formats import encode_colour
from stressfield_studies.tabletop import robot
from stressfield_studies.tabletop.oracle.executions import executions
from stressfield_studies.tabletop.oracle.scene_truth import SceneHistory, scene_of

WIDTH_PX, HEIGHT_PX = 400, 340
DISTANCE_M = 1.5
ASIDE_DEG = 130.0
DOWN_DEG = -40.0
BEFORE_S = 1.5


def picture(scenario: Scenario, trace: Trace, at_s: float) -> bytes:
    """A PNG of three moments, side by side: just before the gripper is nearest to the object, then, and ``at_s``.

    The moments are those of the action that goes on at ``at_s``, or that has just ended.
    """
    from stressfield.sim.mujoco import (  # noqa: PLC0415 (an optional extra)
        Camera,
        CameraView,
        MujocoSimulator,
    )
    from stressfield_studies.tabletop.devices import devices  # noqa: PLC0415

    evidence = Evidence(trace, scenario)
    scene = scene_of(evidence)
    if scene is None or not len(trace.truth(robot.NAME)):
        raise TraceError("The recording holds no positions of robot and objects, so no picture can be drawn.")
    session = MujocoSimulator(devices=devices).open(scenario, seed=0)
    try:
        frames = []
        with Camera(session.model, width_px=WIDTH_PX, height_px=HEIGHT_PX) as camera:
            for moment_s in moments(evidence, scene, at_s):
                yaw_rad = _put(session.model, session.data, scene, trace, moment_s)
                view = CameraView(
                    at=_middle(scene, scene.at(moment_s)),
                    distance_m=DISTANCE_M,
                    azimuth_deg=degrees(yaw_rad) + ASIDE_DEG,
                    elevation_deg=DOWN_DEG,
                )
                frames.append(camera.pixels(session.data, view))
        return encode_colour(np.ascontiguousarray(np.hstack(frames)))
    finally:
        session.close()


def moments(evidence: Evidence, scene: SceneHistory, at_s: float) -> tuple[float, float, float]:
    """When to look: before the gripper is nearest to the object, then, and at the end."""
    begun = [execution for execution in executions(evidence) if execution.executed and execution.start_s < at_s]
    start_s = begun[-1].start_s if begun else 0.0
    window = scene.window(start_s, at_s)
    gap_m = np.linalg.norm(scene.poses[window, 0, :3] - scene.gripper[window], axis=1)
    nearest_s = float(scene.time_s[window.start + int(gap_m.argmin())])
    return max(start_s, nearest_s - BEFORE_S), nearest_s, at_s


def _put(model: Any, data: Any, scene: SceneHistory, trace: Trace, at_s: float) -> float:
    """Everything where it was; returns where the robot looks."""
    from stressfield.sim.mujoco import mujoco  # noqa: PLC0415

    truth = trace.truth(robot.NAME)
    row = max(0, int(np.searchsorted(truth.time_s, at_s, side="right")) - 1)
    yaw_rad = float(truth.yaw_rad[row])
    place = int(model.joint(robot.NAME).qposadr[0])
    data.qpos[place : place + 2] = truth.x_m[row], truth.y_m[row]
    data.qpos[place + 3 : place + 7] = np.cos(yaw_rad / 2.0), 0.0, 0.0, np.sin(yaw_rad / 2.0)
    for name, value in _joints(trace, at_s).items():
        data.qpos[int(model.joint(robot.PREFIX + name).qposadr[0])] = value
    for index, name in enumerate(scene.names):
        place = int(model.joint(name).qposadr[0])
        data.qpos[place : place + 7] = scene.poses[scene.at(at_s), index][[0, 1, 2, 6, 3, 4, 5]]
    mujoco.mj_forward(model, data)
    return yaw_rad


def _middle(scene: SceneHistory, sample: int) -> tuple[float, float, float]:
    x, y, z = (scene.poses[sample, 0, :3] + scene.gripper[sample]) / 2.0
    return float(x), float(y), float(z)


def _joints(trace: Trace, at_s: float) -> dict[str, float]:
    """Positions of the arm's joints, by name; none before the first report."""
    if robot.JOINTS not in trace.topics:
        return {}
    topic = trace.topic(robot.JOINTS)
    place = int(np.searchsorted(np.asarray(topic.publish_time_ns) / 1e9, at_s, side="right")) - 1
    message: Any = topic.messages[place] if place >= 0 else None
    return {} if message is None else dict(zip(message.name, np.asarray(message.position).tolist(), strict=True))
