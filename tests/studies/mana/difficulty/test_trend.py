"""Trends that others reported: seen or not, with the test behind."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield.analysis import wilson
from stressfield_studies.mana.difficulty import Difficulty, Level, Spread, harder, least_when_easy, rises, unrelated


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def series(fails: list[int], *, step: float = 1.0) -> list[Difficulty]:
    return [
        Difficulty(step * n, 20, wilson(20 - fail, 20), 100.0, 0.1, fail / 20, Level.EASY, {})
        for n, fail in enumerate(fails)
    ]


UP, FLAT = [0, 1, 2, 4, 8, 12, 16, 20], [1, 0, 1, 0, 0, 1, 0, 1]


def test_rises() -> None:
    found = rises("It rises", {"up": series(UP), "too": series(UP)}, rng())
    assert found.seen
    assert found.p_value is not None
    assert found.p_value < 0.01
    assert "up +1.00, too +1.00" in found.sentence
    assert found.test.endswith("Holm over 2 tests")
    flat = rises("It rises", {"up": series(UP), "flat": series(FLAT)}, rng())
    assert flat.seen is False
    assert flat.sentence.startswith("Not seen for flat.")


def test_too_few_configurations_are_not_tested() -> None:
    assert rises("It rises", {"up": series(UP[:3])}, rng()).seen is None
    assert harder("Harder", [("a", series(UP[:3])), ("b", series(FLAT))], rng()).seen is None


def test_pairs_suffice_for_the_risk_after_holm() -> None:
    """Five pairs have p = 1/32 at best: enough for one comparison, not for two."""
    up, easier, easiest = [0, 4, 8, 12, 16, 20], [0, 2, 4, 6, 8, 10], [0] * 6
    assert harder("Harder", [("a", series(up)), ("b", series(easiest))], rng()).seen is True
    three = [("a", series(up)), ("b", series(easier)), ("c", series(easiest))]
    found = harder("Harder", three, rng())
    assert found.seen is None
    assert found.sentence == "Too few configurations of a and b with equal control to tell: wanted 6."
    longer = [
        (name, series([one.runs - one.success.count for one in given] + [20 - 9 * n]))
        for n, (name, given) in enumerate(three)
    ]
    assert harder("Harder", longer, rng()).seen is True


def test_harder_at_equal_control() -> None:
    found = harder("Harder", [("small", series(UP)), ("large", series(FLAT, step=0.9))], rng())
    assert found.seen
    assert found.sentence.startswith(
        "At equal control, on average, runs with small fail 34 points more often than large"
    )
    assert harder("Harder", [("large", series(FLAT)), ("small", series(UP))], rng()).seen is False


def test_no_clear_relation() -> None:
    levels = series(UP)
    distances = [3.0, 9.0, 4.0, 8.0, 2.0, 9.5, 5.0, 6.0]
    loose = [(level, Spread(level.value, m, 5, None, 0)) for level, m in zip(levels, distances, strict=True)]
    found = unrelated("Unrelated", {"trees": loose}, rng())
    assert found.seen
    assert found.sentence.startswith("No clear relation")
    tight = [(level, Spread(level.value, 1.0 + level.value, 5, None, 0)) for level in levels]
    found = unrelated("Unrelated", {"trees": tight}, rng())
    assert found.seen is False
    assert found.sentence.startswith("A relation shows for trees, successful (+1.00, 8 configurations)")
    assert unrelated("Unrelated", {"trees": loose[:3]}, rng()).seen is None


def test_least_when_easy() -> None:
    easy = [(Level.EASY, share) for share in (0.0, 0.0, 0.1, 0.1, 0.2)]
    hard = [(Level.CHALLENGING, 0.5), (Level.CHALLENGING, 0.4), (Level.VERY_DIFFICULT, 0.6)]
    found = least_when_easy("Easy hides", {"trees": easy + hard}, rng())
    assert found.seen
    assert found.p_value == pytest.approx(1 / 56, abs=0.01)
    assert found.sentence == "Trees: 8 % of runs collide when easy, 50 % otherwise."
    assert least_when_easy("Easy hides", {"trees": easy}, rng()).seen is None
    reversed_ = [(Level.EASY, 0.9), (Level.EASY, 0.8), *((Level.CHALLENGING, 0.1) for _ in range(4))]
    assert least_when_easy("Easy hides", {"trees": reversed_}, rng()).seen is False
