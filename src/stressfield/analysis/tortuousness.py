"""How much a path winds: the mean absolute angle between successive moves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stressfield.errors import InputError

STEP_S = 1.0
LEAST_MOVE_M = 0.05


def tortuousness_rad(
    time_s: NDArray[np.float64],
    x_m: NDArray[np.float64],
    y_m: NDArray[np.float64],
    *,
    step_s: float = STEP_S,
    least_move_m: float = LEAST_MOVE_M,
) -> float | None:
    """Mean absolute angle between successive moves, in radians; None for fewer than two moves.

    Sampling: positions are interpolated at every ``step_s`` of time, as a position module that publishes at a fixed
    rate would log them. A position is kept once it is ``least_move_m`` from the last one kept, because the direction
    of a robot that stands still is noise. 0 is a straight line; half a turn between all moves is pi.
    """
    if not step_s > 0.0:
        raise InputError(f"Cannot sample a path every {step_s!r} s. Wanted a positive time.")
    if len(time_s) < 2:
        return None
    count = int(np.floor((time_s[-1] - time_s[0]) / step_s + 1e-9)) + 1
    times = time_s[0] + step_s * np.arange(count)
    points = _moving(np.column_stack([np.interp(times, time_s, x_m), np.interp(times, time_s, y_m)]), least_move_m)
    moves = np.diff(points, axis=0)
    if len(moves) < 2:
        return None
    before, after = moves[:-1], moves[1:]
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    return float(np.abs(np.arctan2(cross, (before * after).sum(axis=1))).mean())


def _moving(points: NDArray[np.float64], least_move_m: float) -> NDArray[np.float64]:
    kept = [0]
    for place in range(1, len(points)):
        if np.hypot(*(points[place] - points[kept[-1]])) >= least_move_m:
            kept.append(place)
    return points[kept]
