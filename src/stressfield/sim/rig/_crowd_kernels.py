"""Compiled crowds: which other robots can be near one of many.

A hash table of square cells: robots move at every substep, so a table that is cheap to change counts more than one that
is exact. Robots of several cells may share a bucket, and a robot may be met twice: whoever asks compares all it meets.
"""

from __future__ import annotations

import math

import numpy as np

from stressfield._kernels import kernel
from stressfield.arrays import Counts, Floats

FEW = 12
"""Up to so many robots each looks at all others: that takes less time than a table."""

# Rows of a crowd: the first robot of every bucket, the next one of every robot, and the bucket of every robot.
HEADS, NEXTS, BUCKETS = 0, 1, 2


@kernel
def bucket(i: int, j: int, size: int) -> int:
    """Where a cell belongs in a table of ``size`` buckets, a power of two."""
    return ((i * 73856093) ^ (j * 19349663)) & (size - 1)


@kernel
def gathered(places: Floats, side: float) -> Counts:
    """The table of robots at these places (rows that begin with x, y); an empty one for few robots."""
    count = len(places)
    if count <= FEW:
        return np.empty((3, 0), dtype=np.int64)
    size = 1
    while size < count:
        size *= 2
    crowd = np.full((3, size), -1, dtype=np.int64)
    for n in range(count):
        enter(crowd, n, bucket(math.floor(places[n, 0] / side), math.floor(places[n, 1] / side), size))
    return crowd


@kernel
def enter(crowd: Counts, n: int, where: int) -> None:
    """Put robot ``n`` into a bucket."""
    crowd[NEXTS, n] = crowd[HEADS, where]
    crowd[HEADS, where] = n
    crowd[BUCKETS, n] = where


@kernel
def moved(crowd: Counts, n: int, x: float, y: float, side: float) -> None:
    """Robot ``n`` is there now: most often in the bucket where it was."""
    if crowd.shape[1] == 0:
        return
    where = bucket(math.floor(x / side), math.floor(y / side), crowd.shape[1])
    before = crowd[BUCKETS, n]
    if where == before:
        return
    if crowd[HEADS, before] == n:
        crowd[HEADS, before] = crowd[NEXTS, n]
    else:
        k = crowd[HEADS, before]
        while crowd[NEXTS, k] != n:
            k = crowd[NEXTS, k]
        crowd[NEXTS, k] = crowd[NEXTS, n]
    enter(crowd, n, where)
