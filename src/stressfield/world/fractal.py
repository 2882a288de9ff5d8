"""Uneven ground by subdividing a plane and displacing its vertices, as 3D modelling tools do.

The plane gets ``subdivisions`` cuts along each side, so patches of ``size / (subdivisions + 1)``. Every vertex but the
four corners is displaced along z by up to the amplitude. Each patch is then halved again and again, and the new
vertices are displaced by ever less: local irregularities of the same nature.

In the published study the amplitude at which ground becomes very difficult, times the number of patches along a side,
is nearly constant (5.5 x 3, 3.5 x 5, 2.5 x 7): the slope of a patch decides. Hence cuts, and not repeated halving.
"""

from __future__ import annotations

import math

import numpy as np

from stressfield.arrays import Floats
from stressfield.errors import WorldError
from stressfield.world.terrain import Terrain, quantise

DECAY = 0.42
"""Displacement of a level over that of the level before it, whose edges are twice as long."""

SUBDIVISIONS_MAX = 64
"""A limit on memory, which grows with its square."""


def fractal_terrain(
    *,
    subdivisions: int,
    amplitude_m: float,
    size_m: float,
    rng: np.random.Generator,
    x0_m: float = 0.0,
    y0_m: float = 0.0,
    cell_max_m: float = 0.7,
    decay: float = DECAY,
) -> Terrain:
    """Square ground of ``size_m``. ``amplitude_m`` is the largest displacement of a vertex of the first grid.

    0.0 is exactly flat. The generator is used alike for every amplitude. Heights are grey levels of a 16-bit image.
    """
    _check(subdivisions, amplitude_m, size_m, cell_max_m, decay)
    patches = subdivisions + 1
    levels = max(0, math.ceil(math.log2(size_m / patches / cell_max_m)))
    shares = draw_displacements(patches, levels, rng)
    cell_m = size_m / (patches * 2**levels)
    if amplitude_m == 0.0:
        return Terrain(np.zeros((patches * 2**levels + 1,) * 2), x0_m, y0_m, cell_m)
    heights = displaced(shares, amplitude_m, decay)
    return quantise(Terrain(heights, x0_m, y0_m, cell_m))


def draw_displacements(patches: int, levels: int, rng: np.random.Generator) -> list[Floats]:
    """For every level a grid of displacements between -1 and 1; vertices of the level before keep theirs at 0."""
    found = []
    for level in range(levels + 1):
        points = patches * 2**level + 1
        shares = rng.uniform(-1.0, 1.0, (points, points))
        if level:
            shares[::2, ::2] = 0.0
        else:
            shares[np.ix_([0, -1], [0, -1])] = 0.0
        found.append(shares)
    return found


def displaced(shares: list[Floats], amplitude_m: float, decay: float) -> Floats:
    """Heights of the finest grid: each level is the one before with its edges halved, then displaced."""
    heights = amplitude_m * shares[0]
    for level, share in enumerate(shares[1:], start=1):
        finer = np.empty(share.shape)
        finer[::2, ::2] = heights
        finer[1::2, ::2] = (heights[:-1] + heights[1:]) / 2.0
        finer[:, 1::2] = (finer[:, :-2:2] + finer[:, 2::2]) / 2.0
        heights = finer + amplitude_m * decay**level * share
    return heights


def displaced_reference(shares: list[Floats], amplitude_m: float, decay: float) -> Floats:
    """The same, vertex by vertex."""
    heights = amplitude_m * shares[0]
    for level, share in enumerate(shares[1:], start=1):
        finer = np.empty(share.shape)
        for j in range(len(share)):
            for i in range(len(share)):
                corners = [heights[b, a] for b in {j // 2, (j + 1) // 2} for a in {i // 2, (i + 1) // 2}]
                finer[j, i] = sum(corners) / len(corners) + amplitude_m * decay**level * share[j, i]
        heights = finer
    return heights


def _check(subdivisions: int, amplitude_m: float, size_m: float, cell_max_m: float, decay: float) -> None:
    if not 0 <= subdivisions <= SUBDIVISIONS_MAX:
        raise WorldError(f"Fractal ground takes 0 to {SUBDIVISIONS_MAX} subdivisions, got {subdivisions!r}.")
    if not 0.0 <= amplitude_m < math.inf:
        raise WorldError(f"Fractal ground needs an amplitude_m of at least 0.0 metres, got {amplitude_m!r}.")
    if not (0.0 < size_m < math.inf and 0.0 < cell_max_m < math.inf):
        raise WorldError(f"Fractal ground needs positive size_m and cell_max_m, got {size_m!r} and {cell_max_m!r}.")
    if not 0.0 <= decay < 1.0:
        raise WorldError(f"Fractal ground needs a decay of at least 0 and less than 1, got {decay!r}.")
