"""The windowed kernels say the same as their plain versions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stressfield.errors import OracleError
from stressfield.oracle._window import (
    Floats,
    Within,
    greatest,
    least,
    reference_least,
    reference_until,
    until_in,
    windows,
)

sample = st.one_of(st.floats(-5, 5), st.just(float("nan")), st.sampled_from([-np.inf, np.inf, 0.0]))


@st.composite
def records(draw: st.DrawFn) -> tuple[Floats, Floats, Floats]:
    steps_s = draw(st.lists(st.integers(1, 40), max_size=40))
    times_s = np.cumsum(np.array(steps_s, dtype=np.float64)) / 10
    values = st.lists(sample, min_size=len(steps_s), max_size=len(steps_s))
    return times_s, np.array(draw(values), dtype=np.float64), np.array(draw(values), dtype=np.float64)


@st.composite
def bounds(draw: st.DrawFn) -> Within:
    if draw(st.booleans()):
        return draw(st.one_of(st.none(), st.integers(0, 200).map(lambda tenths: tenths / 10)))
    start, length = draw(st.integers(0, 100)), draw(st.integers(0, 100))
    return start / 10, (start + length) / 10


@given(records(), bounds())
def test_least_and_greatest_agree_with_the_plain_version(
    record: tuple[Floats, Floats, Floats], within_s: Within
) -> None:
    times_s, values, _ = record
    over = windows(times_s, within_s)
    np.testing.assert_array_equal(least(values, over), reference_least(values, over))
    np.testing.assert_array_equal(greatest(values, over), -reference_least(-values, over))


@given(records(), bounds())
def test_until_agrees_with_the_plain_version(record: tuple[Floats, Floats, Floats], within_s: Within) -> None:
    times_s, hold, reach = record
    over = windows(times_s, within_s)
    np.testing.assert_array_equal(until_in(hold, reach, over), reference_until(hold, reach, over))


@given(records(), bounds())
def test_a_window_holds_the_samples_between_its_edges(record: tuple[Floats, Floats, Floats], within_s: Within) -> None:
    times_s = record[0]
    start_s, end_s = within_s if isinstance(within_s, tuple) else (0.0, within_s)
    over = windows(times_s, within_s)
    for index, now_s in enumerate(times_s):
        ahead_s = np.round(times_s - now_s, 6)
        wanted = (ahead_s >= start_s) & (ahead_s <= (np.inf if end_s is None else end_s))
        assert list(range(len(times_s))[over.span(index)]) == list(np.nonzero(wanted)[0])


def test_edges_are_included_in_spite_of_rounding() -> None:
    times_s = np.array([0.1 * step for step in range(4)])  # the last is 0.30000000000000004
    assert windows(times_s, (0.2, 0.3)).span(0) == slice(2, 4)


@pytest.mark.parametrize("within_s", [-1.0, (2.0, 1.0), (-1.0, 1.0), float("nan")])
def test_an_impossible_window_is_refused(within_s: Within) -> None:
    with pytest.raises(OracleError, match=r"Wanted 0 <= a <= b"):
        windows(np.arange(3.0), within_s)


def test_until_reaches_the_end_of_a_long_window() -> None:
    times_s = np.arange(1000.0)
    reach = np.full(1000, -1.0)
    reach[999] = 2.0
    hold = np.full(1000, 3.0)
    assert until_in(hold, reach, windows(times_s, 999.0))[0] == 2.0
    assert until_in(hold, reach, windows(times_s, 998.0))[0] == -1.0


def test_a_hundred_thousand_samples_are_no_trouble() -> None:
    # In windows of five thousand samples: said plainly, this takes minutes.
    rng = np.random.default_rng(3)
    times_s = np.cumsum(rng.uniform(0.005, 0.015, 100_000))
    values = rng.normal(size=100_000)
    over = windows(times_s, 50.0)
    found = least(values, over)
    for index in (0, 1, 49_999, 95_000, 99_999):
        assert found[index] == values[over.span(index)].min()
