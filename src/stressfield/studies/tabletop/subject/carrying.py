"""How an object is carried: near the base, turned as it was taken."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stressfield.studies.tabletop.subject.arm import Motion, between
from stressfield.studies.tabletop.subject.grasping import TOP_SLANT, seed_for
from stressfield.studies.tabletop.subject.kinematics import ToolPose, downwards, inverse, slanted

Floats = NDArray[np.float64]

AHEAD_M = (0.28, 0.33, 0.38, 0.43)
HIGHER_M = (0.0, -0.05, -0.1, 0.05)


def carry(line: Floats, z_m: float, slant: float) -> list[Motion]:
    """From the top of the way to the object: draw it to the base, then turn it ahead. None of it if it cannot be."""
    start = line[0]
    towards = float(start[0])
    ahead = np.array([np.cos(towards), np.sin(towards), 0.0])
    turned = downwards(towards - np.pi / 2.0) if slant >= TOP_SLANT else slanted(towards, slant)
    for higher in HIGHER_M:
        for far in AHEAD_M:
            where = far * ahead + np.array([0.0, 0.0, z_m + higher])
            seed = seed_for(slant, float(where[0]), float(where[1]))
            joints = inverse(ToolPose(where, turned), seed, rest=seed)
            if joints is not None:
                front = joints.copy()
                front[0] -= towards
                return [between(start, joints), between(joints, front)]
    return []
