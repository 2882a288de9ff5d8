"""Many messages of one type in CDR, by way of MessagePack.

To take the values of a message one by one in Python is slow, and most of that is waiting for memory. msgspec writes a
list of messages as MessagePack in C, with all their values in the order of their fields. What stands where follows from
the type: it is made into steps, once, and a kernel that goes by them writes the values where CDR has them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from operator import attrgetter

import msgspec
import numpy as np
from numpy.typing import NDArray

from stressfield.bus.message import PRIMITIVES, Field, Message, fields_of
from stressfield.trace._cdr_kernels import (
    COUNT,
    FULL,
    HEAD,
    ITEMS,
    KEYS,
    KINDS,
    NEXT,
    NUMBER,
    NUMBERS,
    PADDING,
    SIZES,
    TEXT,
    transcribe,
)

# Arrays of numpy are no values of MessagePack: each is written as the list of what must be known of it.
_PACKER = msgspec.msgpack.Encoder(enc_hook=attrgetter("dtype.num", "dtype.isnative", "ndim", "data"))
_LIST_HEADS = ((16, 1), (1 << 16, 3), (1 << 32, 5))
"""Bytes that MessagePack has ahead of a list of fewer items."""
_FEW, _MAP, _MAP16 = 16, 0x80, 0xDE
_ANY = -1


def transcribed(
    message_type: type[Message], messages: Sequence[Message]
) -> tuple[NDArray[np.uint8], NDArray[np.int64]] | None:
    """Their bytes back to back, and how many each has. None where a value is not plainly what its type says."""
    try:
        text = bytearray()
        _PACKER.encode_into(messages, text)
    except (TypeError, ValueError, AttributeError, OverflowError, BufferError):
        return None
    text += bytes(PADDING)
    packed, program = np.frombuffer(text, np.uint8), _program(message_type)
    begin = next(size for limit, size in _LIST_HEADS if len(messages) < limit)
    lengths = np.empty(len(messages), np.int64)
    room = len(messages) * program.bytes + len(packed)
    while True:
        out = np.empty(room + PADDING, np.uint8)
        end = transcribe(packed, begin, program.steps, program.keys, out, lengths)
        if end != FULL:
            return None if end < 0 else (out[:end], lengths)
        room *= 2  # lists of small numbers take less room in MessagePack


@dataclass(frozen=True, slots=True, eq=False)
class _Program:
    """The steps of the kernel for a type of messages."""

    steps: NDArray[np.int64]
    keys: NDArray[np.uint8]
    """What MessagePack says between values: names of fields, one after the other."""
    bytes: int
    """What a message takes at most, without texts and sequences."""


@cache
def _program(message_type: type[Message]) -> _Program:
    writer = _Writer()
    writer.struct(message_type)
    writer.flush()
    steps = np.array(writer.steps, np.int64).reshape(-1, 4)
    return _Program(steps, np.frombuffer(bytes(writer.keys), np.uint8), HEAD + writer.bytes)


class _Writer:
    """Collects steps. Names that follow each other, as where a message begins within a message, are one step."""

    def __init__(self) -> None:
        self.steps: list[tuple[int, int, int, int]] = []
        self.keys = bytearray()
        self.bytes = 0
        self._flushed = 0

    def struct(self, message_type: type[Message]) -> None:
        """The fields of a message, each with its name ahead."""
        fields = fields_of(message_type)
        count = len(fields)
        self.keys += bytes([_MAP | count]) if count < _FEW else bytes([_MAP16]) + count.to_bytes(2, "big")
        for info, field in zip(msgspec.structs.fields(message_type), fields, strict=True):
            self.keys += msgspec.msgpack.encode(info.encode_name)
            if field.nested is None:
                self._plain(field)
            elif field.size is None:
                self.struct(field.nested)
            else:
                self._items(field, partial(self.struct, field.nested))

    def flush(self) -> None:
        """Make a step of the names since the last step."""
        if len(self.keys) > self._flushed:
            self.steps.append((KEYS, self._flushed, len(self.keys) - self._flushed, _ANY))
            self._flushed = len(self.keys)

    def _plain(self, field: Field) -> None:
        most = _ANY if field.most is None else field.most
        if field.base == "string":
            longest = _ANY if field.longest is None else field.longest
            if field.size is None:
                self._step(TEXT, 0, 0, longest, 2 * COUNT)
            else:
                self._items(field, partial(self._step, TEXT, 0, 0, longest, 0))
            return
        kind = KINDS.index(PRIMITIVES[field.base])
        size = 2 * int(SIZES[kind])  # with what aligns it
        if field.size is None:
            self._step(NUMBER, kind, int(SIZES[kind]), _ANY, size)
        else:
            self._step(NUMBERS, kind, field.size, most, 2 * COUNT + size * (field.size + 1))

    def _items(self, field: Field, item: Callable[[], None]) -> None:
        most = _ANY if field.most is None else field.most
        self._step(ITEMS, 0, field.size or 0, most, 2 * COUNT)
        begin, before = len(self.steps) - 1, self.bytes
        item()
        self._step(NEXT, 0, 0, _ANY, 0)
        self.bytes = before + (self.bytes - before) * (field.size or 0)
        self.steps[begin] = (ITEMS, len(self.steps) - 1, *self.steps[begin][2:])

    def _step(self, what: int, kind: int, size: int, most: int, room: int) -> None:
        self.flush()
        self.steps.append((what, kind, size, most))
        self.bytes += room
