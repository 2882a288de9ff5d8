"""Payloads: the encoded messages of one topic, and how many messages are encoded at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, repeat
from operator import attrgetter, is_
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from stressfield.bus.cdr import encode, flat_fields
from stressfield.bus.message import Field, Message
from stressfield.errors import TraceError
from stressfield.trace._floats import float_offsets, float_rows, put_floats
from stressfield.trace._layout import Slot, layout_of


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


_WORTH_A_MATRIX = 4  # for fewer messages the set-up of columns costs more than it saves
_MOST_NESTED = 64
_AT_ONCE = 1024
"""So many messages and their bytes stay in the processor's cache while column after column is filled. The recorder
encodes somewhat more than half of that at a time."""


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

_SHAPES_KEPT = 256
"""Shapes whose slots are remembered. Topics have one shape or a few; of texts there may be any number."""


@dataclass(frozen=True, slots=True)
class _Shape:
    """What messages must agree in to have their numbers in the same places, and the bytes of one of them."""

    message_type: type[Message]
    marks: tuple[Any, ...]
    sample: bytes = dataclasses.field(compare=False)

    @classmethod
    def of(cls, message: Message) -> _Shape:
        marks = [(get(message), mark) for get, mark in _shape_marks(type(message))]
        return cls(type(message), tuple(mark(value) if mark else value for value, mark in marks), encode(message))


@lru_cache(maxsize=_SHAPES_KEPT)
def _slots(shape: _Shape) -> dict[str, Slot]:
    return layout_of(shape.message_type, shape.sample).slots


def _encode_alike(message_type: type[Message], messages: Sequence[Message]) -> NDArray[np.uint8]:
    shape = _Shape.of(messages[0])
    slots = _slots(shape)
    rows = np.empty((len(messages), len(shape.sample)), np.uint8)
    sample = np.frombuffer(shape.sample, np.uint8)
    try:
        for begin in range(0, len(messages), _AT_ONCE):
            part = rows[begin : begin + _AT_ONCE]
            part[:] = sample
            _fill(message_type, messages[begin : begin + _AT_ONCE], messages[0], slots, part)
    except (TypeError, ValueError, OverflowError, AttributeError) as error:
        raise TraceError(
            f"A {message_type.ros_type} message cannot be encoded: {error}. Check that every value fits its ROS type."
        ) from error
    return rows


def _fill(
    message_type: type[Message],
    messages: Sequence[Any],
    sample: Message,
    slots: Mapping[str, Slot],
    rows: NDArray[np.uint8],
) -> None:
    """Write the numbers of messages into rows that are copies of the sample's bytes."""
    owners: dict[str, Sequence[Any]] = {"": messages}
    blocks = tuple(
        f"{path}."
        for path, block, first in _float_blocks(message_type)
        if put_floats(block, _owners(path, owners), rows, slots[first].offset)
    )
    for path, owner, get, field in _columns(message_type):
        if field.nested is not None:
            _fill_items(path, field.nested, list(map(get, _owners(owner, owners))), slots, rows)
        elif path in slots and not path.startswith(blocks):
            slot = slots[path]
            values = map(get, _owners(owner, owners))
            if field.size is None:
                slot.view(rows)[:, 0] = np.fromiter(values, slot.dtype, len(messages))
            else:
                _fill_arrays(field, slot, list(values), attrgetter(path)(sample), rows)


@cache
def _columns(message_type: type[Message]) -> tuple[tuple[str, str, Callable[[Any], Any], Field], ...]:
    """The fields of a type: the path of each, the path of what it is a field of, how to get it from that, and it."""
    split = [(path, *path.rpartition(".")[::2], field) for path, field in flat_fields(message_type)]
    return tuple((path, owner, attrgetter(name), field) for path, owner, name, field in split)


@cache
def _float_blocks(message_type: type[Message], prefix: str = "") -> tuple[tuple[str, type[Message], str], ...]:
    """The largest sub-messages of a type that hold nothing but floats, with their paths and that of the first float."""
    found: list[tuple[str, type[Message], str]] = []
    for field in msgspec.structs.fields(message_type):
        nested = field.type
        if isinstance(nested, type) and issubclass(nested, Message):
            path, offsets = f"{prefix}{field.name}", float_offsets(nested)
            found += [(path, nested, f"{path}.{next(iter(offsets))}")] if offsets else _float_blocks(nested, f"{path}.")
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
        if not all(map(is_, values, repeat(sample))):
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
    path: str, nested: type[Message], sequences: list[Sequence[Any]], slots: Mapping[str, Slot], rows: NDArray[np.uint8]
) -> None:
    count = len(sequences[0])
    if not count:
        return
    items, offsets = list(chain.from_iterable(sequences)), float_offsets(nested)
    if offsets and put_floats(nested, items, rows, slots[f"{path}.0.{next(iter(offsets))}"].offset):
        return
    owners: dict[str, Sequence[Any]] = {"": items}
    for leaf, owner, get, _ in _columns(nested):
        values = list(map(get, _owners(owner, owners)))
        for index in range(count):
            slot = slots[f"{path}.{index}.{leaf}"]
            column = np.array(values[index::count], slot.dtype)
            slot.view(rows)[:] = column.reshape(len(sequences), slot.count)
