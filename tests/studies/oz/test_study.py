"""The `oz` study end to end: simulator, navigator and oracle together, in small fields."""

from __future__ import annotations

import numpy as np
import pytest

from stressfield.bus import Bus, Timing
from stressfield.errors import InputError, SubjectError
from stressfield.oracle import Evidence, Outcome
from stressfield.run import Status
from stressfield.scenario import Scenario
from stressfield.trace import Trace
from stressfield.world import Mission
from stressfield_studies.oz import study
from stressfield_studies.oz.faults import FAULTS
from stressfield_studies.oz.robot import ODOMETRY, REPORT, SCAN, STAKES_LEFT, STAKES_RIGHT, WHEELS
from stressfield_studies.oz.subject import Issues, issues_of

from .fields import field, run

SMALL = {"spacings_m": (0.7,), "length_m": 6.0, "outer": (True, False)}
"""Two rows of six metres, two tracks, one U-turn."""
BUILDS = ["fixed", "release", "I1", "I2", "I3", "I4", "I5", "I6", "I7"]
ISSUES = [
    "i1_blind_turn", "i2_wide_turn", "i3_guess_when_lost", "i4_double_vision", "i5_slow_alignment",
    "i6_wheel_odometry_only", "i7_end_by_lidar_only",
]  # fmt: skip


@pytest.fixture(scope="module")
def small() -> Scenario:
    return field(**SMALL)


@pytest.fixture(scope="module")
def small_trace(small: Scenario) -> Trace:
    return run(small).trace


def every_property() -> list[str]:
    return [one.name for one in study.oracle.properties]


STRICT = [
    "P1", "P2", "P2'", "P3", "P4", "P4'", "P5", "P6", "P6'", "P7'", "P8", "P8'", "P9", "P10", "P11",
    "finished", "alive",
]  # fmt: skip


def until_s(trace: Trace, end_s: float) -> list[bytes]:
    """The truth up to a time, sample by sample."""
    truth = trace.truth("oz")
    return [row.tobytes() for row in truth.values[truth.time_s <= end_s]]


# a run --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_fixed_build_completes_a_small_mission_with_every_property_passing(side: str) -> None:
    scenario = field(**SMALL, side=side)
    done = run(scenario)
    assert (done.status, done.trouble) == (Status.COMPLETED, "")
    reports = done.trace.topic(REPORT).messages
    assert [(report.level, report.message) for report in reports] == [(0, "success")]
    verdicts = study.oracle.judge(Evidence(done.trace, scenario), include=every_property())
    assert {v.property: v.outcome for v in verdicts} == dict.fromkeys(every_property(), Outcome.PASS)
    margins = {v.property: v.margin for v in verdicts}
    assert margins["P1"] in {0.0, 1.0}, "there was one U-turn, of 5 to 7 manoeuvres"
    assert margins["P3"] == pytest.approx(0.35, abs=0.06)


def test_a_wide_lane_of_cabbages_on_rough_ground_is_weeded_in_two_passes() -> None:
    scenario = field(
        spacings_m=(1.3,), length_m=6.0, outer=(False, False), crop="cabbage", growth=0.3, roughness_m=0.04,
        noise_m=0.02, missing=0.1,
    )  # fmt: skip
    done = run(scenario)
    verdicts = study.oracle.judge(Evidence(done.trace, scenario))
    assert done.status is Status.COMPLETED
    assert {v.property: v.outcome.value for v in verdicts} == dict.fromkeys(STRICT, "pass")


def test_the_profiles_are_those_of_the_published_study_and_a_stricter_one() -> None:
    assert [one.name for one in study.oracle.select(profile="published")] == ["P1", "P3", "P5", "P6", "P8"]
    assert [one.name for one in study.oracle.select()] == STRICT
    assert all(one.why_off for one in study.oracle.properties if one.on is not True)


def test_the_recording_holds_both_views(small_trace: Trace) -> None:
    assert {SCAN, ODOMETRY, WHEELS, REPORT, STAKES_LEFT, STAKES_RIGHT} <= set(small_trace.topics)
    assert list(small_trace.robots) == ["oz"]
    assert small_trace.truth("oz").x_m[0] == pytest.approx(-1.15, abs=0.06)


# chance -------------------------------------------------------------------------------------------------------


def test_the_same_seeds_give_the_same_trace_bit_for_bit(small: Scenario, small_trace: Trace) -> None:
    assert run(small).trace.digest() == small_trace.digest()
    assert run(field(**SMALL)).trace.digest() == small_trace.digest()


def test_another_run_seed_gives_another_trace_of_the_same_world(small: Scenario, small_trace: Trace) -> None:
    other = run(small, seed=6).trace
    assert other.digest() != small_trace.digest()
    assert np.array_equal(other.truth("oz").values[0], small_trace.truth("oz").values[0])


def test_another_scenario_seed_gives_another_trace(small_trace: Trace) -> None:
    assert run(field(seed=4, **SMALL)).trace.digest() != small_trace.digest()


# builds -------------------------------------------------------------------------------------------------------


def test_the_study_has_the_fixed_the_release_and_one_build_for_each_issue() -> None:
    assert [build.name for build in study.builds] == BUILDS


@pytest.mark.parametrize("name", BUILDS)
def test_every_build_runs_to_an_end_that_is_judged(small: Scenario, name: str) -> None:
    done = run(small, name)
    assert done.status.judged, done.trouble
    assert study.oracle.judge(Evidence(done.trace, small), include=every_property())


@pytest.mark.parametrize(("name", "issue"), list(zip(BUILDS[2:], ISSUES, strict=True)))
def test_each_issue_alone_is_one_switch(name: str, issue: str) -> None:
    assert issues_of(name) == Issues(**{issue: True})


def test_fixed_has_no_issue_and_release_has_all_seven() -> None:
    assert issues_of("fixed") == Issues()
    assert issues_of("release") == Issues(**dict.fromkeys(ISSUES, True))


def test_an_unknown_build_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError) as caught:
        study.find_build("relase")
    assert str(caught.value) == (
        "Unknown build 'relase' of study 'oz'. It has: fixed, release, I1, I2, I3, I4, I5, I6, I7. "
        "Did you mean 'release'?"
    )
    with pytest.raises(InputError) as caught:
        issues_of("I9")
    assert str(caught.value).startswith("Unknown build 'I9'. Wanted one of: fixed, release, I1, I2, I3,")


def test_every_fault_names_builds_and_properties_that_exist() -> None:
    for fault in FAULTS:
        assert study.find_build(fault.build).name == fault.build
        baseline = study.find_build(fault.baseline).name
        assert study.oracle.select(include=fault.include)
        assert (fault.build, fault.options) != (baseline, fault.baseline_options)


def test_the_navigator_refuses_a_mission_of_another_study(small: Scenario) -> None:
    stranger = Scenario(small.world, Mission(limit_s=1.0))
    with pytest.raises((TypeError, SubjectError), match="needs an OzMission, got Mission"):
        study.find_build("fixed").subject(stranger).start(stranger, Bus(seed=1, timing=Timing()))


# what the rig adds --------------------------------------------------------------------------------------------


def test_options_that_are_off_change_nothing(small_trace: Trace) -> None:
    off = {
        "wheel_slip": 0.0,
        "double_vision": 0.0,
        "missed_markers": 0.0,
        "late_stop": False,
        "downhill_overspeed": False,
    }
    assert run(field(**SMALL, options=off)).trace.digest() == small_trace.digest()


def test_late_stops_change_nothing_before_the_first_stop(small_trace: Trace) -> None:
    time_s, left = small_trace.column(WHEELS, "velocity.0")
    _, right = small_trace.column(WHEELS, "velocity.1")
    moving = int(np.argmax((left != 0.0) | (right != 0.0)))
    first_stop_s = float(time_s[moving:][(left[moving:] == 0.0) & (right[moving:] == 0.0)][0])
    longer = []
    for seed in (5, 6, 7):
        plain = run(field(**SMALL), seed=seed).trace
        late = run(field(**SMALL, options={"late_stop": True}), seed=seed).trace
        assert until_s(late, first_stop_s - 1.0) == until_s(plain, first_stop_s - 1.0)
        longer.append(late.digest() != plain.digest())
    assert any(longer)


def test_overspeed_needs_a_slope(small_trace: Trace) -> None:
    options = {"downhill_overspeed": True}
    assert run(field(**SMALL, options=options)).trace.digest() == small_trace.digest()
    hilly = {**SMALL, "roughness_m": 0.12}
    plain = run(field(**hilly)).trace.truth("oz").speed_mps.max()
    fast = run(field(**hilly, options=options)).trace.truth("oz").speed_mps.max()
    assert plain <= 0.45
    assert fast > plain + 0.05


def test_wheel_slip_makes_the_odometer_count_more_than_was_driven(small_trace: Trace) -> None:
    def excess(trace: Trace) -> float:
        """By how much the way of the wheels is longer than the true one, as a share."""
        truth = trace.truth("oz")
        _, x = trace.column(ODOMETRY, "pose.pose.position.x")
        _, y = trace.column(ODOMETRY, "pose.pose.position.y")
        counted, driven = (np.hypot(np.diff(a), np.diff(b)).sum() for a, b in ((x, y), (truth.x_m, truth.y_m)))
        return float(counted / driven) - 1.0

    slipping = run(field(**SMALL, options={"wheel_slip": 0.25})).trace
    assert abs(excess(small_trace)) < 0.03
    assert 0.05 < excess(slipping) < 0.34


def test_double_vision_shows_more_stakes_and_nothing_else_at_first(small_trace: Trace) -> None:
    def seen(trace: Trace) -> int:
        return sum(len(m.poses) for name in (STAKES_LEFT, STAKES_RIGHT) for m in trace.topic(name).messages)

    double = run(field(**SMALL, options={"double_vision": 1.0})).trace
    missed = run(field(**SMALL, options={"missed_markers": 1.0})).trace
    assert seen(double) > 1.5 * seen(small_trace)
    assert seen(missed) == 0
    assert until_s(double, 0.15) == until_s(small_trace, 0.15) == until_s(missed, 0.15)
