"""Coverage of a testing space: the formula of the source and the cells."""

from __future__ import annotations

import pytest

from stressfield.analysis import coverage_history, formula_coverage
from stressfield.errors import InputError
from stressfield.fuzz import Loss, Range, TestingSpace, Window, sample
from stressfield.seeds import generator

WHEN = Window(start_s=0.0, end_s=100.0)
SPACE = TestingSpace(
    name="s",
    operations=(
        Loss(name="a", topics=("/x", "/y"), probability=Range(0.0, 1.0), when=WHEN),
        Loss(name="b", topics=("/x", "/y"), probability=Range(0.0, 0.5), when=WHEN),
    ),
)


def test_the_formula() -> None:
    """O = 2, P = 4, T = 4 + 3 + 2 + 1 windows, V = 2: (2 x 4 x 10)^2 = 6400."""
    share = formula_coverage(SPACE, machines=3, time_s=1000.0, run_s=30.0, steps=4)
    assert share == pytest.approx(3 * 1000.0 / (30.0 * 6400))
    with pytest.raises(InputError, match="No coverage"):
        formula_coverage(TestingSpace(name="none"), machines=1, time_s=1.0, run_s=1.0)


def test_history_over_evaluations() -> None:
    rng = generator(1, "coverage")
    tests = [sample(SPACE, rng).operations for _ in range(40)]
    history = coverage_history(SPACE, None, tests, steps=4)
    assert history.total == 2 * 2 * 4 * 4
    assert len(history.cells) == len(history.formula) == 40
    assert list(history.cells) == sorted(history.cells)
    assert history.configurations == (2 * 10 * 55) ** 2
    assert history.formula[-1] == pytest.approx(40 / history.configurations)
    assert 0.5 < history.shares[-1] <= 1.0
    assert coverage_history(TestingSpace(name="none"), None, [(), ()]).shares == (0.0, 0.0)
