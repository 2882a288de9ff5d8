from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from stressfield.model.parameter import Grid

FINITE = st.floats(allow_nan=False, allow_infinity=False, width=64)


def test_default_step_is_a_power_of_ten_near_a_thousandth_of_the_range() -> None:
    assert Grid.over(0.0, 0.12).spacing == 0.0001
    assert Grid.over(0.65, 1.6).spacing == 0.001
    assert Grid.over(6.0, 20.0).spacing == 0.01
    assert Grid.over(0.0, 1e6).spacing == 1000.0


def test_values_have_short_texts() -> None:
    grid = Grid.over(0.0, 1.0, 0.1)
    assert [grid.value(k) for k in range(grid.count)] == [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]


def test_given_step_counts_from_the_lower_bound() -> None:
    grid = Grid.over(0.25, 2.0, 0.5)
    assert [grid.value(k) for k in range(grid.count)] == [0.25, 0.75, 1.25, 1.75]


def test_default_grid_of_an_odd_bound_holds_round_numbers() -> None:
    grid = Grid.over(-math.pi, math.pi)
    assert (grid.value(0), grid.value(grid.count - 1)) == (-3.14, 3.14)


def test_a_range_of_one_point_has_one_value() -> None:
    assert Grid.over(1.7, 1.7) == Grid(17, 1, 10, 1)


@given(FINITE, FINITE)
def test_every_range_has_a_grid_inside_it(a: float, b: float) -> None:
    low, high = sorted((a + 0.0, b + 0.0))
    grid = Grid.over(low, high)
    assert grid.count >= 1
    assert low <= grid.value(0) <= grid.value(grid.count - 1) <= high


@given(st.integers(0, 1200))
def test_snap_finds_the_value_itself(index: int) -> None:
    grid = Grid.over(0.0, 0.12)
    assert grid.index(grid.value(index)) == index
    assert grid.snap(grid.value(index) + 0.00003) == grid.value(min(index, grid.count - 1))
