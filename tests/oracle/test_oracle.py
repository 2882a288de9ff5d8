"""Properties, switches and verdicts."""

from __future__ import annotations

import math

import pytest

from stressfield.errors import OracleError
from stressfield.oracle import (
    Evidence,
    Interval,
    Judgement,
    Margin,
    Oracle,
    Outcome,
    Property,
    PropertyClass,
    Signal,
    Verdict,
    Violation,
    always,
    implies,
    overall,
)
from stressfield.oracle.oracle import verdict_of
from stressfield.scenario import Scenario
from stressfield.trace import Trace
from stressfield.world import Bodies, Mission, Terrain, World

KIND = PropertyClass.CRITICAL_EVENT


def evidence() -> Evidence:
    terrain = Terrain.flat(x0_m=0.0, y0_m=0.0, size_m=1.0)
    return Evidence(Trace(), Scenario(World("w", terrain, Bodies.none(), ()), Mission(limit_s=1.0)))


def prop(name: str = "P", *, on: bool = True, returns: Judgement | Margin | None = None) -> Property:
    return Property(name, KIND, "a title", lambda _: returns, on=on)


def oracle() -> Oracle:
    return Oracle("toy", [prop("P1"), prop("P2", on=False), prop("P2'", on=False), prop("P3")])


def names(properties: tuple[Property, ...]) -> list[str]:
    return [one.name for one in properties]


def verdict(outcome: Outcome) -> Verdict:
    return Verdict("P", outcome, None, "")


# switches -----------------------------------------------------------------------------------------------------


def test_only_the_properties_that_are_on_judge_by_default() -> None:
    assert names(oracle().select()) == ["P1", "P3"]
    assert [one.property for one in oracle().judge(evidence())] == ["P1", "P3"]


def test_properties_can_be_switched_on_and_off_and_keep_their_order() -> None:
    assert names(oracle().select(include=["P2'"], exclude=["P1"])) == ["P2'", "P3"]
    assert [one.property for one in oracle().judge(evidence(), include=["P2"], exclude=["P3"])] == ["P1", "P2"]


def test_including_what_is_on_and_excluding_what_is_off_changes_nothing() -> None:
    assert names(oracle().select(include=["P1", "P1"], exclude=["P2"])) == ["P1", "P3"]


def test_switches_do_not_change_the_oracle() -> None:
    one = oracle()
    one.select(include=["P2"], exclude=["P1"])
    assert names(one.select()) == ["P1", "P3"]
    assert names(one.properties) == ["P1", "P2", "P2'", "P3"]


@pytest.mark.parametrize("switch", ["include", "exclude"])
def test_an_unknown_property_is_named_with_what_there_is_and_the_nearest(switch: str) -> None:
    with pytest.raises(OracleError) as caught:
        oracle().judge(evidence(), **{switch: ["P2''"]})
    assert str(caught.value) == ("Unknown property \"P2''\". Oracle 'toy' has: P1, P2, P2', P3. Did you mean \"P2'\"?")


def test_a_property_cannot_be_switched_both_ways() -> None:
    with pytest.raises(OracleError) as caught:
        oracle().select(include=["P2"], exclude=["P2"])
    assert str(caught.value) == "Property 'P2' is both included and excluded; name it once."


def test_two_properties_of_one_name_are_refused() -> None:
    with pytest.raises(OracleError) as caught:
        Oracle("toy", [prop("P1"), prop("P1")])
    assert str(caught.value) == "Oracle 'toy' has two properties called 'P1'; names must differ."


def test_a_decorated_function_becomes_a_property_and_stays_a_function() -> None:
    toy = Oracle("toy")

    @toy.property("gap", KIND, "Keeps a gap", subcases={"1": "hits"}, on=False, why_off="too strict")
    def gap(seen: Evidence) -> Judgement:
        return Judgement(1.0, "m")

    assert toy["gap"] == Property("gap", KIND, "Keeps a gap", gap, {"1": "hits"}, False, "too strict")
    assert gap(evidence()).margin == 1.0


def test_judges_see_the_evidence() -> None:
    given, seen = evidence(), []
    Oracle("toy", [Property("P", KIND, "t", seen.append)]).judge(given)
    assert seen == [given]


# verdicts -----------------------------------------------------------------------------------------------------


def test_no_judgement_is_inconclusive() -> None:
    assert verdict_of(prop(), None) == Verdict("P", Outcome.INCONCLUSIVE, None, "", note="no data")


@pytest.mark.parametrize(("note", "told"), [("", "no data"), ("the recording ends early", "the recording ends early")])
def test_a_judgement_that_saw_nothing_is_inconclusive_whatever_its_margin(note: str, told: str) -> None:
    judgement = Judgement(5.0, "m", note=note, seen=False)
    assert verdict_of(prop(), judgement) == Verdict("P", Outcome.INCONCLUSIVE, None, "m", note=told)


def test_a_margin_that_is_not_a_number_is_never_a_pass() -> None:
    made = verdict_of(prop(), Judgement(math.nan, "m"))
    assert made == Verdict("P", Outcome.INCONCLUSIVE, None, "m", note="the margin is not a number")


@pytest.mark.parametrize(
    ("margin", "outcome"), [(0.5, Outcome.PASS), (0.0, Outcome.PASS), (-1e-9, Outcome.FAIL), (None, Outcome.PASS)]
)
def test_a_negative_margin_fails_and_zero_holds(margin: float | None, outcome: Outcome) -> None:
    made = verdict_of(prop(), Judgement(margin, "m", 2.5, note="so"))
    assert made == Verdict("P", outcome, margin, "m", 2.5, note="so")


@pytest.mark.parametrize("margin", [0.0, -0.0, 2e-16, 0.3])
def test_a_violation_with_a_margin_that_holds_contradicts_itself(margin: float) -> None:
    with pytest.raises(OracleError, match=r"has violations, the first from 1 s, and a margin of .* m, which holds\."):
        Judgement(margin, "m", None, (Violation(1.0, 2.0),))


def test_a_violation_without_a_measure_fails() -> None:
    made = verdict_of(prop(), Judgement(None, "m", None, (Violation(1.0, 2.0),)))
    assert (made.outcome, made.subcase, made.margin) == (Outcome.FAIL, None, None)
    assert verdict_of(prop(), Judgement(math.nan, "m", None, (Violation(1.0, 2.0),))).margin is None


def test_what_a_property_must_return() -> None:
    with pytest.raises(OracleError) as caught:
        Oracle("toy", [Property("P", KIND, "t", lambda _: True)]).judge(evidence())  # type: ignore[arg-type,return-value]
    assert str(caught.value) == (
        "Property 'P' cannot be judged: it gave True, a bool. Wanted a Margin (such as always(signal >= 0.3)), "
        "a Judgement or None."
    )


def test_a_property_has_one_unit_in_all_runs() -> None:
    units = iter(["m", "m", "m/s"])
    toy = Oracle("toy", [Property("P", KIND, "t", lambda _: Judgement(1.0, next(units)))])
    toy.judge(evidence())
    toy.judge(evidence())
    with pytest.raises(
        OracleError, match=r"Property 'P' of oracle 'toy' gives its margin in m/s here, but in m in another run"
    ):
        toy.judge(evidence())


def test_a_wrong_name_in_a_property_names_the_property() -> None:
    toy = Oracle("toy", [Property("P", KIND, "t", lambda run: run.trace.truth("mover"))])  # type: ignore[arg-type,return-value]
    with pytest.raises(OracleError, match=r"Property 'P' cannot be judged: No truth of robot 'mover'"):
        toy.judge(evidence())


# vacuous ------------------------------------------------------------------------------------------------------


def test_a_vacuous_property_passes_only_if_it_says_so() -> None:
    judgement = Judgement(9.7, "m", 0.0, vacuous=True)
    made = verdict_of(prop(), judgement)
    assert (made.outcome, made.margin, made.vacuous) == (Outcome.INCONCLUSIVE, None, True)
    assert made.note == "vacuous: what it speaks of did not occur in this run"
    passing = Property("P", KIND, "t", lambda _: None, when_vacuous=Outcome.PASS)
    assert verdict_of(passing, judgement) == Verdict("P", Outcome.PASS, 9.7, "m", 0.0, vacuous=True)
    assert verdict_of(passing, Margin(1.0, "m", vacuous=True)).vacuous


def test_a_violation_is_never_vacuous() -> None:
    made = verdict_of(prop(), Judgement(-1.0, "m", vacuous=True))
    assert (made.outcome, made.vacuous) == (Outcome.FAIL, False)


def test_a_vacuous_property_cannot_fail_by_choice() -> None:
    with pytest.raises(OracleError, match="cannot be 'fail' when it is vacuous"):
        Property("P", KIND, "t", lambda _: None, when_vacuous="fail")  # type: ignore[arg-type]


def test_what_the_recording_does_not_settle_is_inconclusive() -> None:
    made = verdict_of(prop(), Margin(None, "m", unsettled=True))
    assert made.outcome is Outcome.INCONCLUSIVE
    assert made.note.startswith("the recording does not settle it")


def test_the_first_violation_in_time_decides_the_subcase() -> None:
    late, early, later = Violation(5.0, 9.0, "4"), Violation(2.0, 3.0, "1"), Violation(7.0, 8.0, "2")
    made = verdict_of(prop(), Judgement(-0.1, "m", 5.0, (late, early, later)))
    assert made.subcase == "1"
    assert made.violations == (early, late, later)


def test_of_violations_at_the_same_time_the_first_given_decides() -> None:
    made = verdict_of(prop(), Judgement(-0.1, "m", 5.0, (Violation(2.0, 9.0, "2"), Violation(2.0, 3.0, "1"))))
    assert made.subcase == "2"


def test_a_margin_of_temporal_logic_becomes_a_verdict() -> None:
    made = verdict_of(prop(), Margin(-0.2, "m/s", 3.0, (Interval(2.5, 3.5),)))
    assert made == Verdict("P", Outcome.FAIL, -0.2, "m/s", 3.0, None, (Violation(2.5, 3.5),))
    assert verdict_of(prop(), Margin(0.0, "m", 1.0)).outcome is Outcome.PASS


def test_a_margin_without_data_is_inconclusive() -> None:
    assert verdict_of(prop(), Margin(None, "m")) == Verdict("P", Outcome.INCONCLUSIVE, None, "m", note="no data")


# the run as a whole -------------------------------------------------------------------------------------------

PASS, FAIL, OPEN = Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE


@pytest.mark.parametrize(
    ("outcomes", "wanted"),
    [
        ((PASS, PASS), PASS),
        ((PASS, FAIL), FAIL),
        ((OPEN, FAIL, PASS), FAIL),
        ((PASS, OPEN), OPEN),
        ((OPEN,), OPEN),
        ((), OPEN),
    ],
)
def test_a_fail_fails_the_run_and_an_open_verdict_leaves_it_open(
    outcomes: tuple[Outcome, ...], wanted: Outcome
) -> None:
    assert overall(tuple(verdict(one) for one in outcomes)) is wanted


def test_a_comparison_that_does_not_say_when_is_no_property() -> None:
    distance = Signal([0.0, 1.0, 2.0], [1.0, 0.1, 1.0], "distance", "m")
    near = distance >= 0.3
    for bare in (near, ~near, near & always(near), implies(near, near), near.scaled(by=2.0)):
        with pytest.raises(OracleError, match="does not say when it must hold; it would be judged at its first sample"):
            verdict_of(prop("clear"), bare)
    for timed in (always(near), ~always(near), always(near) | always(near), always(near).scaled(by=2.0)):
        assert verdict_of(prop("clear"), timed).margin is not None
