"""Messages as the JSON of rosbridge, and back; CBOR is read as well.

============== ==========================================================================================
numbers        NaN and the infinities are ``null`` (JSON has no other word for them); ``null`` for a float is NaN
stamps         ``{"sec": 1, "nanosec": 500}``; the ``secs``/``nsecs`` of ROS 1 are understood too
bytes          ``uint8[]`` is written as base64; base64, CBOR's bytes and a list of numbers are all understood
arrays         CBOR's arrays of one type (RFC 8746) have exact numbers, NaN and the infinities among them
missing        a field that is not there has its default, or the zero of its type, as in ROS
unknown        a field that the type does not have is an error, except ``seq`` of a ROS 1 header
============== ==========================================================================================
"""

from __future__ import annotations

import binascii
from base64 import b64decode, b64encode
from functools import cache
from math import isfinite, nan
from typing import Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from stressfield.bus import Message
from stressfield.bus.message import PRIMITIVES, Field, fields_of, zero_of
from stressfield.bus.messages import Header, Time
from stressfield.errors import MalformedError, did_you_mean

M = TypeVar("M", bound=Message)

_INTEGERS = {
    name: (int(np.iinfo(code).min), int(np.iinfo(code).max))
    for name, code in PRIMITIVES.items()
    if name not in {"bool", "float32", "float64"}
}
_FLOAT32_MAX = float(np.finfo(np.float32).max)
_FLOATS = frozenset({"float32", "float64"})
_BYTES = frozenset({"uint8", "byte", "char"})
_TYPED_ARRAYS = {
    64: "u1", 65: ">u2", 66: ">u4", 67: ">u8", 68: "u1", 69: "<u2", 70: "<u4", 71: "<u8",
    72: "i1", 73: ">i2", 74: ">i4", 75: ">i8", 77: "<i2", 78: "<i4", 79: "<i8",
    80: ">f2", 81: ">f4", 82: ">f8", 84: "<f2", 85: "<f4", 86: "<f8",
}  # fmt: skip
"""Tags of CBOR and the numbers behind them."""
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
            values[name] = zero_of(fields[name])
    return message_type(**values)


def _value(field: Field, value: object, path: str) -> Any:
    if field.size is None:
        return _single(field, value, path)
    if field.nested is not None or field.base == "string":
        if not isinstance(value, list):
            raise _wrong(path, value, "a list")
        if field.size and len(value) != field.size:
            raise _wrong(path, value, f"{field.size} items")
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
    if base == "bool":
        raise _wrong(path, value, "true or false")
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
    if base == "float32" and isfinite(number) and abs(number) > _FLOAT32_MAX:
        raise _wrong(path, value, "a number (float32)")
    return number


def _array(field: Field, value: object, path: str) -> Any:
    """An array of numbers; long ones are read all at once, for a camera's picture has millions."""
    numbers = _binary(field, value, path)
    if numbers is None:
        if not isinstance(value, list):
            raise _wrong(path, value, "a list")
        numbers = _list(field.base, value)
        if numbers is None:  # something is odd in it: number by number, to say what
            single = [_number(field.base, item, f"{path}.{place}") for place, item in enumerate(value)]
            numbers = np.array(single, np.dtype(PRIMITIVES[field.base]))
    if field.size:
        if len(numbers) != field.size:
            raise _wrong(path, value, f"{field.size} numbers")
        return tuple(numbers.tolist())
    return numbers


def _binary(field: Field, value: object, path: str) -> NDArray[Any] | None:
    """Base64, or what CBOR has for arrays; None if it is neither."""
    if field.base in _BYTES and isinstance(value, str):
        try:
            value = b64decode(value, validate=True)
        except (binascii.Error, ValueError):
            raise _wrong(path, value, "base64") from None
    tag, data = getattr(value, "tag", None), getattr(value, "value", None)
    if isinstance(value, bytes) and field.base in _BYTES:
        found = np.frombuffer(value, np.uint8)
    elif tag in _TYPED_ARRAYS and isinstance(data, bytes):
        kind = np.dtype(_TYPED_ARRAYS[tag])
        if len(data) % kind.itemsize:
            raise _wrong(path, value, f"whole numbers of {kind.itemsize} bytes each")
        found = np.frombuffer(data, kind)
    else:
        return None
    if tag == 72 and field.base in _BYTES:  # servers call a byte signed
        found = found.view(np.uint8)
    wanted = np.dtype(PRIMITIVES[field.base])
    if (found.dtype.kind == "f") != (field.base in _FLOATS) or not _in_range(found, field.base):
        raise _wrong(path, value, f"an array of {field.base}")
    return found.astype(wanted)


def _list(base: str, value: list[Any]) -> NDArray[Any] | None:
    """The numbers of a list of plain numbers (for floats with ``null`` among them); None if there is anything else."""
    kinds = set(map(type, value))
    if base == "bool":
        return np.array(value, np.bool_) if kinds <= {bool} else None
    if base in _FLOATS:
        if type(None) in kinds:
            value, kinds = [nan if item is None else item for item in value], kinds - {type(None)}
        if not kinds <= {int, float}:
            return None
    elif not kinds <= {int}:
        return None
    try:
        numbers = np.array(value, np.float64 if base in _FLOATS else np.int64)
    except OverflowError:
        return None
    return numbers.astype(np.dtype(PRIMITIVES[base])) if _in_range(numbers, base) else None


def _in_range(numbers: NDArray[Any], base: str) -> bool:
    if base == "float32" and numbers.dtype.itemsize > 4:
        finite = numbers[np.isfinite(numbers)]
        return not len(finite) or bool(np.abs(finite).max() <= _FLOAT32_MAX)
    if base in _INTEGERS and len(numbers):
        low, high = _INTEGERS[base]
        return low <= int(numbers.min()) and int(numbers.max()) <= high
    return True


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
