"""Names for arrays of numbers, so that a signature says what an array holds."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["Bytes", "Counts", "Flags", "Floats", "Indices", "Singles", "Times"]

Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
Counts: TypeAlias = NDArray[np.int64]
Indices: TypeAlias = NDArray[np.intp]
Flags: TypeAlias = NDArray[np.bool_]
Bytes: TypeAlias = NDArray[np.uint8]
Times: TypeAlias = NDArray[np.int64]
"""Simulated time in nanoseconds."""
