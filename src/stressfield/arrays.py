"""Names for arrays of numbers, so that a signature says what they hold; and arithmetic that is the same everywhere.

numpy computes sines with other instructions on processors that have AVX-512 than on those that have not, and matrix
products (BLAS) with other instructions on every family of processors: the last bit differs, and after a minute of
simulation the robot is elsewhere. A run must come out the same on any machine. So what a world, a robot or a verdict
depends on uses `sines`, `cosines`, `directions` and `turned` of this module; the rest of numpy's arithmetic is exact.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Bytes",
    "Counts",
    "Flags",
    "Floats",
    "Indices",
    "Singles",
    "Times",
    "cosines",
    "directions",
    "sines",
    "turned",
]

Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
Counts: TypeAlias = NDArray[np.int64]
Indices: TypeAlias = NDArray[np.intp]
Flags: TypeAlias = NDArray[np.bool_]
Bytes: TypeAlias = NDArray[np.uint8]
Times: TypeAlias = NDArray[np.int64]
"""Simulated time in nanoseconds."""


def sines(angles_rad: ArrayLike) -> Floats:
    """The sine of every element, by the C library."""
    return _each(math.sin, angles_rad)


def cosines(angles_rad: ArrayLike) -> Floats:
    """The cosine of every element, by the C library."""
    return _each(math.cos, angles_rad)


def directions(y: ArrayLike, x: ArrayLike) -> Floats:
    """The direction of every pair, by the C library."""
    return _each(math.atan2, *np.broadcast_arrays(np.asarray(y, np.float64), np.asarray(x, np.float64)))


def turned(vectors: Floats, rotation: Floats, *, out: Floats | None = None) -> Floats:
    """Each vector (in the last axis) multiplied by a matrix, product by product and in one order."""
    result = np.empty((*vectors.shape[:-1], len(rotation))) if out is None else out
    for row in range(len(rotation)):
        total = vectors[..., 0] * rotation[row, 0]
        for column in range(1, rotation.shape[1]):
            total += vectors[..., column] * rotation[row, column]
        result[..., row] = total
    return result


def _each(function: Callable[..., float], *given: ArrayLike) -> Floats:
    """One call for each element. NaN and infinity give NaN, as in arrays, where the C library's wrapper would raise."""
    arrays = [np.asarray(values, dtype=np.float64) for values in given]
    finite = np.isfinite(arrays[0])
    if len(arrays) == 1 and not finite.all():
        arrays = [np.where(finite, arrays[0], 0.0)]
    flat = (values.ravel().tolist() for values in arrays)
    result = np.fromiter(map(function, *flat), np.float64, arrays[0].size).reshape(arrays[0].shape)
    if len(arrays) == 1:
        result[~finite] = np.nan
    return result
