"""Where the objects and the gripper really were, from the observer's topic of a recording."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stressfield.arrays import Floats
from stressfield.oracle import Evidence
from stressfield_studies.tabletop.messages import SceneTruth
from stressfield_studies.tabletop.robot import SCENE


@dataclass(frozen=True, slots=True, eq=False)
class SceneHistory:
    """``poses`` is [time, object, x y z qx qy qz qw]; ``touching`` [time, object] are bits as in SceneTruth."""

    names: tuple[str, ...]
    time_s: Floats
    poses: Floats
    touching: NDArray[np.uint8]
    robot_contact: NDArray[np.uint8]
    gripper: Floats
    gripper_width: Floats

    def at(self, time_s: float) -> int:
        """The last sample that is not later."""
        return max(0, int(np.searchsorted(self.time_s, time_s, side="right")) - 1)

    def window(self, start_s: float, end_s: float) -> slice:
        """The samples of a time window; at least one."""
        first = self.at(start_s)
        return slice(first, max(first, self.at(end_s)) + 1)

    def object(self, name: str) -> int | None:
        """The index of an object, or None when it was not observed."""
        return self.names.index(name) if name in self.names else None


def scene_of(evidence: Evidence) -> SceneHistory | None:
    """What the observer saw, or None when nothing was recorded."""
    if SCENE not in evidence.trace.topics or not len(evidence.trace.topic(SCENE)):
        return None
    topic = evidence.trace.topic(SCENE)
    messages = [message for message in topic.messages if isinstance(message, SceneTruth)]
    names = messages[0].names
    return SceneHistory(
        names=tuple(names),
        time_s=np.asarray(topic.publish_time_ns, dtype=np.float64) / 1e9,
        poses=np.array([m.poses for m in messages], dtype=np.float64).reshape(len(messages), len(names), 7),
        touching=np.array([m.touching for m in messages], dtype=np.uint8).reshape(len(messages), len(names)),
        robot_contact=np.array([m.robot_contact for m in messages], dtype=np.uint8),
        gripper=np.array(
            [(m.gripper.position.x, m.gripper.position.y, m.gripper.position.z) for m in messages], dtype=np.float64
        ),
        gripper_width=np.array([m.gripper_width for m in messages], dtype=np.float64),
    )
