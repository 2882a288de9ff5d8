"""Leaves: the parameters of a model, and the values of a genotype, as one flat table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from stressfield.model.element import Element
from stressfield.model.parameter import Choice, Integer, Nested, Parameter, Real, Sequence, Value


@dataclass(frozen=True, slots=True)
class Leaf:
    """One parameter with its dotted path; ``low`` and ``high`` of a sequence are those of its items."""

    path: str
    parameter: Parameter
    kind: str
    low: float | int | None
    high: float | int | None
    values: tuple[str, ...]
    unit: str
    doc: str
    vary: bool


def parameters(model: type[Element]) -> list[Leaf]:
    """All leaves of a model in descriptor order: ``terrain.roughness_m``, ``field.rows``, ..."""
    return [_leaf(path, parameter) for path, parameter in _walk(model, "")]


def flat_values(genotype: Element) -> dict[str, Value]:
    """Path to value. A sequence gives ``len`` and, of its numbers, ``min``, ``max`` and ``mean`` (None if empty)."""
    flat: dict[str, Value] = {}
    for path, parameter in _walk(type(genotype), ""):
        value = value_at(genotype, path)
        if isinstance(parameter, Sequence):
            flat[f"{path}.len"] = len(value)
            flat.update(_item_statistics(path, parameter.item, value))
        else:
            flat[path] = value
    return flat


def value_at(genotype: Element, path: str) -> Value:
    """The value at a dotted path."""
    value: Value = genotype
    for name in path.split("."):
        value = getattr(value, name)
    return value


def _walk(model: type[Element], prefix: str) -> Iterator[tuple[str, Parameter]]:
    for parameter in model.__blueprint__.parameters:
        path = f"{prefix}{parameter.name}"
        if isinstance(parameter, Nested):
            yield from _walk(parameter.element, f"{path}.")
        else:
            yield path, parameter


def _leaf(path: str, parameter: Parameter) -> Leaf:
    ranged = parameter.item if isinstance(parameter, Sequence) else parameter
    low: float | int | None = None
    high: float | int | None = None
    unit = ""
    values: tuple[str, ...] = ()
    if isinstance(ranged, Real | Integer):
        low, high, unit = ranged.low, ranged.high, ranged.unit
    elif isinstance(ranged, Choice):
        values = ranged.values
    return Leaf(path, parameter, parameter.kind, low, high, values, unit, parameter.doc, parameter.vary)


def _item_statistics(path: str, item: Parameter, values: Iterable[Value]) -> dict[str, Value]:
    found = tuple(values)
    if isinstance(item, Real | Integer):
        return {
            f"{path}.min": min(found, default=None),
            f"{path}.max": max(found, default=None),
            f"{path}.mean": sum(found) / len(found) if found else None,
        }
    flat: dict[str, Value] = {}
    if isinstance(item, Nested):
        for inner, parameter in _walk(item.element, ""):
            column = [value_at(value, inner) for value in found]
            flat.update(_item_statistics(f"{path}.{inner}", parameter, column))
    return flat
