"""Records lie in the order of time, whoever puts them there."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield.trace._chunk_kernels import put_records
from stressfield.trace._chunks import put_records_plainly


@pytest.mark.parametrize("longest", [0, 1, 40, 3000])
@pytest.mark.parametrize("count", [0, 1, 57])
def test_the_kernel_puts_records_where_the_plain_version_does(count: int, longest: int) -> None:
    rng = np.random.default_rng(count + longest)
    lengths = rng.integers(0, longest, count, endpoint=True)
    heads = rng.integers(0, 256, (count, 31), dtype=np.uint8)
    payloads = rng.integers(0, 256, int(lengths.sum()), dtype=np.uint8)
    payloads.flags.writeable = False
    # in another order than that in which they are given, with room before and after
    order = rng.permutation(count)
    places = np.empty(count, np.int64)
    places[order] = 5 + np.cumsum(lengths[order] + 31) - (lengths[order] + 31)
    made = [np.full(10 + int(lengths.sum()) + 31 * count, 7, np.uint8) for _ in range(2)]
    for put, into in zip((put_records, put_records_plainly), made, strict=True):
        put(into, places, heads, payloads, lengths)
    np.testing.assert_array_equal(*made)
    records = [heads[i].tobytes() + payloads[lengths[:i].sum() :][: lengths[i]].tobytes() for i in order.tolist()]
    assert made[0].tobytes() == b"\7" * 5 + b"".join(records) + b"\7" * 5
