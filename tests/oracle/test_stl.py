from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stressfield.errors import OracleError
from stressfield.oracle.stl import (
    Interval,
    Margin,
    Robustness,
    Signal,
    always,
    count,
    duration,
    eventually,
    implies,
    negation,
    until,
)

NAN = float("nan")


def holds(*values: float, name: str = "x", unit: str = "m") -> Robustness:
    return Signal(np.arange(float(len(values))), np.array(values), name, unit) >= 0.0


def test_always_is_decided_by_the_worst_instant() -> None:
    distance = Signal(np.arange(6.0), [0.5, 0.2, 0.1, 0.4, 0.25, 0.9], "distance", "m")
    margin = always(distance >= 0.30)
    assert margin.value == pytest.approx(-0.2)
    assert (margin.unit, margin.at_s, margin.holds) == ("m", 2.0, False)
    assert margin.violations == (Interval(1.0, 2.0), Interval(4.0, 4.0))
    assert always(distance >= 0.05).violations == ()


def test_always_blames_only_its_window() -> None:
    margin = always(holds(-1, 2, -3, 4, -5), within_s=(1.0, 3.0))
    assert (margin.value, margin.at_s, margin.violations) == (-3.0, 2.0, (Interval(2.0, 2.0),))


def test_eventually_is_decided_by_the_best_instant() -> None:
    margin = eventually(holds(-3, -1, -2, 5), within_s=2.0)
    assert (margin.value, margin.at_s, margin.violations) == (-1.0, 1.0, (Interval(0.0, 2.0),))
    assert eventually(holds(-3, -1, -2, 5)).margin() == Margin(5.0, "m", 3.0)


def test_until_needs_both() -> None:
    margin = until(holds(5, 4, 3, -9), holds(-1, -1, -1, 7))
    assert (margin.value, margin.at_s, margin.unit) == (3.0, 2.0, "m")
    broken = until(holds(5, -4, 3, 3), holds(-9, -9, -9, 7))
    assert broken.margin() == Margin(-4.0, "m", 1.0, (Interval(1.0, 1.0),))
    never = until(holds(1, 1, 1), holds(-3, -2, -4), within_s=2.0)
    assert never.margin() == Margin(-2.0, "m", 1.0, (Interval(0.0, 2.0),))


def test_zero_holds() -> None:
    assert always(holds(0.0)).holds is True
    assert always(holds(0.0)).value == 0.0


def test_no_data_is_inconclusive_never_a_pass() -> None:
    nothing = Margin(None, "m")
    assert nothing.inconclusive
    assert nothing.holds is None
    for formula in (always, eventually):
        assert formula(holds()).margin() == nothing
        assert formula(holds(NAN, NAN)).margin() == nothing
        assert formula(holds(1.0, 2.0), within_s=(5.0, 9.0)).margin() == Margin(None, "m", unsettled=True)
    assert until(holds(1.0), holds(NAN)).margin() == nothing


# the end of the recording -------------------------------------------------------------------------------------


def test_a_window_that_is_cut_off_is_settled_only_by_what_was_seen() -> None:
    assert always(holds(3, 2), within_s=(1.0, 99.0)).margin() == Margin(None, "m", unsettled=True)
    assert always(holds(3, -2), within_s=99.0).margin() == Margin(-2.0, "m", 1.0, (Interval(1.0, 1.0),))
    assert eventually(holds(-3, -2), within_s=99.0).margin() == Margin(None, "m", unsettled=True)
    assert eventually(holds(-3, 2), within_s=99.0).margin() == Margin(2.0, "m", 1.0)
    assert until(holds(1, 1), holds(-1, -1), within_s=99.0).holds is None
    assert until(holds(1, -4), holds(-1, -1), within_s=99.0).margin() == Margin(-1.0, "m", 0.0, (Interval(1.0, 1.0),))
    assert until(holds(1, 1), holds(-1, 2), within_s=99.0).value == 1.0


def test_standing_still_at_the_end_of_a_run_breaks_nothing() -> None:
    speed = Signal(np.arange(60.0), np.where(np.arange(60) < 50, 0.3, 0.0), "speed", "m/s")
    moves = always(eventually(speed >= 0.05, within_s=(0.0, 10.0)))
    assert (moves.holds, moves.value) == (True, pytest.approx(0.25))
    stuck = Signal(np.arange(60.0), np.where((np.arange(60) < 10) | (np.arange(60) > 30), 0.3, 0.0), "speed", "m/s")
    found = always(eventually(stuck >= 0.05, within_s=(0.0, 10.0)))
    assert (found.holds, found.violations) == (False, (Interval(10.0, 20.0),))
    short = Signal(np.arange(5.0), np.zeros(5), "speed", "m/s")
    assert always(eventually(short >= 0.05, within_s=(0.0, 10.0))).margin() == Margin(None, "m/s", unsettled=True)


def test_a_failure_that_the_next_second_could_heal_is_none() -> None:
    still = Signal(np.arange(60.0), np.where(np.arange(60) < 55, 0.3, 0.0), "speed", "m/s") <= 0.01
    parks = eventually(always(still, within_s=10.0))
    assert parks.margin() == Margin(None, "m/s", unsettled=True)
    assert (~parks).holds is True
    assert eventually(always(still, within_s=4.0)).holds is True
    moving = Signal(np.arange(60.0), np.full(60, 0.3), "speed", "m/s") <= 0.01
    assert eventually(always(moving, within_s=10.0)).holds is False  # moving to the last: nothing could heal it
    assert eventually(still).holds is True
    assert eventually(moving).holds is False


def test_not_exactly_zero_is_no_pass() -> None:
    alarm, stopped = holds(0, 0), holds(-1, -1)
    assert (alarm.holds, (~alarm).holds, (~~alarm).value) == (True, False, 0.0)
    assert always(implies(alarm, stopped)).holds is False
    assert (~alarm).scaled(by=1e9).holds is False


# units, durations, counts -------------------------------------------------------------------------------------


def test_margins_of_different_units_do_not_mix() -> None:
    metres, radians = holds(1.0), holds(1.0, unit="rad", name="a")
    for combine in (
        lambda: metres & radians,
        lambda: metres | radians,
        lambda: implies(metres, radians),
        lambda: until(metres, radians),
    ):
        with pytest.raises(OracleError) as caught:
            combine()
        assert str(caught.value) == (
            "The margin of 'x >= 0' is in m, that of 'a >= 0' in rad: neither is more or less than the other. Say how "
            "much of each counts as much: (x >= 0).scaled(by=...) and (a >= 0).scaled(by=...) have no unit."
        )
    both = metres.scaled(by=0.5) & radians.scaled(by=4.0)
    assert (both.value, both.unit) == (0.25, "")
    with pytest.raises(OracleError, match="Wanted a finite number above zero"):
        metres.scaled(by=-1.0)


def test_the_unit_is_that_of_the_formula_even_without_data() -> None:
    assert always(holds()).unit == "m"
    assert eventually(holds(1.0), within_s=9.0).unit == "m"


def test_durations_are_margins_in_seconds() -> None:
    speed = Signal(np.arange(8.0), [1, 0, 0, 0, NAN, 0, 0, 1], "speed", "m/s")
    still = duration(speed <= 0.01)
    np.testing.assert_array_equal(still.values, [0, 0, 1, 2, NAN, 0, 1, 0])
    margin = always(still <= 1.5)
    assert margin.margin() == Margin(-0.5, "s", 3.0, (Interval(3.0, 3.0),))
    assert len(duration(holds())) == 0


def test_events_are_counted() -> None:
    touches = count(holds(-1, 1, 1, NAN, 1, -1, 1))
    np.testing.assert_array_equal(touches.values, [0, 1, 1, 1, 1, 1, 2])
    np.testing.assert_array_equal(count(holds(NAN, 1)).values, [NAN, 1])
    assert always(touches <= 1).margin() == Margin(-1.0, "times", 6.0, (Interval(6.0, 6.0),))


# vacuous ------------------------------------------------------------------------------------------------------


def test_an_implication_whose_premise_never_holds_is_vacuous() -> None:
    asked = always(implies(holds(-1, -1, -1), eventually(holds(1, 1, 1))))
    assert (asked.holds, asked.vacuous) == (True, True)
    assert not always(implies(holds(-1, 1, -1), eventually(holds(1, 1, 1)))).vacuous
    assert not always(implies(holds(-1, -1, -1), holds(1, 1, 1)) & holds(1, 1, 1)).vacuous
    assert always(implies(holds(-1, -1), holds(1, 1)) & implies(holds(-1, -1), holds(1, 1))).vacuous
    assert not always(implies(holds(NAN, NAN), holds(1, 1))).vacuous


def test_missing_samples_are_skipped_by_windows() -> None:
    assert always(holds(NAN, 2, NAN, 1)).margin() == Margin(1.0, "m", 3.0)
    assert eventually(holds(NAN, 2, NAN, 1)).margin() == Margin(2.0, "m", 1.0)


def test_three_valued_logic() -> None:
    known, unknown = holds(-1, 1, 0), holds(NAN, NAN, NAN)
    np.testing.assert_array_equal((known & unknown).values, [-1, NAN, NAN])
    np.testing.assert_array_equal((unknown | known).values, [NAN, 1, 0])
    np.testing.assert_array_equal((~unknown).values, [NAN, NAN, NAN])
    assert (known & unknown).at_s == 0.0


def test_the_deciding_operand_gives_the_instant() -> None:
    both = always(holds(3, 1, 2)) & always(holds(9, 9, -4))
    assert both.margin() == Margin(-4.0, "m", 2.0, (Interval(2.0, 2.0),))
    either = always(holds(3, -1, 2)) | always(holds(9, 9, -4))
    assert either.margin() == Margin(-1.0, "m", 1.0, (Interval(1.0, 2.0),))


def test_nested_formulas_name_the_instants_that_lack_an_answer() -> None:
    error = Signal(np.arange(6.0), [0, 1, 0, 0, 0, 0], "error") >= 0.5
    speed = Signal(np.arange(6.0), [1, 1, 0.8, 0.6, 0, 0], "speed") <= 0.1
    margin = always(implies(error, eventually(speed, within_s=2.0)))
    assert margin.value == pytest.approx(-0.5)
    assert margin.violations == (Interval(1.0, 1.0),)
    assert margin.text == "always ((error >= 0.5 implies eventually[0 s, 2 s] (speed <= 0.1)))"
    assert always(implies(error, eventually(speed, within_s=3.0))).holds is True


def test_formulas_of_different_time_bases_are_refused() -> None:
    with pytest.raises(OracleError, match="sampled at different times"):
        _ = holds(1, 2) & holds(1, 2, 3)
    with pytest.raises(OracleError, match="sampled at different times"):
        until(holds(1, 2), holds(1, 2, 3))


def test_python_and_is_refused() -> None:
    speed = Signal([0.0], [1.0], "speed")
    with pytest.raises(OracleError, match=r"'speed >= 0' is a margin over time, not a truth\. Combine"):
        _ = 0 <= speed <= 2


def test_a_margin_is_plain_data() -> None:
    margin = Margin(-0.2, "m", at_s=3.0)
    assert margin == Margin(-0.2, "m", 3.0, ())
    with pytest.raises(OracleError, match="A margin cannot be NaN"):
        Margin(NAN)
    formula = always(holds(1, -2))
    copy = pickle.loads(pickle.dumps(formula))
    assert type(copy) is Margin
    assert copy == formula.margin()


values = st.lists(st.tuples(st.integers(1, 9), st.integers(-9, 9), st.integers(-9, 9)), min_size=1, max_size=25)
within = st.one_of(st.none(), st.integers(0, 20).map(float), st.just((2.0, 7.0)))


def pair(rows: list[tuple[int, int, int]]) -> tuple[Robustness, Robustness]:
    times_s = np.cumsum([row[0] for row in rows]) / 2
    one = Signal(times_s, np.array([row[1] for row in rows], dtype=float), "one", "m")
    two = Signal(times_s, np.array([row[2] for row in rows], dtype=float), "two", "m")
    return one >= 0.0, two >= 0.0


def same(one: Robustness, two: Robustness) -> None:
    np.testing.assert_array_equal(one.values, two.values)


@given(values, within)
def test_laws_of_the_logic(rows: list[tuple[int, int, int]], within_s: float | None) -> None:
    phi, psi = pair(rows)
    same(~always(phi, within_s=within_s), eventually(~phi, within_s=within_s))
    same(~(phi & psi), negation(phi) | ~psi)
    same(implies(phi, psi), ~phi | psi)
    both = always(phi & psi, within_s=within_s)
    same(both, always(phi, within_s=within_s) & always(psi, within_s=within_s))
    same(until(holds_like(phi), psi, within_s=within_s), eventually(psi, within_s=within_s))


def holds_like(phi: Robustness) -> Robustness:
    return Signal(phi.times_s, np.full(len(phi.times_s), np.inf), unit="m") >= 0.0


@given(values, within)
def test_the_named_instant_carries_the_margin(rows: list[tuple[int, int, int]], within_s: float | None) -> None:
    phi, psi = pair(rows)
    for formula in (
        always(phi | psi, within_s=within_s),
        eventually(phi & psi, within_s=within_s),
        until(phi, psi, within_s=within_s),
        always(eventually(phi, within_s=2.0)) & psi,
    ):
        if formula.value is None:
            continue
        place = int(np.searchsorted(phi.times_s, formula.at_s))
        assert formula.value in (phi.values[place], psi.values[place])
        assert bool(formula.violations) == (formula.holds is False)
