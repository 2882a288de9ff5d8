"""Payloads: the encoded messages of one topic, and how many messages are encoded at once.

A pose has seven floats, and reading them one by one in Python is slow. msgspec writes a list of structs in C: where a
struct holds nothing but floats, each one takes the same number of bytes, so the numbers stand in columns of a byte
matrix. So do those of tuples of floats of one length.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from operator import attrgetter
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from stressfield.bus.cdr import encode, flat_fields
from stressfield.bus.message import Field, Message
from stressfield.errors import TraceError
from stressfield.trace._layout import Layout, Slot, layout_of


@dataclass(frozen=True, eq=False)
class Payloads:
    """Encoded messages back to back in ``flat``; message i has ``lengths[i]`` bytes."""

    flat: NDArray[np.uint8]
    lengths: NDArray[np.int64]

    @classmethod
    def of(cls, items: Sequence[bytes | memoryview]) -> Payloads:
        """Collect single payloads."""
        lengths = np.fromiter(map(len, items), np.int64, len(items))
        return cls(np.frombuffer(b"".join(items), np.uint8), lengths)

    @classmethod
    def of_rows(cls, rows: NDArray[np.uint8]) -> Payloads:
        """Payloads of one length, as the rows of a matrix."""
        return cls(np.ascontiguousarray(rows).reshape(-1), np.full(len(rows), rows.shape[1], np.int64))

    @classmethod
    def joined(cls, parts: Sequence[Payloads]) -> Payloads:
        """All payloads of the parts, one part after the other."""
        if len(parts) == 1:
            return parts[0]
        nothing = cls.of([])
        flat = np.concatenate([nothing.flat, *(part.flat for part in parts)])
        return cls(flat, np.concatenate([nothing.lengths, *(part.lengths for part in parts)]))

    def __len__(self) -> int:
        return len(self.lengths)

    def ordered(self, order: NDArray[np.intp]) -> Payloads:
        """The same payloads in another order."""
        rows = self.rows()
        if rows is not None:
            return Payloads.of_rows(rows[order])
        items = self.items()
        return Payloads.of([items[place] for place in order.tolist()])

    def rows(self) -> NDArray[np.uint8] | None:
        """A matrix with one payload per row, or None when lengths differ or there is no payload."""
        if not len(self.lengths) or (self.lengths != self.lengths[0]).any():
            return None
        return self.flat.reshape(len(self.lengths), int(self.lengths[0]))

    def items(self) -> list[bytes]:
        """Each payload on its own."""
        data = self.flat.tobytes()
        ends = np.cumsum(self.lengths).tolist()
        return [data[start:end] for start, end in zip([0, *ends], ends, strict=False)]


# msgpack: the mark before each float, its size, and how long the head of a list is below which count
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
    # The length alone proves little, as shorter and longer items may add up to it: callers check the marks of floats.
    if len(data) != header + stride * len(items):
        return None
    return np.frombuffer(data, np.uint8, offset=header).reshape(len(items), stride)


def _header(count: int) -> int:
    """How many bytes msgpack writes ahead of a list of so many."""
    return next(size for limit, size in _LIST_HEADER if count < limit)


_WORTH_A_MATRIX = 4  # for fewer messages the set-up of columns costs more than it saves
_MOST_NESTED = 64
_AT_ONCE = 512
"""So many messages and their bytes stay in the processor's cache while column after column is filled."""


def encode_all(message_type: type[Message], messages: Sequence[Message]) -> Payloads:
    """The CDR bytes of many messages of one type. Raises TraceError when a value does not fit its ROS type."""
    shapes = _shapes(message_type, messages)
    if shapes is None:
        return Payloads.of([encode(message) for message in messages])
    if len(shapes) == 1:
        return Payloads.of_rows(_encode_alike(message_type, messages))
    items: list[bytes] = [b""] * len(messages)
    for places in shapes:
        group = [messages[place] for place in places]
        for place, item in zip(places, _encode_group(message_type, group), strict=True):
            items[place] = item
    return Payloads.of(items)


def _encode_group(message_type: type[Message], group: Sequence[Message]) -> list[bytes]:
    if len(group) < _WORTH_A_MATRIX:
        return [encode(message) for message in group]
    return Payloads.of_rows(_encode_alike(message_type, group)).items()


# --- which messages have the same shape -------------------------------------------------------------------------


def _shapes(message_type: type[Message], messages: Sequence[Message]) -> Sequence[Sequence[int]] | None:
    """Places of the messages of each shape (same strings, same lengths), or None when columns would not help."""
    if len(messages) < _WORTH_A_MATRIX or not _columns_help(message_type, messages):
        return None
    varying = []
    for get, mark in _shape_marks(message_type):
        values = map(get, messages)
        marks = list(map(mark, values) if mark else values)
        if marks.count(marks[0]) != len(marks):
            varying.append(marks)
    if not varying:
        return [range(len(messages))]
    groups: dict[Any, list[int]] = {}
    for place, key in enumerate(zip(*varying, strict=True)):
        groups.setdefault(key, []).append(place)
    return list(groups.values())


@cache
def _shape_marks(message_type: type[Message]) -> tuple[tuple[Callable[[Any], Any], Callable[[Any], Any] | None], ...]:
    """How to get what a message of the type may vary in: the text itself, or the length (``len``) of a sequence."""
    marks: list[tuple[Callable[[Any], Any], Callable[[Any], Any] | None]] = []
    for path, field in flat_fields(message_type):
        if field.base == "string":
            marks.append((attrgetter(path), None if field.size is None else tuple))
        elif field.size == 0:
            marks.append((attrgetter(path), len))
    return tuple(marks)


def _columns_help(message_type: type[Message], messages: Sequence[Message]) -> bool:
    """Not when sequences of messages are long, or hold messages that themselves vary in length."""
    for path, field in flat_fields(message_type):
        if field.nested is not None:
            longest = max(map(len, map(attrgetter(path), messages)))
            if longest > (0 if _shape_marks(field.nested) else _MOST_NESTED):
                return False
    return True


# --- columns ----------------------------------------------------------------------------------------------------


def _encode_alike(message_type: type[Message], messages: Sequence[Message]) -> NDArray[np.uint8]:
    layout = layout_of(message_type, encode(messages[0]))
    rows = np.empty((len(messages), len(layout.sample)), np.uint8)
    sample = np.frombuffer(layout.sample, np.uint8)
    try:
        for begin in range(0, len(messages), _AT_ONCE):
            part = rows[begin : begin + _AT_ONCE]
            part[:] = sample
            _fill(message_type, messages[begin : begin + _AT_ONCE], messages[0], layout, part)
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        raise TraceError(
            f"A {message_type.ros_type} message cannot be encoded: {error}. Check that every value fits its ROS type."
        ) from error
    return rows


def _fill(
    message_type: type[Message], messages: Sequence[Any], sample: Message, layout: Layout, rows: NDArray[np.uint8]
) -> None:
    """Write the numbers of messages into rows that are copies of the sample's bytes."""
    owners: dict[str, Sequence[Any]] = {"": messages}
    blocks = _fill_blocks(message_type, owners, layout, rows)
    for path, field in flat_fields(message_type):
        owner, _, name = path.rpartition(".")
        if field.nested is not None:
            _fill_items(path, field.nested, list(map(attrgetter(path), messages)), layout, rows)
        elif path in layout.slots and not path.startswith(blocks):
            slot = layout.slots[path]
            values = map(attrgetter(name), _owners(owner, owners))
            if field.size is None:
                slot.view(rows)[:, 0] = np.fromiter(values, slot.dtype, len(messages))
            else:
                _fill_arrays(field, slot, list(values), attrgetter(path)(sample), rows)


def _fill_blocks(
    message_type: type[Message], owners: dict[str, Sequence[Any]], layout: Layout, rows: NDArray[np.uint8]
) -> tuple[str, ...]:
    """Fill sub-messages that hold nothing but floats; returns the beginnings of the paths that are done."""
    done = []
    for path, block in _float_blocks(message_type):
        columns = floats_of(block, _owners(path, owners))
        if columns is not None:
            for leaf, values in columns.items():
                layout.column(rows, f"{path}.{leaf}")[:] = values
            done.append(f"{path}.")
    return tuple(done)


@cache
def _float_blocks(message_type: type[Message], prefix: str = "") -> tuple[tuple[str, type[Message]], ...]:
    """The largest sub-messages of a type that hold nothing but floats, with their paths."""
    found: list[tuple[str, type[Message]]] = []
    for field in msgspec.structs.fields(message_type):
        nested = field.type
        if isinstance(nested, type) and issubclass(nested, Message):
            path = f"{prefix}{field.name}"
            found += [(path, nested)] if float_offsets(nested) else _float_blocks(nested, f"{path}.")
    return tuple(found)


def _owners(path: str, known: dict[str, Sequence[Any]]) -> Sequence[Any]:
    """The objects at a dotted path of all messages; each step of the path is taken once."""
    if path not in known:
        parent, _, name = path.rpartition(".")
        known[path] = list(map(attrgetter(name), _owners(parent, known)))
    return known[path]


def _fill_arrays(field: Field, slot: Slot, values: list[Any], sample: Any, rows: NDArray[np.uint8]) -> None:
    if field.size:
        # A constant covariance is mostly the very same object in all messages: then the sample's bytes are right.
        if values[0] is not sample or len(set(map(id, values))) > 1:
            slot.view(rows)[:] = _fixed_arrays(field, slot, values)
        return
    joined = np.concatenate(values)
    if joined.ndim != 1:
        raise ValueError(f"{field.text} got an array of {joined.ndim} dimensions")
    slot.view(rows)[:] = joined.astype(slot.dtype, copy=False).reshape(len(values), slot.count)


def _fixed_arrays(field: Field, slot: Slot, values: list[Any]) -> NDArray[Any]:
    floats = float_rows(values, slot.count) if field.base == "float64" else None
    return _shaped(np.array(values, slot.dtype), field, slot) if floats is None else floats


def _shaped(values: NDArray[Any], field: Field, slot: Slot) -> NDArray[Any]:
    if values.shape[1:] != (slot.count,):
        raise ValueError(f"{field.text} got an array of shape {values.shape[1:]}")
    return values


def _fill_items(
    path: str, nested: type[Message], sequences: list[Sequence[Any]], layout: Layout, rows: NDArray[np.uint8]
) -> None:
    count = len(sequences[0])
    items = list(chain.from_iterable(sequences))
    owners: dict[str, Sequence[Any]] = {"": items}
    for leaf, _ in flat_fields(nested) if count else ():
        owner, _, name = leaf.rpartition(".")
        values = list(map(attrgetter(name), _owners(owner, owners)))
        for index in range(count):
            slot = layout.slots[f"{path}.{index}.{leaf}"]
            column = np.array(values[index::count], slot.dtype)
            slot.view(rows)[:] = column.reshape(len(sequences), slot.count)
