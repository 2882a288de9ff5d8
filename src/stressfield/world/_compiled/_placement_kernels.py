"""Compiled placement of rectangles without overlap. The plain version is in :mod:`stressfield.world.placement`."""

from __future__ import annotations

from numba import njit

from stressfield._kernel_cache import prepare
from stressfield.arrays import Counts, Floats

prepare()


@njit(cache=True, nogil=True)
def place(
    candidates: Floats,
    placed: Floats,
    count: int,
    heads: Counts,
    nexts: Counts,
    cell: float,
    forbidden: Floats,
    progress: Floats,
    area_wanted: float,
    failures_max: int,
) -> int:
    """Place the candidates (centre x, y, half x, half y) that fit, one after another; returns how many are placed.

    ``placed`` holds those there already and takes the new ones; ``heads`` and ``nexts`` are lists of them per cell of a
    grid as wide as the widest. ``progress`` is the area covered, the rejections in a row, and the candidates used. Ends
    when the next one would bring the area further from what is wanted, or after ``failures_max`` rejections in a row.
    """
    rows, columns = heads.shape
    for n in range(len(candidates)):
        x, y, hx, hy = candidates[n, 0], candidates[n, 1], candidates[n, 2], candidates[n, 3]
        if progress[0] + 2.0 * hx * hy > area_wanted or progress[1] >= failures_max or count == len(placed):
            break
        progress[2] += 1.0
        free = True
        for f in range(len(forbidden)):
            if (
                x + hx > forbidden[f, 0]
                and x - hx < forbidden[f, 2]
                and y + hy > forbidden[f, 1]
                and y - hy < forbidden[f, 3]
            ):
                free = False
        i, j = int(x / cell), int(y / cell)
        for jj in range(max(j - 1, 0), min(j + 2, rows)):
            for ii in range(max(i - 1, 0), min(i + 2, columns)):
                k = heads[jj, ii]
                while free and k >= 0:
                    if abs(placed[k, 0] - x) < placed[k, 2] + hx and abs(placed[k, 1] - y) < placed[k, 3] + hy:
                        free = False
                    k = nexts[k]
        if not free:
            progress[1] += 1.0
            continue
        placed[count, 0], placed[count, 1], placed[count, 2], placed[count, 3] = x, y, hx, hy
        nexts[count] = heads[j, i]
        heads[j, i] = count
        count += 1
        progress[0] += 4.0 * hx * hy
        progress[1] = 0.0
    return count
