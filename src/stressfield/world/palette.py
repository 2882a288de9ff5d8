"""One colour per kind of thing, the same in files of worlds, in simulators and in pictures."""

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
    "person": (181, 72, 154),
    "rock": (119, 105, 90),
    "forklift": (222, 145, 20),
    "cart": (20, 140, 140),
    "door": (140, 92, 52),
    "vehicle": (62, 108, 190),
}
RELATED = {
    "plant": ("plant", "crop", "leek", "cabbage", "bush", "lettuce", "vegetable"),
    "tree": ("tree",),
    "stake": ("stake", "marker", "pole", "beacon"),
    "weed": ("weed", "grass"),
    "wall": ("wall", "fence", "shelf", "table", "furniture"),
    "person": ("person", "human", "walker", "pedestrian", "patient"),
    "forklift": ("forklift", "truck"),
    "cart": ("cart", "trolley"),
    "rock": ("rock", "stone", "boulder", "obstacle"),
}
"""Kinds of which one of these words is a part have the colour of the first."""
SPARE_COLOURS = ((70, 110, 170), (150, 90, 160), (60, 140, 150), (190, 120, 60), (110, 120, 140))


def rgb_of(kind: str) -> tuple[int, int, int]:
    """The colour of a kind; kinds that are like no known one get a steady choice from the spare colours."""
    if kind in KIND_COLOURS:
        return KIND_COLOURS[kind]
    name = kind.lower()
    for known, words in RELATED.items():
        if any(word in name for word in words):
            return KIND_COLOURS[known]
    return SPARE_COLOURS[zlib.crc32(kind.encode("utf-8", "replace")) % len(SPARE_COLOURS)]


def css_of(kind: str, *, on_dark: bool = False) -> str:
    """The colour as CSS writes it; ``on_dark`` lighter, so that it can be seen on dark ground."""
    parts = rgb_of(kind)
    if on_dark:
        parts = tuple(part + (255 - part) * 2 // 5 for part in parts)  # type: ignore[assignment]
    return "#{:02x}{:02x}{:02x}".format(*parts)
