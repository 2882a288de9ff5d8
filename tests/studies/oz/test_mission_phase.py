"""P1, P2, P2' and P3, on drives made by hand."""

from __future__ import annotations

from math import pi

import pytest

from stressfield.oracle import Outcome

from .fields import PIVOT_M, Drive, field

PASS, FAIL, OPEN = Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE


@pytest.fixture(params=["right", "left"])
def drive(request: pytest.FixtureRequest) -> Drive:
    """In front of the first of four lanes, in a field and in its mirror image."""
    return Drive(field(side=request.param))


# P1: U-turns --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turns", "outcome", "margin"), [(1, FAIL, -2.0), (2, PASS, 0.0), (3, PASS, 0.0), (4, FAIL, -2.0), (5, FAIL, -4.0)]
)
def test_a_uturn_takes_five_to_seven_manoeuvres(drive: Drive, turns: int, outcome: Outcome, margin: float) -> None:
    """Two times the turns plus one: 3, 5, 7, 9 and 11 manoeuvres."""
    drive.lanes(0, 1, turns=turns)
    verdict = drive.judged("P1")
    assert (verdict.outcome, verdict.margin, verdict.unit) == (outcome, margin, "manoeuvres")
    assert len(verdict.violations) == (outcome is FAIL)


def test_six_manoeuvres_leave_room_on_both_sides(drive: Drive) -> None:
    drive.out().go(-0.2).uturn(drive.track_y(1)).out()
    assert (drive.judged("P1").outcome, drive.judged("P1").margin) == (PASS, 1.0)


def test_the_worst_of_several_uturns_decides_and_each_bad_one_is_shown(drive: Drive) -> None:
    drive.out().uturn(drive.track_y(1)).out()
    drive.uturn(drive.track_y(2), turns=4).out()
    bad_from_s = drive.time_s
    drive.uturn(drive.track_y(3), turns=5).out()
    verdict = drive.judged("P1")
    assert (verdict.outcome, verdict.margin, len(verdict.violations)) == (FAIL, -4.0, 2)
    assert verdict.violations[1].start_s < bad_from_s < verdict.violations[1].end_s


def test_standing_still_and_twitching_are_no_manoeuvres(drive: Drive) -> None:
    drive.out(0.4).stand(1.0).go_to(drive.mission.row_length_m + PIVOT_M)
    drive.go(-0.02, speed=0.1).go(0.02, speed=0.1).turn(-0.03).turn(0.03).stand(0.5)
    drive.uturn(drive.track_y(1), turns=3).out()
    assert drive.judged("P1").outcome is PASS, "seven, and not one more"


def test_a_mission_without_uturn_has_nothing_to_measure(drive: Drive) -> None:
    verdict = drive.lanes(0).judged("P1")
    assert (verdict.outcome, verdict.margin, verdict.note) == (PASS, None, "no U-turn was completed")


def test_looking_into_a_row_is_no_pass(drive: Drive) -> None:
    drive.out().uturn(drive.track_y(1)).go_to(drive.mission.row_length_m - 0.7).go(-0.7 - PIVOT_M)
    assert drive.judged("P1").note == "no U-turn was completed"


# P3: order of rows --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lanes", [(0,), (0, 1), (0, 1, 2, 3)])
def test_rows_in_the_right_order_pass_finished_or_not(drive: Drive, lanes: tuple[int, ...]) -> None:
    verdict = drive.lanes(*lanes).judged("P3")
    assert (verdict.outcome, verdict.subcase) == (PASS, None)
    assert verdict.margin == pytest.approx(0.35 if len(lanes) > 1 else 0.405, abs=1e-6)
    assert verdict.unit == "m"


@pytest.mark.parametrize(
    ("lanes", "subcase"),
    [
        ((0, 0), "1"),
        ((0, 1, 1), "1"),
        ((0, 1, 2, 3, 3), "1"),
        ((0, 1, 0), "2"),
        ((0, 1, 2, 0), "2"),
        ((0, 1, 2, 3, 1), "2"),
        ((0, 2), "3"),
        ((0, 1, 3), "3"),
        ((1,), "3"),
    ],
)
def test_the_wrong_row_is_the_same_a_previous_or_a_later_one(
    drive: Drive, lanes: tuple[int, ...], subcase: str
) -> None:
    drive.y = drive.track_y(lanes[0])
    verdict = drive.lanes(*lanes).judged("P3")
    assert (verdict.outcome, verdict.subcase, len(verdict.violations)) == (FAIL, subcase, 1)
    assert verdict.margin is not None
    assert verdict.margin < 0.0


def test_a_lane_before_the_first_of_the_mission_counts_as_a_previous_one() -> None:
    drive = Drive(field(outer=(False, False)), y_m=-0.405)
    assert [track.lane for track in drive.mission.tracks] == [1, 2]
    assert drive.out().judged("P3").subcase == "2"


def test_the_violation_is_the_pass_along_the_wrong_row(drive: Drive) -> None:
    drive.out().uturn(drive.track_y(2))
    before_s = drive.time_s
    verdict = drive.out().judged("P3")
    assert before_s < verdict.violations[0].start_s < before_s + 5.0
    assert verdict.violations[0].end_s == pytest.approx(verdict.violations[0].start_s + 8.0 / 0.4, abs=0.2)


def test_crossing_a_row_while_weeding_is_leaving_it(drive: Drive) -> None:
    side = 1.0 if drive.mission.row_y_m[1] > 0 else -1.0
    drive.out().uturn(drive.track_y(1)).go_to(5.0)
    left_s = drive.time_s
    verdict = drive.slide(side * 0.7).out().judged("P3")
    assert (verdict.outcome, verdict.subcase) == (FAIL, "4")
    assert verdict.margin == pytest.approx(-0.35, abs=1e-6)
    assert left_s < verdict.violations[0].start_s < left_s + 2.0


def test_only_the_first_wrong_pass_is_blamed(drive: Drive) -> None:
    assert len(drive.lanes(0, 0, 0, 0).judged("P3").violations) == 1


def test_a_lane_of_two_passes_may_be_entered_twice_but_not_three_times() -> None:
    wide = field(spacings_m=(1.2,))
    lanes = [track.lane for track in Drive(wide).mission.tracks]
    assert lanes == [0, 1, 1, 2]
    good = Drive(wide).out()
    for track in good.mission.tracks[1:]:
        good.uturn(track.y_m).out()
    assert good.judged("P3").outcome is PASS
    bad = Drive(wide).lanes(0, 1, 1, 1)
    assert bad.judged("P3").subcase == "1"


def test_a_run_that_never_entered_a_row_is_open(drive: Drive) -> None:
    assert drive.go(0.5).judged("P3").outcome is OPEN


# P2 and P2': distance to the vegetables -----------------------------------------------------------------------


@pytest.mark.parametrize(("off_m", "outcome"), [(0.0, PASS), (0.08, PASS), (-0.08, PASS), (0.12, FAIL), (-0.12, FAIL)])
def test_the_reference_distance_is_kept_within_ten_centimetres(off_m: float, outcome: Outcome) -> None:
    drive = Drive(field())
    drive.y += off_m
    verdict = drive.out().judged("P2")
    assert verdict.outcome is outcome
    assert verdict.margin == pytest.approx(0.10 - abs(off_m))
    assert verdict.unit == "m"


def test_the_headland_does_not_count_for_the_distance() -> None:
    drive = Drive(field(), y_m=-1.2)
    drive.slide(-0.405 + 1.2, along_m=1.1)
    assert drive.out().slide(0.5, along_m=0.2).judged("P2").outcome is PASS
    assert drive.judged("P2'").outcome is PASS


@pytest.mark.parametrize("name", ["P2", "P2'"])
def test_the_distance_of_a_run_that_never_entered_a_row_is_open(name: str) -> None:
    assert Drive(field()).go(0.5).judged(name).outcome is OPEN


@pytest.mark.parametrize(("off_m", "outcome", "subcase"), [(0.18, PASS, None), (0.22, FAIL, "1"), (-0.22, FAIL, "1")])
def test_a_large_distance_is_more_than_twenty_centimetres(off_m: float, outcome: Outcome, subcase: str | None) -> None:
    drive = Drive(field())
    drive.y += off_m
    verdict = drive.out().judged("P2'")
    assert (verdict.outcome, verdict.subcase) == (outcome, subcase)
    assert verdict.margin == pytest.approx(1.0 - abs(off_m) / 0.20)


@pytest.mark.parametrize(("along_m", "outcome"), [(0.32, FAIL), (0.8, PASS)])
def test_a_fast_change_of_distance_is_told_even_where_the_distance_is_small(along_m: float, outcome: Outcome) -> None:
    drive = Drive(field()).go_to(3.0)
    at_s = drive.time_s
    verdict = drive.slide(0.15, along_m=along_m).out().judged("P2'")
    assert verdict.outcome is outcome
    if outcome is FAIL:
        assert (verdict.subcase, verdict.unit) == ("2", "of the limit")  # one unit, whichever limit is broken
        assert verdict.margin == pytest.approx(1.0 - (0.15 / 0.8) / 0.15)
        assert at_s < verdict.violations[0].start_s < at_s + 1.0


def test_the_second_pass_is_measured_against_its_own_track() -> None:
    drive = Drive(field()).out()
    drive.uturn(drive.track_y(1) + 0.15).out()
    assert drive.judged("P2").margin == pytest.approx(-0.05, abs=1e-6)


def test_driving_on_after_a_pivot_of_half_a_turn_is_a_pass_of_its_own() -> None:
    drive = Drive(field()).out().turn(pi).out()
    assert drive.judged("P3").subcase == "1"


def test_done_but_not_said_fails_without_a_measure(drive: Drive) -> None:
    drive.lanes(*(track.lane for track in drive.mission.tracks))
    silent = drive.judged("P9")
    assert (silent.outcome, silent.subcase, silent.margin, silent.unit) == (FAIL, "2", None, "tracks")
    told = drive.report("done", level=0).judged("P9")
    assert (told.outcome, told.margin) == (PASS, 0.0)


def test_a_run_without_a_turn_or_an_error_passes_but_is_counted_as_vacuous() -> None:
    drive = Drive(field()).go_to(3.0)
    for name in ("P1", "P8"):
        verdict = drive.judged(name)
        assert (verdict.outcome, verdict.vacuous, verdict.margin) == (PASS, True, None)
