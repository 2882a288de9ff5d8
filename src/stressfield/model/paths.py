"""Paths: a model as a flat table of dotted paths, and values at paths: for tables, sweeps and single changes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from stressfield.errors import InputError, did_you_mean
from stressfield.model.element import Element
from stressfield.model.files import File, Files
from stressfield.model.parameter import Choice, Integer, Nested, Parameter, Real, Sequence, Value


def family(model: type[Element]) -> list[type[Element]]:
    """The model and all elements beneath, parents first, each once."""
    found: dict[type[Element], None] = {}

    def visit(element: type[Element]) -> None:
        if element in found:
            return
        found[element] = None
        for _, child in child_elements(element):
            visit(child)

    visit(model)
    return list(found)


def child_elements(element: type[Element]) -> list[tuple[Parameter, type[Element]]]:
    """The parameters that hold elements, one or many, with the class they hold."""
    children: list[tuple[Parameter, type[Element]]] = []
    for parameter in element.__blueprint__.parameters:
        item = parameter.item if isinstance(parameter, Sequence) else parameter
        if isinstance(item, Nested):
            children.append((parameter, item.element))
    return children


def type_text(parameter: Parameter) -> str:
    """A parameter's type on a diagram: ``real [0, 0.12] m``."""
    match parameter:
        case Real(low=low, high=high, unit=unit) | Integer(low=low, high=high, unit=unit):
            return f"{parameter.kind} [{low:.12g}, {high:.12g}] {unit}".rstrip()
        case Sequence(item=item):
            return f"{type_text(item)}, {parameter.size_text} items"
        case Nested(element=element):
            return element.__name__
        case Files(values=values):
            return f"one of {len(values)} files"
        case Choice(values=values):
            return " | ".join(map(parameter.write, values))
    return parameter.kind


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
            flat[path] = str(value) if isinstance(value, File) else value  # tables hold plain texts
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
        values = tuple(map(str, ranged.values))
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


_Genotype = TypeVar("_Genotype", bound=Element)


def template(model: type[Element], values: Mapping[str, Value]) -> str:
    """The shortest descriptor with these values at these paths and ``r`` elsewhere.

    ``template(OzWorld, {"terrain.roughness_m": 0.0}) == "0.0-r-r"``. A path may also name a whole element
    or a sequence. A parameter that is off by default stays at its default unless named.
    """
    fitted = {path: _fitted(model, path, value) for path, value in values.items()}
    _check_overlap(fitted)
    if not fitted:
        return "r"
    children = model.__blueprint__.parameters
    return "-".join(_text(parameter, parameter.name, fitted) for parameter in children)


def with_value(genotype: _Genotype, path: str, value: Value) -> _Genotype:
    """The genotype with another value at that path, checked like a new one."""
    fitted = _fitted(type(genotype), path, value)
    return _replaced(genotype, path.split("."), fitted)


def parameter_at(model: type[Element], path: str) -> Parameter:
    """The parameter at a dotted path, or an InputError that names the nearest one."""
    element = model
    names = path.split(".")
    for i, name in enumerate(names):
        found = next((p for p in element.__blueprint__.parameters if p.name == name), None)
        if found is None or (i < len(names) - 1 and not isinstance(found, Nested)):
            known = _paths(model, "")
            raise InputError(
                f"{model.__name__} has no parameter {path!r}. It has: {', '.join(known)}.{did_you_mean(path, known)}"
            )
        if i == len(names) - 1:
            return found
        element = found.element if isinstance(found, Nested) else element
    raise AssertionError("a path has at least one name")


def _fitted(model: type[Element], path: str, value: Value) -> Value:
    return parameter_at(model, path).accept(value, where=f"{model.__name__} at '{path}'")


def _check_overlap(fitted: Mapping[str, Value]) -> None:
    for path in fitted:
        for other in fitted:
            if other.startswith(f"{path}."):
                raise InputError(f"Got values for '{path}' and for '{other}' inside it, wanted one of them.")


def _text(parameter: Parameter, path: str, fitted: Mapping[str, Value]) -> str:
    if path in fitted:
        return parameter.write(fitted[path])
    if isinstance(parameter, Nested) and any(name.startswith(f"{path}.") for name in fitted):
        children = parameter.element.__blueprint__.parameters
        texts = [_text(child, f"{path}.{child.name}", fitted) for child in children]
        return texts[0] if len(texts) == 1 else f"({'-'.join(texts)})"
    if not parameter.vary:
        return parameter.write(parameter.fit(parameter.default))
    return "r"


def _replaced(genotype: _Genotype, names: list[str], value: Value) -> _Genotype:
    name, *rest = names
    fitted = _replaced(getattr(genotype, name), rest, value) if rest else value
    return type(genotype)(**{**genotype.__dict__, name: fitted})


def _paths(model: type[Element], prefix: str) -> list[str]:
    found: list[str] = []
    for parameter in model.__blueprint__.parameters:
        found.append(f"{prefix}{parameter.name}")
        if isinstance(parameter, Nested):
            found += _paths(parameter.element, f"{prefix}{parameter.name}.")
    return found
