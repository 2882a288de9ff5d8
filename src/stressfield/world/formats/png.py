"""PNG images: heights of the ground as 16-bit grey levels, pictures in colour, and any picture as samples."""

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
GREY, COLOUR, PALETTE, GREY_ALPHA, COLOUR_ALPHA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, COLOUR: 3, PALETTE: 1, GREY_ALPHA: 2, COLOUR_ALPHA: 4}
DEPTHS = {GREY: (1, 2, 4, 8, 16), COLOUR: (8, 16), PALETTE: (1, 2, 4, 8), GREY_ALPHA: (8, 16), COLOUR_ALPHA: (8, 16)}


@dataclass(frozen=True, slots=True, eq=False)
class GreyImage:
    """Grey levels, first row on top, and the image's text notes."""

    grey: NDArray[np.uint16]
    notes: dict[str, str] = field(default_factory=dict)


def encode_grey(image: GreyImage, *, bits: int = 16) -> bytes:
    """A greyscale PNG of 16 bits, or of the upper 8 of them."""
    rows = image.grey.astype(">u2").view(np.uint8) if bits == 16 else (image.grey >> 8).astype(np.uint8)
    notes = b"".join(
        _chunk(b"tEXt", key.encode("latin-1") + b"\0" + value.encode("latin-1")) for key, value in image.notes.items()
    )
    return _png(rows, image.grey.shape[1], bits, GREY, notes)


def encode_colour(pixels: Bytes) -> bytes:
    """An 8-bit colour PNG from an array of shape (rows, columns, 3)."""
    rows, columns, _ = pixels.shape
    return _png(pixels.reshape(rows, columns * 3), columns, 8, COLOUR, b"")


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Any picture, first row on top: ``values`` of shape (rows, columns, channels) from 0 to ``value_max``.

    One channel is grey, three are colours; with ``alpha`` the last one more is opacity.
    """

    values: NDArray[np.uint16]
    value_max: int
    alpha: bool = False


def decode_samples(data: bytes, *, name: str, pixels_max: int) -> Samples:
    """Read a PNG of any depth and colour type (but not an interlaced one); ``name`` is what errors call it."""
    chunks = _chunks(data, name)
    width, height, depth, colour, interlace = _header(chunks, name)
    if depth not in DEPTHS.get(colour, ()) or interlace:
        raise WorldError(
            f"{name} has bit depth {depth}, colour type {colour}, interlace {interlace}, which cannot be read. "
            "Save it as 8-bit greyscale without interlace."
        )
    if not 0 < width * height <= pixels_max:
        raise WorldError(f"{name} has {width} x {height} pixels; wanted at least 1 and at most {pixels_max:,} in all.")
    channels = CHANNELS[colour]
    line = (width * channels * depth + 7) // 8
    packed = b"".join(body for kind, body in chunks if kind == b"IDAT")
    raw = _inflate(packed, height * (line + 1), name)
    rows = _unfilter(raw.reshape(height, line + 1), max(1, channels * depth // 8), name)
    values = _unpacked(rows, width * channels, depth).reshape(height, width, channels)
    if colour == PALETTE:
        return _coloured(values[:, :, 0], chunks, name)
    return Samples(values, 2**depth - 1, colour in {GREY_ALPHA, COLOUR_ALPHA})


def _unpacked(rows: Bytes, count: int, depth: int) -> NDArray[np.uint16]:
    """The first ``count`` numbers of ``depth`` bits of each row."""
    if depth == 16:
        return rows.view(">u2").astype(np.uint16)
    if depth == 8:
        return rows.astype(np.uint16)
    bits = np.unpackbits(rows, axis=1).reshape(len(rows), -1, depth)
    weights = 2 ** np.arange(depth - 1, -1, -1, dtype=np.uint16)
    found: NDArray[np.uint16] = (bits * weights).sum(axis=2, dtype=np.uint16)[:, :count]
    return found


def _coloured(index: NDArray[np.uint16], chunks: list[tuple[bytes, bytes]], name: str) -> Samples:
    """Colours, and their opacity if the image says anything of it, from a palette."""
    found = {kind: body for kind, body in chunks if kind in {b"PLTE", b"tRNS"}}
    palette = np.frombuffer(found.get(b"PLTE", b"")[: 3 * 256], dtype=np.uint8)
    colours = palette[: len(palette) // 3 * 3].reshape(-1, 3).astype(np.uint16)
    if index.size and int(index.max()) >= len(colours):
        raise WorldError(f"{name} is a damaged PNG: it uses colour {int(index.max())} of {len(colours)}.")
    if b"tRNS" not in found:
        return Samples(colours[index], 255)
    opacity = np.full(len(colours), 255, dtype=np.uint16)
    given = np.frombuffer(found[b"tRNS"], dtype=np.uint8)[: len(colours)]
    opacity[: len(given)] = given
    return Samples(np.column_stack([colours, opacity])[index], 255, alpha=True)


def _header(chunks: list[tuple[bytes, bytes]], name: str) -> tuple[int, int, int, int, int]:
    """Width, height, bit depth, colour type and interlace."""
    if not chunks or chunks[0][0] != b"IHDR" or len(chunks[0][1]) != 13:
        raise WorldError(f"{name} is a damaged PNG: its header chunk is missing. Export the world again.")
    width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", chunks[0][1])
    return width, height, depth, colour, interlace


def decode_grey(data: bytes, *, name: str) -> GreyImage:
    """Read a 16-bit greyscale PNG; ``name`` is what errors call it."""
    chunks = _chunks(data, name)
    width, height, depth, colour, interlace = _header(chunks, name)
    if (depth, colour, interlace) != (16, GREY, 0):
        raise WorldError(
            f"{name} has bit depth {depth}, colour type {colour}, interlace {interlace}; "
            "a terrain image needs 16-bit greyscale without interlace (16, 0, 0)."
        )
    if not (2 <= width <= SIDE_MAX and 2 <= height <= SIDE_MAX):
        raise WorldError(f"{name} has {width} x {height} pixels; a terrain image has 2 to {SIDE_MAX} a side.")
    packed = b"".join(body for kind, body in chunks if kind == b"IDAT")
    raw = _inflate(packed, height * (2 * width + 1), name)
    rows = _unfilter(raw.reshape(height, 2 * width + 1), 2, name)
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


def _unfilter(lines: Bytes, step: int, name: str) -> Bytes:
    """The bytes of all rows. ``step`` is how many bytes back the pixel to the left is."""
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
            from stressfield.world._compiled._image_kernels import unfiltered  # noqa: PLC0415 (numba is slow to import)

            unfiltered(code, np.ascontiguousarray(coded), above, step, rows[j])
        above = rows[j]
    return rows


def unfiltered_reference(code: int, coded: list[int], above: list[int], step: int) -> list[int]:
    """Filters 1, 3 and 4, which look at the pixel to the left, plainly."""
    out = [0] * step
    for k, value in enumerate(coded):
        left, up, corner = out[k], above[k], above[k - step] if k >= step else 0
        guess = left if code == 1 else (left + up) // 2 if code == 3 else _paeth(left, up, corner)
        out.append((value + guess) & 255)
    return out[step:]


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
