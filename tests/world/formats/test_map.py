"""Maps of map servers: read as nav2_map_server reads them, made a world, and written."""

from __future__ import annotations

import math
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import stressfield as sf
from stressfield.errors import WorldError
from stressfield.world import OccupancyMap, World, read_map, write_map
from stressfield.world.formats.map import merged, merged_reference
from stressfield.world.grid_map import FREE, OCCUPIED, UNKNOWN

# 0 is black and occupied, 254 white and free, 205 the grey of what is unknown; the first row is the top of the picture
ROOM = np.array(
    [
        [205, 205, 205, 205, 205, 205],
        [205, 0, 0, 0, 0, 205],
        [205, 0, 254, 254, 0, 205],
        [205, 0, 254, 0, 0, 205],
        [205, 0, 0, 0, 0, 205],
        [205, 205, 205, 205, 205, 205],
    ],
    dtype=np.uint8,
)
NOTES = """\
image: room.pgm
resolution: 0.5
origin: [-1.0, 2.0, 0.0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
"""


def pgm(grey: NDArray[np.uint8], head: str = "P5\n# made by hand\n{1} {0}\n255\n") -> bytes:
    return head.format(*grey.shape).encode() + grey.tobytes()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(rows: bytes, width: int, height: int, depth: int, colour: int, *more: bytes, interlace: int = 0) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, interlace))
    body = head + b"".join(more) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def lines(values: NDArray[np.uint8]) -> bytes:
    """Rows of bytes without a filter."""
    return b"".join(b"\0" + row.tobytes() for row in values.reshape(len(values), -1))


def saved(folder: Path, *, notes: str = NOTES, picture: bytes | None = None, name: str = "room.pgm") -> Path:
    (folder / name).write_bytes(pgm(ROOM) if picture is None else picture)
    (folder / "room.yaml").write_text(notes)
    return folder / "room.yaml"


def test_a_map_is_read_as_a_map_server_reads_it(tmp_path: Path) -> None:
    grid = read_map(saved(tmp_path))
    assert (grid.resolution_m, grid.origin) == (0.5, (-1.0, 2.0, 0.0))
    assert (
        grid.cells[::-1].tolist() == np.select([ROOM == 0, ROOM == 254], [OCCUPIED, FREE], UNKNOWN).tolist()
    )  # the first row of cells is the lowest
    flipped = read_map(saved(tmp_path, notes=NOTES.replace("negate: 0", "negate: 1")))
    assert (flipped.cells == np.select([grid.cells == FREE, grid.cells == OCCUPIED], [OCCUPIED, FREE], OCCUPIED)).all()


def test_between_the_thresholds_is_unknown(tmp_path: Path) -> None:
    grey = np.array([[50, 52, 203, 205]], dtype=np.uint8)  # 1 - 51/255 = 0.8 and 1 - 204/255 = 0.2
    notes = NOTES.replace("0.65", "0.8").replace("0.196", "0.2")
    cells = read_map(saved(tmp_path, notes=notes, picture=pgm(grey))).cells
    assert cells.tolist() == [[OCCUPIED, UNKNOWN, UNKNOWN, FREE]]
    # the grey of map savers is free by the threshold that many maps have, for map servers as for us
    assert read_map(saved(tmp_path, notes=NOTES.replace("0.196", "0.25"))).cells[0, 0] == FREE


def test_scale_and_raw_keep_percents(tmp_path: Path) -> None:
    grey = np.array([[0, 255, 128, 140]], dtype=np.uint8)
    scaled = read_map(saved(tmp_path, notes=NOTES + "mode: scale\n", picture=pgm(grey))).cells
    between = [round((1.0 - value / 255 - 0.196) / (0.65 - 0.196) * 100) for value in (128, 140)]
    assert scaled.tolist() == [[100, 0, *between]]
    raw = np.array([[0, 100, 101, 37]], dtype=np.uint8)
    assert read_map(saved(tmp_path, notes=NOTES + "mode: raw\n", picture=pgm(raw))).cells.tolist() == [[0, 100, -1, 37]]
    assert (
        len(World.from_map(saved(tmp_path, notes=NOTES + "mode: raw\n", picture=pgm(raw))).bodies.of_kind("wall")) == 1
    )


def test_every_kind_of_png_is_the_same_map(tmp_path: Path) -> None:
    notes = NOTES.replace("room.pgm", "room.png")
    wanted = read_map(saved(tmp_path)).cells
    rows, columns = ROOM.shape
    grey16 = ROOM.astype(">u2") * 257
    colours = np.repeat(ROOM[:, :, None], 3, axis=2)
    alpha = np.full((rows, columns, 1), 255, dtype=np.uint8)
    palette, index = np.unique(ROOM, return_inverse=True)
    index = index.reshape(ROOM.shape).astype(np.uint8)
    packed = np.packbits(np.unpackbits(index[:, :, None], axis=2)[:, :, 6:].reshape(rows, -1), axis=1)
    table = chunk(b"PLTE", np.repeat(palette[:, None], 3, axis=1).astype(np.uint8).tobytes())
    pictures = {
        "grey": png(lines(ROOM), columns, rows, 8, 0),
        "grey of 16 bits": png(lines(grey16.view(np.uint8).reshape(rows, -1)), columns, rows, 16, 0),
        "colours": png(lines(colours), columns, rows, 8, 2),
        "a palette": png(lines(index), columns, rows, 8, 3, table),
        "a palette of 2 bits": png(lines(packed), columns, rows, 2, 3, table),
    }
    for what, picture in pictures.items():
        got = read_map(saved(tmp_path, notes=notes, picture=picture, name="room.png")).cells
        assert got.tolist() == wanted.tolist(), what
    # opacity is averaged in: 205 and opaque is brighter than 205, and free by the threshold
    pale = np.concatenate([colours, alpha], axis=2)
    got = read_map(saved(tmp_path, notes=notes, picture=png(lines(pale), columns, rows, 8, 6), name="room.png")).cells
    assert got[0, 0] == FREE
    assert got[1, 1] == OCCUPIED
    clear = np.concatenate([ROOM[:, :, None], np.where(ROOM == 254, 0, 255)[:, :, None].astype(np.uint8)], axis=2)
    picture = png(lines(clear), columns, rows, 8, 4)
    got = read_map(saved(tmp_path, notes=notes + "mode: scale\n", picture=picture, name="room.png")).cells
    assert (got == UNKNOWN).sum() == 3  # what is see-through is unknown


def test_pgm_in_digits_and_of_sixteen_bits(tmp_path: Path) -> None:
    wanted = read_map(saved(tmp_path)).cells.tolist()
    digits = "P2 # by hand\n6 6 # size\n255\n" + "\n".join(" ".join(map(str, row)) for row in ROOM.tolist())
    assert read_map(saved(tmp_path, picture=digits.encode())).cells.tolist() == wanted
    sixteen = b"P5 6 6 65535 " + (ROOM.astype(">u2") * 257).tobytes()
    assert read_map(saved(tmp_path, picture=sixteen)).cells.tolist() == wanted


def test_a_map_becomes_few_boxes_where_its_cells_are(tmp_path: Path) -> None:
    world = World.from_map(saved(tmp_path), unknown="free")
    assert world.name == "room.yaml"
    assert world.bodies.kinds == ("wall",)
    assert len(world.bodies) < 8
    assert world.bodies.blocks.all()
    area = float((world.bodies.size_x_m * world.bodies.size_y_m).sum())
    assert area == pytest.approx((ROOM == 0).sum() * 0.25)
    assert world.bounds == (-1.0, 2.0, 2.0, 5.0)
    world.require_free((0.25, 3.75), radius_m=0.2)
    with pytest.raises(WorldError, match=r"is inside 'wall_\d' of world 'room.yaml' or too near it"):
        world.require_free((0.75, 3.25), radius_m=0.1, what="goal")
    blocked = World.from_map(saved(tmp_path))
    assert set(blocked.bodies.kinds) == {"wall", "unknown"}
    assert blocked.bodies.distance_m(-0.75, 2.25).min() < 0.0


def test_a_turned_map_is_turned_about_its_origin(tmp_path: Path) -> None:
    straight = World.from_map(saved(tmp_path), unknown="free").bodies
    notes = NOTES.replace("[-1.0, 2.0, 0.0]", "[-1.0, 2.0, 0.5]")
    turned = World.from_map(saved(tmp_path, notes=notes), unknown="free").bodies
    c, s = math.cos(0.5), math.sin(0.5)
    dx, dy = straight.x_m + 1.0, straight.y_m - 2.0
    np.testing.assert_allclose(turned.x_m, -1.0 + c * dx - s * dy)
    np.testing.assert_allclose(turned.y_m, 2.0 + s * dx + c * dy)
    assert (turned.yaw_rad == 0.5).all()


@settings(deadline=None, max_examples=60)
@given(data=st.data(), rows=st.integers(1, 12), columns=st.integers(1, 12))
def test_rectangles_cover_a_mask_exactly_once(data: st.DataObject, rows: int, columns: int) -> None:
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns)))
    mask = mask.reshape(rows, columns)
    covered = np.zeros(mask.shape, dtype=np.int64)
    found = merged(mask)
    for i, j, end, top in found.tolist():
        covered[j:top, i:end] += 1
    assert (covered == mask).all()
    assert [tuple(each) for each in found.tolist()] == merged_reference(mask)


def test_a_large_map_is_one_box_where_one_is_enough() -> None:
    mask = np.zeros((1000, 1000), dtype=np.bool_)
    mask[:, 0] = mask[:, -1] = mask[0] = mask[-1] = True
    assert len(merged(mask)) == 4


def test_a_written_map_is_the_same_map(tmp_path: Path) -> None:
    world = World.flat(8.0, 6.0).with_body(sf.bodies.wall(length_m=3.0), at=(4.0, 3.0), yaw_rad=0.4)
    world = world.scatter(sf.bodies.tree(), count=5, rng=np.random.default_rng(1))
    grid = OccupancyMap.of(world, resolution_m=0.05)
    paths = write_map(grid, tmp_path / "out")
    assert [path.name for path in paths] == ["map.yaml", "map.pgm"]
    back = read_map(paths[0])
    assert (back.resolution_m, back.origin) == (grid.resolution_m, grid.origin)
    assert (back.cells == grid.cells).all()
    again = OccupancyMap.of(World.from_map(paths[0]), resolution_m=0.05)
    both = ((again.cells == OCCUPIED) & (grid.cells == OCCUPIED)).sum()
    either = ((again.cells == OCCUPIED) | (grid.cells == OCCUPIED)).sum()
    assert both / either == 1.0


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("origin:", "orgin:", "negate, occupied_thresh, free_thresh. Did you mean 'orgin'?"),
        ("0.5", "0.0", "resolution is the side of a cell in metres, above zero; got 0.0"),
        ("0.5", ".nan", "resolution needs a finite number, got '.nan'"),
        ("[-1.0, 2.0, 0.0]", "[-1.0, 2.0]", "origin is a list of x, y (m) and yaw (rad); got [-1.0, 2.0]"),
        ("negate: 0", "negate: 2", "negate is 0 or 1, got 2"),
        ("free_thresh: 0.196", "free_thresh: 0.7", "wanted 0 <= free_thresh < occupied_thresh <= 1, got 0.7 and 0.65"),
        ("image: room.pgm", "image: none.pgm", "Cannot read the picture of map"),
        ("image: room.pgm", "image: ''", "image is the name of a file, got ''"),
        ("negate: 0", "negate: 0\nmode: trinari", "raw; got 'trinari'. Did you mean 'trinary'?"),
        ("image:", "image: &a", "anchors and aliases"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_the_notes_is_said(tmp_path: Path, old: str, new: str, words: str) -> None:
    with pytest.raises(WorldError, match=r"room\.yaml") as caught:
        World.from_map(saved(tmp_path, notes=NOTES.replace(old, new, 1)))
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (b"", "begins with b'', which is neither PGM nor PNG"),
        (b"BM123456", "which is neither PGM nor PNG. Convert it to one of them."),
        (b"P6 2 2 255 ....", "is not a PGM image: it begins with b'P6 2 2 2'"),
        (b"P5 2 2", "is a damaged PGM: its header has no greatest value"),
        (b"P5 2 2 255 abc", "is a damaged PGM: 3 pixels instead of 4"),
        (b"P5 99999999 99999999 255 a", "has 99999999 x 99999999 pixels; wanted at least 1 and at most 25,000,000"),
        (b"P5 0 3 255 ", "has 0 x 3 pixels"),
        (b"P5 2 2 70000 abcd", "has the greatest value 70000"),
        (b"P2 2 2 255 1 2 x 4", "a pixel is not a whole number"),
        (b"P2 2 2 9 1 2 3 44", "a pixel has the value 44, and its greatest is 9"),
        (png(b"\0\0", 1, 1, 8, 0, interlace=1), "has bit depth 8, colour type 0, interlace 1, which cannot be read"),
        (png(b"\0\0", 30000, 30000, 8, 0), "has 30000 x 30000 pixels"),
        (png(b"\0\5", 1, 1, 8, 3), "is a damaged PNG: it uses colour 5 of 0"),
        (png(b"\0", 2, 2, 8, 0), "is a damaged PNG: 1 bytes of pixels instead of 6"),
    ],
)
def test_what_is_wrong_with_the_picture_is_said(tmp_path: Path, picture: bytes, words: str) -> None:
    with pytest.raises(WorldError, match=r"room\.pgm") as caught:
        World.from_map(saved(tmp_path, picture=picture))
    assert words in str(caught.value)


def test_a_map_without_free_space_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, picture=pgm(np.where(ROOM == 254, 0, ROOM).astype(np.uint8)))
    with pytest.raises(WorldError) as caught:
        World.from_map(path)
    assert str(caught.value) == (
        f"Map '{path}' has no free space: of 36 cells, 16 are occupied and 20 unknown. Check its negate, free_thresh "
        "and occupied_thresh."
    )


def test_options_of_a_map_are_checked(tmp_path: Path) -> None:
    path = saved(tmp_path)
    with pytest.raises(WorldError, match=r"unknown is 'blocked' or 'free', got 'fre'. Did you mean 'free'\?"):
        World.from_map(path, unknown="fre")  # type: ignore[arg-type]
    with pytest.raises(WorldError, match="need a height_m above zero, got nan"):
        World.from_map(path, height_m=math.nan)
    with pytest.raises(WorldError, match="occupied_from is a percentage from 1 to 100, got 0"):
        World.from_map(path, occupied_from=0)
    noise = np.random.default_rng(1).choice(np.array([0, 254], dtype=np.uint8), (700, 700))
    with pytest.raises(WorldError, match=r"boxes for its wall cells, which looks like noise; wanted at most 100,000"):
        World.from_map(saved(tmp_path, picture=pgm(noise)))
