"""How a robot's speed changes: accelerations and jerk from the observed truth."""

from __future__ import annotations

import numpy as np

from stressfield.arrays import Floats, cosines, sines
from stressfield.trace import Truth


def along_heading(truth: Truth) -> tuple[Floats, Floats]:
    """Times, and the speed that a robot has then along its heading, as observed."""
    return truth.time_s, truth.speed_mps


def in_its_frame(truth: Truth, *, sideways: bool) -> tuple[Floats, Floats]:
    """Times, and the mean speed ahead (or to the left) since the observation before, in the robot's own frame.

    For a robot that moves sideways, too: its observed speed does not say which way. The way between two observations is
    a chord of its curve; it is made as long as the arc, or turning would look like slowing down.
    """
    times_s, yaw = truth.time_s, truth.yaw_rad
    elapsed_s = np.diff(times_s)
    turned = np.remainder(np.diff(yaw) + np.pi, 2.0 * np.pi) - np.pi
    middle = yaw[:-1] + turned / 2.0
    c, s = cosines(middle), sines(middle)
    dx, dy = np.diff(truth.x_m), np.diff(truth.y_m)
    way = dy * c - dx * s if sideways else dx * c + dy * s
    half = turned / 2.0
    arc = np.divide(half, sines(half), out=np.ones_like(half), where=np.abs(half) > 1e-9)
    return times_s[1:], way * arc / elapsed_s


def changes(times_s: Floats, values: Floats) -> tuple[Floats, Floats]:
    """Change per second since the sample before. The first sample has none and is left out."""
    return times_s[1:], np.diff(values) / np.diff(times_s)
