"""Placement without overlap to a percentage of obstruction."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield.errors import WorldError
from stressfield.world import Placement, Region, Scattered, scatter
from stressfield.world.placement import candidates, place_reference

CORNER = Region("corner", "free", 0.0, 0.0, 8.0, 8.0)


def scattered(*things: Scattered, seed: int = 1, size_m: float = 100.0) -> Placement:
    return scatter(things, size_m=size_m, free=(CORNER,), rng=np.random.default_rng(seed))


def overlaps(boxes: np.ndarray) -> int:
    apart_x = np.abs(boxes[:, None, 0] - boxes[None, :, 0]) >= boxes[:, None, 2] + boxes[None, :, 2]
    apart_y = np.abs(boxes[:, None, 1] - boxes[None, :, 1]) >= boxes[:, None, 3] + boxes[None, :, 3]
    return int((~(apart_x | apart_y)).sum()) - len(boxes)


@pytest.mark.parametrize("variation", [0.0, 0.5])
@pytest.mark.parametrize(("size", "percent"), [(1.0, 12.0), (9.0, 28.25), (1.0, 0.0)])
def test_wanted_percentage_without_overlap_inside_the_square(size: float, percent: float, variation: float) -> None:
    placed = scattered(Scattered("thing", size, percent, variation))
    area = 100.0 * 4.0 * float((placed.boxes[:, 2] * placed.boxes[:, 3]).sum()) / 100.0**2
    assert placed.total_percent == pytest.approx(area)
    assert abs(area - percent) <= 100.0 * (size * (1.0 + variation)) ** 2 / 100.0**2
    assert overlaps(placed.boxes) == 0
    x, y, hx, hy = placed.boxes.T
    assert ((x >= hx) & (x <= 100.0 - hx) & (y >= hy) & (y <= 100.0 - hy)).all()
    assert ((x - hx >= 8.0) | (y - hy >= 8.0)).all()


def test_mixed_kinds_each_reach_their_share() -> None:
    placed = scattered(Scattered("tree", 1.0, 5.0), Scattered("building", 9.0, 10.0))
    assert placed.reached_percent == pytest.approx((5.0, 10.0), abs=0.41)
    assert (placed.boxes[placed.kind == 1, 2] == 4.5).all()
    assert overlaps(placed.boxes) == 0


def test_agrees_with_the_plain_version() -> None:
    thing = Scattered("thing", 3.0, 20.0, 0.4)
    boxes = candidates(thing, 50.0, np.random.default_rng(7))
    wanted = place_reference(boxes, np.array([[0.0, 0.0, 8.0, 8.0]]), 0.2 * 50.0**2)
    np.testing.assert_array_equal(scattered(thing, seed=7, size_m=50.0).boxes, wanted)


def test_saturation_is_an_error_with_both_percentages_and_does_not_hang() -> None:
    with pytest.raises(WorldError) as caught:
        scattered(Scattered("building", 9.0, 70.0))
    text = str(caught.value)
    assert text.startswith("No room for more of kind 'building': 70 % of obstruction wanted, ")
    assert 40.0 < float(text.split("wanted, ")[1].split(" %", maxsplit=1)[0]) < 60.0


@pytest.mark.parametrize(
    ("thing", "text"),
    [
        (Scattered("tree", 1.0, 101.0), "Obstruction by 'tree' is a percentage from 0 to 100, got 101.0."),
        (Scattered("tree", 1.0, 5.0, 1.0), "The size of 'tree' varies by 0 to less than 1 of it, got 1.0."),
        (Scattered("hall", 200.0, 5.0), "A 'hall' of 200.0 m does not fit a square of 100 m."),
    ],
)
def test_bad_wishes_are_named(thing: Scattered, text: str) -> None:
    with pytest.raises(WorldError) as caught:
        scattered(thing)
    assert str(caught.value) == text
