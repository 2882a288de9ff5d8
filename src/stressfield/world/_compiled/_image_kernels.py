"""Compiled loops over pixels and cells. The plain versions are in ``formats.png`` and ``formats.map``."""

from __future__ import annotations

import numpy as np

from stressfield._kernels import kernel
from stressfield.arrays import Bytes, Counts, Flags


@kernel
def unfiltered(code: int, coded: Bytes, above: Bytes, step: int, out: Bytes) -> None:
    """One row of a PNG with filter 1, 3 or 4, written to ``out``; ``step`` bytes back is the pixel to the left."""
    for k in range(len(coded)):
        left = np.int64(out[k - step]) if k >= step else np.int64(0)
        up = np.int64(above[k])
        if code == 1:
            guess = left
        elif code == 3:
            guess = (left + up) // 2
        else:
            corner = np.int64(above[k - step]) if k >= step else np.int64(0)
            estimate = left + up - corner
            a, b, c = abs(estimate - left), abs(estimate - up), abs(estimate - corner)
            guess = left if a <= b and a <= c else up if b <= c else corner
        out[k] = (np.int64(coded[k]) + guess) & 255


@kernel
def rectangles(cells: Flags, found: Counts) -> int:
    """Cover all true cells by rectangles without overlap; returns how many, also when ``found`` is too short for them.

    From each cell that is not covered yet, row by row, a rectangle goes as far to the right as it can, and then as far
    up. Rows of ``found`` are first column, first row, and the column and row after the last.
    """
    rows, columns = cells.shape
    free = cells.copy()
    count = 0
    for j in range(rows):
        for i in range(columns):
            if not free[j, i]:
                continue
            end = i + 1
            while end < columns and free[j, end]:
                end += 1
            top = j + 1
            while top < rows:
                whole = True
                for n in range(i, end):
                    if not free[top, n]:
                        whole = False
                        break
                if not whole:
                    break
                top += 1
            for row in range(j, top):
                for n in range(i, end):
                    free[row, n] = False
            if count < len(found):
                found[count, 0], found[count, 1], found[count, 2], found[count, 3] = i, j, end, top
            count += 1
    return count
