"""P9 to P11, P6' and P7', on drives made by hand."""

from __future__ import annotations

import pytest

from stressfield.oracle import Outcome

from .fields import Drive, field

PASS, FAIL, OPEN = Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE


def whole() -> Drive:
    """Every lane of the small field, as it should be."""
    drive = Drive(field())
    return drive.lanes(*(track.lane for track in drive.mission.tracks))


# P9: every track, from end to end, and said ------------------------------------------------------------------


def test_a_mission_that_was_done_and_reported_passes() -> None:
    assert whole().report("success", level=0).stand(1.0).judged("P9").outcome is PASS


def test_a_mission_that_was_done_must_be_reported() -> None:
    verdict = whole().stand(1.0).judged("P9")
    assert (verdict.outcome, verdict.subcase, verdict.margin) == (FAIL, "2", None)


def test_a_last_row_that_was_left_half_way_is_undone() -> None:
    drive = Drive(field(spacings_m=(), outer=(True, False))).go_to(4.0).report("success", level=0).stand(1.0)
    verdict = drive.judged("P9")
    assert (verdict.outcome, verdict.subcase, verdict.margin) == (FAIL, "1", -1.0)


def test_turning_back_before_the_end_of_a_row_leaves_it_undone() -> None:
    drive = Drive(field(spacings_m=(), outer=(True, False))).go_to(6.0).turn(3.14159).go_to(-1.2)
    assert drive.report("success", level=0).stand(1.0).judged("P9").subcase == "1"


@pytest.mark.parametrize(("missing", "outcome"), [(0, FAIL), (2, PASS)])
def test_a_field_whose_stakes_are_missing_may_be_given_up(missing: int, outcome: Outcome) -> None:
    drive = Drive(field(stakes=(missing, 0.0))).go_to(8.5).report("invalid markers spacing").stand(2.0)
    assert drive.judged("P9").outcome is outcome


# P10 and P11 --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("speed", "outcome", "subcase"), [(0.4, PASS, None), (0.3, FAIL, "1"), (0.45, FAIL, "2")])
def test_rows_are_weeded_at_the_working_speed(speed: float, outcome: Outcome, subcase: str | None) -> None:
    verdict = Drive(field()).go_to(9.2, speed=speed).judged("P10")
    assert (verdict.outcome, verdict.subcase, verdict.unit) == (outcome, subcase, "m/s")


def test_a_row_that_the_run_ended_in_has_no_speed_yet() -> None:
    assert Drive(field()).go_to(4.0).stand(20.0).judged("P10").outcome is OPEN


def test_a_uturn_may_not_dawdle() -> None:
    drive = Drive(field()).lanes(0)
    assert drive.uturn(drive.track_y(1)).out().judged("P11").outcome is PASS
    slow = Drive(field()).lanes(0).stand(15.0)
    verdict = slow.uturn(slow.track_y(1)).out().judged("P11")
    assert (verdict.outcome, verdict.unit) == (FAIL, "s")


def test_without_a_uturn_there_is_nothing_to_measure() -> None:
    verdict = Drive(field()).lanes(0).judged("P11")
    assert (verdict.outcome, verdict.margin) == (PASS, None)


# P6' and P7' --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("x_m", "outcome"), [(9.4, PASS), (9.56, FAIL)])
def test_some_of_the_border_stays_free(x_m: float, outcome: Outcome) -> None:
    drive = Drive(field()).go_to(x_m)
    assert drive.judged("P6").outcome is PASS
    assert drive.judged("P6'").outcome is outcome


@pytest.mark.parametrize(
    ("dx_m", "dy_m", "outcome", "subcase"), [(0.4, 0.0, PASS, None), (0.0, 0.08, PASS, None), (0.0, 0.12, FAIL, "1")]
)
def test_across_a_row_the_robot_knows_where_it_is(
    dx_m: float, dy_m: float, outcome: Outcome, subcase: str | None
) -> None:
    verdict = Drive(field()).go_to(6.0).believe(dx_m, dy_m).judged("P7'")
    assert (verdict.outcome, verdict.subcase) == (outcome, subcase)
