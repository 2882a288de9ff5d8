"""Statistics against SciPy: intervals, effect sizes, and the closed forms that stand in for its slow import."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2, chi2_contingency, kendalltau, mannwhitneyu
from scipy.stats import kruskal as scipy_kruskal

from stressfield.analysis import a12, clopper_pearson, effect_size, magnitude, wilson
from stressfield.analysis.statistics import chi_squared, chi_squared_tail, kendall, kruskal
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


def test_the_chance_that_one_is_higher() -> None:
    assert a12([2, 3], [0, 1]) == 1.0
    assert a12([0, 1], [2, 3]) == 0.0
    assert a12([1, 1], [1, 1]) == 0.5
    assert a12([1, 2, 3], [2]) == 0.5
    assert a12([5, 5, 1], [1, 6]) == pytest.approx((1 + 1 + 0.5) / 6)


@pytest.mark.parametrize(
    ("value", "word"),
    [(0.5, "negligible"), (0.55, "negligible"), (0.56, "small"), (0.36, "medium"), (0.71, "large"), (0.0, "large")],
)
def test_words(value: float, word: str) -> None:
    assert magnitude(value) == word


def test_with_its_test() -> None:
    one, other = [0.61, 0.7, 0.66, 0.72, 0.69], [0.5, 0.52, 0.62, 0.48, 0.51]
    found = effect_size(one, other)
    assert found.a12 == 0.96
    assert found.p == pytest.approx(float(mannwhitneyu(one, other).pvalue))
    assert str(found) == "A = 0.96 (large), p = 0.016"
    assert (found.count, found.other_count) == (5, 5)
    assert effect_size([1.0, 1.0], [1.0, 1.0]).p == 1.0


def test_nothing_cannot_be_compared() -> None:
    with pytest.raises(InputError, match="Cannot compare 0 with 1 values"):
        a12([], [1.0])
    with pytest.raises(InputError, match="Wanted finite numbers"):
        effect_size([float("nan")], [1.0])


levels = st.integers(0, 5)
"""Few different values, so that there are many ties."""
pairs = st.lists(st.tuples(levels, levels), min_size=3, max_size=60)


@given(pairs)
def test_kendall_is_that_of_scipy(drawn: list[tuple[int, int]]) -> None:
    one, other = (np.array(side, dtype=np.float64) for side in zip(*drawn, strict=True))
    if len(set(one)) < 2 or len(set(other)) < 2:
        return
    score, p = kendall(one, other)
    theirs = kendalltau(one, other, method="asymptotic")
    assert score / np.sqrt(untied_pairs(one) * untied_pairs(other)) == pytest.approx(theirs.statistic, abs=1e-12)
    assert p == pytest.approx(theirs.pvalue, rel=1e-9, abs=1e-300)


def untied_pairs(values: np.ndarray) -> float:
    counts = np.unique(values, return_counts=True)[1]
    return float(len(values) * (len(values) - 1) - (counts * (counts - 1)).sum()) / 2


@given(st.lists(st.lists(levels, min_size=1, max_size=15), min_size=2, max_size=6))
def test_kruskal_is_that_of_scipy(drawn: list[list[int]]) -> None:
    if len({value for group in drawn for value in group}) < 2:
        return
    groups = [np.array(group, dtype=np.float64) for group in drawn]
    # SciPy subtracts two large numbers, so where groups are alike its statistic is 1e-14 instead of 0, and p 1 - 2e-7.
    assert kruskal(groups) == pytest.approx(float(scipy_kruskal(*groups).pvalue), rel=1e-6)


@given(st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), min_size=3, max_size=8))
def test_chi_squared_is_that_of_scipy(drawn: list[tuple[int, int]]) -> None:
    table = [list(row) for row in zip(*drawn, strict=True)]
    assert chi_squared(table) == pytest.approx(float(chi2_contingency(table).pvalue), rel=1e-9, abs=1e-300)


@given(st.floats(0.0, 500.0), st.integers(1, 60))
def test_the_tail_of_chi_squared_is_that_of_scipy(value: float, freedom: int) -> None:
    assert chi_squared_tail(value, freedom) == pytest.approx(float(chi2.sf(value, freedom)), rel=1e-9, abs=1e-300)
