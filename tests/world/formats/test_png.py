from __future__ import annotations

import contextlib
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from worlds import crop_field

from stressfield.errors import WorldError
from stressfield.world import Terrain, read_terrain_png, terrain_png
from stressfield.world._compiled._image_kernels import unfiltered
from stressfield.world.formats.png import SIGNATURE, GreyImage, decode_grey, encode_grey, unfiltered_reference


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def test_the_image_gives_the_same_heights(tmp_path: Path) -> None:
    terrain = crop_field().terrain
    path = tmp_path / "t.png"
    path.write_bytes(terrain_png(terrain))
    back = read_terrain_png(path)
    np.testing.assert_array_equal(back.heights_m, terrain.heights_m)
    assert (back.x0_m, back.y0_m, back.cell_m) == (terrain.x0_m, terrain.y0_m, terrain.cell_m)


def test_white_is_high_and_the_top_row_is_the_largest_y() -> None:
    heights = np.zeros((3, 4))
    heights[2, 1] = 1.0
    grey = decode_grey(terrain_png(Terrain(heights, 0.0, 0.0, 1.0)), name="t").grey
    assert grey.shape == (3, 4)
    assert np.argmax(grey) == 1


def filtered(grey: np.ndarray, code: int) -> bytes:
    """A PNG whose rows use one of the filters, as other programs write them."""
    rows = grey.astype(">u2").view(np.uint8).astype(int)
    lines = b""
    for j, row in enumerate(rows):
        above = rows[j - 1] if j else np.zeros_like(row)
        left = np.concatenate([[0, 0], row[:-2]])
        corner = np.concatenate([[0, 0], above[:-2]])
        estimate = left + above - corner
        options = np.stack([left, above, corner])
        paeth = np.take_along_axis(options, np.abs(estimate - options).argmin(axis=0)[None], axis=0)[0]
        guess = [0 * row, left, above, (left + above) // 2, paeth][code]
        lines += bytes([code]) + ((row - guess) % 256).astype(np.uint8).tobytes()
    header = struct.pack(">IIBBBBB", grey.shape[1], grey.shape[0], 16, 0, 0, 0, 0)
    return SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines)) + chunk(b"IEND", b"")


@pytest.mark.parametrize("code", range(5))
def test_rows_filtered_by_other_programs_are_read(code: int) -> None:
    grey = np.random.default_rng(code).integers(0, 65536, (7, 5)).astype(np.uint16)
    np.testing.assert_array_equal(decode_grey(filtered(grey, code), name="t").grey, grey)


@settings(deadline=None, max_examples=200)
@given(data=st.data())
def test_damage_is_a_world_error_or_harmless(data: st.DataObject) -> None:
    good = bytearray(terrain_png(Terrain(np.arange(12.0).reshape(3, 4), 0.0, 0.0, 1.0)))
    place = data.draw(st.integers(0, len(good) - 1))
    good[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(good)))
    for damaged in (bytes(good), bytes(good[:cut])):
        with contextlib.suppress(WorldError):
            decode_grey(damaged, name="t")


def test_a_bomb_is_refused() -> None:
    header = struct.pack(">IIBBBBB", 2, 2, 16, 0, 0, 0, 0)
    bomb = zlib.compress(bytes(50_000_000))
    with pytest.raises(WorldError, match="11 bytes of pixels instead of 10"):
        decode_grey(SIGNATURE + chunk(b"IHDR", header) + chunk(b"IDAT", bomb) + chunk(b"IEND", b""), name="t")


def test_an_image_without_scale_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.png"
    path.write_bytes(encode_grey(GreyImage(np.zeros((2, 2), dtype=np.uint16))))
    with pytest.raises(WorldError) as caught:
        read_terrain_png(path)
    assert str(caught.value) == (
        f"Terrain image {str(path)!r} has no usable text note 'stressfield:x0_m' (got None), so its scale is unknown. "
        "Use an image that stressfield exported."
    )


@pytest.mark.parametrize("code", [1, 3, 4])
@pytest.mark.parametrize("step", [1, 2, 3, 4, 8])
def test_the_compiled_filters_are_the_plain_ones(code: int, step: int) -> None:
    rng = np.random.default_rng(code)
    coded, above = rng.integers(0, 256, (2, 40)).astype(np.uint8)
    out = np.zeros(40, dtype=np.uint8)
    unfiltered(code, coded, above, step, out)
    assert out.tolist() == unfiltered_reference(code, coded.tolist(), above.tolist(), step)
