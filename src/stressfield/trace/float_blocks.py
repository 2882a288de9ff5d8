"""All numbers of many sub-messages at once: a pose has seven floats, and reading them one by one in Python is slow.

msgspec writes a list of structs in C. Where a struct holds nothing but floats, each one takes the same number of bytes,
so the numbers stand in columns of a byte matrix. So do those of tuples of floats of one length.
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
_FLOAT = 8
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


def floats_of(message_type: type[Message], structs: Sequence[Message]) -> dict[str, NDArray[Any]] | None:
    """A column per float of these structs; None where one is not a plain float, so that another way must be taken."""
    offsets = float_offsets(message_type)
    if offsets is None:
        return None
    rows = _packed(structs, max(offsets.values()) + _FLOAT)
    if rows is None or any((rows[:, at - 1] != _FLOAT64).any() for at in offsets.values()):
        return None
    return {path: rows[:, at : at + _FLOAT].view(">f8")[:, 0] for path, at in offsets.items()}


def float_rows(sequences: Sequence[Sequence[float]], count: int) -> NDArray[Any] | None:
    """Sequences of ``count`` floats as the rows of a matrix; None where one is longer, shorter or not all floats."""
    header = _header(count)
    rows = _packed(sequences, header + count * (1 + _FLOAT))
    if rows is None or (rows[:, :header] != rows[0, :header]).any():
        return None
    pairs = rows[:, header:].view(np.dtype([("mark", np.uint8), ("value", ">f8")]))
    if pairs.shape[1] != count or (pairs["mark"] != _FLOAT64).any():
        return None
    values: NDArray[Any] = pairs["value"]
    return values


def _packed(items: Sequence[Any], stride: int) -> NDArray[np.uint8] | None:
    """The msgpack forms of these items, one a row; None when they do not all take ``stride`` bytes."""
    try:
        data = _ENCODER.encode(items)
    except TypeError:
        return None
    header = _header(len(items))
    if len(data) != header + stride * len(items):
        return None
    return np.frombuffer(data, np.uint8, offset=header).reshape(len(items), stride)


def _header(count: int) -> int:
    """How many bytes msgpack writes ahead of a list of so many."""
    return next(size for limit, size in _LIST_HEADER if count < limit)
