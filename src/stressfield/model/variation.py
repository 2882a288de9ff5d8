"""Variation: new genotypes near old ones, for search, and how far apart two are. Children are always valid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from stressfield.errors import InputError
from stressfield.model._draft import Dice, first_broken, random_draft
from stressfield.model.element import Element
from stressfield.model.parameter import Boolean, Choice, Integer, Nested, Parameter, Real, Sequence, Value

ATTEMPTS = 100
"""Children tried before a search operator returns a parent unchanged."""

_Genotype = TypeVar("_Genotype", bound=Element)


def mutate(genotype: _Genotype, rng: np.random.Generator, *, rate: float = 0.1, scale: float = 0.1) -> _Genotype:
    """A changed copy: each leaf changes with probability ``rate``, numbers by a normal step of ``scale`` ranges.

    Sequences of free length may gain or lose an item; those with a rule follow it. What is off by default
    stays as it is. At least one leaf changes, unless ``rate`` is 0 or no valid change was found in
    ``ATTEMPTS`` tries: then the genotype itself is returned.
    """
    if not 0.0 <= rate <= 1.0:
        raise InputError(f"mutate: got rate={rate!r}, wanted a probability in [0, 1].")
    if not 0.0 < scale < float("inf"):
        raise InputError(f"mutate: got scale={scale!r}, wanted a positive share of the range.")
    if rate == 0.0:
        return genotype
    mutation = _Mutation(rng, Dice(rng), rate, scale)
    return _first_valid(lambda: mutation.element(genotype), genotype)


def crossover(a: _Genotype, b: _Genotype, rng: np.random.Generator) -> tuple[_Genotype, _Genotype]:
    """Two children that take each parameter, or whole subtree, from one parent or the other.

    Sequences with a length rule are cut or filled up, from the other parent first, then by chance. A child
    that meets its constraints in none of ``ATTEMPTS`` tries is its first parent, ``a`` or ``b``, unchanged.
    """
    if type(a) is not type(b):
        raise InputError(f"crossover: got {type(a).__name__} and {type(b).__name__}, wanted two of one model.")
    mix = _Crossing(rng, Dice(rng))
    return _first_valid(lambda: mix.element(a, b), a), _first_valid(lambda: mix.element(b, a), b)


def _first_valid(make: Callable[[], _Genotype], parent: _Genotype) -> _Genotype:
    for _ in range(ATTEMPTS):
        child = make()
        if child != parent and _valid(child):
            return child
    return parent


def _valid(genotype: Element) -> bool:
    for parameter in type(genotype).__blueprint__.parameters:
        value = getattr(genotype, parameter.name)
        if isinstance(parameter, Nested) and not _valid(value):
            return False
        many = isinstance(parameter, Sequence) and isinstance(parameter.item, Nested)
        if many and not all(map(_valid, value)):
            return False
    return first_broken(genotype, type(genotype).__blueprint__.constraints) is None


@dataclass(frozen=True, slots=True)
class _Mutation:
    rng: np.random.Generator
    dice: Dice
    rate: float
    scale: float

    def element(self, parent: _Genotype) -> _Genotype:
        child = object.__new__(type(parent))
        for parameter in type(parent).__blueprint__.parameters:
            value = getattr(parent, parameter.name)
            child.__dict__[parameter.name] = self.value(parameter, value, child)
        return child

    def value(self, parameter: Parameter, value: Value, owner: Element) -> Value:
        if isinstance(parameter, Nested):
            return self.element(value)
        if isinstance(parameter, Sequence):
            return self.sequence(parameter, value, owner)
        hit = parameter.vary and self.dice.roll() < self.rate
        return self.leaf(parameter, value) if hit else value

    def leaf(self, parameter: Parameter, value: Value) -> Value:
        match parameter:
            case Real(low=low, high=high, grid=grid):
                step = self.rng.standard_normal() * self.scale * (high - low)
                moved = grid.snap(min(max(value + step, low), high))
                return moved if moved != value else self._neighbour(parameter, value)
            case Integer(low=low, high=high):
                step = self.rng.standard_normal() * self.scale * (high - low)
                moved = min(max(value + round(step), low), high)
                return moved if moved != value else self._next(value, low, high)
            case Boolean():
                return not value
            case Choice(values=values):
                others = [word for word in values if word != value]
                return others[int(self.dice.roll() * len(others))] if others else value
        raise AssertionError(f"{parameter!r} is not a leaf")

    def sequence(self, parameter: Sequence, values: Value, owner: Element) -> Value:
        if not parameter.vary:
            return values
        items = [self.value(parameter.item, value, owner) for value in values]
        size = len(items)
        if parameter.length is not None:
            size = parameter.length.of(owner)
        elif self.dice.roll() < self.rate:
            size = self._next(size, parameter.low, parameter.high)
        while len(items) > size:
            items.pop(int(self.dice.roll() * len(items)))
        return fill(items, size, parameter, self.dice, owner)

    def _neighbour(self, parameter: Real, value: float) -> float:
        grid = parameter.grid
        return grid.value(self._next(grid.index(value), 0, grid.count - 1))

    def _next(self, value: int, low: int, high: int) -> int:
        up = self.dice.roll() < 0.5
        return min(max(value + (1 if (up and value < high) or value <= low else -1), low), high)


@dataclass(frozen=True, slots=True)
class _Crossing:
    rng: np.random.Generator
    dice: Dice

    def element(self, a: _Genotype, b: _Genotype) -> _Genotype:
        child = object.__new__(type(a))
        for parameter in type(a).__blueprint__.parameters:
            left, right = getattr(a, parameter.name), getattr(b, parameter.name)
            child.__dict__[parameter.name] = self.value(parameter, left, right, child)
        return child

    def value(self, parameter: Parameter, left: Value, right: Value, owner: Element) -> Value:
        if self.dice.roll() < 0.5:
            left, right = right, left
        if isinstance(parameter, Nested) and self.dice.roll() < 0.5:
            return self.element(left, right)
        if isinstance(parameter, Sequence):
            return self.sequence(parameter, left, right, owner)
        return left

    def sequence(self, parameter: Sequence, left: Value, right: Value, owner: Element) -> Value:
        size = parameter.length.of(owner) if parameter.length is not None else len(left)
        if self.dice.roll() < 0.5:
            cut = int(self.dice.roll() * (len(left) + 1))
            mixed = left[:cut] + right[cut:]
            left = mixed + left[len(mixed) :]
        items = list(left + right[len(left) :])[:size]
        return fill(items, size, parameter, self.dice, owner)


def fill(items: list[Value], size: int, parameter: Sequence, dice: Dice, owner: Element) -> tuple[Value, ...]:
    """Random items appended until there are ``size``."""
    if len(items) < size:
        draw = random_draft(parameter.item).draw
        items += [draw(dice, owner) for _ in range(size - len(items))]
    return tuple(items)


def distance(a: Element, b: Element) -> float:
    """The mean over all leaf parameters of their differences, each scaled to its range.

    Numbers differ by their share of the range, words and booleans by 0 or 1. Sequences are compared item by
    item; an item without a partner counts 1, and the sum is divided by the longer length.
    """
    if type(a) is not type(b):
        raise InputError(f"distance: got {type(a).__name__} and {type(b).__name__}, wanted two of one model.")
    total, leaves = _sum(a, b)
    return total / leaves


def _sum(a: Element, b: Element) -> tuple[float, int]:
    total, leaves = 0.0, 0
    for parameter in type(a).__blueprint__.parameters:
        left, right = getattr(a, parameter.name), getattr(b, parameter.name)
        if isinstance(parameter, Nested):
            part, count = _sum(left, right)
        else:
            part, count = _leaf(parameter, left, right), 1
        total, leaves = total + part, leaves + count
    return total, leaves


def _leaf(parameter: Parameter, left: Value, right: Value) -> float:
    if left == right:
        return 0.0
    match parameter:
        case Real(low=low, high=high) | Integer(low=low, high=high):
            # Halves, because a range such as [-1e308, 1e308] is wider than the largest float.
            return float(abs(left / 2 - right / 2) / (high / 2 - low / 2))
        case Nested():
            total, leaves = _sum(left, right)
            return total / leaves
        case Sequence(item=item):
            paired = sum(_leaf(item, x, y) for x, y in zip(left, right, strict=False))
            return (paired + abs(len(left) - len(right))) / max(len(left), len(right))
    return 1.0
