"""Simpler genotypes: fewer items, values at or nearer to their simplest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from stressfield.model.element import Element
from stressfield.model.parameter import Boolean, Choice, Integer, Nested, Parameter, Real, Sequence

Path: TypeAlias = tuple[str | int, ...]
"""Names of parameters, and places in sequences: ``("field", "spacings_m", 2)``."""


class _Drop:
    """Takes an item out of its sequence."""


DROP = _Drop()
Edits: TypeAlias = Mapping[Path, Any]


def simplest(parameter: Parameter, owner: Element | None = None) -> Any:  # noqa: PLR0911 (one per kind)
    """The value that needs no explanation: the default, or what is nearest to nothing.

    ``owner`` is the element it belongs to, with its earlier parameters set: some sequences are as long as these say.
    """
    if parameter.default is not None:
        return parameter.fit(parameter.default)
    match parameter:
        case Real(grid=grid):
            return grid.snap(0.0)
        case Integer(low=low, high=high):
            return min(max(0, low), high)
        case Boolean():
            return False
        case Choice(values=values):
            return values[0]
        case Nested(element=element):
            return rebuilt(_blank(element), {}, fresh=True)
        case Sequence(item=item, low=low, length=length):
            size = low if length is None or owner is None else length.of(owner)
            return tuple(simplest(item) for _ in range(size))
    raise AssertionError(f"unknown kind {parameter.kind!r}")


def rebuilt(genotype: Element, edits: Edits, *, fresh: bool = False) -> Element:
    """The genotype with other values at some paths, checked. InputError if that breaks a constraint.

    Sequences that are as long as another parameter says are cut or filled up. ``fresh`` makes everything simplest.
    """
    return _rebuilt(genotype, edits, (), fresh)


def drops(genotype: Element) -> list[tuple[Path, Any]]:
    """The edits that each take out one item of those that can be taken out."""
    return [(path, DROP) for path, parameter, _ in leaves(genotype) if parameter is None]


def resets(genotype: Element) -> list[tuple[Path, Any]]:
    """The edits that each make one value the simplest, of those that are not."""
    plain = [(path, simplest(parameter), value) for path, parameter, value in leaves(genotype) if parameter is not None]
    return [(path, least) for path, least, value in plain if value != least]


def nearer(genotype: Element) -> Iterator[tuple[Path, Any]]:
    """Edits that bring one value nearer to its simplest: rounder, half-way, a quarter of the way, ..."""
    for path, parameter, value in leaves(genotype):
        if parameter is not None:
            plain = simplest(parameter)
            for other in _between(parameter, value, plain):
                if other not in {value, plain}:
                    yield path, other


def leaves(genotype: Element, prefix: Path = ()) -> Iterator[tuple[Path, Parameter | None, Any]]:
    """Path, parameter and value of every leaf; an item that may be dropped comes with None for its parameter."""
    for parameter in type(genotype).__blueprint__.parameters:
        path, value = (*prefix, parameter.name), getattr(genotype, parameter.name)
        if isinstance(parameter, Nested):
            yield from leaves(value, path)
        elif isinstance(parameter, Sequence):
            for place, item in enumerate(value):
                if parameter.length is None:
                    yield (*path, place), None, item
                if isinstance(parameter.item, Nested):
                    yield from leaves(item, (*path, place))
                else:
                    yield (*path, place), parameter.item, item
        else:
            yield path, parameter, value


def complexity(genotype: Element) -> tuple[int, int, float, int]:
    """Less is simpler: items, values that are not the simplest, how far those are off, their digits."""
    items, changed, distance, digits = 0, 0, 0.0, 0
    for _, parameter, value in leaves(genotype):
        if parameter is None:
            items += 1
            continue
        plain = simplest(parameter)
        if value != plain:
            changed += 1
            distance += _distance(parameter, value, plain)
            digits += len(parameter.write(value))
    return items, changed, distance, digits


def _rebuilt(genotype: Element, edits: Edits, prefix: Path, fresh: bool) -> Element:
    model = type(genotype)
    partial = object.__new__(model)
    values: dict[str, Any] = partial.__dict__
    for parameter in model.__blueprint__.parameters:
        path = (*prefix, parameter.name)
        if fresh:
            values[parameter.name] = simplest(parameter, partial)
        elif path in edits:
            values[parameter.name] = edits[path]
        elif isinstance(parameter, Nested):
            values[parameter.name] = _rebuilt(getattr(genotype, parameter.name), edits, path, fresh)
        elif isinstance(parameter, Sequence):
            values[parameter.name] = _items(parameter, getattr(genotype, parameter.name), edits, path, partial)
        else:
            values[parameter.name] = getattr(genotype, parameter.name)
    return model(**values)


def _items(parameter: Sequence, before: tuple[Any, ...], edits: Edits, path: Path, owner: Element) -> tuple[Any, ...]:
    items = []
    for place, item in enumerate(before):
        edit = edits.get((*path, place), item)
        if edit is DROP:
            continue
        if edit is item and isinstance(parameter.item, Nested):
            edit = _rebuilt(item, edits, (*path, place), False)
        items.append(edit)
    if parameter.length is not None:
        size = parameter.length.of(owner)
        items = items[:size] + [simplest(parameter.item) for _ in range(size - len(items))]
    return tuple(items)


def _blank(element: type[Element]) -> Element:
    return object.__new__(element)


def _between(parameter: Parameter, value: Any, plain: Any) -> Iterator[Any]:
    match parameter:
        case Real(grid=grid):
            for digits in range(3):
                rounder = grid.snap(round(value, digits))
                if abs(rounder - plain) < abs(value - plain):
                    yield rounder
            now, goal = grid.index(value), grid.index(plain)
            for part in (2, 4, 8, 16):
                yield grid.value(now + int((goal - now) / part))
        case Integer():
            yield value + int((plain - value) / 2)
            yield value + (plain > value) - (plain < value)
        case Choice(values=values):
            yield from values[: values.index(value)]


def _distance(parameter: Parameter, value: Any, plain: Any) -> float:
    match parameter:
        case Real(low=low, high=high) | Integer(low=low, high=high):
            return float(abs(value - plain)) / float(high - low)
        case Choice(values=values):
            return (1 + values.index(value)) / len(values)
    return 1.0
