"""Message records put where they belong among those of other topics, compiled; plainly it is in ``_chunks``.

A recording has a hundred messages a simulated second, of a dozen topics: to put them there one by one would take as
long as to compress them all.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stressfield._kernels import kernel


@kernel
def put_records(
    into: NDArray[np.uint8],
    places: NDArray[np.int64],
    heads: NDArray[np.uint8],
    payloads: NDArray[np.uint8],
    lengths: NDArray[np.int64],
) -> None:
    """Copy each row of ``heads``, and after it the next of the ``payloads`` that lie back to back, to its place."""
    # Bytes go from slice to slice: with indices into the whole, which might be negative, the compiler takes them
    # one by one, and that takes ten times as long.
    width = heads.shape[1]
    begin = 0
    for record in range(len(places)):
        at = places[record]
        head, head_place = heads[record], into[at : at + width]
        for byte in range(len(head)):
            head_place[byte] = head[byte]
        at += width
        length = lengths[record]
        payload, payload_place = payloads[begin : begin + length], into[at : at + length]
        for byte in range(len(payload)):
            payload_place[byte] = payload[byte]
        begin += length


def warm_up() -> None:
    """Compile the kernel, or load it from numba's cache."""
    none = np.empty(0, np.uint8)
    none.flags.writeable = False
    put_records(np.empty(0, np.uint8), np.empty(0, np.int64), np.empty((0, 1), np.uint8), none, np.empty(0, np.int64))
