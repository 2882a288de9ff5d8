"""How an object is carried: near the base, turned as it was taken."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from stressfield.arrays import Floats
from stressfield_studies.tabletop.robot import ARM_Z_M
from stressfield_studies.tabletop.subject.arm import Motion, between
from stressfield_studies.tabletop.subject.grasp import TOP_SLANT, seed_for
from stressfield_studies.tabletop.subject.kinematics import ToolPose, downwards, inverse, slanted

AHEAD_M = (0.28, 0.33, 0.38, 0.43)
SAFE_M = 0.80
"""Above the floor: what is carried so high passes over every table."""


def carry(line: Floats, z_m: float, slant: float, foot_m: float) -> list[Motion]:
    """From the top of the way to the object: draw it to the base, then turn it ahead. None of it if it cannot be.

    ``z_m`` is how high the gripper is there, ``foot_m`` how far the object hangs down from it.
    """
    start = line[0]
    towards = float(start[0])
    ahead = np.array([cos(towards), sin(towards), 0.0])
    turned = downwards(towards - np.pi / 2.0) if slant >= TOP_SLANT else slanted(towards, slant)
    safe_m = SAFE_M + foot_m - ARM_Z_M
    for high_m in (max(safe_m, z_m), safe_m, z_m, z_m - 0.05):
        for far in AHEAD_M:
            where = far * ahead + np.array([0.0, 0.0, high_m])
            seed = seed_for(slant, float(where[0]), float(where[1]))
            joints = inverse(ToolPose(where, turned), seed, rest=seed)
            if joints is not None:
                front = joints.copy()
                front[0] -= towards
                return [between(start, joints), between(joints, front)]
    return []
