from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from stressfield.analysis import clopper_pearson, wilson
from stressfield.errors import InputError

counts = st.integers(1, 400).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total)))


@given(counts, st.sampled_from([0.8, 0.95, 0.99]))
def test_both_intervals_are_those_of_scipy(counted: tuple[int, int], confidence: float) -> None:
    for ours, method in ((wilson, "wilson"), (clopper_pearson, "exact")):
        theirs = binomtest(*counted).proportion_ci(confidence_level=confidence, method=method)
        got = ours(*counted, confidence=confidence)
        assert (got.low, got.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
        assert got.low <= got.share <= got.high


def test_nothing_counted_is_no_share() -> None:
    for interval in (wilson, clopper_pearson):
        rate = interval(0, 0)
        assert (rate.share, rate.low, rate.high) == (None, 0.0, 1.0)
    assert str(wilson(0, 0)) == "no runs"
    assert wilson(0, 10).share == 0.0


def test_a_rate_reads_as_percent() -> None:
    assert str(wilson(192, 400)) == "48 % [43, 53]"


def test_impossible_counts_are_refused() -> None:
    with pytest.raises(InputError, match=r"Cannot make a share of 3 out of 2\."):
        wilson(3, 2)
    with pytest.raises(InputError, match=r"Cannot use confidence 95\."):
        wilson(1, 2, confidence=95)
