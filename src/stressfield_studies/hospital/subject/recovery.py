"""What a robot does that makes no progress: wait, back up, look around, and in the end give up."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stressfield_studies.hospital.robot import CENTRE_M

STAGES = ("wait", "back up", "turn", "back up", "turn", "back up")
"""One after the other; the robot gives the goal up when all were tried in vain."""
STAGE_S = {"wait": 2.0, "back up": 2.0, "turn": 2.5}
BACK_MPS = 0.08
TURN_RADPS = 1.0
BEHIND_M = 0.2
BESIDE_M = 0.09


def back_up(seen: NDArray[np.float64]) -> tuple[float, float]:
    """Slowly backwards, unless something is behind."""
    behind = (seen[:, 0] < CENTRE_M) & (seen[:, 0] > CENTRE_M - BEHIND_M) & (np.abs(seen[:, 1]) < BESIDE_M)
    return (0.0, 0.0) if bool(behind.any()) else (-BACK_MPS, 0.0)


class Recovery:
    """The recovery behaviours of one goal."""

    def __init__(self) -> None:
        self._tried = 0
        self._until_ns = 0
        self._stage = ""

    def begin(self, now_ns: int) -> bool:
        """Start the next behaviour; False if none is left."""
        if self._tried == len(STAGES):
            return False
        self._stage = STAGES[self._tried]
        self._tried += 1
        self._until_ns = now_ns + round(STAGE_S[self._stage] * 1e9)
        return True

    def order(self, now_ns: int, seen: NDArray[np.float64]) -> tuple[float, float] | None:
        """Speed and turn rate while a behaviour lasts; None when there is none. ``seen`` are the scan's points."""
        if now_ns >= self._until_ns:
            return None
        if self._stage == "back up":
            return back_up(seen)
        if self._stage == "turn":
            return 0.0, TURN_RADPS if self._tried % 2 else -TURN_RADPS
        return 0.0, 0.0
