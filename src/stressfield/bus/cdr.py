"""CDR (little endian), the bytes of ROS 2 messages: encode and decode one message.

Both directions are compiled once per class from :func:`~stressfield.bus.message.fields_of`, so they cannot drift
from the schema text. Bytes are the same as those of ``rosbags`` and of ROS 2 itself. Decoding trusts nothing:
every length is checked against the bytes that are there, and only :class:`TraceError` comes out.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from functools import cache
from math import isfinite
from operator import attrgetter
from typing import Any, TypeVar

import numpy as np

from stressfield.bus.message import PRIMITIVES, Field, Message, fields_of
from stressfield.errors import TraceError

HEADER = b"\x00\x01\x00\x00"
"""Encapsulation header of little-endian CDR; alignment counts from behind it."""

_MAX_PADDING = 7  # before a number of eight bytes
_COUNT = struct.Struct("<I")
_DOUBLE = 8
_LARGEST_SINGLE = float(np.finfo(np.float32).max)

M = TypeVar("M", bound=Message)
Put = Callable[[bytearray, Any], None]
Take = Callable[[bytes, int, list[Any]], int]
Fit = Callable[[Any], bool]


def encode(message: Message) -> bytes:
    """The CDR bytes of a message. Raises TraceError when a value does not fit its ROS type."""
    out = bytearray(HEADER)
    try:
        for put in _encoder(type(message)):
            put(out, message)
    except (struct.error, TypeError, ValueError, OverflowError, AttributeError) as error:
        raise TraceError(
            f"A {message.ros_type} message cannot be encoded: {error}. Check that every value fits its ROS type."
        ) from error
    return bytes(out)


def check_values(message: Message) -> None:
    """TraceError, with the field, if a value does not fit its ROS type.

    Robots publish thousands of times in a run: values that plainly fit are passed at once, and only doubtful ones
    (a number of numpy, an int for a float) are tried by encoding the message.
    """
    take, kinds, further = _plainly_fits(type(message))
    try:
        values = take(message)
    except AttributeError as error:
        raise TraceError(f"{error}. Check that every value fits its ROS type.") from None
    found = tuple(map(type, values))  # in C, whatever the number of fields
    if found == kinds or all(map(_stands_for, found, kinds)):
        for place, fit in further:
            if not fit(values[place]):
                break
        else:
            return
    try:
        encode(message)
    except TraceError as error:
        raise TraceError(_misfit(message, values) or str(error)) from None


def decode(message_type: type[M], data: bytes) -> M:
    """The message in CDR bytes. Raises TraceError when the bytes are not one such message."""
    if data[:4] != HEADER:
        raise _bad(message_type, f"starts with {data[:4].hex() or 'nothing'}, wanted {HEADER.hex()}")
    try:
        values: list[Any] = []
        end = _decoder(message_type)(data, 4, values)
    except (struct.error, ValueError, OverflowError) as error:
        raise _bad(message_type, str(error)) from error
    if len(data) - end > _MAX_PADDING:
        raise _bad(message_type, f"has {len(data)} bytes where the message ends at byte {end}")
    message: M = values[0]
    return message


@cache
def flat_fields(message_type: type[Message]) -> tuple[tuple[str, Field], ...]:
    """All fields with their dotted paths, in order; single nested messages are dissolved into their fields."""
    found: list[tuple[str, Field]] = []
    for field in fields_of(message_type):
        if field.nested is not None and field.size is None:
            found += [(f"{field.name}.{path}", inner) for path, inner in flat_fields(field.nested)]
        else:
            found.append((field.name, field))
    return tuple(found)


def padding(at: int, alignment: int) -> int:
    """How many bytes to skip at a position of the payload so that a value of this alignment may follow."""
    return (4 - at) % alignment


def _bad(message_type: type[Message], reason: str) -> TraceError:
    return TraceError(
        f"Payload is not a {message_type.ros_type} in CDR: {reason}. The recording is damaged or foreign."
    )


def _aligned_structs(codes: str) -> tuple[struct.Struct, ...]:
    """The packing of a run of primitives for each of the eight possible starts, with its padding."""
    variants = []
    for start in range(8):
        text, at = "<", start
        for code in codes:
            size = struct.calcsize("<" + code)
            gap = -at % size
            text += "x" * gap + code
            at += gap + size
        variants.append(struct.Struct(text))
    return tuple(variants)


# --- checking ---------------------------------------------------------------------------------------------------


@cache
def _stands_for(found: type, wanted: type) -> bool:
    """Whether values of a class plainly fit where another is meant: a float of numpy's is one of Python's, too."""
    return found is wanted or (wanted is float and issubclass(found, float))


class _Doubtful:
    """In place of the class of a value that only encoding can tell to be good; no value has it."""


@cache
def _plainly_fits(
    message_type: type[Message],
) -> tuple[Callable[[Any], tuple[Any, ...]], tuple[type, ...], tuple[tuple[int, Fit], ...]]:
    """What takes all values out of a message, the class that each has if it is good, and what else must hold of some.

    The last are places among the values, each with a function that knows the good ones of that class.
    """
    fields = flat_fields(message_type)
    paths = [path for path, _ in fields]
    if not paths:
        return lambda _: (), (), ()
    get = attrgetter(*paths)
    taker = get if len(paths) > 1 else lambda message: (get(message),)
    checks = [_plain(field) for _, field in fields]
    further = tuple((place, fit) for place, (_, fit) in enumerate(checks) if fit is not None)
    return taker, tuple(kind for kind, _ in checks), further


def _plain(field: Field) -> tuple[type, Fit | None]:
    if field.nested is not None or field.size or field.longest is not None or field.most is not None:
        return _Doubtful, None
    if field.base == "string":
        return (str, str.isascii) if field.size is None else (tuple, _are_plain_texts)
    dtype = np.dtype("<" + PRIMITIVES[field.base])
    if field.size == 0:
        return np.ndarray, lambda value: value.dtype == dtype and value.ndim == 1
    if dtype.kind == "f":
        return float, (None if dtype.itemsize == _DOUBLE else _fits_single)
    if dtype.kind == "b":
        return bool, None
    low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    return int, lambda value: low <= value <= high


def _fits_single(value: float) -> bool:
    """Whether 32 bits can hold a number. One just above the largest is rounded to it: such are doubtful."""
    return -_LARGEST_SINGLE <= value <= _LARGEST_SINGLE or not isfinite(value)


def _are_plain_texts(values: tuple[Any, ...]) -> bool:
    return set(map(type, values)) <= {str} and "".join(values).isascii()


def _misfit(message: Message, values: Sequence[Any]) -> str:
    """Which value does not fit: ``linear.x is 'fast', wanted float64``; empty if that is not plain."""
    for (path, field), value in zip(flat_fields(type(message)), values, strict=True):
        wanted = field.text.partition(" ")[0]
        if field.nested is not None:
            continue
        if field.size is None and field.base == "string":
            good = isinstance(value, str) and value.isprintable()
        elif field.size is None:
            good = _packs(PRIMITIVES[field.base], value)
        else:
            good = not isinstance(value, str | bytes) and hasattr(value, "__len__")
        if not good:
            return f"{path} is {value!r:.80}, wanted {wanted}."
    return ""


def _packs(code: str, value: object) -> bool:
    try:
        struct.pack(f"<{code}", value)
    except (struct.error, TypeError, ValueError, OverflowError):
        return False
    return True


# --- encoding ---------------------------------------------------------------------------------------------------


@cache
def _encoder(message_type: type[Message]) -> tuple[Put, ...]:
    steps: list[Put] = []
    run: list[tuple[str, str]] = []
    for path, field in flat_fields(message_type):
        if field.size is None and field.base in PRIMITIVES:
            run.append((path, PRIMITIVES[field.base]))
            continue
        if run:
            steps.append(_put_run(run))
            run = []
        steps.append(_put_field(path, field))
    if run:
        steps.append(_put_run(run))
    return tuple(steps)


def _put_run(run: Sequence[tuple[str, str]]) -> Put:
    structs = _aligned_structs("".join(code for _, code in run))
    paths = [path for path, _ in run]
    get = attrgetter(*paths)
    if len(paths) == 1:

        def put_one(out: bytearray, message: Any) -> None:
            out += structs[(len(out) - 4) & 7].pack(get(message))

        return put_one

    def put(out: bytearray, message: Any) -> None:
        out += structs[(len(out) - 4) & 7].pack(*get(message))

    return put


def _put_field(path: str, field: Field) -> Put:
    get = attrgetter(path)
    if field.nested is not None:
        return _put_messages(get, field)
    if field.base == "string":
        return _put_string(get, field) if field.size is None else _put_strings(get, field)
    return _put_array(get, field)


def _put_string(get: Callable[[Any], Any], field: Field) -> Put:
    longest = field.longest

    def put(out: bytearray, message: Any) -> None:
        _append_string(out, get(message), longest)

    return put


def _put_strings(get: Callable[[Any], Any], field: Field) -> Put:
    longest = field.longest

    def put(out: bytearray, message: Any) -> None:
        values = get(message)
        _append_length(out, field, len(values))
        for value in values:
            _append_string(out, value, longest)

    return put


def _put_array(get: Callable[[Any], Any], field: Field) -> Put:
    dtype = np.dtype("<" + PRIMITIVES[field.base])
    fixed = field.size

    def put(out: bytearray, message: Any) -> None:
        values = np.asarray(get(message), dtype=dtype)
        if values.ndim != 1 or (fixed and values.size != fixed):
            raise ValueError(f"{field.text} got an array of shape {values.shape}")
        _append_length(out, field, values.size)
        if values.size:
            out += bytes(padding(len(out), dtype.itemsize))
            out += values.tobytes()

    return put


def _put_messages(get: Callable[[Any], Any], field: Field) -> Put:
    assert field.nested is not None
    steps = _encoder(field.nested)

    def put(out: bytearray, message: Any) -> None:
        items = get(message)
        _append_length(out, field, len(items))
        for item in items:
            for step in steps:
                step(out, item)

    return put


def _append_length(out: bytearray, field: Field, length: int) -> None:
    """How many items follow: an array of a fixed size does not say so, but must have them."""
    if field.size:
        if length != field.size:
            raise ValueError(f"{field.text} got {length} items")
        return
    if field.most is not None and length > field.most:
        raise ValueError(f"{field.text} got {length} items")
    _append_count(out, length)


def _append_count(out: bytearray, count: int) -> None:
    out += bytes(padding(len(out), 4))
    out += _COUNT.pack(count)


def _append_string(out: bytearray, text: str, longest: int | None) -> None:
    data = text.encode()
    if longest is not None and len(data) > longest:
        raise ValueError(f"a string<={longest} got {len(data)} bytes")
    _append_count(out, len(data) + 1)
    out += data
    out.append(0)


# --- decoding ---------------------------------------------------------------------------------------------------


@cache
def _decoder(message_type: type[Message]) -> Take:
    takes: list[Take] = []
    run = ""
    for field in fields_of(message_type):
        if field.size is None and field.base in PRIMITIVES:
            run += PRIMITIVES[field.base]
            continue
        if run:
            takes.append(_take_run(run))
            run = ""
        takes.append(_take_field(field))
    if run:
        takes.append(_take_run(run))
    return _take_message(message_type, tuple(takes))


def _take_message(message_type: type[Message], takes: tuple[Take, ...]) -> Take:
    def take(data: bytes, at: int, into: list[Any]) -> int:
        values: list[Any] = []
        for part in takes:
            at = part(data, at, values)
        into.append(message_type(*values))
        return at

    return take


def _take_run(codes: str) -> Take:
    structs = _aligned_structs(codes)

    def take(data: bytes, at: int, into: list[Any]) -> int:
        layout = structs[(at - 4) & 7]
        into += layout.unpack_from(data, at)
        return at + layout.size

    return take


def _take_field(field: Field) -> Take:
    if field.nested is not None:
        nested = _decoder(field.nested)
        return nested if field.size is None else _take_many(nested, field)
    if field.base == "string":
        return _take_string if field.size is None else _take_many(_take_string, field)
    return _take_array(field)


def _take_many(take_one: Take, field: Field) -> Take:
    fixed = field.size

    def take(data: bytes, at: int, into: list[Any]) -> int:
        count, at = (fixed, at) if fixed else _count(data, at)
        if count > len(data) - at:
            raise ValueError(f"a sequence of {count} items with {len(data) - at} bytes left")
        items: list[Any] = []
        for _ in range(count):
            at = take_one(data, at, items)
        into.append(tuple(items))
        return at

    return take


def _take_array(field: Field) -> Take:
    dtype = np.dtype("<" + PRIMITIVES[field.base])
    fixed = field.size

    def take(data: bytes, at: int, into: list[Any]) -> int:
        count, at = (fixed, at) if fixed else _count(data, at)
        if not count:
            into.append(np.empty(0, dtype))
            return at
        at += padding(at, dtype.itemsize)
        if count * dtype.itemsize > len(data) - at:
            raise ValueError(f"an array of {count} {field.base} with {len(data) - at} bytes left")
        values = np.frombuffer(data, dtype, count, at)
        into.append(tuple(values.tolist()) if fixed else values.copy())
        return at + count * dtype.itemsize

    return take


def _take_string(data: bytes, at: int, into: list[Any]) -> int:
    size, at = _count(data, at)
    if size > len(data) - at:
        raise ValueError(f"a string of {size} bytes with {len(data) - at} bytes left")
    if size and data[at + size - 1]:
        raise ValueError("a string without its closing zero")
    into.append(data[at : at + max(0, size - 1)].decode())
    return at + size


def _count(data: bytes, at: int) -> tuple[int, int]:
    at += padding(at, 4)
    return _COUNT.unpack_from(data, at)[0], at + 4
