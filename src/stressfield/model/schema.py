"""Schema: a model as JSON Schema (draft 2020-12), a genotype as JSON data and back."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, TypeVar

from stressfield.errors import InputError
from stressfield.model.element import Element
from stressfield.model.files import File
from stressfield.model.parameter import Boolean, Choice, Integer, Nested, Parameter, Real, Sequence, Value

_Genotype = TypeVar("_Genotype", bound=Element)


def to_json_schema(model: type[Element]) -> dict[str, Any]:
    """The schema of ``to_json`` data. Units, length rules and constraints are kept under ``x-`` keys."""
    definitions: dict[str, Any] = {}
    root = _object(model, definitions)
    schema: dict[str, Any] = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": model.__name__}
    return {**schema, **root, **({"$defs": definitions} if definitions else {})}


def to_json(genotype: Element) -> dict[str, Any]:
    """The genotype as plain JSON data."""
    parameters = type(genotype).__blueprint__.parameters
    return {p.name: _plain(getattr(genotype, p.name)) for p in parameters}


def from_json(model: type[_Genotype], data: object) -> _Genotype:
    """The genotype of JSON data, fully checked."""
    if not isinstance(data, Mapping):
        raise InputError(f"{model.__name__}: got {data!r}, wanted a JSON object.")
    values = dict(data)
    for parameter in model.__blueprint__.parameters:
        if parameter.name in values:
            values[parameter.name] = _typed(parameter, values[parameter.name])
    return model(**values)


def fitted_json(model: type[Element], data: object) -> object:
    """The data with sequences as long as their rules say: cut, or with their last item repeated; all else as it is.

    For who changes one number of a genotype on which the length of a sequence depends.
    """
    if not isinstance(data, Mapping):
        return data
    made: dict[str, Any] = {}
    for parameter in model.__blueprint__.parameters:
        if parameter.name not in data:
            continue
        value = data[parameter.name]
        if isinstance(parameter, Nested):
            value = fitted_json(parameter.element, value)
        elif isinstance(parameter, Sequence) and isinstance(value, list):
            item = parameter.item
            value = [fitted_json(item.element, each) for each in value] if isinstance(item, Nested) else list(value)
            if parameter.length is not None:
                value = _as_long(value, parameter.length.of(SimpleNamespace(**made)), item)
        made[parameter.name] = value
    # What the model does not have is kept: whoever checks the data says so.
    return {**made, **{name: value for name, value in data.items() if name not in made}}


def _as_long(values: list[Any], size: int, item: Parameter) -> list[Any]:
    if len(values) < size:
        filler = values[-1] if values else _plain(item.fit(item.default)) if item.default is not None else None
        if filler is None and isinstance(item, Real | Integer):
            filler = item.low
        values = values + [filler] * (size - len(values))
    return values[:size]


def _object(model: type[Element], definitions: dict[str, Any]) -> dict[str, Any]:
    blueprint = model.__blueprint__
    schema: dict[str, Any] = {"type": "object", "description": blueprint.doc} if blueprint.doc else {"type": "object"}
    schema["properties"] = {p.name: _property(p, definitions) for p in blueprint.parameters}
    schema["required"] = [p.name for p in blueprint.parameters if p.default is None]
    schema["additionalProperties"] = False
    if blueprint.constraints:
        schema["x-constraints"] = [constraint.sentence for constraint in blueprint.constraints]
    return schema


def _property(parameter: Parameter, definitions: dict[str, Any]) -> dict[str, Any]:
    schema = _kind(parameter, definitions)
    if parameter.doc:
        schema["description"] = parameter.doc
    if parameter.default is not None:
        schema["default"] = _plain(parameter.fit(parameter.default))
    if not parameter.vary:
        schema["x-vary"] = False
    return schema


def _kind(parameter: Parameter, definitions: dict[str, Any]) -> dict[str, Any]:
    match parameter:
        case Real(low=low, high=high, unit=unit):
            return {"type": "number", "minimum": low, "maximum": high, **({"x-unit": unit} if unit else {})}
        case Integer(low=low, high=high, unit=unit):
            return {"type": "integer", "minimum": low, "maximum": high, **({"x-unit": unit} if unit else {})}
        case Boolean():
            return {"type": "boolean"}
        case Choice(values=values):
            return {"type": "string", "enum": list(map(str, values))}
        case Sequence(item=item, length=length):
            sizes: dict[str, Any] = {"minItems": parameter.low, "maxItems": parameter.high}
            if length is not None:
                sizes = {"x-length": length.text}
            return {"type": "array", "items": _property(item, definitions), **sizes}
        case Nested(element=element):
            return {"$ref": f"#/$defs/{_define(element, definitions)}"}
    raise AssertionError(f"unknown kind {parameter.kind!r}")


def _define(element: type[Element], definitions: dict[str, Any]) -> str:
    name = element.__name__
    if name not in definitions:
        definitions[name] = {}  # its place: parents come before children
        definitions[name] = _object(element, definitions)
    return name


def _plain(value: Value) -> Any:
    if isinstance(value, Element):
        return to_json(value)
    if isinstance(value, File):
        return str(value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _typed(parameter: Parameter, data: Any) -> Value:
    if isinstance(parameter, Nested):
        return from_json(parameter.element, data)
    if isinstance(parameter, Sequence) and isinstance(data, list):
        return tuple(_typed(parameter.item, item) for item in data)
    return data
