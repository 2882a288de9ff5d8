"""What messages can do beside being data."""

from __future__ import annotations

import re

import numpy as np
import pytest

from stressfield.bus.messages import Image
from stressfield.errors import TraceError


@pytest.mark.parametrize("swapped", [False, True])
def test_pixels_of_an_image(swapped: bool) -> None:
    depth = np.arange(6, dtype=">f4" if swapped else "<f4").reshape(2, 3)
    image = Image(
        height=2, width=3, encoding="32FC1", is_bigendian=int(swapped), step=12, data=depth.view("u1").ravel()
    )
    assert np.array_equal(image.pixels, depth)
    colour = np.arange(18, dtype=np.uint8).reshape(2, 3, 3)
    assert np.array_equal(Image(height=2, width=3, encoding="rgb8", step=9, data=colour.ravel()).pixels, colour)


def test_rows_may_be_padded() -> None:
    rows = np.zeros((2, 8), dtype=np.uint8)
    rows[:, :5] = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]
    image = Image(height=2, width=5, encoding="mono8", step=8, data=rows.ravel())
    assert image.pixels.tolist() == [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10]]


def test_an_empty_image_has_no_pixels() -> None:
    assert Image(encoding="mono8").pixels.shape == (0, 0)


def test_bytes_that_do_not_fit_are_told() -> None:
    with pytest.raises(TraceError, match=re.escape("An image is encoded as 'rgb9'; wanted one of rgb8, bgr8,")) as told:
        Image(encoding="rgb9").pixels  # noqa: B018 (it raises)
    assert str(told.value).endswith("Did you mean 'rgb8'?")
    with pytest.raises(TraceError, match=re.escape("(rgb8) has 3 bytes in rows of 3; wanted 2 rows of 3 or more.")):
        Image(height=2, width=1, encoding="rgb8", step=3, data=np.zeros(3, np.uint8)).pixels  # noqa: B018
    with pytest.raises(TraceError, match="in rows of 2; wanted 1 rows of 3 or more"):
        Image(height=1, width=1, encoding="rgb8", step=2, data=np.zeros(2, np.uint8)).pixels  # noqa: B018
