"""All numbers of many sub-messages at once: a pose has seven floats, and reading them one by one in Python is slow.

msgspec writes a list of structs in C. Where a struct holds nothing but floats, each one takes the same number of bytes,
so the numbers stand in columns of a byte matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from stressfield.bus.cdr import flat_fields
from stressfield.bus.message import Message

_FLOAT64 = 0xCB
_LIST_HEADER = ((16, 1), (1 << 16, 3), (1 << 32, 5))
_ENCODER = msgspec.msgpack.Encoder()


@cache
def float_offsets(message_type: type[Message]) -> dict[str, int] | None:
    """Where each float of a struct stands in its msgpack form; None for a struct that holds anything else."""
    fields = flat_fields(message_type)
    if not fields or any(field.base != "float64" or field.size is not None or field.nested for _, field in fields):
        return None
    offsets: dict[str, int] = {}
    _place(message_type, "", 0, offsets)
    return offsets


def _place(message_type: type[Message], prefix: str, at: int, offsets: dict[str, int]) -> int:
    at += 1  # the header of a map of fewer than sixteen fields
    for field in msgspec.structs.fields(message_type):
        at += 1 + len(field.name)
        nested = _struct(field.type)
        if nested is not None:
            at = _place(nested, f"{prefix}{field.name}.", at, offsets)
        else:
            offsets[prefix + field.name] = at + 1
            at += 9
    return at


def _struct(annotation: Any) -> type[Message] | None:
    return annotation if isinstance(annotation, type) and issubclass(annotation, Message) else None


def floats_of(message_type: type[Message], structs: Sequence[Message]) -> dict[str, NDArray[np.float64]] | None:
    """A column per float of these structs; None where one is not a plain float, so that another way must be taken."""
    offsets = float_offsets(message_type)
    if offsets is None:
        return None
    try:
        data = _ENCODER.encode(structs)
    except TypeError:
        return None
    header = next(size for limit, size in _LIST_HEADER if len(structs) < limit)
    stride = max(offsets.values()) + 8
    if len(data) != header + stride * len(structs):
        return None
    rows = np.frombuffer(data, np.uint8, offset=header).reshape(len(structs), stride)
    columns = {}
    for path, at in offsets.items():
        if (rows[:, at - 1] != _FLOAT64).any():
            return None
        columns[path] = np.ascontiguousarray(rows[:, at : at + 8]).view(">f8")[:, 0].astype(np.float64)
    return columns
