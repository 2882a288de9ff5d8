"""Chance: fast random values of parameters.

Uniform numbers come from the generator in blocks; every leaf has one precompiled function that turns the
next one into a value. ``tests/model/test_draft.py`` compares the distribution with the plain definition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from stressfield.model.parameter import Boolean, Choice, Integer, Parameter, Real, Value

if TYPE_CHECKING:
    from stressfield.model.rejection import Rejections

ATTEMPTS = 1000
"""Candidates tried per element before generation gives up."""

_BLOCK = 32
_EXACT = 2**53  # beyond, a double may round up to the end of the range or overflow


class Dice:
    """The source of chance of one generation: ``roll()`` is uniform in [0, 1)."""

    __slots__ = ("attempts", "roll", "stats")

    def __init__(self, rng: np.random.Generator, *, stats: Rejections | None = None, attempts: int = ATTEMPTS) -> None:
        self.roll: Callable[[], float] = _uniforms(rng).__next__
        self.stats = stats
        self.attempts = attempts


Draw: TypeAlias = Callable[[Dice, Any], Value]
"""A value for a parameter; the second argument is its element, whose earlier parameters are set."""


def leaf_draw(parameter: Parameter) -> Draw:
    """The precompiled draw of a leaf: uniform over its values."""
    match parameter:
        case Real(grid=grid):
            return _scaled_draw(grid.start, grid.step, grid.scale, grid.count)
        case Integer(low=low, high=high):
            return integer_draw(low, high)
        case Boolean():
            return lambda dice, _: dice.roll() < 0.5
        case Choice(values=values):
            count = len(values)
            return lambda dice, _: values[int(dice.roll() * count)]
    raise AssertionError(f"{parameter!r} is not a leaf")


def integer_draw(low: int, high: int) -> Draw:
    """Uniform integers in [low, high]."""
    count = high - low + 1
    if count > _EXACT:
        return lambda dice, _: low + (int(dice.roll() * _EXACT) * count >> 53)
    return lambda dice, _: low + int(dice.roll() * count)


def _scaled_draw(start: int, step: int, scale: int, count: int) -> Draw:
    if count > _EXACT:
        return lambda dice, _: (start + step * (int(dice.roll() * _EXACT) * count >> 53)) / scale
    return lambda dice, _: (start + step * int(dice.roll() * count)) / scale


def _uniforms(rng: np.random.Generator) -> Iterator[float]:
    while True:
        yield from rng.random(_BLOCK).tolist()
