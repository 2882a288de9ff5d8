"""Effect sizes of strategies."""

from __future__ import annotations

import pytest
from scipy.stats import mannwhitneyu

from stressfield.analysis import a12, effect_size, magnitude
from stressfield.errors import InputError


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
