"""Portable graymaps (PGM), the images in which robots keep their maps: P2 in digits, P5 in bytes."""

from __future__ import annotations

import re
from typing import NoReturn

import numpy as np

from stressfield.arrays import Bytes
from stressfield.errors import WorldError
from stressfield.world.formats.png import Samples

_SPACE = re.compile(rb"(?:\s|#[^\n\r]*[\n\r])+")
_NUMBER = re.compile(rb"[0-9]{1,9}")


def encode_pgm(grey: Bytes) -> bytes:
    """An 8-bit P5 image."""
    rows, columns = grey.shape
    return f"P5\n{columns} {rows}\n255\n".encode() + np.ascontiguousarray(grey, dtype=np.uint8).tobytes()


def decode_pgm(data: bytes, *, name: str, pixels_max: int) -> Samples:
    """Read a PGM image; ``name`` is what errors call it."""
    if data[:2] not in {b"P2", b"P5"}:
        raise WorldError(f"{name} is not a PGM image: it begins with {data[:8]!r}. Wanted P5 or P2.")
    place, numbers = 2, []
    for what in ("width", "height", "greatest value"):
        number, place = _number(data, place, what, name)
        numbers.append(number)
    width, height, value_max = numbers
    if not 0 < width * height <= pixels_max:
        raise WorldError(f"{name} has {width} x {height} pixels; wanted at least 1 and at most {pixels_max:,} in all.")
    if not 0 < value_max < 65536:
        raise WorldError(f"{name} has the greatest value {value_max}; a PGM image has 1 to 65535.")
    values = _digits(data, place, name) if data[:2] == b"P2" else _bytes(data, place, value_max, width * height)
    if len(values) < width * height:
        _damaged(name, f"{len(values)} pixels instead of {width * height}")
    values = values[: width * height]
    if int(values.max()) > value_max:
        _damaged(name, f"a pixel has the value {int(values.max())}, and its greatest is {value_max}")
    return Samples(values.astype(np.uint16).reshape(height, width, 1), value_max)


def _number(data: bytes, place: int, what: str, name: str) -> tuple[int, int]:
    """The next number of the header and where it ends."""
    space = _SPACE.match(data, place)
    digits = _NUMBER.match(data, space.end()) if space else None
    if digits is None:
        _damaged(name, f"its header has no {what}")
    return int(digits[0]), digits.end()


def _bytes(data: bytes, place: int, value_max: int, count: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    # one byte of white space, then the pixels
    kind = np.dtype(np.uint8 if value_max < 256 else ">u2")
    whole = data[place + 1 : place + 1 + count * kind.itemsize]
    return np.frombuffer(whole[: len(whole) // kind.itemsize * kind.itemsize], dtype=kind).astype(np.int64)


def _digits(data: bytes, place: int, name: str) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    words = re.sub(rb"#[^\n\r]*", b"", data[place:]).split()
    if not all(word.isdigit() and len(word) < 10 for word in words):
        _damaged(name, "a pixel is not a whole number")
    return np.array(words).astype(np.int64) if words else np.zeros(0, dtype=np.int64)


def _damaged(name: str, what: str) -> NoReturn:
    raise WorldError(f"{name} is a damaged PGM: {what}.")
