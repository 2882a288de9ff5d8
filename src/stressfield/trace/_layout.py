"""Where the numbers are inside a CDR payload.

Most topics repeat one shape: the same strings, the same array lengths, other numbers. For such a topic all payloads
have the same layout, and a column of numbers is a strided view of the byte matrix: no message needs to be decoded.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stressfield.bus.cdr import decode, flat_fields, padding
from stressfield.bus.message import PRIMITIVES, Field, Message


@dataclass(frozen=True, slots=True)
class Slot:
    """``count`` numbers of one type at a byte offset of the payload."""

    dtype: np.dtype[Any]
    offset: int
    count: int

    @property
    def end(self) -> int:
        return self.offset + self.count * self.dtype.itemsize

    def view(self, rows: NDArray[np.uint8]) -> NDArray[Any]:
        """The numbers in all payloads, [n, count]; writing to it writes the payloads."""
        return rows[:, self.offset : self.end].view(self.dtype)


@dataclass(frozen=True, slots=True)
class Layout:
    """All slots of one payload by dotted path, e.g. ``pose.position.x``, ``velocity``, ``poses.0.position.x``."""

    sample: bytes
    slots: dict[str, Slot]

    def column(self, rows: NDArray[np.uint8], path: str) -> NDArray[Any]:
        """The single number at ``path`` of every payload, as a writable view."""
        return self.slots[path].view(rows)[:, 0]

    def fits(self, rows: NDArray[np.uint8]) -> bool:
        """Whether all payloads agree with the sample in everything but the numbers."""
        if rows.shape[1] != len(self.sample):
            return False
        rest = np.ones(rows.shape[1], bool)
        for slot in self.slots.values():
            rest[slot.offset : slot.end] = False
        row = np.frombuffer(self.sample, np.uint8)
        return bool((rows[:, rest] == row[rest]).all())


def layout_of(message_type: type[Message], sample: bytes) -> Layout:
    """The layout of a payload. Raises TraceError when it is not such a message."""
    decode(message_type, sample)
    slots: dict[str, Slot] = {}
    _walk(message_type, sample, 4, "", slots)
    return Layout(sample, slots)


def _walk(message_type: type[Message], data: bytes, at: int, prefix: str, slots: dict[str, Slot]) -> int:
    for name, field in flat_fields(message_type):
        path = prefix + name
        if field.nested is not None:
            count, at = (field.size, at) if field.size else _count(data, at)
            for index in range(count):
                at = _walk(field.nested, data, at, f"{path}.{index}.", slots)
        elif field.base == "string":
            at = _skip_strings(field, data, at)
        else:
            at = _numbers(field, data, at, path, slots)
    return at


def _numbers(field: Field, data: bytes, at: int, path: str, slots: dict[str, Slot]) -> int:
    dtype = np.dtype("<" + PRIMITIVES[field.base])
    count = 1 if field.size is None else field.size
    if field.size == 0:
        count, at = _count(data, at)
        if not count:
            return at
    at += padding(at, dtype.itemsize)
    slots[path] = Slot(dtype, at, count)
    return slots[path].end


def _skip_strings(field: Field, data: bytes, at: int) -> int:
    count = field.size or 1
    if field.size == 0:
        count, at = _count(data, at)
    for _ in range(count):
        size, at = _count(data, at)
        at += size
    return at


def _count(data: bytes, at: int) -> tuple[int, int]:
    at += padding(at, 4)
    return struct.unpack_from("<I", data, at)[0], at + 4
