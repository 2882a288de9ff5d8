"""Many messages in CDR, by way of MessagePack.

To take the values of a message one by one in Python is slow, and most of that is waiting for memory. msgspec writes a
list of messages as MessagePack in C, with all their values in the order of their fields. What stands where follows from
the types: it is made into steps, once, and a kernel that goes by them writes the values where CDR has them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import accumulate
from operator import attrgetter, mul
from typing import Any, TypeAlias

import msgspec
import numpy as np
from numpy.typing import NDArray

from stressfield.bus.message import PRIMITIVES, Field, Message, fields_of
from stressfield.trace._cdr_kernels import (
    COUNT,
    DONE,
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

_OF_ARRAY = attrgetter("dtype.num", "dtype.isnative", "ndim", "data")
_DOUBLE, _FEW_BYTES = 8, 128


def _of_numpy(value: Any) -> Any:
    """What is written of an array of numpy, which is no value of MessagePack: what must be known of it, in a list.

    For a few numbers it takes longer to find that out than to write them as any list. No digits are lost by that where
    they have 64 bits, as those of Python have.
    """
    return value.tolist() if value.nbytes < _FEW_BYTES and value.itemsize == _DOUBLE else _OF_ARRAY(value)


_PACKER = msgspec.msgpack.Encoder(enc_hook=_of_numpy)
_LIST_HEADS = ((16, 1), (1 << 16, 3), (1 << 32, 5))
"""Bytes that MessagePack has ahead of a list of fewer items."""
_FEW, _MAP, _MAP16 = 16, 0x80, 0xDE
_ANY = -1

Transcribed: TypeAlias = tuple[NDArray[np.uint8], NDArray[np.int64]]
"""Messages of one type: their bytes back to back, and how many each has."""


class Transcript:
    """Blocks of memory, one after the other filled with messages: what was given out of them stays as it is."""

    def __init__(self, block_bytes: int = 0) -> None:
        self._block_bytes = block_bytes
        self._block = np.empty(0, np.uint8)
        self._used = 0

    def of(self, kinds: tuple[type[Message], ...], groups: Sequence[Sequence[Message]]) -> list[Transcribed] | None:
        """A group of messages of each of these types. None where a value is not plainly what its type says."""
        messages: list[Message] = []
        for group in groups:
            messages += group
        try:
            text = bytearray()
            _PACKER.encode_into(messages, text)
        except (TypeError, ValueError, AttributeError, OverflowError, BufferError):
            return None
        text += bytes(PADDING)
        packed, program = np.frombuffer(text, np.uint8), _program(kinds)
        begin = next(size for limit, size in _LIST_HEADS if len(messages) < limit)
        places = program.groups.copy()
        places[:, DONE] = list(accumulate(map(len, groups)))
        lengths = np.empty(len(messages), np.int64)
        room = 0
        while True:
            end = transcribe(packed, begin, program.steps, program.keys, places, self._block, self._used, lengths)
            if end != FULL:
                break
            # It begins anew in another block. Lists of small numbers take more room there than in MessagePack.
            room = max(2 * room, len(packed) + sum(map(mul, map(len, groups), program.bytes)))
            self._block, self._used = np.empty(max(self._block_bytes, room + PADDING), np.uint8), 0
        if end < 0:
            return None
        found, first, start = [], 0, self._used
        for done, end in places[:, DONE:].tolist():
            found.append((self._block[start:end], lengths[first:done]))
            first, start = done, end
        self._used = start
        return found


def transcribed(message_type: type[Message], messages: Sequence[Message]) -> Transcribed | None:
    """The same of messages of one type."""
    found = Transcript().of((message_type,), (messages,))
    return None if found is None else found[0]


@dataclass(frozen=True, slots=True, eq=False)
class _Program:
    """The steps of the kernel for messages of some types."""

    steps: NDArray[np.int64]
    groups: NDArray[np.int64]
    """For each type the first of its steps, the one behind the last, and room for what a transcript has of it."""
    keys: NDArray[np.uint8]
    """What MessagePack says between values: names of fields, one after the other."""
    bytes: tuple[int, ...]
    """What a message of each type takes at most, without texts and sequences."""


@lru_cache(maxsize=256)
def _program(kinds: tuple[type[Message], ...]) -> _Program:
    rows, groups, sizes, keys, done = [np.empty((0, 4), np.int64)], [], [], b"", 0
    for kind in kinds:
        writer = _Writer()
        writer.struct(kind)
        writer.flush()
        steps = np.array(writer.steps, np.int64).reshape(-1, 4)
        steps[steps[:, 0] == KEYS, 1] += len(keys)
        rows.append(steps)
        groups.append((done, done + len(steps), 0, 0))
        sizes.append(HEAD + writer.bytes)
        keys += writer.keys
        done += len(steps)
    of_groups = np.array(groups, np.int64).reshape(-1, 4)
    return _Program(np.concatenate(rows), of_groups, np.frombuffer(keys, np.uint8), tuple(sizes))


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
