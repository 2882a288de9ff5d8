"""From MessagePack to CDR, compiled: msgspec writes many messages in C, and this brings their values to their places.

Plainly it is :func:`stressfield.bus.cdr.encode`, message by message. The kernel follows a list of steps, which
``_transcription`` makes of message types. Wherever a value is not just what the type says, it gives up, and the plain
way decides: an array where a number should be, a float in an integer, a number that is too large.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from stressfield._kernels import kernel

KEYS, NUMBER, NUMBERS, TEXT, ITEMS, NEXT = range(6)
"""Steps, each a row of four numbers ``(what, kind, size, most)``: names of fields, of which ``size`` bytes from place
``kind`` on must come next; a number; numbers; a text of at most ``most`` bytes; items, which end at step ``kind``; and
that end. A ``size`` of 0 is a sequence of any length, or at most ``most``; a ``most`` of -1 any number.
"""

KINDS = "?BbHhIiQqfd"
"""Numbers by their :mod:`struct` codes; their places are the kinds."""
BOOL, UINT32, UINT64, INT64, FLOAT32, FLOAT64 = 0, 5, 7, 8, 9, 10
SIZES = np.array([np.dtype(code).itemsize for code in KINDS])
NUMPY = np.array([np.dtype(code).num for code in KINDS])
"""What numpy calls the type of each kind."""
LEAST = np.array([0, 0, -(2**7), 0, -(2**15), 0, -(2**31), 0, -(2**63)], np.int64)
MOST = np.array([1, 2**8 - 1, 2**7 - 1, 2**16 - 1, 2**15 - 1, 2**32 - 1, 2**31 - 1, 2**63 - 1, 2**63 - 1], np.int64)
"""Of integers by their kinds. Those of 64 bits without a sign that are larger than that are told apart before."""

DEPTH = 16
"""Sequences within sequences; more of them are encoded plainly."""
DONE = 2
"""Of the four numbers of a group of messages, the first that is not of its steps: see ``transcribe``."""
DOUBT, FULL = -1, -2
"""What is told instead of a place: a value is not plainly what its type says; there is no room left."""
PADDING = 16
"""Bytes behind MessagePack, and room behind CDR, into which may be read and written: more than a number has."""
HEAD, COUNT = 4, 4
"""Bytes ahead of every message of CDR, from behind which alignment counts, and ahead of what has any length."""

Ends: TypeAlias = tuple[int, int]
"""How far MessagePack was read, and CDR written."""

# Marks of MessagePack.
_FLOAT, _FALSE, _TRUE = 0xCB, 0xC2, 0xC3
_UINT8, _UINT32, _UINT64, _INT8, _INT64 = 0xCC, 0xCE, 0xCF, 0xD0, 0xD3
_BIN8, _BIN32, _STR8, _STR32, _ARRAY16, _ARRAY32 = 0xC4, 0xC6, 0xD9, 0xDB, 0xDC, 0xDD
_SHORT_LIST, _SHORT_TEXT, _NEGATIVE = 0x90, 0xA0, 0xE0
_OF_NUMPY = 0x94
"""A list of four: how ``_transcription`` has arrays of numpy written: type, byte order, dimensions, and the bytes."""


@kernel
def _byte(packed: NDArray[np.uint8], at: int) -> int:
    """A byte as a number that may become negative; the place is none that counts from the end."""
    return np.int64(packed[np.uint64(at)])  # type: ignore[return-value]


@kernel
def _big_endian(packed: NDArray[np.uint8], at: int, size: int) -> int:
    """An unsigned number of up to eight bytes, as 64 bits."""
    value = 0
    for byte in range(size):
        value = (value << 8) | _byte(packed, at + byte)
    return value


@kernel
def _length(packed: NDArray[np.uint8], at: int, short: int, short_mask: int, first: int, last: int) -> tuple[int, int]:
    """Where the content of a text or list begins, and its length; -1 if there is neither.

    ``first`` and ``last`` are the marks of those whose length takes a number of bytes: of one, two and four, or of two
    and four.
    """
    mark = _byte(packed, at)
    if mark & ~short_mask == short:
        return at + 1, mark & short_mask
    if mark < first or mark > last:
        return at, -1
    width = 4 >> (last - mark)
    return at + 1 + width, _big_endian(packed, at + 1, width)


@kernel
def _put(out: NDArray[np.uint8], put: int, size: int, value: int) -> None:
    """The lower bytes of a number, the lowest first."""
    for byte in range(size):
        out[np.uint64(put + byte)] = (value >> (8 * byte)) & 255


@kernel
def _copy(room: NDArray[np.uint8], data: NDArray[np.uint8]) -> None:
    """Bytes from slice to slice: so the compiler takes many at a time."""
    for byte in range(len(room)):
        room[byte] = data[byte]


@kernel
def _aligned(out: NDArray[np.uint8], put: int, begin: int, size: int) -> int:
    """Where a value of this size may be put, with zeros before it: always eight, which the value then covers."""
    for byte in range(8):
        out[np.uint64(put + byte)] = 0
    return put + ((begin - put) & (size - 1))


@kernel
def _number(  # noqa: PLR0911  each kind of mark has its own
    packed: NDArray[np.uint8], at: int, out: NDArray[np.uint8], put: int, kind: int
) -> int:
    """Bring one number to its place; where the next value begins, or DOUBT."""
    mark = _byte(packed, at)
    if mark == _FLOAT:
        if kind == FLOAT64:
            for byte in range(8):
                out[np.uint64(put + byte)] = packed[np.uint64(at + 8 - byte)]
            return at + 9
        if kind != FLOAT32:
            return DOUBT
        value = np.int64(_big_endian(packed, at + 1, 8)).view(np.float64)
        single = np.float32(value)
        if np.isinf(single) and not np.isinf(value):
            return DOUBT
        _put(out, put, 4, int(single.view(np.int32)))
        return at + 9
    if mark in (_FALSE, _TRUE):
        if kind != BOOL:
            return DOUBT
        out[np.uint64(put)] = mark - _FALSE
        return at + 1
    if mark < 0x80 or mark >= _NEGATIVE:
        whole, end = mark if mark < 0x80 else mark - 256, at + 1
    elif _UINT8 <= mark <= _UINT64:
        width = 1 << (mark - _UINT8)
        whole, end = _big_endian(packed, at + 1, width), at + 1 + width
        if whole < 0:  # more than a signed number of 64 bits can hold
            if kind != UINT64:
                return DOUBT
            _put(out, put, 8, whole)
            return end
    elif _INT8 <= mark <= _INT64:
        width = 1 << (mark - _INT8)
        whole, end = _big_endian(packed, at + 1, width), at + 1 + width
        if width < 8 and whole >> (8 * width - 1):
            whole -= 1 << (8 * width)
    else:
        return _scalar_of_numpy(packed, at, out, put, kind)
    if kind == FLOAT64:
        _put(out, put, 8, int(np.float64(whole).view(np.int64)))
        return end
    if kind == BOOL or kind > INT64 or whole < LEAST[kind] or whole > MOST[kind]:
        return DOUBT
    _put(out, put, SIZES[kind], whole)
    return end


@kernel
def _bytes_of_numpy(packed: NDArray[np.uint8], at: int, kind: int, dimensions: int) -> tuple[int, int]:
    """Where the bytes of something of numpy's begin, and how many they are; -1 if it is not just of that kind."""
    if packed[at] != _OF_NUMPY:
        return at, -1
    if packed[at + 1] != NUMPY[kind] or packed[at + 2] != _TRUE or packed[at + 3] != dimensions:
        return at, -1
    mark = _byte(packed, at + 4)
    if mark < _BIN8 or mark > _BIN32:
        return at, -1
    width = 1 << (mark - _BIN8)
    return at + 5 + width, _big_endian(packed, at + 5, width)


@kernel
def _scalar_of_numpy(packed: NDArray[np.uint8], at: int, out: NDArray[np.uint8], put: int, kind: int) -> int:
    begin, size = _bytes_of_numpy(packed, at, kind, 0)
    if size != SIZES[kind]:
        return DOUBT
    for byte in range(size):
        out[np.uint64(put + byte)] = packed[np.uint64(begin + byte)]
    return begin + size


@kernel
def _same(left: NDArray[np.uint8], right: NDArray[np.uint8]) -> bool:
    different = np.uint8(0)
    for byte in range(len(left)):  # to the end in any case: so the compiler takes many at a time
        different |= left[byte] ^ right[byte]
    return bool(different == 0)


@kernel
def _numbers(
    packed: NDArray[np.uint8], at: int, out: NDArray[np.uint8], put: int, begin: int, kind: int, count: int
) -> Ends:
    """Bring so many numbers of a list to their places; where the next value begins, or DOUBT or FULL."""
    size = SIZES[kind]
    put = _aligned(out, put, begin, size) if count else put
    if put + count * size > len(out) - PADDING:
        return FULL, put
    for _ in range(count):
        if kind == FLOAT64 and packed[np.uint64(at)] == _FLOAT:
            for byte in range(8):
                out[np.uint64(put + byte)] = packed[np.uint64(at + 8 - byte)]
            at += 9
        else:
            at = _number(packed, at, out, put, kind)
        if at < 0:
            return DOUBT, put
        put += size
    return at, put


@kernel
def _sequence(
    packed: NDArray[np.uint8], at: int, out: NDArray[np.uint8], put: int, begin: int, kind: int, most: int
) -> Ends:
    """Bring the numbers of a sequence to their places, with how many they are: an array of numpy's, or a list."""
    put = _aligned(out, put, begin, COUNT)
    size = SIZES[kind]
    at, length = _bytes_of_numpy(packed, at, kind, 1)
    of_numpy, count = length >= 0, length // size
    if not of_numpy:
        at, count = _length(packed, at, _SHORT_LIST, 15, _ARRAY16, _ARRAY32)
    if count < 0 or (most >= 0 and count > most):
        return DOUBT, put
    if put + COUNT > len(out) - PADDING:
        return FULL, put
    _put(out, put, COUNT, count)
    put += COUNT
    if not of_numpy:
        return _numbers(packed, at, out, put, begin, kind, count)
    put = _aligned(out, put, begin, size) if count else put
    if put + length > len(out) - PADDING:
        return FULL, put
    _copy(out[put : put + length], packed[at : at + length])
    return at + length, put + length


@kernel
def _array(
    packed: NDArray[np.uint8],
    at: int,
    out: NDArray[np.uint8],
    put: int,
    begin: int,
    kind: int,
    count: int,
    last: NDArray[np.int64],
) -> Ends:
    """Bring the numbers of an array of a fixed size to their places.

    ``last`` is where the same array of the message before begins and ends, and where it was put: most covariances are
    the same in all messages.
    """
    size = SIZES[kind]
    put = _aligned(out, put, begin, size)
    long = last[1] - last[0]
    if long and _same(packed[at : at + long], packed[last[0] : last[1]]):
        if put + count * size > len(out) - PADDING:
            return FULL, put
        _copy(out[put : put + count * size], out[last[2] : last[2] + count * size])
        return at + long, put + count * size
    begun = at
    at, found = _length(packed, at, _SHORT_LIST, 15, _ARRAY16, _ARRAY32)
    if found != count:
        return DOUBT, put
    at, end = _numbers(packed, at, out, put, begin, kind, count)
    last[0], last[1], last[2] = begun, at, put
    return at, end


@kernel
def _messages(  # noqa: PLR0911  one loop: each branch is a step
    packed: NDArray[np.uint8],
    at: int,
    steps: NDArray[np.int64],
    keys: NDArray[np.uint8],
    out: NDArray[np.uint8],
    put: int,
    lengths: NDArray[np.int64],
) -> Ends:
    """Write as many messages of one type as there are ``lengths``; where the next one begins, or DOUBT or FULL.

    The last PADDING bytes of MessagePack are none, so that a value may be read before it is known to be one: what is
    past the end is found out at the next name of a field, or by who asked.
    """
    end = len(packed) - PADDING
    arrays = np.zeros((len(steps), 3), np.int64)
    left, loops = np.empty(DEPTH, np.int64), np.empty(DEPTH, np.int64)
    for message in range(len(lengths)):
        first, begin = put, put + HEAD
        if begin > len(out) - PADDING:
            return FULL, put
        out[put], out[put + 1], out[put + 2], out[put + 3] = 0, 1, 0, 0
        put, depth, step = begin, 0, 0
        while step < len(steps):
            what, kind, size, most = steps[step, 0], steps[step, 1], steps[step, 2], steps[step, 3]
            if what == KEYS:
                if at + size > end:
                    return DOUBT, put
                for byte in range(size):
                    if packed[np.uint64(at + byte)] != keys[np.uint64(kind + byte)]:
                        return DOUBT, put
                at += size
            elif what == NUMBER:
                put = _aligned(out, put, begin, size)
                if put + size > len(out) - PADDING:
                    return FULL, put
                mark = _byte(packed, at)
                # A call costs more than the copy, so what most numbers are is done here: floats, and integers of
                # 32 bits, as times are.
                if kind == FLOAT64 and mark == _FLOAT:
                    for byte in range(8):
                        out[np.uint64(put + byte)] = packed[np.uint64(at + 8 - byte)]
                    at += 9
                elif kind == UINT32 and mark == _UINT32:
                    for byte in range(4):
                        out[np.uint64(put + byte)] = packed[np.uint64(at + 4 - byte)]
                    at += 5
                else:
                    at = _number(packed, at, out, put, kind)
                put += size
            elif what == NUMBERS and size:
                at, put = _array(packed, at, out, put, begin, kind, size, arrays[step])
            elif what == NUMBERS:
                at, put = _sequence(packed, at, out, put, begin, kind, most)
            elif what == TEXT:
                at, length = _length(packed, at, _SHORT_TEXT, 31, _STR8, _STR32)
                if length < 0 or (most >= 0 and length > most):
                    return DOUBT, put
                put = _aligned(out, put, begin, COUNT)
                if put + COUNT + length + 1 > len(out) - PADDING:
                    return FULL, put
                _put(out, put, COUNT, length + 1)
                put += COUNT
                for byte in range(length):  # mostly a few
                    out[np.uint64(put + byte)] = packed[np.uint64(at + byte)]
                at += length
                put += length + 1
                out[np.uint64(put - 1)] = 0
            elif what == ITEMS:
                at, count = _length(packed, at, _SHORT_LIST, 15, _ARRAY16, _ARRAY32)
                if count < 0 or (size and count != size) or (most >= 0 and count > most) or depth == DEPTH:
                    return DOUBT, put
                if not size:
                    put = _aligned(out, put, begin, COUNT)
                    if put + COUNT > len(out) - PADDING:
                        return FULL, put
                    _put(out, put, COUNT, count)
                    put += COUNT
                if count:
                    left[depth], loops[depth] = count, step
                    depth += 1
                else:
                    step = kind
            else:  # NEXT: the next item of the innermost sequence, if there is one
                left[depth - 1] -= 1
                if left[depth - 1]:
                    step = loops[depth - 1]
                else:
                    depth -= 1
            if at < 0:
                return at, put
            step += 1
        lengths[message] = put - first
    return at, put


@kernel
def transcribe(
    packed: NDArray[np.uint8],
    at: int,
    steps: NDArray[np.int64],
    keys: NDArray[np.uint8],
    groups: NDArray[np.int64],
    out: NDArray[np.uint8],
    put: int,
    lengths: NDArray[np.int64],
) -> int:
    """Write messages in CDR, back to back; where they end, or DOUBT or FULL.

    The first begins at ``at`` and is written to ``put``. Messages of one type are a group, with a row of the first of
    its steps, the one behind the last, how many messages have been when it is done, and room for where it ends.
    """
    message = 0
    for group in range(len(groups)):
        first, last, done = groups[group, 0], groups[group, 1], groups[group, 2]
        at, put = _messages(packed, at, steps[first:last], keys, out, put, lengths[message:done])
        if at < 0:
            return at
        message, groups[group, 3] = done, put
    return put if at == len(packed) - PADDING else DOUBT


def warm_up() -> None:
    """Compile the kernel, or load it from numba's cache."""
    none, keys, rows = np.zeros(PADDING, np.uint8), np.frombuffer(b"", np.uint8), np.empty((0, 4), np.int64)
    transcribe(none, 0, rows, keys, rows.copy(), none, 0, rows[:, 0].copy())
