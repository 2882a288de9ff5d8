"""Draft: a genotype in the making; some parts fixed, the others left to chance.

Uniform numbers come from the generator in blocks; every leaf has one precompiled function that turns the next one into
a value. ``tests/model/test_draft.py`` compares the distribution with the plain definition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from stressfield.errors import ModelError
from stressfield.model.constraint import Constraint, exhausted
from stressfield.model.parameter import Boolean, Choice, ElementType, Integer, Nested, Parameter, Real, Sequence, Value

if TYPE_CHECKING:
    from stressfield.model.constraint import Rejections

ATTEMPTS = 1000
"""Candidates tried per element before generation gives up."""

# a call of the generator costs as much as dozens of numbers. Not to be changed: what is left of a block is lost, so
# another size would give other worlds for the same seed
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


class Span(NamedTuple):
    """The place of a draft in its descriptor."""

    start: int
    end: int


class Draft(Protocol):
    """One part of a genotype in the making."""

    @property
    def fixed(self) -> bool:
        """Whether chance has no say in it."""

    def draw(self, dice: Dice, owner: Any) -> Value:
        """A value for it."""


@dataclass(frozen=True, slots=True)
class FixedDraft:
    """A terminal."""

    value: Value
    fixed: bool = True

    def draw(self, _dice: Dice, _owner: Any) -> Value:
        return self.value


@dataclass(frozen=True, slots=True)
class RandomDraft:
    """A leaf or a sequence left to chance."""

    draw: Draw
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class ListDraft:
    """A sequence whose items were written one by one."""

    items: tuple[Draft, ...]
    span: Span

    @property
    def fixed(self) -> bool:
        return all(item.fixed for item in self.items)

    def draw(self, dice: Dice, owner: Any) -> Value:
        return tuple([item.draw(dice, owner) for item in self.items])


@dataclass(frozen=True, slots=True)
class ElementDraft:
    """An element: drafts of its parameters, redrawn together until its constraints hold."""

    element: ElementType
    children: dict[str, Draft]
    draws: tuple[tuple[str, Draw], ...]
    constraints: tuple[Constraint, ...]
    span: Span | None

    @classmethod
    def of(cls, element: ElementType, children: dict[str, Draft], span: Span | None = None) -> ElementDraft:
        """A draft from drafts of all parameters; written-out sequences bring their length rule as a constraint."""
        blueprint = element.__blueprint__
        lengths = tuple(
            _length_constraint(parameter, len(child.items))
            for parameter, child in zip(blueprint.parameters, children.values(), strict=True)
            if isinstance(parameter, Sequence) and parameter.length and isinstance(child, ListDraft)
        )
        draws = tuple((name, child.draw) for name, child in children.items())
        return cls(element, children, draws, lengths + blueprint.constraints, span)

    @property
    def fixed(self) -> bool:
        return all(child.fixed for child in self.children.values())

    def draw(self, dice: Dice, _owner: Any = None) -> Value:
        element, draws, constraints = self.element, self.draws, self.constraints
        rejected: Counter[Constraint] = Counter() if dice.stats is not None or constraints else _NONE
        for _ in range(dice.attempts):
            candidate = object.__new__(element)
            values = candidate.__dict__
            for name, draw in draws:
                values[name] = draw(dice, candidate)
            broken = first_broken(candidate, constraints)
            if broken is None:
                if dice.stats is not None:
                    dice.stats.record(element.__name__, rejected, accepted=True)
                return candidate
            rejected[broken] += 1
        if dice.stats is not None:
            dice.stats.record(element.__name__, rejected, accepted=False)
        raise exhausted(element.__name__, dice.attempts, rejected, self.terminals())

    def terminals(self, prefix: str = "") -> Iterator[str]:
        """What is fixed, as ``rows=3``, ``terrain.roughness_m=0.0``."""
        for parameter in self.element.__blueprint__.parameters:
            child = self.children[parameter.name]
            if isinstance(child, ElementDraft):
                yield from child.terminals(f"{prefix}{parameter.name}.")
            elif child.fixed and parameter.vary:
                value = child.draw(_NO_DICE, None)
                yield f"{prefix}{parameter.name}={parameter.write(value)}"
            elif isinstance(child, ListDraft):
                yield f"the {len(child.items)} items of {prefix}{parameter.name}"

    def known(self) -> Any:
        """The element with only its fixed parameters set: enough to judge some constraints beforehand."""
        partial = object.__new__(self.element)
        for name, child in self.children.items():
            if isinstance(child, ElementDraft):
                partial.__dict__[name] = child.known()
            elif isinstance(child, ListDraft) and any(isinstance(item, ElementDraft) for item in child.items):
                items = [item for item in child.items if isinstance(item, ElementDraft)]
                partial.__dict__[name] = tuple(item.known() for item in items)
            elif child.fixed:
                partial.__dict__[name] = child.draw(_NO_DICE, None)
        return partial


_NONE: Counter[Constraint] = Counter()
_NO_DICE: Any = None  # drawing a fixed draft rolls no dice


def first_broken(candidate: Any, constraints: tuple[Constraint, ...]) -> Constraint | None:
    """The first constraint that is false of the candidate."""
    for constraint in constraints:
        if not constraint.holds(candidate):
            return constraint
    return None


_random_elements: dict[type[Any], ElementDraft] = {}  # one plan per class, made when first needed


def random_element(element: ElementType) -> ElementDraft:
    """The draft that leaves everything to chance, except what is off by default."""
    draft = _random_elements.get(element)
    if draft is None:
        parameters = element.__blueprint__.parameters
        if not parameters:
            name = element.__name__
            raise ModelError(f"{name} has no parameters, wanted at least one: 'x_m: float = real(0, 1)'.")
        draft = ElementDraft.of(element, {p.name: inherited_random(p) for p in parameters})
        _random_elements[element] = draft
    return draft


def inherited_random(parameter: Parameter) -> Draft:
    """Chance for a parameter as part of its element: one that is off by default stays at its default."""
    return random_draft(parameter) if parameter.vary else FixedDraft(parameter.fit(parameter.default))


def random_draft(parameter: Parameter) -> Draft:
    """Chance for a parameter asked for by itself."""
    match parameter:
        case Nested(element=element):
            return random_element(element)
        case Sequence(item=item):
            return RandomDraft(sequence_draw(parameter, random_draft(item).draw))
    return RandomDraft(leaf_draw(parameter))


def sequence_draw(parameter: Sequence, draw: Draw, *, count: Draw | None = None) -> Draw:
    """Draw as many items as ``count``, or as the rule or the range of the sequence says."""
    if parameter.length is not None:
        size_of = parameter.length.of
        return lambda dice, owner: tuple([draw(dice, owner) for _ in range(size_of(owner))])
    counted = count or integer_draw(parameter.low, parameter.high)
    return lambda dice, owner: tuple([draw(dice, owner) for _ in range(counted(dice, owner))])


def _length_constraint(parameter: Sequence, size: int) -> Constraint:
    length = parameter.length
    assert length is not None
    return Constraint(
        f"{parameter.name} has {length.text} items",
        lambda element: length.of(element) == size,
        relax=f"the number of items of {parameter.name}, or what {length.text} depends on",
    )
