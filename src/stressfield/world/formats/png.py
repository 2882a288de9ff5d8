"""PNG images: heights of the ground as 16-bit grey levels, and pictures in colour."""

from __future__ import annotations

import math
import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stressfield._files.disk import read_file
from stressfield.arrays import Bytes
from stressfield.errors import WorldError
from stressfield.world.terrain import Levels, Terrain, levels_of

SIGNATURE = b"\x89PNG\r\n\x1a\n"
SIDE_MAX = 8193
BYTES_MAX = 256 * 1024 * 1024
PREFIX = "stressfield:"
SCALE = ("x0_m", "y0_m", "cell_m", "z_min_m", "step_m")
"""What turns grey levels into a place in the world: text notes in the image, so that it can be read alone."""
GREY, COLOUR = 0, 2


@dataclass(frozen=True, slots=True, eq=False)
class GreyImage:
    """Grey levels, first row on top, and the image's text notes."""

    grey: NDArray[np.uint16]
    notes: dict[str, str] = field(default_factory=dict)


def encode_grey(image: GreyImage) -> bytes:
    """A 16-bit greyscale PNG."""
    rows = image.grey.astype(">u2").view(np.uint8)
    notes = b"".join(
        _chunk(b"tEXt", key.encode("latin-1") + b"\0" + value.encode("latin-1")) for key, value in image.notes.items()
    )
    return _png(rows, image.grey.shape[1], 16, GREY, notes)


def encode_colour(pixels: Bytes) -> bytes:
    """An 8-bit colour PNG from an array of shape (rows, columns, 3)."""
    rows, columns, _ = pixels.shape
    return _png(pixels.reshape(rows, columns * 3), columns, 8, COLOUR, b"")


def decode_grey(data: bytes, *, name: str) -> GreyImage:
    """Read a 16-bit greyscale PNG; ``name`` is what errors call it."""
    chunks = _chunks(data, name)
    if not chunks or chunks[0][0] != b"IHDR" or len(chunks[0][1]) != 13:
        raise WorldError(f"{name} is a damaged PNG: its header chunk is missing. Export the world again.")
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    if (depth, colour, interlace) != (16, GREY, 0):
        raise WorldError(
            f"{name} has bit depth {depth}, colour type {colour}, interlace {interlace}; "
            "a terrain image needs 16-bit greyscale without interlace (16, 0, 0)."
        )
    if not (2 <= width <= SIDE_MAX and 2 <= height <= SIDE_MAX):
        raise WorldError(f"{name} has {width} x {height} pixels; a terrain image has 2 to {SIDE_MAX} a side.")
    packed = b"".join(body for kind, body in chunks if kind == b"IDAT")
    raw = _inflate(packed, height * (2 * width + 1), name)
    rows = _unfilter(raw.reshape(height, 2 * width + 1), name)
    return GreyImage(rows.view(">u2").astype(np.uint16), _notes(chunks))


def _png(rows: Bytes, width: int, depth: int, colour: int, notes: bytes) -> bytes:
    header = struct.pack(">IIBBBBB", width, len(rows), depth, colour, 0, 0, 0)
    filtered = np.zeros((len(rows), rows.shape[1] + 1), dtype=np.uint8)
    filtered[:, 1:] = rows
    packed = zlib.compress(filtered.tobytes(), 6)
    return SIGNATURE + _chunk(b"IHDR", header) + notes + _chunk(b"IDAT", packed) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _chunks(data: bytes, name: str) -> list[tuple[bytes, bytes]]:
    if not data.startswith(SIGNATURE):
        raise WorldError(f"{name} is not a PNG image: it begins with {data[:8]!r}.")
    found: list[tuple[bytes, bytes]] = []
    place = len(SIGNATURE)
    while place + 12 <= len(data):
        (length,) = struct.unpack_from(">I", data, place)
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + length]
        end = place + 12 + length
        if end > len(data) or struct.unpack_from(">I", data, end - 4)[0] != zlib.crc32(kind + body):
            raise WorldError(f"{name} is a damaged PNG: chunk {kind!r} at byte {place} is cut or altered.")
        found.append((kind, body))
        if kind == b"IEND":
            break
        place = end
    return found


def _inflate(packed: bytes, size: int, name: str) -> Bytes:
    try:
        raw = zlib.decompressobj().decompress(packed, size + 1)
    except zlib.error as error:
        raise WorldError(f"{name} is a damaged PNG: its pixels do not decompress ({error}).") from None
    if len(raw) != size:
        raise WorldError(f"{name} is a damaged PNG: {len(raw)} bytes of pixels instead of {size}.")
    return np.frombuffer(raw, dtype=np.uint8)


def _unfilter(lines: Bytes, name: str) -> Bytes:
    rows = np.zeros((len(lines), lines.shape[1] - 1), dtype=np.uint8)
    above = np.zeros(lines.shape[1] - 1, dtype=np.uint8)
    for j, line in enumerate(lines):
        code, coded = int(line[0]), line[1:]
        if code > 4:
            raise WorldError(f"{name} is a damaged PNG: row {j} has filter {code}, only 0 to 4 exist.")
        if code == 0:
            rows[j] = coded
        elif code == 2:
            rows[j] = coded + above
        else:
            rows[j] = _unfilter_row(code, coded.tolist(), above.tolist())
        above = rows[j]
    return rows


def _unfilter_row(code: int, coded: list[int], above: list[int]) -> Bytes:
    """Filters 1, 3 and 4, which look at the pixel to the left (two bytes back)."""
    out = [0, 0]
    for k, value in enumerate(coded):
        left, up, corner = out[k], above[k], above[k - 2] if k >= 2 else 0
        guess = left if code == 1 else (left + up) // 2 if code == 3 else _paeth(left, up, corner)
        out.append((value + guess) & 255)
    return np.array(out[2:], dtype=np.uint8)


def _paeth(left: int, up: int, corner: int) -> int:
    estimate = left + up - corner
    return min((left, up, corner), key=lambda value: abs(estimate - value))


def _notes(chunks: list[tuple[bytes, bytes]]) -> dict[str, str]:
    pairs = (body.partition(b"\0") for kind, body in chunks if kind == b"tEXt")
    return {key.decode("latin-1"): value.decode("latin-1") for key, _, value in pairs}


def terrain_png(terrain: Terrain) -> bytes:
    """The terrain as an image: the top row has the largest y, black is lowest."""
    levels = levels_of(terrain)
    scale = (terrain.x0_m, terrain.y0_m, terrain.cell_m, levels.z_min_m, levels.step_m)
    notes = {PREFIX + key: repr(float(value)) for key, value in zip(SCALE, scale, strict=True)}
    return encode_grey(GreyImage(levels.grey[::-1], notes))


def read_terrain_png(path: Path) -> Terrain:
    """Read back what :func:`terrain_png` wrote."""
    name = f"Terrain image {str(path)!r}"
    image = decode_grey(read_file(path, what="terrain image", bytes_max=BYTES_MAX, error=WorldError), name=name)
    x0, y0, cell, z_min, step = (_note(image, key, name) for key in SCALE)
    levels = Levels(np.ascontiguousarray(image.grey[::-1]), z_min, step)
    return Terrain(levels.heights_m(), x0, y0, cell)


def _note(image: GreyImage, key: str, name: str) -> float:
    text = image.notes.get(PREFIX + key)
    try:
        value = float(text) if text is not None else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise WorldError(
            f"{name} has no usable text note {PREFIX + key!r} (got {text!r}), so its scale is unknown. "
            "Use an image that stressfield exported."
        )
    return value
