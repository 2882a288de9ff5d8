"""Two clusters, always the same ones: Lloyd's algorithm from every pair of points, the tightest result wins."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_ROUNDS = 60
MOST_STARTS = 800


def two_means(points: Floats, *, starts: int = MOST_STARTS) -> NDArray[np.bool_]:
    """Which points are in the second cluster; the first point is always in the first one.

    All pairs of points are tried as first centres (an even choice of ``starts`` pairs when there are more), so
    nothing is left to chance. All False when the points do not differ. A coordinate that is NaN is missing: it is left
    out of the point's distances and of the means.
    """
    count = len(points)
    if count < 2 or known_span(points)[1].max() == 0.0:
        return np.zeros(count, dtype=np.bool_)
    known = (~np.isnan(points)).astype(np.float64)
    middle = np.nansum(points, axis=0) / np.maximum(known.sum(axis=0), 1.0)
    full = np.where(known > 0.0, points, middle)
    first, second = np.triu_indices(count, 1)
    chosen = np.unique(np.linspace(0, len(first) - 1, min(len(first), starts)).astype(np.int64))
    centres = np.stack([full[first[chosen]], full[second[chosen]]], axis=1)
    member = np.zeros((len(chosen), count), dtype=np.bool_)
    for _ in range(_ROUNDS):
        away = _away(full, known, centres)
        now = away[:, :, 1] < away[:, :, 0]
        if (now == member).all():
            break
        member = now
        centres = np.stack(
            [_means(full, known, ~member, centres[:, 0]), _means(full, known, member, centres[:, 1])], axis=1
        )
    away = _away(full, known, centres).min(axis=2).sum(axis=1)
    best = member[int(np.argmin(np.round(away, 12)))]
    return np.asarray(~best if best[0] else best)


def known_span(points: Floats) -> tuple[Floats, Floats]:
    """The least known value of each column and how far its known values spread; 0 and 0 where none is known."""
    known = ~np.isnan(points)
    low = np.where(known, points, np.inf).min(axis=0)
    high = np.where(known, points, -np.inf).max(axis=0)
    some = known.any(axis=0)
    low = np.where(some, low, 0.0)
    return low, np.where(some, high, 0.0) - low


def _away(full: Floats, known: Floats, centres: Floats) -> Floats:
    """Squared distance of every point from both centres of every start, over what is known of the point."""
    apart = (full[None, :, None, :] - centres[:, None, :, :]) ** 2
    return np.asarray((apart * known[None, :, None, :]).sum(axis=3))


def _means(full: Floats, known: Floats, member: NDArray[np.bool_], before: Floats) -> Floats:
    inside = member.astype(np.float64)
    sizes, sums = inside @ known, inside @ (full * known)
    return np.where(sizes > 0.0, sums / np.maximum(sizes, 1.0), before)
