"""Two clusters, always the same ones: Lloyd's algorithm from every pair of points, the tightest result wins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_ROUNDS = 60
MOST_STARTS = 800


def two_means(points: NDArray[np.float64], *, starts: int = MOST_STARTS) -> NDArray[np.bool_]:
    """Which points are in the second cluster; the first point is always in the first one.

    All pairs of points are tried as first centres (an even choice of ``starts`` pairs when there are more), so
    nothing is left to chance. All False when the points do not differ.
    """
    count = len(points)
    if count < 2 or np.ptp(points, axis=0).max() == 0.0:
        return np.zeros(count, dtype=np.bool_)
    first, second = np.triu_indices(count, 1)
    chosen = np.unique(np.linspace(0, len(first) - 1, min(len(first), starts)).astype(np.int64))
    centres = np.stack([points[first[chosen]], points[second[chosen]]], axis=1)
    member = np.zeros((len(chosen), count), dtype=np.bool_)
    for _ in range(_ROUNDS):
        away = ((points[None, :, None, :] - centres[:, None, :, :]) ** 2).sum(axis=3)
        now = away[:, :, 1] < away[:, :, 0]
        if (now == member).all():
            break
        member = now
        centres = np.stack([_means(points, ~member, centres[:, 0]), _means(points, member, centres[:, 1])], axis=1)
    away = ((points[None, :, None, :] - centres[:, None, :, :]) ** 2).sum(axis=3).min(axis=2).sum(axis=1)
    best = member[int(np.argmin(np.round(away, 12)))]
    return np.asarray(~best if best[0] else best)


def _means(points: NDArray[np.float64], member: NDArray[np.bool_], before: NDArray[np.float64]) -> NDArray[np.float64]:
    sizes = member.sum(axis=1)
    sums = member.astype(np.float64) @ points
    return np.where(sizes[:, None] > 0, sums / np.maximum(sizes, 1)[:, None], before)
