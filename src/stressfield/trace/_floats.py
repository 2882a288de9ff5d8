"""Many floats at once: out of structs or tuples that hold nothing else, into the rows of a byte matrix.

A pose has seven floats, and reading them one by one in Python is slow. msgspec writes a list of structs in C: where a
struct holds nothing but floats, each one takes the same number of bytes, so the numbers stand in columns of a byte
matrix. So do those of tuples of floats of one length.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from stressfield.bus.cdr import flat_fields
from stressfield.bus.message import Message

# msgpack: the mark before each float, its size, and how long the head of a list is below which count
_FLOAT64 = 0xCB
_FLOAT = 8
_LIST_HEADER = ((16, 1), (1 << 16, 3), (1 << 32, 5))
_ENCODER = msgspec.msgpack.Encoder()
_PACKED, _ENCODED = np.dtype(">f8"), np.dtype("<f8")


class FloatRun(NamedTuple):
    """Floats that are equally far apart in the msgpack form of a struct, and so can be taken together."""

    at: int
    """Where the first one stands."""
    apart: int
    """From one to the next."""
    first: int
    """How many floats of the struct come before them."""
    count: int


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


@cache
def float_runs(message_type: type[Message]) -> tuple[FloatRun, ...]:
    """The floats of a struct that holds nothing else, in order, by runs: a pose has one of three and one of four."""
    places = list((float_offsets(message_type) or {}).values())
    runs: list[FloatRun] = []
    for number, at in enumerate(places):
        last = runs[-1] if runs else None
        if last is not None and last.count == 1:
            runs[-1] = FloatRun(last.at, at - last.at, last.first, 2)
        elif last is not None and at == last.at + last.apart * last.count:
            runs[-1] = last._replace(count=last.count + 1)
        else:
            runs.append(FloatRun(at, _FLOAT, number, 1))
    return tuple(runs)


def put_floats(message_type: type[Message], structs: Sequence[Message], rows: NDArray[np.uint8], offset: int) -> bool:
    """Write the floats of structs to ``offset`` of the rows, back to back as CDR has them; as many to each row.

    False, and whatever was there, where one is not a plain float, so that another way must be taken.
    """
    runs, count = float_runs(message_type), len(structs)
    last = runs[-1]
    stride, width = last.at + last.apart * (last.count - 1) + _FLOAT, (last.first + last.count) * _FLOAT
    data = _packed(structs, stride)
    if data is None:
        return False
    begin, each = _header(count), count // len(rows)
    shape, packed, encoded = (len(rows), each), (each * stride, stride), (rows.strides[0], width)
    # Arrays made by hand of what is behind them: a slice and a view of each would cost more than the copy itself.
    for run in runs:
        size, apart = (*shape, run.count), (*packed, run.apart)
        marks = np.ndarray(size, np.uint8, data, begin + run.at - 1, apart)
        if np.count_nonzero(marks != _FLOAT64):
            return False
        into = np.ndarray(size, _ENCODED, rows, offset + run.first * _FLOAT, (*encoded, _FLOAT))
        into[...] = np.ndarray(size, _PACKED, data, begin + run.at, apart)
    return True


def float_rows(sequences: Sequence[Sequence[float]], count: int) -> NDArray[Any] | None:
    """Sequences of ``count`` floats as the rows of a matrix; None where one is longer, shorter or not all floats."""
    header = _header(count)
    data = _packed(sequences, header + count * (1 + _FLOAT))
    if data is None:
        return None
    rows = np.frombuffer(data, np.uint8, offset=_header(len(sequences))).reshape(len(sequences), -1)
    if (rows[:, :header] != rows[0, :header]).any():
        return None
    pairs = rows[:, header:].view(np.dtype([("mark", np.uint8), ("value", ">f8")]))
    if pairs.shape[1] != count or (pairs["mark"] != _FLOAT64).any():
        return None
    values: NDArray[Any] = pairs["value"]
    return values


def _packed(items: Sequence[Any], stride: int) -> bytes | None:
    """The list of these items in msgpack; None when they do not all take ``stride`` bytes."""
    try:
        data = _ENCODER.encode(items)
    except TypeError:
        return None
    # The length alone proves little, as shorter and longer items may add up to it: callers check the marks of floats.
    return data if len(data) == _header(len(items)) + stride * len(items) else None


def _header(count: int) -> int:
    """How many bytes msgpack writes ahead of a list of so many."""
    return next(size for limit, size in _LIST_HEADER if count < limit)
