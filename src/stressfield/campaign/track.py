"""Where the robot went, coarsely: kept of every run, so that recordings need not be."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from stressfield.errors import RigError
from stressfield.trace import Truth


@dataclass(frozen=True, slots=True)
class Track:
    """Real positions from time zero, one every ``step_s``; ``data`` holds x and y in metres as 32-bit floats."""

    step_s: float
    data: bytes

    @property
    def points(self) -> NDArray[np.float32]:
        """[n, 2] positions."""
        return np.frombuffer(self.data, dtype="<f4").reshape(-1, 2)


def checked_track(step_s: float, data: bytes) -> Track:
    """A track of the ledger; ValueError if it cannot be one."""
    if not isinstance(data, bytes) or len(data) % 8 or not (isinstance(step_s, float) and 0.0 < step_s < inf):
        raise ValueError(f"a track is {data!r:.40}, one point every {step_s!r:.40} s")
    return Track(step_s, data)


def track_of(truth: Truth, *, step_s: float) -> Track:
    """The track of a robot, interpolated from what was observed of it."""
    if not step_s > 0.0:
        raise RigError(f"Cannot keep a track with a point every {step_s!r} s. Wanted a positive track_step_s.")
    if not len(truth):
        return Track(step_s, b"")
    time_s = truth.time_ns / 1e9
    at_s = step_s * np.arange(int(time_s[-1] / step_s + 1e-9) + 1)
    points = np.column_stack([np.interp(at_s, time_s, truth.values[:, column]) for column in (0, 1)])
    return Track(step_s, points.astype("<f4").tobytes())
