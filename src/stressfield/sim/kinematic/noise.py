"""Random numbers in blocks: a draw per sample would cost more than the sample."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

BLOCK = 64
DONE = BLOCK - 1


class Noise:
    """Rows of ``width`` numbers from one generator, drawn ``BLOCK`` rows at a time."""

    __slots__ = ("_block", "_draw", "_row", "_width")

    def __init__(self, draw: Callable[[tuple[int, int]], Floats], width: int) -> None:
        self._draw = draw
        self._width = width
        self._block: Floats = np.empty((0, width))
        self._row = DONE

    def next(self) -> Floats:
        """The next row."""
        if self._row == DONE:
            self._block = self._draw((BLOCK, self._width))
            self._row = -1
        self._row += 1
        row: Floats = self._block[self._row]
        return row


def normals(rng: np.random.Generator, width: int) -> Noise:
    """Rows of standard normal numbers."""
    return Noise(rng.standard_normal, width)


def chances(rng: np.random.Generator, width: int) -> Noise:
    """Rows of numbers between 0 and 1."""
    return Noise(rng.random, width)
