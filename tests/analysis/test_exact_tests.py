"""Tests that shuffle runs and worlds: against SciPy, against each other, and for what they promise."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, fisher_exact, wilcoxon

from stressfield.analysis import deals, fisher, holm, redeals, signed_ranks, smallest_p, stratified, swaps
from stressfield.analysis.exact_tests import chance_of_sum
from stressfield.errors import InputError

counts = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(lambda pair: (min(pair), max(pair)))


@given(counts, counts)
def test_fisher_is_that_of_scipy(baseline: tuple[int, int], candidate: tuple[int, int]) -> None:
    table = [[candidate[0], candidate[1] - candidate[0]], [baseline[0], baseline[1] - baseline[0]]]
    result = fisher(*baseline, *candidate)
    assert result.p_greater == pytest.approx(fisher_exact(table, alternative="greater").pvalue, rel=1e-8, abs=1e-12)
    assert result.p_two_sided == pytest.approx(fisher_exact(table).pvalue, rel=1e-8, abs=1e-12)


def test_fisher_of_many_runs() -> None:
    expected = fisher_exact([[5300, 44700], [5000, 45000]], alternative="greater").pvalue
    assert fisher(5000, 50_000, 5300, 50_000).p_greater == pytest.approx(expected, rel=1e-6)


def test_without_runs_there_is_no_difference() -> None:
    result = fisher(0, 0, 3, 5)
    assert result.difference is None
    assert result.p_two_sided == 1.0


def test_newcombe_interval_of_the_difference() -> None:
    """The example of Newcombe (1998), table II (a), method 10."""
    result = fisher(48, 80, 56, 70)
    assert result.difference == pytest.approx(0.2)
    assert (result.difference_low, result.difference_high) == pytest.approx((0.0524, 0.3339), abs=1e-4)


@given(st.integers(0, 60), st.integers(0, 60))
def test_of_single_runs_it_is_the_test_of_mcnemar(worse: int, better: int) -> None:
    greater, less = stratified([(0, 1, 1, 1)] * worse + [(1, 1, 0, 1)] * better + [(0, 1, 0, 1), (1, 1, 1, 1)] * 3)
    changed = worse + better
    expected = binomtest(worse, changed, alternative="greater").pvalue if changed else 1.0
    assert greater == pytest.approx(expected, rel=1e-9)
    assert less == pytest.approx(binomtest(worse, changed, alternative="less").pvalue if changed else 1.0, rel=1e-9)


def runs(most: int) -> st.SearchStrategy[list[bool]]:
    return st.lists(st.booleans(), min_size=1, max_size=most)


@given(st.lists(st.tuples(runs(3), runs(2)), max_size=4))
def test_failing_runs_change_sides_within_their_worlds_in_every_way(
    worlds: list[tuple[list[bool], list[bool]]],
) -> None:
    ways = [
        [sum(before + after) - sum(chosen) for chosen in combinations(before + after, len(before))]
        for before, after in worlds
    ]
    sums = [sum(way) for way in product(*ways)]
    seen = sum(sum(after) for _, after in worlds)
    greater, less = stratified([(sum(before), len(before), sum(after), len(after)) for before, after in worlds])
    assert greater == pytest.approx(np.mean([value >= seen for value in sums]))
    assert less == pytest.approx(np.mean([value <= seen for value in sums]))


def test_many_worlds_are_exact() -> None:
    """All of sixty worlds worse: 2 ** -60, which no number of draws can show."""
    assert stratified([(0, 1, 1, 1)] * 60)[0] == pytest.approx(2.0**-60)


def test_a_run_is_dealt_to_its_own_world_and_to_each_place_alike() -> None:
    shuffles = redeals([(3, 1), (1, 2), (3, 1)], np.random.default_rng(0))
    assert shuffles.weights[0].tolist() == [0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1]
    assert np.unique(shuffles.weights[:, :4].sum(axis=1)).tolist() == [1.0]
    assert np.unique(shuffles.weights[:, 4:7].sum(axis=1)).tolist() == [2.0]
    assert shuffles.weights[1:].mean(axis=0) == pytest.approx([0.25] * 4 + [2 / 3] * 3 + [0.25] * 4, abs=0.02)
    assert shuffles.words == "20,000 draws"


def test_redeals_of_one_world_are_fishers_test() -> None:
    fails = np.array([0, 0, 1, 0, 0, 1, 1, 1, 0.0])
    found = smallest_p(redeals([(5, 4)], np.random.default_rng(0)), fails[:, None], two_sided=[False])
    assert found.p[0] == pytest.approx(fisher(1, 5, 3, 4).p_greater, abs=0.01)


def test_very_many_runs_get_fewer_draws_and_say_so() -> None:
    assert redeals([(6, 6)] * 300, np.random.default_rng(0)).words == "2,777 draws"


@given(st.lists(st.floats(-10, 10).map(lambda value: round(value, 3)), min_size=1, max_size=10))
def test_swaps_of_signed_ranks_are_the_test_of_wilcoxon(differences: list[float]) -> None:
    values = np.array(differences)
    shuffles = swaps(len(values), np.random.default_rng(0))
    found = smallest_p(shuffles, signed_ranks(values)[:, None], two_sided=[False])
    moving = values[values != 0.0]
    if len(moving) and len(set(np.abs(moving).tolist())) == len(moving):  # SciPy is exact without ties only
        expected = wilcoxon(moving, alternative="greater", method="exact").pvalue
        assert found.p[0] == pytest.approx(expected)
    assert shuffles.exact
    assert shuffles.words == "exact"


def test_deals_of_few_worlds_are_fishers_test() -> None:
    shuffles = deals(5, 4, np.random.default_rng(0))
    fails = np.array([0, 0, 1, 0, 0, 1, 1, 1, 0.0])
    found = smallest_p(shuffles, fails[:, None], two_sided=[False])
    assert found.p[0] == pytest.approx(fisher(1, 5, 3, 4).p_greater)


def test_the_chance_of_a_sum_is_that_of_deals() -> None:
    few, many = np.array([0.0, 0.2, 0.5, 0.1]), np.array([0.5, 0.9, 0.4])
    exact = smallest_p(deals(4, 3, np.random.default_rng(0)), np.concatenate((few, many))[:, None], two_sided=[False])
    assert chance_of_sum(few, many, np.random.default_rng(1)) == exact.p[0]
    rng = np.random.default_rng(2)
    for levels in (5, 1_000):  # few different values, and each its own
        less, more = rng.integers(0, levels, 60) / levels, np.minimum(rng.integers(0, levels, 40) / levels + 0.15, 1.0)
        every = np.concatenate((less, more))[:, None]
        dealt = smallest_p(deals(60, 40, np.random.default_rng(3)), every, two_sided=[False]).p[0]
        assert 0.001 < dealt < 0.5
        drawn = chance_of_sum(less, more, np.random.default_rng(4))
        # five spreads of the difference of two shares of 20,000 draws
        assert drawn == pytest.approx(dealt, abs=5.0 * (2.0 * dealt * (1.0 - dealt) / 20_000) ** 0.5)
    assert chance_of_sum(np.zeros(50), np.ones(50) / 3, np.random.default_rng(0), draws=99) == 0.01


def test_drawn_shuffles_say_so_and_never_give_zero() -> None:
    worse = np.ones((40, 1))
    for shuffles in (swaps(40, np.random.default_rng(0), draws=99), deals(20, 20, np.random.default_rng(0), draws=99)):
        assert not shuffles.exact
        assert shuffles.words == "99 draws"
    assert smallest_p(swaps(40, np.random.default_rng(0), draws=99), worse, two_sided=[False]).p == (0.01,)


def test_measures_that_say_the_same_count_once() -> None:
    """Thirty copies of one measure cost nothing; Holm's correction would multiply by thirty."""
    ranks = np.tile(np.arange(1.0, 11.0)[:, None], 30)
    found = smallest_p(swaps(10, np.random.default_rng(0)), ranks, two_sided=[False] * 30)
    assert found.p_adjusted == pytest.approx([1 / 1024] * 30)


def test_measures_that_cannot_be_striking_do_not_count() -> None:
    """One world alone that moved can have p = 0.5 at best: it does not dilute a measure that moved in all ten."""
    alone = np.zeros((10, 20))
    alone[3] = 1.0
    ranks = np.column_stack([np.arange(1.0, 11.0), alone])
    found = smallest_p(swaps(10, np.random.default_rng(0)), ranks, two_sided=[False] * 21)
    assert found.p_adjusted[0] == pytest.approx(1 / 1024)


def test_no_more_false_calls_than_promised() -> None:
    """Of twelve measures, correlated and not, without any difference: some is called in at most 5 % of all cases."""
    rng, calls = np.random.default_rng(7), 0
    shuffles = swaps(8, rng)
    for _ in range(400):
        common = rng.standard_normal((8, 1))
        values = common + rng.standard_normal((8, 12)) * rng.choice([0.1, 1.0, 5.0], 12)
        ranks = np.column_stack([signed_ranks(column) for column in values.T])
        found = smallest_p(shuffles, ranks, two_sided=[False] * 12)
        calls += min(found.p_adjusted) <= 0.05
    assert calls <= 400 * 0.05 + 3 * np.sqrt(400 * 0.05 * 0.95)


def test_two_sided_measures() -> None:
    ranks = signed_ranks(-np.arange(1.0, 8.0))[:, None]
    shuffles = swaps(7, np.random.default_rng(0))
    assert smallest_p(shuffles, ranks, two_sided=[False]).p == (1.0,)
    assert smallest_p(shuffles, ranks, two_sided=[True]).p == (2 / 128,)
    assert smallest_p(shuffles, np.zeros((7, 0)), two_sided=[]).p == ()


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([]) == ()
    with pytest.raises(InputError, match="not a p-value"):
        holm([float("nan")])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_lies_between_raw_and_bonferroni(p_values: list[float]) -> None:
    for raw, adjusted in zip(p_values, holm(p_values), strict=True):
        assert raw <= adjusted <= min(1.0, raw * len(p_values)) or adjusted == max(holm(p_values))
    order = np.argsort(p_values)
    assert np.all(np.diff(np.array(holm(p_values))[order]) >= 0)
