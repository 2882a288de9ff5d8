"""Messages as the JSON of rosbridge, and back.

============== ==========================================================================================
numbers        NaN and the infinities are ``null`` (JSON has no other word for them); ``null`` for a float is NaN
stamps         ``{"sec": 1, "nanosec": 500}``; the ``secs``/``nsecs`` of ROS 1 are understood too
bytes          ``uint8[]`` is written as base64; base64 and a list of numbers are both understood
missing        a field that is not there has its default, or the zero of its type, as in ROS
unknown        a field that the type does not have is an error, except ``seq`` of a ROS 1 header
============== ==========================================================================================
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from functools import cache
from math import nan
from typing import Any, TypeVar

import msgspec
import numpy as np

from stressfield.bus import Message
from stressfield.bus.message import PRIMITIVES, Field, fields_of
from stressfield.bus.messages import Header, Time
from stressfield.errors import MalformedError, did_you_mean

M = TypeVar("M", bound=Message)

_INTEGERS = {
    name: (int(np.iinfo(code).min), int(np.iinfo(code).max))
    for name, code in PRIMITIVES.items()
    if name not in {"bool", "float32", "float64"}
}
_FLOAT32_MAX = float(np.finfo(np.float32).max)
_OLD_NAMES: dict[type[Message], dict[str, str]] = {Time: {"secs": "sec", "nsecs": "nanosec"}, Header: {"seq": ""}}


def to_json(value: object) -> bytes:
    """JSON of a message, or of anything plain that holds messages."""
    return _ENCODER.encode(value)


def from_json(message_type: type[M], value: object) -> M:
    """The message in parsed JSON. Raises MalformedError that names the field."""
    return _message(message_type, value, "")


def _hook(value: object) -> object:
    if isinstance(value, np.ndarray):
        return b64encode(value.tobytes()).decode() if value.dtype == np.uint8 else value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


_ENCODER = msgspec.json.Encoder(enc_hook=_hook)


def _message(message_type: type[M], value: object, path: str) -> M:
    if not isinstance(value, dict):
        raise _wrong(path, value, f"an object ({message_type.ros_type})")
    fields = _by_name(message_type)
    old = _OLD_NAMES.get(message_type, {})
    values: dict[str, Any] = {}
    for name, item in value.items():
        known = old.get(name, name)
        if not known:
            continue
        field = fields.get(known)
        if field is None:
            raise MalformedError(
                f"{message_type.ros_type} has no field {_join(path, name)!r:.120}. It has: {', '.join(fields)}."
                + did_you_mean(name[:100], fields)
            )
        values[known] = _value(field, item, _join(path, known))
    for name in _without_default(message_type):
        if name not in values:
            values[name] = _zero(fields[name])
    return message_type(**values)


def _value(field: Field, value: object, path: str) -> Any:
    if field.size is None:
        return _single(field, value, path)
    if field.nested is not None or field.base == "string":
        if not isinstance(value, list):
            raise _wrong(path, value, "a list")
        return tuple(_single(field, item, f"{path}.{place}") for place, item in enumerate(value))
    return _array(field, value, path)


def _single(field: Field, value: object, path: str) -> Any:
    if field.nested is not None:
        return _message(field.nested, value, path)
    if field.base == "string":
        if not isinstance(value, str):
            raise _wrong(path, value, "a text")
        return value
    if field.base == "bool":
        if not isinstance(value, bool):
            raise _wrong(path, value, "true or false")
        return value
    return _number(field.base, value, path)


def _number(base: str, value: object, path: str) -> float | int:
    if base in _INTEGERS:
        low, high = _INTEGERS[base]
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise _wrong(path, value, f"a whole number from {low} to {high} ({base})")
        return value
    if value is None:
        return nan
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _wrong(path, value, f"a number ({base})")
    try:
        number = float(value)
    except OverflowError:
        raise _wrong(path, value, f"a number ({base})") from None
    if base == "float32" and abs(number) > _FLOAT32_MAX:
        raise _wrong(path, value, "a number (float32)")
    return number


def _array(field: Field, value: object, path: str) -> Any:
    if field.base in {"uint8", "byte", "char"} and isinstance(value, str):
        try:
            value = list(b64decode(value, validate=True))
        except (binascii.Error, ValueError):
            raise _wrong(path, value, "base64") from None
    if not isinstance(value, list):
        raise _wrong(path, value, "a list")
    numbers = [_number(field.base, item, f"{path}.{place}") for place, item in enumerate(value)]
    if field.size:
        if len(numbers) != field.size:
            raise _wrong(path, value, f"{field.size} numbers")
        return tuple(numbers)
    return np.array(numbers, np.dtype(PRIMITIVES[field.base]))


def _zero(field: Field) -> Any:
    if field.size:
        return (0.0,) * field.size if field.base.startswith("float") else (0,) * field.size
    if field.size == 0:
        plain = field.nested is None and field.base != "string"
        return np.empty(0, np.dtype(PRIMITIVES[field.base])) if plain else ()
    if field.nested is not None:
        return _message(field.nested, {}, "")
    return {"string": "", "bool": False}.get(field.base, 0.0 if field.base.startswith("float") else 0)


@cache
def _by_name(message_type: type[Message]) -> dict[str, Field]:
    return {field.name: field for field in fields_of(message_type)}


@cache
def _without_default(message_type: type[Message]) -> tuple[str, ...]:
    """Those of ROS have defaults; a message of a user's own need not."""
    return tuple(info.name for info in msgspec.structs.fields(message_type) if info.required)


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _wrong(path: str, value: object, wanted: str) -> MalformedError:
    return MalformedError(f"{path or 'The message'} is {value!r:.80}; wanted {wanted}.")
