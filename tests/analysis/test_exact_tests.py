from __future__ import annotations

from itertools import product
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, fisher_exact

from stressfield.analysis import PairedWorld, fisher, holm, mcnemar, paired_permutation
from stressfield.errors import InputError

counts = st.integers(0, 120).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total)))


@given(counts, counts)
def test_fisher_is_that_of_scipy(baseline: tuple[int, int], candidate: tuple[int, int]) -> None:
    table = [[candidate[0], candidate[1] - candidate[0]], [baseline[0], baseline[1] - baseline[0]]]
    result = fisher(*baseline, *candidate)
    assert result.p_greater == pytest.approx(fisher_exact(table, alternative="greater").pvalue, rel=1e-8, abs=1e-12)
    assert result.p_two_sided == pytest.approx(fisher_exact(table).pvalue, rel=1e-8, abs=1e-12)


def test_fisher_of_a_campaign() -> None:
    result = fisher(2, 80, 14, 80)
    assert result.difference == pytest.approx(0.15)
    ways = sum(comb(80, fails) * comb(80, 16 - fails) for fails in range(14, 17))
    assert result.p_greater == pytest.approx(ways / comb(160, 16))
    assert 0.05 < result.difference_low < 0.15 < result.difference_high < 0.25


def test_large_campaigns_stay_exact() -> None:
    expected = fisher_exact([[5300, 44700], [5000, 45000]], alternative="greater").pvalue
    assert fisher(5000, 50_000, 5300, 50_000).p_greater == pytest.approx(expected, rel=1e-6)


def test_a_build_without_runs_shows_no_difference() -> None:
    result = fisher(0, 0, 3, 5)
    assert (result.difference, result.p_greater, result.p_two_sided) == (None, 1.0, 1.0)


def test_newcombe_interval_of_the_literature() -> None:
    """Newcombe (1998), method 10, case a: 56/70 less 48/80 is 0.2, from 0.0524 to 0.3339."""
    result = fisher(48, 80, 56, 70)
    assert result.difference == pytest.approx(0.2)
    assert (result.difference_low, result.difference_high) == pytest.approx((0.0524, 0.3339), abs=5e-5)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60))
def test_mcnemar_is_a_binomial_test_of_the_changed_worlds(pairs: list[tuple[bool, bool]]) -> None:
    worse = sum(after > before for before, after in pairs)
    changed = sum(after != before for before, after in pairs)
    result = mcnemar(pairs)
    if changed:
        assert result.p_greater == pytest.approx(binomtest(worse, changed, alternative="greater").pvalue)
        assert result.p_two_sided == pytest.approx(binomtest(worse, changed).pvalue)
    else:
        assert (result.p_greater, result.p_two_sided) == (1.0, 1.0)


runs = st.lists(st.booleans(), min_size=1, max_size=4).map(tuple)


@given(st.lists(st.tuples(runs, runs), max_size=8))
def test_few_worlds_are_enumerated(pairs: list[tuple[tuple[bool, ...], tuple[bool, ...]]]) -> None:
    worlds = [PairedWorld(str(place), *pair) for place, pair in enumerate(pairs)]
    differences = [world.difference for world in worlds]
    sums = [
        sum(s * d for s, d in zip(signs, differences, strict=True)) for signs in product((1, -1), repeat=len(worlds))
    ]
    result = paired_permutation(worlds, np.random.default_rng(0))
    seen = sum(differences)
    assert result.p_greater == pytest.approx(np.mean([total >= seen - 1e-9 for total in sums]))
    assert result.p_two_sided == pytest.approx(np.mean([abs(total) >= abs(seen) - 1e-9 for total in sums]))


def test_many_worlds_are_drawn_and_agree_with_mcnemar() -> None:
    pairs = [(False, True)] * 22 + [(True, False)] * 8 + [(True, True)] * 10
    worlds = [PairedWorld(str(place), (pair[0],), (pair[1],)) for place, pair in enumerate(pairs)]
    drawn = paired_permutation(worlds, np.random.default_rng(5), samples=50_000)
    exact = mcnemar(pairs)
    assert drawn.method == "permutation within worlds (50000 draws)"
    assert drawn.p_greater == pytest.approx(exact.p_greater, abs=0.002)
    assert drawn.p_two_sided == pytest.approx(exact.p_two_sided, abs=0.003)
    again = paired_permutation(worlds, np.random.default_rng(5), samples=50_000)
    assert again == drawn


def test_repeats_of_a_world_are_not_independent_trials() -> None:
    """Three worlds that always fail under one build: 30 runs to Fisher, but only three worlds of evidence."""
    worlds = [PairedWorld(str(place), (False,) * 10, (True,) * 10) for place in range(3)]
    assert fisher(0, 30, 30, 30).p_greater < 1e-10
    assert paired_permutation(worlds, np.random.default_rng(0)).p_greater == pytest.approx(1 / 8)


def test_the_permutation_test_calls_equal_builds_different_no_more_than_it_says() -> None:
    rng = np.random.default_rng(11)
    calls = 0
    for _ in range(400):
        chance = rng.beta(0.3, 0.3, size=12)  # worlds that mostly agree with themselves
        worlds = [
            PairedWorld(str(place), tuple(rng.random(5) < p), tuple(rng.random(5) < p))
            for place, p in enumerate(chance)
        ]
        calls += paired_permutation(worlds, rng).p_two_sided <= 0.05
    assert calls / 400 <= 0.08


def test_a_world_without_a_partner_is_refused() -> None:
    with pytest.raises(InputError, match=r"World 'w' has no run of one of the builds\."):
        paired_permutation([PairedWorld("w", (), (True,))], np.random.default_rng(0))


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([]) == ()
    with pytest.raises(InputError, match=r"nan is not a p-value\."):
        holm([float("nan")])


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_lies_between_raw_and_bonferroni(p_values: list[float]) -> None:
    for raw, adjusted in zip(p_values, holm(p_values), strict=True):
        assert raw <= adjusted <= min(1.0, raw * len(p_values)) or adjusted == max(holm(p_values))
    order = np.argsort(p_values, kind="stable")
    assert np.all(np.diff(np.array(holm(p_values))[order]) >= 0)


def test_a_drawn_p_value_is_never_zero() -> None:
    worlds = [PairedWorld(str(place), (False,), (True,)) for place in range(60)]
    assert paired_permutation(worlds, np.random.default_rng(0), samples=99).p_greater == 0.01
