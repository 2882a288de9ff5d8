"""What could have been meant where a testing space does not fit its schema."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from stressfield.errors import did_you_mean

_WORD = re.compile(r"Invalid (?:enum )?value '(.*)' - at `\$.*?(\w+)(?:\[\d+\])*\.(\w+)`$", re.DOTALL)
_FIELD = re.compile(r"Object contains unknown field `([^`]*)`(?: - at `.*?(\w+)(?:\[\d+\])*`)?$", re.DOTALL)
_REFERENCE = "#/$defs/"


def advice(error: str, schema: Mapping[str, Any]) -> str:
    """The words or fields that there are at the place an error of msgspec speaks of; empty if it is about neither."""
    found = _WORD.match(error)
    if found is not None:
        word, owner, field = found.groups()
        known = [text for one in _owned(owner, schema) for text in one["properties"].get(field, {}).get("enum", ())]
    else:
        found = _FIELD.match(error)
        if found is None:
            return ""
        word, owner = found.groups()
        objects = _owned(owner, schema) if owner else [schema["$defs"]["TestingSpace"]]
        known = [name for one in objects for name in one["properties"]]
        if not did_you_mean(word, known):
            return ""
    known = list(dict.fromkeys(known))
    return f" There are: {', '.join(known)}.{did_you_mean(word, known)}" if known else ""


def _owned(owner: str, schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The kinds of objects that any field of this name holds."""
    definitions: Mapping[str, Any] = schema["$defs"]
    fields = [one["properties"][owner] for one in definitions.values() if owner in one.get("properties", {})]
    names = dict.fromkeys(name for field in fields for name in _referred(field))
    return [definitions[name] for name in names if "properties" in definitions[name]]


def _referred(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, one in value.items():
            if key == "$ref":
                yield str(one).removeprefix(_REFERENCE)
            else:
                yield from _referred(one)
    elif isinstance(value, list):
        for one in value:
            yield from _referred(one)
