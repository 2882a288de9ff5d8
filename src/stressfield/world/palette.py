"""One colour per kind of thing, the same in SDF files and in pictures."""

from __future__ import annotations

import zlib

KIND_COLOURS: dict[str, tuple[int, int, int]] = {
    "plant": (58, 138, 62),
    "cabbage": (88, 158, 92),
    "leek": (44, 124, 76),
    "stake": (205, 42, 42),
    "weed": (134, 138, 52),
    "ground": (134, 108, 80),
    "wall": (112, 112, 118),
    "box": (176, 132, 82),
    "tree": (46, 110, 58),
    "building": (150, 96, 84),
}
SPARE_COLOURS = ((70, 110, 170), (150, 90, 160), (60, 140, 150), (190, 120, 60), (110, 120, 140))


def rgb_of(kind: str) -> tuple[int, int, int]:
    """The colour of a kind; kinds without one of their own get a steady choice from the spare colours."""
    return KIND_COLOURS.get(kind) or SPARE_COLOURS[zlib.crc32(kind.encode("utf-8", "replace")) % len(SPARE_COLOURS)]


def css_of(kind: str) -> str:
    """The colour as CSS writes it."""
    return "#{:02x}{:02x}{:02x}".format(*rgb_of(kind))
