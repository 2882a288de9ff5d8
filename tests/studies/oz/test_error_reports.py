"""P8 and P8', on drives made by hand."""

from __future__ import annotations

from math import radians

import numpy as np
import pytest

from stressfield.oracle import Outcome

from .fields import Drive, field

PASS, FAIL, OPEN = Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE


def failing(text: str, distance_m: float, *, late_s: float = 0.0) -> Drive:
    """Reports an error in the middle of the first row and goes on for a distance."""
    drive = Drive(field()).go_to(4.0).report(text, late_s=late_s)
    return (drive.go(distance_m) if distance_m else drive).stand(3.0)


# P8: stops after an error -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("distance_m", "outcome"), [(0.0, PASS), (0.2, PASS), (0.28, PASS), (0.34, FAIL), (1.0, FAIL)])
def test_the_robot_stops_within_thirty_centimetres_of_reporting_an_error(distance_m: float, outcome: Outcome) -> None:
    verdict = failing("steersman", distance_m).judged("P8")
    assert (verdict.outcome, verdict.unit) == (outcome, "m")
    assert verdict.margin == pytest.approx(0.30 - distance_m, abs=1e-6)


def test_the_violation_begins_where_the_distance_is_used_up() -> None:
    drive = Drive(field()).go_to(4.0).report("steersman")
    error_s = drive.time_s
    verdict = drive.go(1.0).stand(3.0).judged("P8")
    assert verdict.at_s == pytest.approx(error_s)
    assert verdict.violations[0].start_s == pytest.approx(error_s + 0.3 / 0.4, abs=0.06)
    assert verdict.violations[0].end_s == pytest.approx(drive.time_s)


def test_driving_back_and_forth_is_not_stopping() -> None:
    drive = Drive(field()).go_to(4.0).report("steersman").go(0.2).go(-0.2).stand(3.0)
    assert drive.judged("P8").margin == pytest.approx(-0.1, abs=1e-6)


@pytest.mark.parametrize(
    ("text", "subcase"),
    [
        ("blind course", "1"),
        ("steersman", "2"),
        ("invalid markers spacing", "3"),
        ("bumper", "4"),
        ("battery on fire", "5"),
    ],
)
def test_the_subcase_tells_which_error_it_was(text: str, subcase: str) -> None:
    assert failing(text, 1.0).judged("P8").subcase == subcase


def test_the_distance_counts_from_sending_not_from_arrival() -> None:
    assert failing("steersman", 0.5, late_s=2.0).judged("P8").margin == pytest.approx(-0.2, abs=1e-6)


@pytest.mark.parametrize("level", [0, 1])
def test_success_and_warnings_are_no_errors(level: int) -> None:
    drive = Drive(field()).go_to(4.0).report("success", level=level).go(2.0).stand(3.0)
    verdict = drive.judged("P8")
    assert (verdict.outcome, verdict.margin, verdict.note) == (PASS, None, "no error was reported")


def test_a_run_without_any_report_reported_no_error() -> None:
    assert Drive(field()).go(3.0).judged("P8").note == "no error was reported"


def test_a_recording_that_ends_with_the_error_is_open() -> None:
    drive = Drive(field()).go_to(4.0).report("steersman").stand(0.5)
    verdict = drive.judged("P8")
    assert (verdict.outcome, verdict.note) == (OPEN, "the recording ends with the error")


def test_the_worst_of_two_errors_decides() -> None:
    drive = Drive(field()).go_to(3.0).report("steersman").stand(2.0).report("blind course").go(0.4).stand(2.0)
    verdict = drive.judged("P8")
    assert verdict.margin == pytest.approx(-0.1, abs=1e-6)
    assert {v.subcase for v in verdict.violations} == {"1", "2"}


# P8': errors only with cause ----------------------------------------------------------------------------------


def test_no_error_needs_no_cause() -> None:
    assert Drive(field()).lanes(0).judged("P8'").outcome is PASS


def test_a_markers_error_without_cause_is_told() -> None:
    verdict = failing("invalid markers spacing", 0.1).judged("P8'")
    assert (verdict.outcome, verdict.subcase) == (FAIL, "3")


@pytest.mark.parametrize("stakes", [(1, 0.0), (0, 0.5)])
def test_a_missing_or_misplaced_stake_justifies_a_markers_error(stakes: tuple[int, float]) -> None:
    drive = Drive(field(stakes=stakes)).go_to(4.0).report("invalid markers spacing").stand(2.0)
    assert drive.judged("P8'").outcome is PASS


def test_the_wrong_lane_justifies_a_markers_error() -> None:
    wrong = Drive(field()).out().uturn(Drive(field()).track_y(2)).go_to(3.0).report("invalid markers spacing")
    right = Drive(field()).out().uturn(Drive(field()).track_y(1)).go_to(3.0).report("invalid markers spacing")
    assert wrong.stand(2.0).judged("P8'").outcome is PASS
    assert right.stand(2.0).judged("P8'").outcome is FAIL


@pytest.mark.parametrize(("degrees", "outcome"), [(0.0, FAIL), (8.0, FAIL), (12.0, PASS), (-12.0, PASS)])
def test_a_steersman_error_needs_a_heading_that_is_off(degrees: float, outcome: Outcome) -> None:
    drive = Drive(field()).go_to(4.0)
    if degrees:
        drive.turn(radians(degrees))
    verdict = drive.report("steersman").stand(2.0).judged("P8'")
    assert verdict.outcome is outcome
    assert verdict.subcase == ("2" if outcome is FAIL else None)


def test_a_heading_that_was_off_long_ago_justifies_nothing() -> None:
    drive = Drive(field()).go_to(2.0).turn(radians(12)).turn(radians(-12)).go(2.0).report("steersman").stand(2.0)
    assert drive.judged("P8'").outcome is FAIL


@pytest.mark.parametrize(("touches", "outcome"), [(True, PASS), (False, FAIL)])
def test_a_bumper_error_needs_a_contact(touches: bool, outcome: Outcome) -> None:
    drive = Drive(field()).go_to(4.0)
    if touches:
        drive.touch(drive.now - 3)
    verdict = drive.report("bumper").stand(2.0).judged("P8'")
    assert verdict.outcome is outcome
    assert verdict.subcase == (None if touches else "4")


def test_a_blind_course_needs_a_row_that_cannot_be_seen() -> None:
    """As long as plants stand beside the robot there is nothing to be blind to."""
    verdict = failing("blind course", 0.0).judged("P8'")
    assert (verdict.outcome, verdict.subcase) == (FAIL, "1")


@pytest.mark.parametrize(("gap_m", "outcome"), [(2.0, FAIL), (6.0, PASS)])
def test_a_long_gap_beside_the_robot_justifies_a_blind_course(gap_m: float, outcome: Outcome) -> None:
    single = {"spacings_m": (), "outer": (True, False), "length_m": 12.0}
    drive = Drive(field(gap_m=gap_m, **single)).go_to(6.0).report("blind course").stand(2.0)
    assert drive.judged("P8'").outcome is outcome


def test_a_gap_elsewhere_justifies_nothing() -> None:
    single = {"spacings_m": (), "outer": (True, False), "length_m": 20.0}
    scenario = field(gap_m=4.0, **single)
    plants = np.sort(scenario.world.bodies.x_m[scenario.world.bodies.of_kind("leek")])
    widest = int(np.argmax(np.diff(plants)))
    far_m = 2.0 if plants[widest] > 10.0 else 18.0
    assert Drive(scenario).go_to(far_m).report("blind course").stand(2.0).judged("P8'").outcome is FAIL


def test_a_robot_that_strayed_from_its_row_is_blind_with_cause() -> None:
    drive = Drive(field()).go_to(3.0).slide(-0.5).report("blind course").stand(2.0)
    assert drive.judged("P8'").outcome is PASS


def test_an_error_that_nobody_knows_has_no_cause() -> None:
    assert failing("battery on fire", 0.0).judged("P8'").outcome is FAIL
