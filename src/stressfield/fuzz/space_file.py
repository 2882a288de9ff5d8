"""Testing spaces as files: YAML in and out, and the JSON Schema that editors complete and check it with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from stressfield._files.disk import read_file
from stressfield._files.yaml_text import LARGEST_TEXT, dump_yaml, parse_yaml
from stressfield.errors import InputError, did_you_mean
from stressfield.fuzz.bound import Range
from stressfield.fuzz.space import TestingSpace


def read_space(path: Path, *, below: Path | None = None) -> TestingSpace:
    """The checked testing space in a YAML file. Raises only InputError (ConditionError points into a condition).

    With ``below``, a folder, it must be a file in there that no link leads to.
    """
    data = read_file(path, what="the testing space", bytes_max=LARGEST_TEXT, below=below)
    return space_from_yaml(data, name=f"Testing space {str(path)!r}")


def space_from_yaml(text: str | bytes, *, name: str = "The testing space") -> TestingSpace:
    """The checked testing space of a YAML text."""
    return space_from_data(parse_yaml(text, name=name), name=name)


def space_from_data(data: object, *, name: str = "The testing space") -> TestingSpace:
    """The checked testing space of plain data, as YAML and JSON have it."""
    if isinstance(data, dict) and "campaigns" in data:
        raise InputError(f"{name} has the key 'campaigns'. Wanted 'searches': rename it.")
    try:
        space = msgspec.convert(data, TestingSpace)
    except (msgspec.ValidationError, RecursionError) as error:
        raise InputError(
            f"{name} does not fit: {error}.{_advice(str(error), _schema())} See 'stressfield space schema'."
        ) from None
    return space.check()


def space_to_yaml(space: TestingSpace) -> str:
    """YAML text from which :func:`space_from_yaml` makes the same space. What has its default is left out."""
    return dump_yaml(space_to_data(space))


def space_to_data(space: TestingSpace) -> dict[str, Any]:
    """Plain data from which :func:`space_from_data` makes the same space."""
    made: dict[str, Any] = _plain(space)
    return made


def _plain(value: Any) -> Any:
    if isinstance(value, Range):
        return [value.low, value.high]
    if isinstance(value, msgspec.Struct):
        config, made = value.__struct_config__, {}
        if config.tag_field is not None:
            made[config.tag_field] = config.tag
        for field in msgspec.structs.fields(value):
            given = getattr(value, field.name)
            if given != _default(field):
                made[field.name] = _plain(given)
        return made
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    return {key: _plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def _default(field: msgspec.structs.FieldInfo) -> Any:
    made = field.default_factory
    return made() if callable(made) else field.default


def space_schema() -> dict[str, Any]:
    """The JSON Schema of testing spaces."""
    about = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "stressfield testing space"}
    return {**about, **deepcopy(_schema())}


@cache
def _schema() -> dict[str, Any]:
    """Made once: that takes longer than to read a space."""
    return msgspec.json.schema(TestingSpace)


_WORD = re.compile(r"Invalid (?:enum )?value '(.*)' - at `\$.*?(\w+)(?:\[\d+\])*\.(\w+)`$", re.DOTALL)
_FIELD = re.compile(r"Object contains unknown field `([^`]*)`(?: - at `.*?(\w+)(?:\[\d+\])*`)?$", re.DOTALL)
_REFERENCE = "#/$defs/"


def _advice(error: str, schema: Mapping[str, Any]) -> str:
    """The words or fields that there are at the place an error of msgspec speaks of; empty if it is about neither."""
    found = _WORD.match(error)
    if found is not None:
        word, owner, field = found.groups()
        known = [
            text
            for definition in _owned(owner, schema)
            for text in definition["properties"].get(field, {}).get("enum", ())
        ]
    else:
        found = _FIELD.match(error)
        if found is None:
            return ""
        word, owner = found.groups()
        objects = _owned(owner, schema) if owner else [schema["$defs"]["TestingSpace"]]
        known = [name for definition in objects for name in definition["properties"]]
        if not did_you_mean(word, known):
            return ""
    known = list(dict.fromkeys(known))
    return f" There are: {', '.join(known)}.{did_you_mean(word, known)}" if known else ""


def _owned(owner: str, schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The kinds of objects that any field of this name holds."""
    definitions: Mapping[str, Any] = schema["$defs"]
    fields = [
        definition["properties"][owner]
        for definition in definitions.values()
        if owner in definition.get("properties", {})
    ]
    names = dict.fromkeys(name for field in fields for name in _referred(field))
    return [definitions[name] for name in names if "properties" in definitions[name]]


def _referred(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "$ref":
                yield str(item).removeprefix(_REFERENCE)
            else:
                yield from _referred(item)
    elif isinstance(value, list):
        for item in value:
            yield from _referred(item)
