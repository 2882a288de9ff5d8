"""The logic in arrays says what its plain definition says, at every sample and of every kind of unknown."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stressfield.oracle import always, eventually, until

from .plain_logic import TICKS, Formula, Record, built, differences, random_formula, random_record


@settings(max_examples=500, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 4))
def test_arrays_and_definition_agree(seed: int, depth: int) -> None:
    rng = random.Random(seed)
    formula, record = random_formula(rng, depth), random_record(rng)
    assert differences(formula, record) == []


def bounded(formula: Formula) -> bool:
    """Whether no operator of it speaks of the whole record."""
    parts = [part for part in formula[1:] if isinstance(part, tuple) and part and isinstance(part[0], str)]
    return not (formula[0] in {"always", "eventually", "until"} and formula[-1] is None) and all(map(bounded, parts))


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 3))
def test_no_continuation_of_a_record_contradicts_what_it_settles(seed: int, depth: int) -> None:
    rng = random.Random(seed)
    formula = random_formula(rng, depth)
    while not bounded(formula):
        formula = random_formula(rng, depth)
    # Without missing samples, at every tick: else a window may turn out to hold no sample, and to be left out.
    ticks = tuple(range(rng.randint(1, 40)))
    whole = Record(ticks, {name: tuple(float(rng.randint(-3, 3)) for _ in ticks) for name in "xy"})
    cut = rng.randint(1, len(whole.ticks))
    part = Record(whole.ticks[:cut], {name: values[:cut] for name, values in whole.signals.items()})
    before, after = built(formula, part), built(formula, whole)
    for place in range(cut):
        assert before.strict.low[place] <= after.strict.low[place]
        assert before.strict.high[place] >= after.strict.high[place]


@pytest.mark.parametrize("within_s", [None, 3.0, (1.0, 9.0)])
def test_the_instant_that_decides_has_the_margin(within_s: object) -> None:
    rng = random.Random(3)
    for _ in range(200):
        record = random_record(rng)
        x, y = built(("at least", "x", 0.0), record), built(("at least", "y", 0.0), record)
        for formula in (
            always(x & y, within_s=within_s),
            eventually(x | y, within_s=within_s),
            until(x, y, within_s=within_s),
        ):  # type: ignore[arg-type]
            nested = always(eventually(formula, within_s=2.0))
            for margin in (formula, nested):
                if margin.value is not None:
                    place = record.ticks.index(round(margin.at_s * TICKS))  # type: ignore[operator]
                    assert margin.value in (x.values[place], y.values[place])
