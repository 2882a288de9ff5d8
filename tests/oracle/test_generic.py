"""What every study gets: not finishing is not passing, and silence is a finding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

import stressfield as sf
from stressfield.bus.messages import DiagnosticStatus, Float64Msg, Twist
from stressfield.errors import InputError
from stressfield.fuzz import LOG
from stressfield.oracle import Evidence, Outcome, Profile, Property, PropertyClass, Verdict
from stressfield.oracle.generic import generic_properties
from stressfield.oracle.oracle import verdict_of
from stressfield.trace import Metadata, Recorder

LIMIT_S = 40.0
WORLD = sf.World.flat(60.0, 4.0).with_robot("cart", sf.robots.diff_drive(), at=(1.0, 2.0))
SCENARIO = sf.Scenario(WORLD, sf.Mission.reach((9.0, 2.0), within_s=LIMIT_S))

Said = tuple[str, float, object]


def told(*said: Said, moves_until_s: float = 20.0, end_s: float = LIMIT_S) -> Evidence:
    """A recording of a cart that drives for a while, and of what was said."""
    recorder = Recorder(["cart"])
    for time_s in np.arange(0.0, end_s + 1e-6, 0.1).tolist():
        row = np.zeros((1, 11))
        row[0, 0], row[0, 6], row[0, 10] = min(time_s, moves_until_s), 1.0, -1.0
        recorder.observe(round(time_s * 1e9), row)
    for topic, time_s, message in sorted(said, key=lambda each: each[1]):
        recorder.record(topic, round(time_s * 1e9), round(time_s * 1e9), message)
    return Evidence(recorder.finish(Metadata()), SCENARIO)


def every(period_s: float, *windows: tuple[float, float], topic: str = "/cmd_vel") -> Sequence[Said]:
    times = [t for start, end in windows for t in np.arange(start, end, period_s).tolist()]
    return [(topic, time_s, Twist.drive(0.1, 0.0)) for time_s in times]


def judged(
    name: str, evidence: Evidence, *, may_give_up: bool = False, expected_hz: dict[str, float] | None = None
) -> Verdict:
    properties = generic_properties(report="/report", may_give_up=may_give_up, expected_hz=expected_hz or {})
    prop = next(each for each in properties if each.name == name)
    return verdict_of(prop, prop.judge(evidence))


def done(at_s: float) -> Said:
    return "/report", at_s, DiagnosticStatus.done()


def error(at_s: float) -> Said:
    return "/report", at_s, DiagnosticStatus.error("no way")


# finished ---------------------------------------------------------------------------------------------------


def test_the_margin_of_a_finished_mission_is_the_time_left() -> None:
    verdict = judged("finished", told(done(30.0)))
    assert (verdict.outcome, verdict.margin, verdict.unit) == (Outcome.PASS, 10.0, "s")
    assert judged("finished", told(done(LIMIT_S))).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("evidence", "subcase", "margin"),
    [
        (told(moves_until_s=0.0), "never moved", -40.0),
        (told(moves_until_s=20.0), "never reported", -20.0),
        (told(moves_until_s=60.0), "out of time", -1.0),
        (told(error(10.0)), "gave up", -30.0),
        (told(done(10.0), error(11.0)), "gave up", -30.0),
    ],
)
def test_not_finishing_is_not_passing(evidence: Evidence, subcase: str, margin: float) -> None:
    verdict = judged("finished", evidence)
    assert (verdict.outcome, verdict.subcase) == (Outcome.FAIL, subcase)
    assert verdict.margin == pytest.approx(margin, abs=0.11)


def test_giving_up_may_be_allowed_but_must_be_said() -> None:
    assert judged("finished", told(error(10.0)), may_give_up=True).outcome is Outcome.PASS
    assert judged("finished", told(moves_until_s=60.0), may_give_up=True).outcome is Outcome.FAIL


def test_a_report_of_another_type_says_that_it_ended() -> None:
    assert judged("finished", told(("/report", 10.0, Float64Msg(1.0)))).outcome is Outcome.PASS


def test_a_recording_that_ends_early_leaves_it_open() -> None:
    verdict = judged("finished", told(end_s=20.0))
    assert (verdict.outcome, verdict.note) == (
        Outcome.INCONCLUSIVE,
        "the recording ends before the mission's time is up",
    )


# alive ------------------------------------------------------------------------------------------------------


def test_a_command_that_stops_half_way_is_a_finding() -> None:
    verdict = judged("alive", told(*every(0.1, (0.0, 20.0))))
    assert (verdict.outcome, verdict.subcase) == (Outcome.FAIL, "fell silent")
    assert verdict.margin == pytest.approx(1.0 - 20.1, abs=0.01)
    assert verdict.note == "/cmd_vel fell silent."


@pytest.mark.parametrize(
    "said",
    [
        (*every(0.1, (0.0, 20.0)), done(30.0)),  # perhaps one phase of a mission that was done
        (*every(0.1, (0.0, 5.0), (10.0, 15.0)),),  # speaks in phases
        (*every(0.1, (0.0, 1.5)),),  # too few to know
        tuple(("/event", t, Float64Msg(t)) for t in np.cumsum(1.15 ** np.arange(24)) / 10.0),  # no period
        (*every(0.1, (0.0, LIMIT_S)),),
        (*every(0.1, (0.0, 20.0), topic="/scan"),),  # the rig's
        (*every(0.1, (0.0, 20.0), topic="/cmd_vel/fuzzed"),),  # what arrived, not what was sent
    ],
)
def test_no_alarm_where_silence_may_be_right(said: Sequence[Said]) -> None:
    assert judged("alive", told(*said)).outcome is Outcome.PASS


@pytest.mark.parametrize(
    ("windows", "subcase"),
    [
        ([(0.0, 20.0)], "fell silent"),
        ([(0.0, 10.0), (12.0, 30.0)], "paused"),
        ([(8.0, 30.0)], "paused"),
        ([], "never spoke"),
    ],
)
def test_a_declared_topic_is_held_to_its_rate(windows: list[tuple[float, float]], subcase: str) -> None:
    evidence = told(*every(0.1, *windows), done(30.0))
    verdict = judged("alive", evidence, expected_hz={"/cmd_vel": 10.0})
    assert (verdict.outcome, verdict.subcase) == (Outcome.FAIL, subcase)
    assert judged("alive", evidence).outcome is Outcome.PASS


def test_a_declared_topic_may_start_late_and_be_silent_after_the_report() -> None:
    evidence = told(*every(0.1, (5.0, 30.0)), done(30.0))
    assert judged("alive", evidence, expected_hz={"/cmd_vel": 10.0}).outcome is Outcome.PASS


def test_a_misspelt_declared_topic_is_told() -> None:
    verdict = judged("alive", told(*every(0.1, (0.0, 30.0)), done(30.0)), expected_hz={"/cmd_vle": 10.0})
    assert verdict.outcome is Outcome.FAIL
    assert verdict.note == "/cmd_vle never spoke. Did you mean '/cmd_vel'?"


@pytest.mark.parametrize("declared", [{}, {"/cmd_vel": 10.0}])
def test_silence_that_a_disturbance_began_is_not_the_robots(declared: dict[str, float]) -> None:
    killed = [(LOG, 20.0, DiagnosticStatus(1, "kill", "")), (LOG, 20.5, DiagnosticStatus(0, "kill", ""))]
    said = every(0.1, (0.0, 20.05))
    assert judged("alive", told(*said, *killed), expected_hz=declared).outcome is Outcome.PASS
    early = [(LOG, 2.0, DiagnosticStatus(1, "loss", "")), (LOG, 3.0, DiagnosticStatus(0, "loss", ""))]
    assert judged("alive", told(*said, *early), expected_hz=declared).outcome is Outcome.FAIL


# in a study -------------------------------------------------------------------------------------------------


class Yard(sf.Element):
    """A yard."""

    length_m: float = sf.real(1.0, 2.0)


def study(oracle: sf.Oracle, **others: object) -> sf.Study:
    return sf.Study("yard", model=Yard, build=lambda *_: SCENARIO, subject=sf.Node, oracle=oracle, **others)


def own(name: str) -> Property:
    return Property(name, PropertyClass.MISSION_PHASE, "the study's own", lambda _: None)


def test_every_study_has_them_in_the_strict_profile_only() -> None:
    oracle = sf.Oracle("yard", [own("clear")])
    made = study(oracle)
    oracle.add(own("later"))
    names = ["clear", "later", "finished", "alive"]
    assert [each.name for each in made.oracle.properties] == names
    assert [each.name for each in made.oracle.select()] == names
    assert [each.name for each in made.oracle.select(profile="published")] == ["clear", "later"]
    assert [each.name for each in made.oracle.select(profile="published", include=["alive"])][-1] == "alive"
    assert [each.name for each in made.oracle.select(exclude=["finished"])] == ["clear", "later", "alive"]


def test_a_study_made_of_another_has_them_once_and_with_its_own_ending() -> None:
    made = replace(study(sf.Oracle("yard")), ending=sf.Ending("/done"))
    assert [each.name for each in made.oracle.properties] == ["finished", "alive"]
    verdict = next(iter(made.oracle.judge(told(("/done", 10.0, DiagnosticStatus.done())))))
    assert verdict.outcome is Outcome.PASS


def test_the_studys_own_property_of_that_name_counts() -> None:
    made = study(sf.Oracle("yard", [own("finished")]))
    assert made.oracle["finished"].title == "the study's own"


def test_a_property_may_be_of_one_profile() -> None:
    oracle = sf.Oracle("yard", [replace(own("old"), on=Profile.PUBLISHED), replace(own("new"), on=Profile.STRICT)])
    assert [each.name for each in oracle.select()] == ["new"]
    assert [each.name for each in oracle.select(profile="published")] == ["old"]


def test_a_rate_must_be_positive() -> None:
    with pytest.raises(InputError, match=r"expects 0\.0 messages a second on /cmd_vel\. Wanted a positive rate"):
        study(sf.Oracle("yard"), expected_hz={"/cmd_vel": 0.0})
