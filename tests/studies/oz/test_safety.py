"""P4, P5, P6 and P7, on drives made by hand."""

from __future__ import annotations

from math import inf, pi

import pytest

from stressfield.oracle import Outcome

from .fields import Drive, field

PASS, FAIL, OPEN = Outcome.PASS, Outcome.FAIL, Outcome.INCONCLUSIVE


@pytest.fixture
def drive() -> Drive:
    """Rows from x = 0 to 8 at y = 0, 0.7 and 1.4; limits from x = -2 to 10 and y = -1.5 to 2.9."""
    return Drive(field())


# P5: collisions -----------------------------------------------------------------------------------------------


def test_without_contact_the_margin_is_the_least_clearance(drive: Drive) -> None:
    drive.lanes(0, 1)
    drive.rows[40][9] = 0.07
    verdict = drive.judged("P5")
    assert (verdict.outcome, verdict.margin, verdict.at_s) == (PASS, 0.07, 2.0)


def test_touching_exactly_is_no_collision(drive: Drive) -> None:
    drive.lanes(0)
    drive.rows[40][9] = 0.0
    assert drive.judged("P5").outcome is PASS


def test_a_collision_has_its_depth_its_time_and_its_interval(drive: Drive) -> None:
    drive.go_to(4.0)
    first = drive.now
    drive.go_to(5.0)
    last = drive.now
    drive.out().touch(first, last, depth_m=0.02)
    drive.rows[first + 3][9] = -0.05
    verdict = drive.judged("P5")
    assert (verdict.outcome, verdict.margin) == (FAIL, -0.05)
    assert verdict.at_s == pytest.approx((first + 3) * 0.05)
    assert [(v.start_s, v.end_s) for v in verdict.violations] == [pytest.approx((first * 0.05, last * 0.05))]


@pytest.mark.parametrize(("x_m", "subcase"), [(-0.8, "4"), (0.5, "4"), (4.0, "4"), (6.9, "4"), (7.1, "3"), (7.9, "3")])
def test_in_the_first_row_a_collision_is_mid_row_or_at_its_end(drive: Drive, x_m: float, subcase: str) -> None:
    drive.go_to(x_m)
    assert drive.touch(drive.now).out().judged("P5").subcase == subcase


@pytest.mark.parametrize(("x_m", "subcase"), [(7.9, "1"), (6.1, "1"), (5.9, "4"), (3.0, "4"), (1.1, "4"), (0.9, "3")])
def test_in_later_rows_the_first_two_metres_come_after_the_uturn(drive: Drive, x_m: float, subcase: str) -> None:
    drive.out().uturn(drive.track_y(1)).go_to(x_m)
    assert drive.touch(drive.now).out().judged("P5").subcase == subcase


def test_a_collision_while_turning_or_shifting_is_during_the_uturn(drive: Drive) -> None:
    drive.out().turn(pi / 4)
    turning = drive.now
    drive.turn(pi / 4).go(0.3)
    shifting = drive.now
    drive.go(drive.track_y(1) - drive.y).turn(pi / 4)
    turning_in = drive.now
    drive.turn(pi / 4)
    facing_in = drive.now
    drive.out()
    subcases = []
    for index in (turning, shifting, turning_in, facing_in):
        kept = [row[:] for row in drive.rows]
        subcases.append(drive.touch(index).judged("P5").subcase)
        drive.rows = kept
    assert subcases == ["2", "2", "2", "1"]


@pytest.mark.parametrize(
    ("beyond_m", "turns_later", "subcase"), [(0.4, True, "3"), (0.9, True, "2"), (0.9, False, "3")]
)
def test_on_the_way_out_it_depends_on_the_stakes_and_on_what_comes(
    drive: Drive, beyond_m: float, turns_later: bool, subcase: str
) -> None:
    drive.go_to(8.0 + beyond_m)
    drive.touch(drive.now).out()
    if turns_later:
        drive.uturn(drive.track_y(1)).out()
    assert drive.judged("P5").subcase == subcase


def test_the_first_of_several_collisions_decides(drive: Drive) -> None:
    drive.go_to(7.5)
    end = drive.now
    drive.out().turn(pi / 2)
    turning = drive.now
    drive.go(drive.track_y(1) - drive.y).turn(pi / 2).out()
    verdict = drive.touch(turning).touch(end).judged("P5")
    assert [v.subcase for v in verdict.violations] == ["3", "2"]
    assert verdict.subcase == "3"


def test_the_mirrored_field_has_the_same_subcases() -> None:
    drive = Drive(field(side="left"))
    drive.out().uturn(drive.track_y(1)).go_to(7.0)
    assert drive.touch(drive.now).out().judged("P5").subcase == "1"


def test_the_centre_point_of_the_published_oracle_hits_only_what_it_drives_over(drive: Drive) -> None:
    drive.go_to(4.0)
    drive.touch(drive.now).out()
    assert (drive.judged("P5").outcome, drive.judged("P5c").outcome) == (FAIL, PASS)
    over = Drive(field(), y_m=0.0).out()
    assert (over.judged("P5").outcome, over.judged("P5c").outcome) == (PASS, FAIL)
    assert over.judged("P5c").margin == pytest.approx(-0.03, abs=0.02)


def test_weeds_are_no_obstacle_for_the_centre_point() -> None:
    weedy, clean = Drive(field(weeds=(4, 15.0))).out(), Drive(field()).out()
    bodies = weedy.scenario.world.bodies
    weeds = bodies.of_kind("weed")
    assert min(abs(bodies.y_m[weeds] - weedy.y)) < 0.02
    assert weedy.judged("P5c").margin == clean.judged("P5c").margin


# P6: limits ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("x_m", "margin"), [(9.4, 0.225), (9.625, 0.0), (9.7, -0.075)])
def test_the_front_of_the_robot_must_stay_inside(drive: Drive, x_m: float, margin: float) -> None:
    verdict = drive.go_to(x_m).judged("P6")
    assert verdict.margin == pytest.approx(margin, abs=1e-9)
    assert drive.judged("P6c").margin == pytest.approx(margin + 0.375)


def test_the_side_of_the_robot_must_stay_inside() -> None:
    verdict = Drive(field(), y_m=-1.4).go(2.0).judged("P6")
    assert verdict.margin == pytest.approx(0.1 - 0.225)


def test_the_corners_sweep_wider_than_front_and_side(drive: Drive) -> None:
    straight = drive.go_to(9.6).judged("P6").margin
    turned = drive.turn(pi / 2).judged("P6").margin
    half_diagonal = (0.375**2 + 0.225**2) ** 0.5
    assert straight == pytest.approx(0.025)
    assert turned == pytest.approx(10.0 - 9.6 - half_diagonal, abs=1e-3)


def test_too_far_out_before_turning_is_during_the_uturn(drive: Drive) -> None:
    drive.go_to(9.8)
    assert drive.uturn(drive.track_y(1)).out().judged("P6").subcase == "2"


def test_too_far_out_without_turning_is_at_the_end_of_the_row(drive: Drive) -> None:
    assert drive.go_to(9.8).stand(2.0).judged("P6").subcase == "3"


def test_out_of_the_field_when_already_facing_in_is_after_the_uturn(drive: Drive) -> None:
    drive.out().uturn(drive.track_y(1)).slide(2.5, along_m=0.0).out()
    assert drive.judged("P6").subcase == "1"


def test_out_of_the_field_in_the_middle_of_a_row_counts_as_its_end(drive: Drive) -> None:
    drive.go_to(3.0).slide(-1.0).out()
    assert drive.judged("P6").subcase == "3"


def test_in_the_field_all_the_way_passes_with_the_least_distance(drive: Drive) -> None:
    drive.lanes(0, 1, 2, 3)
    verdict = drive.judged("P6")
    half_diagonal = (0.375**2 + 0.225**2) ** 0.5
    assert verdict.outcome is PASS
    assert verdict.margin == pytest.approx(10.0 - 9.25 - half_diagonal, abs=2e-3)


# P4: speed ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("speed", "outcome"), [(0.40, PASS), (0.45, PASS), (0.46, FAIL)])
def test_speed_stays_below_the_maximum(drive: Drive, speed: float, outcome: Outcome) -> None:
    verdict = drive.go(1.0).go(2.0, speed=speed).judged("P4")
    assert (verdict.outcome, verdict.unit) == (outcome, "m/s")
    assert verdict.margin == pytest.approx(0.45 - speed, abs=1e-9)


@pytest.mark.parametrize(("rate", "outcome"), [(0.60, PASS), (0.69, PASS), (0.80, FAIL), (1.20, FAIL)])
def test_a_turn_on_the_spot_is_slow_enough(drive: Drive, rate: float, outcome: Outcome) -> None:
    verdict = drive.go(1.0).turn(-2.0, rate=rate).turn(2.0, rate=0.3).judged("P4'")
    assert (verdict.outcome, verdict.unit) == (outcome, "rad/s")
    assert verdict.margin == pytest.approx(0.70 - rate, abs=0.02)


# P7: self-localisation ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("dx_m", "dy_m", "outcome"), [(0.0, 0.0, PASS), (0.1, 0.2, PASS), (0.3, 0.1, FAIL)])
def test_the_perceived_position_is_near_the_true_one(dx_m: float, dy_m: float, outcome: Outcome) -> None:
    verdict = Drive(field()).lanes(0, 1).believe(dx_m, dy_m).judged("P7")
    assert verdict.outcome is outcome
    assert verdict.margin == pytest.approx(0.30 - (dx_m**2 + dy_m**2) ** 0.5, abs=1e-6)


def test_a_robot_that_tells_no_position_leaves_it_open(drive: Drive) -> None:
    assert drive.go(1.0).judged("P7").outcome is OPEN


def test_clearance_that_is_not_a_number_is_never_a_pass(drive: Drive) -> None:
    drive.go(1.0)
    drive.rows[3][9] = float("nan")
    assert drive.judged("P5").outcome is not PASS
    drive.rows[3][9] = inf
    assert drive.judged("P5").outcome is PASS
