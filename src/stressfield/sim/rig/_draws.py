"""Random numbers in blocks: a draw per sample would cost more than the sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeAlias

import numpy as np

from stressfield.arrays import Floats

Draw: TypeAlias = Callable[[tuple[int, int]], Floats]

_NUMBERS = 2048
"""Drawn at a time, or one row if that is more: few enough to stay in the processor's cache until they are used."""


class NoiseRows:
    """Rows of ``width`` numbers from one generator. The numbers are the same however many are drawn at a time."""

    __slots__ = ("next",)

    def __init__(self, draw: Draw, width: int) -> None:
        self.next: Callable[[], Floats] = chain.from_iterable(_blocks(draw, width)).__next__
        """The next row."""


def normals(rng: np.random.Generator, width: int) -> NoiseRows:
    """Rows of standard normal numbers."""
    return NoiseRows(rng.standard_normal, width)


def chances(rng: np.random.Generator, width: int) -> NoiseRows:
    """Rows of numbers between 0 and 1."""
    return NoiseRows(rng.random, width)


def plain_normals(rng: np.random.Generator, width: int) -> Callable[[], list[float]]:
    """Rows of standard normal numbers, each as a list: for a few numbers this is cheaper than an array."""
    return chain.from_iterable(block.tolist() for block in _blocks(rng.standard_normal, width)).__next__


def _blocks(draw: Draw, width: int) -> Iterator[Floats]:
    rows = max(1, _NUMBERS // max(1, width))
    while True:
        yield draw((rows, width))
