"""Who survives and who mates in NSGA-II: ranks, crowding, tournaments.

The same as pymoo's, for populations of ten or so, for which its tables cost more than the runs of a fast study. Ties
are broken by a stable sort, so that a search does not depend on the processor that sorts.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from stressfield.seeds import Rng

Vector = Sequence[float]


def fronts(vectors: Sequence[Vector], *, enough: int) -> list[list[int]]:
    """Places by rank: those that none dominates, those that none of the rest dominates, and so on up to ``enough``."""
    table = np.array(vectors, np.float64)
    no_higher: NDArray[np.bool_] = np.all(table[:, None, :] <= table[None, :, :], axis=2)
    dominates = no_higher & ~no_higher.T
    above = dominates.sum(axis=0)
    found: list[list[int]] = []
    ranked = 0
    while ranked < min(enough, len(vectors)):
        now = np.flatnonzero(above == 0)
        above -= dominates[now].sum(axis=0)
        above[now] = -1
        found.append(now.tolist())
        ranked += len(now)
    return found


def crowding(vectors: Sequence[Vector]) -> list[float]:
    """How far the neighbours of each point are, over all objectives; infinite at the ends of each."""
    count = len(vectors)
    if count <= 2:
        return [inf] * count
    found = [0.0] * count
    objectives = len(vectors[0])
    for at in range(objectives):
        column = [vector[at] for vector in vectors]
        order = sorted(range(count), key=column.__getitem__)
        span = column[order[-1]] - column[order[0]]
        if span == 0.0:
            continue
        found[order[0]] = found[order[-1]] = inf
        for before, middle, after in zip(order, order[1:], order[2:], strict=False):
            found[middle] += (column[middle] - column[before]) / span + (column[after] - column[middle]) / span
    return [value / objectives for value in found]


def survivors(vectors: Sequence[Vector], count: int, rng: Rng) -> list[tuple[int, float]]:
    """Places and crowding of the best: by rank, in the last of them by crowding."""
    found: list[tuple[int, float]] = []
    for front in fronts(vectors, enough=count):
        distances = crowding([vectors[place] for place in front])
        kept = list(zip(front, distances, strict=True))
        room = count - len(found)
        if len(kept) > room:
            shuffled = [kept[at] for at in rng.permutation(len(kept)).tolist()]
            kept = sorted(shuffled, key=_distance)[::-1][:room]
        found += kept
    return found


def tournaments(vectors: Sequence[Vector], distances: Sequence[float], count: int, rng: Rng) -> list[int]:
    """Places of the winners of ``count`` duels: who dominates, else who is less crowded, else either."""
    size = len(vectors)
    drawn: list[int] = []
    while len(drawn) < 2 * count:
        drawn += rng.permutation(size).tolist()
    return [
        _winner(vectors, distances, first, other, rng)
        for first, other in zip(drawn[: 2 * count : 2], drawn[1 : 2 * count : 2], strict=True)
    ]


def _winner(vectors: Sequence[Vector], distances: Sequence[float], first: int, other: int, rng: Rng) -> int:
    relation = _relation(vectors[first], vectors[other]) or distances[first] - distances[other]
    if relation > 0.0:
        return first
    if relation < 0.0:
        return other
    return (first, other)[int(rng.integers(2))]


def _relation(vector: Vector, other: Vector) -> int:
    """1 if the first dominates, -1 if the second does, 0 if none."""
    lower = higher = False
    for a, b in zip(vector, other, strict=True):
        lower = lower or a < b
        higher = higher or b < a
    return lower - higher


def _distance(pair: tuple[int, float]) -> float:
    return pair[1]
