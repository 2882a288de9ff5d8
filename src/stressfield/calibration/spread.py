"""How wide something spreads, with its interval; and when the robot stood."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import numpy as np

from stressfield.arrays import Counts, Flags, Floats
from stressfield.calibration.estimate import DRAWS, EACH, ConfidenceInterval, Untold, few_rows
from stressfield.calibration.recordings import DrivenRecording
from stressfield.seeds import Rng
from stressfield.sim.rig.drive_alone import moves

Found = tuple[str, ConfidenceInterval | Untold]
"""The name of a constant, and what was found of it."""
MAD = 1.4826
"""From the median of absolute values of normal numbers to their standard deviation."""
BLOCK = 50
"""Samples that are drawn together: neighbours are not independent."""
SAMPLES_MIN = 200
REST_S = 1.0
"""A robot stands still if nothing else was commanded for so long."""


def at_rest(recording: DrivenRecording, times_s: Floats) -> Flags:
    """Whether the robot had been told to stand for a while at these times."""
    moving = recording.order_s[moves(recording.orders) > 0.0]
    if not len(moving):
        return np.ones(len(times_s), bool)
    last = np.searchsorted(moving, times_s, side="right") - 1
    since = np.where(last >= 0, times_s - moving[np.maximum(last, 0)], inf)
    rest: Flags = since > REST_S
    return rest


def spread_of(rough: Floats, rng: Rng) -> ConfidenceInterval | None:
    """The standard deviation of what is normal but for a few, with an interval from blocks drawn anew."""
    if len(rough) < SAMPLES_MIN:
        return None
    blocks = np.abs(rough[: len(rough) // BLOCK * BLOCK]).reshape(-1, BLOCK)
    blocks = blocks[:: max(1, len(blocks) // 400)]  # more would only cost time
    return interval_of(len(blocks), lambda rows: float(np.median(blocks[rows])) * MAD, rng)


def interval_of(
    count: int, estimate: Callable[[Counts], float], rng: Rng, *, weights: Floats | None = None
) -> ConfidenceInterval:
    """An estimate from so many rows, and its interval by rows drawn anew. ``weights``: what each row counts in it."""
    # A few rows that count for most of the estimate are as few as they are, however many others there are (Kish).
    counting = count if weights is None else max(2, round(float(weights.sum() ** 2 / (weights**2).sum())))
    value = float(estimate(np.arange(count)))
    draws = np.array([estimate(rng.integers(0, count, count)) for _ in range(DRAWS)])
    tail = 50.0 * (1.0 - EACH)
    low, high = np.percentile(value + few_rows(counting, 1) * (draws - value), [tail, 100.0 - tail]).tolist()
    return ConfidenceInterval(value, low, high)
