"""The terrain image: a 16-bit greyscale PNG whose grey level is height, with its scale in text notes."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from stressfield._files.disk import read_file
from stressfield.errors import WorldError
from stressfield.world.formats._png import GreyImage, decode_grey, encode_grey
from stressfield.world.levels import Levels, levels_of
from stressfield.world.terrain import Terrain

PREFIX = "stressfield:"
SCALE = ("x0_m", "y0_m", "cell_m", "z_min_m", "step_m")
BYTES_MAX = 256 * 1024 * 1024


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
