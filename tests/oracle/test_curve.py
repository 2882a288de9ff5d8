"""The margin over time: what people look at says the same as the margin that makes the verdict."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stressfield.oracle import Curve, Robustness, Signal, always, eventually, implies, until

VALUES = st.lists(st.floats(-5.0, 5.0), min_size=2, max_size=30)


def signal(values: list[float], name: str = "gap") -> Signal:
    return Signal(np.arange(len(values)) * 0.5, np.asarray(values), name, "m")


def of(formula: Robustness) -> Curve:
    assert formula.curve is not None
    return formula.curve


@given(VALUES)
def test_always_is_the_least_of_its_curve_and_eventually_the_greatest(values: list[float]) -> None:
    gap = signal(values)
    assert np.nanmin(of(always(gap >= 1.0)).values) == always(gap >= 1.0).value
    assert np.nanmax(of(eventually(gap >= 1.0)).values) == eventually(gap >= 1.0).value
    assert of(always(gap >= 1.0)).least
    assert not of(eventually(gap >= 1.0)).least


@given(VALUES, st.integers(0, 40))
def test_a_window_leaves_out_what_it_does_not_ask_for(values: list[float], halves: int) -> None:
    formula = always(signal(values) >= 0.0, within_s=halves * 0.5)
    seen = of(formula).values
    assert np.isnan(seen[halves + 1 :]).all()
    if formula.value is not None:
        assert np.nanmin(seen) == formula.value


@given(st.lists(st.tuples(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0)), min_size=2, max_size=30))
def test_formulas_of_two_parts(pairs: list[tuple[float, float]]) -> None:
    one, two = signal([a for a, _ in pairs]) >= 0.0, signal([b for _, b in pairs], "room") >= 0.0
    both = always(one) & always(two)
    assert np.nanmin(of(both).values) == both.value
    either = eventually(one) | eventually(two)
    assert np.nanmax(of(either).values) == either.value
    reached = until(one, two)
    assert np.nanmax(of(reached).values) == reached.value
    whole = always(implies(one, two))
    assert np.nanmin(of(whole).values) == whole.value
    mixed = always(one) & eventually(two)
    # of parts that ask differently, the one that decides
    extreme = np.nanmin if of(mixed).least else np.nanmax
    assert extreme(of(mixed).values) == mixed.value


def test_negated_and_scaled() -> None:
    formula = always(signal([3.0, 1.0, 2.0]) >= 0.0)
    assert of(~formula).values.tolist() == [-3.0, -1.0, -2.0]
    assert not of(~formula).least
    assert of(formula.scaled(by=2.0)).values.tolist() == [1.5, 0.5, 1.0]


def test_a_bare_comparison_has_none() -> None:
    assert (signal([1.0, 2.0]) >= 0.0).curve is None


def test_joined_curves_of_different_times() -> None:
    slow = Curve(np.array([0.0, 2.0, 4.0]), np.array([5.0, 3.0, 5.0]))
    fast = Curve(np.array([1.0, 2.0, 3.0]), np.array([4.0, np.nan, 1.0]))
    joined = slow.joined(fast)
    assert joined.times_s.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert joined.values.tolist() == pytest.approx([5.0, 4.0, 3.0, 1.0, 5.0])
